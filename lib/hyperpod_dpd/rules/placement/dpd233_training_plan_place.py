from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD233", "training-plan-place", ERROR, ENVIRONMENT),
    title="A training plan belongs to another Region or account",
    what="That the ARN of every training plan has the environment's Region and account.",
    why="""A plan is capacity in one place. The cluster cannot use one from elsewhere, and the group is never
    filled.""",
    fine="Never. Whether the plan's zone is that of the group shows only in the account (`dpd preflight`).",
    fix="name a training plan of the environment's Region and account",
    sources="SageMaker developer guide, training plans for HyperPod clusters",
    covers=("I3-training-plan",),
    tags=("capacity",),
    before="""cluster:
      instance_groups:
        decode:
          capacity:
            kind: training-plan
            training_plan_arn: arn:aws:sagemaker:us-east-1:111122223333:training-plan/dpd""",
    after="""cluster:
      instance_groups:
        decode:
          capacity:
            kind: training-plan
            training_plan_arn: arn:aws:sagemaker:us-west-2:111122223333:training-plan/dpd""",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    for group in environment.blueprint.cluster.groups:
        if group.training_plan_arn is None:
            continue
        region, account = group.training_plan_arn.split(":")[3:5]
        wrong = [
            f"{what} {found} (the environment's is {own})"
            for what, found, own in (
                ("Region", region, document.region),
                ("account", account, document.account),
            )
            if found != own
        ]
        if wrong:
            yield Match(
                ("cluster", "instance_groups", group.name, "capacity", "training_plan_arn"),
                f"the training plan of group '{group.name}' is of {' and '.join(wrong)}",
            )
