"""Nothing secret is ever in the tree: a scan of every file that every example and a full document render to."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from k8s.layout import files
from k8s.rendering import render
from tests.k8s.test_delivery import FULL, OUTPUTS
from tests.k8s.test_platform import SECRETS

KNOWN_FORMS = re.compile(
    r"hf_[A-Za-z0-9]{20,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30,}|xox[abp]-|"
    r"-----BEGIN [A-Z ]*PRIVATE KEY|eyJ[A-Za-z0-9_-]{20,}\.eyJ|glpat-|sk-[A-Za-z0-9]{20,}|://[^/\s@:]+:[^/\s@]+@"
)
NAMES = re.compile(r"(?i)(password|passwd|secret|token|api[-_]?key|credential|private[-_]?key)")
REFERENCES = {"secretKeyRef", "secretStoreRef", "tokenSecretRef", "remoteRef", "secretRef"}
HARMLESS_KEYS = {"automountServiceAccountToken", "secretKey", "argocd.argoproj.io/secret-type"}


def suspicious(text: str) -> list[str]:
    """What looks like a secret in one rendered file."""
    found = [match.group() for match in KNOWN_FORMS.finditer(text)]
    for item in yaml.safe_load_all(text):
        found += list(_walk(item, ()))
        if item.get("kind") == "Secret":
            found += [
                f"Secret/{key}"
                for key in {**item.get("data", {}), **item.get("stringData", {})}
                if key not in {"name", "server", "project"}
            ]
    return found


def _walk(value: Any, path: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        if NAMES.search(str(value.get("name", ""))) and "value" in value:
            yield f"{'.'.join(path)}: {value['name']} has a literal value"
        for key, each in value.items():
            if key in REFERENCES or key in HARMLESS_KEYS:
                continue
            if NAMES.search(key) and isinstance(each, str):
                yield f"{'.'.join((*path, key))} is text"
            yield from _walk(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _walk(each, (*path, str(index)))


def test_examples_hold_no_secret(environment, rendered):
    for path, text in files(rendered[environment]).items():
        assert suspicious(text) == [], path


@pytest.mark.parametrize("kind", ["argocd-managed", "flux"])
def test_full_document_holds_no_secret(document, kind):
    commit = "0123456789abcdef0123456789abcdef01234567"
    full = FULL.replace("KIND", kind).replace("REPOSITORY", "https://git.example.com/x.git")
    first, second = yaml.safe_load(full.replace("COMMIT", commit)), yaml.safe_load(SECRETS)
    merged = {
        **first,
        **second,
        "endpoints": {"llama-70b": {**first["endpoints"]["llama-70b"], **second["endpoints"]["llama-70b"]}},
    }
    for path, text in files(render(document(yaml.safe_dump(merged), outputs=OUTPUTS))).items():
        assert suspicious(text) == [], path


@pytest.mark.parametrize(
    "text",
    [
        "env: [{name: HF_TOKEN, value: x}]",
        "spec: {password: x}",
        "kind: Secret\nstringData: {name: a, bearer: x}",
        "a: hf_abcdefghijklmnopqrstuvwxyz",
        "url: https://user:pass@git.example.com/x.git",
    ],
)
def test_scan_sees_a_secret(text):
    assert suspicious(text)


def test_repository_with_a_password_is_refused(document):
    from hyperpod_dpd.config import InvalidEnvironment

    with pytest.raises(InvalidEnvironment, match="holds a user or a password"):
        document("delivery: {kind: flux, repository: 'https://user:pass@git.example.com/x.git'}")


def test_no_message_repeats_a_password(document):
    from hyperpod_dpd.config import InvalidEnvironment

    for address in (
        "https://user:pass@git.example.com/x.git",
        "https://user:pa$s#word@git.example.com/x.git",
    ):
        with pytest.raises(InvalidEnvironment) as refused:
            document(f"delivery: {{kind: flux, repository: '{address}'}}")
        assert not re.search(r"user:|pass@|pa\$s|s#word", str(refused.value))
