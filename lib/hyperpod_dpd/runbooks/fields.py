"""The fields that runbooks may use: names from the blueprint and those that the operator derives."""

from __future__ import annotations

import json
import shlex
import urllib.parse
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.jobs import served_model
from hyperpod_dpd.blueprint.order import app_names
from hyperpod_dpd.catalog import engine_defaults, tools
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.runbooks.sizing import kv_command

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan


_SENTENCE_CHARACTERS, _SENTENCE_TOKENS = 45, 10
"""Of the sentence that the walkthrough repeats."""
_SENTENCES = 600
"""About 6,000 tokens, as in AWS's own walkthrough."""


def environment_fields(blueprint: Blueprint) -> dict[str, Any]:
    """Fields of the environment; ``endpoints`` is the list that ``@for endpoints`` repeats over."""
    endpoints = [endpoint_fields(blueprint, plan) for plan in blueprint.endpoints]
    operator, chart, watch = blueprint.operator, blueprint.apps.chart, blueprint.observability
    needed = blueprint.apps.dependencies
    return {
        "environment": blueprint.name,
        "account": blueprint.account,
        "region": blueprint.region,
        "partition": blueprint.partition,
        "production": blueprint.production,
        "eks_cluster": blueprint.cluster.eks_name,
        "hyperpod_cluster": blueprint.cluster.hyperpod_name,
        "kubernetes_version": blueprint.cluster.kubernetes_version,
        "operator_release": operator.release,
        "operator_addon": names.OPERATOR_ADDON,
        "operator_addon_version": operator.addon_version or "(not known)",
        "operator_by_addon": operator.install == "addon",
        "operator_by_helm": operator.install == "helm",
        "operator_namespace": names.OPERATOR_NAMESPACE,
        "operator_deployments": " ".join(names.OPERATOR_DEPLOYMENTS),
        "operator_container": names.OPERATOR_CONTAINER,
        "observability_addon": names.OBSERVABILITY_ADDON,
        "observability_namespace": names.OBSERVABILITY_NAMESPACE,
        "observability_config": names.OBSERVABILITY_CONFIG,
        "watch_namespace": names.WATCH_NAMESPACE,
        "log_exporter": names.LOG_EXPORTER,
        "canary_deployment": names.CANARY,
        "router_container": names.ROUTER_CONTAINER,
        "grafana_token_secret": names.grafana_token_secret(blueprint.name),
        "grafana_token_function": names.network_resource(blueprint.name, "grafana-token"),
        "managed_grafana": bool(watch and watch.managed_grafana),
        "pod_log_group": watch.pod_log_group if watch else names.pod_log_group(blueprint.name),
        "model_bucket": blueprint.buckets.models,
        "role_label": names.POD_ROLE_LABEL,
        "group_label": names.INSTANCE_GROUP_LABEL,
        "gpu_resource": names.GPU_RESOURCE,
        "efa_resource": names.EFA_RESOURCE,
        "namespaces": [{"namespace": each} for each in sorted({e.namespace for e in blueprint.endpoints})],
        "endpoints": endpoints,
        "apps": [{"app": app} for app in app_names(blueprint)],
        "images_namespace": names.PRE_PULL_NAMESPACE,
        "pre_pull": bool(blueprint.apps.pre_pull),
        "chart_repository": _in_shell(
            chart.repository if chart else tools.value("operator_chart_repository").value
        ),
        "chart_path": _in_shell(chart.path if chart else tools.value("operator_chart_path").value),
        "chart_known": chart is not None,
        "chart_commit": chart.commit if chart else "",
        "chart_values": dump_yaml(dict(chart.values)).rstrip() if chart else "",
        "dependencies": needed is not None,
        "dependencies_by_controller": blueprint.apps.delivery.kind != "kubectl",
        "dependencies_before_nodes": blueprint.apps.delivery.kind == "argocd-managed",
        "dependencies_release": _in_shell(needed.release if needed else ""),
        "dependencies_namespace": _in_shell(needed.namespace if needed else ""),
        "dependencies_repository": _in_shell(needed.repository if needed else ""),
        "dependencies_commit": needed.commit if needed else "",
        "dependencies_path": _in_shell(needed.path if needed else ""),
        "dependencies_values": dump_yaml(dict(needed.values)).rstrip() if needed else "",
        "dist": f"dist/{blueprint.name}",
    }


def endpoint_fields(blueprint: Blueprint, plan: EndpointPlan) -> dict[str, Any]:
    """Fields inside ``@for endpoints``: derived names, URLs, and what the router must log."""
    manifest = plan.rendered() or {}
    spec = manifest.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    path = str(spec.get("invocationEndpoint", "v1/chat/completions"))
    chat = path.strip("/").endswith("chat/completions")
    prefill, decode = plan.role("prefill"), plan.role("decode")
    sentences = long_sentences(plan.routing_threshold_tokens, plan.max_model_len_tokens)
    return {
        "endpoint": plan.name,
        "namespace": plan.namespace,
        "endpoint_app": plan.app,
        "sagemaker_endpoint": _in_shell(spec.get("endpointName")),
        "has_sagemaker_endpoint": bool(spec.get("endpointName")),
        "disaggregated": plan.topology == "disaggregated",
        "rendered": bool(manifest),
        "prefill_deployment": names.prefill_deployment(plan.name),
        "decode_deployment": names.decode_deployment(plan.name),
        "router_deployment": names.router_deployment(plan.name, plan.namespace),
        "routing_service": names.routing_service(plan.name, plan.namespace),
        "router_url": names.router_url(plan.name, plan.namespace, _in_url(path)),
        "ingress": names.ingress(plan.name, plan.namespace),
        "port": plan.manifest.port if plan.manifest else engine_defaults.documented().container_port,
        "invocation_path": _in_url(path.lstrip("/")),
        "chat": chat,
        "client_service_account": names.CLIENT_SERVICE_ACCOUNT,
        "image": plan.image,
        "model": _in_json(served_model(plan)),
        "prefill_replicas": prefill.replicas if prefill else 0,
        "decode_replicas": decode.replicas if decode else 0,
        "prefill_group": prefill.group if prefill else "",
        "decode_group": decode.group if decode else "",
        "gpus": max((role.gpus for role in plan.roles), default=0),
        "efa_interfaces": max((role.efa_interfaces for role in plan.roles), default=0),
        "instance_type": plan.roles[0].instance_type,
        "routing_strategy": spec.get("intelligentRoutingSpec", {}).get("routingStrategy", ""),
        "threshold_tokens": plan.routing_threshold_tokens,
        "threshold_characters": plan.routing_threshold_tokens * names.CHARACTERS_PER_ESTIMATED_TOKEN,
        "long_sentences": sentences,
        "long_tokens": sentences * _SENTENCE_TOKENS,
        "long_estimated_tokens": sentences * _SENTENCE_CHARACTERS // names.CHARACTERS_PER_ESTIMATED_TOKEN,
        "max_model_len_tokens": plan.max_model_len_tokens or "(the model's own)",
        "pd_buffer_bytes": plan.pd_buffer_bytes or 0,
        "kv_command": kv_command(plan),
    }


def _in_shell(value: object) -> str:
    """A word of a shell line; nothing for nothing."""
    return shlex.quote(str(value)) if value else ""


def _in_url(path: str) -> str:
    """A path whose characters mean nothing to a shell, also where an override wrote others."""
    return urllib.parse.quote(path, safe="/?=:@+,~%")


def _in_json(text: str) -> str:
    """Text inside a JSON string that stands between the shell's single quotes."""
    return json.dumps(text)[1:-1].replace("'", "\\u0027")


def long_sentences(threshold_tokens: int, max_model_len_tokens: int | None) -> int:
    """How often the walkthrough's prompt repeats its sentence: a tenth over the threshold at least, and no more than
    that where the usual length would leave the model no room for an answer.
    """
    characters = threshold_tokens * names.CHARACTERS_PER_ESTIMATED_TOKEN
    enough = -(-characters * 11 // (10 * _SENTENCE_CHARACTERS))
    room = (max_model_len_tokens or _SENTENCES * _SENTENCE_TOKENS * 2) * 9 // 10 // _SENTENCE_TOKENS
    return max(enough, min(_SENTENCES, room))
