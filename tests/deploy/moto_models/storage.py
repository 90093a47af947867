"""Buckets with all that the template says of them, policies, file systems, and the copying of lifecycle scripts."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from moto.cloudformation import custom_model
from moto.fsx.models import fsx_backends
from moto.kms.models import Key
from moto.s3.models import FakeBucket, s3_backends
from moto.utilities.utils import get_partition

from tests.deploy.moto_models.model import Made, Place, declare, hold_against_api, record

BOOTSTRAP_BUCKET = "cdk-hnb659fds-assets-"
_key_as_moto_makes_it = Key.create_from_cloudformation_json.__func__  # type: ignore[attr-defined]
_bucket_as_moto_makes_it = FakeBucket.create_from_cloudformation_json.__func__  # type: ignore[attr-defined]


def _bucket(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    """moto's CloudFormation sets encryption and tags; the rest is set here through the same backend."""
    bucket = _bucket_as_moto_makes_it(cls, resource_name, cloudformation_json, account_id, region_name, **kw)
    properties = cloudformation_json["Properties"]
    backend = s3_backends[account_id][get_partition(region_name)]
    if "VersioningConfiguration" in properties:
        backend.put_bucket_versioning(resource_name, properties["VersioningConfiguration"]["Status"])
    block = properties.get("PublicAccessBlockConfiguration")
    if block:
        backend.put_public_access_block(resource_name, {k: str(v).lower() for k, v in block.items()})
    rules = properties.get("OwnershipControls", {}).get("Rules")
    if rules:
        backend.put_bucket_ownership_controls(resource_name, rules[0]["ObjectOwnership"])
    target = properties.get("LoggingConfiguration")
    if target:
        bucket.logging = {
            "TargetBucket": target["DestinationBucketName"],
            "TargetPrefix": target.get("LogFilePrefix", ""),
        }
    return bucket


def _bucket_policy(place: Place, properties: dict[str, Any]) -> Made:
    """Real for our buckets. Not for the bootstrap bucket: moto would take its TLS rule at its word and refuse all."""
    name = properties["Bucket"]
    if not name.startswith(BOOTSTRAP_BUCKET):
        policy = json.dumps(properties["PolicyDocument"]).encode()
        s3_backends[place.account][get_partition(place.region)].put_bucket_policy(name, policy)
    return Made(name)


def _file_system(place: Place, properties: dict[str, Any]) -> Made:
    hold_against_api("fsx", "CreateFileSystem", properties)
    made = fsx_backends[place.account][place.region].create_file_system(
        client_request_token="",
        file_system_type=properties["FileSystemType"],
        storage_capacity=properties["StorageCapacity"],
        storage_type=properties["StorageType"],
        subnet_ids=properties["SubnetIds"],
        security_group_ids=properties["SecurityGroupIds"],
        tags=properties.get("Tags"),
        kms_key_id=properties.get("KmsKeyId"),
        windows_configuration=None,
        lustre_configuration=properties.get("LustreConfiguration"),
        ontap_configuration=None,
        file_system_type_version=properties.get("FileSystemTypeVersion"),
        open_zfs_configuration=None,
    )
    number = made.file_system_id
    dns = f"{number}.fsx.{place.region}.amazonaws.com"
    return Made(number, {"DNSName": dns, "LustreMountName": "abcdefgh", "ResourceARN": made.resource_arn})


def _repository(place: Place, properties: dict[str, Any]) -> Made:
    spelled = {
        "FileSystemId": properties["FileSystemId"],
        "FileSystemPath": properties["FileSystemPath"],
        "DataRepositoryPath": properties["DataRepositoryPath"],
        "BatchImportMetaDataOnCreate": properties.get("BatchImportMetaDataOnCreate", False),
        "S3": properties.get("S3", {}),
    }
    hold_against_api("fsx", "CreateDataRepositoryAssociation", spelled)
    if properties["FileSystemId"] not in fsx_backends[place.account][place.region].file_systems:
        raise ValueError(f"there is no file system {properties['FileSystemId']}")
    return Made(place.logical_id, {"AssociationId": place.logical_id})


def _copy_scripts(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    """What CDK's BucketDeployment function does on AWS: the asset's files into the bucket.

    moto would run the function's code in a container; this runs its effect.
    """
    properties = cloudformation_json["Properties"]
    backend = s3_backends[account_id][get_partition(region_name)]
    for bucket, key in zip(properties["SourceBucketNames"], properties["SourceObjectKeys"], strict=True):
        archive = backend.get_object(bucket, key)
        with zipfile.ZipFile(io.BytesIO(archive.value)) as files:
            for entry in files.namelist():
                key = f"{properties['DestinationBucketKeyPrefix']}/{entry}"
                backend.put_object(properties["DestinationBucketName"], key, files.read(entry))
    place = Place(account_id, region_name, kw.get("LogicalId", resource_name))
    record("create", "Custom::CDKBucketDeployment", place, properties)
    model = custom_model.CustomModel(
        region_name=region_name,
        request_id="",
        logical_id=place.logical_id,
        resource_name=resource_name,
    )
    model.set_data({})
    return model


def _key(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    """moto hands CloudFormation's tags to a backend that spells them as the KMS API does."""
    tags = cloudformation_json["Properties"].get("Tags", [])
    spelled = [{"TagKey": tag["Key"], "TagValue": tag["Value"]} for tag in tags]
    cloudformation_json["Properties"]["Tags"] = spelled
    return _key_as_moto_makes_it(cls, resource_name, cloudformation_json, account_id, region_name, **kw)


Key.create_from_cloudformation_json = classmethod(_key)  # type: ignore[assignment,method-assign]
FakeBucket.create_from_cloudformation_json = classmethod(_bucket)  # type: ignore[assignment,method-assign]
custom_model.CustomModel.create_from_cloudformation_json = classmethod(_copy_scripts)  # type: ignore[assignment,method-assign]

MODELS = (
    declare("AWS::S3::BucketPolicy", _bucket_policy),
    declare("AWS::FSx::FileSystem", _file_system),
    declare("AWS::FSx::DataRepositoryAssociation", _repository),
)
