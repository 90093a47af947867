from collections.abc import Mapping
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule

_SWITCHES = {"enableShield": "Shield", "enableWaf": "WAF (regional)", "enableWafv2": "WAF"}


@rule(
    ("DPD247", "services-out-of-reach", WARNING, ENVIRONMENT),
    title="An AWS service is needed that a closed network does not reach",
    what="""That in a closed network nothing asks an AWS service for which no source names an interface
    endpoint: ACM, which holds the certificate of every endpoint's load balancer, WAF and Shield, which the
    load balancer controller asks unless it is told not to, and Route 53, which holds the records of a domain
    name.""",
    why="""Such a call ends in a timeout. The controller then leaves the ingress unfinished, so that pods are
    ready and the endpoint has no address.""",
    fine="""Where the VPC's owner gives these services another way, such as a proxy; or where an endpoint
    exists by now: name it in network.more_endpoints, or in network.existing.interface_endpoints.""",
    fix="ask the VPC's owner for a way to it, and say so in acknowledge",
    sources="""EKS user guide, private cluster requirements: ACM has no interface endpoint; flags of the
    controller | AWS Load Balancer Controller, issues 1734 and 2797: timeouts of WAF and Shield in private
    clusters""",
    covers=("HI-1.2c",),
    tags=("network",),
    before="network: {closed: true}",
    after="""network: {closed: true, more_endpoints: [acm]}
    addon_values:
      amazon-sagemaker-hyperpod-inference: {alb: {enableShield: false, enableWaf: false, enableWafv2: false}}""",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.blueprint.network
    if not network.closed or not environment.document.endpoints:
        return
    existing = environment.document.network.existing
    theirs = existing.interface_endpoints if existing is not None else False
    reached = {*network.interface_endpoints, *network.their_endpoints}
    reached |= (
        set() if isinstance(theirs, bool) else set(theirs)
    )  # what is left out is reached in another way
    if "acm" not in reached:
        yield Match(
            ("network", "closed"),
            "the operator imports certificates into ACM and the load balancer controller looks them up there; "
            "no source names an interface endpoint of ACM",
        )
    yield from _controller(environment)
    for name, endpoint in environment.document.endpoints.items():
        if endpoint.tls.hosted_zone_id is not None and "route53" not in reached:
            yield Match(
                ("endpoints", name, "tls", "hosted_zone_id"),
                "the operator writes the records of the domain name itself, and does not reach Route 53",
                fix="leave hosted_zone_id out and write the records from elsewhere",
            )


def _controller(environment: EnvironmentView) -> Matches:
    """The Helm release tells the controller itself; which keys the add-on takes is not published."""
    if environment.blueprint.operator.install != "addon":
        return
    given = environment.document.addon_values.get(names.OPERATOR_ADDON, {}).get("alb", {})
    on = [
        service
        for switch, service in _SWITCHES.items()
        if not isinstance(given, Mapping) or _asks(given.get(switch))
    ]
    if on:
        yield Match(
            ("network", "closed"),
            f"the load balancer controller asks {', '.join(on)} about every ingress; its chart switches that off "
            f"with {', '.join(_SWITCHES)}",
            fix=f"switch it off below addon_values.{names.OPERATOR_ADDON}.alb; "
            "`aws eks describe-addon-configuration` tells whether the add-on has the chart's switches",
        )


def _asks(value: Any) -> bool:
    return value is not False
