"""Who is told: AMP's alert manager sends everything to one SNS topic, pages and tickets apart by attribute."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.document import dump_yaml

_SAME = ["environment", "endpoint", "namespace"]
_FELT = ("DpdCanaryFails", "DpdTrafficStopped", "DpdAnsweredBudgetBurn.*", "DpdFirstTokenBudgetBurn.*")
_NOT_LANDING = ("DpdKvNotLanding", "DpdDecoderRecomputesLongPrompts", "DpdStaleDecoderAfterPrefillerRestart")
_NAMED_APART = (
    *_NOT_LANDING,
    *("DpdKeysNeverFound", "DpdBufferNearFull", "DpdBufferExhausted", "DpdBufferLeak"),
    *("DpdKvStalled", "DpdInterTokenBudgetBurn.*", *_FELT),
)
INHIBITED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("DpdCollectorAbsent", (), ()),
    ("DpdNoReadyDecoder", (), ()),
    ("DpdNoReadyRouter", (*_FELT, "DpdRouterBlind", "DpdThresholdMisfit", "DpdCanary.*", "DpdKvStalled"), ()),
    ("DpdDecoderRestartLoop", (*_FELT, "DpdCapacityBelowDeclared", "DpdKvStalled", "DpdEngineUnseen"), ()),
    (
        "DpdPrefillersMissed",
        (
            *(
                "DpdNoReadyPrefiller",
                "DpdPrefillerRestartLoop",
                "DpdRouterFallback",
                "DpdKvStalled",
                "DpdEngineUnseen",
            ),
            *(
                *_NOT_LANDING,
                "DpdThresholdMisfit",
                "DpdCapacityBelowDeclared",
                "DpdInterTokenBudgetBurn.*",
                *_FELT,
            ),
        ),
        (),
    ),
    *(
        (skew, _NAMED_APART, ())
        for skew in ("DpdHashSeedSkew", "DpdRoleSkew", "DpdImageSkew", "DpdKvDtypeSkew")
    ),
    ("DpdLmcacheDegraded", _NAMED_APART, ()),
    ("DpdKeysNeverFound", (*_NOT_LANDING, "DpdBuffer.*", "DpdKvStalled", *_FELT), ()),
    ("DpdBufferExhausted", ("DpdBufferNearFull", "DpdBufferLeak"), ("pod_name",)),
    ("DpdBufferExhausted", ("DpdKvStalled", *_NOT_LANDING, "DpdKvWireSlow", *_FELT), ()),
    ("DpdDecoderHangs", ("DpdKvStalled", "DpdDecoderSaturated", "DpdDecoderLoadSkew", *_FELT), ()),
    ("DpdStaleDecoderAfterPrefillerRestart", ("DpdKvNotLanding", "DpdDecoderRecomputesLongPrompts"), ()),
    ("DpdKvNotLanding", ("DpdDecoderRecomputesLongPrompts",), ()),
)
"""Cause, consequences (none: everything else), and labels that must be equal beside the endpoint's: one incident is one
page. No two may be each other's cause, or both would be silent."""


def alertmanager(*, topic_arn: str, region: str) -> dict[str, Any]:
    """Alertmanager's own configuration. AMP forbids api_url and repeat intervals above five days."""

    def receiver(name: str, severity: str) -> dict[str, Any]:
        return {
            "name": name,
            "sns_configs": [
                {
                    "topic_arn": topic_arn,
                    "sigv4": {"region": region},
                    "send_resolved": True,
                    "subject": "[{{ .Status }}] {{ (index .Alerts 0).Labels.alertname }}"
                    "{{ if gt (len .Alerts) 1 }} and others{{ end }} {{ .CommonLabels.endpoint }}",
                    "message": "{{ range .Alerts }}{{ .Annotations.summary }}\n{{ .Annotations.description }}\n"
                    "First: {{ .Annotations.first_command }}\nRunbook: {{ .Annotations.runbook_url }}\n\n{{ end }}",
                    "attributes": {"severity": severity},
                }
            ],
        }

    return {
        "route": {
            "receiver": "tickets",
            "group_by": ["environment", "endpoint", "alertname"],
            "group_wait": "30s",
            "group_interval": "5m",
            "repeat_interval": "1d",
            "routes": [
                {
                    "receiver": "pages",
                    "matchers": ['severity="critical"'],
                    # All that is left of an incident beside its cause comes as one page.
                    "group_by": _SAME,
                    "repeat_interval": "4h",
                },
            ],
        },
        "receivers": [receiver("tickets", "warning"), receiver("pages", "critical")],
        "inhibit_rules": [
            {
                "source_matchers": [f'alertname="{cause}"'],
                "target_matchers": [_targets(cause, consequences)],
                "equal": [*_SAME, *by],
            }
            for cause, consequences, by in INHIBITED
        ],
    }


def _targets(cause: str, consequences: tuple[str, ...]) -> str:
    """A collector that is gone is nobody's consequence."""
    if consequences:
        return f'alertname=~"{"|".join(consequences)}"'
    return f'alertname!~"{"|".join(sorted({cause, "DpdCollectorAbsent"}))}"'


def definition(*, topic_arn: str, region: str) -> str:
    """The same as AMP takes it: as text below one key."""
    return dump_yaml({"alertmanager_config": dump_yaml(alertmanager(topic_arn=topic_arn, region=region))})
