from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD234", "spot-decode", WARNING, ENVIRONMENT),
    title="The decoder runs on Spot capacity",
    what="That no instance group which a decoder selects is bought as Spot.",
    why="""Both paths end at the decoder, and there is one. When its node is reclaimed, all requests in flight
    fail and nothing is served until another node has loaded the weights, in five to ten minutes.""",
    fine="For load tests and other work that may stop at any time.",
    fix="buy the decoder's nodes on demand or through a training plan",
    sources="""SageMaker developer guide, HyperPod Spot instances: reclaimed at short notice | SageMaker
    developer guide, DPD page: every request ends at the decoder""",
    covers=("I3-spot",),
    tags=("capacity",),
    before="cluster: {instance_groups: {decode: {capacity: spot}}}",
    after="cluster: {instance_groups: {prefill: {capacity: spot}}}",
)
def check(environment: EnvironmentView) -> Matches:
    users: dict[str, list[str]] = {}
    for endpoint in environment.blueprint.endpoints:
        role = endpoint.role("decode")
        if role is not None:
            users.setdefault(role.group, []).append(endpoint.name)
    for group in environment.blueprint.cluster.groups:
        if group.capacity == "spot" and group.name in users:
            yield Match(
                ("cluster", "instance_groups", group.name, "capacity"),
                f"group '{group.name}' is Spot capacity and runs the decoder of {', '.join(users[group.name])}: when "
                "it is reclaimed, all traffic stops",
            )
