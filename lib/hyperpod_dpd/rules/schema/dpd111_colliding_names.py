from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ERROR, INPUTS, EndpointsView, Match, Matches, rule


@rule(
    ("DPD111", "colliding-names", ERROR, INPUTS),
    title="Two endpoints would share one router",
    what="""That no two endpoints lead to the same <name>-<namespace>, and that no file defines one endpoint
    twice.""",
    why="""Router and routing Service of all endpoints stand in the operator's one namespace, named
    <name>-<namespace>. Joined with a hyphen, a-b in c and a in b-c are the same: the two endpoints overwrite
    each other's router. Of an endpoint defined twice in one file, the later one wins without a word.""",
    fine="Where the two are for different clusters; check them in separate runs.",
    fix="rename one of the endpoints so that <name>-<namespace> differs",
    sources="""SageMaker developer guide, DPD page, names of router and Service | AWS machine learning blog on
    DPD, names of the pods""",
    covers=("R08",),
    tags=("names",),
    of="environment",
    before="""endpoints:
      llama:
        namespace: b-c
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}
      llama-b:
        namespace: c
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
    after="""endpoints:
      llama:
        namespace: b-c
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}
      llama-d:
        namespace: c
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
)
def check(inputs: EndpointsView) -> Matches:
    seen: dict[str, int] = {}
    for index, endpoint in enumerate(inputs.endpoints):
        if not endpoint.name:
            continue
        key = names.router_deployment(endpoint.name, endpoint.namespace)
        first = seen.setdefault(key, index)
        if first == index:
            continue
        other = inputs.endpoints[first]
        if (other.name, other.namespace) != (endpoint.name, endpoint.namespace):
            yield Match(
                (index, "metadata", "name"),
                f"'{endpoint.name}' in '{endpoint.namespace}' and '{other.name}' in '{other.namespace}' "
                f"both lead to the router '{key}'",
            )
        elif other.locate(()).file == endpoint.locate(()).file:
            line = other.locate(("metadata", "name")).line
            yield Match(
                (index, "metadata", "name"),
                f"'{endpoint.name}' in '{endpoint.namespace}' is defined in line {line} of this file already",
                fix="keep one of the two definitions",
            )
