"""The operator's release, the add-on's version, and the add-ons it needs: two series of numbers, never compared."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings, lacks, manifest_findings, not_checked


@pytest.mark.parametrize(
    ("release", "fires"), [("2.3", True), ("3.1.3", True), ("3.2", False), ("3.7", False)]
)
def test_the_first_release_with_disaggregation(tmp_path, release: str, fires: bool) -> None:
    assert bool(manifest_findings("DPD206", "{}", tmp_path, operator=release)) is fires


@pytest.mark.parametrize(
    ("release", "fires"), [("3.1.3", False), ("3.2", True), ("3.2.1", True), ("3.3", False)]
)
def test_releases_with_known_faults(tmp_path, release: str, fires: bool) -> None:
    found = manifest_findings("DPD207", "{}", tmp_path, operator=release)
    assert bool(found) is fires
    if found:
        assert "503" in found[0].message and found[0].fix.endswith("3.3 or later")


def test_without_a_release_neither_is_checked(tmp_path) -> None:
    notes = not_checked("{}", tmp_path)
    assert lacks(notes, "DPD206", "operator") and lacks(notes, "DPD207", "operator")


@pytest.mark.parametrize(("version", "fires"), [("v1.2.9-eksbuild.9", True), ("v1.3.0-eksbuild.1", False)])
def test_the_first_addon_with_disaggregation(tmp_path, version: str, fires: bool) -> None:
    found = environment_findings("DPD208", f"operator: {{addon_version: {version}}}", tmp_path)
    assert [f.path for f in found] == (["operator.addon_version"] if fires else [])


def test_an_old_addon_is_fine_for_colocated_endpoints_only(tmp_path) -> None:
    fragment = """
operator: {release: "3.1.2", addon_version: v1.2.0-eksbuild.1}
endpoints: {llama-70b: {topology: colocated}}
"""
    assert environment_findings("DPD208", fragment, tmp_path) == []


def test_an_addon_whose_number_is_lower_than_the_release_is_no_fault(tmp_path) -> None:
    fragment = 'operator: {release: "3.3", addon_version: v1.4.0-eksbuild.1}'
    assert environment_findings("DPD209", fragment, tmp_path) == []


def test_an_addon_of_another_release_names_both_ways_out(tmp_path) -> None:
    fragment = 'operator: {release: "3.3", addon_version: v1.5.0-eksbuild.1}'
    (found,) = environment_findings("DPD209", fragment, tmp_path)
    assert "carries operator 3.4, the document says 3.3" in found.message
    assert "set operator.release to 3.4, or operator.addon_version to v1.4.0-eksbuild.1" in found.fix


@pytest.mark.parametrize("version", ["v2.0.0-eksbuild.2", "v9.9.9-eksbuild.1"])
def test_an_addon_of_unknown_release_is_a_warning(tmp_path, version: str) -> None:
    (found,) = environment_findings("DPD209", f"operator: {{addon_version: {version}}}", tmp_path)
    assert found.severity == "warning" and "not confirmed" in found.message


def test_a_release_without_a_known_addon_installs_nothing(tmp_path) -> None:
    (found,) = environment_findings("DPD210", 'operator: {release: "3.7"}', tmp_path)
    assert found.path == "operator.release" and "3.4 (v1.5.0-eksbuild.1)" in found.fix
    given = 'operator: {release: "3.7", addon_version: v1.9.0-eksbuild.1}'
    assert environment_findings("DPD210", given, tmp_path) == []
    assert environment_findings("DPD210", 'operator: {release: "3.7", install: helm}', tmp_path) == []


@pytest.mark.parametrize(
    ("name", "version", "says"),
    [
        ("cert-manager", "v1.18.2-eksbuild.1", "below v1.18.2-eksbuild.2"),
        ("metrics-server", "v0.7.1-eksbuild.9", "below v0.7.2-eksbuild.4"),
        ("vpc-cni", "v1.18.2-eksbuild.1", "below v1.18.3"),
        ("aws-fsx-csi-driver", "1.6", "not an EKS add-on version"),
    ],
)
def test_addons_below_their_minimum(tmp_path, name: str, version: str, says: str) -> None:
    (found,) = environment_findings("DPD211", f'addon_versions: {{{name}: "{version}"}}', tmp_path)
    assert says in found.message and name in found.path


def test_versions_that_nothing_reads(tmp_path) -> None:
    fragment = """
addon_versions: {amazon-sagemaker-hyperpod-inference: v1.5.0-eksbuild.1, core-dns: v1.12.4-eksbuild.1}
operator: {install: helm, addon_version: v1.5.0-eksbuild.1}
"""
    found = environment_findings("DPD212", fragment, tmp_path)
    messages = " | ".join(f.message for f in found)
    assert len(found) == 3
    assert "did you mean coredns?" in messages and "is not read from here" in messages and "helm" in messages


@pytest.mark.parametrize(
    ("version", "says"), [("v1.22.3-eksbuild.1", "pool of its pods"), ("v1.22.4-eksbuild.1", "")]
)
def test_a_pin_that_is_known_to_be_faulty(tmp_path, version: str, says: str) -> None:
    found = environment_findings("DPD211", f"addon_versions: {{vpc-cni: {version}}}", tmp_path)
    assert [each.severity.value for each in found] == (["warning"] if says else [])
    assert all(says in each.message and "v1.22.4" in each.fix for each in found)
