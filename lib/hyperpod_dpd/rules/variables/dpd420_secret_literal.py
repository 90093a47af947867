import re

from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

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
_SURE_NAME = re.compile(
    r"(^|_)(HF_TOKEN|HUGGING_?FACE\w*_TOKEN|SECRET|SECRET_ACCESS_KEY|PASSWORD|PASSWD|API_?KEY)$"
)
"""Names under which even a few letters are a secret."""
_SHORTEST = 8
_FLAGS = ("--api-key", "--hf-token")
_PLAIN = re.compile(r"true|false|yes|no|on|off|none|null|[0-9.]*", re.IGNORECASE)


@rule(
    ("DPD420", "secret-literal", ERROR, ENDPOINT),
    title="The manifest holds a secret in plain text",
    what="""That no environment variable and no argument carries a secret as a literal: by the shape of its
    value (tokens of Hugging Face, GitHub, OpenAI, keys of AWS) or by its name together with a value that is
    no switch, number or path.""",
    why="""A literal ends up in the Git repository, in the cluster's API and in every rendered copy. Whoever
    may read endpoints may then read the secret.""",
    fine="Never. A value that only looks like a secret may stand in a Secret too.",
    fix="put the value into a Kubernetes Secret and refer to it with valueFrom.secretKeyRef",
    sources="SageMaker developer guide, deploying models from Hugging Face, token as a Secret",
    covers=("R79",),
    tags=("security",),
    before="spec: {worker: {environmentVariables: [{name: HF_TOKEN, value: not-a-real-one-0123456789}]}}",
    after="""spec:
      worker:
        environmentVariables:
        - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hugging-face, key: token}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    for name, variable in endpoint.environment.items():
        value = variable.value
        if value and _is_secret(name.upper(), value):
            yield Match(variable.value_path, f"{name} looks like a secret and is written in plain text")
    for arguments in (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles)):
        for item in arguments:
            shaped = any(_VALUE.match(value) for value in item.values)
            if shaped or (item.flag in _FLAGS and item.value and not _is_open(item.value)):
                yield Match(
                    item.value_path,
                    f"{item.flag} holds a secret, and arguments are stored and shown in plain text",
                    fix=f"remove {item.flag}; give the secret as an environment variable with valueFrom.secretKeyRef",
                )


def _is_secret(name: str, value: str) -> bool:
    if _is_open(value):
        return False
    if _VALUE.match(value) or _SURE_NAME.search(name):
        return True
    return len(value) >= _SHORTEST and bool(_NAME.search(name)) and not _NO_SECRET_NAME.search(name)


def _is_open(value: str) -> bool:
    """Switches, numbers, paths and text still to be filled in tell nobody anything."""
    return bool(_PLAIN.fullmatch(value)) or is_placeholder(value) or value.startswith("/")
