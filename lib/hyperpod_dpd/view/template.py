"""One CloudFormation template as rules see it: resources by type, references followed, places in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Any

from hyperpod_dpd.document import Document, Path, dotted
from hyperpod_dpd.view.origin import Location

_SUFFIXES = (".template.json", ".template.yaml", ".json", ".yaml", ".yml")


class TemplateView:
    """Paths are those of the template, such as ``("Resources", "Nodes", "Properties", "InstanceGroups", 0)``.

    ``beside`` holds the other templates of the same assembly, through which references across stacks are
    followed; without them an import stays unknown.
    """

    def __init__(self, document: Document, beside: Sequence[Document] = ()) -> None:
        self.document = document
        self.beside = beside

    @property
    def title(self) -> str:
        name = PurePath(self.document.file).name
        for suffix in _SUFFIXES:
            if name.endswith(suffix):
                name = name.removesuffix(suffix)
                break
        return f"template {name}"

    def locate(self, path: Path) -> Location:
        position = self.document.where_key(path)
        return Location(self.document.file, position.line, position.column, dotted(path))

    @cached_property
    def bodies(self) -> Mapping[str, Mapping[str, Any]]:
        """Every well-formed resource by its logical id."""
        value = self.document.value
        found = value.get("Resources") if isinstance(value, Mapping) else None
        items = found.items() if isinstance(found, Mapping) else ()
        return {key: body for key, body in items if isinstance(body, Mapping)}

    @cached_property
    def _by_type(self) -> Mapping[str, list[tuple[str, Mapping[str, Any]]]]:
        found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for logical_id, body in self.bodies.items():
            properties = body.get("Properties")
            entry = (logical_id, properties if isinstance(properties, Mapping) else {})
            found.setdefault(str(body.get("Type")), []).append(entry)
        return found

    def resources(self, kind: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Logical id and properties of every resource of one type, such as ``AWS::SageMaker::Cluster``."""
        return self._by_type.get(kind, [])

    def property_path(self, logical_id: str, *rest: str | int) -> Path:
        """Where a property of a resource stands."""
        return ("Resources", logical_id, "Properties", *rest)

    def target(self, value: Any) -> tuple[TemplateView, str] | None:
        """The resource that a Ref, Fn::GetAtt or Fn::ImportValue leads to, and the template that has it."""
        if not isinstance(value, Mapping) or len(value) != 1:
            return None
        [(function, argument)] = value.items()
        if function == "Fn::ImportValue":
            return self._imported(argument)
        if function == "Ref":
            name = argument
        elif function == "Fn::GetAtt":
            first = argument.split(".") if isinstance(argument, str) else argument
            name = first[0] if isinstance(first, list) and first else None
        else:
            return None
        return (self, name) if isinstance(name, str) and name in self.bodies else None

    def _imported(self, export: Any) -> tuple[TemplateView, str] | None:
        for other in self._others:
            value = other.exports.get(export) if isinstance(export, str) else None
            if value is not None:
                return other.target(value)
        return None

    @cached_property
    def _others(self) -> tuple[TemplateView, ...]:
        return tuple(TemplateView(document) for document in self.beside if document is not self.document)

    @cached_property
    def exports(self) -> Mapping[str, Any]:
        """What each export of this template stands for, by its name where that is plain text."""
        value = self.document.value
        outputs = value.get("Outputs") if isinstance(value, Mapping) else None
        found: dict[str, Any] = {}
        for output in outputs.values() if isinstance(outputs, Mapping) else ():
            export = output.get("Export") if isinstance(output, Mapping) else None
            name = export.get("Name") if isinstance(export, Mapping) else None
            if isinstance(name, str):
                found[name] = output.get("Value")
        return found

    def instance_groups(self) -> Iterator[tuple[Path, Mapping[str, Any], Mapping[str, Any]]]:
        """Path and body of every instance group of every HyperPod cluster, with the cluster's properties."""
        for logical_id, properties in self.resources("AWS::SageMaker::Cluster"):
            groups = properties.get("InstanceGroups")
            for index, group in enumerate(groups if isinstance(groups, list) else ()):
                if isinstance(group, Mapping):
                    yield self.property_path(logical_id, "InstanceGroups", index), group, properties
