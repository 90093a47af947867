"""An object whose kind is no text is told apart, not tripped over."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.endpoint import API_VERSION
from hyperpod_dpd.iec.identity import Kind, identify


@pytest.mark.parametrize("kind", [[], {}, ["InferenceEndpointConfig"], 3, True])
def test_a_kind_that_is_no_text(kind) -> None:
    assert identify({"apiVersion": API_VERSION, "kind": kind}).kind in (
        Kind.OTHER_HYPERPOD,
        Kind.MISSPELLED_KIND,
    )
