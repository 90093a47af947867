"""The roles of the inference operator: its own, its load balancer controller's, autoscaler's and gateway's."""

from __future__ import annotations

from collections.abc import Sequence

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import OperatorPlan
from hyperpod_dpd.config.existing import ExistingRoles
from infra.constructs.service_account_role import ServiceAccountRole
from infra.permissions.autoscaler import autoscaler_statements
from infra.permissions.keys import use_through_s3
from infra.permissions.load_balancer import load_balancer_statements
from infra.place import Place
from infra.trust import Issuer


class OperatorRoles(Construct):
    """The operator's role is assumed by SageMaker and by both names of the operator's service account.

    The add-on and the Helm chart name that account differently, and AWS's pages are not consistent about
    which one runs; the name of the role begins as the operator demands. A role in ``given`` is not made.
    ``tls_key_arns`` is the key of a certificate bucket that somebody else owns.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        issuer: Issuer,
        plan: OperatorPlan,
        given: ExistingRoles,
        cluster_name: str,
        vpc_id: str,
        node_security_group_id: str,
        tls_key_arns: Sequence[str] = (),
    ) -> None:
        super().__init__(scope, id)
        accounts = (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)
        self.execution_role_arn = (
            given.operator
            or ServiceAccountRole(
                self,
                "Operator",
                issuer=issuer,
                name=plan.role_name,
                subjects=[f"{names.OPERATOR_NAMESPACE}:{account}" for account in accounts],
                services=["sagemaker.amazonaws.com"],
                managed_policy_arns=[place.managed_policy_arn("AmazonSageMakerHyperPodInferenceAccess")],
                policies={"WriteCertificates": [use_through_s3(place, tls_key_arns)]} if tls_key_arns else {},
            ).arn
        )
        self.load_balancer_role_arn = (
            given.load_balancer
            or ServiceAccountRole(
                self,
                "LoadBalancer",
                issuer=issuer,
                subjects=[names.load_balancer_subject(plan.install)],
                policies=load_balancer_statements(
                    place,
                    cluster_name=cluster_name,
                    vpc_id=vpc_id,
                    node_security_group_id=node_security_group_id,
                ),
            ).arn
        )
        self.autoscaler_role_arn = (
            given.keda
            or ServiceAccountRole(
                self,
                "Autoscaler",
                issuer=issuer,
                subjects=[names.autoscaler_subject(plan.install)],
                policies=autoscaler_statements(place),
            ).arn
        )
        self.gateway_role_arn: str | None = None
        if plan.gateway:
            self.gateway_role_arn = ServiceAccountRole(
                self,
                "Gateway",
                issuer=issuer,
                subjects=[f"{names.OPERATOR_NAMESPACE}:{names.GATEWAY_SERVICE_ACCOUNT}"],
                managed_policy_arns=[
                    place.managed_policy_arn("AmazonSageMakerHyperPodInferenceGatewayAccess")
                ],
                policies={},
            ).arn
