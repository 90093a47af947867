"""
What it checks
--------------
Files of a walked folder that were not judged: templates, patches of a kustomization, files of other tools, links to
folders (notes); files that cannot be read, and templates of an InferenceEndpointConfig (warnings).

Why it matters
--------------
A run that finds nothing says something about the files it read only. What it passed over, somebody has to know.

When this is fine
-----------------
Where other tools read the files, or what they render is judged in another step.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD009",
    name="skipped",
    severity=Severity.WARNING,
    title="A file of a folder was not judged",
    fix="judge what it renders, or name only the paths that hold environments and manifests",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
