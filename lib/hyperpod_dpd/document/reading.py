"""Read YAML or JSON as kubectl does (YAML 1.1), quickly, keeping positions and reporting repeated keys."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any, BinaryIO

import yaml
from yaml.composer import ComposerError
from yaml.cyaml import CParser  # type: ignore[attr-defined]
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from hyperpod_dpd.document.intrinsics import is_template, long_form
from hyperpod_dpd.document.plain_scalars import plain_scalar, text_of_base64
from hyperpod_dpd.document.positions import Document, InvalidSyntax, Path, Position, Problem, UnreadableInput

MAX_BYTES = 8 * 1024 * 1024
MAX_NODES = 150_000
"""Of one file, aliases expanded: what is read within a second or two and 300 MB."""
MAX_DEPTH = 100

_PREFIX = "tag:yaml.org,2002:"
_SURROGATES = re.compile(r"((?<!\\)(?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


class _Parser(CParser):
    """libyaml's composer with tag resolution left to us: one pass, no regular expression per scalar."""

    def __init__(self, text: str, file: str) -> None:
        CParser.__init__(self, text)
        self.file = file
        self.count = 0
        self.depth = 0

    def resolve(self, kind: type[Node], value: str | None, implicit: Any) -> str:
        self.count += 1
        if self.count > MAX_NODES:
            raise UnreadableInput(
                self.file, f"holds more than {MAX_NODES:,} values; split it into smaller files"
            )
        if kind is ScalarNode:
            return "plain" if implicit[0] else _PREFIX + "str"
        return _PREFIX + ("seq" if kind is SequenceNode else "map")

    def descend_resolver(self, current_node: Node, current_index: Any) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH + 2:  # a margin, since the builder knows the line
            raise UnreadableInput(self.file, _too_deep())

    def ascend_resolver(self) -> None:
        self.depth -= 1


def read_file(path: FilePath, *, name: str | None = None) -> list[Document]:
    """All documents of one file. Raises UnreadableInput with one clear line."""
    shown = name or str(path)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableInput(shown, _too_large(size))
        with path.open("rb") as stream:
            data = read_stream(stream, shown)
    except FileNotFoundError:
        raise UnreadableInput(shown, "no such file; check the path") from None
    except IsADirectoryError:
        raise UnreadableInput(shown, "is a folder, a file was expected") from None
    except OSError as error:
        raise UnreadableInput(shown, f"cannot be read: {error.strerror}") from None
    return read_documents(data, shown)


def read_stream(stream: BinaryIO, name: str) -> bytes:
    """All of a pipe, a device or a file, which may have no end. Raises UnreadableInput."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UnreadableInput(name, f"goes on after {MAX_BYTES:,} bytes, and at most these are read")
    return data


def read_documents(data: bytes | str, file: str) -> list[Document]:
    """All YAML documents (or the one JSON value) in ``data``; empty documents are left out.

    Raises UnreadableInput when the text is binary, not UTF-8, too large, or not YAML.
    """
    text = _paired(_decode(data, file))
    try:
        return _compose_all(text, file)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text, file) from None
    except ReaderError as error:
        character = error.character if isinstance(error.character, str) else chr(error.character)
        raise UnreadableInput(
            file, f"holds the character {character!a}, which YAML does not allow; remove it"
        ) from None
    except RecursionError:
        raise UnreadableInput(file, _too_deep()) from None


def _decode(data: bytes | str, file: str) -> str:
    if isinstance(data, str):
        return data
    if len(data) > MAX_BYTES:
        raise UnreadableInput(file, _too_large(len(data)))
    if b"\0" in data[:8192]:
        raise UnreadableInput(file, "is binary, not YAML or JSON text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableInput(
            file, f"is not UTF-8 text (byte {error.start}); save it as UTF-8", Position(line, 1)
        ) from None


def _paired(text: str) -> str:
    """JSON may escape a character beyond the basic plane as two surrogates, which no YAML reader takes."""
    if "\\ud" not in text.lower() or text.lstrip()[:1] not in ("{", "["):
        return text
    return _SURROGATES.sub(lambda pair: pair[1] + chr(_code_point(pair[2], pair[3])), text)


def _code_point(high: str, low: str) -> int:
    return 0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00


def _too_deep() -> str:
    return f"is nested deeper than {MAX_DEPTH} levels"


def _too_large(size: int) -> str:
    return f"is {size:,} bytes; at most {MAX_BYTES:,} are read. Split it into smaller files"


def _compose_all(text: str, file: str) -> list[Document]:
    parser = _Parser(text, file)
    documents: list[Document] = []
    index = 0
    while parser.check_node():
        node = parser.get_node()
        assert node is not None
        document = Document(None, file, index)
        index += 1
        document.value = _Builder(document, template=is_template(node)).build(node, (), 0)
        if document.value is not None:
            documents.append(document)
    return documents


class _Builder:
    """Turns one node graph into plain values, noting positions and repeated keys on the way.

    In a CloudFormation template the short tags, such as ``!Ref``, become the functions they stand for.
    """

    def __init__(self, document: Document, *, template: bool) -> None:
        self.document = document
        self.template = template
        self.count = 0

    def build(self, node: Node, path: Path, depth: int) -> Any:
        self.count += 1
        mark = node.start_mark
        position = Position(mark.line + 1, mark.column + 1)
        if self.count > MAX_NODES:
            raise UnreadableInput(
                self.document.file, f"aliases expand to more than {MAX_NODES:,} values", position
            )
        if depth > MAX_DEPTH:
            raise UnreadableInput(self.document.file, _too_deep(), position)
        self.document.values[path] = position
        if self.template and (function := long_form(node)):
            self.document.keys.setdefault((*path, function.name), position)
            return {function.name: self.build(function.argument, (*path, function.name), depth + 1)}
        if isinstance(node, ScalarNode):
            return self._scalar(node, position, path)
        if isinstance(node, SequenceNode):
            return [self.build(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]
        assert isinstance(node, MappingNode)
        return self._mapping(node, path, depth)

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            mark = key_node.start_mark
            position = Position(mark.line + 1, mark.column + 1)
            if not isinstance(key_node, ScalarNode):
                raise InvalidSyntax(
                    self.document.file,
                    "a list or mapping is used as a key; perhaps '{{ }}' of a template was left in",
                    position,
                )
            key: str = key_node.value
            if key == "<<" and key_node.tag == "plain":
                merged = {**self._merge(value_node, path, depth, position), **merged}
                continue
            child = (*path, key)
            if key in result:
                first = self.document.keys[child]
                self.document.problems.append(
                    Problem(
                        f"the key '{key}' is written twice (first on line {first.line}); "
                        "only one of the two values can count",
                        "remove one of the two",
                        position,
                        child,
                    )
                )
            self.document.keys[child] = position
            result[key] = self.build(value_node, child, depth + 1)
        for key, value in merged.items():
            result.setdefault(key, value)
        return result

    def _merge(self, node: Node, path: Path, depth: int, position: Position) -> dict[str, Any]:
        sources = node.value if isinstance(node, SequenceNode) else [node]
        values: dict[str, Any] = {}
        for source in sources:
            if not isinstance(source, MappingNode):
                raise InvalidSyntax(self.document.file, "'<<' merges mappings only", position)
            for key, value in self._mapping(source, path, depth + 1).items():
                values.setdefault(key, value)
        return values

    def _binary(self, node: ScalarNode, position: Position, path: Path) -> str:
        text = text_of_base64(node.value)
        if text is not None:
            return text
        self.document.problems.append(
            Problem(
                "the value of !!binary is not text in base64, and kubectl cannot read it",
                "write the text itself, without the tag",
                position,
                path,
            )
        )
        return str(node.value)

    def _scalar(self, node: ScalarNode, position: Position, path: Path) -> Any:
        if node.tag == "plain":
            value = plain_scalar(node.value)
            if not isinstance(value, str):
                self.document.sources[path] = node.value
            return value
        tag = node.tag.removeprefix(_PREFIX)
        if tag == "binary":
            return self._binary(node, position, path)
        if tag in {"str", "timestamp"} or node.tag == "!":
            return node.value
        if tag in {"int", "float", "bool", "null"}:
            return plain_scalar(node.value)
        self.document.problems.append(
            Problem(
                f"the tag '{node.tag}' has no meaning here and is read as text",
                "remove the tag",
                position,
                path,
            )
        )
        return node.value


def _syntax_error(error: yaml.MarkedYAMLError, text: str, file: str) -> InvalidSyntax:
    mark = error.problem_mark or error.context_mark
    position = Position(mark.line + 1, mark.column + 1) if mark else None
    problem = error.problem or "cannot be parsed"
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    if "cannot start any token" in problem and "\t" in line:
        problem = "a tab is used for indentation; YAML allows spaces only"
    elif isinstance(error, ComposerError) and "undefined alias" in problem:
        problem = f"{problem}; define the anchor before it is used"
    elif error.context and error.context not in problem:
        problem = f"{problem} ({error.context})"
    conflict = _CONFLICT.search(text)
    if conflict:
        problem = "the marks of a merge conflict were left in"
        position = Position(text.count("\n", 0, conflict.start()) + 1, 1)
    return InvalidSyntax(file, f"is not valid YAML: {problem}", position)
