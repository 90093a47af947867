"""The folder of environments: what is named on the command line wins, then the variable, then environments/."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.config import environments_folder


@pytest.mark.parametrize(
    ("chosen", "variable", "folder"),
    [
        (None, None, "environments"),
        (None, "", "environments"),
        (None, "../ours", "../ours"),
        ("mine", None, "mine"),
        ("mine", "../ours", "mine"),
    ],
)
def test_precedence(
    chosen: str | None, variable: str | None, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable is not None:
        monkeypatch.setenv("DPD_ENVIRONMENTS", variable)
    assert environments_folder(chosen) == Path(folder)
