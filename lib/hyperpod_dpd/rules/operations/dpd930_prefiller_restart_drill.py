from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.rules.facts import Drill, EndpointPlan
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, Path, rule

_PATH: Path = ("operations", "prefiller_restart_drill")


@rule(
    ("DPD930", "prefiller-restart-drill", WARNING, ENVIRONMENT),
    title="No valid record of a prefiller-restart drill",
    what="""That a production environment with a disaggregated endpoint records a drill in which a prefiller
    was restarted, with the image that is deployed, and not before that image was built.""",
    why="""Pods restart. What a decoder holds of a prefiller that is gone is not documented for LMCache's PD
    backend; for another connector it crashed or hung. The only way to know is to look, and another image may
    behave differently.""",
    fine="Never in production; elsewhere the rule is silent.",
    fix="""restart a prefiller outside production with this image, see what `dpd runbook
    DpdStaleDecoderAfterPrefillerRestart` looks for, and record it as operations.prefiller_restart_drill""",
    sources="vLLM issue 49238, decode after a restart of prefill | llm-d, operations of P/D disaggregation",
    covers=("R190", "S11.11"),
    tags=("operations",),
    before="production: true",
    after="""production: true
    images: {worker: {digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"}}
    operations:
      prefiller_restart_drill:
        date: "2026-11-12"
        image_digest: sha256:0000000000000000000000000000000000000000000000000000000000000000
        report: wiki/drills/1""",
)
def check(environment: EnvironmentView) -> Matches:
    plans = [p for p in environment.blueprint.endpoints if p.topology == "disaggregated" and p.image]
    if not environment.document.production or not plans:
        return
    drill = environment.document.operations.prefiller_restart_drill
    if drill is None:
        yield Match(
            _PATH, "production is to run disaggregated, and no prefiller restart has been tried and recorded"
        )
        return
    for plan in plans:
        yield from _judge(drill, plan)


def _judge(drill: Drill, plan: EndpointPlan) -> Matches:
    deployed = worker_images.parse_reference(plan.image).digest
    if drill.image_digest is None:
        yield Match(
            _PATH,
            f"the drill of {drill.date} ({drill.report}) does not say which image ran, so it proves nothing of today's",
        )
    elif deployed is None:
        yield Match(
            (*_PATH, "image_digest"),
            f"the drill ran {_short(drill.image_digest)}, endpoint {plan.name} deploys an image without a digest",
            fix="pin the image (`dpd images pin`), then compare",
        )
    elif deployed != drill.image_digest:
        yield Match(
            (*_PATH, "image_digest"),
            f"the drill ran {_short(drill.image_digest)}, endpoint {plan.name} deploys {_short(deployed)}",
        )
    known = worker_images.find(plan.image)
    built = known.built.date if known and known.built else None
    if built is not None and drill.date < built:
        yield Match((*_PATH, "date"), f"the drill of {drill.date} is older than the image, built on {built}")


def _short(digest: str) -> str:
    return digest[: len("sha256:") + 12]
