"""Languages by code and by name, and that only a measured figure is called confirmed."""

import pytest

from hyperpod_dpd.catalog import languages, models


@pytest.mark.parametrize("text", ["ja", "JA", "ja-JP", "ja_JP", "Japanese", " japanese "])
def test_a_language_is_found_by_code_or_name(text: str) -> None:
    found = languages.find(text)
    assert found is not None
    assert (found.code, found.default_threshold_fits, found.confirmed) == ("ja", False, False)


def test_an_unknown_language_has_no_figure() -> None:
    assert languages.find("tlh") is None


def test_only_the_measured_figure_is_confirmed() -> None:
    assert [language.code for language in languages.all() if language.confirmed] == ["en"]
    english = languages.find("en")
    assert english is not None
    assert round(27_000 / 6_035, 2) == english.characters_per_token


def test_most_models_of_the_catalogue_belong_to_a_family() -> None:
    without = [m.key for m in models.all() if not any(f in m.key for f in models.families())]
    assert without == []
