"""`dpd init`: a commented environment file that passes `dpd check` as it is written."""

from __future__ import annotations

import json

import click
from click.core import ParameterSource

from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse

TEMPLATE = """\
# yaml-language-server: $schema=.schema.json
# {name}: one environment of disaggregated prefill and decode. `dpd schema > {folder}/.schema.json` gives your
# editor completion. Everything commented out shows a default or a choice; see `dpd check {folder}/{name}.yaml`.

account: "{account}"  # 12 digits, in quotes
region: {region}
production: false  # true: deletion protection, stricter rules

network:
  # cidr: 10.192.0.0/16
  # At least two zones for the EKS control plane and load balancers, by zone id (the same in every account).
  control_plane_zones: [{zones}]
  # Zones with GPU nodes. An endpoint lives in exactly one; a second endpoint in another zone is redundancy.
  accelerator_zones: [{accelerator}]
  # nat: single            # per-zone, none
  # closed: false          # true: no way out, interface endpoints only

cluster:
  # kubernetes_version: "1.33"
  # Who reaches the Kubernetes API: put your office's public addresses here. A range of a VPN that ends in the VPC
  # goes under private_cidrs instead, and the API is private without public_cidrs.
  api_access: {{public_cidrs: [203.0.113.0/24]}}
  instance_groups:
    system: {{instance_type: ml.m5.4xlarge, count: 2}}  # operator, router, add-ons: x86, at least two nodes
    prefill: {{instance_type: {instance_type}, count: 1}}  # max_count, capacity, deep_health_checks ...
    decode: {{instance_type: {instance_type}, count: 1}}
  # admin_role_arns: [arn:aws:iam::{account}:role/platform-admin]  # who may use kubectl; without one, nobody

operator:
  release: "3.4"  # the EKS add-on version follows from it

# images:
#   worker: {{digest: sha256:...}}  # `dpd images pin {name}` finds it

endpoints:
  {endpoint}:
    model:
      catalogue: {model}  # or config: path/to/config.json with name: ...
      weights: {{s3: {{prefix: models/{model}}}}}  # or fsx, hugging_face, volume
    prefill: {{instance_group: prefill, replicas: 1}}  # arguments: {{enforce-eager: true}}
    decode: {{instance_group: decode, replicas: 1}}  # one decoder is what AWS documents
    # engine: {{max_model_len_tokens: 16384, gpu_memory_utilization: 0.75}}
    # routing: {{strategy: prefixaware, threshold_tokens: 4096}}  # roundrobin, session, kvaware
    # What it will be sent and what it is bought for: rules about suitability need both.
    # traffic:
    #   input_tokens: {{p50: 5000, p95: 12000}}
    #   output_tokens: {{p50: 400}}
    #   requests_per_second: 3
    #   concurrency: 32
    #   language: en
    # objectives: {{inter_token_latency_p99_ms: 60}}
    # acknowledge: {{DPD702: "why this finding is accepted here"}}

# More sections, each key explained by `dpd schema` and so by your editor:
#   storage        own keys, FSx for Lustre, buckets that exist        roles            IAM roles that exist
#   delivery       Argo CD or Flux in place of kubectl                 platform         namespaces' guard rails
#   secrets        Kubernetes Secrets out of Secrets Manager           routes           one host, several endpoints
#   observability  workspaces, alerts, dashboards                      operations       drills, reports, budget
#   addons         typed settings of EKS add-ons                       addon_versions, addon_values
#   task_governance, scheduling                                        overrides        fields without a key here
#   tags, acknowledge, allow_replacement
# Of network: existing, secondary_cidrs, more_endpoints, egress, flow_logs. Of cluster: existing, autoscaling,
# tiered_storage_percent, lifecycle_scripts, lifecycle, dependencies, deployer_role_arns, reader_role_arns,
# node_recovery. Of an instance group: zone, max_count, min_count, capacity, alternatives, labels, taints, ebs_gib,
# deep_health_checks, update, auto_patch, lifecycle, network_interface, image_id, threads_per_core.
"""


ACCOUNT_DIGITS = 12


@click.command(
    "init",
    epilog=examples(
        "dpd init mine --account 111122223333 --region us-east-2", "dpd check environments/mine.yaml"
    ),
)
@click.argument("name")
@click.option("--account", default="111122223333", show_default=True, help="AWS account id.")
@click.option("--region", default="us-west-2", show_default=True)
@click.option("--instance-type", default="ml.p5.48xlarge", show_default=True, help="Of prefill and decode.")
@click.option("--model", default="llama-3.3-70b-instruct", show_default=True, help="A key of the catalogue.")
@click.option(
    "--environments",
    "--folder",
    "chosen",
    metavar="DIR",
    help="The folder to write into.  [default: $DPD_ENVIRONMENTS, else environments/]",
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing when the file is written.")
@click.option("--stdout", is_flag=True, help="Print instead of writing DIR/NAME.yaml.")
def command(
    name: str,
    account: str,
    region: str,
    instance_type: str,
    model: str,
    chosen: str | None,
    stdout: bool,
    style: str,
    quiet: bool,
) -> None:
    """Write a commented environment file NAME.yaml; an existing file is never overwritten."""
    from hyperpod_dpd.catalog import instance_types, models, regions
    from hyperpod_dpd.catalog.instance_type_regions import absent
    from hyperpod_dpd.catalog.requirements import requirement
    from hyperpod_dpd.config.folder import environments_folder
    from hyperpod_dpd.config.loaded import NAME_MAX, NAME_PATTERN

    folder = environments_folder(chosen)
    if not NAME_PATTERN.fullmatch(name) or len(name) > NAME_MAX:
        raise click.BadParameter(
            f"use at most {NAME_MAX} of a-z, 0-9 and '-', beginning with a letter", param_hint="NAME"
        )
    if len(account) != ACCOUNT_DIGITS or not (account.isascii() and account.isdecimal()):
        raise click.BadParameter(f"'{account}' is not {ACCOUNT_DIGITS} digits", param_hint="--account")
    if models.get(model) is None:
        keys = ", ".join(known.key for known in models.all())
        raise click.BadParameter(f"the catalogue has no model '{model}'; it has {keys}", param_hint="--model")
    known = regions.get(region)
    if known is None or len(known.zone_ids) < 2:
        raise click.BadParameter(
            f"'{region}' is not known with its zones; use one of {_operator_regions()}", param_hint="--region"
        )
    if region not in requirement("hyperpod_regions").value:
        raise click.BadParameter(
            f"'{region}' is not known to have HyperPod clusters; use one of {_operator_regions()}",
            param_hint="--region",
        )
    if absent(instance_type, region):
        there = ", ".join(kind for kind in instance_types.dpd_types() if not absent(kind, region))
        raise click.BadParameter(
            f"'{region}' is not known to have {instance_type}; use one of {there}, or another Region",
            param_hint="--instance-type",
        )
    zones = known.zone_ids
    text = TEMPLATE.format(
        name=name,
        folder=folder,
        account=account,
        region=region,
        zones=", ".join(zones[:2]),
        accelerator=zones[1],
        instance_type=instance_type,
        model=model,
        endpoint=model.replace(".", "-"),
    )
    if stdout:
        click.echo(text, nl=False)
        return
    target = folder / f"{name}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        refuse(f"{target} exists and is left as it is; choose another name", EXIT_UNREADABLE)
    except OSError as error:
        refuse(f"{target} cannot be written: {error.strerror}", EXIT_UNREADABLE)
    if style == "json":
        click.echo(json.dumps({"wrote": str(target)}))
    elif not quiet:
        source = click.get_current_context().get_parameter_source
        open_ = [key for key in ("account", "region") if source(key) is ParameterSource.DEFAULT]
        edit = f"put your own {' and '.join(open_)} into it, then " if open_ else ""
        click.echo(f"wrote {target}; next: {edit}`dpd check {target}`")


def _operator_regions() -> str:
    from hyperpod_dpd.catalog import regions

    return ", ".join(regions.operator_regions())
