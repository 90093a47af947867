from hyperpod_dpd.rules.rule import CHANGE, ERROR, WARNING, ChangeView, Match, Matches, rule

_KEY = "intelligentRoutingSpec"
_PATH = ("spec", _KEY)


@rule(
    ("DPD951", "routing-spec-changed", ERROR, CHANGE),
    title="Routing is added to, or changed on, an endpoint that exists",
    what="That `intelligentRoutingSpec` of an endpoint that exists already stays as it is.",
    why="""The resource definition says that routing is not supported for existing deployments: the operator
    rejects the addition, and `enabled` cannot be modified once it is set. The change fails when it is
    applied, or never takes effect.""",
    fine="""Never in place. An endpoint that is deleted and created anew on purpose is compared with the state
    between the two.""",
    fix="create a second endpoint with the new routing, move the traffic, then delete the old one",
    sources="InferenceEndpointConfig CRD, operator 3.2, intelligentRoutingSpec",
    covers=("R127",),
    tags=("change", "routing"),
    previous="spec: {intelligentRoutingSpec: {enabled: false}}",
    before="spec: {intelligentRoutingSpec: {enabled: true, routingStrategy: prefixaware}}",
    after="spec: {intelligentRoutingSpec: {enabled: false}}",
)
def check(change: ChangeView) -> Matches:
    if change.renamed or not change.changed(_KEY):
        return
    before, after = change.before.get(_KEY), change.after.get(_KEY)
    if before is None:
        yield Match(_PATH, f"{_KEY} is added to an endpoint that exists; the operator rejects that")
    elif after is None:
        message = (
            f"{_KEY} is removed from an endpoint that exists; what the operator then does is not confirmed"
        )
        yield Match(_PATH, message, WARNING)
    elif change.changed(_KEY, "enabled"):
        was, now = change.before.get(_KEY, "enabled"), change.after.get(_KEY, "enabled")
        yield Match(
            (*_PATH, "enabled"),
            f"enabled was {_shown(was)} and is {_shown(now)}; it cannot be modified once set",
        )
    elif change.before.routing_strategy != change.after.routing_strategy:
        message = (
            f"the routing strategy was {change.before.routing_strategy} and is {change.after.routing_strategy}; "
            "routing is not supported to change on an endpoint that exists"
        )
        yield Match((*_PATH, "routingStrategy"), message)


def _shown(value: object) -> str:
    return "unset" if value is None else str(value).lower()
