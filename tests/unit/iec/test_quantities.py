"""Kubernetes quantities, exactly."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity, to_bytes, to_count, to_millicores


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1024Gi", 1024 * 1024**3),
        ("64G", 64 * 10**9),
        ("1e3", 1000),
        ("1E3", 1000),
        ("1E", 10**18),
        ("0.5Gi", 2**29),
        ("+1k", 1000),
        (".5M", 500_000),
        ("8589934592", 8589934592),
        (4096, 4096),
        ("1m", 1),
    ],
)
def test_bytes(text, expected):
    assert to_bytes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("96", 96_000), ("25600m", 25_600), ("0.5", 500), (2, 2000), ("1n", 1)]
)
def test_millicores(text, expected):
    assert to_millicores(text) == expected


def test_counts_are_whole():
    assert to_count("8") == 8
    assert to_count("8000m") == 8
    with pytest.raises(QuantityError, match="whole number of devices"):
        to_count("0.5")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("1024 Gi", "'1024Gi'"),
        ("96GB", "'96Gi'"),
        ("8gi", "'8Gi'"),
        ("96 cores", "Write '96'"),
        ("lots", "Allowed"),
        ("1e", "Allowed"),
        ("", "Allowed"),
        (True, "whole number"),
        (0.5, "whole number"),
        (None, "whole number"),
    ],
)
def test_errors_say_what_to_write(value, hint):
    with pytest.raises(QuantityError) as error:
        parse_quantity(value)
    assert hint in str(error.value)


def test_negative_amounts_are_refused():
    assert parse_quantity("-1") == Decimal(-1)
    with pytest.raises(QuantityError, match="negative"):
        to_bytes("-1Gi")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12) | st.floats() | st.none())
def test_anything_gives_a_number_or_the_one_error(value):
    try:
        assert isinstance(parse_quantity(value), Decimal)
    except QuantityError as error:
        assert str(error)
