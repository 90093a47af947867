"""Write the table of Kubernetes' own kinds, in our words, from the schemas that kubernetes-validate carries."""

from __future__ import annotations

import json
import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

TARGET = (
    Path(__file__).resolve().parents[1]
    / "lib"
    / "hyperpod_dpd"
    / "catalog"
    / "data"
    / "kubernetes_kinds.yaml"
)
VERSIONS = ("1.30", "1.31", "1.32", "1.33", "1.34", "1.35")
KINDS = {
    "v1": "ConfigMap LimitRange Namespace PersistentVolume PersistentVolumeClaim Pod ReplicationController"
    " ResourceQuota Secret Service ServiceAccount",
    "admissionregistration.k8s.io/v1": "MutatingWebhookConfiguration ValidatingAdmissionPolicy"
    " ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
    "apps/v1": "DaemonSet Deployment ReplicaSet StatefulSet",
    "autoscaling/v1": "HorizontalPodAutoscaler",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "batch/v1": "CronJob Job",
    "networking.k8s.io/v1": "Ingress IngressClass NetworkPolicy",
    "node.k8s.io/v1": "RuntimeClass",
    "policy/v1": "PodDisruptionBudget",
    "rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
    "scheduling.k8s.io/v1": "PriorityClass",
    "storage.k8s.io/v1": "CSIDriver StorageClass",
}
_PLAIN = {
    "Quantity": "quantity",
    "IntOrString": "port",
    "Time": "string",
    "MicroTime": "string",
    "FieldsV1": "any",
    "RawExtension": "any",
    "ObjectMeta": "ObjectMeta",
}
_SCALARS = {"string": "string", "number": "number", "boolean": "boolean"}
_HEAD = """\
# The fields of Kubernetes' own kinds that stand beside an endpoint. Written by tools/kinds_table.py: do not edit.
#   kinds  API version and kind to the type of the object
#   types  fields separated by blanks, each a string unless it says `:type`; `!` is required, `@` the version that brought
#          it, [list], {map}, `#` the fields by which items of a list differ
sources:
  kubernetes-openapi:
    description: OpenAPI definitions of Kubernetes 1.30 to 1.35, as the package kubernetes-validate 1.37.0 carries them
    date: "2026-11-30"
source: kubernetes-openapi
"""


def definitions(version: str) -> dict[str, Any]:
    """All types of one version by their full name."""
    file = (
        files("kubernetes_validate") / "kubernetes-json-schema" / f"v{version}.0-local" / "_definitions.json"
    )
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["$defs"]
    return found


def short(name: str) -> str:
    return name.rpartition(".")[2]


class Table:
    """Types as they are met on the way down from the kinds."""

    def __init__(self) -> None:
        self.by_version = {version: definitions(version) for version in VERSIONS}
        self.types: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def named(self, full: str) -> str:
        """The short name of a type, which is read with all it holds."""
        if short(full) in _PLAIN and short(full) != "ObjectMeta":
            return _PLAIN[short(full)]
        name = self.names.get(full)
        if name is None:
            taken = set(self.names.values())
            name = short(full)
            if name in taken:
                name = "".join(part.capitalize() for part in re.split(r"[.]", full)[-3:])
            self.names[full] = name
            self.types[name] = ""
            self.types[name] = " ".join(self.fields(full))
        return name

    def fields(self, full: str) -> list[str]:
        since: dict[str, str] = {}
        latest: dict[str, Any] = {}
        required: set[str] | None = None  # by every version
        for version, known in self.by_version.items():
            for field, schema in known.get(full, {}).get("properties", {}).items():
                since.setdefault(field, version)
                latest[field] = schema
            if full in known:
                stated = set(known[full].get("required", ()))
                required = stated if required is None else required & stated
        shown = []
        for field in sorted(latest):
            kind = self.typed(latest[field])
            mark = f"@{since[field]}" if since[field] != VERSIONS[0] else ""
            text = "" if kind == "string" else f":{kind}"
            shown.append(f"{field}{'!' if field in (required or ()) else ''}{text}{mark}")
        return shown

    def typed(self, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            return self.named(schema["$ref"].rpartition("/")[2])
        kind = schema.get("type")
        kind = next((each for each in kind if each != "null"), None) if isinstance(kind, list) else kind
        if kind == "array":
            keys = schema.get("x-kubernetes-list-map-keys")
            by = f"#{','.join(keys)}" if keys and schema.get("x-kubernetes-list-type") == "map" else ""
            return f"[{self.typed(schema['items'])}]{by}"
        if kind == "object":
            return (
                f"{{{self.typed(schema['additionalProperties'])}}}"
                if "additionalProperties" in schema
                else "any"
            )
        if kind == "integer":
            return "int64" if schema.get("format") == "int64" else "integer"
        return _SCALARS.get(str(kind), "any")


def main() -> int:
    """Writes the table; with --check says whether it is what would be written."""
    table = Table()
    newest = table.by_version[VERSIONS[-1]]
    lines = [_HEAD, "kinds:"]
    for version, kinds in KINDS.items():
        for kind in kinds.split():
            group, _, number = version.rpartition("/")
            mark = {"group": group, "kind": kind, "version": number}
            full = next(n for n, d in newest.items() if mark in d.get("x-kubernetes-group-version-kind", []))
            lines.append(f"  {version} {kind}: {table.named(full)}")
    lines += ["", "types:"]
    lines += [f'  {name}: "{table.types[name]}"' for name in sorted(table.types)]
    text = "\n".join(lines) + "\n"
    if sys.argv[1:] == ["--check"]:
        return int(TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
