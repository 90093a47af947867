"""A monthly budget of what the environment costs, with mail before and when it is spent."""

from __future__ import annotations

from aws_cdk import aws_budgets as budgets
from constructs import Construct

from hyperpod_dpd.blueprint.cloud import BudgetPlan


class CostBudget(Construct):
    """Counts what carries the environment's tag, which has to be activated once as a cost allocation tag."""

    def __init__(self, scope: Construct, id: str, *, plan: BudgetPlan) -> None:
        super().__init__(scope, id)
        types = budgets.CfnBudget
        mails = [
            types.SubscriberProperty(subscription_type="EMAIL", address=address) for address in plan.notify
        ]
        budgets.CfnBudget(
            self,
            "Resource",
            budget=types.BudgetDataProperty(
                budget_name=plan.name,
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=types.SpendProperty(amount=plan.monthly_usd, unit="USD"),
                cost_filters={"TagKeyValue": [plan.tag]},
            ),
            notifications_with_subscribers=[
                types.NotificationWithSubscribersProperty(
                    notification=types.NotificationProperty(
                        comparison_operator="GREATER_THAN",
                        notification_type="ACTUAL",
                        threshold=percent,
                        threshold_type="PERCENTAGE",
                    ),
                    subscribers=mails,
                )
                for percent in plan.alert_percents
            ],
        )
