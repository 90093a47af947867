"""The catalogue on one page: every rule by topic. A rule not listed here does not exist."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from lib.rules.rule import LoadedRule, load

RULES: dict[str, tuple[str, ...]] = {
    "engine_notes": (
        "dpd001_rule_crashed",
        "dpd002_environment_shape",
        "dpd003_not_checked",
        "dpd004_unknown_acknowledgement",
        "dpd005_empty_acknowledgement",
        "dpd006_not_waivable",
        "dpd007_idle_acknowledgement",
        "dpd008_repeated_key",
    ),
    "schema": (
        "dpd101_wrong_api_version",
        "dpd102_unknown_field",
        "dpd103_wrong_type",
        "dpd104_missing_field",
        "dpd105_value_not_allowed",
        "dpd106_placeholder",
        "dpd107_field_newer_than_operator",
        "dpd108_duplicate_entry",
    ),
    "placement": (
        "dpd201_instance_type",
        "dpd202_same_zone",
        "dpd203_roles_in_one_zone",
    ),
    "variables": (
        "dpd401_hash_seed",
        "dpd402_buffer_holds_longest_prompt",
    ),
    "arguments": ("dpd501_tensor_parallel_size",),
    "routing": ("dpd601_kvaware_endpoint",),
    "resources": (
        "dpd701_role_cpu_memory",
        "dpd702_decode_replicas",
    ),
    "suitability": (
        "dpd801_small_model",
        "dpd802_mixture_of_experts",
        "dpd803_short_inputs",
        "dpd804_low_request_rate",
        "dpd805_short_outputs",
        "dpd806_throughput_per_gpu_goal",
        "dpd807_first_token_goal",
        "dpd808_batch_goal",
        "dpd809_decode_slots",
        "dpd810_kv_dtype_open",
        "dpd820_second_level_cache",
        "dpd821_second_level_backend",
        "dpd823_shared_tiered_storage",
        "dpd824_cache_switch_ignored",
        "dpd825_first_level_cache_off",
        "dpd826_short_turns",
    ),
    "operations": (
        "dpd901_metrics_port",
        "dpd902_metrics_disabled",
        "dpd903_no_alerts",
        "dpd904_network_metrics",
        "dpd905_observability_node_size",
        "dpd906_tail_objective",
        "dpd907_objective_on_bucket",
        "dpd908_data_captured_twice",
        "dpd930_prefiller_restart_drill",
        "dpd931_decode_maintenance",
        "dpd932_deploy_time",
        "dpd933_probe_window",
        "dpd934_weights_without_commit",
        "dpd935_gated_model_without_token",
        "dpd936_prefill_bypass",
        "dpd937_probe_sends_completions",
        "dpd938_decoder_page_leak",
        "dpd939_own_service_account",
    ),
}
"""Folder of this package to its modules, in the order of their ids."""


@cache
def rules() -> tuple[LoadedRule, ...]:
    """Every rule, sorted by number. Imports each rule's module on the first call."""
    found = [
        load(import_module(f"lib.rules.{topic}.{module}"))
        for topic, modules in RULES.items()
        for module in modules
    ]
    return tuple(sorted(found, key=lambda r: int(r.rule.id[3:])))


@cache
def _by_id() -> dict[str, LoadedRule]:
    return {loaded.rule.id: loaded for loaded in rules()}


def find(rule_id: str) -> LoadedRule | None:
    """The rule of that id, or None."""
    return _by_id().get(rule_id)


def get(rule_id: str) -> LoadedRule:
    """Raises KeyError for an id that is not in the catalogue."""
    return _by_id()[rule_id]
