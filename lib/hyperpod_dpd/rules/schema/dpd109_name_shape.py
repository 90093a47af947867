import re

from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule

_SERVICE = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_OBJECT = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_PLACEHOLDER = re.compile(r"\$|<|\{\{")


@rule(
    ("DPD109", "name-shape", ERROR, ENDPOINT),
    title="A name that Kubernetes or the router's Service cannot carry",
    what="""That metadata.name and metadata.namespace are names Kubernetes accepts, and that the name of an
    endpoint with a router can begin a Service's name: a letter first, no dots.""",
    why="""The operator derives a Deployment for each role, a router and a routing Service from the name. A
    Service's name begins with a letter; where the Service cannot be made, every request gets 503 while the
    pods look healthy.""",
    fine="""Never for a disaggregated endpoint. A colocated endpoint without routing may begin with a digit;
    it is only warned, since a Service of its name may be made too.""",
    fix="use a-z, 0-9 and '-' only, begin with a letter and end with a letter or digit",
    sources="""Kubernetes, object names and ids (RFC 1035 and RFC 1123) | SageMaker developer guide, DPD page,
    derived Service name""",
    covers=("R05",),
    tags=("names",),
    before="metadata: {name: 70b-llama}",
    after="metadata: {name: llama-70b}",
)
def check(endpoint: EndpointView) -> Matches:
    name = endpoint.name
    if name and not _PLACEHOLDER.search(name) and not _SERVICE.fullmatch(name):
        yield from _judge(endpoint, name)
    namespace = endpoint.namespace
    if not _LABEL.fullmatch(namespace) and not _PLACEHOLDER.search(namespace):
        yield Match(("metadata", "namespace"), f"'{namespace}' is not a name of a namespace")


def _judge(endpoint: EndpointView, name: str) -> Matches:
    path = ("metadata", "name")
    if not _OBJECT.fullmatch(name):
        yield Match(path, f"'{name}' is not a name of a Kubernetes object")
    elif endpoint.disaggregated or endpoint.get("intelligentRoutingSpec", "enabled") is True:
        yield Match(
            path, f"'{name}' cannot begin the routing Service's name, which needs a letter first and no dot"
        )
    else:
        yield Match(
            path, f"'{name}' cannot be a Service's name; whether one is made of it is not confirmed", WARNING
        )
