from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD271", "endpoint-left-out", WARNING, ENVIRONMENT),
    title="A closed network leaves out an endpoint of a service that it calls",
    what="""That no service which a closed network needs is marked leave-out in
    network.existing.interface_endpoints.""",
    why="""Without an endpoint and without a way out a call to the service ends in a timeout: nodes do not join,
    images are not pulled, secrets stay empty.""",
    fine="Where the VPC's owner gives the service another way, such as a central VPC with shared private DNS.",
    fix="write use where the VPC has the endpoint, or create; or say in acknowledge how the service is reached",
    sources="""EKS user guide, private cluster requirements | HyperPod EKS Terraform modules of
    awsome-distributed-ai, closed network""",
    covers=("HI-1.2",),
    tags=("network",),
    before="""network:
      closed: true
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        interface_endpoints: {ec2: use, sts: leave-out}""",
    after="""network:
      closed: true
      existing:
        vpc_id: vpc-0a1b2c3d4e5f60718
        control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
        accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
        cidrs: [10.0.0.0/16]
        interface_endpoints: {ec2: use, sts: create}""",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.blueprint.network
    for service in network.left_out_endpoints if network.closed else ():
        yield Match(
            ("network", "existing", "interface_endpoints", service),
            f"{service} is called from this network, has no endpoint and is reached in no way that is known here",
        )
