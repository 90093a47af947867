from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

_PATH: Path = ("spec", "modelSourceConfig", "modelLocation")


@rule(
    ("DPD121", "weights-location", ERROR, ENDPOINT),
    title="The place of the weights is no path inside its bucket or file system",
    what="""That modelSourceConfig.modelLocation is a path: no address such as s3://, no ".." and not blank
    (errors); for S3 no slash at its start and nowhere two of them (warnings).""",
    why="""The bucket has a field of its own, and the CRD takes any text here. An address becomes a key that
    does not exist: the mount is empty, the engine finds no model, and the pods restart until the deployment
    times out.""",
    fine="For S3, where the keys of the objects do begin with a slash (the warning).",
    fix="write the path below the bucket or file system, such as models/llama-3.3-70b-instruct",
    sources="""InferenceEndpointConfig CRD, operator 3.2, modelSourceConfig.modelLocation | SageMaker
    developer guide, DPD page, complete example""",
    tags=("weights",),
    before='spec: {modelSourceConfig: {modelLocation: "s3://models/llama"}}',
    after="spec: {modelSourceConfig: {modelLocation: models/llama}}",
)
def check(endpoint: EndpointView) -> Matches:
    location = endpoint.get(*_PATH[1:])
    if not isinstance(location, str) or is_placeholder(location):
        return
    if "://" in location:
        yield Match(
            _PATH, f"'{location}' is an address; the field takes the path inside the bucket or file system"
        )
    elif location and not location.strip():
        yield Match(_PATH, "the place of the weights is blank")
    elif ".." in location.split("/"):
        yield Match(_PATH, f"'{location}' leads out of the bucket or file system")
    elif endpoint.get("modelSourceConfig", "modelSourceType") != "s3":
        return
    elif location.startswith("/"):
        message = f"'{location}' begins with a slash, and keys of S3 objects usually do not"
        yield Match(_PATH, message, WARNING)
    elif "//" in location:
        message = f"'{location}' holds two slashes in a row, which S3 takes for an empty folder name"
        yield Match(_PATH, message, WARNING)
