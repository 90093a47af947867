"""What the team has done and wants watched: drills, reports, observability."""

from __future__ import annotations

from pydantic import Field

from lib.config.base import Digest, Section
from lib.config.budget import Budget


class Drill(Section):
    """A prefiller restarted on purpose under traffic, and what was seen."""

    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="Day of the drill, quoted.")
    image_digest: Digest | None = Field(None, description="Image that was running.")
    report: str = Field(min_length=1, description="Where the report is.")


class Operations(Section):
    """Records that rules ask for in production."""

    prefiller_restart_drill: Drill | None = None
    budget: Budget | None = None
    decode_maintenance_plan: str | None = Field(
        None, description="Where it is written how the decode node is drained and replaced."
    )
    decode_load_spread_report: str | None = Field(
        None, description="Where it is shown that several decoders share the load."
    )


class Observability(Section):
    """The observability add-on and its workspace."""

    enabled: bool = True
    network_metrics: bool = Field(True, description="EFA counters; the add-on leaves them off by default.")
