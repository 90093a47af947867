"""
What it checks
--------------
That no environment variable carries a secret as a literal: by the shape of its value (tokens of Hugging Face,
GitHub, OpenAI, keys of AWS) or by its name together with a value that is no switch or short number.

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
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD420",
    name="secret-literal",
    severity=Severity.ERROR,
    title="An environment variable holds a secret in plain text",
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


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for name, variable in endpoint.environment.items():
        value = variable.value
        if not value or len(value) < _SHORTEST or is_placeholder(value) or value.startswith("/"):
            continue
        upper = name.upper()
        if _VALUE.match(value) or (_NAME.search(upper) and not _NO_SECRET_NAME.search(upper)):
            yield Hit(variable.value_path, f"{name} looks like a secret and is written in plain text")
