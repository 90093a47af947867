"""The small language of runbooks."""

from __future__ import annotations

import pytest

from hyperpod_dpd.runbooks.template import TemplateFault, fill

FIELDS = {"name": "a-b", "on": True, "off": 0, "items": [{"x": 1}, {"x": 2}], "none": []}


def test_fields_are_filled_and_shell_text_stays() -> None:
    text = "${HOME} $(x) @{name} {range .items[*]} @tsv {{ }} user@host\n"
    assert fill(text, FIELDS, name="t") == text.replace("@{name}", "a-b")


def test_values_are_not_filled_a_second_time() -> None:
    assert fill("@{a}", {"a": "@{b}", "b": "x"}, name="t") == "@{b}"


def test_blocks_repeat_keep_and_drop() -> None:
    text = "@for items\n@{x}@{name}\n@if on\nyes\n@end\n@if not on\nno\n@end\n@end\n@for none\n@{gone}\n@end\nend\n"
    assert fill(text, FIELDS, name="t") == "1a-b\nyes\n2a-b\nyes\nend\n"


def test_a_dropped_block_may_hold_others() -> None:
    assert fill("@if off\n@if on\nx\n@end\n@for items\ny\n@end\n@end\nz\n", FIELDS, name="t") == "z\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\n@{nam}\n", "t:2: there is no field 'nam'; 'name'?"),
        ("@if on\nx\n", "not closed"),
        ("@if off\nx\n", "not closed"),
        ("x\n@end\n", "t:2: '@end' closes nothing"),
        ("@for nothing\n@end\n", "no field 'nothing'"),
    ],
)
def test_faults_name_their_place(text: str, says: str) -> None:
    with pytest.raises(TemplateFault) as error:
        fill(text, FIELDS, name="t")
    assert says in str(error.value)
