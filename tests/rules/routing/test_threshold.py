"""The threshold and the time limits against what the endpoint is sent."""

from __future__ import annotations

import pytest

from hyperpod_dpd.rules.rule import Severity
from tests.support.findings import findings_of, not_checked

PATH = "endpoints.llama-70b.routing.threshold_tokens"


def environment(text: str) -> str:
    return f"endpoints: {{llama-70b: {{{text}}}}}"


@pytest.mark.parametrize(("threshold", "count"), [(16384, 1), (16383, 0), (100_000, 1)])
def test_a_threshold_at_the_engines_limit_is_never_reached(threshold, count, tmp_path) -> None:
    found = findings_of("DPD613", f"spec: {{pdSpec: {{routingThreshold: {threshold}}}}}", tmp_path)
    assert [f.severity for f in found] == [Severity.ERROR] * count


def test_the_default_threshold_meets_a_short_engine(tmp_path) -> None:
    fragment = "spec: {pdSpec: {routingThreshold: null}, worker: {args: {--max-model-len: 4096}}}"
    (hit,) = findings_of("DPD613", fragment, tmp_path)
    assert "4,096" in hit.message


def test_the_shorter_role_counts(tmp_path) -> None:
    fragment = "spec: {pdSpec: {routingThreshold: 9000, prefillSpec: {args: [--max-model-len, 8k]}}}"
    assert len(findings_of("DPD613", fragment, tmp_path)) == 1


def test_without_a_limit_the_models_own_counts(tmp_path) -> None:
    fragment = "spec: {pdSpec: {routingThreshold: 131072}, worker: {args: {--max-model-len: null}}}"
    assert len(findings_of("DPD613", fragment, tmp_path)) == 1


@pytest.mark.parametrize(
    ("threshold", "words"), [(0, "every request"), (1, "below 2048"), (2047, "below 2048"), (2048, None)]
)
def test_low_thresholds(threshold, words, tmp_path) -> None:
    found = findings_of("DPD614", f"spec: {{pdSpec: {{routingThreshold: {threshold}}}}}", tmp_path)
    assert len(found) == (words is not None)
    assert all(words in hit.message and hit.severity is Severity.WARNING for hit in found)


@pytest.mark.parametrize(
    ("lengths", "severity"),
    [
        ("p50: 500, p95: 2000", Severity.WARNING),
        ("p50: 500, p90: 4000", Severity.WARNING),
        ("p50: 500, p90: 4500", Severity.INFO),
        ("p50: 3000, p90: 12000", None),
        ("p50: 5000", None),
    ],
)
def test_the_share_of_long_prompts(lengths, severity, tmp_path) -> None:
    fragment = environment(f"traffic: {{input_tokens: {{{lengths}}}}}")
    found = findings_of("DPD615", fragment, tmp_path, of="environment")
    assert [(f.severity) for f in found] == ([severity] if severity else [])


def test_the_share_depends_on_the_language(tmp_path) -> None:
    text = "traffic: {{input_tokens: {{p50: 5000, p95: 9000}}, language: {}}}"
    assert findings_of("DPD615", environment(text.format("en")), tmp_path, of="environment") == []
    (hit,) = findings_of("DPD615", environment(text.format("ja")), tmp_path, of="environment")
    assert "11,703 tokens of Japanese" in hit.message


def test_a_median_alone_says_too_little(tmp_path) -> None:
    fragment = environment("traffic: {input_tokens: {p50: 500}}")
    assert "DPD615" in not_checked(fragment, tmp_path, of="environment")["distribution of prompt lengths"]


def test_without_traffic_nothing_is_said(tmp_path) -> None:
    waiting = not_checked("{}", tmp_path)["traffic"]
    assert {"DPD611", "DPD615", "DPD616"} <= set(waiting.split(", "))


@pytest.mark.parametrize("language", ["ja", "zh-Hans", "Korean", "th"])
def test_a_threshold_for_another_script(language, tmp_path) -> None:
    fragment = environment(f"traffic: {{language: {language}}}")
    (hit,) = findings_of("DPD616", fragment, tmp_path, of="environment")
    assert hit.severity is Severity.WARNING and "not confirmed" in hit.message


def test_the_advice_is_the_threshold_times_the_ratio(tmp_path) -> None:
    (hit,) = findings_of("DPD616", environment("traffic: {language: ja}"), tmp_path, of="environment")
    assert "about 1434" in hit.fix and "11,703 tokens" in hit.message


@pytest.mark.parametrize(
    "text",
    [
        "traffic: {language: en}",
        "traffic: {language: code}",
        "routing: {threshold_tokens: 1434}, traffic: {language: ja}",
    ],
)
def test_thresholds_that_fit(text, tmp_path) -> None:
    assert findings_of("DPD616", environment(text), tmp_path, of="environment") == []


def test_an_unknown_language_is_a_note_and_none_is_not_checked(tmp_path) -> None:
    (hit,) = findings_of("DPD616", environment("traffic: {language: tlh}"), tmp_path, of="environment")
    assert hit.severity is Severity.INFO
    fragment = environment("traffic: {concurrency: 4}")
    assert "DPD616" in not_checked(fragment, tmp_path, of="environment")["language of the prompts"]


LOAD = "traffic: {{input_tokens: {{p50: 6000, p95: 12000}}, concurrency: {}}}"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (LOAD.format(64), 1),
        (LOAD.format(2), 0),
        (LOAD.format(64) + ", load_balancer: {idle_timeout_seconds: 60}", 1),
        (LOAD.format(64) + ", load_balancer: {idle_timeout_seconds: 300}", 0),
        (LOAD.format(4) + ", prefill: {replicas: 2}", 0),
        ("engine: {max_model_len_tokens: 131072}", 1),
        ("engine: {max_model_len_tokens: 131072}, load_balancer: {idle_timeout_seconds: 600}", 0),
    ],
)
def test_the_load_balancer_waits_for_the_first_token(text, count, tmp_path) -> None:
    found = findings_of("DPD611", environment(text), tmp_path, of="environment")
    assert [f.severity for f in found] == [Severity.WARNING] * count
    assert all("estimate" in hit.message for hit in found)


def test_the_number_of_requests_is_asked_for(tmp_path) -> None:
    fragment = environment("traffic: {input_tokens: {p50: 6000}}")
    assert "DPD611" in not_checked(fragment, tmp_path, of="environment")["number of concurrent requests"]
