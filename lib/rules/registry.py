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
        "dpd141_crd_refuses",
        "dpd142_crd_drift",
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
    "operations": (
        "dpd901_metrics_port",
        "dpd951_routing_spec_changed",
        "dpd952_variables_changed",
        "dpd953_endpoint_renamed",
        "dpd954_image_changed",
        "dpd955_one_role_changed",
        "dpd956_switch_loses_resources",
        "dpd957_endpoint_removed",
        "dpd958_placement_moved",
        "dpd959_both_roles_restart",
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
