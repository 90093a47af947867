from hyperpod_dpd.rules.rule import ERROR, OBJECT, Match, Matches, ObjectView, rule


@rule(
    ("DPD143", "object-refused", ERROR, OBJECT),
    title="A Kubernetes object that the API server refuses",
    what="""Objects of Kubernetes' own kinds beside the endpoint, by the fields of versions 1.30 to 1.35: unknown
    and missing fields, types, allowed words, names, labels, selectors that miss their own pods, mounts without a
    volume.""",
    why="""What is applied together fails together: a controller that cannot apply one object of an app reports the
    app as failed, and what comes after it is never applied.""",
    fine="Never.",
    fix="correct the field",
    sources="Kubernetes OpenAPI definitions, 1.30 to 1.35 | Kubernetes API reference",
    tags=("schema",),
    of="object",
    before="{apiVersion: v1, kind: ServiceAccount, metadata: {name: llm}, automountToken: false}",
    after="{apiVersion: v1, kind: ServiceAccount, metadata: {name: llm}, automountServiceAccountToken: false}",
)
def check(item: ObjectView) -> Matches:
    for problem in item.refusals():
        yield Match(problem.path, problem.message, fix=problem.fix)
