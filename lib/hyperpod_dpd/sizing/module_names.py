"""Whether a list in a quantisation file names a module: the same module is spelled differently from tool to tool."""

import re
from collections.abc import Iterable
from fnmatch import translate

_SPELLINGS = (
    ("block_sparse_moe.", "mlp."),
    (".w1", ".gate_proj"),
    (".w3", ".up_proj"),
    (".w2", ".down_proj"),
)

_WRAPPERS = re.compile(r"(?:(?:model|language_model|backbone|text_model|transformer)\.)+")


def plain(name: str) -> str:
    """A module's name without the wrappers of the language model; draft and vision layers keep theirs."""
    wrapped = _WRAPPERS.match(name)
    short = name[wrapped.end() :] if wrapped else name
    for theirs, ours in _SPELLINGS:
        short = short.replace(theirs, ours)
    return short


class NamePatterns:
    """Modules named whole, by a parent, by wildcard, or by ``re:`` and an expression."""

    def __init__(self, given: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._parts: set[str] = set()
        wild: list[str] = []
        self._expressions: list[re.Pattern[str]] = []
        for text in given:
            if text.startswith("re:"):
                self._expressions += _compiled(text[3:])
            elif "*" in text or "?" in text:
                wild += [translate(plain(text)), translate(plain(text) + ".*")]
            elif "." in plain(text):
                self._names.add(plain(text))
            else:
                self._parts.add(plain(text))
        if wild:
            self._expressions.append(re.compile("|".join(wild)))

    def __bool__(self) -> bool:
        return bool(self._names or self._parts or self._expressions)

    def match(self, name: str) -> bool:
        """True when ``name`` (as ``plain`` gives it), or a module it stands in, is named."""
        parts = name.split(".")
        if not self._parts.isdisjoint(parts):
            return True
        if any(".".join(parts[:end]) in self._names for end in range(1, len(parts) + 1)):
            return True
        return any(each.match(name) or each.match(f"model.{name}") for each in self._expressions)


def _compiled(expression: str) -> list[re.Pattern[str]]:
    try:
        return [re.compile(expression)]
    except re.error:
        return []
