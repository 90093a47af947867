"""Values of a CloudFormation template as text: what is known is shown, what is not is a star."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

UNKNOWN = "*"
_KEEPS_NOBODY_OUT = frozenset(
    {"aws:securetransport", "aws:currenttime", "aws:epochtime", "aws:useragent", "s3:tlsversion"}
)
_PLACEHOLDER = re.compile(r"\$\{([^}!][^}]*)\}")


def flat(value: Any) -> str:
    """A string, Fn::Join or Fn::Sub as text; every part that only a deployment knows becomes a star."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, Mapping):
        return UNKNOWN if value is None or isinstance(value, Mapping | list) else str(value)
    joined = value.get("Fn::Join")
    if isinstance(joined, list) and len(joined) == 2 and isinstance(joined[1], list):
        return str(joined[0]).join(flat(part) for part in joined[1])
    template = value.get("Fn::Sub")
    if isinstance(template, list) and template:
        known = template[1] if len(template) > 1 and isinstance(template[1], Mapping) else {}
        return _substituted(template[0], known)
    return _substituted(template, {}) if isinstance(template, str) else UNKNOWN


def _substituted(text: Any, known: Mapping[str, Any]) -> str:
    return _PLACEHOLDER.sub(lambda m: flat(known[m[1]]) if m[1] in known else UNKNOWN, str(text))


def policy(value: Any) -> Mapping[str, Any]:
    """A policy document given as a mapping, as JSON text, or as JSON text inside Fn::Sub or Fn::Join."""
    if isinstance(value, Mapping) and ("Statement" in value or "Version" in value):
        return value
    try:
        document = json.loads(flat(value))
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def statements(value: Any) -> Iterator[Mapping[str, Any]]:
    """The statements of a policy that allow something."""
    for statement in as_list(policy(value).get("Statement")):
        if isinstance(statement, Mapping) and statement.get("Effect") == "Allow":
            yield statement


def actions(statement: Mapping[str, Any]) -> tuple[str, ...]:
    """Action names in lower case, as IAM compares them."""
    return tuple(flat(action).lower() for action in as_list(statement.get("Action")))


def principals(statement: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Kind and name of every principal; a bare star is of kind AWS."""
    principal = statement.get("Principal")
    if isinstance(principal, str):
        yield "AWS", principal
    elif isinstance(principal, Mapping):
        for kind, names in principal.items():
            for name in as_list(names):
                yield str(kind), flat(name)


def anybody(statement: Mapping[str, Any]) -> str:
    """How a statement that allows something lets anybody do it, such as "the principal *"; empty where it does not.

    Only a literal star counts: a reference shows as one too and means somebody. A condition that asks for
    encryption or a time keeps nobody out.
    """
    if any(key.lower() not in _KEEPS_NOBODY_OUT for _, key, _ in conditions(statement)):
        return ""
    if statement.get("NotPrincipal") is not None:
        return "NotPrincipal, which means everybody else"
    principal = statement.get("Principal")
    named = principal.get("AWS") if isinstance(principal, Mapping) else principal
    return "the principal *" if "*" in as_list(named) else ""


def conditions(statement: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Operator, key and value of every condition."""
    condition = statement.get("Condition")
    for operator, keys in condition.items() if isinstance(condition, Mapping) else ():
        for key, values in keys.items() if isinstance(keys, Mapping) else ():
            for value in as_list(values):
                yield str(operator), str(key), flat(value)


def service_accounts(statement: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Operator of the condition and "namespace:name" of every service account a statement trusts."""
    prefix = "system:serviceaccount:"
    for operator, key, value in conditions(statement):
        if key.endswith(":sub") and value.startswith(prefix):
            yield operator, value.removeprefix(prefix)


def references(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every Ref, Fn::GetAtt and Fn::ImportValue inside a value; a ``${Name.Attribute}`` of Fn::Sub is one too."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("Ref", "Fn::GetAtt", "Fn::ImportValue"):
                yield {key: item}
            if key == "Fn::Sub":
                text = item[0] if isinstance(item, list) and item else item
                for name in _PLACEHOLDER.findall(str(text)):
                    yield {"Fn::GetAtt": name} if "." in name else {"Ref": name}
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def branches(value: Any) -> Iterator[Any]:
    """What a value may be: both sides of every Fn::If, less AWS::NoValue; any other value is itself."""
    if isinstance(value, Mapping) and len(value) == 1:
        choice = value.get("Fn::If")
        if isinstance(choice, list) and len(choice) == 3:
            for side in choice[1:]:
                yield from branches(side)
            return
        if value.get("Ref") == "AWS::NoValue":
            return
    yield value


def items(value: Any) -> Iterator[Any]:
    """Items of a list that conditions may shape; what is no list, such as a parameter's, is one unknown item."""
    for choice in branches(value):
        for item in as_list(choice):
            yield from branches(item)


def as_list(value: Any) -> list[Any]:
    """One value or a list of them, as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]
