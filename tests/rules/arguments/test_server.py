"""Where the engine listens, what it loads, and how the arguments are written."""

from __future__ import annotations

import pytest
import yaml

from hyperpod_dpd.rules.rule import Severity
from tests.support.documents import check_value, ids, manifest
from tests.support.findings import findings_in_case, findings_of

PORT = "spec.worker.modelInvocationPort.containerPort"


def worker(**fields) -> str:
    return yaml.safe_dump({"spec": {"worker": fields}})


@pytest.mark.parametrize(
    ("given", "port", "path"),
    [
        (["--port", "8200"], 8000, True),
        (["--port=8200"], 8000, True),
        ({"--port": None}, 8080, PORT),
        ({"--port": None}, 8000, None),
        (["--port", "8080"], 8080, None),
        (["--port", "$PORT"], 8000, None),
    ],
)
def test_the_port_or_vllms_own(given, port, path, tmp_path) -> None:
    found = findings_of("DPD508", worker(args=given, modelInvocationPort={"containerPort": port}), tmp_path)
    assert len(found) == (path is not None)
    for hit in found:
        assert hit.severity is Severity.ERROR
        assert hit.path == path or (path is True and hit.path.startswith("spec.worker.args["))
        assert str(port) in hit.message


def test_one_role_on_another_port(tmp_path) -> None:
    fragment = 'spec: {pdSpec: {prefillSpec: {args: ["--port", "8200"]}}}'
    (hit,) = findings_of("DPD508", fragment, tmp_path)
    assert hit.path == "spec.pdSpec.prefillSpec.args[1]"


def test_in_an_environment_an_argument_can_contradict_the_port(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {prefill: {arguments: {port: 8200}}}}"
    (hit,) = findings_of("DPD508", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.prefill.arguments.port"


def test_a_colocated_vllm_is_warned(tmp_path) -> None:
    fragment = (
        "spec: {pdSpec: null, worker: {args: {--port: null}, modelInvocationPort: {containerPort: 8080}}}"
    )
    (hit,) = findings_of("DPD508", fragment, tmp_path)
    assert hit.severity is Severity.WARNING and "its default" in hit.message


def test_another_engine_listens_where_it_likes(tmp_path) -> None:
    image = "763104351884.dkr.ecr.us-west-2.amazonaws.com/djl-inference:0.32.0-lmi14.0.0-cu124"
    fragment = yaml.safe_dump(
        {"spec": {"pdSpec": None, "worker": {"image": image, "modelInvocationPort": {"containerPort": 8080}}}}
    )
    assert findings_of("DPD508", fragment, tmp_path) == []


@pytest.mark.parametrize(
    "case",
    [
        "djl-one-gpu",
        "tgi-eight-gpus",
        "file-system-variable",
        "colocated-routing-latest",
        "hugging-face-source",
        "no-port-no-mount",
        "neuron",
    ],
)
@pytest.mark.parametrize("rule", ["DPD508", "DPD517", "DPD518", "DPD519", "DPD520"])
def test_samples_of_other_teams(case, rule, tmp_path) -> None:
    assert findings_in_case(rule, case, tmp_path) == []


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (["--host", "127.0.0.1"], 1),
        (["--host=localhost"], 1),
        (["--host", "10.0.0.7"], 1),
        (["--uds", "/tmp/vllm.sock"], 1),
        (["--host", "::"], 0),
        ({"--host": None}, 0),
    ],
)
def test_the_host_is_every_interface(given, count, tmp_path) -> None:
    assert len(findings_of("DPD509", worker(args=given), tmp_path)) == count


@pytest.mark.parametrize(
    ("given", "severity"),
    [
        ({"--model": "/models/llama"}, Severity.ERROR),
        ({"--model": "meta-llama/Llama-3.3-70B-Instruct"}, Severity.ERROR),
        ({"--model": "/opt/ml/model/llama"}, Severity.WARNING),
        ({"--model": None}, Severity.WARNING),
        ({"--model": "/opt/ml/model/"}, None),
        ({"--model": "$MODEL"}, None),
    ],
)
def test_the_model_is_where_the_weights_are(given, severity, tmp_path) -> None:
    found = findings_of("DPD510", worker(args=given), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_a_positional_model_counts(tmp_path) -> None:
    good = ["/opt/ml/model", "--tensor-parallel-size", "8"]
    assert findings_of("DPD510", worker(args={"--model": None}) + "", tmp_path)
    fragment = {"spec": {"worker": {"modelVolumeMount": {"mountPath": "/weights"}}}}
    (hit,) = findings_of("DPD510", yaml.safe_dump(fragment), tmp_path)
    assert "mounted at '/weights'" in hit.message
    item = manifest()
    item["spec"]["worker"]["args"] = good
    assert "DPD510" not in ids(check_value(item, tmp_path))


def test_hugging_face_weights_have_no_mount(tmp_path) -> None:
    fragment = """
spec:
  modelSourceConfig: {modelSourceType: huggingface, huggingFaceModel: {modelId: a/b}}
  worker: {args: {--model: a/b}}
"""
    assert findings_of("DPD510", fragment, tmp_path) == []


@pytest.mark.parametrize("rule", ["DPD511", "DPD512"])
def test_the_mixed_case_leaves_both_to_vllm(rule, tmp_path) -> None:
    (hit,) = findings_in_case(rule, "mixed-advice", tmp_path)
    assert (hit.severity, hit.path) == (Severity.WARNING, "spec.worker.args")
    assert findings_in_case(rule, "complete-pair", tmp_path) == []


def test_one_role_without_a_share_of_memory_is_named(tmp_path) -> None:
    fragment = """
spec:
  worker: {args: {--gpu-memory-utilization: null}}
  pdSpec: {prefillSpec: {args: [--gpu-memory-utilization, "0.7"]}}
"""
    (hit,) = findings_of("DPD511", fragment, tmp_path)
    assert hit.path == "spec.pdSpec.decodingSpec.args" and "prefill" not in hit.message


@pytest.mark.parametrize(("value", "count"), [("auto", 1), ("-1", 1), ("16k", 0), ("16384", 0)])
def test_a_length_left_to_the_engine_is_no_length(value, count, tmp_path) -> None:
    found = findings_of("DPD512", worker(args=["--max-model-len", value]), tmp_path)
    assert len(found) == count
    assert all("131,072" in hit.message for hit in found)


@pytest.mark.parametrize(
    ("roles", "count"),
    [
        ({}, 1),
        ({"prefillSpec": {"args": ["--max-num-seqs", "16"]}}, 1),
        (
            {
                "prefillSpec": {"args": ["--max-num-seqs", "16"]},
                "decodingSpec": {"args": ["--max-num-seqs", "32"]},
            },
            0,
        ),
    ],
)
def test_sequences_are_a_note(roles, count, tmp_path) -> None:
    found = findings_of("DPD513", yaml.safe_dump({"spec": {"pdSpec": roles}}), tmp_path)
    assert [f.severity for f in found] == [Severity.INFO] * count


@pytest.mark.parametrize(
    "given",
    [
        ["--gpu-memory-utilization=0.7"],
        ["--gpu_memory_utilization", "0.7"],
        ["--gpu-memory-util", "0.7"],
        ["--gpu-memory-utilization 0.7"],
    ],
)
def test_forms_that_the_merge_may_miss(given, tmp_path) -> None:
    fragment = yaml.safe_dump({"spec": {"pdSpec": {"prefillSpec": {"args": given}}}})
    found = findings_of("DPD517", fragment, tmp_path)
    assert found and all(hit.severity is Severity.WARNING for hit in found)
    assert any(hit.path.startswith("spec.pdSpec.prefillSpec.args") for hit in found)


def test_mixed_forms_of_one_list(tmp_path) -> None:
    (hit,) = findings_of("DPD517", worker(args=["--seed=1"]), tmp_path)
    assert "--seed=1" in hit.message


def test_one_string_is_read_and_warned(tmp_path) -> None:
    text = "--model /opt/ml/model --port 8000 --tensor-parallel-size 8 --max-model-len 16384"
    item = manifest()
    item["spec"]["worker"]["args"] = [text]
    found = {f.id: f for f in check_value(item, tmp_path).findings}
    assert found["DPD517"].severity is Severity.WARNING
    assert not {"DPD502", "DPD508", "DPD510", "DPD512"} & set(found)


def test_a_shell_splits_words_itself(tmp_path) -> None:
    item = manifest()
    item["spec"]["worker"] |= {"command": ["/bin/sh", "-c"], "args": ["vllm serve /opt/ml/model --port 8000"]}
    found = ids(check_value(item, tmp_path))
    assert "DPD517" not in found and "DPD526" in found


@pytest.mark.parametrize(
    ("given", "severity"),
    [
        (["--max-num-seqs", "16", "--max-num-seqs", "8"], Severity.ERROR),
        (["--max-num-seqs", "16", "--max_num_seqs", "8"], Severity.ERROR),
        (["-tp", "8", "--tensor-parallel-size", "8"], Severity.WARNING),
        (["--enforce-eager", "--no-enforce-eager"], Severity.ERROR),
        (["--middleware", "a.b", "--middleware", "c.d"], None),
    ],
)
def test_a_flag_twice(given, severity, tmp_path) -> None:
    fragment = yaml.safe_dump({"spec": {"pdSpec": {"prefillSpec": {"args": given}}}})
    found = findings_of("DPD518", fragment, tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_a_role_that_replaces_a_shared_flag_repeats_nothing(tmp_path) -> None:
    fragment = 'spec: {pdSpec: {prefillSpec: {args: ["--max-model-len", "16384"]}}}'
    assert findings_of("DPD518", fragment, tmp_path) == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--max-model-len", "sixteen"], "not a whole number"),
        (["--max-model-len"], "has no value"),
        (["--enforce-eager", "true"], "takes no value"),
        (["--enforce-eager=true"], "takes no value"),
        (["--gpu-memory-utilization", "75"], "at most 1"),
        (["--gpu-memory-utilization", "0"], "above 0"),
        (["--gpu-memory-utilization", "75%"], "not a number"),
        (["--tensor-parallel-size", "0"], "1 or more"),
        (["--max-num-seqs", "-4"], "1 or more"),
    ],
)
def test_values_that_vllm_refuses(given, words, tmp_path) -> None:
    found = findings_of("DPD519", worker(args=given), tmp_path)
    assert [hit.severity for hit in found] == [Severity.ERROR]
    assert words in found[0].message


@pytest.mark.parametrize(
    "given", [["--max-model-len", "-1"], ["--max-model-len", "${LEN}"], ["--seed", "-1"]]
)
def test_values_that_vllm_takes(given, tmp_path) -> None:
    assert findings_of("DPD519", worker(args=given), tmp_path) == []


@pytest.mark.parametrize("flag", ["--max-model-len", "--max-num-batched-tokens", "--tensor-parallel-size"])
def test_no_rule_stumbles_over_a_negative_number(flag, tmp_path) -> None:
    found = findings_of("DPD519", worker(args={flag: "-5"}), tmp_path)  # fails where a rule crashed
    assert ["1 or more" in hit.message for hit in found] == [True]


def test_variables_that_a_shell_expands_are_no_words_of_no_flag(tmp_path) -> None:
    item = manifest()
    item["spec"]["worker"]["command"] = ["/bin/sh", "-c"]
    item["spec"]["worker"]["args"] = ["exec vllm serve /opt/ml/model --port 8000 ${MORE_ARGS}"]
    assert [f for f in check_value(item, tmp_path).findings if f.id == "DPD519"] == []


def test_an_optimisation_level_is_no_mixed_spelling(tmp_path) -> None:
    item = manifest()
    item["spec"]["worker"]["args"].append("-O3")
    assert [f for f in check_value(item, tmp_path).findings if f.id == "DPD517"] == []


def test_words_of_no_flag(tmp_path) -> None:
    found = findings_of("DPD519", worker(args={"--model": None, "--served-model-name": "a"}), tmp_path)
    assert found == []
    item = manifest()
    item["spec"]["worker"]["args"] = ["/opt/ml/model", "--enforce-eager", "fast"]
    (hit,) = [f for f in check_value(item, tmp_path).findings if f.id == "DPD519"]
    assert hit.path == "spec.worker.args[2]" and "belongs to no flag" in hit.message


def test_a_stray_word_beside_a_model_is_a_second_model(tmp_path) -> None:
    (hit,) = findings_of("DPD518", worker(args=["--enforce-eager", "fast"]), tmp_path)
    assert "--model is given twice" in hit.message


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (["--tensor-paralel-size", "8"], 1),
        (["-tp8"], 1),
        (["--brand-new-feature"], 0),
        (["--enforce-eager"], 0),
    ],
)
def test_near_misses_only(given, count, tmp_path) -> None:
    found = findings_of("DPD520", worker(args=given), tmp_path)
    assert [f.severity for f in found] == [Severity.WARNING] * count
    assert all("Did you mean" in hit.message for hit in found)


def test_a_command_in_the_arguments(tmp_path) -> None:
    item = manifest()
    item["spec"]["worker"]["args"] = ["vllm", "serve", "/opt/ml/model", "--port", "8000"]
    (hit,) = [f for f in check_value(item, tmp_path).findings if f.id == "DPD526"]
    assert hit.path == "spec.worker.args[0]" and "'vllm serve'" in hit.message
