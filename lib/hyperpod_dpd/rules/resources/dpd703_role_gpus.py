"""
What it checks
--------------
That each role asks for whole GPUs (nvidia.com/gpu), with requests equal to limits; parts of a GPU (MIG) are
refused.

Why it matters
--------------
The pods of a disaggregated endpoint take their resources from the role alone. Without a GPU limit they start
without GPUs; the API refuses an extended resource whose request and limit differ; a MIG slice has neither
NVLink nor EFA.

When this is fine
-----------------
Limits alone are completed by Kubernetes; whether the operator is content with that is not confirmed, so it is
a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD703",
    name="role-gpus",
    severity=Severity.ERROR,
    title="A role does not ask for its GPUs as it must",
    fix="set nvidia.com/gpu in requests and in limits of the role, to the same number",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, resources of a role",
        "Kubernetes documentation, extended resources",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R140",),
    tags=("resources",),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {resources: {requests: {nvidia.com/gpu: '4'}}}}}",
        after="spec: {pdSpec: {prefillSpec: {resources: {requests: {nvidia.com/gpu: '8'}}}}}",
    ),
)

_SLICE = "nvidia.com/mig-"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    name = names.GPU_RESOURCE
    for role in endpoint.roles:
        path = (*role.path, "resources")
        limits, requests = role.resources.get("limits", {}), role.resources.get("requests", {})
        sliced = next((key for key in (*limits, *requests) if str(key).startswith(_SLICE)), None)
        limit, request = limits.get(name), requests.get(name)
        if sliced is not None:
            yield Hit(
                path, f"{role.role} asks for a part of a GPU ({sliced}); disaggregation needs whole ones"
            )
        elif limit is None and request is None:
            yield Hit(path, f"{role.role} asks for no {name}; what worker.resources says does not count")
        elif limit is None:
            yield Hit(
                path, f"{role.role} has a request of {request} {name} and no limit, which the API refuses"
            )
        elif request is None:
            yield Hit(
                path,
                f"{role.role} has a limit of {limit} {name} and no request; that this is enough is not confirmed",
                Severity.WARNING,
            )
        elif str(limit) != str(request):
            yield Hit(
                path, f"{role.role} requests {request} {name} and limits it to {limit}; both must be equal"
            )
        elif not role.gpus:
            yield Hit(path, f"{role.role} asks for {limit} {name}, and a pod takes a whole number above 0")
