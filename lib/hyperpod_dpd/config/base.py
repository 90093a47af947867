"""What every part of the environment document shares: strict types, no unknown keys, frozen results."""

from __future__ import annotations

import os
from ipaddress import IPv4Network
from typing import Annotated

os.environ.setdefault(
    "PYDANTIC_DISABLE_PLUGINS", "__all__"
)  # looking for plugins costs more than reading a document

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Section(BaseModel):
    """One mapping of the environment document. A text that says nothing is refused unless it is a ``Text``."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, validate_default=False, str_min_length=1
    )


def _address_range(text: str) -> str:
    """Refuses what only looks like one: numbers out of range, host bits that are set."""
    IPv4Network(text)
    return text


Text = Annotated[str, Field(min_length=0)]
ZoneId = Annotated[
    str, Field(pattern=r"^[a-z]{2,6}[0-9](-[a-z]{3,4}[0-9])?-az[0-9]+$", examples=["usw2-az2"])
]
Cidr = Annotated[
    str,
    Field(pattern=r"^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$", examples=["10.192.0.0/16"]),
    AfterValidator(_address_range),
]
AccountId = Annotated[str, Field(pattern=r"^[0-9]{12}$", examples=['"111122223333"'])]
RegionName = Annotated[str, Field(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]$", examples=["us-west-2"])]
ResourceName = Annotated[
    str, Field(pattern=r"^[a-z]([-a-z0-9]*[a-z0-9])?$", max_length=63, examples=["llama-70b"])
]
ObjectName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        max_length=253,
        examples=["hugging-face"],
    ),
]
SecretKey = Annotated[str, Field(pattern=r"^([-_a-zA-Z0-9]|\.[-_a-zA-Z0-9])[-._a-zA-Z0-9]*$", max_length=253)]
GroupName = Annotated[
    str, Field(pattern=r"^[a-zA-Z0-9](-*[a-zA-Z0-9])*$", max_length=63, examples=["prefill"])
]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
RoleArn = Annotated[
    str,
    Field(
        pattern=r"^arn:aws[a-z-]*:iam::[0-9]{12}:role/([^/*?\s]+/)*[A-Za-z0-9_+=,.@-]{1,64}$",
        max_length=2048,
        examples=["arn:aws:iam::111122223333:role/platform-admin"],
    ),
]
KmsKeyArn = Annotated[
    str,
    Field(
        pattern=r"^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+$",
        examples=["arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"],
    ),
]
SecurityGroupId = Annotated[str, Field(pattern=r"^sg-[0-9a-f]{8,17}$", examples=["sg-0a1b2c3d4e5f67890"])]
NatGatewayId = Annotated[str, Field(pattern=r"^nat-[0-9a-f]{8,17}$", examples=["nat-0a1b2c3d4e5f67890"])]
SubnetId = Annotated[str, Field(pattern=r"^subnet-[0-9a-f]{8,17}$", examples=["subnet-0a1b2c3d4e5f67890"])]
RouteTableId = Annotated[str, Field(pattern=r"^rtb-[0-9a-f]{8,17}$", examples=["rtb-0a1b2c3d4e5f67890"])]
AddonVersion = Annotated[
    str, Field(pattern=r"^v[0-9]+\.[0-9]+\.[0-9]+-eksbuild\.[0-9]+$", examples=["v1.18.2-eksbuild.2"])
]
VariableName = Annotated[str, Field(pattern=r"^[-._a-zA-Z][-._a-zA-Z0-9]*$", examples=["VLLM_LOGGING_LEVEL"])]
_LABEL = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
LabelKey = Annotated[
    str,
    Field(
        pattern=rf"^({_SUBDOMAIN}/)?{_LABEL}$",
        max_length=317,
        examples=["example.com/team"],
    ),
]
LabelValue = Annotated[str, Field(pattern=rf"^({_LABEL})?$", min_length=0, examples=["serving"])]
TaintValue = Annotated[str, Field(pattern=rf"^{_LABEL}$", examples=["serving"])]
_TAG = r"[\w .:/=+@-]+"
TagKey = Annotated[str, Field(pattern=f"^{_TAG}$", max_length=127)]
TagValue = Annotated[str, Field(pattern=f"^{_TAG}$", max_length=255)]
MOST_TAGS = 49
"""One less than most services take, in number and in length: one tag is ours, and add-ons and ECR take less."""
Acknowledgements = dict[str, Text]
