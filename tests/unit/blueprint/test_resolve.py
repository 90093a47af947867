"""The blueprint: counts, placements, buffers and names derived once, late-bound facts never guessed."""

from __future__ import annotations

import ipaddress
import itertools
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.config import InvalidEnvironment, load_environment
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged


def blueprint(tmp_path: Path, fragment: str = "", name: str = "dev") -> Blueprint:
    """The example environment with a fragment put in, resolved."""
    value: dict[str, Any] = merged(environment(name), yaml.safe_load(fragment) or {})
    file = tmp_path / f"{name}.yaml"
    file.write_text(yaml.safe_dump(value, sort_keys=False), encoding="utf-8")
    return resolve(load_environment(file))


def endpoint(tmp_path: Path, fragment: str = "") -> EndpointPlan:
    (plan,) = blueprint(tmp_path, fragment).endpoints
    return plan


@pytest.mark.parametrize("instance_type", instance_types.dpd_types())
def test_efa_interfaces_follow_from_gpus_and_type(tmp_path: Path, instance_type: str) -> None:
    plan = endpoint(
        tmp_path,
        f"""
cluster: {{instance_groups: {{prefill: {{instance_type: {instance_type}}}}}}}
endpoints: {{llama-70b: {{prefill: {{gpus: 4}}}}}}
""",
    )
    known = instance_types.get(instance_type)
    assert known is not None and known.efa_interfaces is not None
    prefill = plan.role("prefill")
    assert prefill is not None
    assert (prefill.gpus, prefill.efa_interfaces) == (4, 4 * known.efa_interfaces // 8)


@pytest.mark.parametrize(
    ("prefill", "decode", "wanted"),
    [
        ("{}", "{}", {"instanceType": "ml.p5.48xlarge"}),
        (
            "{alternatives: [ml.p5e.48xlarge]}",
            "{}",
            {"instanceTypes": ["ml.p5.48xlarge", "ml.p5e.48xlarge"]},
        ),
        (
            "{}",
            "{alternatives: [ml.p5e.48xlarge]}",
            {"instanceTypes": ["ml.p5.48xlarge", "ml.p5e.48xlarge"]},
        ),
    ],
)
def test_the_operator_hears_of_every_type_that_a_flexible_group_may_get(
    prefill: str, decode: str, wanted: dict[str, Any], tmp_path: Path
) -> None:
    groups = f"cluster: {{instance_groups: {{prefill: {prefill}, decode: {decode}}}}}"
    spec = endpoint(tmp_path, groups).rendered()["spec"]
    assert {key: value for key, value in spec.items() if key.startswith("instanceType")} == wanted


def test_the_buffer_is_whole_pages_of_the_model(tmp_path: Path) -> None:
    plan = endpoint(tmp_path)
    assert plan.model.kv_bytes_per_token_per_rank == 40_960
    assert plan.model.page_bytes == 10_485_760
    assert plan.pd_buffer_bytes == 819 * 10_485_760
    assert plan.manifest is not None
    assert plan.manifest.environment["PD_BUFFER_SIZE"] == "8587837440"


def test_a_given_buffer_is_left_as_it_is(tmp_path: Path) -> None:
    plan = endpoint(tmp_path, "endpoints: {llama-70b: {cache: {pd_buffer_bytes: 17179869184}}}")
    assert plan.pd_buffer_bytes == 17_179_869_184


def test_role_arguments_replace_shared_ones_in_what_is_effective(tmp_path: Path) -> None:
    plan = endpoint(
        tmp_path,
        "endpoints: {llama-70b: {prefill: {arguments: {gpu-memory-utilization: 0.6, enforce-eager: true}}}}",
    )
    prefill, decode = plan.roles
    assert prefill.arguments[prefill.arguments.index("--gpu-memory-utilization") + 1] == "0.6"
    assert "--enforce-eager" in prefill.arguments
    assert decode.arguments[decode.arguments.index("--gpu-memory-utilization") + 1] == "0.75"
    assert "--enforce-eager" not in decode.arguments


def test_a_switch_set_to_false_is_its_no_form(tmp_path: Path) -> None:
    plan = endpoint(tmp_path, "endpoints: {llama-70b: {decode: {arguments: {enable-prefix-caching: false}}}}")
    assert "--no-enable-prefix-caching" in plan.roles[1].arguments


def test_the_way_back_keeps_the_gpus_and_loses_the_roles(tmp_path: Path) -> None:
    plan = endpoint(tmp_path, "endpoints: {llama-70b: {topology: colocated}}")
    manifest = plan.rendered()
    assert manifest is not None
    assert "pdSpec" not in manifest["spec"]
    assert manifest["spec"]["replicas"] == 2
    assert manifest["spec"]["worker"]["resources"]["limits"]["nvidia.com/gpu"] == "8"


def test_user_variables_win_and_secrets_stay_references(tmp_path: Path) -> None:
    plan = endpoint(
        tmp_path,
        """
endpoints:
  llama-70b:
    environment_variables: {PYTHONHASHSEED: "7", HF_TOKEN: {secret: hugging-face, key: token}}
""",
    )
    manifest = plan.rendered()
    assert manifest is not None
    variables = {v["name"]: v for v in manifest["spec"]["worker"]["environmentVariables"]}
    assert variables["PYTHONHASHSEED"]["value"] == "7"
    assert variables["HF_TOKEN"]["valueFrom"] == {"secretKeyRef": {"name": "hugging-face", "key": "token"}}


def test_a_field_newer_than_the_operator_is_never_rendered(tmp_path: Path) -> None:
    fragment = 'operator: {{release: "{}"}}\nendpoints: {{llama-70b: {{load_balancer: {{idle_timeout_seconds: 300}}}}}}'
    old = endpoint(tmp_path, fragment.format("3.2")).rendered()
    new = endpoint(tmp_path, fragment.format("3.3")).rendered()
    assert old is not None and new is not None
    assert "idleTimeoutSeconds" not in old["spec"]["loadBalancer"]
    assert new["spec"]["loadBalancer"]["idleTimeoutSeconds"] == 300


def test_an_endpoint_that_needs_a_missing_output_is_left_out_and_named(tmp_path: Path) -> None:
    found = blueprint(tmp_path, "cluster: {lifecycle_scripts: null}", name="prod")
    (plan,) = found.endpoints
    assert plan.rendered() is None
    (note,) = found.notes
    assert note.subject == "endpoints.llama-70b"
    assert "dpd outputs pull prod" in note.message
    assert resolve(load_environment(ENVIRONMENTS / "prod.yaml")).endpoints[0].rendered() is not None


def test_an_unknown_operator_release_leaves_the_addon_out_with_a_note(tmp_path: Path) -> None:
    found = blueprint(tmp_path, 'operator: {release: "3.7"}')
    assert found.operator.addon_version is None
    assert not [a for a in found.addons if a.name.endswith("hyperpod-inference")]
    assert [n.subject for n in found.notes] == ["operator.addon_version"]


def test_a_model_of_unknown_geometry_keeps_the_documented_buffer_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"model_type": "something-new"}', encoding="utf-8")
    resolved = blueprint(
        tmp_path, "endpoints: {llama-70b: {model: {catalogue: null, config: odd.json, name: odd}}}"
    )
    (plan,) = resolved.endpoints
    assert plan.model.page_bytes is None
    assert plan.model.notes
    assert any("num_hidden_layers" in note.message for note in resolved.notes)
    assert plan.pd_buffer_bytes == 8_589_934_592


def test_subnets_lie_inside_the_vpc_and_never_overlap(tmp_path: Path) -> None:
    for path in ENVIRONMENTS.glob("*.yaml"):
        network = resolve(load_environment(path)).network
        if network.vpc_cidr is None:
            continue
        ranges = [ipaddress.ip_network(s.cidr) for s in network.subnets if s.cidr]
        allowed = [ipaddress.ip_network(c) for c in (network.vpc_cidr, *network.secondary_cidrs)]
        assert all(any(r.subnet_of(a) for a in allowed) for r in ranges)
        assert not any(a.overlaps(b) for a, b in itertools.combinations(ranges, 2))


def test_a_zone_added_later_moves_no_subnet(tmp_path: Path) -> None:
    before = {s.key: s.cidr for s in blueprint(tmp_path).network.subnets}
    after = {
        s.key: s.cidr
        for s in blueprint(
            tmp_path,
            """
network:
  control_plane_zones: [usw2-az1, usw2-az2, usw2-az3]
  accelerator_zones: [usw2-az2, usw2-az1]
cluster:
  instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}
""",
        ).network.subnets
    }
    assert before.items() <= after.items()
    assert len(after) == len(before) + 3


def test_groups_are_labelled_by_what_uses_them(tmp_path: Path) -> None:
    found = blueprint(
        tmp_path, "cluster: {instance_groups: {spare: {instance_type: ml.p5.48xlarge, count: 0}}}"
    )
    assert {g.name: g.role for g in found.cluster.groups} == {
        "system": "system",
        "prefill": "prefill",
        "decode": "decode",
        "spare": "worker",
    }


def test_resolving_twice_gives_equal_blueprints() -> None:
    path = ENVIRONMENTS / "staging.yaml"
    assert resolve(load_environment(path)) == resolve(load_environment(path))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON"),
        (b"[1]", "no JSON object"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000, "not usable JSON"),
    ],
)
def test_a_config_that_is_none_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    with pytest.raises(InvalidEnvironment) as caught:
        blueprint(tmp_path, "endpoints: {llama-70b: {model: {catalogue: null, config: odd.json, name: odd}}}")
    (fault,) = caught.value.faults
    assert fault.path == ("endpoints", "llama-70b", "model", "config")
    assert says in fault.message


def test_figures_of_a_model_that_cannot_be_are_refused(tmp_path: Path) -> None:
    figures = (
        "{layers: 1000000000000, attention_heads: 64, kv_heads: 8, head_dim: 128, parameters_billion: 70}"
    )
    with pytest.raises(InvalidEnvironment) as caught:
        blueprint(
            tmp_path,
            f"endpoints: {{llama-70b: {{model: {{catalogue: null, geometry: {figures}, name: odd}}}}}}",
        )
    assert caught.value.faults[0].path == ("endpoints", "llama-70b", "model", "geometry")


def test_no_reason_of_an_acknowledgement_begins_another() -> None:
    from hyperpod_dpd.blueprint.endpoints import acknowledgement_text

    text = acknowledgement_text({"DPD712": "planned; DPD404: hidden", "DPD101": "a; b"})
    assert text == "DPD101: a; b; DPD712: planned, DPD404: hidden"


def test_a_route_to_nowhere_hides_nothing_else_of_the_blueprint(tmp_path: Path) -> None:
    with pytest.raises(InvalidEnvironment) as caught:
        blueprint(tmp_path, "routes: {all: {weights: {llama-70b: 1, lost: 1}}, none: {weights: {lost: 1}}}")
    assert caught.value.loaded is not None
    (route,) = resolve(caught.value.loaded).apps.routes
    assert route.backends == (("llama-70b-inference-routing-service", 1),)
