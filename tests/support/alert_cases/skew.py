"""Cases of the alerts on what has to be equal on both sides."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill, of_workload, pod_name
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady


def _replaced(s: Signals, *, at: int) -> dict[str, str]:
    """A decoder pod is replaced at that step."""
    old, new = (of_workload(s, "kube_pod_created", pod=pod_name(s.decode_deployment, pod)) for pod in (0, 1))
    return {old: f"1x{at - 1} stale", new: f"_x{at} {at * 30}x{300 - at}"}


def image(s: Signals) -> tuple[Case, ...]:

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

    return (
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
    )


def hash_seed(s: Signals) -> tuple[Case, ...]:

    def seeds(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "dpd_log_none_hash_info", none_hash=prefill): flat(1),
            of_decode(s, "dpd_log_none_hash_info", none_hash=decode): flat(1),
        }

    return (
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
    )


def role(s: Signals) -> tuple[Case, ...]:

    def roles(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "dpd_log_pd_role_info", pd_role=prefill): flat(1),
            of_decode(s, "dpd_log_pd_role_info", pd_role=decode): flat(1),
        }

    return (
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
    )


def kv_dtype(s: Signals) -> tuple[Case, ...]:

    def dtypes(prefill: str, decode: str) -> dict[str, str]:
        return {
            of_prefill(s, "vllm:cache_config_info", cache_dtype=prefill): flat(1),
            of_decode(s, "vllm:cache_config_info", cache_dtype=decode): flat(1),
        }

    def told(prefill: str, decode: str) -> dict[str, str]:
        return {
            **dtypes("auto", "auto"),
            of_prefill(s, "dpd_log_kv_dtype_info", kv_dtype=prefill): flat(1),
            of_decode(s, "dpd_log_kv_dtype_info", kv_dtype=decode): flat(1),
        }

    logged = (
        Case(
            name="auto on both, of two models' dtypes",
            fires=True,
            at="20m",
            series=told("bfloat16", "float16"),
        ),
        Case(name="auto on both, of one", fires=False, at="60m", series=told("bfloat16", "bfloat16")),
    )
    return (
        *(logged if s.log_exporter else ()),
        Case(name="fp8 on one side", fires=True, at="20m", series=dtypes("fp8", "auto")),
        Case(name="fp8 on both", fires=False, at="60m", series=dtypes("fp8", "fp8")),
    )
