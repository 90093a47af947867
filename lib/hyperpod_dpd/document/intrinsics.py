"""CloudFormation's short tags (``!Ref``, ``!GetAtt`` ...) as the functions they stand for."""

from __future__ import annotations

from typing import NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_TEXT = "tag:yaml.org,2002:str"
_LIST = "tag:yaml.org,2002:seq"
_BARE = {"!Ref": "Ref", "!Condition": "Condition"}
_FUNCTIONS = {
    "And", "Base64", "Cidr", "Equals", "FindInMap", "GetAZs", "GetAtt", "GetStackOutput", "If", "ImportValue", "Join",
    "Length", "Not", "Or", "Select", "Split", "Sub", "ToJsonString", "Transform",
}  # fmt: skip


class Function(NamedTuple):
    """The long name of an intrinsic function, and the node that is its argument."""

    name: str
    argument: Node


def is_template(root: Node) -> bool:
    """Whether a document is a CloudFormation template: elsewhere these tags mean nothing."""
    if not isinstance(root, MappingNode):
        return False
    return any(
        isinstance(key, ScalarNode) and key.value == "Resources" and isinstance(value, MappingNode)
        for key, value in root.value
    )


def long_form(node: Node) -> Function | None:
    """The function that a tagged node stands for; None for a node without such a tag.

    ``!GetAtt Name.Attribute.Part`` is split at its first dot, as CloudFormation does.
    """
    tag = node.tag
    if not tag.startswith("!") or len(tag) == 1:
        return None
    name = _BARE.get(tag) or (f"Fn::{tag[1:]}" if tag[1:] in _FUNCTIONS else "")
    if not name:
        return None
    if isinstance(node, ScalarNode):
        return Function(name, _attribute(node) if tag == "!GetAtt" else _scalar(node, node.value))
    kind = SequenceNode if isinstance(node, SequenceNode) else MappingNode
    plain = _LIST if kind is SequenceNode else "tag:yaml.org,2002:map"
    return Function(name, kind(plain, node.value, node.start_mark, node.end_mark))


def _attribute(node: ScalarNode) -> Node:
    parts = [_scalar(node, part) for part in node.value.split(".", 1)]
    return SequenceNode(_LIST, parts, node.start_mark, node.end_mark)


def _scalar(node: ScalarNode, text: str) -> Node:
    return ScalarNode(_TEXT, text, node.start_mark, node.end_mark)
