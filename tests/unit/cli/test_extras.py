"""A library of an extra that is missing or broken is told with what to install, by every program."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.extras import advice
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS


@pytest.mark.parametrize(
    ("error", "extra", "words"),
    [
        (
            ModuleNotFoundError("x", name="boto3"),
            None,
            "boto3 is not installed; pip install 'hyperpod-dpd[live]'",
        ),
        (ModuleNotFoundError("x", name="kiwisolver"), "report", "pip install 'hyperpod-dpd[report]'"),
        (ImportError("bad ELF", name="numpy.core"), None, "(bad ELF); pip install --force-reinstall"),
    ],
)
def test_the_extra_is_named(error: ImportError, extra: str | None, words: str) -> None:
    assert words in str(advice(error, extra))


@pytest.mark.parametrize("name", ["hyperpod_dpd.view", "k8s.charts", "json"])
def test_a_fault_of_our_own_is_no_installation(name: str) -> None:
    assert advice(ImportError("x", name=name), None) is None


@pytest.mark.parametrize(
    ("arguments", "library", "extra"),
    [(("dashboards", "dev", "--preview"), "matplotlib", "report"), (("preflight", "dev"), "boto3", "live")],
)
def test_a_verb_says_what_to_install(
    arguments: tuple[str, ...], library: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named '{library}'", name=library)
        return real(name, *rest, **more)

    for loaded in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setenv("DPD_ENVIRONMENTS", str(ENVIRONMENTS))
    monkeypatch.chdir(tmp_path)
    outcome = dpd(*arguments)
    assert outcome.status == 2
    assert f"pip install 'hyperpod-dpd[{extra}]'" in outcome.err
