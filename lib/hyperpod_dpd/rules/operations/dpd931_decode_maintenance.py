from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD931", "decode-maintenance", WARNING, ENVIRONMENT),
    title="No plan for draining the decode node",
    what="""That a production environment with a disaggregated endpoint names its plan for draining the decode
    node.""",
    why="""All traffic ends at one decoder: while its pod moves and loads weights, which takes minutes,
    nothing is served. A disruption budget for one replica either blocks every drain or allows the outage; the
    operator makes none, and the endpoint's manifest has no field for it.""",
    fine="Where a second endpoint takes the traffic meanwhile; then that is the plan to name.",
    fix="write down how the decode node is drained, and name the place in operations.decode_maintenance_plan",
    sources="SageMaker developer guide, DPD page, known limits | derived: the decoder serves every request",
    covers=("R191",),
    tags=("operations", "availability"),
    before="production: true",
    after="""production: true
    operations: {decode_maintenance_plan: wiki/dpd/decode-maintenance}""",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    names = [p.name for p in environment.blueprint.endpoints if p.topology == "disaggregated"]
    if document.production and names and not document.operations.decode_maintenance_plan:
        yield Match(
            ("operations", "decode_maintenance_plan"),
            f"no plan says how the decode node of {', '.join(names)} is drained, and every request ends there",
        )
