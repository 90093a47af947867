"""Ports and reasons of ways out."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from hyperpod_dpd.config.egress import Egress, ports

RULE: dict[str, Any] = {"port": 22, "to": "10.0.0.0/8", "why": "Git over ssh"}


@pytest.mark.parametrize(("text", "span"), [(22, (22, 22)), ("22", (22, 22)), ("1018-1023", (1018, 1023))])
def test_a_port_is_a_number_or_a_range(text: Any, span: tuple[int, int]) -> None:
    assert ports(Egress.model_validate({**RULE, "port": text}).port) == span


@pytest.mark.parametrize(
    "changes",
    [
        {"port": 0},
        {"port": 70000},
        {"port": "30-20"},
        {"port": True},
        {"why": ""},
        {"why": 'a "quote"'},
        {"to": "all"},
    ],
)
def test_what_ec2_would_refuse_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Egress.model_validate({**RULE, **changes})
