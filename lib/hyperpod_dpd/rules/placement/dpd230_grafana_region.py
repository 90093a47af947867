from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD230", "grafana-region", WARNING, ENVIRONMENT),
    title="Managed Grafana or Prometheus is not known to be in the Region",
    what="""That, with observability on, the environment's Region is one where AWS's own modules use managed
    Prometheus and managed Grafana.""",
    why="""Disaggregation fails without an error; dashboards and alerts are how it is noticed. A workspace
    that cannot be made leaves them out.""",
    fine="Where Grafana is run elsewhere and reads the workspace across Regions.",
    fix="view the dashboards in a Grafana of another Region, or switch observability off",
    sources="HyperPod EKS Terraform modules of awsome-distributed-ai, Region lists of Grafana and Prometheus",
    covers=("HI-1.0b", "I3-region-grafana"),
    tags=("observability",),
    before="""region: us-west-1
    network: {control_plane_zones: [usw1-az1, usw1-az3], accelerator_zones: [usw1-az3]}""",
    after="""region: us-west-1
    network: {control_plane_zones: [usw1-az1, usw1-az3], accelerator_zones: [usw1-az3]}
    observability: {enabled: false}""",
)
def check(environment: EnvironmentView) -> Matches:
    known = regions.get(environment.document.region)
    if known is None or not environment.document.observability.enabled:
        return
    absent = [
        name
        for name, there in (("Prometheus", known.managed_prometheus), ("Grafana", known.managed_grafana))
        if not there
    ]
    if absent:
        yield Match(
            ("region",),
            f"managed {' and managed '.join(absent)} in {known.name}: not in the lists of AWS's own modules, so not "
            "confirmed",
        )
