"""Templates and manifests of one environment as rules see them, with places in the files of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import instance_types, kubernetes
from hyperpod_dpd.document import Path, dotted
from hyperpod_dpd.iec.coercion import coerce
from hyperpod_dpd.iec.identity import identify
from hyperpod_dpd.view.context import ACCESS_TEMPLATES, HYPERPOD_TEMPLATE
from hyperpod_dpd.view.origin import Location
from hyperpod_dpd.view.pair import Disagreement, NodeHardware, disagreements
from hyperpod_dpd.view.template import TemplateView
from hyperpod_dpd.view.workloads import object_name

if TYPE_CHECKING:
    from hyperpod_dpd.document import Document
    from hyperpod_dpd.view.inputs import KubernetesObject

_SUFFIX = ".template.json"


@dataclass(frozen=True, slots=True)
class _Side:
    """Where a subject stands: its document and the place of the object in it."""

    document: Document
    base: Path


class PairView:
    """One environment's ``templates`` and ``objects``. A path begins with the index of a side."""

    def __init__(self, name: str, templates: Sequence[Document], objects: Sequence[KubernetesObject]) -> None:
        self.name = name
        self._templates = {_stack(document): document for document in templates}
        self._objects = [(item, _typed(item)) for item in objects]
        self._sides: list[_Side] = []

    @property
    def title(self) -> str:
        return f"templates and manifests of {self.name}"

    @cached_property
    def disagreements(self) -> Mapping[str, list[Disagreement]]:
        """By topic."""
        manifests = [value for _, value in self._objects]
        found: dict[str, list[Disagreement]] = {}
        for each in disagreements(
            {stack: document.value for stack, document in self._templates.items()},
            manifests,
            hardware=_hardware(),
            addon_accounts=_addon_accounts(),
        ):
            found.setdefault(each.topic, []).append(each)
        if not any(value.get("kind") == "ServiceAccount" for value in manifests):
            found.pop("service-account", None)  # the app that renders them was not given
        return found

    def lacking(self, topic: str) -> str:
        """The fact that a topic needs and that these templates cannot give, for they are a part; else nothing."""
        documents = [*self._templates.values()]
        views = TemplateView(documents[0], documents).together
        if topic not in ("bucket", "operator-identity"):
            has = any(view.resources("AWS::SageMaker::Cluster") for view in views)
            return "" if has or topic == "service-account" else HYPERPOD_TEMPLATE
        kinds = {"bucket": ("AWS::S3::Bucket",), "operator-identity": ("AWS::EKS::Addon", "AWS::IAM::Role")}
        here = any(view.resources(kind) for view in views for kind in kinds[topic])
        return "" if here and not any(view.partial for view in views) else ACCESS_TEMPLATES

    def path_of(self, found: Disagreement) -> Path:
        """Where the rules say a disagreement stands."""
        subject = found.subject.partition(", ")[0]
        place: Path = tuple(found.path.partition(", ")[0].split(".")) if found.path else ()
        for item, value in self._objects:
            if object_name(value) == subject:
                return (self._side(item.document, item.base), *place)
        stack, _, logical_id = subject.partition("/")
        document = self._templates.get(stack)
        if document is not None:
            return (self._side(document, ("Resources", logical_id)),)
        return (self._side(next(iter(self._templates.values())), ()),)

    def _side(self, document: Document, base: Path) -> int:
        self._sides.append(_Side(document, base))
        return len(self._sides) - 1

    def locate(self, path: Path) -> Location:
        index = path[0] if path else self._side(next(iter(self._templates.values())), ())
        assert isinstance(index, int)
        side = self._sides[index]
        full = (*side.base, *path[1:])
        position = side.document.where(full)
        return Location(side.document.file, position.line, position.column, dotted(full))


def _stack(document: Document) -> str:
    return PurePath(document.file).name.removesuffix(_SUFFIX)


def _typed(item: KubernetesObject) -> dict[str, Any]:
    """An endpoint with wrong types mended, other objects as they are."""
    return coerce(item.value) if identify(item.value).is_endpoint else item.value


@cache
def _hardware() -> dict[str, NodeHardware]:
    return {
        known.name: NodeHardware(gpus=known.gpus, efa_interfaces=known.efa_interfaces or 0)
        for known in instance_types.all()
    }


@cache
def _addon_accounts() -> frozenset[str]:
    return frozenset(account for addon in kubernetes.addons() for account in addon.service_accounts)
