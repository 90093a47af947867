"""What endpoints stand on in the cluster, and the Secrets that they read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.config.base import KmsKeyArn, ObjectName, ResourceName, SecretKey, Section


class DisruptionBudgets(Section):
    """How many pods of a role a drain may take away at once, per namespace."""

    prefill_max_unavailable: int = Field(1, ge=0, description="Prefill pods that may be away at once.")
    decode_max_unavailable: int = Field(
        0, ge=0, description="0: a drain waits until somebody moves the decoder on purpose."
    )


class ExternalSecrets(Section):
    """The External Secrets controller of the cluster, which fills the Secrets named under ``secrets``."""

    namespace: ResourceName = Field(
        "external-secrets", description="Namespace of the External Secrets Operator."
    )
    service_account: ObjectName = Field(
        "external-secrets", description="Service account of the External Secrets Operator."
    )
    identity: bool = Field(
        True,
        description="Make the controller's role, which reads this environment's secrets and no other; "
        "false where it has its rights already.",
    )
    kms_key_arns: list[KmsKeyArn] = Field(
        default_factory=list,
        description="Keys that those secrets are encrypted with, where it is not AWS's own.",
    )


class Platform(Section):
    """Namespaces' guard rails. Each part can be left out where the cluster's owner has its own."""

    gpu_quota: bool = Field(True, description="GPUs of a namespace: planned replicas plus one surge.")
    network_policies: bool = Field(True, description="Only the router, peers and collectors reach workers.")
    worker_clients: list[ResourceName] = Field(
        default_factory=list,
        description="Further namespaces that reach workers, such as a Prometheus of yours.",
    )
    disruption_budgets: DisruptionBudgets | None = Field(
        DisruptionBudgets(), description="How many pods may be away at once."
    )
    readers_group: str = Field("dpd-readers", description="Kubernetes group that may look and read logs.")
    deployers_group: str = Field("dpd-deployers", description="Kubernetes group that may change endpoints.")
    pre_pull: bool = Field(True, description="A DaemonSet that keeps worker images on accelerated nodes.")
    external_secrets: ExternalSecrets = Field(
        ExternalSecrets(), description="The External Secrets Operator on the cluster."
    )


class RemoteKey(Section):
    """One value in Secrets Manager; the value itself never comes near this document."""

    name: str = Field(
        pattern=r"^(arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}"
        r"|[A-Za-z0-9/_+=.@-]+)$",
        max_length=2048,
        description="Name of the secret in Secrets Manager, or its whole ARN.",
        examples=["llm/hugging-face"],
    )
    property: str | None = Field(None, description="Key of its JSON. Default: the whole value.")


class ExternalSecret(Section):
    """A Kubernetes Secret that External Secrets fills. Secrets not named here must exist already."""

    namespace: ResourceName = Field("inference", description="Namespace of the Secret.")
    keys: dict[SecretKey, RemoteKey] = Field(
        min_length=1, description="Key of the Kubernetes Secret to its source."
    )
    refresh: str = Field("1h", pattern=r"^[0-9]+(s|m|h)$", description="How often it is read again.")


class Route(Section):
    """One host name in front of several endpoints, by weight: blue and green."""

    weights: dict[ResourceName, int] = Field(min_length=1, description="Endpoint to weight, 0 to 999.")
    host: ObjectName | None = Field(
        None, description="Host name, in lower case.", examples=["llm.example.com"]
    )
    certificate_arn: str | None = Field(
        None,
        pattern=r"^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/.+$",
        description="ARN of the certificate.",
    )
    scheme: Literal["internal", "internet-facing"] = Field(
        "internal", description="Internal or internet-facing."
    )
    idle_timeout_seconds: int = Field(
        300,
        ge=1,
        le=engine_defaults.router().longest_idle_timeout_seconds,
        description="Seconds a connection may be silent.",
    )
