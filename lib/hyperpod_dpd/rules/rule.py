"""What a rule is: a frozen record beside one pure function, and what that function may yield."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import ModuleType
from typing import Any

from hyperpod_dpd.document import Path

ID_PATTERN = re.compile(r"^DPD(\d{3}|1[01]\d{2})$")
_HEADING = re.compile(r"^(What it checks|Why it matters|When this is fine)\n-+\n", re.MULTILINE)


class Severity(StrEnum):
    """How bad a finding is; only errors make `dpd check` fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


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
    REMOVAL = "removal"  # RemovalView: an endpoint that is there no more
    TEMPLATE = "template"  # TemplateView
    PAIR = "pair"  # PairView: templates and manifests of one environment
    ENGINE = "engine"  # raised by the engine itself, no function


_NOWHERE = {
    AppliesTo.ENGINE: "it is about the check itself",
    AppliesTo.TEMPLATE: "it judges CloudFormation templates, which no acknowledgement of an environment or a manifest "
    "reaches; in a CDK app, CDK's own Validations.acknowledge does",
    AppliesTo.OBJECT: "it judges objects that carry no acknowledgement",
    AppliesTo.CRD: "it judges the cluster's resource definition, which carries no acknowledgement",
    AppliesTo.REMOVAL: "it judges endpoints that are there no more, with their acknowledgements",
}
"""Kinds of rule whose findings nobody can acknowledge, for want of a place to write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A part of a document that fires the rule and the same part put right.

    Both are YAML merged into a healthy base (null removes a key; ``args`` may be a mapping of flags): the manifest
    that environments/dev.yaml leads to, or, where ``of`` is "environment", that document itself, or, where it is
    "template", the small CloudFormation template of tests/support/templates.py. ``previous`` is put into what came
    earlier, for rules that compare two states of an endpoint ("change").
    """

    before: str
    after: str
    of: str = "manifest"
    previous: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The facts of one rule. ``fix`` is an instruction; ``sources`` say who states the condition.

    ``covers`` names the entries of the collected conditions (tests/rules/source_ids.yaml) that this rule judges.
    ``waivable`` says that even its errors may be acknowledged; its warnings and notes always may (see
    ``LoadedRule.refusal``).
    """

    id: str
    name: str
    severity: Severity
    title: str
    fix: str
    sources: tuple[str, ...]
    applies_to: AppliesTo
    covers: tuple[str, ...] = ()
    waivable: bool = False
    tags: tuple[str, ...] = ()
    example: Example | None = None

    def __post_init__(self) -> None:
        if not ID_PATTERN.match(self.id):
            raise ValueError(f"{self.id} is not a rule id")


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a rule fires. ``severity`` and ``fix`` replace the rule's own where a case differs."""

    path: Path
    message: str
    severity: Severity | None = None
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule with its function and the text of its docstring."""

    rule: Rule
    check: Callable[[Any], Iterator[Hit]] | None
    doc: str = field(repr=False)

    def section(self, heading: str) -> str:
        """The docstring's part under ``heading`` as one line of text."""
        return _sections(self.doc).get(heading, "")

    @property
    def why(self) -> str:
        return self.section("Why it matters")

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


@cache
def _sections(doc: str) -> dict[str, str]:
    parts = _HEADING.split(doc)
    return {name: " ".join(body.split()) for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def load(module: ModuleType) -> LoadedRule:
    """The rule that one module defines."""
    return LoadedRule(module.RULE, getattr(module, "check", None), module.__doc__ or "")
