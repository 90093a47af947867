"""A CloudFormation type that moto lacks, declared in a few lines, its properties held against the API's own shape."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import botocore.session
from botocore.validate import ParamValidator
from moto.core.common_models import CloudFormationModel

RECORD = Path(os.environ["DPD_DEPLOY_RECORD"]) if "DPD_DEPLOY_RECORD" in os.environ else None
_WRITING = threading.Lock()


@dataclass(frozen=True)
class Place:
    """Where a resource is created, and for which one of the template's."""

    account: str
    region: str
    logical_id: str

    def arn(self, service: str, resource: str) -> str:
        return f"arn:aws:{service}:{self.region}:{self.account}:{resource}"


@dataclass
class Made:
    """What a model made: its physical id, the attributes Fn::GetAtt may ask for, and what it keeps for updates."""

    id: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    kept: Any = None


class NotAsTheApiWantsIt(Exception):
    """A template gives a service what its API would refuse."""


def api(value: Any) -> Any:
    """CloudFormation's spelling of a JSON API: every key begins with a small letter."""
    if isinstance(value, dict):
        return {key[0].lower() + key[1:]: api(item) for key, item in value.items()}
    return [api(item) for item in value] if isinstance(value, list) else value


@cache
def _service(name: str) -> Any:
    return botocore.session.get_session().get_service_model(name)


def hold_against_api(service: str, operation: str, parameters: dict[str, Any]) -> None:
    """Raises NotAsTheApiWantsIt for an unknown key, a missing one, a wrong type or a value outside its enum."""
    shape = _service(service).operation_model(operation).input_shape
    report = ParamValidator().validate(parameters, shape)
    problems = [report.generate_report()] if report.has_errors() else []
    problems += list(_outside_enum(parameters, shape, operation))
    if problems:
        raise NotAsTheApiWantsIt(f"{service}:{operation}: " + "; ".join(problems))


def _outside_enum(value: Any, shape: Any, path: str) -> list[str]:
    """botocore's validator leaves enums to the service; here there is none to leave them to."""
    if shape.type_name == "structure" and isinstance(value, dict):
        return [
            problem
            for key, item in value.items()
            if key in shape.members
            for problem in _outside_enum(item, shape.members[key], f"{path}.{key}")
        ]
    if shape.type_name == "list" and isinstance(value, list):
        return [problem for item in value for problem in _outside_enum(item, shape.member, path)]
    allowed = getattr(shape, "enum", None) if shape.type_name == "string" else None
    return [f"{path}: '{value}' is none of {len(allowed)} values"] if allowed and value not in allowed else []


def declare(
    kind: str,
    create: Callable[[Place, dict[str, Any]], Made],
    *,
    update: Callable[[Place, Made, dict[str, Any], dict[str, Any]], None] | None = None,
) -> type[CloudFormationModel]:
    """A model of one CloudFormation type. Without ``update`` a change of properties is only recorded.

    moto finds models as subclasses, and only those whose module has a dot in its name.
    """

    class Model(CloudFormationModel):
        def __init__(self, made: Made, place: Place, properties: dict[str, Any]) -> None:
            self.made, self.place, self.properties = made, place, properties

        @property
        def physical_resource_id(self) -> str:
            return self.made.id

        @staticmethod
        def cloudformation_type() -> str:
            return kind

        @staticmethod
        def cloudformation_name_type() -> str:
            return ""

        @classmethod
        def has_cfn_attr(cls, attr: str) -> bool:
            return True

        def get_cfn_attribute(self, attribute_name: str) -> str:
            if attribute_name not in self.made.attributes:
                raise KeyError(f"the model of {kind} has no attribute {attribute_name}")
            return self.made.attributes[attribute_name]

        @classmethod
        def create_from_cloudformation_json(
            cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
        ) -> Model:
            place = Place(account_id, region_name, kw["LogicalId"])
            properties = cloudformation_json["Properties"]
            made = create(place, properties)
            record("create", kind, place, properties)
            return cls(made, place, properties)

        @classmethod
        def update_from_cloudformation_json(
            cls,
            original_resource: Any,
            new_resource_name: str,
            cloudformation_json: Any,
            account_id: str,
            region_name: str,
        ) -> Any:
            properties = cloudformation_json["Properties"]
            if update is not None:
                update(
                    original_resource.place, original_resource.made, original_resource.properties, properties
                )
            record("update", kind, original_resource.place, properties)
            original_resource.properties = properties
            return original_resource

        @classmethod
        def delete_from_cloudformation_json(
            cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
        ) -> None:
            record("delete", kind, Place(account_id, region_name, resource_name), {})

    Model.__name__ = kind.replace("::", "_")
    return Model


def recorder(
    kind: str, attributes: Callable[[Place, dict[str, Any]], Mapping[str, str]] = lambda *_: {}
) -> type[CloudFormationModel]:
    """A type without any backend: its properties are written down for the test to read, nothing more."""
    return declare(kind, lambda place, p: Made(place.logical_id, attributes(place, p)))


def record(event: str, kind: str, place: Place, properties: dict[str, Any]) -> None:
    """One line of what happened to a modelled type."""
    if RECORD is None:
        return
    line = {
        "event": event,
        "type": kind,
        "account": place.account,
        "region": place.region,
        "logical_id": place.logical_id,
        "properties": properties,
    }
    with _WRITING, RECORD.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, default=str) + "\n")
