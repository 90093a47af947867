import re
from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.rules.rule import ERROR, OBJECT, Match, Matches, ObjectView, Path, rule

_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/:@'\"]+:(?P<password>[^\s/@'\"]+)@", re.IGNORECASE)
_TOKEN = re.compile(
    r"\b(hf_[A-Za-z0-9]{30,}|gh[pousr]_[A-Za-z0-9]{30,}|(AKIA|ASIA)[A-Z0-9]{16})\b|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
_FILLED_IN = ("$", "<", "{", "%", "*")
"""What a password begins with that something else fills in."""
_KEPT_FOR_SECRETS = frozenset({"Secret", "SealedSecret"})


@rule(
    ("DPD145", "secret-in-object", ERROR, OBJECT),
    title="An object beside the endpoint holds a secret in plain text",
    what="""Annotations, values of a ConfigMap, arguments and variables of containers, and every other text of an object
    that is no Secret: URLs with a password, tokens of Hugging Face and GitHub, access keys of AWS, private keys.""",
    why="""A literal ends up in the Git repository and in the cluster's API; a ConfigMap and an annotation
    may be read by everybody who may list them.""",
    fine="Never. What was once committed is to be replaced, too.",
    fix="keep it in a Secret, refer to it there, and replace the secret, which others may have read",
    sources="Kubernetes documentation, good practices for Secrets",
    tags=("security",),
    of="object",
    before="""apiVersion: v1
    kind: ConfigMap
    metadata: {name: cache}
    data: {url: "redis://cache:not-a-real-password@redis.cache:6379"}""",
    after="""apiVersion: v1
    kind: ConfigMap
    metadata: {name: cache}
    data: {url: "redis://redis.cache:6379"}""",
)
def check(item: ObjectView) -> Matches:
    if str(item.value.get("kind")) in _KEPT_FOR_SECRETS:
        return
    for path, text in _texts(item.value, ()):
        url = _URL.search(text)
        if url and not url["password"].startswith(_FILLED_IN):
            yield Match(path, "a URL here carries a password in plain text")
        elif _TOKEN.search(text):
            yield Match(path, "a token or a key stands here in plain text")


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from _texts(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _texts(child, (*path, index))
