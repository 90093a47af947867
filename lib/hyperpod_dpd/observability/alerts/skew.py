"""What has to be equal on both sides and is not: image, hash seed, role, KV dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import select
from hyperpod_dpd.observability.samples import flat, of_decode, of_prefill, of_workload, pod_name, steady

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_NO_LOGS = "observability.log_exporter is false and only logs tell"


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (image(s), hash_seed(s), role(s), kv_dtype(s))


def _unless_rolling_out(s: Signals) -> str:
    """Pods that were not there one longest deployment ago, beside any that were: they may differ meanwhile."""
    made = f'kube_pod_created{{namespace="{s.namespace}",pod=~"({s.prefill_deployment}|{s.decode_deployment})-.*"}}'
    before = f"{made} offset {s.deploy_seconds // 60}m"
    return f"unless on () (count({made} unless {before}) > 0 and on () count({before}) > 0)"


def _replaced(s: Signals, *, at: int) -> dict[str, str]:
    """A decoder pod is replaced at that step."""
    old, new = (of_workload(s, "kube_pod_created", pod=pod_name(s.decode_deployment, pod)) for pod in (0, 1))
    return {old: f"1x{at - 1} stale", new: f"_x{at} {at * 30}x{300 - at}"}


def image(s: Signals) -> Alert:
    """Held for longer than one pod takes to be replaced; kube-state-metrics names an image before it is pulled."""
    roles = f"{s.prefill_deployment}|{s.decode_deployment}"
    invoked = select("model_invocations_total", s.pods)
    running = f'kube_pod_container_info{{namespace="{s.namespace}",container=~"({roles})",image_id!=""}}'

    def pods(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_workload(
                s, "kube_pod_container_info", container=name, pod=pod_name(name), image_id=image_id
            ): flat(1)
            for name, image_id in ((s.prefill_deployment, prefill), (s.decode_deployment, decode))
        }

    def invocations(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "model_invocations_total", model_container_image=prefill): steady(1),
            of_decode(s, "model_invocations_total", model_container_image=decode): steady(1),
        }

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
        cases=(
            Case(name="two digests", fires=True, at="20m", series=pods("sha256:a", "sha256:b")),
            Case(name="two images by tag", fires=True, at="20m", series=invocations("v1.1", "v1.2")),
            Case(
                name="one image",
                fires=False,
                at="60m",
                series={**pods("sha256:a", "sha256:a"), **invocations("v1.1", "v1.1")},
            ),
            Case(name="a pod that still pulls", fires=False, at="60m", series=pods("sha256:a", "")),
            Case(
                name="one pod is being replaced",
                fires=False,
                at="14m30s",
                series=pods("sha256:a", "sha256:b"),
            ),
            Case(
                name="pod after pod is being replaced",
                fires=False,
                at="100m",
                series={**pods("sha256:a", "sha256:b"), **_replaced(s, at=120)},
            ),
            Case(
                name="the last pod has been there for longer than a deployment may take",
                fires=True,
                at=f"{s.deploy_seconds // 60 + 80}m",
                series={**pods("sha256:a", "sha256:b"), **_replaced(s, at=120)},
            ),
        ),
    )


def hash_seed(s: Signals) -> Alert | Left:
    """vLLM logs the hash that all others start from; without a seed it is random in every process."""
    name = "DpdHashSeedSkew"
    if not s.log_exporter:
        return Left(alert=name, reason=_NO_LOGS)
    hashes = select("dpd_log_none_hash_info", s.pods)
    unset = select("dpd_log_hash_seed_unset", s.pods)

    def seeds(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "dpd_log_none_hash_info", none_hash=prefill): flat(1),
            of_decode(s, "dpd_log_none_hash_info", none_hash=decode): flat(1),
        }

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
        cases=(
            Case(name="two first hashes", fires=True, at="10m", series=seeds("1f", "2e")),
            Case(
                name="no seed at all",
                fires=True,
                at="10m",
                series={of_decode(s, "dpd_log_hash_seed_unset"): flat(1)},
            ),
            Case(
                name="one seed",
                fires=False,
                at="60m",
                series={**seeds("1f", "1f"), of_decode(s, "dpd_log_hash_seed_unset"): flat(0)},
            ),
        ),
    )


def role(s: Signals) -> Alert | Left:
    """LMCache's configuration line at the start of each pod holds the role."""
    name = "DpdRoleSkew"
    if not s.log_exporter:
        return Left(alert=name, reason=_NO_LOGS)
    wrong_prefill = select("dpd_log_pd_role_info", s.prefill, 'pd_role!="sender"')
    wrong_decode = select("dpd_log_pd_role_info", s.decode, 'pd_role!="receiver"')

    def roles(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "dpd_log_pd_role_info", pd_role=prefill): flat(1),
            of_decode(s, "dpd_log_pd_role_info", pd_role=decode): flat(1),
        }

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
        cases=(
            Case(
                name="two senders",
                fires=True,
                at="10m",
                series=roles("sender", "sender"),
                labels=({"pod_name": pod_name(s.decode_deployment)},),
            ),
            Case(
                name="exchanged",
                fires=True,
                at="10m",
                series=roles("receiver", "sender"),
                labels=(
                    {"pod_name": pod_name(s.prefill_deployment)},
                    {"pod_name": pod_name(s.decode_deployment)},
                ),
            ),
            Case(name="as it should be", fires=False, at="60m", series=roles("sender", "receiver")),
        ),
    )


def kv_dtype(s: Signals) -> Alert:
    """vLLM exposes the dtype of its cache as a label."""
    config = select("vllm:cache_config_info", s.pods)

    def dtypes(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "vllm:cache_config_info", cache_dtype=prefill): flat(1),
            of_decode(s, "vllm:cache_config_info", cache_dtype=decode): flat(1),
        }

    return Alert(
        name="DpdKvDtypeSkew",
        expr=f"count(count by (cache_dtype) ({config})) > 1\n{_unless_rolling_out(s)}",
        hold="15m",
        severity="critical",
        summary="Prefill and decode keep KV cache in different dtypes",
        meaning="The dtype is part of a page's key, so no page is found: slow first, then an outage, as the "
        "pages fill the decoder's buffer (recorded, LMCache 0.4.3). The dtype has to be set on the worker, for "
        "both roles, not on one.",
        first_command="kubectl -n @{namespace} get deployment @{prefill_deployment} @{decode_deployment} -o "
        "yaml | grep -A1 kv-cache-dtype",
        cases=(
            Case(name="fp8 on one side", fires=True, at="20m", series=dtypes("fp8", "auto")),
            Case(name="fp8 on both", fires=False, at="60m", series=dtypes("fp8", "fp8")),
        ),
    )
