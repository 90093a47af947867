"""Keys, buckets and the file system: what outlives a cluster."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.names import (
    OUTPUT_FILE_SYSTEM_DNS_NAME,
    OUTPUT_FILE_SYSTEM_ID,
    OUTPUT_FILE_SYSTEM_MOUNT_NAME,
    lifecycle_prefix,
)
from hyperpod_dpd.blueprint.stores import BucketPlan, FileSystemPlan
from infra.constructs.kms_keys import KmsKeys
from infra.constructs.private_bucket import PrivateBucket
from infra.stacks.environment_stack import EnvironmentStack


class StorageStack(EnvironmentStack):
    """The key ARNs are None where the environment leaves encryption to AWS's own keys."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        self._retain = blueprint.buckets.retain
        self.data_key_arn: str | None = None
        self.secrets_key_arn: str | None = None
        if blueprint.own_kms_keys:
            keys = KmsKeys(self, "Keys", place=self.place, environment=blueprint.name, retain=self._retain)
            self.data_key_arn, self.secrets_key_arn = keys.data_key_arn, keys.secrets_key_arn
        names = blueprint.buckets
        self._log_bucket: PrivateBucket | None = None
        self._log_bucket = self._bucket("AccessLogs", names.access_logs, names, key_arn=None)
        # FSx reads a linked bucket as a role that exists only after the link, so a key policy cannot name
        # it in the same deployment: such a bucket is encrypted with S3's own keys.
        ours = names.models not in names.existing
        own_key = None if blueprint.file_system else self.data_key_arn
        self.models_key_arn = own_key if ours else names.key_arns.get(names.models)
        models = self._bucket("Models", names.models, names, key_arn=self.models_key_arn)
        self._bucket("Tls", names.tls, names, key_arn=self.data_key_arn)
        lifecycle = self._bucket("Lifecycle", names.lifecycle, names, key_arn=self.data_key_arn)
        if blueprint.cluster.lifecycle_scripts is not None:
            from infra.constructs.lifecycle_scripts import LifecycleScripts

            LifecycleScripts(
                self,
                "LifecycleScripts",
                folder=blueprint.cluster.lifecycle_scripts,
                bucket=names.lifecycle,
                prefix=lifecycle_prefix(blueprint.name),
                needs=lifecycle,
                key_arn=self.data_key_arn if lifecycle else names.key_arns.get(names.lifecycle),
            )
        if blueprint.file_system is not None:
            self._file_system(
                blueprint.file_system,
                environment=blueprint.name,
                subnet_id=subnet_ids[blueprint.file_system.subnet],
                security_group_id=security_group_id,
                models=names.models,
                needs=models,
            )

    def _bucket(self, id: str, name: str, plan: BucketPlan, *, key_arn: str | None) -> PrivateBucket | None:
        """The bucket, or None where it is somebody else's."""
        if name in plan.existing:
            return None
        takes_logs = name == plan.access_logs
        return PrivateBucket(
            self,
            id,
            place=self.place,
            name=name,
            key_arn=key_arn,
            log_to=None if takes_logs else plan.access_logs,
            needs=None if takes_logs else self._log_bucket,
            retain=self._retain,
        )

    def _file_system(
        self,
        plan: FileSystemPlan,
        *,
        environment: str,
        subnet_id: str,
        security_group_id: str,
        models: str,
        needs: PrivateBucket | None,
    ) -> None:
        from infra.constructs.file_system import FileSystem

        system = FileSystem(
            self,
            "FileSystem",
            environment=environment,
            plan=plan,
            subnet_id=subnet_id,
            security_group_id=security_group_id,
            model_bucket=models,
            needs=needs,
            key_arn=self.data_key_arn,
            retain=self._retain,
        )
        cdk.CfnOutput(self, OUTPUT_FILE_SYSTEM_ID, value=system.file_system_id)
        cdk.CfnOutput(self, OUTPUT_FILE_SYSTEM_DNS_NAME, value=system.dns_name)
        cdk.CfnOutput(self, OUTPUT_FILE_SYSTEM_MOUNT_NAME, value=system.mount_name)
