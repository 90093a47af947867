from hyperpod_dpd.catalog import instance_type_regions, instance_types
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, Path, rule


@rule(
    ("DPD245", "type-in-region", ERROR, ENVIRONMENT),
    title="The Region is not known to have the instance type",
    what="""That the Region has the instance type of every group, alternatives included, by the lists of types
    per Region that CloudFormation's linters carry.""",
    why="""`cdk synth` validates with such a list and refuses the template. Where the list is right, the
    cluster could not have been made either: its creation would wait for capacity that is not sold there, and
    roll back.""",
    fine="""Where the type came to the Region after the date of the lists: the acknowledgement also silences
    the linters on this cluster.""",
    fix="use another type or Region, or acknowledge this where you have the type's quota there",
    sources="""cfn-lint and CDK's built-in validation, E3644: cluster types per Region, as dated in the
    catalogue""",
    covers=("HI-1.9a",),
    tags=("instances",),
    waivable=True,
    before="""region: eu-west-1
    network: {control_plane_zones: [euw1-az1, euw1-az2], accelerator_zones: [euw1-az2]}
    cluster:
      instance_groups:
        prefill: {instance_type: ml.p6-b200.48xlarge}
        decode: {instance_type: ml.p6-b200.48xlarge}""",
    after="""region: us-east-1
    network: {control_plane_zones: [use1-az1, use1-az2], accelerator_zones: [use1-az2]}
    cluster:
      instance_groups:
        prefill: {instance_type: ml.p6-b200.48xlarge}
        decode: {instance_type: ml.p6-b200.48xlarge}""",
)
def check(environment: EnvironmentView) -> Matches:
    region = environment.document.region
    for name, group in environment.document.cluster.instance_groups.items():
        path: Path = ("cluster", "instance_groups", name)
        named = [(group.instance_type, (*path, "instance_type"))]
        named += [(other, (*path, "alternatives", i)) for i, other in enumerate(group.alternatives)]
        for kind, place in named:
            if instance_type_regions.absent(kind, region):
                yield Match(
                    place,
                    f"no list has {kind} in {region} ({instance_type_regions.lists_source().date}), and synthesis "
                    "refuses it there",
                    fix=_fix(kind),
                )


def _fix(kind: str) -> str:
    if kind not in instance_types.dpd_types():
        return check.rule.fix
    there = instance_type_regions.regions_with(kind)
    return f"use one of {', '.join(there)}, another type, or acknowledge this where you have its quota"
