"""What the AWS Load Balancer Controller may do: application load balancers of one cluster."""

from __future__ import annotations

from hyperpod_dpd.blueprint.names import LOAD_BALANCER_OWNER_TAG
from infra.place import Place
from infra.policy import Conditions, Statement, allow


def load_balancer_statements(
    place: Place, *, cluster_name: str, vpc_id: str, node_security_group_id: str
) -> dict[str, list[Statement]]:
    """The actions of the controller's own policy (release 2.13), less what an internal ALB never needs.

    Left out: network load balancers, Cognito, changes to WAF and Shield. Where upstream asks only that the
    controller's cluster tag exists, its value must be this cluster.
    """
    return {
        "Read": _read(),
        "SecurityGroups": _security_groups(place, cluster_name, vpc_id, node_security_group_id),
        "LoadBalancers": _load_balancers(place, cluster_name),
    }


def _requested_for(cluster_name: str) -> Conditions:
    return {"StringEquals": {f"aws:RequestTag/{LOAD_BALANCER_OWNER_TAG}": cluster_name}}


def _owned_by(cluster_name: str) -> Conditions:
    return {"StringEquals": {f"aws:ResourceTag/{LOAD_BALANCER_OWNER_TAG}": cluster_name}}


def _read() -> list[Statement]:
    # None of these has a narrower resource; certificates and web ACLs are looked up across the account.
    return [
        allow(
            "ec2:DescribeAccountAttributes",
            "ec2:DescribeAddresses",
            "ec2:DescribeAvailabilityZones",
            "ec2:DescribeInstances",
            "ec2:DescribeInternetGateways",
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeRouteTables",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSubnets",
            "ec2:DescribeTags",
            "ec2:DescribeVpcPeeringConnections",
            "ec2:DescribeVpcs",
            "ec2:GetSecurityGroupsForVpc",
            "elasticloadbalancing:DescribeCapacityReservation",
            "elasticloadbalancing:DescribeListenerAttributes",
            "elasticloadbalancing:DescribeListenerCertificates",
            "elasticloadbalancing:DescribeListeners",
            "elasticloadbalancing:DescribeLoadBalancerAttributes",
            "elasticloadbalancing:DescribeLoadBalancers",
            "elasticloadbalancing:DescribeRules",
            "elasticloadbalancing:DescribeSSLPolicies",
            "elasticloadbalancing:DescribeTags",
            "elasticloadbalancing:DescribeTargetGroupAttributes",
            "elasticloadbalancing:DescribeTargetGroups",
            "elasticloadbalancing:DescribeTargetHealth",
            "elasticloadbalancing:DescribeTrustStores",
            "acm:DescribeCertificate",
            "acm:ListCertificates",
            "iam:GetServerCertificate",
            "iam:ListServerCertificates",
            "shield:DescribeProtection",
            "shield:GetSubscriptionState",
            "waf-regional:GetWebACL",
            "waf-regional:GetWebACLForResource",
            "wafv2:GetWebACL",
            "wafv2:GetWebACLForResource",
            on="*",
        )
    ]


def _security_groups(
    place: Place, cluster_name: str, vpc_id: str, node_security_group_id: str
) -> list[Statement]:
    groups = place.arn("ec2", "security-group/*")
    rules = ("ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress")
    at_creation: Conditions = {
        "StringEquals": {
            "ec2:CreateAction": "CreateSecurityGroup",
            f"aws:RequestTag/{LOAD_BALANCER_OWNER_TAG}": cluster_name,
        }
    }
    return [
        allow(*rules, on=place.arn("ec2", f"security-group/{node_security_group_id}")),
        allow(*rules, "ec2:DeleteSecurityGroup", on=groups, when=_owned_by(cluster_name)),
        allow("ec2:CreateSecurityGroup", on=place.arn("ec2", f"vpc/{vpc_id}")),
        allow("ec2:CreateSecurityGroup", on=groups, when=_requested_for(cluster_name)),
        allow("ec2:CreateTags", on=groups, when=at_creation),
        allow("ec2:CreateTags", "ec2:DeleteTags", on=groups, when=_owned_by(cluster_name)),
    ]


def _load_balancers(place: Place, cluster_name: str) -> list[Statement]:
    balancers, listeners, rules, targets = (
        place.arn("elasticloadbalancing", pattern)
        for pattern in ("loadbalancer/app/*", "listener/app/*", "listener-rule/app/*", "targetgroup/*")
    )
    at_creation: Conditions = {
        "StringEquals": {
            "elasticloadbalancing:CreateAction": ["CreateLoadBalancer", "CreateTargetGroup"],
            f"aws:RequestTag/{LOAD_BALANCER_OWNER_TAG}": cluster_name,
        }
    }
    return [
        allow(
            "elasticloadbalancing:CreateLoadBalancer",
            "elasticloadbalancing:CreateTargetGroup",
            on=[balancers, targets],
            when=_requested_for(cluster_name),
        ),
        allow("elasticloadbalancing:AddTags", on=[balancers, targets], when=at_creation),
        allow(
            "elasticloadbalancing:AddTags",
            "elasticloadbalancing:DeleteLoadBalancer",
            "elasticloadbalancing:DeleteTargetGroup",
            "elasticloadbalancing:DeregisterTargets",
            "elasticloadbalancing:ModifyLoadBalancerAttributes",
            "elasticloadbalancing:ModifyTargetGroup",
            "elasticloadbalancing:ModifyTargetGroupAttributes",
            "elasticloadbalancing:RegisterTargets",
            "elasticloadbalancing:RemoveTags",
            "elasticloadbalancing:SetIpAddressType",
            "elasticloadbalancing:SetSecurityGroups",
            "elasticloadbalancing:SetSubnets",
            on=[balancers, targets],
            when=_owned_by(cluster_name),
        ),
        # Listeners and rules are made without tags, so that no condition can tell whose they are.
        allow(
            "elasticloadbalancing:AddListenerCertificates",
            "elasticloadbalancing:CreateListener",
            "elasticloadbalancing:CreateRule",
            "elasticloadbalancing:DeleteListener",
            "elasticloadbalancing:DeleteRule",
            "elasticloadbalancing:ModifyListener",
            "elasticloadbalancing:ModifyListenerAttributes",
            "elasticloadbalancing:ModifyRule",
            "elasticloadbalancing:RemoveListenerCertificates",
            "elasticloadbalancing:SetRulePriorities",
            on=[balancers, listeners, rules],
        ),
        # Not on load balancers: whoever may tag any of them passes every condition on tags above.
        allow(
            "elasticloadbalancing:AddTags",
            "elasticloadbalancing:RemoveTags",
            on=[listeners, rules],
        ),
        allow(
            "iam:CreateServiceLinkedRole",
            on=place.global_arn("iam", "role/aws-service-role/elasticloadbalancing.amazonaws.com/*"),
            when={"StringEquals": {"iam:AWSServiceName": "elasticloadbalancing.amazonaws.com"}},
        ),
    ]
