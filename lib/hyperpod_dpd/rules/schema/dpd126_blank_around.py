from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Match, Matches, Path, rule

_FREE = frozenset(
    {
        *("args", "command", "value", "annotations", "podTemplateAnnotations", "tags", "cacheConfigFile"),
        *("env", "managedFields", "query"),
    }
)
"""Keys below which a text is free."""


@rule(
    ("DPD126", "blank-around", ERROR, MANIFEST),
    title="A blank around a name, or a character in it that nobody sees",
    what="""Every text of metadata and spec that names something: no blank, tab or line end before or after
    it, and no character without a shape anywhere. Arguments, values of variables, annotations, tags and files
    are not looked at.""",
    why="""A blank is part of the name. Images, Regions, paths and selectors with one mean something that does
    not exist, and in a report or a diff nobody sees it.""",
    fine="Never.",
    fix="remove the blank",
    sources="Kubernetes and AWS compare names byte by byte",
    tags=("names",),
    before='spec: {invocationEndpoint: "v1/chat/completions "}',
    after="spec: {invocationEndpoint: v1/chat/completions}",
)
def check(endpoint: EndpointView) -> Matches:
    for section in ("metadata", "spec"):
        yield from _walk(endpoint.manifest.get(section), (section,))


def _walk(value: object, path: Path) -> Matches:
    if isinstance(value, str):
        if value.strip() and value != value.strip():
            yield Match(path, f"{value!r} has a blank before or after it")
        elif not value.isprintable():
            yield Match(
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
