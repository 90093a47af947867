from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD238", "node-recovery", INFO, ENVIRONMENT),
    title="Faulty nodes are not replaced by themselves",
    what="That automatic node recovery is on; in production its absence is a warning.",
    why="""HyperPod detects faulty GPUs and EFA interfaces either way. With recovery off it only labels the
    node, and the one decoder waits for a person.""",
    fine="While a node is kept for a post-mortem.",
    fix="set cluster.node_recovery to true",
    sources="SageMaker developer guide, HyperPod resiliency: automatic node recovery",
    covers=("HI-1.9c",),
    tags=("production",),
    before="cluster: {node_recovery: false}",
    after="cluster: {node_recovery: true}",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    if not document.cluster.node_recovery:
        yield Match(
            ("cluster", "node_recovery"),
            "node recovery is off: a faulty node is labelled, and replaced only by a person",
            WARNING if document.production else None,
        )
