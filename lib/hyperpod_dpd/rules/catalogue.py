"""The catalogue on one page: every rule by topic. A rule not listed here does not exist."""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo

_LISTED = {
    "engine_notes": """
        dpd001_rule_crashed dpd002_name_that_points_nowhere dpd003_not_checked dpd004_unknown_acknowledgement
        dpd005_empty_acknowledgement dpd006_not_waivable dpd007_idle_acknowledgement dpd008_repeated_key
        dpd009_skipped dpd010_unknown_document_key dpd011_wrong_document_value dpd012_missing_key
        dpd013_locked_fact_changes dpd014_unreadable_file dpd020_stale_tree
        dpd021_rendered_by_another_version
    """,
    "schema": """
        dpd101_wrong_api_version dpd102_unknown_field dpd103_wrong_type dpd104_missing_field
        dpd105_value_not_allowed dpd106_placeholder dpd107_field_newer_than_operator dpd108_duplicate_entry
        dpd109_name_shape dpd110_derived_name_length dpd111_colliding_names dpd112_endpoint_name_taken
        dpd113_endpoint_name_differs dpd114_model_name dpd115_instance_choice dpd116_two_engines
        dpd117_ignored_replicas dpd118_idle_cache_settings dpd119_model_source_block
        dpd120_model_name_against_weights dpd121_weights_location dpd122_weights_region
        dpd123_system_namespace dpd124_label_shape dpd125_pod_names dpd126_blank_around dpd141_crd_refuses
        dpd142_crd_drift dpd143_object_refused dpd144_definition_refuses dpd145_secret_in_object
    """,
    "placement": """
        dpd201_instance_type dpd202_same_zone dpd203_roles_in_one_zone dpd204_zone_name
        dpd205_one_instance_type dpd206_operator_without_dpd dpd207_operator_with_known_faults
        dpd208_addon_without_dpd dpd209_addon_of_another_release dpd210_operator_left_out
        dpd211_addon_below_minimum dpd212_addon_setting_without_effect dpd213_tainted_group
        dpd214_placement_group dpd215_nodes_for_endpoint dpd216_nodes_shared dpd217_nodes_after_scaling
        dpd218_tiered_storage_off dpd219_system_group dpd220_system_capacity dpd221_group_instance_type
        dpd222_taints_and_health_checks dpd223_health_checks_without_accelerator dpd224_zone_of_another_region
        dpd225_local_zone dpd226_subnet_too_small dpd227_subnet_ranges dpd228_kubernetes_window
        dpd229_operator_region dpd230_grafana_region dpd231_no_way_out dpd232_existing_subnets
        dpd233_training_plan_place dpd234_spot_decode dpd235_file_system_zone dpd236_open_api
        dpd237_nobody_administers dpd238_node_recovery dpd239_single_nat dpd240_bucket_region
        dpd241_bucket_name dpd242_secrets_key dpd243_flow_logs_off dpd244_file_system_capacity
        dpd245_type_in_region dpd246_endpoints_of_the_owner dpd247_services_out_of_reach dpd248_addon_value
        dpd249_network_policy dpd269_no_way_in dpd270_not_locked dpd271_endpoint_left_out dpd272_egress_missing
        dpd290_one_node_for_both
    """,
    "templates": """
        dpd250_self_referencing_group dpd251_groups_in_one_subnet dpd252_cluster_name dpd253_empty_properties
        dpd254_orchestrator dpd255_authentication_mode dpd256_lifecycle_bucket dpd257_execution_role_name
        dpd258_operator_tls_bucket dpd259_operator_trust dpd260_open_trust dpd261_pod_identity_trust
        dpd262_public_bucket dpd263_addon_order dpd264_addon_version_in_template dpd265_operator_addon_values
        dpd266_tagging_rights dpd267_group_taints_in_template dpd268_role_group_type dpd280_open_node_ingress
        dpd281_nodes_cut_off dpd282_network_names dpd283_group_names dpd284_cluster_incomplete dpd285_operator_absent
        dpd286_kubernetes_in_template dpd287_open_api_in_template dpd288_open_policy dpd289_bucket_names
    """,
    "images": """
        dpd301_supported_image dpd302_image_without_lmcache dpd303_mutable_image dpd304_lmcache_floor
        dpd305_lmcache_regression dpd306_nixl_floor dpd307_libfabric_floor dpd308_docker_hub
        dpd309_vllm_wrong_output dpd310_disputed_contents dpd311_image_reference
    """,
    "variables": """
        dpd401_hash_seed dpd402_buffer_holds_longest_prompt dpd403_buffer_size_set dpd404_buffer_size_format
        dpd405_buffer_holds_one_page dpd406_buffer_in_whole_pages dpd407_buffer_holds_traffic
        dpd408_memory_left_free dpd409_weights_fit dpd410_cache_holds_one_request dpd411_save_decode_cache
        dpd412_other_cache_modes dpd413_operator_wiring dpd414_buffer_variable_name dpd415_layerwise
        dpd416_transfer_backend dpd417_efa_provider dpd418_chunk_size dpd419_metrics_directory
        dpd420_secret_literal dpd421_partial_chunks dpd422_local_cache_size dpd423_sender_staging
        dpd424_one_long_prompt_at_a_time dpd425_variable_entry dpd426_visible_devices
        dpd427_setting_empties_transfer dpd428_setting_stops_engine dpd429_setting_unconfirmed
    """,
    "arguments": """
        dpd501_tensor_parallel_size dpd502_ranks_and_gpus dpd503_heads_divide dpd504_roles_differ
        dpd505_model_length_differs dpd506_own_kv_connector dpd507_more_parallelism dpd508_port dpd509_host
        dpd510_model_path dpd511_gpu_memory_utilization_unset dpd512_model_length_unset
        dpd513_max_num_seqs_unset dpd514_decode_concurrency dpd515_decode_eager dpd516_prefill_not_eager
        dpd517_argument_form dpd518_repeated_argument dpd519_argument_value dpd520_unknown_flag
        dpd521_prefill_prefix_caching dpd523_model_kind dpd524_latent_attention dpd525_adapters
        dpd526_own_command dpd527_engine_not_serving dpd528_arguments_in_a_file dpd529_kv_dtype_unknown
        dpd530_start_check dpd531_other_way_round
    """,
    "routing": """
        dpd601_kvaware_endpoint dpd602_kvaware_image dpd603_kvaware_operator dpd604_kvaware_tokenizer
        dpd605_invocation_path dpd606_several_prefillers dpd607_session_key dpd608_single_prefiller
        dpd609_routing_disabled dpd610_router_replicas dpd611_idle_timeout dpd612_health_check_path
        dpd613_threshold_unreachable dpd614_low_threshold dpd615_few_long_prompts
        dpd616_threshold_and_language
    """,
    "resources": """
        dpd701_role_cpu_memory dpd702_decode_replicas dpd703_role_gpus dpd704_worker_resources
        dpd705_efa_interfaces_absent dpd706_efa_interfaces_allowed dpd707_efa_interfaces_per_gpu
        dpd708_hugepages dpd709_role_memory dpd710_room_on_the_node dpd711_decode_autoscaling
        dpd712_decode_load_report dpd713_prefill_scaling_ceiling dpd714_scale_to_zero dpd715_scaling_bounds
        dpd716_scaling_of_the_whole dpd717_scaling_triggers dpd718_prefill_per_decoder dpd719_validated_setup
        dpd720_validated_concurrency dpd721_request_limits_need_metrics dpd722_back_pressure dpd723_amounts
        dpd724_resource_name dpd725_foreign_autoscaler
    """,
    "suitability": """
        dpd801_small_model dpd802_mixture_of_experts dpd803_short_inputs dpd804_low_request_rate
        dpd805_short_outputs dpd806_throughput_per_gpu_goal dpd807_first_token_goal dpd808_batch_goal
        dpd809_decode_slots dpd810_kv_dtype_open dpd820_second_level_cache dpd821_second_level_backend
        dpd823_shared_tiered_storage dpd824_cache_switch_ignored dpd825_first_level_cache_off
        dpd826_short_turns
    """,
    "operations": """
        dpd901_metrics_port dpd902_metrics_disabled dpd903_no_alerts dpd904_network_metrics
        dpd905_observability_node_size dpd906_tail_objective dpd907_objective_on_bucket
        dpd908_data_captured_twice dpd910_dns_without_certificate dpd911_certificate_region
        dpd912_certificate_rights dpd913_certificate_bucket dpd914_certificate_bucket_name
        dpd915_image_out_of_reach dpd916_weights_out_of_reach dpd917_model_cache_path dpd918_statistics_off
        dpd930_prefiller_restart_drill dpd931_decode_maintenance dpd932_deploy_time dpd933_probe_window
        dpd934_weights_without_commit dpd935_gated_model_without_token dpd936_prefill_bypass
        dpd937_probe_sends_completions dpd938_decoder_page_leak dpd939_own_service_account dpd940_probe_port
        dpd948_not_in_place dpd949_pods_replaced
        dpd951_routing_spec_changed dpd952_variables_changed dpd953_endpoint_renamed dpd954_image_changed
        dpd955_one_role_changed dpd956_switch_loses_resources dpd957_endpoint_removed dpd958_placement_moved
        dpd959_both_roles_restart dpd960_silence_unwatched
        dpd961_runbook_link
    """,
    "agreement": """
        dpd1001_group_selected dpd1002_instance_type_agrees dpd1003_labels_agree dpd1004_efa_fits_node
        dpd1005_roles_in_one_subnet dpd1006_group_has_gpus dpd1007_bucket_known
        dpd1008_service_account_rendered dpd1009_operator_trusted dpd1010_image_granted
    """,
}

RULES: dict[str, tuple[str, ...]] = {topic: tuple(modules.split()) for topic, modules in _LISTED.items()}
"""Folder of this package to its modules, in the order of their ids."""

OF_ONE_KIND = {"templates": AppliesTo.TEMPLATE, "agreement": AppliesTo.PAIR}
"""Folders that hold the rules of one kind of view, all of them and no other: who judges other kinds loads none."""
