"""The flags of ``vllm serve`` as its own parser has them, by release; the newest that was read is the vocabulary.

A flag that is not listed is read by its shape, so that newer releases keep working.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hyperpod_dpd.catalog.data_files import document

_DATA: Mapping[str, Any] = document("vllm_flags")
RELEASE: str = list(_DATA["releases"])[-1]
"""The release of vLLM whose parser this is."""

_ROWS: Mapping[str, Any] = _DATA["releases"][RELEASE]


def _flags(key: str) -> frozenset[str]:
    return frozenset(f"--{word}" for word in _ROWS[key].split())


def _others(takes: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name, row in _ROWS["other_releases"].items() if row["takes"] == takes)


ALIASES: Mapping[str, str] = {f"-{short}": f"--{long}" for short, long in _ROWS["short"].items()}
"""Short name to long name."""

OTHER_RELEASES: Mapping[str, str] = {
    f"--{name}": row.get("instead", "") for name, row in _ROWS["other_releases"].items()
}
"""Flags of other releases that manifests carry, with what takes their place."""

SWITCHES = _flags("switches")
"""Flags without a value that have a --no- form."""
BOOLEAN = SWITCHES | _flags("plain_switches") | _others("nothing")
"""Flags without a value."""
MULTIPLE = _flags("several")
"""Flags that take every value up to the next flag."""
SEVERAL_INTEGERS = _flags("several_whole")
"""Those of them whose values are whole numbers."""
REPEATABLE = _flags("repeatable")
OPTIONAL_VALUE = _flags("optional")
"""Flags whose value may be left out."""
NULLABLE = _flags("nullable")
"""Flags that read "None" and an empty text as no value."""
HUMAN_READABLE = _flags("suffixed")
AUTOMATIC = _flags("automatic")
INTEGER = _flags("whole")
NUMBER = _flags("number")
JSON = _flags("json")
POSITIVE = _flags("positive")
SHARE = _flags("share")
PORTS = _flags("ports")
LARGEST_PORT = 65535
"""The largest number of a port."""
CHOICES: Mapping[str, tuple[str, ...]] = {
    f"--{name}": tuple(values) for name, values in _ROWS["choices"].items()
}
"""Texts of which vLLM takes these only."""
SINGLE = INTEGER | NUMBER | JSON | _flags("text") | _others("value")
"""Flags that take exactly one value."""
OWN = (BOOLEAN | MULTIPLE | OPTIONAL_VALUE | SINGLE) - OTHER_RELEASES.keys()
"""The flags of the release itself."""
KNOWN = OWN | OTHER_RELEASES.keys()
