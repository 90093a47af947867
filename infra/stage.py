"""One environment: its stacks, in the order in which each finds what it needs."""

from __future__ import annotations

from itertools import pairwise

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.stacks import stacks_of
from infra.stacks.addons import AddonsStack
from infra.stacks.control_plane import ControlPlaneStack, existing_cluster
from infra.stacks.environment_stack import EnvironmentStack
from infra.stacks.hyperpod import HyperPodStack
from infra.stacks.network import NetworkStack
from infra.stacks.observability import ObservabilityStack
from infra.stacks.storage import StorageStack
from infra.trust import Issuer


class EnvironmentStage(cdk.Stage):
    """The stage of one environment, deployed as ``cdk deploy '<environment>/*'``.

    A stack that would be empty is not made. Delivery comes before the nodes, so that what they need is there
    when they join.
    """

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint) -> None:
        super().__init__(scope, id, env=cdk.Environment(account=blueprint.account, region=blueprint.region))
        wanted = stacks_of(blueprint)
        network = NetworkStack(self, "network", blueprint=blueprint)
        storage = StorageStack(
            self,
            "storage",
            blueprint=blueprint,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
        )
        stacks: list[EnvironmentStack] = [network, storage]
        if "images" in wanted:
            from infra.stacks.images import ImagesStack

            images = ImagesStack(self, "images", blueprint=blueprint, data_key_arn=storage.data_key_arn)
            stacks.append(images)
        cluster_arn, issuer = self._control_plane(stacks, blueprint, network, storage)
        if blueprint.argo_capability is not None:
            from infra.stacks.delivery import DeliveryStack

            plan = blueprint.argo_capability
            stacks.append(DeliveryStack(self, "delivery", blueprint=blueprint, plan=plan))
        hyperpod = HyperPodStack(
            self,
            "hyperpod",
            blueprint=blueprint,
            cluster_arn=cluster_arn,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
            data_key_arn=storage.data_key_arn,
        )
        addons = AddonsStack(
            self,
            "addons",
            blueprint=blueprint,
            issuer=issuer,
            cluster_arn=cluster_arn,
            hyperpod_cluster_arn=hyperpod.cluster_arn,
            vpc_id=network.vpc_id,
            node_security_group_id=network.security_group_id,
            models_key_arn=storage.models_key_arn,
            data_key_arn=storage.data_key_arn,
        )
        stacks += [hyperpod, addons]
        if blueprint.observability is not None and "observability" in wanted:
            stacks.append(
                ObservabilityStack(
                    self,
                    "observability",
                    blueprint=blueprint,
                    plan=blueprint.observability,
                    cluster_arn=cluster_arn,
                    data_key_arn=storage.data_key_arn,
                )
            )
        for stack in (network, storage):  # what others read of an empty one is plain text
            if stack.node.id not in wanted:
                self.node.try_remove_child(stack.node.id)
                stacks.remove(stack)
        for earlier, later in pairwise(stacks):
            later.add_stack_dependency(earlier)
        for key, value in blueprint.tags.items():
            cdk.Tags.of(self).add(key, value)

    def _control_plane(
        self,
        stacks: list[EnvironmentStack],
        blueprint: Blueprint,
        network: NetworkStack,
        storage: StorageStack,
    ) -> tuple[str, Issuer]:
        """The EKS cluster's ARN and issuer; adds its stack where there is anything to deploy."""
        existing = blueprint.cluster.existing
        if existing is not None and "control-plane" not in stacks_of(blueprint):
            return existing_cluster(network.place, existing)
        control_plane = ControlPlaneStack(
            self,
            "control-plane",
            blueprint=blueprint,
            vpc_id=network.vpc_id,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
            secrets_key_arn=storage.secrets_key_arn,
        )
        stacks.append(control_plane)
        return control_plane.cluster_arn, control_plane.issuer
