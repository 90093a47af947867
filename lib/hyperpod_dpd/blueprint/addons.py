"""EKS add-ons: which, at which pinned version, after which others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.addon_values import addon_values
from hyperpod_dpd.blueprint.model import AddonPlan, OperatorPlan
from hyperpod_dpd.catalog import kubernetes

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment


def plan_addons(environment: Environment, operator: OperatorPlan) -> tuple[AddonPlan, ...]:
    """The add-ons of the cluster, each after those it names; the operator last."""
    plans = []
    present = set(environment.cluster.existing.addons) if environment.cluster.existing else set()
    for addon in kubernetes.addons():
        if addon.name == names.OPERATOR_ADDON:
            if operator.install != "addon" or operator.addon_version is None:
                continue
            version: str | None = operator.addon_version
        elif addon.name == names.TASK_GOVERNANCE_ADDON and environment.task_governance:
            version = environment.addon_versions.get(addon.name) or (
                str(addon.default) if addon.default else None
            )
        elif addon.name in names.OPTIONAL_ADDONS:
            continue
        else:
            pinned = environment.addon_versions.get(addon.name) or addon.default
            version = str(pinned) if pinned else None
        if addon.name in present:
            continue
        plans.append(
            AddonPlan(
                name=addon.name,
                version=version,
                after=addon.depends_on,
                needs_nodes=addon.needs_nodes,
                values=addon_values(environment, addon.name),
            )
        )
    return tuple(plans)
