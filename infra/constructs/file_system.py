"""FSx for Lustre beside the accelerators, filled from the model bucket on first read."""

from __future__ import annotations

from aws_cdk import CfnTag, RemovalPolicy
from aws_cdk import aws_fsx as fsx
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.names import FILE_SYSTEM_PART, file_system_path, network_resource
from hyperpod_dpd.blueprint.stores import FileSystemPlan


class FileSystem(Construct):
    """A PERSISTENT_2 file system linked to a prefix of the model bucket (``needs`` is its construct), import only.

    Automatic backups are off: FSx takes none of a file system that is linked to a bucket, and the bucket
    holds the originals.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        plan: FileSystemPlan,
        subnet_id: str,
        security_group_id: str,
        model_bucket: str,
        needs: IDependable | None,
        key_arn: str | None,
        retain: bool,
    ) -> None:
        super().__init__(scope, id)
        system = fsx.CfnFileSystem(
            self,
            "Resource",
            file_system_type="LUSTRE",
            file_system_type_version=plan.lustre_version,
            storage_type="SSD",
            storage_capacity=plan.capacity_gib,
            subnet_ids=[subnet_id],
            security_group_ids=[security_group_id],
            kms_key_id=key_arn,
            lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(
                deployment_type="PERSISTENT_2",
                per_unit_storage_throughput=plan.throughput_mbps_per_tib,
                automatic_backup_retention_days=0,
                data_compression_type="LZ4" if plan.compression == "lz4" else None,
            ),
            tags=[CfnTag(key="Name", value=network_resource(environment, FILE_SYSTEM_PART))],
        )
        system.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        link = fsx.CfnDataRepositoryAssociation(
            self,
            "Models",
            file_system_id=system.ref,
            file_system_path=file_system_path(plan.data_prefix),
            data_repository_path=f"s3://{model_bucket}/{plan.data_prefix.strip('/')}/",
            batch_import_meta_data_on_create=True,
            s3=fsx.CfnDataRepositoryAssociation.S3Property(
                auto_import_policy=fsx.CfnDataRepositoryAssociation.AutoImportPolicyProperty(
                    events=["NEW", "CHANGED", "DELETED"]
                )
            ),
        )
        if needs is not None:
            link.node.add_dependency(needs)
        self.file_system_id = system.ref
        self.dns_name = system.attr_dns_name
        self.mount_name = system.attr_lustre_mount_name
