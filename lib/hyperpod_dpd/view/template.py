"""One CloudFormation template as rules see it: resources by type, references followed, places in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Any

from hyperpod_dpd.document import Document, Path, dotted
from hyperpod_dpd.view.origin import Location
from hyperpod_dpd.view.template_nesting import NESTED_STACK, is_template_of
from hyperpod_dpd.view.template_values import branches

_FAR = 8  # references across stacks are followed this far: stacks may be nested in a circle by mistake
_SUFFIXES = (".template.json", ".template.yaml", ".json", ".yaml", ".yml")


class TemplateView:
    """Paths are those of the template, such as ``("Resources", "Nodes", "Properties", "InstanceGroups", 0)``.

    ``beside`` holds the other templates of the same assembly, through which references across stacks are
    followed; without them an import stays unknown. ``views`` are those of one assembly by their documents.
    """

    def __init__(
        self,
        document: Document,
        beside: Sequence[Document] = (),
        views: dict[int, TemplateView] | None = None,
    ) -> None:
        self.document = document
        self.beside = beside
        self._views = {} if views is None else views
        self._views[id(document)] = self

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
        """The resource that a Ref, Fn::GetAtt or Fn::ImportValue leads to, and the template that has it.

        Parameters and outputs of nested stacks are followed where both templates are at hand; of an Fn::If it is
        the first branch that leads to one.
        """
        return self._target(value, _FAR)

    def _target(self, value: Any, steps: int) -> tuple[TemplateView, str] | None:
        if not isinstance(value, Mapping) or len(value) != 1 or not steps:
            return None
        [(function, argument)] = value.items()
        if function == "Fn::If":
            found = (self._target(branch, steps - 1) for branch in branches(value))
            return next((each for each in found if each), None)
        if function == "Fn::ImportValue":
            return self._imported(argument, steps)
        if function == "Ref":
            name, attribute = argument, ""
        elif function == "Fn::GetAtt":
            name, attribute = _attribute(argument)
        else:
            return None
        if not isinstance(name, str):
            return None
        if name in self.bodies:
            output = attribute.removeprefix("Outputs.")
            return (self, name) if output == attribute else self._given_by(name, output, steps)
        return self._given_to(name, steps)

    def _imported(self, export: Any, steps: int) -> tuple[TemplateView, str] | None:
        for other in self.others:
            value = other.exports.get(export) if isinstance(export, str) else None
            if value is not None:
                return other._target(value, steps - 1)
        return None

    def _given_by(self, stack: str, output: str, steps: int) -> tuple[TemplateView, str] | None:
        """What an output of a nested stack stands for."""
        for inner in self.others:
            if is_template_of(self.bodies[stack], inner.document.file):
                body = inner._outputs.get(output)
                return inner._target(body.get("Value") if isinstance(body, Mapping) else None, steps - 1)
        return None

    def _given_to(self, parameter: str, steps: int) -> tuple[TemplateView, str] | None:
        """What the stack around this one gives as a parameter."""
        for outer in self.others:
            for logical_id, properties in outer.resources(NESTED_STACK):
                given = properties.get("Parameters")
                if isinstance(given, Mapping) and is_template_of(
                    outer.bodies[logical_id], self.document.file
                ):
                    return outer._target(given.get(parameter), steps - 1)
        return None

    def is_parameter(self, name: Any) -> bool:
        """Whether a Ref to ``name`` is given from outside: a parameter of the template, or one that AWS fills in."""
        value = self.document.value
        parameters = value.get("Parameters") if isinstance(value, Mapping) else None
        return str(name).startswith("AWS::") or (isinstance(parameters, Mapping) and str(name) in parameters)

    def leads(self, value: Any, view: TemplateView, name: str) -> bool:
        """Whether a reference in this template leads to the resource ``name`` of ``view``."""
        found = self.target(value)
        return found is not None and found[1] == name and found[0].document is view.document

    @cached_property
    def others(self) -> tuple[TemplateView, ...]:
        """The other templates of the same assembly, each read once for all of them."""
        return tuple(
            self._views.get(id(document)) or TemplateView(document, self.beside, self._views)
            for document in self.beside
            if document is not self.document
        )

    @property
    def together(self) -> tuple[TemplateView, ...]:
        """This template and the others of the assembly."""
        return (self, *self.others)

    def anywhere(self, kind: str) -> Iterator[tuple[TemplateView, str, Mapping[str, Any]]]:
        """Every resource of one type in the whole assembly, with the template that has it."""
        for view in self.together:
            for logical_id, properties in view.resources(kind):
                yield view, logical_id, properties

    @cached_property
    def partial(self) -> bool:
        """Whether some nested stack's template is not at hand: what is not here may be there."""
        files = [view.document.file for view in self.together]
        return any(
            not any(is_template_of(view.bodies[logical_id], file) for file in files)
            for view, logical_id, _ in self.anywhere(NESTED_STACK)
        )

    @cached_property
    def _outputs(self) -> Mapping[str, Any]:
        value = self.document.value
        outputs = value.get("Outputs") if isinstance(value, Mapping) else None
        return outputs if isinstance(outputs, Mapping) else {}

    @cached_property
    def exports(self) -> Mapping[str, Any]:
        """What each export of this template stands for, by its name where that is plain text."""
        found: dict[str, Any] = {}
        for output in self._outputs.values():
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


def _attribute(argument: Any) -> tuple[Any, str]:
    """Logical id and attribute of Fn::GetAtt in either form."""
    parts = argument.split(".", 1) if isinstance(argument, str) else argument
    if not isinstance(parts, list) or not parts:
        return None, ""
    return parts[0], ".".join(map(str, parts[1:]))
