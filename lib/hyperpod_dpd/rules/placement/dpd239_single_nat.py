from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD239", "single-nat", WARNING, ENVIRONMENT),
    title="A production environment leaves by one NAT gateway",
    what="That a production environment that has NAT gateways has one in each zone.",
    why="""A NAT gateway lives in one zone. When that zone is out, nodes in the others can pull no image and
    reach no registry, so the endpoint in a healthy zone cannot be scaled or restarted either.""",
    fine="Where images are mirrored and weights come through the S3 gateway endpoint.",
    fix="set network.nat to per-zone",
    sources="Amazon VPC user guide, NAT gateways: one for each availability zone",
    covers=("HI-1.1d",),
    tags=("network", "production"),
    before="production: true",
    after="""production: true
    network: {nat: per-zone}""",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.document.network
    if environment.document.production and environment.blueprint.network.nat == "single":
        zone = network.control_plane_zones[0]
        yield Match(("network", "nat"), f"all nodes leave by one NAT gateway in {zone}")
