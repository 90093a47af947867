"""Images of manifests against what roles of the templates may pull."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from hyperpod_dpd.catalog.worker_images import parse_reference, private_ecr
from hyperpod_dpd.view.templates import mapping, resources

PULL = "ecr:BatchGetImage"


def not_pullable(endpoint: Mapping[str, Any], templates: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The private ECR repository of the endpoint's worker image, if no role of the templates may pull it.

    None where no role there may pull anything: then nodes have a role that is made elsewhere.
    """
    image = mapping(mapping(endpoint.get("spec")).get("worker")).get("image")
    try:
        parsed = parse_reference(image) if isinstance(image, str) else None
    except ValueError:
        return None  # told by the rule on references
    place = private_ecr(parsed.registry) if parsed else None
    granted = list(_granted(templates))
    if parsed is None or place is None or not granted:
        return None
    account, region = place
    wanted = f":ecr:{region}:{account}:repository/{parsed.repository}"
    pulls = any(not isinstance(arn, str) or fnmatchcase(wanted, _without_partition(arn)) for arn in granted)
    return None if pulls else f"{parsed.registry}/{parsed.repository}"


def _granted(templates: Mapping[str, Mapping[str, Any]]) -> Iterator[Any]:
    """Resources on which a role that SageMaker assumes may pull; what is no text is known at deployment only."""
    for _, _, body in resources(templates, "AWS::IAM::Role"):
        properties = body["Properties"]
        if "sagemaker." not in str(properties.get("AssumeRolePolicyDocument")):
            continue
        for policy in _each(properties.get("Policies")):
            for statement in _each(mapping(mapping(policy).get("PolicyDocument")).get("Statement")):
                allowed = mapping(statement)
                if allowed.get("Effect") == "Allow" and _covers(allowed.get("Action")):
                    yield from _each(allowed.get("Resource"))


def _covers(actions: Any) -> bool:
    return any(isinstance(each, str) and fnmatchcase(PULL.lower(), each.lower()) for each in _each(actions))


def _without_partition(arn: str) -> str:
    """The pattern from the service on; a lone star is every resource."""
    return arn if arn == "*" else ":" + arn.split(":", 2)[-1]


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
