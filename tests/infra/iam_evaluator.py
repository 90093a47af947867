"""Decides what a policy allows, conditions included: moto's own evaluator takes most conditions for granted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from re import escape, fullmatch, split, sub
from typing import Any

from moto.iam.aws_managed_policies import aws_managed_policies_data

Context = Mapping[str, str | Sequence[str]]
_WILDCARDS = {"*": ".*", "?": "."}


class UnknownOperator(Exception):
    """A condition that this evaluator does not know, which therefore must not count as satisfied."""


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def allows(
    statements: Sequence[Mapping[str, Any]], action: str, resource: str, context: Context | None = None
) -> bool:
    """Whether the statements allow the action on the resource: an allow that applies, and no deny that does."""
    applying = [s["Effect"] for s in statements if _applies(s, action, resource, context or {})]
    return "Allow" in applying and "Deny" not in applying


def managed_policy(arn: str) -> list[dict[str, Any]]:
    """Statements of one of AWS's own policies."""
    statements: list[dict[str, Any]] = as_list(_managed()[arn.rpartition("/")[2]]["Document"]["Statement"])
    return statements


@cache
def _managed() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(aws_managed_policies_data)
    return data


def _applies(statement: Mapping[str, Any], action: str, resource: str, context: Context) -> bool:
    if "Action" in statement:
        named = any(_like(pattern, action, case=False) for pattern in as_list(statement["Action"]))
    else:
        named = not any(_like(pattern, action, case=False) for pattern in as_list(statement["NotAction"]))
    if "Resource" in statement:
        meant = any(_like(pattern, resource) for pattern in as_list(statement["Resource"]))
    else:
        meant = not any(_like(pattern, resource) for pattern in as_list(statement["NotResource"]))
    return named and meant and _satisfied(statement.get("Condition", {}), context)


def _like(pattern: str, value: str, *, case: bool = True) -> bool:
    if not case:
        pattern, value = pattern.lower(), value.lower()
    parts = split(r"(\$\{[*?$]\}|[*?])", pattern)
    written = "".join(_WILDCARDS.get(part) or escape(part[2] if part[:2] == "${" else part) for part in parts)
    return fullmatch(written, value) is not None


def _satisfied(condition: Mapping[str, Mapping[str, Any]], context: Context) -> bool:
    lowered = {key.lower(): value for key, value in context.items()}
    return all(
        _holds(operator, [_filled(w, lowered) for w in as_list(wanted)], lowered.get(key.lower()))
        for operator, keys in condition.items()
        for key, wanted in keys.items()
    )


def _filled(pattern: Any, context: Context) -> str:
    """A pattern with its policy variables filled in; one that the request does not have matches nothing."""
    return sub(r"\$\{([^}*?$]+)\}", lambda m: str(context.get(m[1].lower(), "\0")), str(pattern))


def _holds(operator: str, wanted: list[Any], given: str | Sequence[str] | None) -> bool:
    quantifier, colon, plain = operator.rpartition(":")
    if plain == "Null":
        return (given is None) is (str(wanted[0]).lower() == "true")
    if plain.endswith("IfExists"):
        if given is None:
            return True
        plain = plain.removesuffix("IfExists")
    if given is None:
        return colon != "" and quantifier == "ForAllValues"
    values = [given] if isinstance(given, str) else list(given)
    compare = _COMPARISONS.get(plain)
    if compare is None:
        raise UnknownOperator(operator)
    negative = plain.startswith(("StringNot", "ArnNot"))
    hits = [any(compare(str(pattern), value) for pattern in wanted) is not negative for value in values]
    return all(hits) if quantifier == "ForAllValues" else any(hits)


_COMPARISONS = {
    "StringEquals": lambda pattern, value: pattern == value,
    "StringNotEquals": lambda pattern, value: pattern == value,
    "StringEqualsIgnoreCase": lambda pattern, value: pattern.lower() == value.lower(),
    "StringLike": _like,
    "StringNotLike": _like,
    "ArnEquals": _like,
    "ArnLike": _like,
    "ArnNotEquals": _like,
    "ArnNotLike": _like,
    "Bool": lambda pattern, value: pattern.lower() == value.lower(),
}
