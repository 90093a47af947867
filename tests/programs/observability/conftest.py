"""Programs judge what the unit tests of rules judge: the same environments, the same fixtures."""

from __future__ import annotations

from tests.unit.observability.conftest import blueprint, pytest_generate_tests, rules

__all__ = ["blueprint", "pytest_generate_tests", "rules"]
