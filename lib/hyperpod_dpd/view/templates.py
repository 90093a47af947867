"""CloudFormation templates as facts: resources by type, references across stacks followed to their source."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPodGroup:
    """One instance group of a HyperPod cluster; ``subnets`` are comparable across stacks, not ids.

    ``count`` is None where the template does not give it as a number; ``instance_types`` has more than one where
    HyperPod may choose.
    """

    name: str
    instance_types: tuple[str, ...]
    count: int | None
    labels: Mapping[str, str]
    subnets: tuple[str, ...]


def resources(
    templates: Mapping[str, Mapping[str, Any]], kind: str
) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Stack name, logical id and body of every resource of one type."""
    for stack, template in templates.items():
        for logical_id, body in mapping(template.get("Resources")).items():
            if isinstance(body, Mapping) and body.get("Type") == kind:
                yield stack, logical_id, {**body, "Properties": mapping(body.get("Properties"))}


def mapping(value: Any) -> Mapping[str, Any]:
    """``value`` where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def hyperpod_groups(templates: Mapping[str, Mapping[str, Any]]) -> Iterator[HyperPodGroup]:
    """Groups of every ``AWS::SageMaker::Cluster``; one without a subnet of its own has the cluster's."""
    exports = _exports(templates)
    for stack, _, body in resources(templates, "AWS::SageMaker::Cluster"):
        properties = body["Properties"]
        own = mapping(properties.get("VpcConfig")).get("Subnets")
        for group in map(mapping, _listed(properties.get("InstanceGroups"))):
            subnets = _listed(mapping(group.get("OverrideVpcConfig")).get("Subnets", own))
            count = group.get("InstanceCount")
            yield HyperPodGroup(
                name=str(group.get("InstanceGroupName")),
                instance_types=group_types(group),
                count=int(str(count)) if str(count).isdecimal() else None,
                labels=mapping(mapping(group.get("KubernetesConfig")).get("Labels")),
                subnets=tuple(_source(subnet, stack, exports) for subnet in subnets),
            )


def group_types(group: Mapping[str, Any]) -> tuple[str, ...]:
    """Types of the nodes that a group of a template may get, in order of preference."""
    fixed = group.get("InstanceType")
    choice = mapping(group.get("InstanceRequirements")).get("InstanceTypes")
    return tuple(
        each for each in ([fixed] if fixed is not None else _listed(choice)) if isinstance(each, str)
    )


def _exports(templates: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """What each export stands for, by its name."""
    found: dict[str, str] = {}
    for stack, template in templates.items():
        for output in map(mapping, mapping(template.get("Outputs")).values()):
            if name := mapping(output.get("Export")).get("Name"):
                found[json.dumps(name, sort_keys=True)] = _source(output.get("Value"), stack, {})
    return found


def _source(value: Any, stack: str, exports: Mapping[str, str]) -> str:
    """The resource behind a reference as ``stack/LogicalId.Attribute``; a literal as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        [(function, argument)] = value.items()
        if function == "Fn::ImportValue":
            key = json.dumps(argument, sort_keys=True)
            return exports.get(key, f"import {key}")
        if function == "Ref":
            return f"{stack}/{argument}"
        if function == "Fn::GetAtt":
            parts = argument.split(".", 1) if isinstance(argument, str) else list(map(str, _listed(argument)))
            if len(parts) < 2:
                return f"{stack}/{argument}"
            # A subnet's SubnetId attribute is what Ref gives.
            return f"{stack}/{parts[0]}" if parts[1] == "SubnetId" else f"{stack}/{'.'.join(parts)}"
    return f"{stack}/{json.dumps(value, sort_keys=True)}"
