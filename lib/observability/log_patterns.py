"""CloudWatch metric filters: the path that still tells when nothing in the cluster is scraped any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.catalog.metrics import limit

if TYPE_CHECKING:
    from lib.blueprint.model import Blueprint

NAMESPACE = "DPD"
FIELD = "log"
"""Field of the JSON record that holds the line, as Fluent Bit writes it; of the add-on's records not confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFilter:
    """Counts lines of a log group, or takes a number out of transformed ones.

    ``alarm_above`` is the sum per ``alarm_minutes`` above which the alarm of the same name goes off; None for
    filters without an alarm.
    """

    name: str
    pattern: str
    value: str = "1"
    transformed: bool = False
    alarm_above: float | None = None
    alarm_minutes: int = 5
    meaning: str = ""


def metric_filters(blueprint: Blueprint) -> tuple[MetricFilter, ...]:
    """The filters of an environment's log group: one for all endpoints, since a pattern has no variables."""
    thresholds = [p.routing_threshold_tokens for p in blueprint.endpoints if p.topology == "disaggregated"]
    if not thresholds:
        return ()
    # The lowest threshold of several endpoints would count local prompts of another as misses: take the highest.
    misses = lookup_miss_regex(max(thresholds))
    return (
        MetricFilter(
            name="AllocationRetries",
            pattern=contains("Failed to allocate memory object"),
            alarm_above=limit("allocation_blocked")
            * 300
            / engine_defaults.lmcache().allocation_retry_seconds,
            meaning="a decoder's PD buffer is exhausted",
        ),
        MetricFilter(
            name="RetrievedNothing",
            pattern=matches(r"Retrieved\s0\sout\sof\s[1-9]"),
            alarm_above=0,
            meaning="KV cache arrived and could not be read",
        ),
        MetricFilter(
            name="LookupMisses",
            pattern=matches(misses),
            alarm_above=limit("recomputed_requests"),
            alarm_minutes=15,
            meaning="KV cache of long prompts does not land",
        ),
        MetricFilter(
            name="Degraded",
            pattern=contains("operate in degraded mode"),
            alarm_above=0,
            meaning="LMCache failed to start and vLLM went on without it",
        ),
        MetricFilter(
            name="HashSeedMissing",
            pattern=f'{{ $.{FIELD} = "*PYTHONHASHSEED not set*" || $.{FIELD} = "*without PYTHONHASHSEED*" }}',
            alarm_above=0,
            meaning="a pod hashes prompts from a random seed",
        ),
        MetricFilter(name="RoutedDisaggregated", pattern=contains("disaggregate=True")),
        MetricFilter(name="RoutedLocal", pattern=contains("disaggregate=False")),
        MetricFilter(
            name="PutMilliseconds",
            pattern="{ $.put_milliseconds > 0 }",
            value="$.put_milliseconds",
            transformed=True,
        ),
        MetricFilter(name="PutGibibytes", pattern="{ $.size_gib > 0 }", value="$.size_gib", transformed=True),
    )


def contains(text: str) -> str:
    """A pattern of wildcards, which costs no regular expression of the log group's few."""
    return f'{{ $.{FIELD} = "*{text}*" }}'


def matches(regex: str) -> str:
    """A pattern with one regular expression."""
    return f"{{ $.{FIELD} = %{regex}% }}"


def lookup_miss_regex(threshold_tokens: int) -> str:
    """Lookups of at least ``threshold_tokens`` tokens that hit nothing, written without parentheses."""
    return "|".join(rf"Total\stokens\s{number},.*hit\stokens.\s0," for number in at_least(threshold_tokens))


def at_least(number: int) -> list[str]:
    """Regular expressions that together match the decimal integers from ``number`` on, without leading zeros."""
    digits = str(number)
    found = []
    for place in range(len(digits)):
        head, digit, tail = digits[:place], int(digits[place]), len(digits) - place - 1
        low = digit if not tail else digit + 1
        if low <= 9:
            span = "9" if low == 9 else f"[{low}-9]"
            found.append(head + span + (f"[0-9]{{{tail}}}" if tail else ""))
    return [*reversed(found), f"[1-9][0-9]{{{len(digits)},}}"]


GROK = (
    "%{DATA:lead}size: %{NUMBER:size_gib} %{WORD:unit}, cost %{NUMBER:cost_milliseconds} ms, throughput: "
    "%{NUMBER:gib_per_second} GB/s; offload_time: %{NUMBER:offload_milliseconds} ms, put_time: "
    "%{NUMBER:put_milliseconds} ms%{GREEDYDATA:rest}"
)
"""Takes a prefiller's "Stored" line apart: size over put time is the wire rate."""
NUMBERS = ("size_gib", "put_milliseconds")
"""Fields of GROK that become numbers."""
