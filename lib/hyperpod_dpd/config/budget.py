"""The month's money: who hears of it when the environment's cost runs past it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hyperpod_dpd.config.base import Section

Address = Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=50)]


class Budget(Section):
    """A cost budget of all that carries the environment's tag (a cost allocation tag, to be activated once)."""

    monthly_usd: int = Field(ge=1, description="Limit per month in US dollars.")
    notify: list[Address] = Field(min_length=1, max_length=10, description="E-mail addresses.")
    alert_percents: list[Annotated[int, Field(ge=1, le=1000)]] = Field(
        default_factory=lambda: [80, 100],
        min_length=1,
        max_length=5,
        description="Percentages of the limit at which to tell.",
    )
