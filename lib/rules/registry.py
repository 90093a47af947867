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
        "dpd204_zone_name",
        "dpd205_one_instance_type",
        "dpd206_operator_without_dpd",
        "dpd207_operator_with_known_faults",
        "dpd208_addon_without_dpd",
        "dpd209_addon_of_another_release",
        "dpd210_operator_left_out",
        "dpd211_addon_below_minimum",
        "dpd212_addon_setting_without_effect",
        "dpd213_tainted_group",
        "dpd214_placement_group",
        "dpd215_nodes_for_endpoint",
        "dpd216_nodes_shared",
        "dpd217_nodes_after_scaling",
        "dpd218_tiered_storage_off",
        "dpd219_system_group",
        "dpd220_system_capacity",
        "dpd221_group_instance_type",
        "dpd222_taints_and_health_checks",
        "dpd223_health_checks_without_accelerator",
        "dpd224_zone_of_another_region",
        "dpd225_local_zone",
        "dpd226_subnet_too_small",
        "dpd227_subnet_ranges",
        "dpd228_kubernetes_window",
        "dpd229_operator_region",
        "dpd230_grafana_region",
        "dpd231_no_way_out",
        "dpd232_existing_subnets",
        "dpd233_training_plan_place",
        "dpd234_spot_decode",
        "dpd235_file_system_zone",
        "dpd236_open_api",
        "dpd237_nobody_administers",
        "dpd238_node_recovery",
        "dpd239_single_nat",
        "dpd240_bucket_region",
        "dpd241_bucket_name",
        "dpd242_secrets_key",
        "dpd243_flow_logs_off",
        "dpd250_self_referencing_group",
        "dpd251_groups_in_one_subnet",
        "dpd252_cluster_name",
        "dpd253_empty_properties",
        "dpd254_orchestrator",
        "dpd255_authentication_mode",
        "dpd256_lifecycle_bucket",
        "dpd257_execution_role_name",
        "dpd258_operator_tls_bucket",
        "dpd259_operator_trust",
        "dpd260_open_trust",
        "dpd261_pod_identity_trust",
        "dpd262_public_bucket",
        "dpd263_addon_order",
        "dpd264_addon_version_in_template",
        "dpd265_operator_addon_values",
        "dpd266_tagging_rights",
        "dpd267_group_taints_in_template",
        "dpd268_role_group_type",
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
        "dpd910_dns_without_certificate",
        "dpd911_certificate_region",
        "dpd912_certificate_rights",
        "dpd913_certificate_bucket",
        "dpd914_certificate_bucket_name",
        "dpd915_image_out_of_reach",
        "dpd916_weights_out_of_reach",
        "dpd917_model_cache_path",
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
    "agreement": (
        "dpd1001_group_selected",
        "dpd1002_instance_type_agrees",
        "dpd1003_labels_agree",
        "dpd1004_efa_fits_node",
        "dpd1005_roles_in_one_subnet",
        "dpd1006_group_has_gpus",
        "dpd1007_bucket_known",
        "dpd1008_service_account_rendered",
        "dpd1009_operator_trusted",
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
