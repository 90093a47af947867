"""
What it checks
--------------
That PYTHONHASHSEED is set, as text, to "0" for both roles, which share their environment variables.

Why it matters
--------------
LMCache keys KV pages by Python's hash of the tokens, and Python seeds that hash at random for each process. Without
one seed on both sides no key matches: the decoder finds nothing, computes every prompt again, and no request fails.
The log line that AWS says to look for ("Retrieved 0 out of") is not even written in that case.

When this is fine
-----------------
Any equal number would work for LMCache; AWS asks for "0" on disaggregated endpoints, and so do we. Colocated
endpoints are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD401",
    name="hash-seed",
    severity=Severity.ERROR,
    title='PYTHONHASHSEED is missing or not "0"',
    fix='set the environment variable PYTHONHASHSEED to "0", in quotes',
    sources=(
        "SageMaker developer guide, DPD page, environment variables",
        "LMCache 0.4.3, token database",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R60",
        "R61",
        "B-07",
    ),
    tags=("kv-transfer", "silent"),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "42"}]}}',
        after='spec: {worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "0"}]}}',
    ),
)

NAME = "PYTHONHASHSEED"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    wanted = engine_defaults.documented().python_hash_seed
    variable = endpoint.environment.get(NAME)
    if variable is None:
        yield Hit(endpoint.where_variable(NAME), f"{NAME} is not set: each process seeds its hash at random")
    elif variable.value is None:
        yield Hit(
            variable.value_path, f"{NAME} comes from a {variable.source}, so its value cannot be judged"
        )
    elif variable.value != wanted:
        yield Hit(variable.value_path, f"{NAME} is '{variable.value}', AWS requires '{wanted}'")
