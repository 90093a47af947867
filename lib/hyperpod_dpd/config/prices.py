"""The user's price list: what a node costs an hour, by instance type and by the way its capacity is bought."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hyperpod_dpd.config.base import Section
from hyperpod_dpd.config.fault import Fault, InvalidEnvironment
from hyperpod_dpd.config.validation import shaped
from hyperpod_dpd.document import UnreadableInput, read_file

Capacity = Literal["on-demand", "spot", "training-plan"]


def _day(text: str) -> str:
    """Refuses what only looks like a date."""
    date.fromisoformat(text)
    return text


class Prices(Section):
    """Prices without taxes; a type or a way of buying that is left out has no price and is in no sum."""

    currency: str = Field(pattern=r"^[A-Z]{3}$", examples=["USD"], description="ISO 4217.")
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-11-30"]), AfterValidator(_day)]
    source: str | None = Field(None, description="Where the prices are from, such as a contract.")
    per_hour: dict[str, dict[Capacity, Annotated[float, Field(ge=0, allow_inf_nan=False)]]] = Field(
        description="Instance type to the price of one node for one hour."
    )

    def of(self, instance_type: str, capacity: str) -> Decimal | None:
        """The price of one node for one hour; None where the list has none."""
        found = {str(kind): price for kind, price in self.per_hour.get(instance_type, {}).items()}
        return Decimal(str(found[capacity])) if capacity in found else None


def load_prices(path: FilePath) -> Prices:
    """One price list. Raises UnreadableInput or InvalidEnvironment (all faults at once)."""
    documents = read_file(path)
    if len(documents) != 1:
        raise UnreadableInput(str(path), f"holds {len(documents)} YAML documents; a price list is one")
    [document] = documents
    prices, faults = shaped(Prices, document)
    faults += [Fault(document.file, p.position, p.path, p.message, p.fix) for p in document.problems]
    if prices is None or faults:
        raise InvalidEnvironment(str(path), faults)
    return prices
