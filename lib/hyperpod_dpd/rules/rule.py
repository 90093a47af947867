"""What a rule is: one decorator with its record over one pure function. A rule file is written like this:

    from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

    @rule(
        ("DPD612", "health-check-path", ERROR, DISAGGREGATED),
        title="The router does not answer the health check",
        what="That loadBalancer.healthCheckPath is /health.",
        why="The router answers /health only; its target never becomes healthy.",
        fine="Never.",
        fix="set loadBalancer.healthCheckPath to /health",
        sources="SageMaker developer guide, DPD page, example | production-stack, routes of the router",
        before="spec: {loadBalancer: {healthCheckPath: /ping}}",
        after="spec: {loadBalancer: {healthCheckPath: /health}}",
    )
    def check(endpoint: EndpointView) -> Matches:
        if endpoint.get("loadBalancer", "healthCheckPath") == "/ping":
            yield Match(("spec", "loadBalancer", "healthCheckPath"), "the router does not answer /ping")

The file is called dpd612_health_check_path.py and listed in catalogue.py; `make docs` writes its page. Long texts are
triple-quoted, their white space is folded; an example keeps its lines, less four spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.document import Path as Path

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import ChangeView as ChangeView
    from hyperpod_dpd.view.change import RemovalView as RemovalView
    from hyperpod_dpd.view.crd import CrdView as CrdView
    from hyperpod_dpd.view.endpoint import EndpointView as EndpointView
    from hyperpod_dpd.view.environment import EnvironmentView as EnvironmentView
    from hyperpod_dpd.view.environment_change import EnvironmentChangeView as EnvironmentChangeView
    from hyperpod_dpd.view.object import ObjectView as ObjectView
    from hyperpod_dpd.view.pair_view import PairView as PairView
    from hyperpod_dpd.view.template import TemplateView as TemplateView
    from hyperpod_dpd.view.together import EndpointsView as EndpointsView
else:  # names for annotations alone: who makes a view loads its class, rules do not
    ChangeView = EnvironmentChangeView = RemovalView = CrdView = EndpointView = EnvironmentView = Any
    ObjectView = PairView = TemplateView = EndpointsView = Any

ID_PATTERN = re.compile(r"^DPD(\d{3}|1[01]\d{2})$")


class Severity(StrEnum):
    """How bad a finding is; only errors make `dpd check` fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


ERROR, WARNING, INFO = Severity


class AppliesTo(StrEnum):
    """Which view a rule's function is called with."""

    DISAGGREGATED = "disaggregated"  # EndpointView of an endpoint with pdSpec
    ENDPOINT = "endpoint"  # EndpointView of any endpoint
    MANIFEST = "manifest"  # EndpointView, for what its text says before wrong types are mended
    OBJECT = "object"  # a Kubernetes object that is no InferenceEndpointConfig v1
    ENVIRONMENT = "environment"  # EnvironmentView
    INPUTS = "inputs"  # all EndpointViews of one run
    CRD = "crd"  # CrdView: the user's own resource definition
    CHANGE = "change"  # ChangeView: an endpoint and what it was before
    ENVIRONMENT_CHANGE = "environment change"  # EnvironmentChangeView: an environment and what it was before
    REMOVAL = "removal"  # RemovalView: an endpoint that is there no more
    TEMPLATE = "template"  # TemplateView
    PAIR = "pair"  # PairView: templates and manifests of one environment
    ENGINE = "engine"  # raised by the engine itself, no function


(
    DISAGGREGATED, ENDPOINT, MANIFEST, OBJECT, ENVIRONMENT, INPUTS, CRD, CHANGE, ENVIRONMENT_CHANGE, REMOVAL,
    TEMPLATE, PAIR, ENGINE,
) = AppliesTo  # fmt: skip

_NOWHERE = {
    AppliesTo.ENGINE: "it is about the check itself",
    AppliesTo.TEMPLATE: "it judges CloudFormation templates, which no acknowledgement of an environment or a manifest "
    "reaches; in a CDK app, CDK's own Validations.acknowledge does",
    AppliesTo.OBJECT: "it judges objects that carry no acknowledgement",
    AppliesTo.CRD: "it judges the cluster's resource definition, which carries no acknowledgement",
    AppliesTo.REMOVAL: "it judges endpoints that are there no more, with their acknowledgements",
}
"""Kinds of rule whose findings nobody can acknowledge, for want of a place to write it."""


_SHOWN_BY_ITSELF = frozenset(
    {ENVIRONMENT, TEMPLATE, PAIR, CHANGE, ENVIRONMENT_CHANGE, OBJECT, CRD, REMOVAL},
)
"""Kinds whose examples are parts of what the kind is named after; those of other kinds are parts of a manifest."""


@dataclass(frozen=True, slots=True)
class Match:
    """One place where a rule fires. ``severity`` and ``fix`` replace the rule's own where a case differs."""

    path: Path
    message: str
    severity: Severity | None = None
    fix: str | None = None


Matches = Iterator[Match]
"""What a rule's function gives."""


def once(matches: Iterable[Match]) -> Matches:
    """The first match of each place: what both roles share would be told twice."""
    seen: set[Path] = set()
    for match in matches:
        if match.path not in seen:
            seen.add(match.path)
            yield match


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A part of a document that fires the rule and the same part put right.

    Both are YAML merged into a healthy base of kind ``of``, which tests/support has: null removes a key, and ``args``
    may be a mapping of flags. ``previous`` is put into what came earlier, for rules that compare two states.
    """

    before: str
    after: str
    of: str = "manifest"
    previous: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The facts of one rule. ``fix`` is an instruction; ``sources`` say who states the condition.

    ``what`` it checks, ``why`` that matters and when it is ``fine`` are prose. ``covers`` names the entries of the
    collected conditions (tests/rules/source_ids.yaml) that this rule judges. ``waivable`` says that even its errors
    may be acknowledged; its warnings and notes always may (see ``LoadedRule.refusal``).
    """

    id: str
    name: str
    severity: Severity
    applies_to: AppliesTo
    title: str
    what: str
    why: str
    fine: str
    fix: str
    sources: tuple[str, ...]
    covers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    waivable: bool = False
    example: Example | None = None

    def __call__(self, check: Callable[[Any], Matches]) -> LoadedRule:
        """The rule with its function, so that the record stands over it as a decorator."""
        return LoadedRule(self, check)


def rule(
    head: tuple[str, str, Severity, AppliesTo],
    *,
    title: str,
    what: str,
    why: str,
    fine: str,
    fix: str,
    sources: str,
    covers: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    waivable: bool = False,
    of: str = "",
    previous: str = "",
    before: str = "",
    after: str = "",
) -> Rule:
    """The record of one rule; ``head`` is its id, name, severity and subject, and ``|`` stands between ``sources``.

    ``of`` says what the example is a part of where the subject does not. Raises ValueError for an id of another form.
    """
    rule_id, name, severity, subject = head
    if not ID_PATTERN.match(rule_id):
        raise ValueError(f"{rule_id} is not a rule id")
    part_of = of or (subject.value if subject in _SHOWN_BY_ITSELF else "manifest")
    example = Example(before=_lines(before), after=_lines(after), of=part_of, previous=_lines(previous))
    return Rule(
        id=rule_id,
        name=name,
        severity=severity,
        applies_to=subject,
        title=title,
        what=_folded(what),
        why=_folded(why),
        fine=_folded(fine),
        fix=_folded(fix),
        sources=tuple(_folded(sources).split(" | ")),
        covers=covers,
        tags=tags,
        waivable=waivable,
        example=example if before else None,
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


def _lines(text: str) -> str:
    return text.replace("\n    ", "\n").strip()


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule with its function; the engine's own rules have none."""

    rule: Rule
    check: Callable[[Any], Matches] | None = None

    def matches(self, view: Any) -> Matches:
        """The places of ``view`` where the rule fires."""
        return iter(()) if self.check is None else self.check(view)

    @property
    def why(self) -> str:
        return self.rule.why

    def refusal(self, severity: Severity | None = None) -> str | None:
        """Why a finding of this severity (of the rule's own, unless given) cannot be acknowledged; None if it can.

        Warnings and notes are risks that somebody may take. An error is a deployment that does not work, and a
        reason mends nothing, unless the rule says that a case is known in which it does (``waivable``).
        """
        nowhere = _NOWHERE.get(self.rule.applies_to)
        if nowhere:
            return nowhere
        if self.rule.waivable or (severity or self.rule.severity) is not Severity.ERROR:
            return None
        return f"it is an error that no reason mends. {self.why.removesuffix('.')}"

    @property
    def waivable(self) -> bool:
        """Whether a finding of the rule's own severity may be acknowledged."""
        return self.refusal() is None


def load(module: ModuleType) -> LoadedRule:
    """The rule that one module defines: over ``check``, or alone as ``RULE`` where the engine raises it."""
    check: LoadedRule | None = getattr(module, "check", None)
    return check if check is not None else LoadedRule(module.RULE)
