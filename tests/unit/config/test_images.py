"""What the document takes as the name of an image."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.config.images import ImageReference

DIGEST = "@sha256:" + "0" * 64
REFERENCES: TypeAdapter[str] = TypeAdapter(ImageReference)


@pytest.mark.parametrize(
    "text",
    ["python", "library/python:3", f"localhost:5000/a/b{DIGEST}", f"registry.example.com/x.y/z_1:t{DIGEST}"],
)
def test_what_can_be_taken_apart_is_taken(text: str) -> None:
    assert REFERENCES.validate_python(text) == text
    assert parse_reference(text).repository


@pytest.mark.parametrize(
    "text",
    [
        "&Ü",
        "a b",
        "python:",
        "python:-x",
        "x@sha256:1",
        "-x",
        "a//b",
        "Upper/case",
        "x" * 513,
        "h&st.example/x",
        "a..b/x",
        "host:port/x",
    ],
)
def test_what_is_no_reference_is_refused_with_the_document(text: str) -> None:
    with pytest.raises(ValidationError):
        REFERENCES.validate_python(text)
