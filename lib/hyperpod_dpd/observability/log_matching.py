"""What CloudWatch Logs would refuse in a filter pattern, and which lines it would match: synthesis tells neither."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hyperpod_dpd.catalog import metrics

_REGEX = re.compile(r"%([^%]*)%")
_ALLOWED = re.compile(r"(?:[A-Za-z0-9_#=@/;,\-^$?\[\]{}|*+.]|\\[dDsSwW^$?\[\]{}|*+.\\])*")
_TERM = re.compile(
    r'\s*\$\.(?P<field>[\w.]+)\s*(?P<operator>=|!=|>=|<=|>|<)\s*(?:"(?P<text>[^"]*)"|%(?P<regex>[^%]*)%|'
    r"(?P<number>-?[\d.]+))\s*"
)
_GROK = re.compile(r"%\{(?P<kind>\w+)(?::(?P<field>\w+))?\}")
_GROK_KINDS = {"NUMBER": r"[-+]?\d+(?:\.\d+)?", "WORD": r"\w+", "DATA": r".*?", "GREEDYDATA": r".*"}


def pattern_faults(pattern: str) -> Iterator[str]:
    """Why CloudWatch Logs would refuse this pattern, or might."""
    longest, most = _most("longest_filter_pattern"), _most("regex_per_filter")
    if len(pattern) > longest:
        yield f"longer than {longest} characters"
    regexes = _REGEX.findall(pattern)
    if len(regexes) > most:
        yield f"{len(regexes)} regular expressions; {most} are allowed in one pattern"
    if pattern.count("%") % 2:
        yield "a regular expression is not closed by %"
    for regex in regexes:
        if not regex:
            yield "an empty regular expression"
        elif "(" in regex or ")" in regex:
            yield f"parentheses in %{regex}%: groups are not allowed, repeat the alternative"
        elif not _ALLOWED.fullmatch(regex):
            wrong = sorted(set(_ALLOWED.sub("", regex)))
            yield f"{' '.join(map(repr, wrong))} in %{regex}% is not allowed; write '.' or '\\s' for it"
        else:
            try:
                re.compile(regex)
            except re.error as error:
                yield f"%{regex}% is no regular expression: {error}"
    try:
        terms = _terms(pattern)
    except ValueError as error:
        yield str(error)
        return
    for term in (term for together in terms for term in together):
        text = term["text"]
        if text is not None and "*" in text[1:-1]:
            yield f'"{text}": a wildcard in the middle; it stands at the beginning and the end only'


def group_faults(patterns: Sequence[str]) -> Iterator[str]:
    """What the filters of one log group exceed together."""
    most, most_regex = _most("filters_per_log_group"), _most("regex_filters_per_log_group")
    if len(patterns) > most:
        yield f"{len(patterns)} filters; a log group takes {most}"
    with_regex = [pattern for pattern in patterns if _REGEX.search(pattern)]
    if len(with_regex) > most_regex:
        yield f"{len(with_regex)} filters with regular expressions; a log group takes {most_regex}"


def _most(name: str) -> int:
    return int(metrics.value(name).value)


def matches_record(pattern: str, record: Mapping[str, Any]) -> bool:
    """Whether a JSON record matches. Raises ValueError for a pattern that is not of the form we write."""
    return any(all(_holds(term, record) for term in together) for together in _terms(pattern))


def extract(grok: str, line: str) -> dict[str, str] | None:
    """Fields that a grok pattern takes out of a line, None where it does not match. Raises KeyError for a kind."""
    position, regex = 0, ""
    for match in _GROK.finditer(grok):
        kind = _GROK_KINDS[match["kind"]]
        regex += re.escape(grok[position : match.start()])
        regex += f"(?P<{match['field']}>{kind})" if match["field"] else f"(?:{kind})"
        position = match.end()
    found = re.fullmatch(regex + re.escape(grok[position:]), line, re.DOTALL)
    return found.groupdict() if found else None


def _terms(pattern: str) -> list[list[re.Match[str]]]:
    """Alternatives, each of comparisons that hold together: `{ ($.a = "x") && ($.b = "y") || $.c = 1 }`."""
    body = pattern.strip()
    if not (body.startswith("{") and body.endswith("}")):
        raise ValueError(f"{pattern!r} is no JSON pattern; write {{ $.field = ... }}")
    return [
        [_comparison(part) for part in _outside_regex(together, "&&")]
        for together in _outside_regex(body[1:-1], "||")
    ]


def _comparison(part: str) -> re.Match[str]:
    bare = part.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1]
    term = _TERM.fullmatch(bare)
    if term is None:
        raise ValueError(f"{part.strip()!r} is no comparison of a field")
    return term


def _outside_regex(body: str, separator: str) -> list[str]:
    """Split at a separator but not inside %...%, where | is an alternative."""
    hidden = _REGEX.sub(lambda m: "%" + m[1].replace("|", "\0") + "%", body)
    return [part.replace("\0", "|") for part in hidden.split(separator)]


def _holds(term: re.Match[str], record: Mapping[str, Any]) -> bool:
    value: Any = record
    for name in term["field"].split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if value is None:
        return False
    if term["number"] is not None:
        if isinstance(value, str | bool):
            return False
        number = float(term["number"])
        comparisons: dict[str, bool] = {
            "=": value == number,
            "!=": value != number,
            ">": value > number,
            "<": value < number,
            ">=": value >= number,
            "<=": value <= number,
        }
        return comparisons[term["operator"]]
    if term["regex"] is not None:
        found = re.search(term["regex"], str(value)) is not None
    else:
        wanted = ".*".join(map(re.escape, term["text"].split("*")))
        found = re.fullmatch(wanted, str(value), re.DOTALL) is not None
    return found == (term["operator"] == "=")
