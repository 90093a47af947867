"""The table of the official templates' parameters: complete in itself, and every key it names is one of ours."""

from __future__ import annotations

import types
from collections import Counter
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from hyperpod_dpd.catalog import official_templates
from hyperpod_dpd.catalog.official_templates import Parameter
from hyperpod_dpd.config.environment import Environment

EVERYTHING = [*official_templates.parameters(), *official_templates.group_fields()]


def exists(key: str) -> bool:
    """Whether the environment document has a key of this dotted path; ``*`` is any name of a mapping."""
    at: list[Any] = [Environment]
    for part in key.split("."):
        at = [inner for each in at for inner in below(each, part)]
    return bool(at)


def below(annotation: Any, part: str) -> list[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return below(get_args(annotation)[0], part)
    if origin in (Union, types.UnionType):
        return [inner for each in get_args(annotation) for inner in below(each, part)]
    if origin is dict:
        return [get_args(annotation)[1]]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(part)
        return [field.annotation] if field else []
    return []


@pytest.mark.parametrize("parameter", EVERYTHING, ids=lambda parameter: parameter.name)
def test_each_parameter_leads_somewhere(parameter: Parameter) -> None:
    assert parameter.says in {"expressed", "decided", "unsupported"}
    if parameter.says == "expressed":
        assert parameter.keys or parameter.note
    else:
        assert not parameter.keys
        assert parameter.note, "a reason is missing"
    for key in parameter.keys:
        assert exists(key), f"the document has no key {key}"


def test_a_key_that_does_not_exist_is_noticed() -> None:
    assert exists("cluster.instance_groups.*.capacity.training_plan_arn")
    assert not exists("cluster.instance_groups.*.capacity.plan")
    assert not exists("network.vpc")


def test_no_parameter_stands_twice() -> None:
    ours = [name for p in official_templates.parameters() if p.only is None for name in p.names()]
    assert not [name for name, count in Counter(ours).items() if count > 1]
    variables = [name for p in official_templates.parameters() for name in p.terraform]
    variables += [name for p in official_templates.parameters() if p.only for name in p.names()]
    assert not [name for name, count in Counter(variables).items() if count > 1]


def test_references_to_another_entry_find_it() -> None:
    plain = {name for parameter in EVERYTHING for name in (parameter.name.rstrip("#"), *parameter.names())}
    for parameter in EVERYTHING:
        if parameter.note.startswith("see "):
            wanted = parameter.note.removeprefix("see ")
            assert any(name == wanted or name.endswith(f".{wanted}") for name in plain), parameter.note


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("VpcCIDR", "VpcCIDR"),
        ("vpc_cidr", "VpcCIDR"),
        ("create_life_cycle_script_stack", "CreateLifeCycleScriptStack"),
        ("InstanceGroupSettings20", "InstanceGroupSettings20"),
        ("instance_group_settings", "InstanceGroupSettings1"),
        ("rig_s3_bucket_name", "RigS3BucketName"),
        ("enable_hp_inference_feature", "EnableHPInferenceFeature"),
    ],
)
def test_names_are_found_as_the_templates_and_as_hyp_spell_them(name: str, found: str) -> None:
    known = official_templates.find(name)
    assert known is not None and known[0] == found


@pytest.mark.parametrize("name", ["InstanceGroupSettings21", "existing_vpc_id", "nothing"])
def test_other_names_are_not(name: str) -> None:
    assert official_templates.find(name) is None


def test_families_are_spelled_out() -> None:
    names = {name for parameter in official_templates.parameters() for name in parameter.names()}
    assert {"DataScientistRole10Namespaces", "create_eks_auth_endpoint", "eks_private_subnet_2_cidr"} <= names
    assert not [name for name in names if "#" in name or "{" in name]
