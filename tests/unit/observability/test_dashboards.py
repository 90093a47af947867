"""Boards: the SDK's types, ids, units, descriptions, links; every query keeps the contract."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from grafana_foundation_sdk.models.dashboard import Dashboard

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.dashboards.grafana import dashboards
from hyperpod_dpd.observability.dashboards.preview import preview
from hyperpod_dpd.observability.dashboards.queries import Now, Over, Quantile, Rate
from hyperpod_dpd.observability.rules import alert_names
from hyperpod_dpd.observability.scenarios.catalogue import LIVE
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS
from tests.support.observed import blueprint_of, rules_of
from tests.support.promql import grouping_labels, references

VARIABLES = {"$__rate_interval": "5m", "$__range": "1h", "$before": "1d"}


def panels(text: str) -> list[dict[str, Any]]:
    board = json.loads(text)
    rows = board["panels"]
    return [panel for row in rows for panel in (row, *row.get("panels", []))]


def substituted(expression: str) -> str:
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


def expressions(blueprint: Blueprint) -> list[str]:
    return [
        target["expr"]
        for board in dashboards(blueprint)
        for panel in panels(board.text)
        for target in panel.get("targets", [])
    ]


def test_the_json_is_what_the_sdk_reads(blueprint: Blueprint) -> None:
    for board in dashboards(blueprint):
        read = Dashboard.from_json(json.loads(board.text))
        assert read.uid == board.uid and len(board.uid) <= 40
        assert read.title and read.panels


def test_ids_are_unique(blueprint: Blueprint) -> None:
    boards = dashboards(blueprint)
    assert len({board.uid for board in boards}) == len({board.name for board in boards}) == len(boards)
    for board in boards:
        ids = [panel["id"] for panel in panels(board.text)]
        assert len(set(ids)) == len(ids) and all(ids)


def test_every_panel_has_unit_description_runbook_and_data_source(blueprint: Blueprint) -> None:
    for board in dashboards(blueprint):
        for panel in panels(board.text):
            if panel["type"] == "row":
                continue
            defaults = panel["fieldConfig"]["defaults"]
            assert defaults["unit"], panel["title"]
            # A bare number says what it counts.
            assert defaults["unit"] != "short" or defaults["custom"]["axisLabel"], panel["title"]
            assert len(panel["description"]) > 20, panel["title"]
            (link,) = panel["links"]
            assert Path(link["url"]).stem in alert_names()
            assert panel["datasource"]["uid"] == "$datasource"
            assert panel["targets"]


def test_limits_are_drawn_where_they_exist() -> None:
    (board,) = (b for b in dashboards(blueprint_of("dev")) if b.name.endswith("kv-path"))
    drawn = {
        panel["title"]: [step["value"] for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]]
        for panel in panels(board.text)
        if "thresholds" in panel.get("fieldConfig", {}).get("defaults", {})
    }
    assert drawn["Tokens landed per disaggregated request"] == [None, 2048]
    assert drawn["Wire rate per rank"] == [None, 1_000_000_000]


def test_the_eight_documented_metrics_are_there() -> None:
    (board,) = (b for b in dashboards(blueprint_of("dev")) if b.name.endswith("documented"))
    titles = {panel["title"] for panel in panels(board.text)}
    assert {
        *("End-to-end TTFT", "Prefill TTFT", "Prefill queue", "Decode queue", "Prefill time"),
        *("Decode latency (TPOT)", "KV transfer time", "DPD routing counts"),
    } <= titles


def test_two_decoders_get_a_row_of_their_own() -> None:
    from tests.support.observed import several

    titles = {b.name: {p["title"] for p in panels(b.text)} for b in dashboards(several())}
    assert "By decoder" in titles["chat-overview"] and "By decoder" not in titles["llama-70b-overview"]


def test_queries_keep_the_contract(blueprint: Blueprint) -> None:
    known = metrics.exposed()
    for expression in map(substituted, expressions(blueprint)):
        labels: set[str] = set()
        for name, matched in references(expression):
            assert name in known, f"{name} in {expression}"
            assert matched <= known[name], expression
            labels |= known[name]
        assert grouping_labels(expression) <= labels, expression


def test_the_same_blueprint_gives_the_same_bytes() -> None:
    once, again = (dashboards(blueprint_of("prod")) for _ in range(2))
    assert [board.text for board in once] == [board.text for board in again]


def test_answers_agree_with_the_recording() -> None:
    (rules,) = rules_of("dev")
    s = rules.signals
    recording = LIVE[0].record(s)
    routed = Rate("dpd_routing_disaggregated_total", s.router).answer(recording, 100)
    assert routed[()] == pytest.approx(4 / 30)
    landed = Over(
        Rate("vllm:prompt_tokens_by_source_total", f'{s.decode},source="external_kv_transfer"'),
        Rate("dpd_routing_disaggregated_total"),
    ).answer(recording, 100)
    assert landed[()] == pytest.approx(6000 // 256 * 256)
    assert (
        0.025
        < Quantile(0.95, "vllm:inter_token_latency_seconds", s.decode).answer(recording, 100)[()]
        <= 0.05
    )
    waiting = Now("vllm:num_requests_waiting", s.prefill).answer(recording, 100)
    assert waiting == {(): 0}
    assert Rate("dpd_routing_local_total", s.router).answer(recording, 3) == {}
    assert Now("no_such_series").answer(recording, 100) == {}


@pytest.fixture(scope="module")
def page() -> str:
    return preview(blueprint_of("dev"), scenarios=LIVE[:2])


def test_the_preview_needs_nothing_but_itself(page: str) -> None:
    fetched = re.findall(r'(?:src|href)="([^"#][^"]*)"', page)
    assert not [link for link in fetched if not link.startswith("#")]
    assert "<script" not in page and "@import" not in page
    assert page.count("<svg") > 25 and "url(http" not in page


def test_every_panel_is_drawn_from_the_healthy_recording(page: str) -> None:
    assert "hold no such series" not in page[: page.index(f'id="llama-70b-{LIVE[1].name}"')]
    assert "$before" not in page


def test_plots_in_one_page_do_not_share_ids(page: str) -> None:
    clips = re.findall(r'<clipPath id="([^"]+)"', page)
    assert len(set(clips)) == len(clips)


def test_the_preview_shows_what_is_wrong(page: str) -> None:
    assert "DpdHashSeedSkew, DpdKvNotLanding" in page.replace("DpdDecoderRecomputesLongPrompts, ", "")
    sections = [page.index(f'id="llama-70b-{scenario.name}"') for scenario in LIVE[:2]]
    assert all(first < second for first, second in pairwise(sections))


def test_the_verb_writes_what_it_says(tmp_path: Path) -> None:
    document = str(ENVIRONMENTS / "dev.yaml")
    done = dpd("dashboards", document, "--out", str(tmp_path / "boards"), "--format", "json")
    assert done.status == 0, done.err
    written = json.loads(done.out)["written"]
    assert len(written) == 4 and all(Path(path).is_file() for path in written)


def test_the_verb_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    assert dpd("dashboards", str(tmp_path / "none.yaml"), "--preview").status == 2
    faulty = tmp_path / "faulty.yaml"
    faulty.write_text("account: 1\n", encoding="utf-8")
    done = dpd("dashboards", str(faulty), "--preview")
    assert done.status == 1 and "account" in done.err
