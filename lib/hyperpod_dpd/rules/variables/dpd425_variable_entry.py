import re
from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

_NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_WELL_KNOWN = re.compile(
    r"PYTHONHASHSEED|PD_BUFFER_SIZE|(LMCACHE|VLLM|NCCL|FI|UCX|NIXL|HF|PROMETHEUS)_[A-Z0-9_]+"
)


@rule(
    ("DPD425", "variable-entry", ERROR, ENDPOINT),
    title="An environment variable that is no variable, or not the one meant",
    what="""Names of environment variables: not empty, without "=" and blanks; a value or one source, not both
    and not two (errors). Names that differ from those of vLLM, LMCache, NCCL, libfabric, UCX and Hugging Face
    only in capitals (warnings).""",
    why="""The custom resource takes any text; the API server refuses the pods that the operator makes of it,
    and only the ReplicaSet's events say why. A name in other letters is taken, and read by nobody.""",
    fine="For a variable of a program of your own that is written in small letters (the warning).",
    fix='give each variable one name and one source, as in name: A, value: "b"',
    sources="""Kubernetes API, validation of containers: names and sources of variables | LMCache 0.4.3 and
    vLLM 0.19.0, which read names in capitals""",
    tags=("variables",),
    before='spec: {worker: {environmentVariables: [{name: "FI_PROVIDER=efa", value: "1"}]}}',
    after="spec: {worker: {environmentVariables: [{name: FI_PROVIDER, value: efa}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    entries = endpoint.get("worker", "environmentVariables")
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
            continue
        path: Path = ("spec", "worker", "environmentVariables", index)
        name = entry["name"]
        if not _NAME.fullmatch(name):
            if not is_placeholder(name):
                yield Match((*path, "name"), f"'{name}' cannot be the name of a variable")
        elif name != name.upper() and _WELL_KNOWN.fullmatch(name.upper()):
            message = f"nothing reads {name}; the variable is called {name.upper()}"
            yield Match((*path, "name"), message, WARNING, f"write {name.upper()}")
        yield from _sources(entry, name, path)


def _sources(entry: Mapping[str, object], name: str, path: Path) -> Matches:
    source = entry.get("valueFrom")
    if not isinstance(source, Mapping):
        return
    if entry.get("value") not in (None, ""):
        yield Match(path, f"{name} has both a value and a source", fix="keep one of the two")
    if len(source) != 1:
        count = "no source" if not source else "several sources"
        yield Match((*path, "valueFrom"), f"{name} has {count} in valueFrom", fix="name exactly one source")
