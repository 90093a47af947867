"""Tell what a Kubernetes object is, so that a wrong group or a sister kind is named, not checked blindly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.endpoint import API_VERSION, KIND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hyperpod_dpd.document import Path

GROUP = API_VERSION.partition("/")[0]
OLD_API_VERSION = f"{GROUP}/v1alpha1"

_SISTERS = {
    "JumpStartModel": "deploys a model of the SageMaker JumpStart hub",
    "ModelDeployment": "deploys a model by an older form of the operator's interface",
    "SageMakerEndpointRegistration": "is made by the operator for an endpoint",
    "BedrockEndpointRegistration": "is made by the operator for an endpoint",
    "ModelImageCache": "is made by the operator for image caching",
    "ModelWeightsCacheConfig": "is made by the operator for weight caching",
    "InferenceGatewayConfig": "configures the inference gateway",
}
_MAX_NESTING = 8


class Kind(StrEnum):
    """What an object is to us."""

    ENDPOINT = "endpoint"
    OLD_ENDPOINT = "endpoint-v1alpha1"
    WRONG_API_VERSION = "wrong-api-version"
    MISSPELLED_KIND = "misspelled-kind"
    OTHER_HYPERPOD = "other-hyperpod-kind"
    OTHER_KUBERNETES = "other-kubernetes-object"
    NOT_KUBERNETES = "not-kubernetes"


@dataclass(frozen=True, slots=True)
class Identity:
    """What an object is, a sentence about it and what to do; both are empty for a current endpoint."""

    kind: Kind
    message: str = ""
    fix: str = ""

    @property
    def is_endpoint(self) -> bool:
        """Whether the object is meant to be an InferenceEndpointConfig, rightly written or not."""
        return self.kind in (Kind.ENDPOINT, Kind.OLD_ENDPOINT, Kind.WRONG_API_VERSION, Kind.MISSPELLED_KIND)


def identify(value: Any) -> Identity:
    """Tell what ``value`` (one document, or one item of a list) is. Never raises."""
    if not isinstance(value, dict):
        return Identity(
            Kind.NOT_KUBERNETES, "This is no Kubernetes object, which would be a mapping.", _START
        )
    version, kind = value.get("apiVersion"), value.get("kind")
    if version is None and kind is None:
        return Identity(Kind.NOT_KUBERNETES, "This mapping has neither apiVersion nor kind.", _START)
    if kind == KIND:
        return _endpoint(version)
    if isinstance(version, str) and version.partition("/")[0] == GROUP:
        return _of_our_group(kind)
    if isinstance(kind, str) and isinstance(version, str):
        if _bare(kind) == _bare(KIND):
            return _misspelled(kind)
        return Identity(
            Kind.OTHER_KUBERNETES, f"{kind} of {version} is not an {KIND}.", f"Check {KIND} objects only."
        )
    absent = "kind" if not isinstance(kind, str) else "apiVersion"
    return Identity(Kind.NOT_KUBERNETES, f"This mapping has no usable {absent}.", _START)


_START = f"An endpoint starts with 'apiVersion: {API_VERSION}' and 'kind: {KIND}'."


def _endpoint(version: Any) -> Identity:
    if version == API_VERSION:
        return Identity(Kind.ENDPOINT)
    fix = f"Write 'apiVersion: {API_VERSION}'."
    if version == OLD_API_VERSION:
        message = (
            "apiVersion v1alpha1 is the older form of the resource: it has no pdSpec, kvCacheSpec,"
            " intelligentRoutingSpec, instanceTypes and worker.args."
        )
        return Identity(Kind.OLD_ENDPOINT, message, fix)
    if version is None:
        return Identity(Kind.WRONG_API_VERSION, f"This {KIND} has no apiVersion.", fix)
    group = str(version).partition("/")[0]
    fault = "no such version" if group == GROUP else "no such group"
    message = (
        f"apiVersion '{version}' is wrong: there is {fault} of {KIND}; the only current one is {API_VERSION}."
    )
    return Identity(Kind.WRONG_API_VERSION, message, fix)


def _of_our_group(kind: Any) -> Identity:
    if kind is None:
        return Identity(Kind.MISSPELLED_KIND, "kind is missing.", f"Write 'kind: {KIND}'.")
    if isinstance(kind, str) and kind in _SISTERS:
        return Identity(
            Kind.OTHER_HYPERPOD,
            f"{kind} {_SISTERS[kind]}; it has no pdSpec, so it cannot be a disaggregated endpoint.",
            f"Describe the endpoint as an {KIND}.",
        )
    from difflib import SequenceMatcher

    if SequenceMatcher(None, _bare(str(kind)), _bare(KIND)).ratio() >= 0.8:
        return _misspelled(str(kind))
    return Identity(
        Kind.OTHER_HYPERPOD, f"'{kind}' is a kind of {GROUP} that we do not know.", f"Write 'kind: {KIND}'."
    )


def _misspelled(kind: str) -> Identity:
    return Identity(Kind.MISSPELLED_KIND, f"kind '{kind}' does not exist.", f"Write 'kind: {KIND}'.")


def _bare(kind: str) -> str:
    return kind.lower().replace("_", "").replace("-", "")


def expand(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The objects in ``value`` with their paths: itself, or the items of a list object, nested ones too."""
    items = value.get("items") if isinstance(value, dict) else None
    kind = value.get("kind") if isinstance(value, dict) else None
    if (
        not isinstance(items, list)
        or not isinstance(kind, str)
        or not kind.endswith("List")
        or len(path) > _MAX_NESTING
    ):
        yield path, value
        return
    for index, item in enumerate(items):
        yield from expand(item, (*path, "items", index))
