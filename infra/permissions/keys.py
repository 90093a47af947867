"""What a role that uses a bucket may do with the key that encrypts it: only through S3."""

from __future__ import annotations

from collections.abc import Sequence

from infra.place import Place
from infra.policy import Conditions, Statement, allow


def through_s3(place: Place) -> Conditions:
    """The condition that a key is used by S3 on the role's behalf."""
    return {"StringEquals": {"kms:ViaService": f"s3.{place.region}.amazonaws.com"}}


def decrypt_through_s3(place: Place, key_arn: str | Sequence[str]) -> Statement:
    """Read what these keys encrypt."""
    return allow("kms:Decrypt", on=key_arn, when=through_s3(place))


def use_through_s3(place: Place, key_arn: str | Sequence[str]) -> Statement:
    """Read and write what these keys encrypt."""
    return allow("kms:GenerateDataKey", "kms:Decrypt", on=key_arn, when=through_s3(place))
