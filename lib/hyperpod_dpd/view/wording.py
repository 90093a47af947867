"""Fixes in the keys of the environment document: rules speak of the manifest, and the user wrote another text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hyperpod_dpd.catalog import manifest_fields

_ARGUMENTS = re.compile(r"\.arguments(\.|$)")


def in_keys_of_environment(fix: str, path: str) -> str:
    """``fix`` for a finding at ``path`` of an environment. Flags that the user wrote as flags stay flags."""
    words = _pattern(flags=not _ARGUMENTS.search(path))
    return words.sub(lambda found: _words().get(found[1]) or _flags()[found[1]], fix)


def document_keys() -> frozenset[str]:
    """Every key of the document that a fix may be given."""
    return frozenset({*_words().values(), *_flags().values()})


@cache
def _pattern(*, flags: bool) -> re.Pattern[str]:
    known = sorted([*_words(), *(_flags() if flags else ())], key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:spec\.)?({'|'.join(map(re.escape, known))})(?![\w-])")


@cache
def _flags() -> dict[str, str]:
    """Flags that have a key of their own; any other stands below ``arguments``."""
    return {f"--{flag}": ".".join(key) for flag, key in manifest_fields.arguments().items()}


@cache
def _words() -> dict[str, str]:
    """What a fix says of the manifest, and how the endpoint's section of the document spells it.

    A name that stands for several keys (``minReplicaCount`` of either role) becomes what their ends share.
    """
    found: dict[str, set[str]] = {}
    for path, key in _spellings():
        steps = path.split(".")
        for start in range(len(steps)):
            word = ".".join(steps[start:])
            if start < len(steps) - 1 or not word.islower():
                found.setdefault(word, set()).add(key)
    words = {word: _shared_end(keys) for word, keys in found.items()}
    given: dict[str, str] = {}
    for at, field in manifest_fields.walk():
        if isinstance(field.words, str):
            given |= {at[-1]: field.words, ".".join(at[-2:]): field.words}
        else:
            given |= field.words or {}
    variables = {name: ".".join(key) for name, key in manifest_fields.variables().items()}
    return words | given | variables


def _spellings() -> Iterator[tuple[str, str]]:
    """Path below spec and dotted key of each field that has a key of its own and no words."""
    for path, key, field in manifest_fields.keyed():
        if field.words is None and field.key not in (None, "."):
            yield ".".join(path).removeprefix("spec."), ".".join(key)


def _shared_end(keys: set[str]) -> str:
    first, *others = (key.split(".")[::-1] for key in keys)
    shared = []
    for steps in zip(first, *others, strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return ".".join(shared[::-1])
