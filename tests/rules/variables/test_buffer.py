"""Rules on the PD buffer: its variable, its pages, and what has to fit into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits, not_checked, variable

SIZE = "PD_BUFFER_SIZE"
PAGE = 10_485_760  # Llama 3.x 70B on eight ranks
VALUE = "spec.worker.environmentVariables[4].value"
NO_MODEL = (
    "metadata: {annotations: null}\n"
    "spec: {modelName: house-model, modelSourceConfig: {modelLocation: models/house}}\n"
)


def environment(fields: str) -> str:
    return f"endpoints: {{llama-70b: {{{fields}}}}}"


def test_a_missing_size_is_warned_with_the_default(tmp_path: Path) -> None:
    (found,) = hits("DPD403", f"spec: {{worker: {{environmentVariables: [{{name: -{SIZE}}}]}}}}", tmp_path)
    assert (found.path, found.severity) == ("spec.worker.environmentVariables", "warning")
    assert '"8589934592"' in found.fix


def test_a_size_from_a_secret_cannot_be_judged(tmp_path: Path) -> None:
    source = "{secretKeyRef: {name: sizes, key: pd}}"
    fragment = f"spec: {{worker: {{environmentVariables: [{{name: {SIZE}, valueFrom: {source}}}]}}}}"
    (found,) = hits("DPD403", fragment, tmp_path)
    assert "comes from a secret" in found.message
    for rule in ("DPD404", "DPD402", "DPD405", "DPD406", "DPD408"):
        assert not hits(rule, fragment, tmp_path)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8Gi", 8 * 2**30),
        ("8GiB", 8 * 2**30),
        ("8e9", 8 * 10**9),
        ("8_589_934_592", 8_589_934_592),
        ("8,589,934,592", 8_589_934_592),
        ("0", 8 * 2**30),
        ("-1", 8 * 2**30),
        ("+8589934592", 8_589_934_592),
        (" 8589934592", 8_589_934_592),
        ("eight", 8 * 2**30),
        ("", 8 * 2**30),
    ],
)
def test_a_size_that_is_no_plain_number(text: str, meant: int, tmp_path: Path) -> None:
    (found,) = hits("DPD404", variable(SIZE, text), tmp_path)
    assert found.path == VALUE
    assert found.severity == "error"
    assert f'"{meant}"' in found.fix


def test_a_placeholder_is_left_to_its_own_rule(tmp_path: Path) -> None:
    assert not hits("DPD404", variable(SIZE, "${BUFFER}"), tmp_path)
    assert hits("DPD106", variable(SIZE, "${BUFFER}"), tmp_path)


@pytest.mark.parametrize(("size", "fires"), [(PAGE - 1, True), (PAGE, False), (8, True)])
def test_one_page(size: int, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD405", variable(SIZE, str(size)), tmp_path)
    assert bool(found) is fires
    if fires:
        assert (found[0].path, found[0].severity) == (VALUE, "error")
        assert f"{PAGE:,}" in found[0].message


def test_below_one_page_only_one_rule_speaks_of_length(tmp_path: Path) -> None:
    assert not hits("DPD402", variable(SIZE, "4096"), tmp_path)


@pytest.mark.parametrize(("pages", "fires"), [(63, True), (64, False)])
def test_the_longest_prompt(pages: int, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD402", variable(SIZE, str(pages * PAGE)), tmp_path)  # 16,384 tokens are 64 pages
    assert bool(found) is fires
    if fires:
        assert str(64 * PAGE) in found[0].fix


def test_the_longest_prompt_of_the_model_counts_where_no_flag_does(tmp_path: Path) -> None:
    fragment = "spec: {worker: {args: {--max-model-len: null, --tensor-parallel-size: 4}}}"
    (found,) = hits("DPD402", fragment, tmp_path)
    assert "131,072" in found.message
    assert found.severity == "error"


@pytest.mark.parametrize(
    ("model", "length", "severity"),
    [
        ("deepseek-v3", None, "error"),
        ("deepseek-v3", 65536, None),
        ("llama-3.1-405b-instruct-fp8", 131072, None),
    ],
)
def test_the_longest_prompt_of_published_models(
    model: str, length: int | None, severity: str | None, tmp_path: Path
) -> None:
    shown = "null" if length is None else length
    fragment = (
        f"metadata: {{annotations: {{dpd.check/model: {model}}}}}\n"
        f"spec: {{worker: {{args: {{--max-model-len: {shown}}}}}}}"
    )
    assert [f.severity for f in hits("DPD402", fragment, tmp_path)] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("windows", "length", "severity"),
    [
        (None, 262144, "error"),
        (["sliding_attention", "full_attention"] * 40, 262144, "warning"),  # half the layers stop growing
        (["sliding_attention", "full_attention"] * 40, 524288, "error"),
        (["sliding_attention", "full_attention"] * 40, 131072, None),
    ],
)
def test_a_page_that_is_not_exact_is_an_error_only_if_the_least_is_too_large(
    windows: list[str] | None, length: int, severity: str | None, tmp_path: Path
) -> None:
    from hyperpod_dpd.rules.check import Options
    from hyperpod_dpd.sizing.geometry import read_geometry
    from tests.support.documents import check_value, spoiled

    config = {
        "model_type": "llama",
        "num_hidden_layers": 80,
        "num_attention_heads": 64,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "hidden_size": 8192,
        "torch_dtype": "bfloat16",
        **({"layer_types": windows, "sliding_window": 4096} if windows else {}),
    }
    fragment = f"spec: {{worker: {{args: {{--max-model-len: {length}}}}}}}"
    options = Options(geometry=read_geometry(config, name="house"))
    report = check_value(spoiled(fragment), tmp_path, options=options)
    assert [f.severity for f in report.findings if f.id == "DPD402"] == ([severity] if severity else [])


def test_chunks_of_another_size_change_the_page(tmp_path: Path) -> None:
    fragment = (
        "spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: '512'}, "
        f"{{name: {SIZE}, value: '{PAGE}'}}]}}}}"
    )
    (found,) = hits("DPD405", fragment, tmp_path)
    assert f"{2 * PAGE:,}" in found.message


@pytest.mark.parametrize("size", [8_589_934_592, 2_147_483_648])
def test_a_remainder_is_a_note_with_the_aligned_size(size: int, tmp_path: Path) -> None:
    (found,) = hits("DPD406", variable(SIZE, str(size)), tmp_path)
    assert found.severity == "info"
    assert f'"{size // PAGE * PAGE}"' in found.fix
    assert not hits("DPD406", variable(SIZE, str(size // PAGE * PAGE)), tmp_path)


@pytest.mark.parametrize("rule", ["DPD402", "DPD405", "DPD406", "DPD423", "DPD424"])
def test_an_unknown_model_is_a_note(rule: str, tmp_path: Path) -> None:
    notes = not_checked(NO_MODEL, tmp_path)
    assert rule in notes
    assert "model" in notes


TRAFFIC = "traffic: {input_tokens: {p50: 5000, p95: %d}, concurrency: %d}"


@pytest.mark.parametrize(
    ("p95", "concurrency", "fires"),
    [(6000, 34, False), (6000, 35, True), (16384, 12, False), (16384, 13, True), (20000, 12, False)],
)
def test_transfers_of_the_traffic(p95: int, concurrency: int, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD407", environment(TRAFFIC % (p95, concurrency)), tmp_path, of="environment")
    assert bool(found) is fires
    if found:
        assert found[0].severity == "warning"
        assert found[0].path == "endpoints.llama-70b.cache.pd_buffer_bytes"


def test_transfers_name_the_size_that_would_do(tmp_path: Path) -> None:
    (found,) = hits("DPD407", environment(TRAFFIC % (6000, 64)), tmp_path, of="environment")
    assert f'"{64 * 24 * PAGE}"' in found.fix
    assert "hold 34 transfers" in found.message


def test_prefillers_take_on_no_more_than_their_sequences(tmp_path: Path) -> None:
    fragment = environment(TRAFFIC % (6000, 64) + ", prefill: {arguments: {max-num-seqs: 16}}")
    assert not hits("DPD407", fragment, tmp_path, of="environment")


def test_traffic_without_concurrency_is_not_checked(tmp_path: Path) -> None:
    fragment = environment("traffic: {input_tokens: {p50: 5000}}")
    assert "DPD407" in not_checked(fragment, tmp_path, of="environment")


@pytest.mark.parametrize(
    ("name", "value", "fires"),
    [
        ("LMCACHE_PD_BUFFER_SIZE", "17179869184", True),
        ("NIXL_BUFFER_SIZE", "17179869184", True),
        ("LMCACHE_NIXL_BUFFER_SIZE", "1", True),
        ("LMCACHE_PD_BUFFER_SIZE", "8587837440", False),
    ],
)
def test_other_names_of_the_buffer(name: str, value: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD414", variable(name, value), tmp_path)
    assert bool(found) is fires
    if fires:
        assert name in found[0].message
        assert found[0].severity == "warning"


SHORT = variable(SIZE, str(16 * PAGE)).replace("worker: {", "worker: {args: {--max-model-len: 4096}, ", 1)


@pytest.mark.parametrize(
    ("fragment", "severity"),
    [
        ("spec: {worker: {args: {--max-num-batched-tokens: 209665}}}", "error"),
        ("spec: {pdSpec: {prefillSpec: {args: ['--max-num-batched-tokens=262144']}}}", "error"),
        ("spec: {worker: {args: {--max-num-batched-tokens: 209664}}}", None),
        ("spec: {pdSpec: {decodingSpec: {args: {--max-num-batched-tokens: 262144}}}}", None),
        (SHORT, "warning"),
    ],
)
def test_a_step_of_the_prefiller(fragment: str, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD423", fragment, tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("length", "fires"), [(104960, True), (104704, False), (131072, True), (16384, False)]
)
def test_one_long_prompt_at_a_time(length: int, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD424", f"spec: {{worker: {{args: {{--max-model-len: {length}}}}}}}", tmp_path)
    assert bool(found) is fires


def test_a_prompt_above_the_buffer_is_left_to_the_error(tmp_path: Path) -> None:
    fragment = "spec: {worker: {args: {--max-model-len: 131072, --tensor-parallel-size: 4}}}"
    assert hits("DPD402", fragment, tmp_path)
    assert not hits("DPD424", fragment, tmp_path)
