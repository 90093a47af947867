"""What the parts of a check share: options, the findings so far, and the endpoints that were judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Document, Path, dotted
from hyperpod_dpd.rules.engine import Subject, engine_finding, judge
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.rules.rule import AppliesTo, Match
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.rules.acknowledge import Acknowledgement
    from hyperpod_dpd.rules.engine import View
    from hyperpod_dpd.sizing.geometry import Geometry
    from hyperpod_dpd.view.crd import CrdView
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.environment import EnvironmentView
    from hyperpod_dpd.view.inputs import Inputs

_ANY_ENDPOINT = (AppliesTo.MANIFEST, AppliesTo.ENDPOINT)
_DISAGGREGATED = (*_ANY_ENDPOINT, AppliesTo.DISAGGREGATED)


def endpoint_kinds(view: EndpointView) -> tuple[AppliesTo, ...]:
    """Which rules judge this endpoint."""
    return _DISAGGREGATED if view.disaggregated else _ANY_ENDPOINT


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line adds to what the files say.

    ``geometry`` is the model that lone manifests serve; ``previous`` the inputs as they were before, and
    ``removals`` whether an endpoint that only they have counts as removed.
    """

    operator: OperatorRelease | None = None
    geometry: Geometry | None = None
    crd: CrdView | None = None
    previous: Inputs | None = None
    removals: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """One endpoint, the environment or file it was found in, and what its user accepts of it."""

    scope: str
    view: EndpointView
    acknowledgements: Sequence[Acknowledgement] = ()


@dataclass(slots=True)
class Run:
    """One check while it is under way."""

    options: Options
    findings: list[Finding] = field(default_factory=list)
    digests: dict[str, set[str]] = field(default_factory=dict)
    """Environment to the digests of the documents of that name that were read."""
    environments: dict[str, EnvironmentView] = field(default_factory=dict)
    """Every environment that could be judged, by its scope."""
    unjudged: list[str] = field(default_factory=list)
    """What could not be: of it, nothing is known to be gone."""
    impact: str | None = None

    def judge(self, subject: Subject) -> None:
        """Adds every finding of the rules that apply to ``subject``."""
        self.findings += judge(subject)

    def add(self, rule_id: str, view: View, match: Match, *, place: Location | None = None) -> None:
        """Adds a finding of the engine's own."""
        self.findings.append(engine_finding(rule_id, view, match, place=place))

    def add_faults(self, view: View, faults: Iterable[tuple[str, Match]]) -> None:
        """Adds what is wrong with acknowledgements."""
        for rule_id, match in faults:
            self.add(rule_id, view, match)

    def judge_together(self, endpoints: Sequence[Judged]) -> None:
        """Rules that need several endpoints side by side, such as names that collide."""
        if len(endpoints) < 2:
            return
        from hyperpod_dpd.view.together import EndpointsView

        accepted = [entry for endpoint in endpoints for entry in endpoint.acknowledgements]
        views = EndpointsView(tuple(endpoint.view for endpoint in endpoints))
        self.judge(Subject(views, (AppliesTo.INPUTS,), accepted))


@dataclass(frozen=True, slots=True)
class FileView:
    """A document before anything is known of it but its text."""

    document: Document
    title: str

    def locate(self, path: Path) -> Location:
        position = self.document.where_key(path)
        return Location(self.document.file, position.line, position.column, dotted(path))
