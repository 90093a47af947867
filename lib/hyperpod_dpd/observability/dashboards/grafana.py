"""Boards as Grafana's JSON, built with the foundation SDK so that its types vouch for the schema."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from grafana_foundation_sdk.builders import common, dashboard, prometheus, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.common import GraphThresholdsStyleMode
from grafana_foundation_sdk.models.dashboard import (
    DashboardLinkType,
    DataSourceRef,
    Threshold,
    ThresholdsMode,
)

from hyperpod_dpd.observability.dashboards.boards import endpoint_boards

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.observability.dashboards.model import Board, Panel

_SHIPPED = ("Inference", "Tasks", "Cluster")
_BAD, _GOOD = "red", "green"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """One board: name of its object, uid in Grafana, its JSON."""

    name: str
    uid: str
    text: str


def dashboards(blueprint: Blueprint) -> tuple[Rendered, ...]:
    """Every board of the environment. The same blueprint gives the same bytes."""
    watch = blueprint.observability
    runbooks = (watch and watch.runbook_url) or "docs/runbooks"
    return tuple(
        _render(blueprint.name, board, runbooks)
        for plan in blueprint.endpoints
        for board in endpoint_boards(blueprint, plan)
    )


def _render(environment: str, board: Board, runbooks: str) -> Rendered:
    uid = f"dpd-{sha256(f'{environment}/{board.endpoint}/{board.key}'.encode()).hexdigest()[:20]}"
    made = (
        dashboard.Dashboard(f"{board.title} ({environment})")
        .uid(uid)
        .description(board.description)
        .tags(["dpd", environment, board.endpoint])
        .time("now-3h", "now")
        .refresh("1m")
        .readonly()
        .with_variable(dashboard.DatasourceVariable("datasource").label("Data source").type("prometheus"))
    )
    if board.compares:
        made = made.with_variable(
            dashboard.CustomVariable("before").label("Before").values("1h,6h,1d,7d,28d")
        )
    for shipped in _SHIPPED:
        link = dashboard.DashboardLink(f"Shipped: {shipped}")
        made = made.link(
            link.type(DashboardLinkType.LINK).url(f"/dashboards?query={shipped}").target_blank(True)
        )
    number = 0
    for row in board.rows:
        number += 1
        made = made.with_row(dashboard.Row(row.title).id(number))
        for panel in row.panels:
            number += 1
            made = made.with_panel(_panel(panel, runbooks, 24 // min(3, len(row.panels))).id(number))
    return Rendered(
        name=f"{board.endpoint}-{board.key}",
        uid=uid,
        text=JSONEncoder(sort_keys=True, indent=2).encode(made.build()),
    )


def _panel(panel: Panel, runbooks: str, width: int):  # type: ignore[no-untyped-def]
    source = DataSourceRef(type_val="prometheus", uid="$datasource")
    made = (
        timeseries.Panel()
        .title(panel.title)
        .description(panel.description)
        .unit(panel.unit)
        .min(0)
        .datasource(source)
        .height(8)
        .span(width)
        .links(
            [
                dashboard.DashboardLink(f"Runbook {panel.runbook}")
                .type(DashboardLinkType.LINK)
                .url(f"{runbooks}/{panel.runbook}.md")
                .target_blank(True)
            ]
        )
    )
    if panel.limit is not None:
        first, then = (_GOOD, _BAD) if panel.limit.worse == "above" else (_BAD, _GOOD)
        steps = [Threshold(value=None, color=first), Threshold(value=panel.limit.value, color=then)]
        made = made.thresholds(
            dashboard.ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(steps)
        ).thresholds_style(common.GraphThresholdsStyleConfig().mode(GraphThresholdsStyleMode.LINE))
    if panel.axis:
        made = made.axis_label(panel.axis)
    for index, line in enumerate(panel.lines):
        made = made.with_target(
            prometheus.Dataquery()
            .expr(line.query.promql())
            .legend_format(line.legend)
            .ref_id(chr(ord("A") + index))
            .range()
        )
    return made
