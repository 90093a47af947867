"""Load one environment document: every fault at once, each with file, line, path and what to change."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, TypeVar

from hyperpod_dpd.config.faults import Fault, InvalidEnvironment, from_validation
from hyperpod_dpd.document import Document, UnreadableInput, read_file

if TYPE_CHECKING:
    from pydantic import BaseModel

    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.locks import Locks
    from hyperpod_dpd.config.outputs import Outputs

    Section = TypeVar("Section", bound=BaseModel)

NAME_PATTERN = re.compile(r"^[a-z]([-a-z0-9]*[a-z0-9])?$")
NAME_MAX = 16  # bucket names carry environment, account and Region within 63 characters


@dataclass(frozen=True, slots=True)
class LoadedEnvironment:
    """A valid environment, its name, where it stands, and the late-bound facts known of it."""

    name: str
    environment: Environment
    outputs: Outputs
    document: Document
    folder: FilePath
    locks: Locks


def environment_files(folder: FilePath) -> list[FilePath]:
    """The environment documents of a folder, sorted by name."""
    return sorted(p for p in folder.glob("*.y*ml") if p.is_file())


def load_environment(path: FilePath) -> LoadedEnvironment:
    """One environment. Raises UnreadableInput or InvalidEnvironment (all faults at once)."""
    documents = read_file(path)
    if not documents:
        raise UnreadableInput(str(path), "is empty; `dpd init NAME` writes a commented start")
    if len(documents) > 1:
        raise UnreadableInput(
            str(path), "holds several YAML documents; an environment is one", documents[1].where(())
        )
    return load_document(documents[0], path)


def load_document(document: Document, path: FilePath) -> LoadedEnvironment:
    """The environment in an already read document; ``path`` gives its name and its folder."""
    from hyperpod_dpd.config.cloud_references import cloud_faults
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.existing_references import existing_faults
    from hyperpod_dpd.config.kubernetes_references import kubernetes_faults
    from hyperpod_dpd.config.locks import Locks
    from hyperpod_dpd.config.outputs import Outputs
    from hyperpod_dpd.config.references import reference_faults
    from hyperpod_dpd.config.region_references import region_faults

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
    environment, shape = validate(Environment, document)
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


def _beside(model: type[Section], path: FilePath) -> tuple[Section, list[Fault]]:
    """A file of facts that a command wrote for this environment; empty when there is none."""
    documents = read_file(path) if path.is_file() else []
    if not documents:
        return model(), []
    document = documents[0]
    found, faults = validate(model, document)
    faults += [Fault(document.file, p.position, p.path, p.message, p.fix) for p in document.problems]
    if len(documents) > 1:
        place = documents[1].where(())
        faults.append(
            Fault(document.file, place, (), "a second YAML document, which nobody reads", "remove it")
        )
    return found or model(), faults


def validate(model: type[Section], document: Document) -> tuple[Section | None, list[Fault]]:
    """The document as ``model``, or every fault of its shape."""
    from pydantic import ValidationError

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
