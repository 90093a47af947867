"""An editor explains every key of the document: what it is, and what holds where it is left out."""

from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.config.schema import document_schema


def properties() -> Iterator[tuple[str, dict[str, Any], bool]]:
    schema = document_schema()
    for section, value in {"": schema, **schema["$defs"]}.items():
        for key, described in value.get("properties", {}).items():
            yield f"{section}.{key}", described, key in value.get("required", ())


def test_every_key_is_described() -> None:
    assert [name for name, described, _ in properties() if not described.get("description")] == []


def test_every_key_has_a_default_or_is_required() -> None:
    assert [
        name for name, described, needed in properties() if not needed and "default" not in described
    ] == []


def test_the_schema_has_the_keys_of_the_document() -> None:
    assert len(list(properties())) > 300
