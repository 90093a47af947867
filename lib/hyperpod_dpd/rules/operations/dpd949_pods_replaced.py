from hyperpod_dpd.rules.rule import ENVIRONMENT_CHANGE, WARNING, EnvironmentChangeView, Match, Matches, rule


@rule(
    ("DPD949", "pods-replaced", WARNING, ENVIRONMENT_CHANGE),
    title="A change restarts every pod of an endpoint",
    what="The model of an endpoint that exists.",
    why="""Until the new weights are loaded, nobody serves.""",
    fine="In a maintenance window.",
    fix="bring the new up beside the old, move the traffic, then remove the old",
    sources="hyperpod-dpd, what a pod template is made of",
    tags=("change", "operations"),
    before="endpoints: {llama-70b: {model: {catalogue: llama-3.1-70b-instruct}}}",
    after="production: false",
)
def check(change: EnvironmentChangeView) -> Matches:
    for found in change.consequences:
        if not found.lasting:
            message = f"{found.fact} was {found.was} and becomes {found.now}: {found.row.consequence}"
            yield Match(found.place, message, fix=found.way(change.after.loaded.name))
