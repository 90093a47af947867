"""What readers of YAML 1.1 make of a scalar's text."""

from __future__ import annotations

import base64
import re

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
_FALSE = frozenset({"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
_INTEGER = re.compile(r"^[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)$")
_FLOAT = re.compile(r"^[-+]?(\.[0-9_]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$")
_SPECIAL_FLOAT = re.compile(r"^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$")
_NUMBER_START = frozenset("-+.0123456789")


def text_of_base64(text: str) -> str | None:
    """What kubectl reads of a !!binary value; None where that is no base64 or no text."""
    try:
        return base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True).decode()
    except (ValueError, UnicodeDecodeError):
        return None


def plain_scalar(value: str) -> str | int | float | bool | None:
    """What a YAML 1.1 reader makes of an unquoted scalar; dates and base-60 numbers stay text."""
    if value in _NULLS:
        return None
    first = value[0]
    if first in _NUMBER_START:
        if _INTEGER.match(value):
            return _integer(value)
        if _FLOAT.match(value) and any(c.isdigit() for c in value):
            return float(value.replace("_", ""))
        if _SPECIAL_FLOAT.match(value):
            return float(value.replace(".", "", 1))
        return value
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    return value


def _integer(value: str) -> int | str:
    digits = value.replace("_", "")
    sign = -1 if digits.startswith("-") else 1
    body = digits.lstrip("+-")
    if not body or len(body) > 4000:
        return value
    for prefix, base in (("0x", 16), ("0b", 2), ("0o", 8)):
        if body.startswith(prefix):
            return sign * int(body[2:], base) if body[2:] else value
    if body.startswith("0") and len(body) > 1:
        return sign * int(body, 8)
    return sign * int(body)
