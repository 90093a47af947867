"""What every part of the environment document shares: strict types, no unknown keys, frozen results."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """One mapping of the environment document."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=False)


ZoneId = Annotated[str, Field(pattern=r"^[a-z]{2,6}\d(-[a-z]{3,4}\d)?-az\d+$", examples=["usw2-az2"])]
Cidr = Annotated[str, Field(pattern=r"^\d{1,3}(\.\d{1,3}){3}/\d{1,2}$", examples=["10.192.0.0/16"])]
AccountId = Annotated[str, Field(pattern=r"^\d{12}$", examples=["111122223333"])]
RegionName = Annotated[str, Field(pattern=r"^[a-z]{2}(-[a-z]+)+-\d$", examples=["us-west-2"])]
ResourceName = Annotated[str, Field(pattern=r"^[a-z]([-a-z0-9]*[a-z0-9])?$", max_length=63)]
GroupName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9](-*[a-zA-Z0-9])*$", max_length=63)]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
RoleArn = Annotated[str, Field(pattern=r"^arn:aws[a-z-]*:iam::\d{12}:role/.+$")]
KmsKeyArn = Annotated[str, Field(pattern=r"^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/.+$")]
RuleId = Annotated[str, Field(pattern=r"^DPD(\d{3}|1[01]\d{2})$", examples=["DPD712"])]
Acknowledgements = dict[str, str]
