"""
What it checks
--------------
Every endpoint against the resource definition given with `--crd`, as a strict API server with that definition would,
and with unknown fields closed. A fault that the rules above report already is not said again.

Why it matters
--------------
The cluster's own definition decides. It may be older than the manifest, or newer than this catalogue: what it lacks is
dropped without a word, and what it forbids is refused when the manifest is applied.

When this is fine
-----------------
Never for the cluster whose definition it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD141",
    name="crd-refuses",
    severity=Severity.ERROR,
    title="The cluster's own resource definition refuses the manifest",
    fix="change the manifest as the definition says, or upgrade the operator's definition first",
    sources=("the CustomResourceDefinition given with --crd",),
    applies_to=AppliesTo.MANIFEST,
    tags=("schema", "crd"),
    example=Example(
        before="spec: {loadBalancer: {idleTimeoutSeconds: 600}}",
        after="spec: {loadBalancer: {idleTimeoutSeconds: null}}",
        of="crd",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    crd = endpoint.context.crd
    if crd is None:
        return
    known = {(problem.kind, problem.path) for problem in endpoint.schema_problems}
    for problem in crd.refusals(endpoint.raw):
        if (problem.kind, problem.path) not in known:
            yield Hit(problem.path, f"refused by the given CRD: {problem.message}", fix=problem.fix)
