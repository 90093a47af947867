"""Which template a nested stack is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from hyperpod_dpd.view.template_values import UNKNOWN, flat

NESTED_STACK = "AWS::CloudFormation::Stack"


def is_template_of(stack: Mapping[str, Any], file: str) -> bool:
    """Whether a nested stack's template is ``file``, by the file's name.

    The name is that of the template's address, or what the CDK notes beside it: there the address is a digest.
    """
    properties = stack.get("Properties")
    metadata = stack.get("Metadata")
    noted = metadata.get("aws:asset:path") if isinstance(metadata, Mapping) else None
    address = flat(properties.get("TemplateURL")) if isinstance(properties, Mapping) else ""
    wanted = {PurePath(name.partition("?")[0]).name for name in (address, noted) if isinstance(name, str)}
    return PurePath(file).name in wanted - {"", UNKNOWN}
