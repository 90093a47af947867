"""What the declared traffic says of the router's decision: the share of prompts that reach a threshold."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults, languages
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.config.endpoint import Percentiles, Traffic
    from hyperpod_dpd.view.endpoint import EndpointView

_MEDIAN = 0.5


def routing_threshold(endpoint: EndpointView) -> int:
    """The estimate from which a request disaggregates; the resource's default where none is given."""
    value = endpoint.get("pdSpec", "routingThreshold")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return engine_defaults.documented().routing_threshold_tokens


def language_of(traffic: Traffic) -> languages.Language | None:
    """The catalogue's entry for the declared language; None when it has none. Raises MissingFact if undeclared."""
    if traffic.language is None:
        raise MissingFact("language of the prompts")
    return languages.find(traffic.language)


def effective_threshold_tokens(threshold: int, language: languages.Language) -> int:
    """Real tokens of a prompt in ``language`` whose characters make the router's estimate reach ``threshold``."""
    return round(threshold * engine_defaults.router().characters_per_token / language.characters_per_token)


def share_from(lengths: Percentiles, tokens: int) -> tuple[float, bool]:
    """Share of prompts of ``tokens`` or more, and whether it is only an upper bound.

    Between two percentiles it is read off a line over the logarithm of the length. Raises MissingFact where only
    the median is known and lies below.
    """
    known = [(lengths.p50, _MEDIAN), (lengths.p90, 0.9), (lengths.p95, 0.95), (lengths.p99, 0.99)]
    points = [(length, below) for length, below in known if length is not None]
    if tokens <= points[0][0]:
        return 1 - points[0][1], False
    if len(points) == 1:
        raise MissingFact("distribution of prompt lengths")
    for (low, low_share), (high, high_share) in pairwise(points):
        if low < tokens <= high:
            part = math.log(tokens / low) / math.log(high / low)
            return 1 - (low_share + part * (high_share - low_share)), False
    return 1 - points[-1][1], True
