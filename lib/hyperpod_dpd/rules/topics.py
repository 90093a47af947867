"""What the hundreds of a rule's id stand for."""

TOPICS = {
    0: "Engine",
    1: "Schema and identity",
    2: "Platform and placement",
    3: "Images and versions",
    4: "Environment variables and buffers",
    5: "vLLM arguments",
    6: "Routing",
    7: "Resources and scaling",
    8: "Suitability and caches",
    9: "Observability and operations",
    10: "Agreement of templates and manifests",
    11: "Self-managed",
}
"""The hundreds of an id, and what its rules are about."""


def topic_of(rule_id: str) -> str:
    """What the rule of this id is about."""
    return TOPICS[int(rule_id[3:]) // 100]
