import re

from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule

_BLOCKS = {"s3": "s3Storage", "fsx": "fsxStorage", "huggingface": "huggingFaceModel"}
_FILE_SYSTEM = re.compile(r"fs-[0-9a-f]{8,}")
_PATH = ("spec", "modelSourceConfig")


@rule(
    ("DPD119", "model-source-block", ERROR, ENDPOINT),
    title="The block of the model's source is missing or malformed",
    what="""That the block named by modelSourceType is there (s3Storage, fsxStorage, huggingFaceModel), and
    that fileSystemId is an id of FSx.""",
    why="""The resource requires neither and takes any text for the id, so the API server accepts the object
    and the pods wait for a volume or for weights that never come.""",
    fine="Never.",
    fix="add the block that belongs to modelSourceType",
    sources="InferenceEndpointConfig CRD, operator 3.2, modelSourceConfig | Amazon FSx API, file system ids",
    covers=("E-82",),
    tags=("weights",),
    before="spec: {modelSourceConfig: {modelSourceType: fsx, fsxStorage: {fileSystemId: lustre-1}}}",
    after="spec: {modelSourceConfig: {modelSourceType: fsx, fsxStorage: {fileSystemId: fs-0a1b2c3d4e5f6071}}}",
)
def check(endpoint: EndpointView) -> Matches:
    source = endpoint.spec.get("modelSourceConfig")
    if not isinstance(source, dict):
        return
    kind = source.get("modelSourceType")
    block = _BLOCKS.get(kind) if isinstance(kind, str) else None
    if block is not None and source.get(block) is None:
        others = [name for name in _BLOCKS.values() if source.get(name) is not None]
        hint = f"; {others[0]} belongs to another type" if others else ""
        yield Match(
            (*_PATH, block), f"modelSourceType is '{kind}' and {block} is missing{hint}", fix=f"add {block}"
        )
    system = endpoint.get("modelSourceConfig", "fsxStorage", "fileSystemId")
    if (
        isinstance(system, str)
        and not _FILE_SYSTEM.fullmatch(system)
        and "$" not in system
        and "<" not in system
    ):
        yield Match(
            (*_PATH, "fsxStorage", "fileSystemId"),
            f"'{system}' is not an id of a file system",
            fix="write the id of the file system, such as fs-0a1b2c3d4e5f60718",
        )
