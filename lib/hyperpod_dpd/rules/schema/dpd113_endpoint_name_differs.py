from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD113", "endpoint-name-differs", INFO, DISAGGREGATED),
    title="endpointName is not the object's name",
    what="Whether endpointName, where it is set, equals metadata.name.",
    why="""AWS's pages name the containers of a role once after the object and once after the endpoint. While
    both are equal, every documented kubectl command works as printed.""",
    fine="""Whenever you know which of the two names your commands need; containers are named after the
    object.""",
    fix="give endpointName the value of metadata.name",
    sources="SageMaker developer guide, DPD page and DPD troubleshooting page, names of containers",
    covers=("R10",),
    tags=("names",),
    before="spec: {endpointName: other}",
    after="spec: {endpointName: llama-70b}",
)
def check(endpoint: EndpointView) -> Matches:
    wanted = endpoint.get("endpointName")
    if isinstance(wanted, str) and wanted and endpoint.name and wanted != endpoint.name:
        yield Match(
            ("spec", "endpointName"),
            f"endpointName is '{wanted}' and the object '{endpoint.name}'; documented commands mix the two",
        )
