"""What the External Secrets controller may do: read the secrets of one environment."""

from __future__ import annotations

from collections.abc import Sequence

from infra.place import Place
from infra.policy import Statement, allow

_SUFFIX = "-??????"
"""Secrets Manager ends every ARN with six characters of its own."""


def secret_arn(place: Place, name: str) -> str:
    """ARN, or the pattern of the one ARN that a name in this account and Region can have."""
    return name if name.startswith("arn:") else place.arn("secretsmanager", f"secret:{name}{_SUFFIX}")


def secret_reader_statements(
    place: Place, *, secrets: Sequence[str], key_arns: Sequence[str]
) -> dict[str, list[Statement]]:
    """Read each of ``secrets`` (names or ARNs), and decrypt them, and nothing else, with the keys that are given."""
    arns = [secret_arn(place, name) for name in secrets]
    statements = [allow("secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue", on=arns)]
    if key_arns:
        statements.append(
            allow(
                "kms:Decrypt",
                on=list(key_arns),
                when={
                    "StringEquals": {"kms:ViaService": f"secretsmanager.{place.region}.amazonaws.com"},
                    "StringLike": {"kms:EncryptionContext:SecretARN": arns},
                },
            )
        )
    return {"ReadSecrets": statements}
