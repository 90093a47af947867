"""Settings of the EKS add-ons, as far as their keys are confirmed; ``addon_values`` holds any others."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hyperpod_dpd.config.base import LabelKey, LabelValue, RoleArn, Section

MetricSet = Literal[
    "training", "inference", "task_governance", "scaling", "custom", "node", "accelerated_compute"
]
Level = Literal["BASIC", "ADVANCED", "DISABLED"]


class Toleration(Section):
    """A taint that an add-on's pods put up with. Without a key: every taint."""

    key: LabelKey | None = Field(None, description="Key of the taint.")
    value: LabelValue | None = Field(None, description="Default: any value of the key.")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = Field(
        None, description="Effect of the taint."
    )
    seconds: int | None = Field(
        None, ge=0, description="How long NoExecute is put up with. Default: for ever."
    )


class Pods(Section):
    """The pods of one part of an add-on."""

    replicas: int | None = Field(None, ge=1, le=100, description="Default: the add-on's.")
    tolerations: list[Toleration] = Field(default_factory=list, description="Taints that the pods accept.")


class CertManager(Pods):
    """cert-manager: its controller, and the two parts beside it."""

    webhook: Pods = Field(Pods(), description="Pods of the webhook.")
    cainjector: Pods = Field(Pods(), description="Pods of the CA injector.")


class MetricsServer(Section):
    """The metrics server, of which only tolerations are confirmed."""

    tolerations: list[Toleration] = Field(default_factory=list, description="Taints that its pods accept.")


class VpcCni(Section):
    """The network plug-in."""

    network_policy: bool | None = Field(
        None,
        description="Enforce NetworkPolicy objects. Default: where platform.network_policies renders one.",
    )


class InferenceAddon(Section):
    """The inference operator's add-on, beside what is derived for it."""

    gated_models_role_arn: RoleArn | None = Field(
        None, description="Role that downloads gated JumpStart models; it trusts the endpoints' accounts."
    )
    gateway: bool = Field(
        False, description="The Inference Gateway, with a role of its own. Needs add-on v2.0.0-eksbuild.2."
    )


class ObservabilityAddon(Section):
    """Which metrics the observability add-on collects; EFA's are observability.network_metrics."""

    metrics: dict[MetricSet, Level] = Field(
        default_factory=dict, description="Groups of metrics and how much of each."
    )


class Addons(Section):
    """Typed settings by add-on."""

    vpc_cni: VpcCni = Field(VpcCni(), description="Settings of the Amazon VPC CNI add-on.")
    cert_manager: CertManager = Field(CertManager(), description="Settings of the cert-manager add-on.")
    metrics_server: MetricsServer = Field(
        MetricsServer(), description="Settings of the metrics-server add-on."
    )
    inference: InferenceAddon = Field(
        InferenceAddon(), description="Settings of the inference operator's add-on."
    )
    observability: ObservabilityAddon = Field(
        ObservabilityAddon(), description="Settings of the observability add-on."
    )
