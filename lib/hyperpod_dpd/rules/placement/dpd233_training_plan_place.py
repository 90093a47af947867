"""
What it checks
--------------
That the ARN of every training plan has the environment's Region and account.

Why it matters
--------------
A plan is capacity in one place. The cluster cannot use one from elsewhere, and the group is never filled.

When this is fine
-----------------
Never. Whether the plan's zone is that of the group shows only in the account (`dpd preflight`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD233",
    name="training-plan-place",
    severity=Severity.ERROR,
    title="A training plan belongs to another Region or account",
    fix="name a training plan of the environment's Region and account",
    sources=("SageMaker developer guide, training plans for HyperPod clusters",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("I3-training-plan",),
    tags=("capacity",),
    example=Example(
        of="environment",
        before="""
cluster:
  instance_groups:
    decode:
      capacity:
        kind: training-plan
        training_plan_arn: arn:aws:sagemaker:us-east-1:111122223333:training-plan/dpd
""",
        after="""
cluster:
  instance_groups:
    decode:
      capacity:
        kind: training-plan
        training_plan_arn: arn:aws:sagemaker:us-west-2:111122223333:training-plan/dpd
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
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
            yield Hit(
                ("cluster", "instance_groups", group.name, "capacity", "training_plan_arn"),
                f"the training plan of group '{group.name}' is of {' and '.join(wrong)}",
            )
