"""The identities of our Jobs: weight staging and benchmarks, each with its own prefix of the model bucket."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint.apps import AppsPlan
from infra.constructs.pod_role import PodRole
from infra.permissions.jobs import prefix_writer_statements
from infra.place import Place


class JobRoles(Construct):
    """One role for each service account and prefix."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        plan: AppsPlan,
        cluster_name: str,
        cluster_arn: str,
        key_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        wanted: dict[tuple[str, str], tuple[str, str]] = {}
        for staging in plan.staging:
            wanted[staging.namespace, staging.service_account] = (staging.bucket, staging.prefix)
        for benchmark in plan.benchmarks:
            wanted[benchmark.namespace, benchmark.service_account] = (benchmark.bucket, benchmark.prefix)
        for (namespace, account), (bucket, prefix) in wanted.items():
            PodRole(
                self,
                f"{namespace}-{account}",
                place=place,
                cluster_name=cluster_name,
                cluster_arn=cluster_arn,
                namespace=namespace,
                service_account=account,
                policies=prefix_writer_statements(place, bucket=bucket, prefix=prefix, key_arn=key_arn),
            )
