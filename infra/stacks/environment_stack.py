"""What every stack of an environment has in common."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.names import stack
from infra.place import Place


class EnvironmentStack(cdk.Stack):
    """A stack named after its environment, which nobody deletes by mistake once production is deployed and locked."""

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint) -> None:
        super().__init__(
            scope,
            id,
            stack_name=stack(blueprint.name, id),
            termination_protection=blueprint.protected,
        )
        self.place = Place(partition=blueprint.partition, region=blueprint.region, account=blueprint.account)
