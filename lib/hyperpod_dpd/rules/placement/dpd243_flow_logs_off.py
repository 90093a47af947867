from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD243", "flow-logs-off", INFO, ENVIRONMENT),
    title="The network keeps no flow logs",
    what="That flow logs of the VPC are on; in production their absence is a warning.",
    why="""When transfers fall back to TCP, or a closed network turns out not to be closed, the flow logs are
    the only record of what went where.""",
    fine="Where the owner of an existing VPC keeps them.",
    fix="set network.flow_logs to true",
    sources="AWS Security Hub control EC2.6",
    covers=("HI-1.1f",),
    tags=("network", "production"),
    before="network: {flow_logs: false}",
    after="network: {flow_logs: true}",
)
def check(environment: EnvironmentView) -> Matches:
    if not environment.document.network.flow_logs:
        yield Match(
            ("network", "flow_logs"),
            "flow logs are switched off",
            WARNING if environment.document.production else None,
        )
