"""
What it checks
--------------
That at least one IAM role is given administrator rights through an access entry; in production the lack of it
is a warning.

Why it matters
--------------
The cluster accepts access entries only, and its creator gets none. Without a role nobody can look at a pod or
its log on the day something is slow.

When this is fine
-----------------
Where access entries are made elsewhere, or GitOps alone touches the cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD237",
    name="nobody-administers",
    severity=Severity.INFO,
    title="No role may administer the cluster",
    fix="list the roles of the platform team in cluster.admin_role_arns",
    sources=(
        "EKS user guide, access entries",
        "This project's control-plane stack: the creator of the cluster gets no rights",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.5c",),
    tags=(
        "security",
        "production",
    ),
    example=Example(
        of="environment",
        before="production: true",
        after="""
production: true
cluster: {admin_role_arns: ['arn:aws:iam::111122223333:role/platform-admin']}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    document = environment.document
    if not document.cluster.admin_role_arns:
        yield Hit(
            ("cluster",),
            "no role is listed in admin_role_arns, so nobody has rights on the Kubernetes API",
            Severity.WARNING if document.production else None,
        )
