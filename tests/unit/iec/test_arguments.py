"""Argument lists in every spelling, their problems, and the operator's merge."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperpod_dpd.iec.argument_reading import parse_arguments
from hyperpod_dpd.iec.arguments import merge

BASE = ("spec", "worker", "args")


def read(*items: object) -> object:
    return parse_arguments(list(items), BASE)


def kinds(arguments) -> list[str]:
    return [problem.kind for problem in arguments.problems]


@pytest.mark.parametrize(
    "items",
    [
        ["--tensor-parallel-size", "8"],
        ["--tensor-parallel-size=8"],
        ["-tp", "8"],
        ["-tp=8"],
        ["--tensor_parallel_size", "8"],
        ["--tensor_parallel_size=8"],
        ["--tensor-parallel-size 8"],
        ["vllm serve /opt/ml/model -tp 8"],
        ["vllm", "serve", "/opt/ml/model", "-tp", "8"],
        ["python3", "-m", "vllm.entrypoints.openai.api_server", "-tp", "8"],
        ["/usr/bin/python3.12", "-u", "-m", "vllm.entrypoints.cli.main", "serve", "-tp", "8"],
        ["-m", "vllm.entrypoints.openai.api_server", "-tp", "8"],
        ["-c", "exec vllm serve /opt/ml/model --port 8000 -tp 8"],
        ["--enforce-eager --tensor-parallel-size 8 --port 8000"],
        ["--port 8000 \\\n  --tensor-parallel-size 8"],
        ["--tensor-parallel", "8"],
        ["--tensor-parallel-size", 8],
        [{"--tensor-parallel-size": 8}],
    ],
)
def test_every_spelling_gives_the_same_integer(items):
    arguments = parse_arguments(items, BASE)
    assert arguments.integer("--tensor-parallel-size") == 8
    assert arguments.integer("-tp") == 8
    assert "--tensor-parallel-size" in arguments.flags


def test_a_whole_string_instead_of_a_list_is_read_and_reported():
    arguments = parse_arguments("--model /opt/ml/model --port 8000", BASE)
    assert arguments.get("--model") == "/opt/ml/model"
    assert arguments.integer("--port") == 8000
    assert kinds(arguments)[0] == "not-a-list"
    assert arguments.where("--port") == BASE


def test_where_names_the_item_of_the_flag_and_value_path_that_of_the_value():
    arguments = read("--model", "/opt/ml/model", "--port", "8000")
    assert arguments.where("--port") == (*BASE, 2)
    assert arguments.last("--port").value_path == (*BASE, 3)
    assert arguments.where("--absent") is None


def test_json_values_are_kept_whole():
    text = '{"kv_connector": "LMCacheConnectorV1", "kv_role": "kv_both"}'
    assert read("--kv-transfer-config", text).get("--kv-transfer-config") == text
    assert read(f"--kv-transfer-config={text}").get("--kv-transfer-config") == text
    one_item = read(f"--kv-transfer-config {text}")
    assert one_item.get("--kv-transfer-config") == text
    assert kinds(one_item) == ["shell-string"]


def test_dotted_json_keys_keep_their_name():
    arguments = read("--compilation-config.mode", "3", "-cc.use_inductor_graph_partition=true")
    assert arguments.get("--compilation-config.mode") == "3"
    assert arguments.get("--compilation-config.use_inductor_graph_partition") == "true"
    assert kinds(arguments) == ["mixed-spelling"]


def test_switches():
    arguments = read("--enforce-eager", "--no-enable-prefix-caching")
    assert arguments.enabled("--enforce-eager") is True
    assert arguments.enabled("--enable-prefix-caching") is False
    assert arguments.has("--no-enable-prefix-caching")
    assert not arguments.has("--enable-prefix-caching")
    assert arguments.enabled("--enable-chunked-prefill") is None
    assert not arguments.has("--no-enable-chunked-prefill")
    assert kinds(arguments) == []


@pytest.mark.parametrize(
    "items", [["--enforce-eager", "false"], ["--enforce-eager=false"], ["--enforce-eager", False]]
)
def test_a_value_after_a_switch_is_understood_and_reported(items):
    arguments = parse_arguments(items, BASE)
    assert arguments.enabled("--enforce-eager") is False
    assert "unexpected-value" in kinds(arguments)


def test_a_switch_does_not_swallow_the_model_path():
    arguments = read("--enforce-eager", "/opt/ml/model")
    assert arguments.get("--model") == "/opt/ml/model"
    assert arguments.enabled("--enforce-eager") is True
    assert kinds(arguments) == []


def test_positional_model_as_in_the_samples():
    arguments = read("/opt/ml/model", "--max-model-len", "4096")
    assert arguments.get("--model") == "/opt/ml/model"
    assert arguments.where("--model") == (*BASE, 0)
    assert arguments.render() == ["/opt/ml/model", "--max-model-len", "4096"]


def test_another_engine_is_a_command_and_no_model():
    arguments = read("python3", "-m", "sglang.launch_server", "--port", "30000", "--tp", "4")
    assert arguments.command == ("python3", "-m", "sglang.launch_server")
    assert arguments.get("--model") is None
    assert arguments.integer("--port") == 30000
    assert kinds(arguments) == [
        "misspelled-flag"
    ]  # told to nobody: the rules judge the arguments of vLLM alone


def test_several_values_and_negative_numbers():
    arguments = read("--served-model-name", "a", "b", "--seed", "-1", "--my-new-flag", "-0.5")
    assert arguments.values("--served-model-name") == ("a", "b")
    assert arguments.integer("--seed") == -1
    assert arguments.number("--my-new-flag") == -0.5
    assert kinds(arguments) == ["unknown-flag"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16384", 16384),
        ("16k", 16000),
        ("16K", 16384),
        ("25.6k", 25600),
        ("16_384", 16384),
        ("auto", None),
        ("-1", None),
    ],
)
def test_model_length_as_vllm_reads_it(text, expected):
    arguments = read("--max-model-len", text)
    assert arguments.integer("--max-model-len") == expected
    assert kinds(arguments) == []


@pytest.mark.parametrize(
    ("items", "kind", "value"),
    [
        (["--max-model-len", "25.6K"], "malformed-value", "25.6K"),
        (["--tensor-parallel-size", "eight"], "malformed-value", "eight"),
        (["--max-num-seqs", "16k"], "malformed-value", "16k"),
        (["--gpu-memory-utilization", "75%"], "malformed-value", "75%"),
        (["--gpu-memory-utilization", "nan"], "malformed-value", "nan"),
    ],
)
def test_malformed_numbers(items, kind, value):
    arguments = parse_arguments(items, BASE)
    assert arguments.integer(items[0]) is None
    assert arguments.number("--gpu-memory-utilization") is None
    problem = next(p for p in arguments.problems if p.kind == kind)
    assert problem.value == value
    assert problem.path == (*BASE, 1)
    assert value in problem.message


def test_unexpanded_variables_are_not_called_malformed():
    assert kinds(read("--max-model-len", "${MAX_MODEL_LEN}", "-tp", "<GPUS>")) == []


def test_missing_value():
    arguments = read("--max-model-len", "--enforce-eager")
    assert [(p.kind, p.flag, p.path) for p in arguments.problems] == [
        ("missing-value", "--max-model-len", (*BASE, 0))
    ]
    assert arguments.get("--max-model-len") is None


def test_repeats_last_one_wins():
    arguments = read("-tp", "4", "--tensor-parallel-size", "8")
    assert arguments.integer("-tp") == 8
    assert len(arguments.occurrences("-tp")) == 2
    repeated = [p for p in arguments.problems if p.kind == "repeated"]
    assert [(p.path, p.flag) for p in repeated] == [((*BASE, 2), "--tensor-parallel-size")]
    assert kinds(read("--middleware", "a", "--middleware", "b")) == []


def test_mixed_forms_are_reported_once_at_the_rarer_form():
    arguments = read("--model", "/m", "--port=8000", "--dtype", "auto")
    assert [(p.kind, p.path) for p in arguments.problems] == [("mixed-spelling", (*BASE, 2))]
    underscored = read("--max_model_len", "1", "--tensor-parallel-size", "8", "--max-num-seqs", "4")
    assert [(p.kind, p.path) for p in underscored.problems] == [("mixed-spelling", (*BASE, 0))]
    assert kinds(read("--model=/m", "--port=8000")) == []


def test_typo_in_a_flag():
    arguments = read("--tensor-paralel-size", "8")
    problem = arguments.problems[0]
    assert problem.kind == "misspelled-flag"
    assert "--tensor-parallel-size" in problem.fix
    assert kinds(read("--some-future-flag", "3")) == ["unknown-flag"]
    assert read("-tp8").problems[0].fix == "Write -tp 8."
    assert read("--tp", "8").problems[0].fix == "Write --tensor-parallel-size."


@pytest.mark.parametrize(
    ("items", "kind", "flag"),
    [
        (["--no-enable-prefix-caching"], [], "--enable-prefix-caching"),
        (["--no-headless"], ["misspelled-flag"], "--headless"),
        (["--no-max-num-seqs"], ["misspelled-flag"], "--max-num-seqs"),
        (["--no-enable-prefix"], ["abbreviation"], "--enable-prefix-caching"),
        (["--max-num", "4"], ["misspelled-flag"], "--max-num"),
        (["--max-num-s", "4"], ["abbreviation"], "--max-num-seqs"),
        (["--task", "generate"], ["removed-flag"], "--task"),
        (["-t", "8"], ["abbreviation"], "--tensor-parallel-size"),
        (["-d", "8"], ["misspelled-flag"], "-d"),
        (["-n2"], [], "--nnodes"),
        (["-qfp8"], [], "--quantization"),
        (["-O3"], [], "--optimization-level"),
        (["--kv-cache-dtype", "fp9"], ["not-a-choice"], "--kv-cache-dtype"),
        (["--runner", "None"], ["not-a-choice"], "--runner"),
        (["--max-cpu-loras", "None"], [], "--max-cpu-loras"),
        (["--max-num-seqs", "None"], ["malformed-value"], "--max-num-seqs"),
        (["--compilation-config", "{mode: 3}"], ["malformed-value"], "--compilation-config"),
        (["--compilation-config", '{"mode": 3}'], [], "--compilation-config"),
        (["--compilation-config.mode", "3"], [], "--compilation-config.mode"),
        (["--collect-detailed-traces", "model", "gpu"], ["not-a-choice"], "--collect-detailed-traces"),
    ],
)
def test_names_and_values_as_the_parser_of_vllm_takes_them(items, kind, flag):
    arguments = read(*items)
    assert kinds(arguments) == kind
    assert arguments.flags == (flag,)


def test_unbalanced_quote_and_stray_text():
    assert "shell-string" in kinds(read("--chat-template 'abc"))
    stray = read("/opt/ml/model", "--port", "8000", "extra")
    assert [(p.kind, p.value) for p in stray.problems] == [("unexpected-text", "extra")]


def test_a_command_line_over_several_lines_is_one_line():
    arguments = parse_arguments("--model /opt/ml/model \\\n  --port 8000", BASE)
    assert arguments.integer("--port") == 8000
    assert [p.value for p in arguments.problems if p.kind == "unexpected-text"] == []


def test_a_long_item_is_quoted_short():
    long = "--served-model-name " + " ".join(["word"] * 60)
    (problem,) = [p for p in read(long).problems if p.kind == "shell-string"]
    assert "wo...' holds" in problem.message and len(problem.message) < 250


@pytest.mark.parametrize("items", [[None], [["a"]], [{"a": 1, "b": 2}], [b"x"]])
def test_items_that_are_no_text(items):
    arguments = parse_arguments(items, BASE)
    assert kinds(arguments)[0] == "not-text"
    assert arguments.problems[0].path == (*BASE, 0)


def test_merge_replaces_the_same_flag_and_appends_the_rest():
    worker = parse_arguments(
        ["--model", "/m", "--max-num-seqs", "32", "--port", "8000"], BASE, origin="worker"
    )
    role_path = ("spec", "pdSpec", "prefillSpec", "args")
    role = parse_arguments(["--max-num-seqs", "16", "--enforce-eager"], role_path, origin="role")
    merged = merge(worker, role)
    assert merged.render() == ["--model", "/m", "--max-num-seqs", "16", "--port", "8000", "--enforce-eager"]
    assert merged.origin("--max-num-seqs") == "role"
    assert merged.where("--max-num-seqs") == (*role_path, 0)
    assert merged.origin("--port") == "worker"
    assert merged.problems == ()


def test_merge_sees_one_flag_in_two_spellings_and_says_so():
    worker = parse_arguments(["--tensor-parallel-size", "8"], BASE)
    role = parse_arguments(["-tp", "4"], ("spec", "pdSpec", "prefillSpec", "args"), origin="role")
    merged = merge(worker, role)
    assert merged.integer("--tensor-parallel-size") == 4
    assert [p.kind for p in merged.problems] == ["merge-spelling"]


def test_merge_lets_a_role_switch_off():
    worker = parse_arguments(["--enable-prefix-caching"], BASE)
    role = parse_arguments(["--no-enable-prefix-caching"], BASE, origin="role")
    assert merge(worker, role).enabled("--enable-prefix-caching") is False


FLAGS = st.sampled_from(
    [
        "--model",
        "-tp",
        "--tensor-parallel-size",
        "--max_model_len",
        "--enforce-eager",
        "--no-enforce-eager",
        "--x-y",
    ]
)
VALUES = st.sampled_from(["8", "16", "auto", "/opt/ml/model", "-1", "true", "a b", '{"a": 1}'])
ITEMS = st.lists(FLAGS | VALUES, max_size=10)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | FLAGS | VALUES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
    ),
    max_leaves=12,
)


def meaning(arguments) -> list[tuple]:
    return [(flag, arguments.values(flag), arguments.enabled(flag)) for flag in arguments.flags]


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_reading_never_raises(args):
    arguments = parse_arguments(args, BASE)
    for flag in arguments.flags:
        arguments.integer(flag), arguments.number(flag), arguments.enabled(flag)
    for problem in arguments.problems:
        assert problem.message and problem.fix
        assert problem.path[: len(BASE)] == BASE


@settings(max_examples=200, deadline=None)
@given(ITEMS, ITEMS)
def test_merge_laws(worker_items, role_items):
    worker = parse_arguments(worker_items, BASE, origin="worker")
    role = parse_arguments(role_items, BASE, origin="role")
    empty = parse_arguments([], BASE)
    merged = merge(worker, role)
    assert set(merged.flags) == set(worker.flags) | set(role.flags)
    for flag in merged.flags:
        source = role if flag in role.flags else worker
        assert merged.get(flag) == source.get(flag)
        assert merged.enabled(flag) == source.enabled(flag)
        assert merged.origin(flag) == ("role" if flag in role.flags else "worker")
    assert merge(worker, empty).items == worker.items
    assert merge(empty, role).items == role.items
    assert meaning(merge(merged, role)) == meaning(merged)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([("--model", "/m"), ("-tp", "8"), ("--max_model_len=16k",), ("--enforce-eager",)]),
        max_size=5,
    )
)
def test_rendering_reads_back_as_the_same_arguments(groups):
    arguments = parse_arguments([token for group in groups for token in group], BASE)
    again = parse_arguments(arguments.render(), BASE)
    assert again.render() == arguments.render()
    assert meaning(again) == meaning(arguments)


@pytest.mark.parametrize("word", ["--port=1", "--port", "--unknown-flag"])
def test_a_long_list_is_read_in_a_time_that_grows_with_it(word):
    started = time.process_time()
    parse_arguments([word, "1"] * 40_000 if "=" not in word else [word] * 80_000, BASE)
    assert time.process_time() - started < 3


def test_many_unknown_flags_are_not_all_guessed_at():
    started = time.process_time()
    arguments = parse_arguments([f"--max-model-lenn{i}=1" for i in range(40_000)], BASE)
    assert time.process_time() - started < 3
    assert "unknown-flag" in kinds(arguments)
