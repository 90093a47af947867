"""One endpoint as rules see it: effective arguments per role, environment, image, placement, and its context."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.iec.argument_reading import parse_arguments
from hyperpod_dpd.iec.arguments import Arguments, merge
from hyperpod_dpd.iec.environment import Environment, read_environment
from hyperpod_dpd.iec.expansion import expand_items
from hyperpod_dpd.iec.validation import validate
from hyperpod_dpd.view.context import Context, MissingFact
from hyperpod_dpd.view.image import ImageView
from hyperpod_dpd.view.model import ModelView, find_model
from hyperpod_dpd.view.node_affinity import required_types
from hyperpod_dpd.view.page import chunk_tokens
from hyperpod_dpd.view.role import RoleView as RoleView

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import ClusterPlan, InstanceGroupPlan, NetworkPlan
    from hyperpod_dpd.catalog.instance_types import InstanceType
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.config.endpoint import Objectives, Traffic
    from hyperpod_dpd.config.operations import Observability, Operations
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.iec.problem import SchemaProblem
    from hyperpod_dpd.view.origin import Location, Origin

Fact = TypeVar("Fact")
ROLES = {"prefill": "prefillSpec", "decode": "decodingSpec"}


class EndpointView:
    """An InferenceEndpointConfig with wrong types mended, so that every rule can run on it."""

    def __init__(
        self, manifest: Mapping[str, Any], *, origin: Origin, context: Context, raw: Any = None
    ) -> None:
        self.manifest = manifest
        self.raw = manifest if raw is None else raw
        self.origin = origin
        self.context = context

    def locate(self, path: Path) -> Location:
        return self.origin.locate(path)

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        return _mapping(self.manifest.get("metadata"))

    @cached_property
    def spec(self) -> Mapping[str, Any]:
        return _mapping(self.manifest.get("spec"))

    def get(self, *path: str | int) -> Any:
        """The value at ``path`` under ``spec``, or None."""
        value: Any = self.spec
        for part in path:
            if isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - the second is slow
                value = value.get(part)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def has(self, *path: str | int) -> bool:
        return self.get(*path) is not None

    @property
    def name(self) -> str:
        return str(self.metadata.get("name") or "")

    @property
    def namespace(self) -> str:
        return str(self.metadata.get("namespace") or "default")

    @property
    def title(self) -> str:
        """How reports name this object."""
        return f"InferenceEndpointConfig {self.namespace}/{self.name or '(unnamed)'}"

    @property
    def disaggregated(self) -> bool:
        return isinstance(self.spec.get("pdSpec"), Mapping)

    @cached_property
    def worker_arguments(self) -> Arguments:
        args = expand_items(self.get("worker", "args"), self._values)
        return parse_arguments(args, ("spec", "worker", "args"), origin="worker")

    @cached_property
    def _values(self) -> dict[str, str | None]:
        """What the kubelet fills in for ``$(NAME)``."""
        return {name: variable.value for name, variable in self.environment.items()}

    @cached_property
    def roles(self) -> tuple[RoleView, ...]:
        """Prefill and decode, or the one worker role of a colocated endpoint."""
        if not self.disaggregated:
            path: Path = ("spec", "worker")
            worker = _mapping(self.get("worker"))
            return (self._role("worker", path, worker, self.spec.get("replicas"), worker_only=True),)
        return tuple(
            self._role(role, ("spec", "pdSpec", key), _mapping(self.get("pdSpec", key)), None)
            for role, key in ROLES.items()
            if isinstance(self.get("pdSpec", key), Mapping)
        )

    def _role(
        self, role: str, path: Path, body: Mapping[str, Any], replicas: Any, *, worker_only: bool = False
    ) -> RoleView:
        args = [] if worker_only else expand_items(body.get("args"), self._values)
        own = parse_arguments(args, (*path, "args"), origin=role)
        count = replicas if worker_only else body.get("replicas")
        resources = _mapping(body.get("resources"))
        return RoleView(
            role=role,
            path=path,
            replicas=count if isinstance(count, int) and not isinstance(count, bool) else 1,
            arguments=merge(self.worker_arguments, own),
            own_arguments=own,
            resources={k: _mapping(v) for k, v in resources.items()},
            node_selector=_mapping(body.get("nodeSelector")),
        )

    @property
    def prefill(self) -> RoleView | None:
        return next((r for r in self.roles if r.role == "prefill"), None)

    @property
    def decode(self) -> RoleView | None:
        return next((r for r in self.roles if r.role == "decode"), None)

    @cached_property
    def environment(self) -> Environment:
        """Environment variables, which both roles share."""
        path: Path = ("spec", "worker", "environmentVariables")
        return read_environment(self.get("worker", "environmentVariables"), path, self._configured)

    def _configured(self, source: str, name: str, key: str) -> str | None:
        return self.context.configured.get((source, self.namespace, name), {}).get(key)

    def where_variable(self, name: str) -> Path:
        """Where the variable's value stands, else where variables are listed."""
        variable = self.environment.get(name)
        return variable.value_path if variable else ("spec", "worker", "environmentVariables")

    @cached_property
    def schema_problems(self) -> list[SchemaProblem]:
        """Faults of the manifest's shape, judged on what was read, before wrong types were mended."""
        release = str(self.context.operator) if self.context.operator else None
        return validate(self.raw, release=release)

    @cached_property
    def image(self) -> ImageView:
        return ImageView(str(self.get("worker", "image") or ""), self.context.image_versions)

    @property
    def routing_strategy(self) -> str:
        """The CRD's default where the manifest names none."""
        return str(self.get("intelligentRoutingSpec", "routingStrategy") or "prefixaware")

    @property
    def port(self) -> int | None:
        value = self.get("worker", "modelInvocationPort", "containerPort")
        return value if isinstance(value, int) else None

    @property
    def acknowledgement_text(self) -> str:
        annotations = _mapping(self.metadata.get("annotations"))
        return str(annotations.get(names.ACKNOWLEDGE_ANNOTATION) or "")

    @cached_property
    def model_or_none(self) -> ModelView | None:
        annotations = self.metadata.get("annotations")
        return find_model(self.context, annotations, self.get, chunk_tokens(self.environment))

    @property
    def model(self) -> ModelView:
        return self._need("model", self.model_or_none)

    @property
    def operator(self) -> OperatorRelease:
        return self._need("operator", self.context.operator)

    @property
    def cluster(self) -> ClusterPlan:
        return self._need("cluster", self.context.cluster)

    @property
    def network(self) -> NetworkPlan:
        return self._need("network", self.context.network)

    @property
    def region(self) -> str:
        return self._need("region", self.context.region)

    @property
    def production(self) -> bool:
        return self._need("production", self.context.production)

    @property
    def traffic(self) -> Traffic:
        return self._need("traffic", self.context.traffic)

    @property
    def objectives(self) -> Objectives:
        return self._need("objectives", self.context.objectives)

    @property
    def operations(self) -> Operations:
        return self._need("operations", self.context.operations)

    @property
    def observability(self) -> Observability:
        return self._need("observability", self.context.observability)

    @property
    def operator_tls_bucket(self) -> str | None:
        """Bucket for certificates that the operator of the cluster is configured with, if it is."""
        return self.context.tls_bucket if self.cluster else None

    def group(self, role: RoleView) -> InstanceGroupPlan | None:
        """The instance group a role selects; None when it selects none or one the cluster lacks."""
        return next((g for g in self.cluster.groups if g.name == role.group_name), None)

    def instance_type_names(self, role: RoleView) -> list[tuple[str, Path]]:
        """Every instance type a role may land on, with the place that says so."""
        named: list[tuple[str, Path]] = []
        selector = role.node_selector.get(names.INSTANCE_TYPE_LABEL)
        if selector is not None:
            return [(str(selector), (*role.path, "nodeSelector", names.INSTANCE_TYPE_LABEL))]
        if self.context.cluster is not None:
            group = self.group(role)
            if group is not None:
                return [(group.instance_type, (*role.path, "nodeSelector", names.INSTANCE_GROUP_LABEL))]
        if isinstance(self.spec.get("instanceType"), str):
            named.append((self.spec["instanceType"], ("spec", "instanceType")))
        types = self.spec.get("instanceTypes")
        if isinstance(types, list):
            named += [(str(t), ("spec", "instanceTypes", i)) for i, t in enumerate(types)]
        return named or required_types(self.spec.get("nodeAffinity"))

    def instance_type(self, role: RoleView) -> InstanceType | None:
        """The catalogue's facts of the role's instance type; None when several, none or unknown."""
        found = {name for name, _ in self.instance_type_names(role)}
        return instance_types.get(found.pop()) if len(found) == 1 else None

    @staticmethod
    def _need(fact: str, value: Fact | None) -> Fact:
        if value is None:
            raise MissingFact(fact)
        return value


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) or isinstance(value, Mapping) else {}  # noqa: SIM101 - as above
