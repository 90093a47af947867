"""
What it checks
--------------
That no range in cluster.api_access.public_cidrs covers all addresses (an error), or a large part of them (a warning).

Why it matters
--------------
Whoever reaches the API can try credentials and exploit the next flaw of the server; the cluster behind it holds
rights on buckets, certificates and GPU nodes.

When this is fine
-----------------
For minutes, during the first set-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD236",
    name="open-api",
    severity=Severity.ERROR,
    waivable=True,
    title="The Kubernetes API is open to the world",
    fix=(
        "list the ranges of your own networks in cluster.api_access.public_cidrs, or remove them: the API is "
        "private then"
    ),
    sources=(
        "EKS user guide, cluster API server endpoint access",
        "AWS Security Hub control EKS.1",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.5b",),
    tags=("security",),
    example=Example(
        of="environment",
        before="cluster: {api_access: {public_cidrs: [0.0.0.0/0]}}",
        after="cluster: {api_access: {public_cidrs: [203.0.113.0/24]}}",
    ),
)

_WIDEST_PREFIX = 8  # one network of the old class A: no single organisation's office is larger


def check(environment: EnvironmentView) -> Iterator[Hit]:
    for index, cidr in enumerate(environment.document.cluster.api_access.public_cidrs):
        network = ip_network(cidr, strict=False)
        if network.prefixlen < _WIDEST_PREFIX:
            everybody = not network.prefixlen
            reach = "everybody" if everybody else f"{network.num_addresses:,} addresses"
            path = ("cluster", "api_access", "public_cidrs", index)
            yield Hit(
                path, f"{cidr} opens the Kubernetes API to {reach}", None if everybody else Severity.WARNING
            )
