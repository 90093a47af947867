"""Findings a user accepts with a reason, and what is wrong with an acknowledgement itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.rule import ID_PATTERN, AppliesTo, Match, Severity

_NEXT = re.compile(r"[;\n](?=\s*[dD][A-Za-z]{0,4}-?\d+\s*(?::|;|$))")
"""Where another entry begins: a reason may hold semicolons, colons and lines of its own."""
_ENTRY = re.compile(r"^([A-Za-z]+-?\d+)\s*:\s*(.*)$", re.DOTALL)
_ENDPOINT_KINDS = frozenset({AppliesTo.DISAGGREGATED, AppliesTo.ENDPOINT, AppliesTo.MANIFEST})
_ELSEWHERE = frozenset({AppliesTo.INPUTS, AppliesTo.CHANGE, AppliesTo.ENVIRONMENT_CHANGE, AppliesTo.PAIR})
"""Kinds that need more than this document, so that silence here says nothing."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """One accepted rule. ``path`` is where it is written, in the paths of its view."""

    rule: str
    reason: str
    path: Path


@dataclass(slots=True)
class Effect:
    """Ids of rules whose findings were accepted, and of those of which at least one could not be."""

    accepted: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def add(self, other: Effect) -> None:
        """Takes over what the same acknowledgements did to another object."""
        self.accepted |= other.accepted
        self.refused |= other.refused


def from_mapping(mapping: Mapping[str, str], path: Path) -> list[Acknowledgement]:
    """``acknowledge: {DPD712: reason}`` of an environment or an endpoint."""
    return [Acknowledgement(rule, reason.strip(), (*path, rule)) for rule, reason in mapping.items()]


def from_annotation(text: str, path: Path) -> list[Acknowledgement]:
    """``DPD712: reason; DPD803: reason`` of a manifest's annotation, or one entry a line."""
    found: list[Acknowledgement] = []
    for entry in filter(None, (part.strip(" \t\r\n;") for part in _NEXT.split(text))):
        match = _ENTRY.match(entry)
        if match:
            found.append(Acknowledgement(match[1], " ".join(match[2].split()), path))
        else:
            found.append(Acknowledgement(entry.split()[0].rstrip(":"), "", path))
    return found


def faults(
    acknowledgements: Iterable[Acknowledgement], effect: Effect, *, annotation: bool
) -> Iterator[tuple[str, Match]]:
    """Rule id and match for each acknowledgement that is empty, unknown, refused or without effect.

    ``effect`` is what they did to all objects that they cover.
    """
    for entry in acknowledgements:
        known = registry.find(entry.rule)
        if not ID_PATTERN.match(entry.rule) or known is None:
            meant = registry.meant(entry.rule)
            fix = f"did you mean {meant}?" if meant else None
            yield "DPD004", Match(entry.path, f"'{entry.rule}' is not a rule of this catalogue", fix=fix)
            continue
        refusal = known.refusal(Severity.ERROR if entry.rule in effect.refused else None)
        if not entry.reason:
            yield "DPD005", Match(entry.path, f"{entry.rule} is acknowledged without a reason")
        elif refusal and entry.rule not in effect.accepted - effect.refused:
            message = f"{entry.rule} ({known.rule.title}) cannot be acknowledged: {refusal}"
            yield "DPD006", Match(entry.path, message)
        elif entry.rule not in effect.accepted:
            kind = known.rule.applies_to
            if kind in _ELSEWHERE or (annotation and kind not in _ENDPOINT_KINDS):
                continue
            severity = Severity.INFO if annotation else None
            yield (
                "DPD007",
                Match(entry.path, f"{entry.rule} is acknowledged, but it does not fire here", severity),
            )
