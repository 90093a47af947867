from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, Path, TemplateView, rule

_MEANT_EMPTY = frozenset({"Spot", "OnDemand"})


@rule(
    ("DPD253", "empty-properties", ERROR, TEMPLATE),
    title="A property of a HyperPod cluster is rendered empty",
    what="""That no property inside a HyperPod cluster is an empty text, list or object, except those whose
    mere presence is their meaning (Spot).""",
    why="""An empty value is not the same as none: the service refuses an empty ARN or image id, and an empty
    object is what is left of keys that the generator spelled wrongly.""",
    fine="Never.",
    fix="leave the property out where it has no value",
    sources="""awsome-distributed-ai pull request 841: optional properties are omitted unless they have a
    value | aws-cdk issues 2873 and 25990: nested values that arrive as empty objects""",
    covers=("A-20", "D-03"),
    tags=("cluster",),
    before="Resources: {Cluster: {Properties: {TieredStorageConfig: {}}}}",
    after="Resources: {Cluster: {Properties: {TieredStorageConfig: {Mode: Enable}}}}",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        yield from _walk(template.property_path(logical_id), properties)


def _walk(path: Path, value: object) -> Matches:
    if value == "" or value == {} or value == []:
        if path[-1] not in _MEANT_EMPTY:
            kind = {str: "text", dict: "object", list: "list"}[type(value)]
            yield Match(path, f"{path[-1]} is an empty {kind}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk((*path, key), item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk((*path, index), item)
