"""A document as an environment: its shape, the names it refers to, and the facts that commands wrote beside it."""

from __future__ import annotations

import json
import math
from pathlib import Path as FilePath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hyperpod_dpd.config.cloud_references import cloud_faults
from hyperpod_dpd.config.environment import Environment
from hyperpod_dpd.config.existing_references import existing_faults
from hyperpod_dpd.config.fault import Fault, InvalidEnvironment
from hyperpod_dpd.config.faults import from_validation
from hyperpod_dpd.config.kubernetes_references import kubernetes_faults
from hyperpod_dpd.config.loaded import NAME_MAX, NAME_PATTERN, LoadedEnvironment
from hyperpod_dpd.config.locks import Locks
from hyperpod_dpd.config.outputs import Outputs
from hyperpod_dpd.config.references import reference_faults
from hyperpod_dpd.config.region_references import region_faults
from hyperpod_dpd.document import Document, read_file

_Section = TypeVar("_Section", bound=BaseModel)


def validated(document: Document, path: FilePath) -> LoadedEnvironment:
    """The environment in a document. Raises InvalidEnvironment with every fault of it and of the files beside it."""
    name = path.stem
    faults = [Fault(document.file, p.position, p.path, p.message, p.fix) for p in document.problems]
    if not NAME_PATTERN.fullmatch(name) or len(name) > NAME_MAX:
        faults.append(
            Fault(
                document.file,
                document.where(()),
                (),
                f"the file name gives the environment its name, and '{name}' cannot be one",
                f"use at most {NAME_MAX} of a-z, 0-9 and '-', beginning with a letter",
            )
        )
    environment, shape = shaped(Environment, document)
    faults += shape
    if environment is not None:
        faults += reference_faults(environment, document, path.parent)
        faults += kubernetes_faults(environment, document)
        faults += cloud_faults(environment, document)
        faults += existing_faults(environment, document)
        faults += region_faults(environment, document)
    outputs, more = _beside(Outputs, path.parent / "outputs" / f"{name}.yaml")
    locks, still_more = _beside(Locks, path.parent / "locks" / f"{name}.json")
    faults += more + still_more
    if environment is None:
        raise InvalidEnvironment(document.file, faults)
    loaded = LoadedEnvironment(name, environment, outputs, document, path.parent, locks)
    if faults:
        raise InvalidEnvironment(document.file, faults, loaded)
    return loaded


def _beside(model: type[_Section], path: FilePath) -> tuple[_Section, list[Fault]]:
    """A file of facts that a command wrote for this environment; empty when there is none."""
    documents = read_file(path) if path.is_file() else []
    if not documents:
        return model(), []
    document = documents[0]
    found, faults = shaped(model, document)
    faults += [Fault(document.file, p.position, p.path, p.message, p.fix) for p in document.problems]
    if len(documents) > 1:
        place = documents[1].where(())
        faults.append(
            Fault(document.file, place, (), "a second YAML document, which nobody reads", "remove it")
        )
    return found or model(), faults


def shaped(model: type[_Section], document: Document) -> tuple[_Section | None, list[Fault]]:
    """The document as ``model``, or every fault of its shape; faults of its text are ``document.problems``."""
    if not isinstance(document.value, dict):
        kind = "list" if isinstance(document.value, list) else "single value"
        return None, [
            Fault(
                document.file,
                document.where(()),
                (),
                f"is a {kind}, a mapping is needed",
                "write 'key: value' lines",
            )
        ]
    try:
        return model.model_validate_json(json.dumps(_finite(document.value)), strict=True), []
    except ValidationError as error:
        return None, from_validation(error, document, model)


def _finite(value: Any) -> Any:
    """JSON knows no infinity: such numbers become text, which the shape then refuses by name."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_finite(v) for v in value]
    return value
