"""An endpoint beside what it was: what fires, where, and what stays silent; manifests and environments alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.rules.finding import Finding
from tests.support.documents import check_change, environment, manifest, spoiled

CHANGE_RULES = {f"DPD{number}" for number in (948, 949, *range(951, 960))}
COLOCATED = "spec: {pdSpec: null}"
ROUTING = "spec: {intelligentRoutingSpec: {enabled: true, routingStrategy: session}}"
DIGEST = "sha256:" + "0a" * 32


def changes(before: Any, after: Any, folder: Path, **options: Any) -> dict[str, Finding]:
    report = check_change(before, after, folder, **options)
    assert "DPD001" not in {found.id for found in report.findings}
    return {found.id: found for found in report.findings if found.id in CHANGE_RULES}


def test_nothing_changed_is_silent(tmp_path: Path) -> None:
    assert changes(manifest(), manifest(), tmp_path) == {}
    assert changes(environment(), environment(), tmp_path) == {}


@pytest.mark.parametrize(
    ("before", "after", "severity", "path", "says"),
    [
        ("spec: {intelligentRoutingSpec: null}", ROUTING, "error", "spec.intelligentRoutingSpec", "is added"),
        (ROUTING, "spec: {intelligentRoutingSpec: null}", "warning", "spec.intelligentRoutingSpec", "not confirmed"),
        (ROUTING, "spec: {intelligentRoutingSpec: {enabled: false, routingStrategy: session}}", "error",
         "spec.intelligentRoutingSpec.enabled", "enabled was true and is false"),
        ("spec: {intelligentRoutingSpec: {enabled: true, routingStrategy: prefixaware}}", ROUTING, "error",
         "spec.intelligentRoutingSpec.routingStrategy", "prefixaware and is session"),
    ],
)  # fmt: skip
def test_routing_of_an_existing_endpoint(
    tmp_path: Path, before: str, after: str, severity: str, path: str, says: str
) -> None:
    found = changes(spoiled(before), spoiled(after), tmp_path)["DPD951"]
    assert (found.severity, found.path) == (severity, path)
    assert says in found.message


def test_the_default_strategy_written_out_is_no_change(tmp_path: Path) -> None:
    implied = spoiled("spec: {intelligentRoutingSpec: {enabled: true, routingStrategy: null}}")
    written = spoiled("spec: {intelligentRoutingSpec: {enabled: true, routingStrategy: prefixaware}}")
    assert "DPD951" not in changes(implied, written, tmp_path)


def test_routing_in_the_environment_is_found_at_its_key(tmp_path: Path) -> None:
    after = spoiled("endpoints: {llama-70b: {routing: {strategy: roundrobin}}}", of="environment")
    found = changes(environment(), after, tmp_path)["DPD951"]
    assert found.path == "endpoints.llama-70b.routing.strategy"


@pytest.mark.parametrize(
    ("fragment", "says"),
    [
        ("[{name: MORE, value: '1'}]", "MORE is added"),
        ("[{name: PYTHONHASHSEED, value: '7'}]", "PYTHONHASHSEED has another value"),
        ("[{name: -PYTHONHASHSEED}]", "PYTHONHASHSEED is removed"),
        ("[{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: a, key: b}}}]", "HF_TOKEN is added"),
    ],
)
def test_variables(tmp_path: Path, fragment: str, says: str) -> None:
    after = spoiled(f"spec: {{worker: {{environmentVariables: {fragment}}}}}")
    found = changes(manifest(), after, tmp_path)["DPD952"]
    assert says in found.message and "'7'" not in found.message
    assert found.path.startswith("spec.worker.environmentVariables")


def test_another_key_of_a_secret_is_a_change_and_another_order_is_none(tmp_path: Path) -> None:
    def with_key(key: str) -> Any:
        variable = f"{{name: HF_TOKEN, valueFrom: {{secretKeyRef: {{name: a, key: {key}}}}}}}"
        return spoiled(f"spec: {{worker: {{environmentVariables: [{variable}]}}}}")

    assert "DPD952" in changes(with_key("b"), with_key("c"), tmp_path)
    turned = manifest()
    turned["spec"]["worker"]["environmentVariables"].reverse()
    assert changes(manifest(), turned, tmp_path) == {}


def test_a_buffer_changed_in_the_environment_is_a_variable(tmp_path: Path) -> None:
    after = spoiled("endpoints: {llama-70b: {cache: {pd_buffer_bytes: 17179869184}}}", of="environment")
    found = changes(environment(), after, tmp_path)["DPD952"]
    assert found.path == "endpoints.llama-70b.cache.pd_buffer_bytes"


@pytest.mark.parametrize(
    ("fragment", "path", "says"),
    [
        ("metadata: {name: other}", "metadata.name", "inference/llama-70b becomes inference/other"),
        ("metadata: {namespace: other}", "metadata.namespace", "becomes other/llama-70b"),
        ("spec: {endpointName: another}", "spec.endpointName", "callers of the old name fail"),
    ],
)
def test_a_renamed_endpoint(tmp_path: Path, fragment: str, path: str, says: str) -> None:
    found = changes(manifest(), spoiled(fragment), tmp_path)
    assert found["DPD953"].path == path
    assert says in found["DPD953"].message
    assert "DPD957" not in found


def test_an_endpoint_of_another_model_is_not_the_old_one_renamed(tmp_path: Path) -> None:
    other = {
        "apiVersion": manifest()["apiVersion"], "kind": "InferenceEndpointConfig",
        "metadata": {"name": "small", "namespace": "inference"},
        "spec": {"modelName": "other", "instanceType": "ml.g5.xlarge", "worker": {"image": "a/b:c"}},
    }  # fmt: skip
    found = changes(manifest(), other, tmp_path)
    assert "DPD953" not in found
    assert found["DPD957"].object == "InferenceEndpointConfig inference/llama-70b"


@pytest.mark.parametrize(
    ("image", "severity"), [("example.com/vllm:next", "warning"), (f"example.com/vllm@{DIGEST}", "info")]
)
def test_the_image(tmp_path: Path, image: str, severity: str) -> None:
    after = spoiled(f"spec: {{worker: {{image: '{image}'}}}}")
    assert changes(manifest(), after, tmp_path)["DPD954"].severity == severity
    colocated = spoiled(f"spec: {{pdSpec: null, worker: {{image: '{image}'}}}}")
    assert "DPD954" not in changes(spoiled(COLOCATED), colocated, tmp_path)


@pytest.mark.parametrize(
    "arguments",
    ["{--kv-cache-dtype: fp8}", "[--kv-cache-dtype=fp8]", "{--tensor-parallel-size: 4}", "[-tp, '4']"],
)
@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_an_argument_on_one_role_only(tmp_path: Path, role: str, arguments: str) -> None:
    key = {"prefill": "prefillSpec", "decode": "decodingSpec"}[role]
    after = spoiled(f"spec: {{pdSpec: {{{key}: {{args: {arguments}}}}}}}")
    found = changes(manifest(), after, tmp_path)["DPD955"]
    assert found.path.startswith(f"spec.pdSpec.{key}.args") and role in found.message


def test_arguments_that_may_differ_and_standing_differences_are_silent(tmp_path: Path) -> None:
    scheduling = spoiled("spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 4}}}}")
    assert "DPD955" not in changes(manifest(), scheduling, tmp_path)
    standing = spoiled("spec: {pdSpec: {prefillSpec: {args: {--kv-cache-dtype: fp8}}}}")
    assert "DPD955" not in changes(standing, standing, tmp_path)
    fp8 = "{args: {--kv-cache-dtype: fp8}}"
    both = f"spec: {{pdSpec: {{prefillSpec: {fp8}, decodingSpec: {fp8}}}}}"
    assert "DPD955" not in changes(manifest(), spoiled(both), tmp_path)


class TestSwitch:
    """Colocated to disaggregated and back: what one block asked for, the other must ask for."""

    NO = "spec: {pdSpec: {decodingSpec: {resources: {limits: {%s: null}, requests: {%s: null}}}}}"

    @pytest.mark.parametrize(("resource", "severity"), [("memory", "warning"), ("nvidia.com/gpu", "error")])
    def test_a_role_without_a_resource_of_the_worker(
        self, tmp_path: Path, resource: str, severity: str
    ) -> None:
        found = changes(spoiled(COLOCATED), spoiled(self.NO % (resource, resource)), tmp_path)["DPD956"]
        assert (found.severity, found.path) == (severity, "spec.pdSpec.decodingSpec.resources")
        assert found.message.startswith(f"{resource}: ")

    def test_back_to_a_worker_with_less_memory(self, tmp_path: Path) -> None:
        less = "spec: {pdSpec: null, worker: {resources: {limits: {memory: 10Gi}, requests: {memory: 10Gi}}}}"
        found = changes(manifest(), spoiled(less), tmp_path)["DPD956"]
        assert (found.severity, found.path) == ("warning", "spec.worker.resources")
        assert "10Gi is now" in found.message

    def test_a_colocated_endpoint_needs_no_efa(self, tmp_path: Path) -> None:
        efa = "vpc.amazonaws.com/efa"
        none = f"{{{efa}: null}}"
        without = f"spec: {{pdSpec: null, worker: {{resources: {{limits: {none}, requests: {none}}}}}}}"
        assert "DPD956" not in changes(manifest(), spoiled(without), tmp_path)

    def test_the_environment_keeps_them_by_itself(self, tmp_path: Path) -> None:
        colocated = spoiled("endpoints: {llama-70b: {topology: colocated, decode: null}}", of="environment")
        assert "DPD956" not in changes(environment(), colocated, tmp_path)

    def test_no_switch_no_finding(self, tmp_path: Path) -> None:
        assert "DPD956" not in changes(manifest(), spoiled(self.NO % ("memory", "memory")), tmp_path)


def test_a_removed_endpoint_is_told_at_its_old_place(tmp_path: Path) -> None:
    second = spoiled("metadata: {name: second}\nspec: {endpointName: second, modelName: m}")
    found = changes([manifest(), second], [manifest()], tmp_path)["DPD957"]
    assert found.severity == "warning"
    assert found.file.endswith("before/1.yaml")
    assert "'second' is there no more" in found.message


GROUP = "sagemaker.amazonaws.com/instance-group-name"


@pytest.mark.parametrize(
    ("fragment", "path", "says"),
    [
        (f"spec: {{pdSpec: {{decodingSpec: {{nodeSelector: {{{GROUP}: other}}}}}}}}",
         "spec.pdSpec.decodingSpec.nodeSelector", "decode moves from instance group decode to other"),
        ("spec: {instanceType: ml.p5en.48xlarge}", "spec.instanceType",
         "from instance type ml.p5.48xlarge to ml.p5en.48xlarge"),
    ],
)  # fmt: skip
def test_a_role_that_moves(tmp_path: Path, fragment: str, path: str, says: str) -> None:
    found = changes(manifest(), spoiled(fragment), tmp_path)["DPD958"]
    assert found.path.startswith(path) and says in found.message


def test_a_zone_that_moves(tmp_path: Path) -> None:
    def in_zone(zone: str) -> Any:
        return spoiled(f"spec: {{pdSpec: {{topologySpec: {{availabilityZone: {zone}}}}}}}")

    found = changes(in_zone("us-west-2a"), in_zone("us-west-2b"), tmp_path)["DPD958"]
    assert found.path == "spec.pdSpec.topologySpec.availabilityZone"


def test_an_instance_group_that_changes_under_an_unchanged_endpoint(tmp_path: Path) -> None:
    after = spoiled(
        "cluster: {instance_groups: {prefill: {instance_type: ml.p5en.48xlarge}, decode: {instance_type: "
        "ml.p5en.48xlarge}}}",
        of="environment",
    )
    found = changes(environment(), after, tmp_path)
    assert "was ml.p5.48xlarge and becomes ml.p5en.48xlarge" in found["DPD948"].message
    assert "DPD958" not in found  # the same cause, told by the environment


def test_both_roles_restart_only_where_both_pod_templates_change(tmp_path: Path) -> None:
    shared = changes(manifest(), spoiled("spec: {worker: {args: {--max-model-len: 8192}}}"), tmp_path)
    assert shared["DPD959"].severity == "info" and "arguments" in shared["DPD959"].message
    one = changes(manifest(), spoiled("spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 4}}}}"), tmp_path)
    assert "DPD959" not in one
    more = changes(manifest(), spoiled("spec: {pdSpec: {prefillSpec: {replicas: 2}}}"), tmp_path)
    assert more == {}


def test_an_acknowledgement_is_taken_and_not_called_idle_elsewhere(tmp_path: Path) -> None:
    accepted = "metadata: {annotations: {dpd.check/acknowledge: 'DPD952: recreated on Sunday'}}\n"
    after = spoiled(accepted + "spec: {worker: {environmentVariables: [{name: MORE, value: '1'}]}}")
    report = check_change(manifest(), after, tmp_path)
    found = {each.id: each for each in report.findings}
    assert found["DPD952"].acknowledged == "recreated on Sunday"
    assert "DPD007" not in found


def test_endpoints_of_one_name_in_two_environments_are_told_apart(tmp_path: Path) -> None:
    from hyperpod_dpd.document import dump_yaml
    from hyperpod_dpd.rules.check import Options, check
    from hyperpod_dpd.view.inputs import gather

    for state, prod in (("before", "[{name: MORE, value: '1'}]"), ("after", "[{name: MORE, value: '2'}]")):
        for name, value in (
            ("dev", manifest()),
            ("prod", spoiled(f"spec: {{worker: {{environmentVariables: {prod}}}}}")),
        ):
            place = tmp_path / state / name
            place.mkdir(parents=True)
            (place / "endpoint.yaml").write_text(dump_yaml(value), encoding="utf-8")
    report = check(gather([str(tmp_path / "after")]), Options(previous=gather([str(tmp_path / "before")])))
    found = [each for each in report.findings if each.id in CHANGE_RULES]
    assert {(each.id, Path(each.file).parent.name) for each in found} == {
        ("DPD952", "prod"),
        ("DPD959", "prod"),
    }


def test_a_rendered_manifest_may_be_compared_with_the_environment(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    report = check_change(environment(), manifest(), tmp_path)
    assert not {found.id for found in report.findings} & CHANGE_RULES
