"""Each test of rules runs on every example environment, and on shapes that no example has."""

from __future__ import annotations

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.observability.rules import EndpointRules
from tests.support.observed import ALL, named, rules_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "environment" in metafunc.fixturenames:
        metafunc.parametrize("environment", ALL)


@pytest.fixture
def blueprint(environment: str) -> Blueprint:
    return named(environment)


@pytest.fixture
def rules(environment: str) -> tuple[EndpointRules, ...]:
    return rules_of(environment)
