"""Every data file has the shape that the loaders expect, and every fact a source with a date."""

import typing
from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from datetime import date

import pytest
import yaml
from pydantic import TypeAdapter

from hyperpod_dpd.catalog import (
    catalog_date,
    data_files,
    engine_defaults,
    instance_types,
    kubernetes,
    languages,
    manifest_fields,
    metrics,
    models,
    official_templates,
    operator_releases,
    quotas,
    regions,
    requirements,
    tools,
    worker_images,
)
from hyperpod_dpd.catalog.data_files import Fact, Source

SUBJECTS = tuple(data_files.subjects())

# What may go without a source of its own.
UNSOURCED_KEYS = {
    "config",
    "quant_config",
    "sources",
    "configuration",
    "entries",
    "words",
    "arguments",
    "variables",
    "v1alpha1",
    "types",
}


def _records() -> dict[str, list[object]]:
    records: list[object] = [
        *instance_types.all(),
        *operator_releases.all(),
        *operator_releases.fields(),
        *operator_releases.fixes(),
        *worker_images.all(),
        *worker_images.kinds(),
        *tools.images(),
        *languages.all(),
        *models.all(),
        *official_templates.parameters(),
        *official_templates.group_fields(),
        *regions.all(),
        *kubernetes.addons(),
        *(key for addon in kubernetes.addons() for key in addon.configuration),
        kubernetes.stated_window(),
        kubernetes.safe_window(),
        *quotas.all(),
        *requirements.name_prefixes(),
        *requirements.endpoint_services(),
        *requirements.services_without_endpoint(),
        *metrics.components().values(),
        *metrics.all(),
        *metrics.burn_rates(),
    ]
    kinds: dict[str, list[object]] = {}
    for item in records:
        kinds.setdefault(type(item).__name__, []).append(item)
    return kinds


def _facts() -> list[Fact]:
    return [
        *(fact for group in engine_defaults.groups().values() for fact in group.values()),
        *(
            fact
            for path, field in manifest_fields.walk()
            if field.default is not None and (fact := manifest_fields.default(".".join(path)))
        ),
        *(requirements.requirement(name) for name in requirements.requirement_names()),
        *worker_images.component_floors().values(),
        operator_releases.floor("dpd_release"),
    ]


def _leaf_mappings(node: object, path: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """Mappings without a mapping inside: each is one fact and has to say where it comes from."""
    if isinstance(node, dict):
        inner = {key: value for key, value in node.items() if key not in UNSOURCED_KEYS}
        if not any(isinstance(value, dict) for value in inner.values()):
            yield path, inner
        for key, value in inner.items():
            yield from _leaf_mappings(value, f"{path}.{key}") if isinstance(value, dict | list) else ()
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _leaf_mappings(value, f"{path}[{index}]") if isinstance(value, dict) else ()


def _used_sources(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, str) and (key == "source" or key.endswith("_source")):
                yield value
            elif key != "sources":
                yield from _used_sources(value)
    elif isinstance(node, list):
        for value in node:
            yield from _used_sources(value)


def test_there_is_one_data_file_per_subject() -> None:
    assert set(SUBJECTS) == {
        "engine_defaults",
        "instance_type_regions",
        "instance_types",
        "instance_types_unlisted",
        "kubernetes",
        "kubernetes_kinds",
        "kubernetes_limits",
        "languages",
        "lmcache_settings",
        "manifest_fields",
        "metrics",
        "models",
        "official_templates",
        "operator_releases",
        "quotas",
        "regions",
        "requirements",
        "tools",
        "vllm_flags",
        "worker_images",
    }


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_source_has_a_description_and_an_iso_date(subject: str) -> None:
    found = data_files.sources(subject)
    assert found
    for key, entry in found.items():
        assert len(entry.description) > 20, key
        assert date.fromisoformat(entry.date).isoformat() == entry.date, key
        assert entry.date >= "2026-01-01", key


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_fact_names_a_source_of_its_file_and_no_source_is_idle(subject: str) -> None:
    document = dict(data_files.document(subject))
    known = set(document["sources"])
    for path, entry in _leaf_mappings(document):
        if path:
            assert entry.get("source", document.get("source")) in known, f"{subject}{path} has no source"
    used = set(_used_sources(document))
    assert used == known, f"unknown: {used - known}, never used: {known - used}"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_single_value_says_nothing_unknown(subject: str) -> None:
    known = {"value", "source", "unit", "confirmed", "note"}
    for path, entry in _leaf_mappings(dict(data_files.document(subject))):
        if "value" in entry:
            assert set(entry) <= known, f"{subject}{path}: {set(entry) - known}"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_data_file_has_a_duplicate_key(subject: str) -> None:
    def keys(node: yaml.Node) -> None:
        if isinstance(node, yaml.MappingNode):
            names = [key.value for key, _ in node.value]
            assert len(names) == len(set(names)), f"{subject} line {node.start_mark.line + 1}: {names}"
            for _, value in node.value:
                keys(value)
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                keys(value)

    root = yaml.compose(
        (data_files.DATA / f"{subject}.yaml").read_text(encoding="utf-8"), Loader=yaml.SafeLoader
    )
    assert root is not None
    keys(root)


@pytest.mark.parametrize("records", _records().values(), ids=_records())
def test_values_have_the_types_that_the_dataclass_declares(records: list[object]) -> None:
    hints = typing.get_type_hints(type(records[0]))
    adapters = {name: TypeAdapter(hint) for name, hint in hints.items()}
    for item in records:
        assert is_dataclass(item)
        for field in dataclass_fields(item):
            adapters[field.name].validate_python(getattr(item, field.name), strict=True)


@pytest.mark.parametrize("records", _records().values(), ids=_records())
def test_unconfirmed_names_only_fields_that_exist(records: list[object]) -> None:
    for item in records:
        assert is_dataclass(item)
        names = {field.name for field in dataclass_fields(item)}
        assert set(getattr(item, "unconfirmed", ())) <= names, item


@pytest.mark.parametrize(
    "name", ["lmcache", "vllm", "documented", "router", "transfer", "memory", "suitability", "validated"]
)
def test_a_group_of_defaults_has_the_declared_types(name: str) -> None:
    group = getattr(engine_defaults, name)()
    hints = typing.get_type_hints(type(group))
    assert set(hints) == set(engine_defaults.groups()[name])
    for key, hint in hints.items():
        TypeAdapter(hint).validate_python(getattr(group, key), strict=True)


def test_facts_carry_source_and_value() -> None:
    facts = _facts()
    assert len(facts) > 100
    for fact in facts:
        assert isinstance(fact.source, Source)
        assert fact.value is not None


def test_records_and_their_containers_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        instance_types.all()[0].gpus = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        data_files.document("models")["models"] = []  # type: ignore[index]


def test_catalog_date_is_the_newest_date_of_all_files() -> None:
    dates = [entry.date for subject in SUBJECTS for entry in data_files.sources(subject).values()]
    assert catalog_date() in dates
    assert all(entry <= catalog_date() for entry in dates)


def test_a_subject_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        data_files.document("weather")
