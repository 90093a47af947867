"""Rules that need the model or the traffic: buffer, batch, kind of model."""

from __future__ import annotations

import pytest
import yaml

from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.rule import Severity
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.view.inputs import gather
from tests.support import published_models
from tests.support.documents import manifest
from tests.support.findings import findings_of, not_checked

UNKNOWN_MODEL = """
metadata: {annotations: {dpd.check/model: null}}
spec: {modelName: ours, modelSourceConfig: {modelLocation: ours}}
"""


def environment(text: str) -> str:
    return f"endpoints: {{llama-70b: {{{text}}}}}"


@pytest.mark.parametrize(("tokens", "count"), [(209_664, 0), (209_665, 1), (8192, 0)])
def test_a_step_may_fill_the_buffer(tokens, count, tmp_path) -> None:
    fragment = f"spec: {{pdSpec: {{prefillSpec: {{args: {{--max-num-batched-tokens: {tokens}}}}}}}}}"
    found = findings_of("DPD423", fragment, tmp_path)
    assert len(found) == count
    if count:
        assert "819 pages" in found[0].message and "209664" in found[0].fix
        assert found[0].path.startswith("spec.pdSpec.prefillSpec.args")


def test_a_small_buffer_meets_vllms_default_step(tmp_path) -> None:
    size = 31 * 10_485_760
    fragment = f'spec: {{worker: {{environmentVariables: [{{name: PD_BUFFER_SIZE, value: "{size}"}}]}}}}'
    (hit,) = findings_of("DPD423", fragment, tmp_path)
    assert hit.path == "spec.pdSpec.prefillSpec.args"
    assert hit.severity is Severity.WARNING and "8,192" in hit.message


def test_a_step_of_the_decoder_is_not_judged(tmp_path) -> None:
    fragment = "spec: {pdSpec: {decodingSpec: {args: {--max-num-batched-tokens: 1048576}}}}"
    assert findings_of("DPD423", fragment, tmp_path) == []


@pytest.mark.parametrize("rule", ["DPD423", "DPD523", "DPD524"])
def test_an_unknown_model_is_not_checked(rule, tmp_path) -> None:
    assert rule in not_checked(UNKNOWN_MODEL, tmp_path)["model"]


def test_sequences_against_the_buffer(tmp_path) -> None:
    text = "decode: {{arguments: {{max-num-seqs: {}}}}}, traffic: {{input_tokens: {{p50: 3000, p95: 6000}}}}"
    (hit,) = findings_of("DPD514", environment(text.format(35)), tmp_path, of="environment")
    assert "holds 34 prompts of 6,000 tokens" in hit.message
    assert (hit.severity, hit.path) == (Severity.INFO, "endpoints.llama-70b.decode.arguments.max-num-seqs")
    assert findings_of("DPD514", environment(text.format(34)), tmp_path, of="environment") == []


def test_without_traffic_sequences_are_not_checked(tmp_path) -> None:
    fragment = "spec: {pdSpec: {decodingSpec: {args: {--max-num-seqs: 64}}}}"
    assert "DPD514" in not_checked(fragment, tmp_path)["traffic"]
    assert "DPD514" not in not_checked("{}", tmp_path).get("traffic", "")


@pytest.mark.parametrize(
    ("model", "rule", "words"),
    [
        ("mistral-medium-3.5-128b", "DPD523", "multimodal"),
        ("deepseek-v3", "DPD524", "latent"),
        ("kimi-k2-instruct", "DPD524", "latent"),
    ],
)
def test_models_outside_what_was_validated(model, rule, words, tmp_path) -> None:
    fragment = environment(f"model: {{catalogue: {model}}}")
    (hit,) = findings_of(rule, fragment, tmp_path, of="environment")
    assert hit.severity is Severity.WARNING and words in hit.message
    assert hit.path.startswith("endpoints.llama-70b.model")


@pytest.mark.parametrize("name", ["Nemotron-H-56B-Base-8K", "AI21-Jamba-1.5-Mini"])
def test_a_hybrid_by_its_config_is_warned(name, tmp_path) -> None:
    geometry = read_geometry(published_models.config(name), name=name)
    file = tmp_path / "endpoint.yaml"
    file.write_text(yaml.safe_dump(manifest()), encoding="utf-8")
    (hit,) = [f for f in check(gather([str(file)]), Options(geometry=geometry)).findings if f.id == "DPD523"]
    assert "recurrent state" in hit.message and "not confirmed" in hit.message


def test_dense_models_pass(tmp_path) -> None:
    for rule in ("DPD523", "DPD524"):
        assert (
            findings_of(
                rule, environment("model: {catalogue: qwen2.5-72b-instruct}"), tmp_path, of="environment"
            )
            == []
        )
