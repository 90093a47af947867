"""CloudWatch metric filters: the path that still tells when nothing in the cluster is scraped any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.catalog.metrics import limit

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint

NAMESPACE = "DPD"
FIELD = "log"
"""Field of the JSON record that holds the line, as Fluent Bit writes it; of the add-on's records not confirmed, so
`observability.pod_log_field` may name another."""


CONTAINER = "kubernetes.container_name"
"""Where Fluent Bit's filter for Kubernetes names the container; of the add-on's records not confirmed either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFilter:
    """Counts lines of a log group, or takes a number out of transformed ones.

    ``alarm_above`` is the sum per ``alarm_minutes`` above which the alarm of the same name goes off, ``alarm_below``
    that below which it does although the group receives something; both None for filters without an alarm.
    """

    name: str
    pattern: str
    value: str = "1"
    transformed: bool = False
    alarm_above: float | None = None
    alarm_below: float | None = None
    alarm_minutes: int = 5
    meaning: str = ""


_NO_SEED = ("PYTHONHASHSEED not set", "PYTHONHASHSEED is not set", "without PYTHONHASHSEED")


def metric_filters(blueprint: Blueprint) -> tuple[MetricFilter, ...]:
    """The filters of an environment's log group: one for all endpoints, since a pattern has no variables."""
    thresholds = [p.routing_threshold_tokens for p in blueprint.endpoints if p.topology == "disaggregated"]
    if not thresholds:
        return ()
    field = blueprint.observability.pod_log_field if blueprint.observability else FIELD
    # The lowest threshold of several endpoints would count local prompts of another as misses: take the highest.
    misses = lookup_miss_regex(max(thresholds))
    return (
        MetricFilter(
            name="AllocationRetries",
            pattern=contains("Failed to allocate memory object", field=field),
            alarm_above=limit("allocation_blocked")
            * 300
            / engine_defaults.lmcache().allocation_retry_seconds,
            meaning="a decoder's PD buffer is exhausted",
        ),
        MetricFilter(
            name="RetrievedNothing",
            pattern=matches(r"Retrieved\s0\sout\sof\s[1-9]", field=field),
            alarm_above=0,
            meaning="KV cache arrived and could not be read",
        ),
        MetricFilter(
            name="LookupMisses",
            # A prefiller misses every new prompt: that is its work.
            pattern=f'{{ ($.{field} = %{misses}%) && ($.{CONTAINER} = "decode-*") }}',
            alarm_above=limit("recomputed_requests"),
            alarm_minutes=15,
            meaning="KV cache of long prompts does not land",
        ),
        MetricFilter(
            name="Degraded",
            pattern=contains("operate in degraded mode", "LMCache is unhealthy", field=field),
            alarm_above=0,
            meaning="LMCache failed, at start or later, and vLLM went on without it",
        ),
        MetricFilter(
            name="HashSeedMissing",
            pattern=contains(*_NO_SEED, field=field),
            alarm_above=0,
            meaning="a pod hashes prompts from a random seed",
        ),
        MetricFilter(
            name="LinesRead",
            pattern=f'{{ $.{field} = "*" }}',
            alarm_below=1,
            alarm_minutes=60,
            meaning=f"pod logs arrive and no record has a field '{field}', so that no other filter can match",
        ),
        MetricFilter(
            name="ContainersNamed",
            pattern=f'{{ $.{CONTAINER} = "*" }}',
            alarm_below=1,
            alarm_minutes=60,
            meaning=f"pod logs arrive and no record has a field '{CONTAINER}', so that misses of decoders "
            "cannot be told from those that are a prefiller's work",
        ),
        MetricFilter(name="RoutedDisaggregated", pattern=contains("disaggregate=True", field=field)),
        MetricFilter(name="RoutedLocal", pattern=contains("disaggregate=False", field=field)),
        MetricFilter(
            name="PutMilliseconds",
            pattern="{ $.put_milliseconds > 0 }",
            value="$.put_milliseconds",
            transformed=True,
        ),
        MetricFilter(name="PutGibibytes", pattern="{ $.size_gib > 0 }", value="$.size_gib", transformed=True),
    )


def contains(*texts: str, field: str = FIELD) -> str:
    """A pattern of wildcards for any of ``texts``, which costs no regular expression of the log group's few."""
    return "{ " + " || ".join(f'$.{field} = "*{text}*"' for text in texts) + " }"


def matches(regex: str, *, field: str = FIELD) -> str:
    """A pattern with one regular expression."""
    return f"{{ $.{field} = %{regex}% }}"


def lookup_miss_regex(threshold_tokens: int) -> str:
    """Lookups of at least ``threshold_tokens`` tokens that hit nothing, written without parentheses.

    Some releases print what the engine has in its own prefix cache in between: up to 999 tokens of that are next to
    nothing, more make the prompt one that it need not look for.
    """
    between = r"\D*\d{0,3}\D*"
    return "|".join(
        rf"Total\stokens\s{number},{between}hit\stokens.\s0," for number in at_least(threshold_tokens)
    )


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
