"""A short fingerprint of each CloudFormation template: a change shows in review, an asset's hash does not."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

_ASSET_HASH = re.compile(r"(?<!sha256:)(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_CONSTRUCT_PATHS = ("aws:cdk:path", "aws:asset:")


def fingerprint(template: Mapping[str, Any]) -> dict[str, Any]:
    """``digest`` of the normalised template and ``resources``, how many of each type it holds.

    Normalised: keys sorted, asset hashes blanked (image digests, ``sha256:...``, stay), construct paths and
    CDK's own metadata resource dropped.
    """
    resources = {
        logical_id: _without_paths(body)
        for logical_id, body in template.get("Resources", {}).items()
        if body.get("Type") != "AWS::CDK::Metadata"
    }
    text = json.dumps({**template, "Resources": resources}, sort_keys=True, separators=(",", ":"))
    kinds = Counter(body["Type"] for body in resources.values())
    return {
        "digest": sha256(_ASSET_HASH.sub("asset", text).encode()).hexdigest(),
        "resources": dict(sorted(kinds.items())),
    }


def fingerprints(templates: Mapping[str, Mapping[str, Any]]) -> str:
    """``stacks.json`` of one environment: every template's fingerprint by stack name, as text."""
    found = {name: fingerprint(template) for name, template in sorted(templates.items())}
    return json.dumps(found, indent=2, sort_keys=True) + "\n"


def read_templates(folder: Path) -> dict[str, dict[str, Any]]:
    """Templates of one cloud assembly by stack name; ``folder`` is one Stage's in ``cdk.out``.

    Raises OSError where there is no assembly.
    """
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    stacks = [
        (artifact["properties"].get("stackName", name), artifact["properties"]["templateFile"])
        for name, artifact in manifest["artifacts"].items()
        if artifact["type"] == "aws:cloudformation:stack"
    ]
    return {name: json.loads((folder / file).read_text(encoding="utf-8")) for name, file in sorted(stacks)}


def _without_paths(body: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {k: v for k, v in body.get("Metadata", {}).items() if not k.startswith(_CONSTRUCT_PATHS)}
    rest = {key: value for key, value in body.items() if key != "Metadata"}
    return {**rest, "Metadata": metadata} if metadata else rest
