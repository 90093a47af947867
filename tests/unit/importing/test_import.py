"""Round trips: a document's manifest, imported, leads to the same manifest; so do manifests found in public."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.config.outputs import Outputs
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.importing import NotImportable, import_endpoint, merged_fragment
from hyperpod_dpd.importing.residue import residue
from tests.support import found
from tests.support.documents import ENVIRONMENTS

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted(path.stem for path in ENVIRONMENTS.glob("*.yaml"))
KEPT = ("account", "region", "network", "operator")


def through(
    folder: Path, imported: Any, base: dict[str, Any], outputs: Outputs | None = None
) -> dict[str, Any]:
    """The manifest of a document made of ``base`` and the fragment."""
    path = folder / "env.yaml"
    fragment = {**imported.fragment}
    for endpoint in fragment["endpoints"].values():
        if "config" in endpoint["model"]:
            endpoint["model"]["geometry"] = {
                "layers": 2, "attention_heads": 8, "kv_heads": 8, "head_dim": 64, "parameters_billion": 1
            }  # fmt: skip
            del endpoint["model"]["config"]
    path.write_text(dump_yaml({**{key: base[key] for key in KEPT if key in base}, **fragment}))
    loaded = load_environment(path)
    if imported.outputs:
        loaded = replace(loaded, outputs=Outputs(**imported.outputs))
    [plan] = resolve(loaded).endpoints
    manifest = plan.whole()
    assert manifest is not None
    return manifest


def example(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    path = ENVIRONMENTS / f"{name}.yaml"
    manifests = [plan.rendered() for plan in resolve(load_environment(path)).endpoints]
    return yaml.safe_load(path.read_text()), [each for each in manifests if each]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_comes_back_without_a_single_override(name: str, tmp_path: Path) -> None:
    base, manifests = example(name)
    for manifest in manifests:
        imported = import_endpoint(manifest)
        assert imported.overridden == ()
        assert "overrides" not in imported.fragment
        again = through(tmp_path, imported, base)
        assert again == manifest
        assert import_endpoint(again).fragment == import_endpoint(manifest).fragment


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "change",
    [
        {"topology": "colocated"},
        {"routing": {"strategy": "session", "session_key": "x-user", "threshold_tokens": 6000}},
        {"invocation_path": "v1/completions", "routing": {"strategy": "kvaware"}},
        {"cache": {"l1": False, "l2": {"backend": "redis", "url": "redis://cache:6379"}, "pd_buffer_bytes": 123}},
        {"tls": {"certificate_arn": "arn:aws:acm:us-west-2:1:certificate/a", "domain_name": "a.example.com",
                 "hosted_zone_id": "Z123", "certificate_output_uri": "s3://bucket/x"}},
        {"load_balancer": {"health_check_path": "/x", "idle_timeout_seconds": 900,
                           "routing_algorithm": "round_robin"}},
        {"engine": {"max_model_len_tokens": None, "gpu_memory_utilization": 0.6, "kv_cache_dtype": "fp8",
                    "arguments": {"served-model-name": "a b", "max-num-seqs": 12, "trust-remote-code": True,
                                  "hf-overrides": '{"a": 1}', "no-enable-prefix-caching": True}}},
        {"environment_variables": {"A": "", "B": "yes", "HF_HOME": None, "PYTHONHASHSEED": "1",
                                   "T": {"secret": "s", "key": "k"}}},
        {"request_limits": {"maxConcurrentRequests": 4}, "max_deploy_seconds": 900, "port": 9000},
        {"acknowledge": {"DPD712": "load; spreads", "DPD705": "why: because"}},
        {"placement": {"same_zone": False, "zone_name": "us-west-2b", "placement_group": "pg"}},
        {"metrics": {"enabled": False, "scrape_interval_seconds": 30}},
        {"endpoint_name": ""},
        {"endpoint_name": "other"},
        {"image": {"repository": "registry.example.com:5000/a/b", "tag": "v1", "digest": "sha256:" + "1" * 64}},
    ],
)  # fmt: skip
def test_each_part_of_a_document_comes_back(name: str, change: dict[str, Any], tmp_path: Path) -> None:
    from tests.support.merging import merged

    base, _ = example(name)
    base.pop("cluster_scripts", None)
    base["cluster"].pop("lifecycle_scripts", None)
    for endpoint in base["endpoints"].values():
        endpoint.update(merged(endpoint, {k: v for k, v in change.items() if v is not None}))
        for key in ("environment_variables", "engine"):
            endpoint.update({key: change[key]} if key in change else {})
    outputs = ENVIRONMENTS / "outputs" / f"{name}.yaml"
    if outputs.is_file():
        (tmp_path / "outputs").mkdir()
        (tmp_path / "outputs" / f"{name}.yaml").write_text(outputs.read_text())
    path = tmp_path / f"{name}.yaml"
    path.write_text(dump_yaml(base))
    [plan] = resolve(load_environment(path)).endpoints
    manifest = plan.whole()
    assert manifest is not None
    imported = import_endpoint(manifest)
    assert through(tmp_path, imported, base) == manifest
    assert imported.overridden == ()


@pytest.mark.parametrize("name", found.names())
def test_manifests_found_in_public_come_back_or_say_why_not(name: str, tmp_path: Path) -> None:
    base, _ = example("dev")
    seen = 0
    for value in yaml.safe_load_all(found.text_of(name)):
        if not isinstance(value, dict):
            continue
        seen += 1
        try:
            imported = import_endpoint(value)
        except NotImportable as error:
            assert len(str(error)) > 10
            continue
        again = through(tmp_path, imported, base)
        from hyperpod_dpd.iec.coercion import coerce
        from hyperpod_dpd.importing.fragment import _cleaned

        wanted, _ = _cleaned(coerce(value))
        assert residue(again, wanted) == []
    assert seen


def test_the_complete_example_keeps_what_it_leaves_out(tmp_path: Path) -> None:
    base, _ = example("dev")
    value = found.manifest_of("complete-pair")
    imported = import_endpoint(value)
    section = imported.fragment["endpoints"]["dpd-test"]
    assert section["model"]["catalogue"] == "llama-3.3-70b-instruct"
    assert section["cache"]["pd_buffer_bytes"] == 8589934592
    assert "spec.pdSpec.prefillSpec.resources" in imported.overridden
    roles = through(tmp_path, imported, base)["spec"]["pdSpec"]
    assert roles["prefillSpec"]["resources"] == value["spec"]["pdSpec"]["prefillSpec"]["resources"]


def test_fields_without_a_key_are_kept_and_listed(tmp_path: Path) -> None:
    base, [manifest] = example("dev")
    manifest["spec"]["worker"]["probes"] = {"startupProbe": {"failureThreshold": 200}}
    manifest["metadata"]["labels"] = {"team": "search"}
    manifest["status"] = {"state": "DeploymentComplete"}
    manifest["metadata"]["resourceVersion"] = "12"
    imported = import_endpoint(manifest)
    assert set(imported.overridden) == {"spec.worker.probes", "metadata.labels"}
    assert any("status" in note for note in imported.notes)
    again = through(tmp_path, imported, base)
    assert again["spec"]["worker"]["probes"] == {"startupProbe": {"failureThreshold": 200}}
    assert again["metadata"]["labels"] == {"team": "search"}


def test_rendered_file_of_the_tree_is_importable(tmp_path: Path) -> None:
    path = ROOT / "tests/snapshots/dev/endpoint-llama-70b/inferenceendpointconfig-llama-70b.yaml"
    _, [manifest] = example("dev")
    assert import_endpoint(yaml.safe_load(path.read_text())).fragment == import_endpoint(manifest).fragment


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"apiVersion": "v1", "kind": "Service"}, "is not an InferenceEndpointConfig"),
        (
            {"apiVersion": "inference.sagemaker.aws.amazon.com/v1alpha1", "kind": "InferenceEndpointConfig"},
            "v1",
        ),
        (
            {"apiVersion": "inference.sagemaker.aws.amazon.com/v1", "kind": "InferenceEndpointConfig"},
            "no spec",
        ),
        ("text", "no Kubernetes object"),
    ],
)
def test_what_is_no_endpoint_is_refused_in_words(value: Any, says: str) -> None:
    with pytest.raises(NotImportable, match=says):
        import_endpoint(value)


def test_two_endpoints_share_a_group() -> None:
    _, [manifest] = example("dev")
    other = json.loads(json.dumps(manifest))
    other["metadata"]["name"] = "other"
    fragment = merged_fragment([import_endpoint(manifest), import_endpoint(other)])
    assert set(fragment["endpoints"]) == {"llama-70b", "other"}
    assert fragment["cluster"]["instance_groups"]["prefill"]["count"] == 2


def test_endpoints_of_two_instance_types_keep_their_own(tmp_path: Path) -> None:
    base, [manifest] = example("dev")
    manifests = []
    for name, kind in (("one", "ml.p5.48xlarge"), ("two", "ml.p5en.48xlarge"), ("three", "ml.p5.48xlarge")):
        each = json.loads(json.dumps(manifest))
        each["metadata"]["name"] = name
        each["spec"]["instanceType"] = kind
        for role in ("prefillSpec", "decodingSpec"):
            del each["spec"]["pdSpec"][role]["nodeSelector"]
        manifests.append(each)
    fragment = merged_fragment([import_endpoint(each) for each in manifests])
    assert {name: group["count"] for name, group in fragment["cluster"]["instance_groups"].items()} == {
        "prefill": 2, "decode": 2, "prefill-p5en-48xlarge": 1, "decode-p5en-48xlarge": 1
    }  # fmt: skip
    path = tmp_path / "env.yaml"
    path.write_text(dump_yaml({**{key: base[key] for key in KEPT}, **fragment}))
    plans = {plan.name: plan.whole() for plan in resolve(load_environment(path)).endpoints}
    for each in manifests:
        assert residue(plans[each["metadata"]["name"]], each) == []


def test_group_that_manifests_name_has_one_instance_type() -> None:
    _, [manifest] = example("dev")
    other = json.loads(json.dumps(manifest))
    other["metadata"]["name"], other["spec"]["instanceType"] = "other", "ml.p5en.48xlarge"
    with pytest.raises(NotImportable, match=r"'prefill' is ml\.p5en\.48xlarge for one endpoint"):
        merged_fragment([import_endpoint(manifest), import_endpoint(other)])


def test_verb(tmp_path: Path) -> None:
    _, [manifest] = example("dev")
    (tmp_path / "a.yaml").write_text(dump_yaml(manifest))
    (tmp_path / "b.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: x}\n")
    run = CliRunner().invoke
    done = run(dpd, ["import", str(tmp_path / "a.yaml")])
    assert done.exit_code == 0
    assert done.output.startswith("# Imported")
    assert "llama-70b" in yaml.safe_load(done.output)["endpoints"]
    done = run(dpd, ["import", str(tmp_path), "--format", "json"])
    assert done.exit_code == 0
    assert run(dpd, ["import", str(tmp_path / "b.yaml")]).exit_code == 1
    assert run(dpd, ["import", str(tmp_path / "none.yaml")]).exit_code == 2
