"""What is wrong with an override before anything is rendered: its place, its value, or an object that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.config.renderable import refuse_what_javascript_changes, refuse_what_no_metadata_holds

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.fault import Complaint
    from hyperpod_dpd.config.overrides import Override, Patch
    from hyperpod_dpd.document import Path

_NAMING = frozenset({"/apiVersion", "/kind", "/status", "/metadata", "/metadata/name", "/metadata/namespace"})
_ENDPOINT = "InferenceEndpointConfig"
_KINDS = (
    "AppProject Application ClusterSecretStore ConfigMap CronJob DaemonSet Deployment ExternalSecret"
    " GitRepository Grafana GrafanaDashboard GrafanaDatasource HelmRelease InferenceEndpointConfig Ingress"
    " Job Kustomization Namespace NetworkPolicy ObservabilityConfig PersistentVolume PersistentVolumeClaim"
    " PodDisruptionBudget PodMonitor PriorityClass PrometheusRule ResourceQuota Role RoleBinding Secret"
    " SecretStore Service ServiceAccount ServiceMonitor StorageClass"
)
RENDERED_KINDS = frozenset(_KINDS.split())
"""Every kind of object that any environment leads to."""


def override_complaints(environment: Environment) -> Iterator[Complaint]:
    """In the order of the document. What only the rendered object can tell is told when it is rendered."""
    for index, override in enumerate(environment.overrides):
        yield from _object(environment, override, ("overrides", index))
        for number, patch in enumerate(override.patch):
            path: Path = ("overrides", index, "patch", number)
            yield from _place(patch, path)
            if override.kind != _ENDPOINT:  # the rules see an endpoint as it becomes
                yield from _value(patch, path)


def _object(environment: Environment, override: Override, path: Path) -> Iterator[Complaint]:
    if override.kind not in RENDERED_KINDS:
        yield (
            (*path, "kind"),
            f"no {override.kind} is rendered by any environment",
            "correct the kind, or remove it",
        )
    elif override.kind == _ENDPOINT:
        endpoint = environment.endpoints.get(override.name)
        if endpoint is None:
            known = (
                ", ".join(sorted(environment.endpoints)) or "an endpoint of this document, which has none yet"
            )
            yield (*path, "name"), f"no {_ENDPOINT} '{override.name}' is rendered", f"use {known}"
        elif override.namespace not in (None, endpoint.namespace):
            yield (
                (*path, "namespace"),
                f"endpoint '{override.name}' is not in namespace '{override.namespace}'",
                f"write {endpoint.namespace}, or leave 'namespace' out",
            )


def _place(patch: Patch, path: Path) -> Iterator[Complaint]:
    if (patch.source is None) == (patch.op in {"move", "copy"}):
        yield path, f"'source' belongs to move and copy, and this is '{patch.op}'", "correct one of them"
    changed = {"path": patch.path, **({"source": patch.source or ""} if patch.op == "move" else {})}
    for key, pointer in changed.items():
        if pointer in _NAMING or pointer.startswith("/status/"):
            yield (
                (*path, key),
                f"'{pointer}' is what names the object, or what the cluster writes",
                "patch another field",
            )


def _value(patch: Patch, path: Path) -> Iterator[Complaint]:
    """A value that no manifest can hold, judged as the renderer judges the whole object."""
    if patch.op not in ("add", "replace"):
        return
    at = (*path, "value")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in patch.path.split("/")[1:]]
    try:
        refuse_what_javascript_changes({"kind": "value", "metadata": {}, "value": patch.value})
        if steps[0] == "metadata" and len(steps) in (2, 3) and steps[1] in ("labels", "annotations"):
            entries = patch.value if len(steps) == 2 else {steps[2]: patch.value}
            refuse_what_no_metadata_holds({"kind": "value", "metadata": {"name": "", steps[1]: entries}})
    except ValueError as error:
        message = str(error).removeprefix("value : ").removeprefix("value").lstrip(": .")
        yield at, f"cannot be rendered: {message}", "write another value, or take it out"
