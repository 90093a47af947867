"""What stands first in the runbook of an alert: what users feel, what stops it, and where the commands go."""

from __future__ import annotations

import re

_COLOCATE = (
    "`dpd runbook colocate @{environment} --endpoint @{endpoint}`: decoders compute everything, and no KV cache is "
    "transferred."
)
_BACK = (
    "take the last change back: revert its commit in `environments/@{environment}.yaml` and roll out, "
    "`dpd runbook rollout @{environment}`."
)
_SCALE = (
    "one more pod of the role that is short, where the group has a free node: its `replicas` in the document."
)
_NOTHING = "nothing needs to be stopped: it can wait for the day."

_FIRST: tuple[tuple[str, str, str], ...] = (
    (
        r"NoReady(Decoder|Router)|TrafficStopped|CanaryFails|DecoderRestartLoop",
        "requests fail or hang.",
        _BACK,
    ),
    (
        r"DecoderHangs",
        "requests to one decoder hang.",
        "delete the pod that the alert names: a new one starts empty.",
    ),
    (r"CanaryWrong", "answers are wrong, with status 200.", _COLOCATE),
    (r"AnsweredBudgetBurn", "part of the requests fail.", _BACK),
    (
        r"PrefillersMissed|NoReadyPrefiller|PrefillerRestartLoop|RouterFallback",
        "long prompts fail or are slow.",
        _COLOCATE,
    ),
    (
        r"KeysNeverFound|Buffer(Exhausted|NearFull|Leak)|KvStalled",
        "long prompts are slow, then hang.",
        _COLOCATE,
    ),
    (
        r"Kv(NotLanding|RetrieveIncomplete|WireSlow)|EfaSilent|DecoderRecomputes|StaleDecoder|LmcacheDegraded|\w+Skew",
        "long prompts are slow, and running answers pause for each of them; none fails yet.",
        _COLOCATE,
    ),
    (r"FirstToken\w+Burn|PrefillShort|EndpointOverloaded", "the first token comes late.", _SCALE),
    (r"InterToken\w+Burn|DecoderSaturated|DecoderPreempts", "answers come slowly.", _SCALE),
    (
        r"CollectorAbsent",
        "nothing for certain: nobody can see.",
        "ask the endpoint yourself, as the last step says.",
    ),
    (r"\w+", "nothing yet.", _NOTHING),
)


def first_lines(alert: str) -> str:
    """Markdown with fields, to stand below the title of the runbook of an alert."""
    felt, stop = next((felt, stop) for names, felt, stop in _FIRST if re.match(f"Dpd(?:{names})", alert))
    return "\n".join(
        (
            "",
            f"Users feel: {felt}",
            "",
            (
                "Cluster: EKS `@{eks_cluster}` in @{region}, account @{account}. Every command goes to the current "
                "context; set it once: `aws eks update-kubeconfig --region @{region} --name @{eks_cluster} "
                "--alias @{eks_cluster}`. `$POD` is the `pod_name` of the alert."
            ),
            "@for endpoints",
            "",
            f"Stop it for @{{namespace}}/@{{endpoint}}: {stop}",
            "",
            'Boards: folder "DPD @{environment}", overview and KV path of @{endpoint}.',
            "@end",
            "",
        )
    )
