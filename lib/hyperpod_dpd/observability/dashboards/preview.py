"""The boards drawn from recorded scenarios: one HTML page that needs nothing but itself."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.observability.dashboards.boards import endpoint_boards
from hyperpod_dpd.observability.dashboards.queries import BEFORE, BEFORE_STEPS
from hyperpod_dpd.observability.rules import endpoint_rules
from hyperpod_dpd.observability.scenarios.catalogue import LIVE
from hyperpod_dpd.observability.scenarios.recording import STEP_SECONDS, Recording
from hyperpod_dpd.observability.scenarios.scenario import Scenario

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
    from hyperpod_dpd.observability.dashboards.model import Board, Line, Panel

_INK, _MUTED, _GRID, _BAD = "#1b1f24", "#57606a", "#d8dee4", "#b3261e"
_COLOURS = ("#0b5cad", "#d1660f", "#2b7a3d", "#7a3e9d", "#8a6d00")
_STYLES = ("-", (0, (5, 2)), (0, (2, 1.5)), (0, (7, 2, 2, 2)), (0, (1, 1)))
"""Lines often lie on each other: the later ones leave gaps, so that the earlier ones show."""
_UNITS = {
    "s": "seconds",
    "Bps": "GB/s",
    "percentunit": "%",
    "reqps": "requests/s",
    "bytes": "GiB",
    "percent": "%",
}
_FACTORS = {"Bps": 1e-9, "percentunit": 100.0, "bytes": 2.0**-30}
_STYLE = """
:root{color-scheme:light}*{box-sizing:border-box}
body{margin:0;background:#f6f8fa;color:#1b1f24;font:15px/1.45 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
main{max-width:1240px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:26px;margin:0 0 6px}h2{font-size:20px;margin:36px 0 4px;border-top:2px solid #d0d7de;padding-top:20px}
h3{font-size:15px;margin:18px 0 8px;color:#57606a;font-weight:600}
p{margin:4px 0 10px;max-width:86ch}nav a{margin-right:14px}a{color:#0b5cad}
.row{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:14px}
.panel{background:#fff;border:1px solid #d0d7de;border-radius:8px;padding:12px 14px}
.panel h4{margin:0 0 2px;font-size:15px}.panel p{font-size:13px;color:#57606a;margin:0 0 6px;min-height:36px}
.panel svg{width:100%;height:auto;display:block}.panel footer{font-size:12px;color:#57606a;margin-top:4px}
table{border-collapse:collapse;margin:8px 0}td,th{text-align:left;padding:4px 14px 4px 0;vertical-align:top}
th{border-bottom:1px solid #d0d7de}.none{color:#57606a;font-size:13px;padding:40px 0;text-align:center}
@media(max-width:820px){.row{grid-template-columns:minmax(0,1fr)}}
"""


def preview(blueprint: Blueprint, *, scenarios: Sequence[Scenario] = LIVE) -> str:
    """The page. The same blueprint and the same matplotlib give the same bytes.

    Raises ModuleNotFoundError where matplotlib is not installed (extra ``report``).
    """
    sections = [
        _scenario(blueprint, plan, scenario)
        for plan in blueprint.endpoints
        if plan.topology == "disaggregated"
        for scenario in scenarios
    ]
    links = "".join(
        f"<nav><strong>{html.escape(plan.name)}</strong> "
        + "".join(
            f'<a href="#{plan.name}-{scenario.name}">{html.escape(scenario.title)}</a> '
            for scenario in scenarios
        )
        + "</nav>"
        for plan in blueprint.endpoints
        if plan.topology == "disaggregated"
    )
    title = f"Dashboards of {html.escape(blueprint.name)}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f"<h1>{title}</h1><p>Drawn from recorded scenarios, not from your cluster. Each panel is the one that "
        "Grafana gets; a dotted red line is the limit of the alert named below it.</p>"
        f"{links}{_objectives(blueprint)}{''.join(sections)}</main></body></html>\n"
    )


def _objectives(blueprint: Blueprint) -> str:
    rows: list[str] = []
    omitted: list[str] = []
    for plan in blueprint.endpoints:
        rules = endpoint_rules(blueprint, plan)
        for objective in rules.signals.objectives:
            rows.append(
                f"<tr><td>{html.escape(plan.name)}</td><td>{objective.percentile:.0%} of "
                f"{html.escape(objective.histogram)}</td><td>{objective.declared_seconds} s</td>"
                f"<td>measured at {objective.bound_seconds} s</td></tr>"
            )
        omitted += [
            f"<tr><td>{html.escape(plan.name)}</td><td>{item.alert}</td><td>{html.escape(item.reason)}</td></tr>"
            for item in rules.omitted
        ]
    return _table("<th>Endpoint</th><th colspan=3>Objective</th>", rows) + _table(
        "<th>Endpoint</th><th>Alert left out</th><th>Reason</th>", omitted
    )


def _table(head: str, rows: Sequence[str]) -> str:
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>" if rows else ""


def _scenario(blueprint: Blueprint, plan: EndpointPlan, scenario: Scenario) -> str:
    rules = endpoint_rules(blueprint, plan)
    recording = scenario.record(rules.signals)
    alerts = ", ".join(sorted(scenario.alerts)) or "none"
    boards = endpoint_boards(blueprint, plan)
    # One board in full for the healthy endpoint, the way of the KV cache and the tails for faults.
    wanted = boards if not scenario.alerts else tuple(b for b in boards if b.key in ("overview", "kv-path"))
    return (
        f'<section id="{plan.name}-{scenario.name}"><h2>{html.escape(plan.name)}: {html.escape(scenario.title)}</h2>'
        f"<p>{scenario.minutes} minutes. Alerts that fire: <strong>{alerts}</strong>.</p>"
        f"{''.join(_board(board, recording) for board in wanted)}</section>"
    )


def _board(board: Board, recording: Recording) -> str:
    parts = []
    for row in board.rows:
        panels = "".join(_panel(panel, recording, board.key) for panel in row.panels)
        parts.append(
            f'<h3>{html.escape(board.title)} / {html.escape(row.title)}</h3><div class="row">{panels}</div>'
        )
    return "".join(parts)


def _panel(panel: Panel, recording: Recording, board: str) -> str:
    drawn = _plot(panel, recording, f"{recording.name}/{board}/{panel.title}")
    limit = ""
    if panel.limit is not None:
        value = panel.limit.value * _FACTORS.get(panel.unit, 1.0)
        limit = f"limit {value:,.4g} {_UNITS.get(panel.unit, '')} ({panel.limit.worse} is worse); "
    return (
        f'<div class="panel"><h4>{html.escape(panel.title)}</h4><p>{html.escape(_told(panel.description))}</p>'
        f"{drawn}<footer>{limit}runbook {html.escape(panel.runbook)}</footer></div>"
    )


def _told(description: str) -> str:
    """Grafana fills in its variable; here 'before' is what the recordings are compared with."""
    return description.replace(BEFORE, f"{BEFORE_STEPS * STEP_SECONDS // 60} minutes")


def _lines(line: Line, recording: Recording, factor: float) -> dict[str, list[float]]:
    """Values by legend; a step without a value is a gap."""
    found: dict[str, list[float]] = {}
    fields = re.findall(r"\{\{(\w+)\}\}", line.legend)
    for step in range(recording.steps):
        for key, value in line.query.answer(recording, step).items():
            name = line.legend
            for field, text in zip(fields, key, strict=False):
                name = name.replace(f"{{{{{field}}}}}", text)
            found.setdefault(name, [float("nan")] * recording.steps)[step] = value * factor
    return found


def _plot(panel: Panel, recording: Recording, salt: str) -> str:
    """An SVG whose ids follow from ``salt``, so that many stand in one page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    factor = _FACTORS.get(panel.unit, 1.0)
    drawn = {name: ys for line in panel.lines for name, ys in _lines(line, recording, factor).items()}
    if not drawn:
        return '<div class="none">The recordings hold no such series.</div>'
    with mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 10, "text.color": _INK}):
        figure = Figure(figsize=(6.0, 2.5), layout="constrained")
        axes = figure.add_subplot()
        minutes = [step * recording.step_seconds / 60 for step in range(recording.steps)]
        for index, (name, values) in enumerate(drawn.items()):
            colour = _COLOURS[index % len(_COLOURS)]
            style = _STYLES[index % len(_STYLES)]
            axes.plot(minutes, values, label=name, color=colour, linewidth=1.8, linestyle=style)
        if panel.limit is not None:
            axes.axhline(panel.limit.value * factor, color=_BAD, linestyle=":", linewidth=1.6)
        axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
        axes.set_xlim(0, recording.minutes)
        axes.set_xlabel("minutes", color=_MUTED)
        axes.set_ylabel(panel.axis or _UNITS.get(panel.unit, ""), color=_MUTED)
        axes.grid(color=_GRID, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=_MUTED)
        if len(drawn) > 1 or next(iter(drawn)) != panel.title:
            figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    label = html.escape(f"{panel.title} over {recording.minutes} minutes")
    return svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
