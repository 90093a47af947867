"""Names: their shape, their length, what the operator makes of them, and whose they are."""

from __future__ import annotations

import pytest
import yaml

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.check import check
from hyperpod_dpd.rules.rule import Severity
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import manifest
from tests.support.findings import findings_in_case, findings_of

COLOCATED = "spec: {pdSpec: null, intelligentRoutingSpec: null}"


def renamed(name: str, *, namespace: str = "inference", extra: str = "{}") -> str:
    return yaml.safe_dump({**yaml.safe_load(extra), "metadata": {"name": name, "namespace": namespace}})


@pytest.mark.parametrize("name", ["70b", "llama_70b", "Llama", "llama-", "llama.70b", "llama 70b"])
def test_a_name_that_begins_no_service_is_an_error(name, tmp_path) -> None:
    (found,) = findings_of("DPD109", renamed(name), tmp_path)
    assert (found.path, found.severity) == ("metadata.name", Severity.ERROR)
    assert f"'{name}'" in found.message


@pytest.mark.parametrize("name", ["l", "llama-70b", "a--b", "x9", "$NAME", "<NAME>"])
def test_names_of_services_pass_and_placeholders_are_judged_elsewhere(name, tmp_path) -> None:
    assert findings_of("DPD109", renamed(name), tmp_path) == []


def test_a_digit_first_is_a_warning_where_no_router_is_made(tmp_path) -> None:
    (found,) = findings_of("DPD109", renamed("70b", extra=COLOCATED), tmp_path)
    assert found.severity is Severity.WARNING
    assert "not confirmed" in found.message


def test_a_namespace_with_a_dot_is_refused(tmp_path) -> None:
    (found,) = findings_of("DPD109", renamed("llama", namespace="team.a"), tmp_path)
    assert (found.path, found.severity) == ("metadata.namespace", Severity.ERROR)


@pytest.mark.parametrize(("length", "count"), [(37, 0), (38, 1)])
def test_the_routing_service_may_have_63_characters(length, count, tmp_path) -> None:
    name = "a" * length
    assert len(names.routing_service(name, "inference")) == 63 + count
    found = findings_of("DPD110", renamed(name), tmp_path)
    assert len(found) == count
    if count:
        assert "64 characters" in found[0].message
        assert "to 46 characters together; they have 47" in found[0].fix


def test_a_long_name_without_a_router_is_fine(tmp_path) -> None:
    assert findings_of("DPD110", renamed("a" * 60, extra=COLOCATED), tmp_path) == []


def test_a_long_name_with_routing_and_without_disaggregation_is_not(tmp_path) -> None:
    extra = "spec: {pdSpec: null, intelligentRoutingSpec: {enabled: true}}"
    assert findings_of("DPD110", renamed("a" * 60, extra=extra), tmp_path)


def together(tmp_path, *objects, files=False):
    """Findings on several objects, in one file or in one each."""
    if files:
        for index, item in enumerate(objects):
            (tmp_path / f"{index}.yaml").write_text(yaml.safe_dump(item), encoding="utf-8")
    else:
        (tmp_path / "all.yaml").write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    return check(gather([str(tmp_path)])).findings


def endpoint(name, namespace="inference", endpoint_name="", region="us-west-2"):
    item = manifest()
    item["metadata"] |= {"name": name, "namespace": namespace}
    item["spec"]["endpointName"] = endpoint_name
    item["spec"]["modelSourceConfig"]["s3Storage"]["region"] = region
    return item


@pytest.mark.parametrize("files", [False, True])
def test_two_names_that_join_alike_share_a_router(files, tmp_path) -> None:
    found = together(tmp_path, endpoint("a-b", "c"), endpoint("a", "b-c"), files=files)
    (hit,) = [f for f in found if f.id == "DPD111"]
    assert "'a-b-c-router'" in hit.message
    assert hit.path == "metadata.name"
    assert not hit.acknowledged and hit.severity is Severity.ERROR


def test_the_second_definition_in_one_file_is_named(tmp_path) -> None:
    (hit,) = [f for f in together(tmp_path, endpoint("a"), endpoint("a")) if f.id == "DPD111"]
    assert "defined in line" in hit.message


def test_one_endpoint_in_two_files_may_be_for_two_clusters(tmp_path) -> None:
    found = together(tmp_path, endpoint("a", endpoint_name="a"), endpoint("a", endpoint_name="a"), files=True)
    assert not {f.id for f in found} & {"DPD111", "DPD112"}


def test_one_endpoint_name_twice_in_a_file_is_an_error(tmp_path) -> None:
    found = together(tmp_path, endpoint("a", endpoint_name="x"), endpoint("b", endpoint_name="X"))
    (hit,) = [f for f in found if f.id == "DPD112"]
    assert (hit.path, hit.severity) == ("spec.endpointName", Severity.ERROR)


def test_between_files_it_is_a_warning(tmp_path) -> None:
    found = together(tmp_path, endpoint("a", endpoint_name="x"), endpoint("b", endpoint_name="x"), files=True)
    (hit,) = [f for f in found if f.id == "DPD112"]
    assert hit.severity is Severity.WARNING
    assert "one account and Region" in hit.message


@pytest.mark.parametrize(
    "second",
    [
        endpoint("b", endpoint_name="y"),
        endpoint("b", endpoint_name="x", region="us-east-2"),
    ],
)
def test_other_names_and_other_regions_do_not_meet(second, tmp_path) -> None:
    assert "DPD112" not in {f.id for f in together(tmp_path, endpoint("a", endpoint_name="x"), second)}


def test_two_endpoints_without_a_registration_do_not_meet(tmp_path) -> None:
    assert "DPD112" not in {f.id for f in together(tmp_path, endpoint("a"), endpoint("b"))}


def test_in_an_environment_the_place_is_its_own_key(tmp_path) -> None:
    fragment = """
endpoints:
  llama-70b: {endpoint_name: llama}
  llama-two:
    endpoint_name: llama
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
"""
    (hit,) = findings_of("DPD112", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-two.endpoint_name"


@pytest.mark.parametrize(("name", "count"), [("llama-70b", 0), ("", 0), ("other", 1)])
def test_another_endpoint_name_is_a_note(name, count, tmp_path) -> None:
    found = findings_of("DPD113", f"spec: {{endpointName: '{name}'}}", tmp_path)
    assert [f.severity for f in found] == [Severity.INFO] * count


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("Llama-3.3-70B-Instruct", Severity.INFO),
        ("a b/&", Severity.WARNING),
        ("llama_70b", Severity.WARNING),
        ("llama-", Severity.WARNING),
        ("Llama-3-3-70B", None),
        ("${MODEL}", None),
    ],
)
def test_a_model_name_that_sagemaker_refuses(name, severity, tmp_path) -> None:
    found = findings_of("DPD114", yaml.safe_dump({"spec": {"modelName": name}}), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_without_a_sagemaker_endpoint_the_model_name_is_free(tmp_path) -> None:
    assert findings_of("DPD114", "spec: {modelName: a b, endpointName: ''}", tmp_path) == []


def test_in_an_environment_the_model_name_has_its_own_key(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {model: {name: Llama 70B}}}"
    (hit,) = findings_of("DPD114", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.model.name"


def test_awss_example_has_dots_and_only_a_note(tmp_path) -> None:
    (hit,) = findings_in_case("DPD114", "complete-pair", tmp_path)
    assert hit.severity is Severity.INFO


@pytest.mark.parametrize(
    ("fragment", "severity"),
    [
        ("spec: {modelSourceConfig: {s3Storage: {bucketName: <YOUR_BUCKET>}}}", "error"),
        ("spec: {modelSourceConfig: {s3Storage: {bucketName: YOUR_BUCKET}}}", "error"),
        ("spec: {worker: {image: <YOUR_IMAGE>}}", "error"),
        ("spec: {worker: {modelVolumeMount: {name: CHANGEME}}}", "error"),
        ("spec: {modelSourceConfig: {modelLocation: <MODEL_PATH>}}", "warning"),
        ("spec: {modelName: CHANGEME}", "warning"),
    ],
)
def test_a_placeholder_in_a_name_that_can_never_exist_is_an_error(fragment, severity, tmp_path) -> None:
    found = findings_of("DPD106", fragment, tmp_path)
    assert found and {str(hit.severity) for hit in found} == {severity}
