"""EKS add-ons, pinned and in an order in which each finds what it needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import aws_eks as eks
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.model import AddonPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class AddonSettings:
    """What an add-on is given besides its version.

    ``values`` is JSON text, ``role_arn`` the role of its service account, ``needs`` what must stand first.
    """

    values: str | None = None
    role_arn: str | None = None
    needs: IDependable | None = None


class Addons(Construct):
    """The add-ons of ``plans``; those named in ``after`` but absent here come from an earlier stack."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        cluster_name: str,
        plans: Sequence[AddonPlan],
        conflicts: str,
        settings: Mapping[str, AddonSettings],
    ) -> None:
        super().__init__(scope, id)
        made: dict[str, eks.CfnAddon] = {}
        for plan in plans:
            own = settings.get(plan.name, AddonSettings())
            addon = eks.CfnAddon(
                self,
                plan.name,
                cluster_name=cluster_name,
                addon_name=plan.name,
                addon_version=plan.version,
                resolve_conflicts=conflicts,
                configuration_values=own.values or (json.dumps(plan.values) if plan.values else None),
                service_account_role_arn=own.role_arn,
            )
            if own.needs is not None:
                addon.node.add_dependency(own.needs)
            for earlier in plan.after:
                if earlier in made:
                    addon.add_resource_dependency(made[earlier])
            made[plan.name] = addon
