"""Look over a whole argument list once it is read: values of the wrong shape, repeats, mixed spellings."""

from __future__ import annotations

import json
import re

from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.iec.argument_tokens import Reader
from hyperpod_dpd.iec.arguments import Argument, is_automatic, read_integer, read_number

VARIABLE = re.compile(r"\$[A-Za-z_({]|^<[^<>]+>$")


def check_values(reader: Reader) -> None:
    """Report values that vLLM's own parser would refuse."""
    for item in reader.items:
        text = item.value
        if item.flag in vllm_flags.SEVERAL_INTEGERS:
            _check_integers(reader, item)
        if text is None or VARIABLE.search(text) or _is_none(item, text):
            continue
        if item.flag in vllm_flags.BOOLEAN and item.style == "equals":
            reader.report(
                "unexpected-value",
                f"{item.spelled} takes no value, but is written '{item.spelled}={text}'; vLLM refuses that.",
                f"Write {item.spelled} alone, or --no-{item.flag[2:]} to switch it off.",
                path=item.path,
                flag=item.flag,
                value=text,
            )
        elif item.flag in vllm_flags.INTEGER and read_integer(item.flag, text) is None:
            if not (item.flag in vllm_flags.AUTOMATIC and is_automatic(text.strip())):
                _report_malformed(reader, item, text, "a whole number")
        elif item.flag in vllm_flags.NUMBER and read_number(text) is None:
            _report_malformed(reader, item, text, "a number")
        elif item.flag in vllm_flags.JSON and not _is_json(text):
            _report_malformed(reader, item, text, "JSON")
        elif item.flag in vllm_flags.CHOICES:
            _check_choices(reader, item)
        elif item.flag in vllm_flags.PORTS and (read_integer(item.flag, text) or 0) > vllm_flags.LARGEST_PORT:
            _report_malformed(reader, item, text, f"a port: at most {vllm_flags.LARGEST_PORT}")


def _is_none(item: Argument, text: str) -> bool:
    refused = text == "" and item.flag in vllm_flags.CHOICES
    return item.flag in vllm_flags.NULLABLE and text in ("", "None") and not refused


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _check_integers(reader: Reader, item: Argument) -> None:
    for text in item.values:
        if read_integer(item.flag, text) is None and not VARIABLE.search(text):
            _report_malformed(reader, item, text, "a list of whole numbers")


def _check_choices(reader: Reader, item: Argument) -> None:
    allowed = vllm_flags.CHOICES[item.flag]
    for text in item.values:
        if text not in allowed and not VARIABLE.search(text):
            wanted = f"one of {', '.join(allowed)}"
            _report_malformed(reader, item, text, wanted, kind="not-a-choice")


def _report_malformed(
    reader: Reader, item: Argument, text: str, wanted: str, *, kind: str = "malformed-value"
) -> None:
    reader.report(
        kind,
        f"{item.flag} is '{text}', which is not {wanted}.",
        f"Give {item.flag} {wanted}.",
        path=item.value_path,
        flag=item.flag,
        value=text,
    )


def check_repeats(reader: Reader) -> None:
    """Report flags given more than once, of which only the last counts."""
    seen: dict[str, Argument] = {}
    for item in reader.items:
        first = seen.setdefault(item.flag, item)
        if first is item or item.flag in vllm_flags.REPEATABLE:
            continue
        reader.report(
            "repeated",
            f"{item.flag} is given twice in one list, '{' '.join(first.tokens())}' and then"
            f" '{' '.join(item.tokens())}'; vLLM takes the last one.",
            "Keep one of the two.",
            path=item.path,
            flag=item.flag,
            value=item.value,
        )


def check_spelling(reader: Reader) -> None:
    """One report per list: forms that differ within it, at the first item of the rarer form."""
    valued = [
        item
        for item in reader.items
        if item.style in ("separate", "equals")
        and item.flag not in vllm_flags.BOOLEAN
        and item.spelled != "-O"
    ]
    long = [
        item
        for item in reader.items
        if item.spelled.startswith("--") and re.search(r"\w[-_]\w", item.spelled)
    ]
    for forms in (
        (
            [i for i in valued if i.style == "equals"],
            [i for i in valued if i.style == "separate"],
            "'--flag=value'",
        ),
        (
            [i for i in long if "_" in i.spelled.partition(".")[0]],
            [i for i in long if "_" not in i.spelled],
            "underscores",
        ),
    ):
        odd, other, what = forms
        if not odd or not other:
            continue
        first = odd[0] if len(odd) <= len(other) else other[0]
        reader.report(
            "mixed-spelling",
            f"'{' '.join(first.tokens())}' is written differently from the rest of the list, which mixes"
            f" forms with and without {what}; the operator matches a role's flags against these.",
            "Write every flag as two list items with the long name and dashes.",
            path=first.path,
            flag=first.flag,
            value=" ".join(first.tokens()),
        )
