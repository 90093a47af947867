"""The table of fields agrees with the document's models and with the names that both sides use."""

from __future__ import annotations

import typing

import pytest
from pydantic import BaseModel

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.config.endpoint import Endpoint

KEYS = sorted(
    {".".join(key) for _, key, _ in manifest_fields.keyed()}
    | {".".join(key) for key in manifest_fields.arguments().values()}
    | {".".join(key) for key in manifest_fields.variables().values()}
)


def models_in(annotation: object) -> list[type[BaseModel]]:
    parts = [annotation, *typing.get_args(annotation)]
    return [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_one_of_the_document(key: str) -> None:
    models: list[type[BaseModel]] = [Endpoint]
    for step in key.split("."):
        found = [model.model_fields[step] for model in models if step in model.model_fields]
        assert found, key
        models = [model for field in found for model in models_in(field.annotation)]


def test_names_of_entries_are_those_of_the_blueprint() -> None:
    by_path = {path: key for path, key, _ in manifest_fields.keyed()}
    role = ("spec", "pdSpec", "decodingSpec")
    assert by_path["metadata", "annotations", names.ACKNOWLEDGE_ANNOTATION] == ("acknowledge",)
    assert by_path[(*role, "nodeSelector", names.INSTANCE_GROUP_LABEL)] == ("decode", "instance_group")
    assert by_path[(*role, "resources", "limits", names.GPU_RESOURCE)] == ("decode", "gpus")


def test_a_part_without_a_key_above_it_has_none() -> None:
    """The router's scaling has the same fields as a role's, and no key in the document."""
    paths = {path for path, _, _ in manifest_fields.keyed()}
    assert ("spec", "pdSpec", "autoScalingSpec", "prefillAutoScaling", "minReplicaCount") in paths
    assert not [path for path in paths if path[:3] == ("spec", "intelligentRoutingSpec", "autoScalingSpec")]
