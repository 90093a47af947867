"""Kubernetes quantities as exact numbers, so that memory, CPU and device counts can be compared."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from typing import Any

_SHAPE = re.compile(
    r"(?P<sign>[+-]?)(?P<digits>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?P<suffix>[A-Za-z][A-Za-z0-9+-]*)?"
)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,3})")
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_MAX_LENGTH = 40
_EXACT = Context(prec=120)


class QuantityError(ValueError):
    """A value that Kubernetes cannot read as an amount; ``str()`` says what is allowed."""


def parse_quantity(value: Any) -> Decimal:
    """The amount in base units (bytes, cores or devices), exactly.

    Accepts what the API server does, an int or a string such as ``"1024Gi"``, ``"25600m"`` or ``"1e3"``.
    Raises QuantityError for anything else, floats and booleans among them.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise QuantityError(
            f"{value!r} is not a quantity. Write a whole number or a quoted string such as '8Gi'."
        )
    if isinstance(value, int):
        return Decimal(value)
    shape = _SHAPE.fullmatch(value)
    if shape is None or len(value) > _MAX_LENGTH:
        raise QuantityError(f"'{value}' is not a quantity. {_hint(value)}")
    scale = _scale(shape["suffix"] or "")
    if scale is None:
        raise QuantityError(f"'{value}' is not a quantity. {_hint(value)}")
    amount = _EXACT.multiply(Decimal(shape["digits"]), scale)
    return _EXACT.minus(amount) if shape["sign"] == "-" else amount


def to_bytes(value: Any) -> int:
    """Bytes, rounded up to a whole byte as Kubernetes does. Raises QuantityError, also below zero."""
    return _whole(value, Decimal(1))


def to_millicores(value: Any) -> int:
    """Thousandths of a core, rounded up. Raises QuantityError, also below zero."""
    return _whole(value, Decimal(1000))


def to_count(value: Any) -> int:
    """Whole devices (GPU, EFA interface). Raises QuantityError for a fraction or a negative amount."""
    amount = parse_quantity(value)
    if amount != amount.to_integral_value():
        raise QuantityError(
            f"'{value}' is not a whole number of devices. Devices cannot be divided: write an integer."
        )
    return _whole(value, Decimal(1))


def _whole(value: Any, per_unit: Decimal) -> int:
    amount = _EXACT.multiply(parse_quantity(value), per_unit)
    if amount < 0:
        raise QuantityError(f"'{value}' is negative. An amount of a resource is zero or more.")
    return math.ceil(amount)


def _scale(suffix: str) -> Decimal | None:
    if suffix in _BINARY:
        return Decimal(1024 ** _BINARY[suffix])
    if suffix in _DECIMAL:
        return Decimal(10) ** _DECIMAL[suffix]
    exponent = _EXPONENT.fullmatch(suffix)
    return Decimal(10) ** int(exponent[1]) if exponent else None


def _hint(value: str) -> str:
    """What to write instead, for the slips people make."""
    allowed = (
        "Allowed: a number with Ki, Mi, Gi, Ti, Pi, Ei, with n, u, m, k, M, G, T, P, E, or with an exponent."
    )
    compact = value.replace(" ", "").replace(",", "").replace("_", "")
    bare = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", compact)
    if bare is None:
        return allowed
    number, suffix = bare[1], bare[2].lower()
    if suffix in ("core", "cores", "cpu", "cpus", "vcpu", "vcpus", "gpu", "gpus", "b", "bytes", ""):
        return f"Write '{number}'. {allowed}"
    letter = suffix[0]
    if letter in "kmgtpe" and suffix[1:] in ("", "i", "b", "ib"):
        binary, decimal = f"{letter.upper()}i", "k" if letter == "k" else letter.upper()
        return f"Write '{number}{binary}' (powers of 1024) or '{number}{decimal}' (powers of 1000). {allowed}"
    return allowed
