from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule

_PATH: Path = ("network", "existing")


@rule(
    ("DPD232", "existing-subnets", ERROR, ENVIRONMENT),
    title="The subnets of an existing VPC do not give what the cluster needs",
    what="""That in an existing VPC no subnet stands for two zones, and that its private route tables are
    named, so that they get the S3 gateway endpoint.""",
    why="""A subnet is in one zone. With one subnet for two zone ids EKS gets a single zone and refuses, after
    hours in the worst case; accelerators end up in another zone than their groups say. Without the gateway
    endpoint image layers and weights go through NAT, or nowhere in a closed network.""",
    fine="The warning about route tables is fine where the VPC has an S3 gateway endpoint already.",
    fix="name a subnet of its own for each zone, and the private route tables",
    sources="""EKS user guide, subnet requirements: two availability zones | aws-cdk issue 16862: hours until
    a one-zone VPC fails | SageMaker developer guide, HyperPod EKS prerequisites: S3 gateway endpoint""",
    covers=("D-01", "HI-1.2b"),
    tags=("network",),
    before="""network:
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60711}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        private_route_table_ids: [rtb-0a1b2c3d4e5f60714]""",
    after="""network:
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        private_route_table_ids: [rtb-0a1b2c3d4e5f60714]""",
)
def check(environment: EnvironmentView) -> Matches:
    existing = environment.document.network.existing
    if existing is None:
        return
    zones: dict[str, str] = {}
    for key, subnets in (
        ("control_plane_subnets", existing.control_plane_subnets),
        ("accelerator_subnets", existing.accelerator_subnets),
    ):
        for zone, subnet in subnets.items():
            other = zones.setdefault(subnet, zone)
            if other != zone:
                yield Match(
                    (*_PATH, key, zone),
                    f"{subnet} is named for {zone} and for {other}; it is in one zone only",
                )
    if not existing.private_route_table_ids:
        closed = environment.document.network.closed
        way = "nothing reaches S3" if closed else "S3 is reached through NAT"
        yield Match(
            _PATH,
            f"no private route tables are named, so no S3 gateway endpoint is made and {way}, unless the VPC has one",
            WARNING,
            fix="name the route tables of the private subnets in private_route_table_ids",
        )
