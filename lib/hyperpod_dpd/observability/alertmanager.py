"""Who is told: AMP's alert manager sends everything to one SNS topic, pages and tickets apart by attribute."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.document import dump_yaml

_SAME = ["environment", "endpoint", "namespace"]


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
                    "subject": "[{{ .Status }}] {{ .CommonLabels.alertname }} {{ .CommonLabels.endpoint }}",
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
                {"receiver": "pages", "matchers": ['severity="critical"'], "repeat_interval": "4h"},
            ],
        },
        "receivers": [receiver("tickets", "warning"), receiver("pages", "critical")],
        "inhibit_rules": [
            {
                # Without a decoder every other alert of the endpoint is a consequence.
                "source_matchers": ['alertname="DpdNoReadyDecoder"'],
                "target_matchers": ['alertname!="DpdNoReadyDecoder"'],
                "equal": _SAME,
            },
            {
                "source_matchers": ['alertname="DpdBufferExhausted"'],
                "target_matchers": ['alertname="DpdBufferNearFull"'],
                "equal": [*_SAME, "pod_name"],
            },
            {
                # Causes before what they lead to.
                "source_matchers": [
                    'alertname=~"DpdHashSeedSkew|DpdRoleSkew|DpdImageSkew|DpdKvDtypeSkew|DpdLmcacheDegraded"'
                ],
                "target_matchers": [
                    (
                        'alertname=~"DpdKvNotLanding|DpdDecoderRecomputesLongPrompts'
                        '|DpdStaleDecoderAfterPrefillerRestart"'
                    )
                ],
                "equal": _SAME,
            },
        ],
    }


def definition(*, topic_arn: str, region: str) -> str:
    """The same as AMP takes it: as text below one key."""
    return dump_yaml({"alertmanager_config": dump_yaml(alertmanager(topic_arn=topic_arn, region=region))})
