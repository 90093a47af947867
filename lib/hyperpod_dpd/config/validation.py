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
from hyperpod_dpd.config.fault import Fault, FaultKind, InvalidEnvironment
from hyperpod_dpd.config.faults import from_validation
from hyperpod_dpd.config.kubernetes_references import kubernetes_faults
from hyperpod_dpd.config.loaded import NAME_MAX, NAME_PATTERN, LoadedEnvironment
from hyperpod_dpd.config.locks import Locks
from hyperpod_dpd.config.mending import mended
from hyperpod_dpd.config.outputs import Outputs
from hyperpod_dpd.config.references import reference_faults
from hyperpod_dpd.config.region_references import region_faults
from hyperpod_dpd.document import Document, read_file

_Section = TypeVar("_Section", bound=BaseModel)


def validated(document: Document, path: FilePath) -> LoadedEnvironment:
    """The environment in a document. Raises InvalidEnvironment with every fault of it and of the files beside it."""
    name = path.stem
    faults = _of_the_text(document)
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
    if environment is None:
        document, environment = _meant(document, shape)
    if environment is not None:
        names = _name_faults(environment, document, path.parent)
        faults += names
        if any(fault.mend for fault in names):
            document, better = _meant(document, [fault for fault in names if fault.mend])
            environment = better or environment
    outputs, more = _beside(Outputs, path.parent / "outputs" / f"{name}.yaml")
    locks, still_more = _beside(Locks, path.parent / "locks" / f"{name}.json")
    faults += more + still_more
    if environment is None:
        raise InvalidEnvironment(document.file, faults)
    loaded = LoadedEnvironment(name, environment, outputs, document, path.parent, locks)
    if faults:
        raise InvalidEnvironment(document.file, faults, loaded)
    return loaded


def _name_faults(environment: Environment, document: Document, folder: FilePath) -> list[Fault]:
    return [
        *reference_faults(environment, document, folder),
        *kubernetes_faults(environment, document),
        *cloud_faults(environment, document),
        *existing_faults(environment, document),
        *region_faults(environment, document),
    ]


def _meant(document: Document, faults: list[Fault]) -> tuple[Document, Environment | None]:
    """The document as it was surely meant, and what it then says; None where one fault leaves that open."""
    mends = [fault.mend for fault in faults if fault.mend is not None]
    if len(mends) < len(faults):
        return document, None
    better = mended(document, mends)
    return better, shaped(Environment, better)[0]


def _of_the_text(document: Document) -> list[Fault]:
    return [
        Fault(document.file, p.position, p.path, p.message, p.fix, FaultKind.TEXT) for p in document.problems
    ]


def _beside(model: type[_Section], path: FilePath) -> tuple[_Section, list[Fault]]:
    """A file of facts that a command wrote for this environment; empty when there is none."""
    documents = read_file(path) if path.is_file() else []
    if not documents:
        return model(), []
    document = documents[0]
    found, faults = shaped(model, document)
    faults += _of_the_text(document)
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
                FaultKind.TYPE,
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
