"""What views hand on, as names for the annotations of rules: nothing is loaded for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import EndpointPlan as EndpointPlan
    from hyperpod_dpd.blueprint.model import InstanceGroupPlan as InstanceGroupPlan
    from hyperpod_dpd.blueprint.model import RolePlan as RolePlan
    from hyperpod_dpd.config.cluster import Taint as Taint
    from hyperpod_dpd.config.endpoint import Percentiles as Percentiles
    from hyperpod_dpd.config.operations import Drill as Drill
    from hyperpod_dpd.view.endpoint import RoleView as RoleView
else:
    EndpointPlan = InstanceGroupPlan = RolePlan = Taint = Percentiles = Drill = RoleView = Any
