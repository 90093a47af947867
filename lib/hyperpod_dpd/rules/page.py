"""One rule as a page of Markdown: docs/rules/DPDnnn.md, and what code scanning shows beside a finding."""

from __future__ import annotations

from hyperpod_dpd.rules.rule import LoadedRule, Severity


def page(loaded: LoadedRule) -> str:
    """Title, prose, fix, example and sources of one rule."""
    rule = loaded.rule
    parts = [
        f"# {rule.id}: {rule.title}",
        f"`{rule.name}`, {rule.severity.value}, {waiver(loaded)}, judges: {rule.applies_to.value}",
        *(f"## {heading}\n\n{text}" for heading, text in explained(loaded)),
        f"## Fix\n\n{rule.fix[0].upper()}{rule.fix[1:]}.",
    ]
    if rule.example:
        for label, text in (("Before", rule.example.before), ("After", rule.example.after)):
            parts.append(f"## {label} ({rule.example.of})\n\n```yaml\n{text}\n```")
    parts.append("## Sources\n\n" + "\n".join(f"- {source}" for source in rule.sources))
    if rule.covers:
        parts.append("Covers " + ", ".join(rule.covers) + ".")
    return "\n\n".join(parts) + "\n"


def page_path(rule_id: str) -> str:
    """Where the page of one rule lies below docs/."""
    return f"rules/{rule_id}.md"


def explained(loaded: LoadedRule) -> tuple[tuple[str, str], ...]:
    """The prose of a rule with the fixed headings that every output gives it."""
    rule = loaded.rule
    return (
        ("What it checks", rule.what),
        ("Why it matters", rule.why),
        ("When this is fine", rule.fine),
    )


def waiver(loaded: LoadedRule) -> str:
    """Whether findings of the rule may be acknowledged, in a few words."""
    if loaded.waivable:
        partly = loaded.refusal(Severity.ERROR) and loaded.rule.severity is not Severity.ERROR
        return "may be acknowledged with a reason" + (", unless it is an error" if partly else "")
    partly = not loaded.refusal(Severity.WARNING)
    return "cannot be acknowledged" + (", its warnings can" if partly else "")
