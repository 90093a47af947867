from hyperpod_dpd.rules.rule import ERROR, OBJECT, Match, Matches, ObjectView, rule


@rule(
    ("DPD144", "definition-refuses", ERROR, OBJECT),
    title="An object that the definition of its kind refuses",
    what="""Objects of custom kinds whose CustomResourceDefinition lies in the same run, in any folder that was
    named: unknown and missing fields, types, patterns, empty keys.""",
    why="The API server judges a custom object by its definition, and refuses what that does not know.",
    fine="When the definition in the folder is older than the one in the cluster; give the current one then.",
    fix="write what the definition allows",
    sources="Kubernetes documentation, CustomResourceDefinition, validation and pruning",
    tags=("schema",),
    of="object",
    before="""- apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: boards.example.com}
      spec:
        group: example.com
        names: {kind: Board, plural: boards}
        scope: Namespaced
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {properties: {spec: {properties: {rows: {type: integer}}}}}}
    - {apiVersion: example.com/v1, kind: Board, metadata: {name: a}, spec: {row: 3}}""",
    after="""- apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: boards.example.com}
      spec:
        group: example.com
        names: {kind: Board, plural: boards}
        scope: Namespaced
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {properties: {spec: {properties: {rows: {type: integer}}}}}}
    - {apiVersion: example.com/v1, kind: Board, metadata: {name: a}, spec: {rows: 3}}""",
)
def check(item: ObjectView) -> Matches:
    for problem in item.refusals_of_definition():
        yield Match(problem.path, problem.message, fix=problem.fix)
