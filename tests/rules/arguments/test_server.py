"""Where the engine listens, what it loads, and how the arguments are written."""

from __future__ import annotations

import pytest
import yaml

from hyperpod_dpd.rules.rule import Severity
from tests.support.documents import check_value, manifest
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
    ("given", "same", "other"),
    [
        (["--tensor-paralel-size", "8"], ["error"], ["warning"]),
        (["-tp8"], ["error"], ["warning"]),
        (["--task", "generate"], ["error"], ["warning"]),
        (["--brand-new-feature"], ["error"], []),
        (["--no-max-num-seqs"], ["error"], ["warning"]),
        (["--enforce-eager"], [], []),
    ],
)
def test_unknown_flags_weigh_by_the_release_inside(given, same, other, tmp_path) -> None:
    found = findings_of("DPD520", worker(args=given), tmp_path)
    assert [f.severity for f in found] == same
    image = "lmcache/vllm-openai:v0.4.5"
    found = findings_of("DPD520", worker(args=given, image=image), tmp_path)
    assert [f.severity for f in found] == other


def test_a_command_in_the_arguments(tmp_path) -> None:
    item = manifest()
    item["spec"]["worker"]["args"] = ["vllm", "serve", "/opt/ml/model", "--port", "8000"]
    (hit,) = [f for f in check_value(item, tmp_path).findings if f.id == "DPD526"]
    assert hit.path == "spec.worker.args[0]" and "'vllm serve'" in hit.message
