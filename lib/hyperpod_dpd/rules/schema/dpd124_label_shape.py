import re
from collections.abc import Mapping

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


@rule(
    ("DPD124", "label-shape", ERROR, ENDPOINT),
    title="A label or selector that Kubernetes refuses",
    what="""Keys and values of metadata.labels and of each role's nodeSelector, and keys of
    metadata.annotations, against the syntax of Kubernetes.""",
    why="""The API server refuses the object for a bad label. A bad node selector passes it, since the custom
    resource is not a pod: the operator's Deployment then makes no pods, and only its events say why.""",
    fine="Never.",
    fix="use letters, digits, hyphens, dots and underscores, at most 63 in the name and in the value",
    sources="Kubernetes documentation, labels and selectors, syntax",
    tags=("names",),
    before='spec: {pdSpec: {decodingSpec: {nodeSelector: {team: "search and rank"}}}}',
    after="spec: {pdSpec: {decodingSpec: {nodeSelector: {team: search-and-rank}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from _faults(endpoint.metadata.get("labels"), ("metadata", "labels"))
    yield from _faults(endpoint.metadata.get("annotations"), ("metadata", "annotations"), values=False)
    for role in endpoint.roles:
        path = (*role.path, "nodeSelector")
        yield from _faults(role.node_selector, path)
        for key in (names.INSTANCE_GROUP_LABEL, names.INSTANCE_TYPE_LABEL):
            if role.node_selector.get(key) == "":
                yield Match((*path, key), f"the value of {key} is empty, and no node has that")


def _faults(labels: object, path: Path, *, values: bool = True) -> Matches:
    if not isinstance(labels, Mapping):
        return
    for key, value in labels.items():
        prefix, slash, name = str(key).rpartition("/")
        if not _NAME.fullmatch(name) or (slash and not (_PREFIX.fullmatch(prefix) and len(prefix) <= 253)):
            yield Match((*path, key), f"'{key}' cannot be a key")
        elif (
            values
            and isinstance(value, str)
            and value
            and not _NAME.fullmatch(value)
            and not is_placeholder(value)
        ):
            yield Match((*path, key), f"'{value}' cannot be the value of {key}")
