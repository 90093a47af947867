"""
What it checks
--------------
Every text of metadata and spec that names something: no blank, tab or line end before or after it, and no
character without a shape anywhere. Arguments, values of variables, annotations, tags and files are not looked
at.

Why it matters
--------------
A blank is part of the name. Images, Regions, paths and selectors with one mean something that does not exist,
and in a report or a diff nobody sees it.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD126",
    name="blank-around",
    severity=Severity.ERROR,
    title="A blank around a name, or a character in it that nobody sees",
    fix="remove the blank",
    sources=("Kubernetes and AWS compare names byte by byte",),
    applies_to=AppliesTo.MANIFEST,
    tags=("names",),
    example=Example(
        before="""
spec: {invocationEndpoint: "v1/chat/completions "}
""",
        after="""
spec: {invocationEndpoint: v1/chat/completions}
""",
    ),
)

_FREE = frozenset(
    {
        *("args", "command", "value", "annotations", "podTemplateAnnotations", "tags", "cacheConfigFile"),
        *("env", "managedFields", "query"),
    }
)
"""Keys below which a text is free."""


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for section in ("metadata", "spec"):
        yield from _walk(endpoint.manifest.get(section), (section,))


def _walk(value: object, path: Path) -> Iterator[Hit]:
    if isinstance(value, str):
        if value.strip() and value != value.strip():
            yield Hit(path, f"{value!r} has a blank before or after it")
        elif not value.isprintable():
            yield Hit(
                path,
                f"{value!a} holds a character that nobody sees",
                fix="write it anew, without the character",
            )
    elif isinstance(value, Mapping):
        for key, child in value.items():
            if key not in _FREE:
                yield from _walk(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _walk(child, (*path, index))
