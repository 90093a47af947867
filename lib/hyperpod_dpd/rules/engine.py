"""Run rules over views: facts that are missing become notes, a rule that crashes becomes a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Protocol

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.acknowledge import Acknowledgement, Effect
from hyperpod_dpd.rules.finding import Finding, ordered
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule, Match
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.origin import Location
from hyperpod_dpd.view.wording import in_keys_of_environment

MOST_MATCHES = 500
"""Findings of one rule on one view; what follows would only bury the others."""


class View(Protocol):
    """What the engine needs of a view: its name in reports and the places behind its paths."""

    @property
    def title(self) -> str: ...

    def locate(self, path: Path) -> Location: ...


@dataclass(slots=True)
class Subject:
    """One view, the kinds of rule that judge it, and what its user has acknowledged, to what effect."""

    view: View
    kinds: tuple[AppliesTo, ...]
    acknowledgements: Sequence[Acknowledgement] = ()
    effect: Effect = field(default_factory=Effect)


def judge(subject: Subject) -> list[Finding]:
    """Every finding of every rule that applies to one subject, acknowledged ones marked."""
    found: list[Finding] = []
    missing: dict[str, tuple[MissingFact, list[str]]] = {}
    for loaded in registry.rules_for(subject.kinds):
        if loaded.check is None:
            continue
        try:
            matches = list(islice(loaded.check(subject.view), MOST_MATCHES + 1))
        except MissingFact as fact:
            missing.setdefault(fact.fact, (fact, []))[1].append(loaded.rule.id)
            continue
        except Exception as error:  # a bug in a rule must not hide what the other rules see
            found.append(_crash(subject, loaded, error))
            continue
        found += [finding(loaded, subject.view, match) for match in matches[:MOST_MATCHES]]
        if len(matches) > MOST_MATCHES:
            text = f"there are more than these {MOST_MATCHES} of {loaded.rule.id}, and no more are listed"
            found.append(finding(loaded, subject.view, replace(matches[-1], message=text)))
    found = [_acknowledge(subject, f) for f in found]
    found += [_not_checked(subject, fact, ids) for fact, ids in missing.values()]
    return list(ordered(found))


def finding(loaded: LoadedRule, view: View, match: Match, *, place: Location | None = None) -> Finding:
    """One match as a finding at the user's line."""
    rule = loaded.rule
    where = place or view.locate(match.path)
    fix = match.fix or rule.fix
    if where.of_environment:
        fix = in_keys_of_environment(fix, where.path)
    return Finding(
        id=rule.id,
        severity=match.severity or rule.severity,
        title=rule.title,
        message=match.message,
        why=loaded.why,
        fix=fix,
        sources=rule.sources,
        file=where.file,
        line=where.line,
        column=where.column,
        path=where.path,
        object=view.title,
    )


def engine_finding(rule_id: str, view: View, match: Match, *, place: Location | None = None) -> Finding:
    """A finding that the engine itself makes, under the id registered for it."""
    return finding(registry.get(rule_id), view, match, place=place)


def _acknowledge(subject: Subject, found: Finding) -> Finding:
    for acknowledgement in subject.acknowledgements:
        if acknowledgement.rule == found.id and acknowledgement.reason:
            if registry.get(found.id).refusal(found.severity):
                subject.effect.refused.add(found.id)
                return found
            subject.effect.accepted.add(found.id)
            return replace(found, acknowledged=acknowledgement.reason)
    return found


def _crash(subject: Subject, loaded: LoadedRule, error: Exception) -> Finding:
    trace: Any = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    message = f"rule {loaded.rule.id} failed on this input: {type(error).__name__}: {error}{place}"
    return engine_finding("DPD001", subject.view, Match((), message))


def _not_checked(subject: Subject, fact: MissingFact, ids: Iterable[str]) -> Finding:
    rules = ", ".join(sorted(ids))
    message = f"not checked, because nothing here declares the {fact.fact}: {rules}"
    return engine_finding("DPD003", subject.view, Match((), message, fix=fact.how))
