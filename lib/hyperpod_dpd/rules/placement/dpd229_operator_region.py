from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD229", "operator-region", WARNING, ENVIRONMENT),
    title="The operator's images are not known to be in the Region",
    what="That the environment's Region is one for which the operator's own chart knows an image registry.",
    why="""The sources disagree: the guide speaks of all HyperPod Regions, the chart lists sixteen. Where the
    list is right, the operator's pods cannot pull their image and no endpoint is ever reconciled.""",
    fine="Where the add-on is seen to run in that Region.",
    fix="choose a Region of the operator's image map, or check there that the add-on can be installed",
    sources="""HyperPod CLI repository, inference operator chart: Region map of images | SageMaker developer
    guide: all Regions where HyperPod is available""",
    covers=("HI-1.10b", "I3-region-images"),
    tags=("addons",),
    before="""region: ca-central-1
    network: {control_plane_zones: [cac1-az1, cac1-az2], accelerator_zones: [cac1-az2]}""",
    after="""region: us-east-1
    network: {control_plane_zones: [use1-az1, use1-az2], accelerator_zones: [use1-az2]}""",
)
def check(environment: EnvironmentView) -> Matches:
    region = environment.document.region
    known = regions.get(region)
    if known is None:
        yield Match(
            ("region",), f"'{region}' is not a Region of the catalogue; nothing about it is confirmed"
        )
    elif not known.operator_images:
        yield Match(
            ("region",),
            f"the operator's chart names image registries in {len(regions.operator_regions())} Regions, and {region} "
            "is not among them; the guide speaks of all HyperPod Regions, so this is not confirmed",
            fix=f"use one of {', '.join(regions.operator_regions())}, or verify the add-on in {region}",
        )
