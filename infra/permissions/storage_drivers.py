"""What the CSI drivers may do: read models, find the file system. Neither may write."""

from __future__ import annotations

from infra.place import Place
from infra.policy import Statement, allow


def s3_driver_statements(
    place: Place, *, model_bucket: str, key_arn: str | None
) -> dict[str, list[Statement]]:
    """List and read one bucket, and decrypt what is in it where it has a key of ours."""
    statements = [
        allow("s3:ListBucket", on=place.bucket_arn(model_bucket)),
        allow("s3:GetObject", on=place.bucket_arn(f"{model_bucket}/*")),
    ]
    if key_arn is not None:
        through_s3 = {"StringEquals": {"kms:ViaService": f"s3.{place.region}.amazonaws.com"}}
        statements.append(allow("kms:Decrypt", on=key_arn, when=through_s3))
    return {"ReadModels": statements}


def fsx_driver_statements(place: Place) -> dict[str, list[Statement]]:
    """Find file systems; volumes are static, so the driver neither makes nor deletes any."""
    return {"FindFileSystems": [allow("fsx:DescribeFileSystems", on=place.arn("fsx", "file-system/*"))]}
