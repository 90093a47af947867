"""
What it checks
--------------
That no environment variable and no vLLM argument carries a secret as a literal: by the shape of its value (tokens of
Hugging Face, GitHub, OpenAI, keys of AWS), by the variable's name together with a value that is no switch or short
number, or by a flag that takes a secret (--hf-token, --api-key).

Why it matters
--------------
A literal ends up in the Git repository, in the cluster's API and in every rendered copy. Whoever may read
endpoints may then read the secret.

When this is fine
-----------------
For a value that only looks like one: acknowledge it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from lib.rules.variables.switches import is_placeholder

if TYPE_CHECKING:
    from lib.document import Path
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD420",
    name="secret-literal",
    severity=Severity.ERROR,
    title="A variable or an argument holds a secret in plain text",
    fix="put the value into a Kubernetes Secret and refer to it with valueFrom.secretKeyRef",
    sources=("SageMaker developer guide, deploying models from Hugging Face, token as a Secret",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R79",),
    tags=("security",),
    example=Example(
        before="spec: {worker: {environmentVariables: [{name: HF_TOKEN, value: not-a-real-one-0123456789}]}}",
        after="""
spec:
  worker:
    environmentVariables:
    - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hugging-face, key: token}}}
""",
    ),
)

_VALUE = re.compile(
    r"^(hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|(AKIA|ASIA)[A-Z0-9]{16}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*)$",
    re.DOTALL,
)
_NAME = re.compile(
    r"(^|_)(TOKEN|SECRET|SECRET_KEY|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY(_ID)?|CREDENTIALS?|PRIVATE_KEY)$"
)
_NO_SECRET_NAME = re.compile(
    r"(^|_)(DISABLE|ENABLE|USE|EOS|BOS|PAD|UNK|SEP|MASK|STOP|PER|FIRST|MAX|MIN|IMPLICIT)_"
)
_SHORTEST = 8
_FLAGS = {"--hf-token": "HF_TOKEN", "--api-key": "VLLM_API_KEY"}
"""Flags that take a secret, and the variable that vLLM reads in their place."""


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for name, variable in endpoint.environment.items():
        value = variable.value
        if not value or len(value) < _SHORTEST or is_placeholder(value) or value.startswith("/"):
            continue
        upper = name.upper()
        if _VALUE.match(value) or (_NAME.search(upper) and not _NO_SECRET_NAME.search(upper)):
            yield Hit(variable.value_path, f"{name} looks like a secret and is written in plain text")
    yield from _arguments(endpoint)


def _arguments(endpoint: EndpointView) -> Iterator[Hit]:
    seen: set[Path] = set()
    for role in endpoint.roles:
        for argument in role.arguments:
            literal = any(value and not is_placeholder(value) for value in argument.values)
            shaped = any(_VALUE.match(value) for value in argument.values)
            if argument.path in seen or not (shaped or (argument.flag in _FLAGS and literal)):
                continue
            seen.add(argument.path)
            variable = _FLAGS.get(argument.flag)
            instead = f"drop {argument.flag} and set {variable}" if variable else "set a variable"
            yield Hit(
                argument.value_path,
                f"{argument.flag} looks like a secret and is written in plain text",
                fix=f"{instead} through valueFrom.secretKeyRef",
            )
