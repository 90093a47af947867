"""Trees that this program rendered, among the files that were read: what each app says it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.source import MARK

if TYPE_CHECKING:
    from hyperpod_dpd.view.inputs import Inputs

_FROM = re.compile(rf"{MARK} from environments/(?P<environment>[^\s/]+)\.ya?ml\b")
_DIGEST = re.compile(r"# sha256:(?P<digest>[0-9a-f]{64}) .*; version (?P<version>\S+)")


@dataclass(frozen=True, slots=True)
class AppMark:
    """What one app's kustomization says: its environment, and the digest and version, None where it has none."""

    file: str
    environment: str
    digest: str | None
    version: str | None


def app_marks(inputs: Inputs) -> Iterator[AppMark]:
    """The mark of each rendered app, in the order in which its kustomization was read."""
    files = dict.fromkeys(
        item.document.file for item in inputs.objects if item.value.get("kind") == "Kustomization"
    )
    for file in files:
        try:
            with FilePath(file).open(encoding="utf-8", errors="replace") as text:
                first, second = text.readline(), text.readline()
        except OSError:  # standard input, or gone since it was read
            continue
        named = _FROM.match(first)
        if named:
            told = _DIGEST.match(second)
            yield AppMark(
                file,
                named["environment"],
                told["digest"] if told else None,
                told["version"] if told else None,
            )
