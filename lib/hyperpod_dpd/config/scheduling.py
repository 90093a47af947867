"""The cluster's policy of task governance: who comes first, and how idle capacity is shared."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hyperpod_dpd.config.base import Section

PriorityClassName = Annotated[str, Field(pattern=r"^[a-z0-9](-*[a-z0-9]){0,39}$", examples=["inference"])]


class Scheduling(Section):
    """A HyperPod cluster scheduler policy; needs ``task_governance``."""

    fair_share: bool = Field(False, description="Idle capacity goes to teams by their weights.")
    priority_classes: dict[PriorityClassName, Annotated[int, Field(ge=0, le=100)]] = Field(
        default_factory=dict, max_length=10, description="Priority class to weight, 0 to 100."
    )
