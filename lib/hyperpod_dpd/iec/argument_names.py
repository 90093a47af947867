"""Which flag a spelling means to vLLM's parser: its name, a short or shortened form of it, or nothing it knows."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.iec.arguments import canonical

if TYPE_CHECKING:
    from hyperpod_dpd.iec.argument_tokens import Reader, Token

_NO = "--no-"
_MOST_GUESSED = 300
"""Arguments of a list for which a flag like the unknown one is looked for, which takes a millisecond each."""


def resolve(reader: Reader, spelled: str, token: Token) -> tuple[str, bool]:
    """The long name, and whether it is switched off; what the parser would refuse is reported."""
    flag, negated = canonical(spelled)
    base, dot, key = flag.partition(".")
    if _stands(base, negated=negated):
        if base in vllm_flags.OTHER_RELEASES:
            _report_other_release(reader, base, token)
        return flag, negated
    if negated and base in vllm_flags.KNOWN:
        _report(
            reader,
            token,
            spelled,
            f"{spelled} does not exist: {base} takes a value or has no --no- form.",
            f"Remove {spelled}.",
        )
        return flag, negated
    longer = _completions(f"{_NO}{base[2:]}" if negated else base)
    if len(longer) == 1:
        reader.report(
            "abbreviation",
            f"{spelled} is cut short; vLLM completes it to {longer[0]}, the operator's merge may not.",
            f"Write {longer[0]}.",
            path=token.path,
            flag=longer[0],
            value=spelled,
        )
        found, negated = canonical(longer[0])
        return found + dot + key, negated
    if longer:
        shown = ", ".join(longer[:4])
        _report(
            reader,
            token,
            spelled,
            f"{spelled} is short for several flags ({shown}), and vLLM refuses to choose.",
            "Write the whole name of the flag.",
        )
    else:
        _report_unknown(reader, spelled, base, token)
    return flag, negated


def _stands(base: str, *, negated: bool) -> bool:
    if negated:
        return base in vllm_flags.SWITCHES or base in vllm_flags.OTHER_RELEASES
    return base in vllm_flags.KNOWN


def _completions(start: str) -> list[str]:
    """The flags that begin so, which argparse takes for one that does not exist; short ones for a single dash."""
    if start.startswith(_NO):
        return sorted(f"{_NO}{flag[2:]}" for flag in vllm_flags.SWITCHES if flag.startswith(f"--{start[5:]}"))
    if start.startswith("--"):
        off = [f"{_NO}..."] if _NO.startswith(start) else []
        return sorted(flag for flag in vllm_flags.OWN if flag.startswith(start)) + off
    return sorted(short for short in vllm_flags.ALIASES if short.startswith(start) and short != "-O")


def _report(reader: Reader, token: Token, spelled: str, message: str, fix: str) -> None:
    reader.report("misspelled-flag", message, fix, path=token.path, flag=spelled, value=token.text)


def _report_unknown(reader: Reader, spelled: str, base: str, token: Token) -> None:
    near = _near(spelled, base) if len(reader.items) < _MOST_GUESSED else None
    reader.report(
        "misspelled-flag" if near or not base.startswith("--") else "unknown-flag",
        f"{spelled} is not a flag of vLLM {vllm_flags.RELEASE}." + (f" Did you mean {near}?" if near else ""),
        f"Write {near}." if near else f"Check {spelled} against 'vllm serve --help=all' of your image.",
        path=token.path,
        flag=spelled,
        value=token.text,
    )


@cache
def _near(spelled: str, base: str) -> str | None:
    if not base.startswith("--"):
        cut = re.fullmatch(r"(-[A-Za-z]+)([0-9]+)", spelled)
        return f"{cut[1]} {cut[2]}" if cut and cut[1] in vllm_flags.ALIASES else None
    short = vllm_flags.ALIASES.get(base[1:])
    if short:
        return short
    from difflib import get_close_matches

    return next(iter(get_close_matches(base, vllm_flags.OWN, n=1, cutoff=0.85)), None)


def _report_other_release(reader: Reader, base: str, token: Token) -> None:
    instead = vllm_flags.OTHER_RELEASES[base]
    reader.report(
        "removed-flag",
        f"{base} is a flag of other releases; vLLM {vllm_flags.RELEASE} does not have it"
        + (f" ({instead})." if instead else "."),
        f"Use {instead}." if instead.startswith("--") else f"Remove {base}.",
        path=token.path,
        flag=base,
        value=token.text,
    )
