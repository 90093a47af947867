from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.rules.arguments.problems import runs_another_release
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder
from hyperpod_dpd.sizing.errors import UnknownKvDtype
from hyperpod_dpd.sizing.kv_dtype import bits_of

_FLAG = "--kv-cache-dtype"


@rule(
    ("DPD529", "kv-dtype-unknown", WARNING, DISAGGREGATED),
    title="A data type of the KV cache whose size is not known",
    what="That --kv-cache-dtype of each role is one whose width the sizing knows.",
    why="""Page, buffer and memory follow from the width of an element. With a type that nobody knows they are
    not judged. A word that the image's vLLM is known to refuse is told by the rule on values.""",
    fine="For a type of a newer vLLM than the catalogue knows.",
    fix="write one of the types that vLLM lists, such as fp8 or bfloat16",
    sources="vLLM 0.19.0, cache configuration",
    tags=("arguments", "sizing"),
    before="""spec:
      worker:
        image: public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.0
        args: {--kv-cache-dtype: fp9}""",
    after="""spec:
      worker:
        image: public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.0
        args: {--kv-cache-dtype: fp8}""",
)
def check(endpoint: EndpointView) -> Matches:
    seen: set[Path] = set()
    for role in endpoint.roles:
        item = role.arguments.last(_FLAG)
        if item is None or not item.value or item.value == "auto" or is_placeholder(item.value):
            continue
        if item.value not in vllm_flags.CHOICES[_FLAG] and not runs_another_release(endpoint):
            continue  # vLLM refuses it, which is said by the rule on values
        try:
            bits_of(item.value)
        except UnknownKvDtype:
            path = role.where(_FLAG)
            if path not in seen:
                seen.add(path)
                yield Match(path, f"{_FLAG} is '{item.value}'; page, buffer and memory are not judged")
