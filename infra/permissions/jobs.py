"""What our own Jobs may do: write below one prefix of the model bucket, nothing else."""

from __future__ import annotations

from infra.permissions.keys import use_through_s3
from infra.place import Place
from infra.policy import Statement, allow, literal


def prefix_writer_statements(
    place: Place, *, bucket: str, prefix: str, key_arn: str | None
) -> dict[str, list[Statement]]:
    """Put and read back objects below ``prefix``, list only there; no deletion, no other prefix."""
    own = literal(prefix.strip("/"))
    below = f"{own}/*"
    statements = [
        allow(
            "s3:PutObject",
            "s3:GetObject",
            "s3:AbortMultipartUpload",
            "s3:ListMultipartUploadParts",
            on=place.bucket_arn(f"{bucket}/{below}"),
        ),
        allow(
            "s3:ListBucket",
            on=place.bucket_arn(bucket),
            when={"StringLike": {"s3:prefix": [below, own]}},
        ),
    ]
    if key_arn is not None:
        statements.append(use_through_s3(place, key_arn))
    return {"WriteOnePrefix": statements}
