"""Rules on whether model, traffic and objectives fit disaggregation at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.view.inputs import gather
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled

ENDPOINT = "endpoints.llama-70b"
MODEL = "metadata: {annotations: {dpd.check/model: %s}}"


def fired(
    rule: str, fragment: str, folder: Path, *, of: str = "environment", options: Options | None = None
) -> list[Finding]:
    report = check_value(spoiled(fragment, of=of), folder, options=options)
    assert not [f for f in report.findings if f.id in BROKEN]
    return [f for f in report.findings if f.id == rule]


def traffic(text: str) -> str:
    return f"endpoints: {{llama-70b: {{traffic: {{{text}}}}}}}"


def objectives(text: str) -> str:
    return f"endpoints: {{llama-70b: {{objectives: {{{text}}}}}}}"


@pytest.mark.parametrize("key", ["llama-3.1-8b-instruct", "qwen3-32b"])
def test_a_small_dense_model_of_the_catalogue_is_warned(key: str, tmp_path: Path) -> None:
    (found,) = fired("DPD801", MODEL % key, tmp_path, of="manifest")
    assert found.severity.value == "warning"
    assert found.path == "spec.modelName"
    assert "70 billion" in found.message


@pytest.mark.parametrize("key", ["llama-3.3-70b-instruct", "qwen2.5-72b-instruct", "qwen3-235b-a22b"])
def test_a_large_model_and_a_mixture_of_experts_are_no_small_models(key: str, tmp_path: Path) -> None:
    assert not fired("DPD801", MODEL % key, tmp_path, of="manifest")


@pytest.mark.parametrize(("billion", "fires"), [(69.9, True), (70, False)])
def test_inline_geometry_declares_its_parameters(billion: float, fires: bool, tmp_path: Path) -> None:
    shape = "layers: 80, attention_heads: 64, kv_heads: 8, head_dim: 128"
    fragment = f"""
endpoints:
  llama-70b:
    model: {{catalogue: null, name: own, geometry: {{{shape}, parameters_billion: {billion}}}}}
"""
    found = fired("DPD801", fragment, tmp_path)
    assert bool(found) is fires
    if fires:
        assert (found[0].path, "69.9 billion" in found[0].message) == (f"{ENDPOINT}.model.name", True)


def test_inline_geometry_may_be_a_mixture_of_experts(tmp_path: Path) -> None:
    shape = "layers: 94, attention_heads: 64, kv_heads: 4, head_dim: 128, parameters_billion: 20"
    fragment = f"""
endpoints:
  llama-70b:
    model: {{catalogue: null, name: own, geometry: {{{shape}, mixture_of_experts: true}}}}
"""
    assert not fired("DPD801", fragment, tmp_path)
    assert len(fired("DPD802", fragment, tmp_path)) == 1


def _geometry(**changes: Any) -> Options:
    config: dict[str, Any] = {
        "model_type": "llama",
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "vocab_size": 128256,
        "torch_dtype": "bfloat16",
    }
    return Options(geometry=read_geometry({**config, **changes}, name="config.json"))


def test_parameters_are_counted_from_a_config(tmp_path: Path) -> None:
    (found,) = fired("DPD801", "{}", tmp_path, of="manifest", options=_geometry())
    assert "8.03 billion" in found.message


def test_a_config_that_does_not_tell_its_parameters_is_not_checked(tmp_path: Path) -> None:
    report = check_value(
        spoiled("{}"), tmp_path, options=_geometry(vocab_size=None, head_dim=128, hidden_size=None)
    )
    notes = [f.message for f in report.findings if f.id == "DPD003"]
    assert any("parameter count" in note and "DPD801" in note for note in notes)
    assert not [f for f in report.findings if f.id == "DPD801"]


def test_an_unknown_model_is_not_checked(tmp_path: Path) -> None:
    report = check_value(
        spoiled(
            "{metadata: {annotations: null}, spec: {modelName: ours, modelSourceConfig: {modelLocation: m}}}"
        ),
        tmp_path,
    )
    (note,) = [f for f in report.findings if f.id == "DPD003" and "model" in f.message]
    assert {"DPD801", "DPD802"} <= set(note.message.replace(",", " ").split())


def test_a_mixture_of_experts_is_named(tmp_path: Path) -> None:
    (found,) = fired("DPD802", MODEL % "deepseek-v3", tmp_path, of="manifest")
    assert "DeepSeek-V3" in found.message
    assert found.severity.value == "warning"


def test_colocated_endpoints_are_not_judged(tmp_path: Path) -> None:
    for rule in ("DPD801", "DPD802"):
        assert not fired(rule, "spec: {pdSpec: null, modelName: Mixtral-8x22B}", tmp_path, of="manifest")


@pytest.mark.parametrize(
    ("rule", "text", "path"),
    [
        ("DPD803", "input_tokens: {p50: 3999}", "traffic.input_tokens.p50"),
        ("DPD804", "requests_per_second: 1.9", "traffic.requests_per_second"),
        ("DPD805", "output_tokens: {p50: 255}", "traffic.output_tokens.p50"),
        ("DPD826", "turns: multi-short", "traffic.turns"),
    ],
)
def test_traffic_below_a_condition(rule: str, text: str, path: str, tmp_path: Path) -> None:
    (found,) = fired(rule, traffic(text), tmp_path)
    assert found.path == f"{ENDPOINT}.{path}"
    assert found.severity.value == ("info" if rule == "DPD826" else "warning")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("DPD803", "input_tokens: {p50: 4000}"),
        ("DPD804", "requests_per_second: 2"),
        ("DPD805", "output_tokens: {p50: 256}"),
        ("DPD826", "turns: single"),
        ("DPD826", "turns: multi-full-context"),
        ("DPD826", "requests_per_second: 2"),
    ],
)
def test_traffic_at_the_condition_is_fine(rule: str, text: str, tmp_path: Path) -> None:
    assert not fired(rule, traffic(text), tmp_path)


@pytest.mark.parametrize(
    ("rule", "fact"),
    [("DPD803", "distribution of prompt lengths"), ("DPD804", "request rate"), ("DPD805", "output lengths")],
)
def test_the_part_of_the_traffic_that_is_missing_is_named(rule: str, fact: str, tmp_path: Path) -> None:
    report = check_value(spoiled(traffic("language: en"), of="environment"), tmp_path)
    notes = [f for f in report.findings if f.id == "DPD003" and fact in f.message]
    assert [rule in note.message for note in notes] == [True]
    assert "`traffic." in notes[0].fix


@pytest.mark.parametrize(
    ("rule", "text", "key"),
    [
        ("DPD806", "throughput_per_gpu: true", "throughput_per_gpu"),
        ("DPD807", "time_to_first_token_p95_ms: 800", "time_to_first_token_p95_ms"),
        ("DPD808", "batch: true", "batch"),
    ],
)
def test_goals_that_disaggregation_does_not_serve(rule: str, text: str, key: str, tmp_path: Path) -> None:
    (found,) = fired(rule, objectives(text), tmp_path)
    assert found.path == f"{ENDPOINT}.objectives.{key}"


@pytest.mark.parametrize(
    "text",
    [
        "inter_token_latency_p99_ms: 50",
        "inter_token_latency_p99_ms: 50, time_to_first_token_p95_ms: 800",
        "throughput_per_gpu: false, batch: false, inter_token_latency_p99_ms: 50",
    ],
)
@pytest.mark.parametrize("rule", ["DPD806", "DPD807", "DPD808"])
def test_the_goal_of_a_steady_flow_is_what_disaggregation_serves(
    rule: str, text: str, tmp_path: Path
) -> None:
    assert not fired(rule, objectives(text), tmp_path)


def test_manifests_declare_neither_traffic_nor_objectives(tmp_path: Path) -> None:
    report = check_value(spoiled("{}"), tmp_path)
    notes = "\n".join(f.message for f in report.findings if f.id == "DPD003")
    for rule in ("DPD803", "DPD804", "DPD805", "DPD806", "DPD807", "DPD808", "DPD826"):
        assert notes.count(rule) == 1, rule


@pytest.mark.parametrize(
    ("decode", "concurrency", "fires"),
    [
        ("{arguments: {max-num-seqs: 32}}", 33, True),
        ("{arguments: {max-num-seqs: 32}}", 32, False),
        ("{arguments: {max-num-seqs: 32}, replicas: 2}", 64, False),
        ("{}", 5000, False),
    ],
)
def test_decode_runs_as_many_as_come(decode: str, concurrency: int, fires: bool, tmp_path: Path) -> None:
    fragment = f"endpoints: {{llama-70b: {{decode: {decode}, traffic: {{concurrency: {concurrency}}}}}}}"
    found = fired("DPD809", fragment, tmp_path)
    assert bool(found) is fires
    if fires:
        assert found[0].path == f"{ENDPOINT}.decode.arguments.max-num-seqs"
        assert "1 wait" in found[0].message


def test_the_limit_may_stand_in_the_shared_arguments(tmp_path: Path) -> None:
    fragment = """
endpoints:
  llama-70b:
    engine: {arguments: {max-num-seqs: 16}}
    prefill: {arguments: {max-num-seqs: 8}}
    traffic: {concurrency: 20}
"""
    (found,) = fired("DPD809", fragment, tmp_path)
    assert found.path == f"{ENDPOINT}.engine.arguments.max-num-seqs"
    assert "decode runs 16 sequences" in found.message


def test_concurrency_that_nobody_declares_is_asked_for_only_where_there_is_a_limit(tmp_path: Path) -> None:
    limited = "decode: {arguments: {max-num-seqs: 16}}"
    for body, asked in ((f"{limited}, traffic: {{language: en}}", True), ("traffic: {language: en}", False)):
        report = check_value(spoiled(f"endpoints: {{llama-70b: {{{body}}}}}", of="environment"), tmp_path)
        messages = [f.message for f in report.findings if f.id == "DPD003"]
        assert any("DPD809" in m for m in messages) is asked


def test_the_example_environments_fit(tmp_path: Path) -> None:
    from tests.support.documents import ENVIRONMENTS

    report = check(gather([str(p) for p in sorted(ENVIRONMENTS.glob("*.yaml"))]))
    assert json.dumps([f.id for f in report.findings if f.id.startswith("DPD8")]) == "[]"


def test_two_statements_on_the_width_of_the_cache(tmp_path: Path) -> None:
    model = "model: {catalogue: llama-3.1-70b-instruct-fp8-nvidia}"
    (found,) = fired("DPD810", f"endpoints: {{llama-70b: {{{model}}}}}", tmp_path)
    assert "8 or 16 bits" in found.message
    for engine, fires in (
        ("{kv_cache_dtype: fp8}", False),
        ("{kv_cache_dtype: auto}", True),
        ("{arguments: {kv-cache-dtype: fp8}}", False),
    ):
        text = f"endpoints: {{llama-70b: {{{model}, engine: {engine}}}}}"
        assert bool(fired("DPD810", text, tmp_path)) is fires, engine


@pytest.mark.parametrize("key", ["llama-3.3-70b-instruct", "qwen3-235b-a22b-fp8"])
def test_a_width_that_the_catalogue_settles(key: str, tmp_path: Path) -> None:
    assert not fired("DPD810", MODEL % key, tmp_path, of="manifest")
