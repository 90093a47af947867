"""Amounts written with a unit where the key carries the unit: what the number would be."""

from __future__ import annotations

import re

_TEXT = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z%]*)")
_DECIMAL = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BYTES: dict[str, float] = {
    **_DECIMAL,
    **{f"{unit}b": size for unit, size in _DECIMAL.items()},
    **{f"{unit}i{b}": 2 ** (10 * power) for power, unit in enumerate("kmgt", 1) for b in ("", "b")},
}
_SECONDS: dict[str, float] = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_UNITS: dict[str, dict[str, float]] = {
    "_bytes": _BYTES,
    "_gib": {"": 1, **{unit: size / 2**30 for unit, size in _BYTES.items() if unit}},
    "_gb": {"": 1, **{unit: size / 10**9 for unit, size in _BYTES.items() if unit}},
    "_seconds": _SECONDS,
    "_minutes": {"": 1, **{unit: size / 60 for unit, size in _SECONDS.items() if unit}},
    "_days": {"": 1, "d": 1, "day": 1, "days": 1},
    "_ms": {"": 1, "ms": 1, "s": 1000},
    "_percent": {"": 1, "%": 1},
}


def amount(key: str, text: str) -> int | float | None:
    """The number that ``text`` means under ``key``, such as 8589934592 for 8GiB of pd_buffer_bytes; None if none."""
    found = _TEXT.fullmatch(text.strip().replace(",", "").replace("_", ""))
    if found is None:
        return None
    units = next((units for ending, units in _UNITS.items() if key.endswith(ending)), {"": 1})
    size = units.get(found["unit"].lower())
    if size is None:
        return None
    value = float(found["number"]) * size
    return int(value) if value.is_integer() else value
