"""A field that only passes through is one line in the table: the document, the manifest and all between follow."""

from __future__ import annotations

import sys
from typing import Any

import pytest

PATH = ("spec", "loadBalancer", "dropInvalidHeaders")
KEY = ("load_balancer", "drop_invalid_headers")
ROW = {
    "type": "boolean",
    "since": "3.3",
    "key": ".".join(KEY),
    "copied": True,
    "description": "Leaves out headers that no server should send.",
}


@pytest.fixture
def with_row():
    """The package, imported once more from a table with one row more."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("hyperpod_dpd")}
    from hyperpod_dpd.catalog import data_files

    read = data_files.document

    def extended(name: str) -> Any:
        found = read(name)
        return {**found, "fields": {**found["fields"], ".".join(PATH): ROW}} if "v1alpha1" in found else found

    data_files.document = extended  # type: ignore[assignment]
    yield
    for name in [name for name in sys.modules if name.startswith("hyperpod_dpd")]:
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.fixture
def manifest(endpoint):
    endpoint["spec"]["loadBalancer"] = {"healthCheckPath": "/health", "dropInvalidHeaders": True}
    return endpoint


def test_without_the_row_nobody_knows_the_field(manifest):
    from hyperpod_dpd.iec.validation import validate

    assert [(p.kind, p.path) for p in validate(manifest)] == [("unknown-field", PATH)]


@pytest.mark.usefixtures("with_row")
def test_it_is_checked_and_pruned(manifest):
    from hyperpod_dpd.iec.releases import prune
    from hyperpod_dpd.iec.validation import validate

    assert validate(manifest) == []
    assert [(p.kind, p.path) for p in validate(manifest, release="3.2")] == [("newer-release", PATH)]
    assert prune(manifest, "3.2")["spec"]["loadBalancer"] == {"healthCheckPath": "/health"}
    manifest["spec"]["loadBalancer"]["dropInvalidHeaders"] = "yes"
    [problem] = validate(manifest)
    assert (problem.kind, problem.path) == ("wrong-type", PATH)


@pytest.mark.usefixtures("with_row")
def test_the_document_has_the_key_and_the_manifest_its_value(manifest):
    from hyperpod_dpd.config.endpoint import Endpoint
    from hyperpod_dpd.importing.fragment import import_endpoint

    section = Endpoint.model_json_schema()["$defs"]["LoadBalancer"]["properties"][KEY[1]]
    assert section["description"] == ROW["description"]
    imported = import_endpoint(manifest)
    assert imported.fragment["endpoints"]["dpd"]["load_balancer"] == {KEY[1]: True}
    assert not [path for path in imported.overridden if "loadBalancer" in path]


@pytest.mark.usefixtures("with_row")
def test_a_finding_in_an_environment_names_the_key():
    from hyperpod_dpd.view.origin import document_key
    from hyperpod_dpd.view.wording import in_keys_of_environment

    assert document_key(PATH) == KEY
    fix = in_keys_of_environment("set loadBalancer.dropInvalidHeaders", "endpoints.a")
    assert fix == "set load_balancer.drop_invalid_headers"
