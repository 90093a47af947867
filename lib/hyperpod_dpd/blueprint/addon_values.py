"""Configuration values of add-ons that follow from the document alone, spelled as each add-on spells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.config.addons import Pods, Toleration
    from hyperpod_dpd.config.environment import Environment


def laid_over(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with every value of ``top`` in its place: mappings merge, anything else replaces."""
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = laid_over(below, value)
        else:
            merged[key] = value
    return merged


def addon_values(environment: Environment, name: str) -> dict[str, Any]:
    """The document's values of one add-on: its typed settings, and ``addon_values`` laid over them."""
    return laid_over(_typed(environment, name), environment.addon_values.get(name, {}))


def enforces_network_policies(environment: Environment) -> bool:
    """Whether our CNI add-on is told to: by the document, or because a policy is rendered."""
    told = environment.addons.vpc_cni.network_policy
    return renders_network_policies(environment) if told is None else told


def renders_network_policies(environment: Environment) -> bool:
    """Whether the platform app holds a NetworkPolicy: in every namespace with a disaggregated endpoint."""
    return environment.platform.network_policies and any(
        endpoint.topology == "disaggregated" for endpoint in environment.endpoints.values()
    )


def _typed(environment: Environment, name: str) -> dict[str, Any]:
    addons = environment.addons
    if name == names.CNI_ADDON:
        # Its schema wants the truth value as text.
        return {"enableNetworkPolicy": "true"} if enforces_network_policies(environment) else {}
    if name == names.CERT_MANAGER_ADDON:
        parts = {"webhook": addons.cert_manager.webhook, "cainjector": addons.cert_manager.cainjector}
        beside = {part: values for part, pods in parts.items() if (values := _pods(pods))}
        return {**_pods(addons.cert_manager), **beside}
    if name == names.METRICS_SERVER_ADDON and addons.metrics_server.tolerations:
        return {"tolerations": [_toleration(each) for each in addons.metrics_server.tolerations]}
    if name == names.OPERATOR_ADDON and addons.inference.gated_models_role_arn is not None:
        return {"jumpstartGatedModelDownloadRoleArn": addons.inference.gated_models_role_arn}
    return {}


def _pods(pods: Pods) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if pods.replicas is not None:
        values["replicaCount"] = pods.replicas
    if pods.tolerations:
        values["tolerations"] = [_toleration(each) for each in pods.tolerations]
    return values


def _toleration(toleration: Toleration) -> dict[str, Any]:
    """As Kubernetes writes it: "Exists" where no value is given."""
    values: dict[str, Any] = {"operator": "Exists" if toleration.value is None else "Equal"}
    given = {
        "key": toleration.key,
        "value": toleration.value,
        "effect": toleration.effect,
        "tolerationSeconds": toleration.seconds,
    }
    return {**values, **{key: value for key, value in given.items() if value is not None}}
