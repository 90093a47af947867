"""The environment file as a JSON Schema in which an editor finds a description and a default for every key."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from hyperpod_dpd.config.environment import Environment


class _WithDefaults(GenerateJsonSchema):
    """Also says the defaults that are made anew for every document, such as empty maps."""

    def get_default_value(self, schema: Any) -> Any:
        factory = schema.get("default_factory")
        if factory is not None and not schema.get("default_factory_takes_data"):
            return factory()
        return super().get_default_value(schema)


def document_schema() -> dict[str, Any]:
    """The schema, of draft 2020-12."""
    schema = Environment.model_json_schema(schema_generator=_WithDefaults)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
