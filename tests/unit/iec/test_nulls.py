"""An explicit null is what the API server refuses unless the field has a default to put there."""

from __future__ import annotations

import pytest

from hyperpod_dpd.catalog.manifest_fields import Field, root
from hyperpod_dpd.iec.validation import validate


def places(node: Field, path: tuple = ()):
    """Every field, item and map value of the tree, with the field it stands in."""
    for name, child in node.fields.items():
        yield (*path, name), child, name in node.required
        yield from places(child, (*path, name))
    if node.item is not None:
        step = 0 if node.type == "list" else "key"
        yield (*path, step), node.item, False
        yield from places(node.item, (*path, step))


def with_null(path: tuple):
    """A tree that holds nothing but the way to a null."""
    value = None
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


SPEC = [(("spec", *path), node, required) for path, node, required in places(root().fields["spec"])]


def test_null_is_refused_at_every_field_without_a_default(endpoint) -> None:
    assert len(SPEC) > 1000
    silent = []
    for path, node, _ in SPEC:
        manifest = {**endpoint, **with_null(path)}
        told = [p for p in validate(manifest) if p.path == path and p.refused]
        if bool(told) == (node.default is not None):
            silent.append(path)
    assert silent == []


def test_where_the_crd_says_so_jsonschema_says_so_too(crd, endpoint) -> None:
    """The operator's CRD, read by a library, refuses a null at every place of it that we refuse."""
    from jsonschema import Draft4Validator

    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    judge = Draft4Validator(schema)
    differing = []
    for path, node, _ in SPEC:
        if node.default is not None or node.type == "int-or-string" or node.type == "opaque":
            continue
        errors = {tuple(e.absolute_path) for e in judge.iter_errors(with_null(path)["spec"])}
        known = not [
            p for p in validate({**endpoint, **with_null(path)}, release="3.2") if p.kind == "newer-release"
        ]
        if known and path[1:] not in errors:
            differing.append(path)
    assert [path for path in differing if _in_crd(schema, path[1:])] == []


def _in_crd(schema, path) -> bool:
    for step in path:
        schema = (
            schema.get("items")
            if isinstance(step, int)
            else schema.get("properties", {}).get(step) or schema.get("additionalProperties")
        )
        if not isinstance(schema, dict):
            return False
    return True


def test_an_empty_pdspec_is_told_as_what_it_is(endpoint) -> None:
    endpoint["spec"]["pdSpec"] = None
    (problem,) = validate(endpoint)
    assert problem.path == ("spec", "pdSpec")
    assert "left empty" in problem.message and "not disaggregated" in problem.message


@pytest.mark.parametrize(
    "key", ["labels", "annotations", "namespace", "creationTimestamp", "ownerReferences"]
)
def test_metadata_may_be_left_empty(endpoint, key) -> None:
    endpoint["metadata"][key] = None
    assert validate(endpoint) == []


def test_a_label_may_not(endpoint) -> None:
    endpoint["metadata"]["labels"] = {"team": None}
    (problem,) = validate(endpoint)
    assert problem.path == ("metadata", "labels", "team")


def test_an_empty_spec_is_refused(endpoint) -> None:
    (problem,) = validate({**endpoint, "spec": None})
    assert (problem.path, problem.refused) == (("spec",), True)


def test_status_is_not_the_users(endpoint) -> None:
    assert validate({**endpoint, "status": None}) == []
