"""Compare a value with the field tree and collect every difference, never only the first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import Field
from hyperpod_dpd.iec.advice import advise
from hyperpod_dpd.iec.problem import SchemaProblem, joined, place, shown, sort_of
from hyperpod_dpd.iec.releases import is_newer
from hyperpod_dpd.iec.scalars import pairs_without_space, scalar_problems

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path


@dataclass(slots=True)
class Traversal:
    """One comparison of a value with the tree.

    ``tree`` is searched for where an unknown field belongs. ``skip`` holds the places whose value is still to
    be replaced: nothing is reported of them, ``refused`` keeps those where not even that value is acceptable.
    """

    tree: Field
    release: str | None = None
    skip: frozenset[Path] = frozenset()
    problems: list[SchemaProblem] = field(default_factory=list)
    refused: set[Path] = field(default_factory=set)

    def report(self, kind: str, path: Path, value: Any, message: str, fix: str) -> None:
        self.problems.append(SchemaProblem(kind=kind, path=path, value=value, message=message, fix=fix))

    def visit(self, node: Field, value: Any, path: Path) -> None:
        """Compare ``value`` at ``path`` with ``node``."""
        if node.type == "opaque" or (value is None and node.nullable):
            return
        if path in self.skip:
            trial = Traversal(self.tree, self.release)
            trial.visit(node, value, path)
            if trial.problems:
                self.refused.add(path)
            return
        if node.type == "object":
            self._object(node, value, path)
        elif node.type == "map":
            self._map(node, value, path)
        elif node.type == "list":
            self._list(node, value, path)
        else:
            self.problems.extend(scalar_problems(node, value, path))

    def _object(self, node: Field, value: Any, path: Path) -> None:
        if not self._is_mapping(value, path):
            return
        for key, child in value.items():
            at = (*path, key)
            known = node.fields.get(key) if isinstance(key, str) else None
            if known is None:
                self._unknown(node, key, child, path)
            elif child is None:
                self._null(node, known, at)
            else:
                self._check_release(known, child, at)
                self.visit(known, child, at)
        for name in node.required:
            if value.get(name) is None:
                self._missing(node, name, value, path)

    def _map(self, node: Field, value: Any, path: Path) -> None:
        if not self._is_mapping(value, path) or node.item is None:
            return
        for key, child in value.items():
            if not isinstance(key, str):
                self._key_not_string(key, child, path)
            elif child is None:
                self._null(node, node.item, (*path, key))
            else:
                self.visit(node.item, child, (*path, key))

    def _list(self, node: Field, value: Any, path: Path) -> None:
        if not isinstance(value, list):
            message, fix = _not_a_list(node, value, path)
            self.report("wrong-type", path, value, message, fix)
            return
        for limit, wrong, word in (
            (node.min_items, node.min_items is not None and len(value) < node.min_items, "at least"),
            (node.max_items, node.max_items is not None and len(value) > node.max_items, "at most"),
        ):
            if wrong:
                self.report(
                    "item-count",
                    path,
                    value,
                    f"{place(path)} has {len(value)} items; {word} {limit} are allowed.",
                    f"Give {place(path)} {word} {limit} items.",
                )
        if node.item is not None:
            for index, child in enumerate(value):
                self.visit(node.item, child, (*path, index))
        self._duplicates(node, value, path)

    def _null(self, parent: Field, node: Field, path: Path) -> None:
        """An explicit null, which the server replaces by a default and refuses where there is none.

        Of metadata it takes a null for nothing, except in labels and annotations; status is not the user's.
        """
        of_frame = path[0] == "metadata" and parent.type != "map"
        if len(path) == 1 and path[0] in ("apiVersion", "kind", "status"):
            of_frame = True
        if of_frame or node.nullable or node.default is not None or path[-1] in parent.required:
            return
        pair = path == ("spec", "pdSpec")
        what = "without its fields the endpoint is not disaggregated, and " if pair else ""
        self.report(
            "wrong-type",
            path,
            None,
            f"{place(path)} is left empty, which is null: {what}the API server refuses null here.",
            f"Write what belongs to {place(path)}, or remove the key.",
        )

    def _is_mapping(self, value: Any, path: Path) -> bool:
        if isinstance(value, dict):
            return True
        message, fix = _not_a_mapping(value, path)
        self.report("wrong-type", path, value, message, fix)
        return False

    def _check_release(self, node: Field, value: Any, path: Path) -> None:
        if not is_newer(node, self.release):
            return
        known = (
            f"came with operator release {node.since}"
            if node.certain
            else f"came after release {self.release}"
        )
        self.report(
            "newer-release",
            path,
            value,
            f"{place(path)} {known}; release {self.release} drops it without a word, or refuses the manifest"
            f" when validation is strict.{' ' + node.note if node.note else ''}",
            f"Upgrade the operator to {node.since} or later, or remove {path[-1]}."
            if node.certain
            else f"Upgrade the operator, or remove {path[-1]}.",
        )

    def _unknown(self, node: Field, key: Any, value: Any, path: Path) -> None:
        if not isinstance(key, str):
            self._key_not_string(key, value, path)
            return
        advice = advise(node, path, key, self.tree)
        self.report(
            "unknown-field",
            (*path, key),
            value,
            f"{place(path)} has no field {key}; {advice.message}",
            advice.fix,
        )

    def _key_not_string(self, key: Any, value: Any, path: Path) -> None:
        self.report(
            "wrong-type",
            (*path, key),
            value,
            f"A key of {place(path)} is {sort_of(key)}, and keys must be strings.",
            f'Write the key in quotes: "{shown(key)}".',
        )

    def _missing(self, node: Field, name: str, value: dict[Any, Any], path: Path) -> None:
        at = (*path, name)
        child = node.fields.get(name)
        state = "is empty" if name in value else "is missing"
        allowed = f" Allowed: {', '.join(map(str, child.enum))}." if child and child.enum else ""
        inner = f" with {joined(child.required)}" if child and child.required else ""
        self.report(
            "missing",
            at,
            None,
            f"{place(at)} {state}, and it is required.{allowed}",
            f"Add {name}{inner} to {place(path)}.",
        )

    def _duplicates(self, node: Field, value: list[Any], path: Path) -> None:
        if not node.distinct and not node.unique:
            return
        seen: dict[Any, int] = {}
        for index, item in enumerate(value):
            identity = _identity(node, item)
            if identity is None:
                continue
            first = seen.setdefault(identity, index)
            if first != index:
                self._duplicate(node, item, path, first, index)

    def _duplicate(self, node: Field, item: Any, path: Path, first: int, index: int) -> None:
        key = node.distinct[0] if node.distinct else None
        named = item[key] if key else item
        at = (*path, index, key) if key else (*path, index)
        what = "the variable" if path and path[-1] in ("environmentVariables", "env") else key or "the value"
        self.report(
            "duplicate-key-entry",
            at,
            named,
            f"{place(path)} gives {what} {shown(named)} twice, in items {first} and {index}.",
            f"Keep one of the two entries for {shown(named)}.",
        )


def _identity(node: Field, item: Any) -> Any:
    """What must differ between the items of a list, or None when the item has none."""
    if node.unique:
        return (type(item).__name__, item) if isinstance(item, str | int | float) else None
    if not isinstance(item, dict) or node.item is None:
        return None
    parts = []
    for key in node.distinct:
        part = item.get(key)
        if part is None:
            part = node.item.fields[key].default if key in node.item.fields else None
        if not isinstance(part, str | int | float) or (isinstance(part, float) and math.isnan(part)):
            return None
        parts.append(str(part))
    return tuple(parts)


def _not_a_mapping(value: Any, path: Path) -> tuple[str, str]:
    if isinstance(value, str) and pairs_without_space(value):
        return (
            f"{place(path)} must be a mapping but is {sort_of(value)}: YAML needs a space after each colon.",
            "Put a space after every colon, one 'key: value' per line.",
        )
    return (
        f"{place(path)} must be a mapping of fields but is {sort_of(value)}.",
        f"Write the fields of {place(path)} indented below it, as 'key: value'.",
    )


def _not_a_list(node: Field, value: Any, path: Path) -> tuple[str, str]:
    message = f"{place(path)} must be a list but is {sort_of(value)}."
    if node.item is not None and set(node.item.required) == {"name"} and isinstance(value, dict):
        return message, f"Write each entry of {place(path)} as '- name: NAME' and 'value: \"VALUE\"'."
    if isinstance(value, str):
        return message, f"Write one list item per word of {place(path)}, each after '- '."
    return message, f"Write the entries of {place(path)} as list items, each after '- '."
