"""Profiles of hypothesis, the user's own CRD, what may be skipped, and where a test may read."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import confinement
from tests.support.unit_guard import no_program_in_a_unit_test as no_program_in_a_unit_test

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci", max_examples=60, deadline=None, suppress_health_check=_SLOW, derandomize=True
)  # the same examples each time: a suite that fails must have been changed; "long" looks for new ones
settings.register_profile("long", max_examples=10_000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile("ci")

os.environ.pop("DPD_ENVIRONMENTS", None)  # tests name their own documents


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--crd", type=Path, metavar="FILE", help="judge by the operator's CRD in FILE as well")
    parser.addoption(
        "--no-skips", action="store_true", help="a test that is skipped fails (CI has every tool)"
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    confinement.begin(config)


def pytest_unconfigure() -> None:
    confinement.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--crd") is None:
        theirs = [item for item in items if item.get_closest_marker("crd")]
        items[:] = [item for item in items if item not in theirs]
        config.hook.pytest_deselected(items=theirs)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:
        report.outcome, report.longrepr = "failed", f"a module is never skipped as a whole: {report.longrepr}"
    elif left := confinement.taken():
        report.outcome, report.longrepr = "failed", confinement.told(left)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        if item.config.getoption("--no-skips") or item.get_closest_marker("debian") is None:
            report.outcome = "failed"
            report.longrepr = (
                f"only tests of Debian tools may be skipped, where those are missing: {report.longrepr}"
            )
    elif report.passed and (left := confinement.taken()):
        report.outcome, report.longrepr = "failed", confinement.told(left)
    return report
