"""Pydantic's errors turned into faults that point at the user's line."""

from __future__ import annotations

import difflib
import re
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from hyperpod_dpd.config.amounts import amount
from hyperpod_dpd.config.fault import Fault, FaultKind
from hyperpod_dpd.config.mending import Mend
from hyperpod_dpd.document import Document, Path

_KINDS = {"extra_forbidden": FaultKind.UNKNOWN_KEY, "missing": FaultKind.MISSING}
_WHOLE = {"int_type", "int_from_float", "int_parsing"}
_NUMBER = {*_WHOLE, "float_type", "float_parsing"}
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_SURE = 0.75
"""How like a known key another must be for its value to be judged as that key's."""
_EMPTY = {
    "string": "give a text",
    "dict": "indent its keys below it",
    "model": "indent its keys below it",
    "list": "give a list",
}
"""Beginning of pydantic's name of a type to what a key of that type without a value wants."""


def from_validation(error: ValidationError, document: Document, model: type[BaseModel]) -> list[Fault]:
    """Every error of one validation as a fault; alternatives of a union are reported once."""
    faults: dict[Path, Fault] = {}
    other_members: set[Path] = set()
    for detail in error.errors(include_url=False):
        path = _real_path(detail["loc"], document.value, missing=detail["type"] == "missing")
        if detail["type"].endswith("_type"):
            other_members.add(path)
        message, fix = _explain(dict(detail), path, document, model)
        position = (
            document.where_key(path)
            if detail["type"] in {"extra_forbidden", "missing"} or detail["loc"][-1:] == ("[key]",)
            else document.where(path)
        )
        kind = _KINDS.get(detail["type"], FaultKind.TYPE)
        mend = _mend(dict(detail), path, document, model)
        faults.setdefault(path, Fault(document.file, position, path, message, fix, kind, mend))
    mends = [fault.mend for fault in faults.values() if fault.mend]
    renamed = {(*mend.path[:-1], mend.to) for mend in mends if mend.act == "rename"}
    for path in renamed:
        if path in faults and faults[path].kind is FaultKind.MISSING:  # what is missing stands there misspelt
            del faults[path]
    deeper = {path[:depth] for path in faults for depth in range(len(path))}
    return [fault for path, fault in faults.items() if path not in other_members & deeper]


def _real_path(location: tuple[int | str, ...], value: Any, *, missing: bool = False) -> Path:
    """Drops the parts that pydantic adds for union members, which name nothing in the document."""
    path: list[int | str] = []
    if location[-1:] == ("[key]",):  # the key itself is at fault, not what it holds
        return _real_path(location[:-1], value)
    last = len(location) - 1
    for index, part in enumerate(location):
        if isinstance(value, dict):
            if part in value:
                path.append(part)
                value = value[part]
            elif index == last and missing:
                path.append(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            path.append(part)
            value = value[part]
    return tuple(path)


def _explain(
    detail: dict[str, Any], path: Path, document: Document, model: type[BaseModel]
) -> tuple[str, str]:
    kind = detail["type"]
    context = detail.get("ctx", {})
    value = detail.get("input")
    shown = _show(value)
    key = str(path[-1]) if path else "document"
    if kind == "missing":
        return f"'{key}' is missing", f"add `{key}:{_example(model, path)}`"
    if kind == "extra_forbidden":
        return f"'{key}' is not a key here", _suggest(key, path, model)
    if value is None:
        wanted = _EMPTY.get(kind.partition("_")[0], "give it a value")
        return f"`{key}:` is empty", wanted if _required(model, path) else f"{wanted}, or remove the key"
    if kind in {"string_type", "string_sub_type"}:
        if isinstance(value, (int, float, bool)):
            source = _source_text(document, path)
            return (
                f"{source or shown} is read as a {_kind(value)}, a string is needed",
                f'quote it: "{source or shown}"',
            )
        return f"{shown} is a {_kind(value)}, a string is needed", "write one string"
    if kind == "string_pattern_mismatch":
        is_key = detail["loc"][-1:] == ("[key]",)
        return f"{shown} does not have the form {context.get('pattern')}", _form_fix(
            model, path, is_key=is_key
        )
    if kind == "value_error":
        return f"{shown} cannot be used: {context.get('error')}", _form_fix(model, path, is_key=False)
    if kind == "literal_error":
        expected = str(context.get("expected"))
        return f"{shown} is not allowed", f"use one of {expected}" + _close(value, expected)
    if kind in _NUMBER:
        sort = "whole number" if kind in _WHOLE else "number"
        meant = amount(key, value) if isinstance(value, str) else None
        fix = f"write a {sort} without quotes" if meant is None else f"write {key}: {meant}"
        return f"{shown} is a {_kind(value)}, a {sort} is needed", fix
    if kind == "bool_type":
        return f"{shown} is a {_kind(value)}, true or false is needed", "write true or false without quotes"
    if kind in {"dict_type", "model_type", "model_attributes_type"}:
        return f"{shown} is a {_kind(value)}, a mapping of keys is needed", "indent its keys below it"
    if kind in {"list_type", "tuple_type"}:
        return f"{shown} is a {_kind(value)}, a list is needed", "write [a, b] or lines that begin with '- '"
    if kind == "too_short":
        least = context.get("min_length")
        return (
            f"has {context.get('actual_length')} entries, at least {least} are needed",
            f"give {least} or more",
        )
    if kind == "too_long":
        most, actual = context.get("max_length"), context.get("actual_length")
        return f"has {actual} entries, at most {most} are allowed", f"keep {most} or fewer"
    if kind == "string_too_long":
        return f"{shown} is longer than {context.get('max_length')} characters", "shorten it"
    if kind == "string_too_short":
        return "is empty", "give a value or remove the key"
    bounds = {
        "greater_than": "more than {gt}",
        "greater_than_equal": "{ge} or more",
        "less_than": "less than {lt}",
        "less_than_equal": "at most {le}",
    }
    if kind in bounds:
        return f"{shown} is out of range", f"use {bounds[kind].format(**context)}"
    return f"{shown}: {detail.get('msg', kind)}", "correct the value"


def _show(value: Any) -> str:
    text = (
        re.sub(r"//[^/\s]*@", "//...@", repr(value)) if isinstance(value, str) else str(value)
    )  # no password
    if isinstance(value, (dict, list)):
        text = f"this {_kind(value)}"
    return text if len(text) <= 80 else text[:77] + "..."


def _kind(value: Any) -> str:
    names = {
        bool: "truth value",
        int: "number",
        float: "number",
        str: "string",
        dict: "mapping",
        list: "list",
    }
    return "missing value" if value is None else names.get(type(value), type(value).__name__)


def _source_text(document: Document, path: Path) -> str | None:
    return document.sources.get(path)


def _required(model: type[BaseModel], path: Path) -> bool:
    parent = _model_at(model, path[:-1])
    field = parent.model_fields.get(str(path[-1])) if parent and path else None
    return field is not None and field.is_required()


def _fields_at(model: type[BaseModel], path: Path) -> list[str]:
    found = _model_at(model, path)
    return sorted(found.model_fields) if found else []


def _model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The section that describes ``path``, looking through lists, mappings and optional types."""
    current: Any = model
    for part in path:
        if isinstance(current, type) and issubclass(current, BaseModel):
            field = current.model_fields.get(str(part))
            current = field.annotation if field else None
        else:
            current = _item(current)
        current = _strip(current)
        if current is None:
            return None
    return current if isinstance(current, type) and issubclass(current, BaseModel) else None


def _item(annotation: Any) -> Any:
    arguments = get_args(annotation)
    return arguments[-1] if arguments else None


def _strip(annotation: Any) -> Any:
    """Optional[X], Annotated[X, ...] and X | Y as the X that is a section, else unchanged."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _strip(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        choices = [_strip(a) for a in get_args(annotation) if a is not type(None)]
        sections = [c for c in choices if isinstance(c, type) and issubclass(c, BaseModel)]
        return (sections or choices or [None])[0]
    return annotation


def _mend(detail: dict[str, Any], path: Path, document: Document, model: type[BaseModel]) -> Mend | None:
    """What the user surely meant; None where that is open."""
    kind, value = detail["type"], detail.get("input")
    key = str(path[-1]) if path else ""
    if kind == "missing" or not path or detail["loc"][-1:] == ("[key]",):
        return None
    if kind == "extra_forbidden":
        close = _close_key(key, _fields_at(model, path[:-1]), cutoff=_SURE)
        return Mend("rename", path, close) if close else Mend("remove", path)
    if value is None:
        return Mend("remove", path)
    if kind == "string_type" and isinstance(value, (int, float, bool)):
        return Mend("set", path, _source_text(document, path) or str(value))
    if kind in _NUMBER and isinstance(value, str):
        meant = amount(key, value)
        return None if meant is None else Mend("set", path, meant)
    if kind == "bool_type" and str(value).lower() in _TRUTH:
        return Mend("set", path, _TRUTH[str(value).lower()])
    if kind == "literal_error":
        choice = _closest(value, str(detail.get("ctx", {}).get("expected")))
        return Mend("set", path, choice) if choice else None
    if kind == "list_type" and isinstance(value, (str, int)):
        return Mend("set", path, [value])
    return None


def _suggest(key: str, path: Path, model: type[BaseModel]) -> str:
    allowed = _fields_at(model, path[:-1])
    close = _close_key(key, allowed)
    if close:
        return f"did you mean '{close}'?"
    home = next((name for name in allowed if key in _fields_at(model, (*path[:-1], name))), None)
    if home:
        return f"it belongs below '{home}:'"
    return f"allowed are {', '.join(allowed)}" if allowed else "remove it"


def _close_key(key: str, allowed: list[str], *, cutoff: float = 0.65) -> str | None:
    spelled = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).replace("-", "_").lower()
    close = difflib.get_close_matches(spelled, allowed, n=1, cutoff=cutoff)
    return close[0] if close else None


def _close(value: Any, expected: str) -> str:
    choice = _closest(value, expected)
    return f" (did you mean '{choice}'?)" if choice else ""


def _closest(value: Any, expected: str) -> str | None:
    choices = [c.strip("' ") for c in expected.replace(" or ", ", ").split(",")]
    close = difflib.get_close_matches(str(value), choices, n=1, cutoff=0.6)
    return close[0] if close else None


def _form_fix(model: type[BaseModel], path: Path, *, is_key: bool) -> str:
    example = _example(model, path, is_key=is_key)
    return f"write it like{example}" if example else "correct its form"


def _example(model: type[BaseModel], path: Path, *, is_key: bool = False) -> str:
    """An example of the field at ``path``, or of the keys or entries of the mapping or list that holds it."""
    parent = _model_at(model, path[:-1])
    field = parent.model_fields.get(str(path[-1])) if parent and path else None
    within = field is None
    if field is None:
        parents = _model_at(model, path[:-2]) if len(path) > 1 else None
        field = parents.model_fields.get(str(path[-2])) if parents else None
    if field is None:
        return ""
    if field.examples:
        return f" {field.examples[0]}"
    arguments = get_args(field.annotation)
    if within:
        arguments = arguments[:1] if is_key else arguments[-1:]
    for argument in (field.annotation, *arguments):
        for extra in get_args(argument)[1:]:
            examples = getattr(extra, "examples", None)
            if examples:
                return f" {examples[0]}"
    return ""
