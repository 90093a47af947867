"""
What it checks
--------------
That the model, given by --model or as the positional argument, is the mount path, where weights come from S3, FSx or
a volume. A folder below it is a warning; so is no model at all.

Why it matters
--------------
The engine finds no model, or loads one from the internet under that name. Without --model vLLM serves its own small
default model.

When this is fine
-----------------
With weights from Hugging Face that the engine downloads itself, which is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD510",
    name="model-path",
    severity=Severity.ERROR,
    title="--model is not where the weights are mounted",
    fix="give --model the path where the weights are mounted",
    sources=(
        "SageMaker developer guide, DPD page, example",
        "LMCache 0.4.3, the cache key holds the model's path",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R97", "E-84"),
    tags=("arguments", "weights"),
    example=Example(
        before="spec: {worker: {args: {--model: /models/llama}}}",
        after="spec: {worker: {args: {--model: /opt/ml/model}}}",
    ),
)

FLAG = "--model"
_MOUNTED = ("s3", "fsx", "kubernetesVolume")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("modelSourceConfig", "modelSourceType") not in _MOUNTED:
        return
    default = engine_defaults.manifest_default("spec.worker.modelVolumeMount.mountPath")
    mount = endpoint.get("worker", "modelVolumeMount", "mountPath") or (default.value if default else "")
    mount = str(mount).rstrip("/")
    seen: set[Path] = set()
    for role in endpoint.roles:
        given = role.arguments.last(FLAG)
        path = given.value_path if given else ("spec", "worker", "args")
        if path in seen:
            continue
        seen.add(path)
        if given is None:
            yield Hit(
                path,
                f"no model is named, and the weights are mounted at {mount}; that the image names one is not confirmed",
                Severity.WARNING,
                fix=f"add --model {mount}",
            )
        elif given.value is not None and "$" not in given.value and given.value.rstrip("/") != mount:
            below = given.value.startswith(f"{mount}/")
            yield Hit(
                path,
                f"--model is '{given.value}' and the weights are mounted at '{mount}'"
                + ("; right only if they hold that folder" if below else ""),
                Severity.WARNING if below else None,
            )
