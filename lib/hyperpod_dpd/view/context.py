"""What is known around an endpoint: cluster, operator, traffic, objectives; what is missing says so once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import ClusterPlan, NetworkPlan
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.config.endpoint import Objectives, RoleAutoScaling, Traffic
    from hyperpod_dpd.config.operations import Observability, Operations
    from hyperpod_dpd.sizing.geometry import Geometry
    from hyperpod_dpd.view.crd import CrdView


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Facts beside the manifest. None means nobody declared it: a rule that needs it is 'not checked'."""

    operator: OperatorRelease | None = None
    cluster: ClusterPlan | None = None
    network: NetworkPlan | None = None
    region: str | None = None
    production: bool | None = None
    traffic: Traffic | None = None
    objectives: Objectives | None = None
    operations: Operations | None = None
    observability: Observability | None = None
    session_key: str | None = None
    image_versions: Mapping[str, str] = field(default_factory=dict)
    autoscaling: Mapping[str, RoleAutoScaling] = field(default_factory=dict)
    geometry: Geometry | None = None
    model_key: str | None = None
    crd: CrdView | None = None
    configured: Mapping[tuple[str, str, str], Mapping[str, str]] = field(default_factory=dict)
    """Data of the ConfigMaps and Secrets beside the manifest, by kind ("configMap", "secret"), namespace and name."""
    parameters_billion: float | None = None
    mixture_of_experts: bool | None = None
    tls_bucket: str | None = None
    """Bucket for certificates that the operator itself is configured with."""


class MissingFact(Exception):
    """A rule asked for a fact that nobody declared: it becomes a note, never a guess."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact
        self.how = HOW_TO_DECLARE[fact]


VARIABLE = "value of a variable"
SUBNET_SIZE = "size of the accelerator subnet"

HYPERPOD_TEMPLATE = "HyperPod cluster among the templates"
ACCESS_TEMPLATES = "buckets and roles of the templates that are not here"

HOW_TO_DECLARE: dict[str, str] = {
    HYPERPOD_TEMPLATE: "check the template that makes the HyperPod cluster together with these",
    ACCESS_TEMPLATES: "check the templates that make buckets and the operator's role together with these",
    "operator": "give `--operator RELEASE`, or check the environment that names it",
    "cluster": "check the environment document, which knows the cluster",
    "network": "check the environment document, which knows the network",
    "region": "check the environment document, which names the Region",
    "production": "check the environment document, which says whether it is production",
    "traffic": "declare `traffic` on the endpoint",
    "distribution of prompt lengths": "declare p50 and p90, p95 or p99 of `traffic.input_tokens` on the endpoint",
    "number of concurrent requests": "declare `traffic.concurrency` on the endpoint",
    "language of the prompts": "declare `traffic.language` on the endpoint",
    "sharing of prefixes": "declare `traffic.shared_prefixes` on the endpoint",
    "objectives": "declare `objectives` on the endpoint",
    "operations": "declare `operations` in the environment",
    "size of the weights": "name a model of the catalogue, or give a config.json whose weights can be counted",
    "observability": "check the environment document, which says whether the add-on is installed",
    "output lengths": "declare `traffic.output_tokens` on the endpoint",
    "request rate": "declare `traffic.requests_per_second` on the endpoint",
    SUBNET_SIZE: "give the zone's `cidr` under network.accelerator_zones: the range of the existing subnet",
    VARIABLE: "write the value, or define the variable it refers to in the same manifest",
    "model": "give `--model-config FILE`, or annotate the manifest with dpd.check/model",
    "parameter count": "name a model of the catalogue, or declare `model.geometry.parameters_billion`",
}
"""How a user supplies each fact; shown in the note that a rule was not checked."""
