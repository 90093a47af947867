import re
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ERROR, OBJECT, Match, Matches, ObjectView, Path, rule

WORKLOADS = frozenset({"Pod", "Job", "CronJob", "Deployment", "DaemonSet", "StatefulSet"})
_CALL = re.compile(r"https?://prefill-[a-z0-9.-]+(:\d+)?/(v1/(chat/)?completions|invocations)")
_POD_SPECS: tuple[Path, ...] = (
    ("spec",),
    ("spec", "template", "spec"),
    ("spec", "jobTemplate", "spec", "template", "spec"),
)


@rule(
    ("DPD936", "prefill-bypass", ERROR, OBJECT),
    title="Requests go to a prefill pod past the router",
    what="""That no Service of the checked objects balances over prefill pods (a headless one, for scraping,
    may), and that no container of a workload calls completions on one.""",
    why="""A sender takes the address of its receiver from what the router puts into the request. A completion
    without it makes LMCache 0.4.3 read from nothing, and the engine fails.""",
    fine="Never; the router is the only way in.",
    fix="send requests to the routing Service, and scrape metrics through a headless Service",
    sources="LMCache 0.4.3, PD backend, sender",
    covers=("R194",),
    tags=("operations", "kv-transfer"),
    before="""apiVersion: v1
    kind: Service
    metadata: {name: prefill, namespace: inference}
    spec:
      selector: {inference.sagemaker.aws.amazon.com/dpd-role: prefill}
      ports: [{port: 80, targetPort: 8000}]""",
    after="""apiVersion: v1
    kind: Service
    metadata: {name: prefill-metrics, namespace: inference}
    spec:
      clusterIP: None
      selector: {inference.sagemaker.aws.amazon.com/dpd-role: prefill}
      ports: [{name: metrics, port: 9113}]""",
)
def check(item: ObjectView) -> Matches:
    kind = item.value.get("kind")
    if kind == "Service":
        yield from _service(item.value.get("spec"))
    elif isinstance(kind, str) and kind in WORKLOADS:
        yield from _workload(item.value)


def _service(spec: Any) -> Matches:
    if not isinstance(spec, dict) or not isinstance(spec.get("selector"), dict):
        return
    if spec["selector"].get(names.POD_ROLE_LABEL) == "prefill" and spec.get("clusterIP") != "None":
        yield Match(
            ("spec", "selector"), "this Service balances over prefill pods, whose only client is the router"
        )


def _workload(value: dict[str, Any]) -> Matches:
    for path in _POD_SPECS:
        spec = _at(value, path)
        for key in ("initContainers", "containers"):
            containers = spec.get(key) if isinstance(spec, dict) else None
            for index, container in enumerate(containers if isinstance(containers, list) else []):
                yield from _calls(container, (*path, key, index))


def _calls(value: Any, path: Path) -> Matches:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _calls(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _calls(inner, (*path, index))
    elif isinstance(value, str):
        found = _CALL.search(value)
        if found:
            yield Match(path, f"'{found[0]}' asks a prefill pod for a completion, past the router")


def _at(value: Any, path: Path) -> Any:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
