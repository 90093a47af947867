"""Scaling by KEDA: one shape for the endpoint, for its router and for each role of a disaggregated endpoint.

Facts from the operator's schema of release 3.2 (June 2026), written down in our own form.
"""

from __future__ import annotations

from functools import cache

from hyperpod_dpd.iec.field import Field, boolean, integer, listing, number, obj, text

# A workspace of Amazon Managed Prometheus without anything after its id, or nothing at all.
_WORKSPACE = (
    r"^https:\/\/aps-workspaces\.[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*\.amazonaws\.com"
    r"\/workspaces\/ws-[a-zA-Z0-9-]+$|^$"
)
_WORKSPACE_WORDS = (
    "the URL of an Amazon Managed Prometheus workspace with nothing after its id:"
    " https://aps-workspaces.<region>.amazonaws.com/workspaces/ws-<id>"
)


@cache
def autoscaling() -> Field:
    """The block with triggers and, since the operator's role blocks, lists of triggers."""
    return obj(
        **_limits(),
        cloudWatchTrigger=cloudwatch_trigger(),
        cloudWatchTriggerList=listing(cloudwatch_trigger(), max_items=100),
        prometheusTrigger=prometheus_trigger(),
        prometheusTriggerList=listing(prometheus_trigger(), max_items=100),
    )


@cache
def autoscaling_v1alpha1() -> Field:
    """The older block, with one trigger of each sort."""
    return obj(**_limits(), cloudWatchTrigger=cloudwatch_trigger(), prometheusTrigger=prometheus_trigger())


def _limits() -> dict[str, Field]:
    return {
        "minReplicaCount": integer(default=1, minimum=0),
        "maxReplicaCount": integer(default=5, minimum=0),
        "pollingInterval": integer(default=30, minimum=0),
        "cooldownPeriod": integer(default=300, minimum=0),
        "initialCooldownPeriod": integer(default=300, minimum=0),
        "scaleUpStabilizationTime": integer(default=0, minimum=0),
        "scaleDownStabilizationTime": integer(default=300, minimum=0),
    }


def _target() -> dict[str, Field]:
    return {
        "name": text(),
        "namespace": text(),
        "targetValue": number(),
        "activationTargetValue": number(default=0),
        "metricType": text(enum="Value Average", default="Average"),
        "useCachedMetrics": boolean(True),
    }


@cache
def cloudwatch_trigger() -> Field:
    """Scaling on a CloudWatch metric."""
    return obj(
        **_target(),
        dimensions=listing(obj("name value", name=text(), value=text())),
        metricName=text(),
        metricStat=text(default="Average"),
        metricCollectionPeriod=integer(default=300),
        metricCollectionStartTime=integer(default=300),
        minValue=number(default=0),
    )


@cache
def prometheus_trigger() -> Field:
    """Scaling on a query to Amazon Managed Prometheus."""
    return obj(
        **_target(),
        customHeaders=text(),
        query=text(),
        serverAddress=text(_WORKSPACE, meaning=_WORKSPACE_WORDS),
    )
