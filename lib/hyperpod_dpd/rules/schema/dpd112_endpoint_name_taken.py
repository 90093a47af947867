from hyperpod_dpd.rules.rule import ERROR, INPUTS, WARNING, EndpointsView, EndpointView, Match, Matches, rule


@rule(
    ("DPD112", "endpoint-name-taken", ERROR, INPUTS),
    title="Two endpoints ask for one SageMaker endpoint name",
    what="""That no two endpoints of one run register the same endpointName. Between files it is a warning,
    since they may be for different accounts or Regions; the same endpoint rendered for two environments is
    not compared.""",
    why="""A SageMaker endpoint's name is unique in an account and Region. The second registration fails or
    takes the name over, and calls reach the other model.""",
    fine="Between files, for different accounts or Regions: there it is a warning.",
    fix="give each endpoint its own endpointName, or '' for none",
    sources="""InferenceEndpointConfig CRD, operator 3.2, endpointName | SageMaker API, endpoint names are
    unique in an account and Region""",
    covers=("R09",),
    tags=("names",),
    of="environment",
    before="""endpoints:
      llama-70b: {endpoint_name: llama}
      llama-two:
        endpoint_name: llama
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
    after="""endpoints:
      llama-70b: {endpoint_name: llama}
      llama-two:
        endpoint_name: llama-two
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
)
def check(inputs: EndpointsView) -> Matches:
    seen: dict[str, list[int]] = {}
    for index, endpoint in enumerate(inputs.endpoints):
        wanted = endpoint.get("endpointName")
        if isinstance(wanted, str) and wanted and "$" not in wanted:
            seen.setdefault(wanted.lower(), []).append(index)
    for indices in seen.values():
        first = inputs.endpoints[indices[0]]
        for index in indices[1:]:
            endpoint = inputs.endpoints[index]
            if _identity(endpoint) == _identity(first) or _regions_differ(endpoint, first):
                continue
            together = first.locate(()).file == endpoint.locate(()).file
            yield Match(
                (index, "spec", "endpointName"),
                f"'{endpoint.get('endpointName')}' is also the endpointName of '{first.name}' in '{first.namespace}'"
                + ("" if together else ", which matters if both are for one account and Region"),
                None if together else WARNING,
            )


def _identity(endpoint: EndpointView) -> tuple[str, str]:
    return endpoint.name, endpoint.namespace


def _regions_differ(one: EndpointView, other: EndpointView) -> bool:
    first = one.get("modelSourceConfig", "s3Storage", "region")
    second = other.get("modelSourceConfig", "s3Storage", "region")
    return first is not None and second is not None and first != second
