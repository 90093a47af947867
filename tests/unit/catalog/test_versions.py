"""Version numbers compare by number, and never across two series."""

import itertools
import operator

import pytest

from hyperpod_dpd.catalog.versions import AddonVersion, ComponentVersion, KubernetesVersion, OperatorRelease

OPERATORS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("compare", OPERATORS)
def test_an_operator_release_never_compares_with_an_addon_version(compare: object) -> None:
    release, addon = OperatorRelease.parse("3.2"), AddonVersion.parse("v1.3.0-eksbuild.1")
    for left, right in ((release, addon), (addon, release)):
        with pytest.raises(TypeError, match="independent series"):
            compare(left, right)  # type: ignore[operator]


def test_all_series_are_kept_apart() -> None:
    one_each = [
        OperatorRelease.parse("1.33"),
        AddonVersion.parse("v1.33.0"),
        KubernetesVersion.parse("1.33"),
        ComponentVersion.parse("1.33"),
    ]
    for left, right in itertools.permutations(one_each, 2):
        with pytest.raises(TypeError):
            assert left < right  # type: ignore[operator]


def test_a_version_and_a_text_have_no_order() -> None:
    with pytest.raises(TypeError):
        assert OperatorRelease.parse("3.2") < "3.3"  # type: ignore[operator]


def test_numbers_count_as_numbers() -> None:
    release = OperatorRelease.parse
    assert release("3.10") > release("3.9")
    assert release("3.1") < release("3.1.2") < release("3.1.3") < release("3.2")
    assert release("v3.2") == release("3.2") == release("3.2.0")
    assert hash(release("3.2")) == hash(release("3.2.0"))
    addon = AddonVersion.parse
    assert addon("v1.3.0-eksbuild.10") > addon("v1.3.0-eksbuild.9") > addon("v1.3.0")
    assert addon("v1.10.0-eksbuild.1") > addon("v1.9.9-eksbuild.1")
    assert (
        KubernetesVersion.parse("1.9") < KubernetesVersion.parse("1.33.2") == KubernetesVersion.parse("1.33")
    )


def test_development_builds_stand_before_the_release() -> None:
    version = ComponentVersion.parse
    assert version("0.20.0.dev60") < version("0.20.0.dev361") < version("0.20.0rc1") < version("0.20.0")
    assert version("0.19.1") < version("0.20.0.dev60")
    assert version("0.4.3") == version("v0.4.3") == version("0.4.3+cu129")
    assert version("0.19.0") < version("0.19.1")


@pytest.mark.parametrize(
    ("cls", "text", "shown"),
    [
        (OperatorRelease, "v3.2", "3.2"),
        (OperatorRelease, "3.1.2", "3.1.2"),
        (OperatorRelease, "3.2.0", "3.2"),
        (AddonVersion, "v1.3.0-eksbuild.1", "v1.3.0-eksbuild.1"),
        (AddonVersion, "v1.18.3", "v1.18.3"),
        (KubernetesVersion, "v1.33.4", "1.33"),
        (ComponentVersion, "v0.20.0.dev361", "0.20.0.dev361"),
    ],
)
def test_shown_as_people_write_it(cls: type[OperatorRelease], text: str, shown: str) -> None:
    assert str(cls.parse(text)) == shown


@pytest.mark.parametrize("text", ["v1.3.0-eksbuild.1", "1.3.0-eksbuild.1"])
def test_an_addon_version_is_no_operator_release(text: str) -> None:
    with pytest.raises(ValueError, match="add-on, not an operator release"):
        OperatorRelease.parse(text)


def test_an_operator_release_is_no_addon_version() -> None:
    with pytest.raises(ValueError, match="looks like an operator release"):
        AddonVersion.parse("3.2")


@pytest.mark.parametrize("text", ["", "3", "3.x", "latest", "3.2.1.4", "three", "-3.2", "3.2-rc1"])
def test_what_is_no_release_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="operator release"):
        OperatorRelease.parse(text)


@pytest.mark.parametrize(
    ("cls", "text"), [(KubernetesVersion, "1"), (KubernetesVersion, "1.x"), (ComponentVersion, "latest")]
)
def test_other_series_refuse_too(cls: type[KubernetesVersion], text: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        cls.parse(text)
