from hyperpod_dpd.rules.defaults import model_mount
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

NAME = "PROMETHEUS_MULTIPROC_DIR"
_ALWAYS_THERE = ("/tmp", "/dev/shm", "/var/tmp")


@rule(
    ("DPD419", "metrics-directory", WARNING, DISAGGREGATED),
    title="LMCache's metrics may be missing from the scrape",
    what="""Where PROMETHEUS_MULTIPROC_DIR points: not set is a note; a relative path, a path that nothing
    creates, or one inside the model volume is a warning.""",
    why="""LMCache registers its metrics in the engine's worker processes; they reach /metrics only when this
    variable is set before vLLM starts. Whether the operator sets it for disaggregated endpoints is not
    confirmed. Where it is set, the folder must exist, or vLLM ends at start, and must be empty at each start,
    or old numbers are counted again.""",
    fine="Where the LMCache series are there: ask a running pod for its /metrics.",
    fix="""set PROMETHEUS_MULTIPROC_DIR to a folder that exists in the container and is empty at its start,
    such as /tmp""",
    sources="""LMCache 0.4.3, observability, default folder | LMCache issue 729 | prometheus-client,
    multiprocess mode""",
    covers=("R78",),
    tags=("observability",),
    before="spec: {worker: {environmentVariables: [{name: PROMETHEUS_MULTIPROC_DIR, value: metrics}]}}",
    after="spec: {worker: {environmentVariables: [{name: PROMETHEUS_MULTIPROC_DIR, value: /tmp}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    variable = endpoint.environment.get(NAME)
    if variable is None:
        if endpoint.get("metrics", "enabled") is not False:
            yield Match(
                endpoint.where_variable(NAME),
                f"{NAME} is not set; that the operator sets it, as LMCache's metrics need, is not confirmed",
                INFO,
            )
        return
    if variable.value is None or is_placeholder(variable.value):
        return
    folder = variable.value.rstrip("/")
    if folder in _ALWAYS_THERE:
        return
    yield Match(variable.value_path, f"{NAME} is '{variable.value}', {_reason(endpoint, folder)}")


def _reason(endpoint: EndpointView, folder: str) -> str:
    if not folder.startswith("/"):
        return "no absolute path of a folder"
    volume = model_mount(endpoint)
    if volume and (folder == volume or folder.startswith(f"{volume}/")):
        return "inside the model volume, which outlives the pod and may be read-only"
    return "which must exist before vLLM starts; that something creates it is not confirmed"
