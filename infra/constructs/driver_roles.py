"""The roles of the two CSI drivers, each with the identity that its add-on is documented with."""

from __future__ import annotations

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.stores import BucketPlan
from infra.constructs.service_account_role import ServiceAccountRole
from infra.permissions.storage_drivers import fsx_driver_statements, s3_driver_statements
from infra.place import Place
from infra.policy import inline
from infra.trust import Issuer, pod_identity_trust


class S3DriverRole(Construct):
    """Reads the model bucket and those that endpoints name, as the driver's service account."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        issuer: Issuer,
        buckets: BucketPlan,
        key_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        self.arn = ServiceAccountRole(
            self,
            "Role",
            issuer=issuer,
            subjects=[f"{names.DRIVER_NAMESPACE}:{names.S3_DRIVER_SERVICE_ACCOUNT}"],
            policies=s3_driver_statements(
                place,
                model_bucket=buckets.models,
                key_arn=key_arn,
                further=buckets.weights,
                further_key_arns=buckets.keys_of(buckets.weights),
            ),
        ).arn


class FsxDriverRole(Construct):
    """Finds the file system, through a Pod Identity association of its own (the add-on takes none inline).

    ``given`` is the ARN of a role that exists already; then only the association is made.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        cluster_name: str,
        cluster_arn: str,
        given: str | None,
    ) -> None:
        super().__init__(scope, id)
        role_arn = given or self._role(place, cluster_arn)
        eks.CfnPodIdentityAssociation(
            self,
            "Association",
            cluster_name=cluster_name,
            namespace=names.DRIVER_NAMESPACE,
            service_account=names.FSX_DRIVER_SERVICE_ACCOUNT,
            role_arn=role_arn,
        )

    def _role(self, place: Place, cluster_arn: str) -> str:
        policies = fsx_driver_statements(place)
        return iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=pod_identity_trust(place, cluster_arn=cluster_arn),
            policies=[inline(title, *statements) for title, statements in policies.items()],
        ).attr_arn
