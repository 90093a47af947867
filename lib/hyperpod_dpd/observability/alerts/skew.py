"""What has to be equal on both sides and is not: image, hash seed, role, KV dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import select

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_NO_LOGS = "observability.log_exporter is false and only logs tell"


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (image(s), hash_seed(s), role(s), kv_dtype(s))


def _unless_rolling_out(s: Signals) -> str:
    """Pods that were not there one longest deployment ago, beside any that were: they may differ meanwhile."""
    made = f'kube_pod_created{{namespace="{s.namespace}",pod=~"({s.prefill_deployment}|{s.decode_deployment})-.*"}}'
    before = f"{made} offset {s.deploy_seconds // 60}m"
    return f"unless on () (count({made} unless {before}) > 0 and on () count({before}) > 0)"


def image(s: Signals) -> Alert:
    """Held for longer than one pod takes to be replaced; kube-state-metrics names an image before it is pulled."""
    roles = f"{s.prefill_deployment}|{s.decode_deployment}"
    invoked = select("model_invocations_total", s.pods)
    running = f'kube_pod_container_info{{namespace="{s.namespace}",container=~"({roles})",image_id!=""}}'

    return Alert(
        name="DpdImageSkew",
        expr=f"(count(count by (image_id) ({running})) > 1\n"
        f"or count(count by (model_container_image) ({invoked})) > 1)\n{_unless_rolling_out(s)}",
        hold="15m",
        severity="critical",
        summary="Prefill and decode run different images",
        meaning="Keys and layout of the KV cache follow from LMCache's and vLLM's versions. With two "
        "images every lookup "
        "can miss, or worse, read another layout. A tag that was moved does this on the next node replacement.",
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o json | jq -r"
        ' \'.items[] | .metadata.name + " " + (.status.containerStatuses[] | select(.name | test("^(prefill|decode)-"))'
        " | .imageID)'",
    )


def hash_seed(s: Signals) -> Alert | Omitted:
    """vLLM logs the hash that all others start from; without a seed it is random in every process."""
    name = "DpdHashSeedSkew"
    if not s.log_exporter:
        return Omitted(alert=name, reason=_NO_LOGS)
    hashes = select("dpd_log_none_hash_info", s.pods)
    unset = select("dpd_log_hash_seed_unset", s.pods)

    return Alert(
        name=name,
        expr=f"count(count by (none_hash) ({hashes})) > 1 or max({unset}) > 0",
        hold="5m",
        severity="critical",
        summary="Prefill and decode hash prompts from different seeds",
        meaning="Keys of the KV cache are hashes of the prompt. With different seeds, or with none, the "
        "decoder asks for "
        "keys that no prefiller ever stored. Slow first, then an outage: pages that are never found fill the "
        "decoder's buffer, and prefillers block with /health at 200 (recorded, LMCache 0.4.3).",
        first_command="for d in @{prefill_deployment} @{decode_deployment}; do kubectl -n @{namespace} "
        "exec deployment/$d"
        " -c $d -- printenv PYTHONHASHSEED; done",
    )


def role(s: Signals) -> Alert | Omitted:
    """LMCache's configuration line at the start of each pod holds the role."""
    name = "DpdRoleSkew"
    if not s.log_exporter:
        return Omitted(alert=name, reason=_NO_LOGS)
    wrong_prefill = select("dpd_log_pd_role_info", s.prefill, 'pd_role!="sender"')
    wrong_decode = select("dpd_log_pd_role_info", s.decode, 'pd_role!="receiver"')

    return Alert(
        name=name,
        expr=f"max by (pod_name) ({wrong_prefill}) > 0 or max by (pod_name) ({wrong_decode}) > 0",
        hold="2m",
        severity="critical",
        summary="{{ $labels.pod_name }} has the wrong role in the KV transfer",
        meaning="A prefiller has to be the sender and a decoder the receiver; LMCache says at its start "
        "which it is. In the wrong role it neither sends nor receives.",
        first_command="for d in @{prefill_deployment} @{decode_deployment}; do kubectl -n @{namespace} logs "
        "deployment/$d -c $d | grep -o \"'pd_role': '[a-z]*'\" | head -1; done",
    )


def kv_dtype(s: Signals) -> Alert:
    """vLLM's label is "auto" on both sides where the model's own dtype is used; then only its log tells which."""
    config = select("vllm:cache_config_info", s.pods)
    differ = f"count(count by (cache_dtype) ({config})) > 1"
    if s.log_exporter:
        differ += f"\nor count(count by (kv_dtype) ({select('dpd_log_kv_dtype_info', s.pods)})) > 1"
    return Alert(
        name="DpdKvDtypeSkew",
        expr=f"({differ})\n{_unless_rolling_out(s)}",
        hold="15m",
        severity="critical",
        summary="Prefill and decode keep KV cache in different dtypes",
        meaning="The dtype is part of a page's key, so no page is found: slow first, then an outage, as the "
        "pages fill the decoder's buffer (recorded, LMCache 0.4.3). The dtype has to be set on the worker, for "
        "both roles, not on one.",
        first_command="kubectl -n @{namespace} get deployment @{prefill_deployment} @{decode_deployment} -o "
        "yaml | grep -A1 kv-cache-dtype",
    )
