"""The add-ons that need nodes, the inference operator last, with the roles they run as."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.addon_values import laid_over
from hyperpod_dpd.blueprint.cloud import ExternalSecretsPlan
from hyperpod_dpd.blueprint.model import Blueprint
from infra.addon_values import operator_values
from infra.constructs.addons import Addons, AddonSettings
from infra.constructs.driver_roles import FsxDriverRole, S3DriverRole
from infra.constructs.job_roles import JobRoles
from infra.constructs.operator_roles import OperatorRoles
from infra.constructs.pod_role import PodRole
from infra.permissions.secrets import secret_reader_statements
from infra.stacks.environment_stack import EnvironmentStack
from infra.trust import Issuer


class AddonsStack(EnvironmentStack):
    """Comes after the HyperPod cluster: a Deployment without nodes keeps its add-on from ever being active."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        issuer: Issuer,
        cluster_arn: str,
        hyperpod_cluster_arn: str,
        vpc_id: str,
        node_security_group_id: str,
        models_key_arn: str | None,
        data_key_arn: str | None,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        cluster_name = blueprint.cluster.eks_name
        operator = OperatorRoles(
            self,
            "Operator",
            place=self.place,
            issuer=issuer,
            plan=blueprint.operator,
            given=blueprint.roles,
            cluster_name=cluster_name,
            vpc_id=vpc_id,
            node_security_group_id=node_security_group_id,
            tls_key_arns=blueprint.buckets.keys_of([blueprint.buckets.tls]),
        )
        if blueprint.operator.install == "helm":
            cdk.CfnOutput(self, names.OUTPUT_LOAD_BALANCER_ROLE_ARN, value=operator.load_balancer_role_arn)
            cdk.CfnOutput(self, names.OUTPUT_AUTOSCALER_ROLE_ARN, value=operator.autoscaler_role_arn)
        values = operator_values(
            execution_role_arn=operator.execution_role_arn,
            tls_bucket=blueprint.buckets.tls,
            hyperpod_cluster_arn=hyperpod_cluster_arn,
            load_balancer_role_arn=operator.load_balancer_role_arn,
            autoscaler_role_arn=operator.autoscaler_role_arn,
            gateway_role_arn=operator.gateway_role_arn,
        )
        s3_driver_arn = (
            blueprint.roles.s3_driver
            or S3DriverRole(
                self,
                "S3Driver",
                place=self.place,
                issuer=issuer,
                buckets=blueprint.buckets,
                key_arn=models_key_arn,
            ).arn
        )
        fsx_driver = FsxDriverRole(
            self,
            "FsxDriver",
            place=self.place,
            cluster_name=cluster_name,
            cluster_arn=cluster_arn,
            given=blueprint.roles.fsx_driver,
        )
        JobRoles(
            self,
            "Jobs",
            place=self.place,
            plan=blueprint.apps,
            cluster_name=cluster_name,
            cluster_arn=cluster_arn,
            key_arn=models_key_arn,
        )
        if blueprint.external_secrets is not None:
            self._external_secrets(
                blueprint.external_secrets,
                cluster_name=cluster_name,
                cluster_arn=cluster_arn,
                data_key_arn=data_key_arn,
            )
        plans = [addon for addon in blueprint.addons if addon.needs_nodes]
        given = {addon.name: addon.values for addon in plans}
        values = laid_over(values, given.get(names.OPERATOR_ADDON, {}))
        addons = Addons(
            self,
            "Addons",
            cluster_name=cluster_name,
            plans=plans,
            conflicts=blueprint.cluster.addon_conflicts,
            settings={
                names.S3_DRIVER_ADDON: AddonSettings(role_arn=s3_driver_arn),
                names.FSX_DRIVER_ADDON: AddonSettings(needs=fsx_driver),
                names.OPERATOR_ADDON: AddonSettings(values=self.to_json_string(values)),
            },
        )
        if blueprint.scheduling is not None:
            from infra.constructs.scheduler_policy import SchedulerPolicy

            SchedulerPolicy(
                self,
                "Scheduling",
                plan=blueprint.scheduling,
                hyperpod_cluster_arn=hyperpod_cluster_arn,
                needs=addons,
            )

    def _external_secrets(
        self, plan: ExternalSecretsPlan, *, cluster_name: str, cluster_arn: str, data_key_arn: str | None
    ) -> None:
        keys = [*plan.key_arns, *([data_key_arn] if plan.own_key and data_key_arn else [])]
        PodRole(
            self,
            "ExternalSecrets",
            place=self.place,
            cluster_name=cluster_name,
            cluster_arn=cluster_arn,
            namespace=plan.namespace,
            service_account=plan.service_account,
            policies=secret_reader_statements(self.place, secrets=plan.secrets, key_arns=keys),
        )
