"""Read a vLLM argument list in all the spellings people use, and say what is odd about it.

Kinds of problem: not-a-list, not-text, shell-string, missing-value, unexpected-value, unexpected-text,
repeated, mixed-spelling, malformed-value, not-a-choice, misspelled-flag, unknown-flag, removed-flag, abbreviation;
``merge`` adds merge-spelling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.iec.argument_checks import VARIABLE, check_repeats, check_spelling, check_values
from hyperpod_dpd.iec.argument_names import resolve
from hyperpod_dpd.iec.argument_tokens import Reader, Token, is_flag, split_command, tokens_of
from hyperpod_dpd.iec.arguments import MODEL, Argument, Arguments, read_switch

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path


def parse_arguments(args: Any, path: Path, *, origin: str = "worker") -> Arguments:
    """Read ``spec.worker.args`` or a role's ``args`` found at ``path``. Never raises.

    ``origin`` ('worker' or 'role') is remembered on every argument. Absent arguments (None) give an empty
    list.
    """
    reader = Reader(origin, path)
    tokens = list(tokens_of(reader, args))
    command, tokens = split_command(tokens)
    _read_tokens(reader, tokens)
    check_values(reader)
    check_repeats(reader)
    check_spelling(reader)
    return Arguments(reader.items, reader.problems, command)


def _read_tokens(reader: Reader, tokens: list[Token]) -> None:
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if not is_flag(token.text):
            _read_positional(reader, token)
            continue
        spelled, equals, attached = token.text.partition("=")
        if _carries_value(token.text):
            spelled, equals, attached = token.text[:2], "=", token.text[2:].removeprefix("=")
        flag, negated = resolve(reader, spelled, token)
        if equals:
            values: list[Token] = [Token(attached, token.path)]
            style = "equals"
        else:
            following = _following(flag, negated, tokens, position)
            values, style = following, "separate" if following else "alone"
            position += len(following)
        if not values and flag.partition(".")[0] in vllm_flags.SINGLE | vllm_flags.MULTIPLE and not negated:
            reader.report(
                "missing-value",
                f"{spelled} has no value.",
                f"Add the value as the next list item after {spelled}.",
                path=token.path,
                flag=flag,
            )
        reader.items.append(
            Argument(
                flag=flag,
                values=tuple(value.text for value in values),
                spelled=spelled,
                style=style,
                path=token.path,
                value_path=values[0].path if values else token.path,
                origin=reader.origin,
                negated=negated,
            )
        )


def _carries_value(text: str) -> bool:
    """Whether a short flag has its value attached, as in -O3 and -n2."""
    short = text[:2]
    if text.startswith("--") or text == short or text.partition("=")[0] in vllm_flags.ALIASES:
        return False
    if short == "-O":
        return not text.startswith("-O.")
    takes_one = vllm_flags.ALIASES.get(short) in vllm_flags.SINGLE
    return takes_one and not any(other.startswith(text) for other in vllm_flags.ALIASES)


def _following(flag: str, negated: bool, tokens: list[Token], position: int) -> list[Token]:
    """The tokens from ``position`` on, right after a flag, that are its values."""
    base = flag.partition(".")[0]
    if negated or base in vllm_flags.BOOLEAN:
        return []
    run: list[Token] = []
    for index in range(position, len(tokens)):
        token = tokens[index]
        if is_flag(token.text):
            break
        run.append(token)
        if base in vllm_flags.SINGLE or base in vllm_flags.OPTIONAL_VALUE:
            break
    return run


def _read_positional(reader: Reader, token: Token) -> None:
    previous = reader.items[-1] if reader.items else None
    if previous and previous.style == "alone" and read_switch(token.text) is not None:
        reader.items[-1] = _with_value(previous, token)
        reader.report(
            "unexpected-value",
            f"{previous.spelled} takes no value, yet '{token.text}' follows it; vLLM refuses that.",
            f"Write {previous.spelled} alone, or --no-{previous.flag[2:]} to switch it off.",
            path=token.path,
            flag=previous.flag,
            value=token.text,
        )
        return
    later = any(item.style == "positional" for item in reader.items)
    if later and VARIABLE.search(token.text):
        return  # whatever it is expanded to, flags perhaps
    if later or not token.text.strip():
        reader.report(
            "unexpected-text",
            f"'{token.text}' belongs to no flag; vLLM takes one positional argument, the model.",
            "Remove it, or put the flag it belongs to in front of it.",
            path=token.path,
            value=token.text,
        )
        return
    reader.items.append(
        Argument(
            flag=MODEL,
            values=(token.text,),
            spelled=MODEL,
            style="positional",
            path=token.path,
            value_path=token.path,
            origin=reader.origin,
        )
    )


def _with_value(item: Argument, token: Token) -> Argument:
    return Argument(
        flag=item.flag,
        values=(token.text,),
        spelled=item.spelled,
        style="separate",
        path=item.path,
        value_path=token.path,
        origin=item.origin,
        negated=item.negated,
    )
