from hyperpod_dpd.rules.rule import CHANGE, INFO, WARNING, ChangeView, Match, Matches, rule

_PATH = ("spec", "worker", "image")


@rule(
    ("DPD954", "image-changed", WARNING, CHANGE),
    title="The worker image changes under both roles",
    what="""That a new worker image is named by its digest, and that a change of image is noticed as one that
    touches both roles.""",
    why="""Prefill and decode must run the same bits. Behind a tag, pods that start later may pull others than
    those that run already; nothing fails, the decoder only finds no cache entries any more and computes every
    prompt again. While the change rolls out, the two roles differ in any case.""",
    fine="With a digest the rollout itself remains: send long prompts again once both roles are ready.",
    fix="""name the new image by digest (`dpd images pin`), replace both roles in one go, and repeat the
    restart drill""",
    sources="""SageMaker developer guide, DPD troubleshooting page, same image on both sides | hyperpod-dpd,
    practice: images by digest""",
    tags=("change", "images", "silent"),
    before="spec: {worker: {image: 'example.com/vllm:next'}}",
    after="spec: {}",
)
def check(change: ChangeView) -> Matches:
    if not change.after.disaggregated or change.renamed or not change.changed("worker", "image"):
        return
    reference = change.after.image.reference
    if reference is None:
        return
    if reference.digest is None:
        yield Match(
            _PATH,
            f"the image becomes {change.after.image.text}, a tag: pods of the two roles that start at different times "
            "may run different images",
        )
    else:
        message = (
            "the image changes: until the rollout ends, prefill and decode run different images and recompute"
        )
        yield Match(_PATH, message, INFO)
