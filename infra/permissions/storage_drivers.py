"""What the CSI drivers may do: read models, find the file system. Neither may write."""

from __future__ import annotations

from collections.abc import Sequence

from infra.permissions.keys import decrypt_through_s3
from infra.place import Place
from infra.policy import Statement, allow


def s3_driver_statements(
    place: Place,
    *,
    model_bucket: str,
    key_arn: str | None,
    further: Sequence[str] = (),
    further_key_arns: Sequence[str] = (),
) -> dict[str, list[Statement]]:
    """List and read the model bucket and those that endpoints name besides, and decrypt what is in them."""
    statements = [
        allow("s3:ListBucket", on=place.bucket_arn(model_bucket)),
        allow("s3:GetObject", on=place.bucket_arn(f"{model_bucket}/*")),
    ]
    if key_arn is not None:
        statements.append(decrypt_through_s3(place, key_arn))
    policies = {"ReadModels": statements}
    if further:
        more = [
            allow("s3:ListBucket", on=[place.bucket_arn(bucket) for bucket in further]),
            allow("s3:GetObject", on=[place.bucket_arn(f"{bucket}/*") for bucket in further]),
        ]
        if further_key_arns:
            more.append(decrypt_through_s3(place, further_key_arns))
        policies["ReadWeights"] = more
    return policies


def fsx_driver_statements(place: Place) -> dict[str, list[Statement]]:
    """Find file systems; volumes are static, so the driver neither makes nor deletes any."""
    return {"FindFileSystems": [allow("fsx:DescribeFileSystems", on=place.arn("fsx", "file-system/*"))]}
