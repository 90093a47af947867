"""Operator releases: pairs with the add-on, the fields each brought, the faults each repaired."""

import pytest

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import AddonVersion, OperatorRelease
from tests.support import crd

release, addon = OperatorRelease.parse, AddonVersion.parse

PAIRS = {
    "3.0": "v1.0.0-eksbuild.1",
    "3.1.2": "v1.2.0-eksbuild.1",
    "3.1.3": "v1.2.1-eksbuild.1",
    "3.2": "v1.3.0-eksbuild.1",
    "3.3": "v1.4.0-eksbuild.1",
    "3.4": "v1.5.0-eksbuild.1",
}


@pytest.mark.parametrize(("number", "version"), PAIRS.items())
def test_pairs_in_both_directions(number: str, version: str) -> None:
    assert operator_releases.addon_for(release(number)) == addon(version)
    assert operator_releases.release_for(addon(version)) == release(number)


@pytest.mark.parametrize("number", ["2.3", "3.1", "3.5", "3.6", "3.7"])
def test_releases_whose_addon_nobody_stated(number: str) -> None:
    assert operator_releases.find(release(number)) is not None
    assert operator_releases.addon_for(release(number)) is None


@pytest.mark.parametrize("version", ["v2.0.0-eksbuild.2", "v2.1.0-eksbuild.1"])
def test_addons_whose_release_nobody_stated(version: str) -> None:
    assert operator_releases.find_addon(addon(version)) is not None
    assert operator_releases.release_for(addon(version)) is None


def test_unknown_numbers_have_no_record() -> None:
    assert operator_releases.find(release("9.9")) is None
    assert operator_releases.addon_for(release("9.9")) is None
    assert operator_releases.find_addon(addon("v9.0.0-eksbuild.1")) is None


def test_both_series_rise_together_and_no_number_comes_twice() -> None:
    known = operator_releases.all()
    releases = [entry.release for entry in known if entry.release is not None]
    addons = [entry.addon for entry in known if entry.addon is not None]
    assert releases == sorted(releases) and len(set(releases)) == len(releases)
    assert addons == sorted(addons) and len(set(addons)) == len(addons)
    dates = [entry.released for entry in known if entry.released is not None]
    assert dates == sorted(dates)
    assert operator_releases.newest() == release("3.7")


def test_release_dates() -> None:
    dates = {
        str(entry.release): entry.released for entry in operator_releases.all() if entry.release is not None
    }
    assert (dates["3.2"], dates["3.3"], dates["3.4"]) == ("2026-06-12", "2026-08-04", "2026-08-21")
    assert dates["3.1.3"] is None


def test_floors() -> None:
    assert operator_releases.dpd_release() == release("3.2")
    assert operator_releases.dpd_addon() == addon("v1.3.0-eksbuild.1")
    assert operator_releases.recommended_release() == release("3.3")
    assert operator_releases.kvaware_release() == release("3.1.3")
    assert operator_releases.cluster_arn_addon() == addon("v1.2.0-eksbuild.1")
    assert operator_releases.gateway_addon() == addon("v2.0.0-eksbuild.2")


def test_an_addon_of_unknown_release_is_judged_within_its_own_series() -> None:
    assert operator_releases.addon_supports_dpd(addon("v2.1.0-eksbuild.1"))
    assert operator_releases.addon_supports_dpd(addon("v1.3.0-eksbuild.1"))
    assert not operator_releases.addon_supports_dpd(addon("v1.2.1-eksbuild.1"))


def test_fields_that_release_3_2_prunes() -> None:
    newer = {entry.path: str(entry.since) for entry in operator_releases.fields_newer_than(release("3.2"))}
    assert newer == {
        "spec.loadBalancer.idleTimeoutSeconds": "3.3",
        "spec.modelCacheConfig": "3.3",
        "spec.metricsSidecarResources": "3.4",
        "spec.metricsCollectorResources": "3.4",
        "spec.s3UploaderResources": "3.4",
        "spec.inferenceGateway": "3.6",
        "spec.kubernetes.podTemplateAnnotations": "3.6",
        "spec.tolerations": "3.7",
        "spec.lmcache": "3.7",
    }


def test_release_3_4_keeps_the_sidecar_resources_and_no_tolerations() -> None:
    newer = {entry.path for entry in operator_releases.fields_newer_than(release("3.4"))}
    assert "spec.metricsSidecarResources" not in newer
    assert "spec.tolerations" in newer


def test_the_release_of_dynamo_is_not_guessed() -> None:
    found = operator_releases.field_for("spec.dynamoSpec.services")
    assert found is not None and found.since is None and "since" in found.unconfirmed
    assert found not in operator_releases.fields_newer_than(release("2.3"))


@pytest.mark.parametrize(
    ("path", "since"),
    [
        ("spec.modelCacheConfig.weightsCache.hostPath", "3.3"),
        ("spec.kubernetes.podTemplateAnnotations", "3.6"),
        ("spec.kubernetes.volumes", "3.1"),
        ("spec.pdSpec.prefillSpec.args", "3.2"),
    ],
)
def test_the_longest_leading_path_decides(path: str, since: str) -> None:
    found = operator_releases.field_for(path)
    assert found is not None and found.since == release(since)


def test_a_path_that_only_looks_alike_has_no_entry() -> None:
    assert operator_releases.field_for("spec.modelCacheConfigs") is None
    assert operator_releases.field_for("spec.worker.image") is None


def test_faults_of_release_3_2_and_none_from_3_3() -> None:
    keys = {entry.key for entry in operator_releases.fixes_missing_in(release("3.2"))}
    assert keys == {"routing-service-missing", "registration-never-completes", "cache-switches-ignored"}
    assert operator_releases.fixes_missing_in(release("3.2.5")) == operator_releases.fixes_missing_in(
        release("3.2")
    )
    assert operator_releases.fixes_missing_in(release("3.3")) == ()
    assert "dpd-pods-restart" in {entry.key for entry in operator_releases.fixes_missing_in(release("3.1.3"))}


def test_faults_outside_dpd_only_on_request() -> None:
    assert "amp-address-with-path" not in {
        entry.key for entry in operator_releases.fixes_missing_in(release("3.0"))
    }
    every = operator_releases.fixes_missing_in(release("3.0"), only_dpd=False)
    assert "amp-address-with-path" in {entry.key for entry in every}


def test_fields_agree_with_the_definition_of_release_3_2() -> None:
    theirs = crd.table()["versions"]["v1"]["fields"]
    for entry in operator_releases.fields():
        expected = entry.since is not None and entry.since <= release("3.2")
        assert (entry.path in theirs) is expected, entry.path
