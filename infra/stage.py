"""One environment: its stacks, in the order in which each finds what it needs."""

from __future__ import annotations

from itertools import pairwise

import aws_cdk as cdk
from constructs import Construct

from infra.stacks.addons import AddonsStack
from infra.stacks.control_plane import ControlPlaneStack
from infra.stacks.hyperpod import HyperPodStack
from infra.stacks.network import NetworkStack
from infra.stacks.observability import ObservabilityStack
from infra.stacks.storage import StorageStack
from lib.blueprint.model import Blueprint


class EnvironmentStage(cdk.Stage):
    """The stage of one environment, deployed as ``cdk deploy '<environment>/*'``."""

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint) -> None:
        super().__init__(scope, id, env=cdk.Environment(account=blueprint.account, region=blueprint.region))
        network = NetworkStack(self, "network", blueprint=blueprint)
        storage = StorageStack(
            self,
            "storage",
            blueprint=blueprint,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
        )
        control_plane = ControlPlaneStack(
            self,
            "control-plane",
            blueprint=blueprint,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
            secrets_key_arn=storage.secrets_key_arn,
        )
        hyperpod = HyperPodStack(
            self,
            "hyperpod",
            blueprint=blueprint,
            cluster_arn=control_plane.cluster_arn,
            subnet_ids=network.subnet_ids,
            security_group_id=network.security_group_id,
            data_key_arn=storage.data_key_arn,
        )
        addons = AddonsStack(
            self,
            "addons",
            blueprint=blueprint,
            issuer=control_plane.issuer,
            cluster_arn=control_plane.cluster_arn,
            hyperpod_cluster_arn=hyperpod.cluster_arn,
            vpc_id=network.vpc_id,
            node_security_group_id=network.security_group_id,
            models_key_arn=storage.models_key_arn,
        )
        stacks: list[cdk.Stack] = [network, storage, control_plane, hyperpod, addons]
        if blueprint.observability is not None and blueprint.observability.enabled:
            stacks.append(
                ObservabilityStack(
                    self,
                    "observability",
                    blueprint=blueprint,
                    plan=blueprint.observability,
                    cluster_arn=control_plane.cluster_arn,
                )
            )
        for earlier, later in pairwise(stacks):
            later.add_stack_dependency(earlier)
        for key, value in blueprint.tags.items():
            cdk.Tags.of(self).add(key, value)
