"""What the managed Argo CD of EKS needs to know of its users: it has no local ones."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hyperpod_dpd.config.base import RegionName, Section

SecretArn = Annotated[
    str,
    Field(
        pattern=r"^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}$",
        examples=["arn:aws:secretsmanager:us-west-2:111122223333:secret:git-AbCdEf"],
    ),
]
"""The whole ARN, with the six characters that Secrets Manager adds: a role reads this secret and no other."""


class Identity(Section):
    """A user or group of IAM Identity Center."""

    id: str = Field(min_length=1, max_length=100, description="Id of the user or group.")
    type: Literal["SSO_USER", "SSO_GROUP"] = Field("SSO_GROUP", description="User or group.")


class IdentityCenter(Section):
    """The IAM Identity Center that Argo CD's users sign in with; changing it makes another Argo CD."""

    instance_arn: str = Field(
        pattern=r"^arn:aws[a-z-]*:sso:::instance/(sso)?ins-[a-zA-Z0-9-.]{16}$",
        description="ARN of the IAM Identity Center instance.",
    )
    region: RegionName | None = Field(None, description="Where it lives. Default: the environment's Region.")
    admins: list[Identity] = Field(default_factory=list, description="Who administers.")
    viewers: list[Identity] = Field(default_factory=list, description="Who may look.")
    repository_secret_arns: list[SecretArn] = Field(
        default_factory=list,
        description="Secrets Manager secrets with credentials of repositories, which Argo CD reads itself.",
    )
