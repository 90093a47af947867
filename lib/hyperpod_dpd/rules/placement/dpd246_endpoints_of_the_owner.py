from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD246", "endpoints-of-the-owner", INFO, ENVIRONMENT),
    title="The owner of a closed VPC has to have made interface endpoints",
    what="Which interface endpoints a closed network needs that the document leaves to the owner of the VPC.",
    why="""A service without one is not reached at all: nodes do not join, images are not pulled, secrets stay
    empty, and each of them shows as a timeout somewhere else. What is needed follows from the features that
    are switched on, so the list grows with them while the owner's VPC does not.""",
    fine="""Where the VPC has them; `dpd preflight` looks. Listing them by name in
    network.existing.interface_endpoints, in place of true, has the missing ones made here.""",
    fix="compare the list with the VPC: `dpd preflight` does, or name those it has in interface_endpoints",
    sources="""HyperPod EKS Terraform modules of awsome-distributed-ai, closed network | EKS user guide,
    private cluster requirements""",
    covers=("HI-1.2",),
    tags=("network",),
    before="""network:
      closed: true
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        interface_endpoints: true""",
    after="""network:
      closed: true
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        interface_endpoints: [ec2, ecr.api, ecr.dkr]""",
)
def check(environment: EnvironmentView) -> Matches:
    existing = environment.document.network.existing
    services = environment.blueprint.network.their_endpoints
    if existing is not None and existing.interface_endpoints is True and services:
        yield Match(
            ("network", "existing", "interface_endpoints"),
            f"the VPC must have, with private DNS names: {', '.join(services)}",
        )
