from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD235", "file-system-zone", WARNING, ENVIRONMENT),
    title="The file system stands in another zone than the nodes that load from it",
    what="""That the environment's file system is in the zone of every endpoint that loads its weights from
    it.""",
    why="""Reading across zones works, slower, and every gigabyte is billed as transfer between zones. A cold
    start reads the whole model on every node.""",
    fine="Where one file system serves endpoints in two zones and the second loads rarely.",
    fix="place the file system in the zone of the endpoint's instance groups",
    sources="""SageMaker developer guide, HyperPod on EKS with FSx for Lustre | FSx for Lustre user guide:
    access from the same zone""",
    covers=("HI-1.1c",),
    tags=("storage",),
    before="""network: {accelerator_zones: [usw2-az2, usw2-az3]}
    cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}}
    storage: {file_system: {zone: usw2-az3}}
    endpoints: {llama-70b: {model: {weights: {s3: null, fsx: {path: models/llama}}}}}""",
    after="""network: {accelerator_zones: [usw2-az2, usw2-az3]}
    cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}}
    storage: {file_system: {zone: usw2-az2}}
    endpoints: {llama-70b: {model: {weights: {s3: null, fsx: {path: models/llama}}}}}""",
)
def check(environment: EnvironmentView) -> Matches:
    system = environment.document.storage.file_system
    if system is None:
        return
    zone = system.zone or environment.document.network.accelerator_zones[0].id
    for endpoint in environment.blueprint.endpoints:
        source = environment.document.endpoints[endpoint.name].model.weights.fsx
        if source is not None and source.file_system_id is None and endpoint.zone_id != zone:
            yield Match(
                ("storage", "file_system", "zone"),
                f"the file system is in {zone}, endpoint '{endpoint.name}', which loads from it, in {endpoint.zone_id}",
            )
