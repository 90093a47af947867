"""
What it checks
--------------
That a production environment has decided on keys of its own before the cluster exists.

Why it matters
--------------
In CloudFormation the key that encrypts Kubernetes Secrets can be chosen only when the cluster is made. A later
decision means another cluster.

When this is fine
-----------------
Where keys owned by AWS are enough, which is a decision to write down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD242",
    name="secrets-key",
    severity=Severity.INFO,
    title="A production cluster starts without a key of its own",
    fix="set storage.own_kms_keys to true before the first deployment",
    sources=("CloudFormation schema of AWS::EKS::Cluster: EncryptionConfig can be set at creation only",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.4c",),
    tags=(
        "security",
        "production",
    ),
    example=Example(
        of="environment",
        before="production: true",
        after="""
production: true
storage: {own_kms_keys: true}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    if environment.document.production and not environment.document.storage.own_kms_keys:
        yield Hit(
            ("storage", "own_kms_keys"),
            "buckets, volumes and Secrets are encrypted with keys owned by AWS, and for Secrets that cannot be "
            "changed later",
        )
