"""Profiles of hypothesis: a short one for every run, a long one on request (`--hypothesis-profile=long`)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci", max_examples=60, deadline=None, suppress_health_check=_SLOW, derandomize=True
)  # the same examples each time: a suite that fails must have been changed; "long" looks for new ones
settings.register_profile("long", max_examples=10_000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile("ci")

os.environ.pop("DPD_ENVIRONMENTS", None)  # tests name their own documents
