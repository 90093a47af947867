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

    key: LabelKey | None = None
    value: LabelValue | None = Field(None, description="Default: any value of the key.")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = None
    seconds: int | None = Field(
        None, ge=0, description="How long NoExecute is put up with. Default: for ever."
    )


class Pods(Section):
    """The pods of one part of an add-on."""

    replicas: int | None = Field(None, ge=1, le=100, description="Default: the add-on's.")
    tolerations: list[Toleration] = Field(default_factory=list)


class CertManager(Pods):
    """cert-manager: its controller, and the two parts beside it."""

    webhook: Pods = Pods()
    cainjector: Pods = Pods()


class MetricsServer(Section):
    """The metrics server, of which only tolerations are confirmed."""

    tolerations: list[Toleration] = Field(default_factory=list)


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

    metrics: dict[MetricSet, Level] = Field(default_factory=dict)


class Addons(Section):
    """Typed settings by add-on."""

    vpc_cni: VpcCni = VpcCni()
    cert_manager: CertManager = CertManager()
    metrics_server: MetricsServer = MetricsServer()
    inference: InferenceAddon = InferenceAddon()
    observability: ObservabilityAddon = ObservabilityAddon()
