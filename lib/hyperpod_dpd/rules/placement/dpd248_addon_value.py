import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, Path, rule


@rule(
    ("DPD248", "addon-value", WARNING, ENVIRONMENT),
    title="A configuration value of an add-on that nothing takes, or that no source names",
    what="""Every key under addon_values: whether the add-on is installed here at all, and whether any source
    names the key.""",
    why="""EKS refuses an add-on with a key that its schema does not have, and the deployment stops there. A
    value for an add-on that is not installed changes nothing, without a word.""",
    fine="""addon_values is for keys that no public source confirms: look them up with `aws eks
    describe-addon-configuration`.""",
    fix="compare it with `aws eks describe-addon-configuration`",
    sources="""SageMaker developer guide, model-deployment setup: keys of the add-ons' configuration |
    HyperPod EKS Terraform modules of awsome-distributed-ai: add-ons and their configuration""",
    covers=("HI-1.10a",),
    tags=("addons",),
    before="addon_values: {cert-manager: {replicasCount: 2}}",
    after="addon_values: {cert-manager: {replicaCount: 2}}",
)
def check(environment: EnvironmentView) -> Matches:
    installed = {plan.name for plan in environment.blueprint.addons}
    watching = environment.blueprint.observability
    if watching is not None and watching.enabled:
        installed.add(names.OBSERVABILITY_ADDON)
    for name, values in environment.document.addon_values.items():
        path: Path = ("addon_values", name)
        addon = kubernetes.addon(name)
        if name not in installed:
            yield Match(path, f"{name} is not installed by this environment", fix="remove it")
        elif addon is not None:
            known = {key.path: key.confirmed for key in addon.configuration}
            for found in _leaves(values, ()):
                yield from _key(path, found, known)


def _key(base: Path, found: tuple[str, ...], known: Mapping[str, bool]) -> Matches:
    dotted = ".".join(found)
    beginnings = {dotted, *(".".join(found[:n]) for n in range(1, len(found)))}
    named = [known[each] for each in beginnings if each in known]
    if any(each.startswith(f"{dotted}.") for each in known) or any(named):
        return
    path = (*base, *found)
    close = difflib.get_close_matches(dotted, known, n=1, cutoff=0.8)
    if close and not named:
        yield Match(path, f"no source names the key {dotted}; did you mean {close[0]}?")
    else:
        yield Match(path, f"{dotted} is a key that no source confirms", INFO)


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Paths of everything that is no mapping, and of empty mappings."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif path:
        yield path
