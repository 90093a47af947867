from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1005", "roles-in-one-subnet", ERROR, PAIR),
    title="The groups of both roles do not share one subnet in the templates",
    what="The subnets of the groups that prefill and decode select, followed across stacks.",
    why="""EFA does not reach from one zone into another: the KV cache goes nowhere, and each request is
    computed twice.""",
    fine="When both subnets are known to lie in one zone.",
    fix="give both groups an OverrideVpcConfig with the same single subnet",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="""template:
      Resources:
        Cluster:
          Properties:
            InstanceGroups:
              - {InstanceGroupName: prefill, InstanceType: ml.p5.48xlarge, InstanceCount: 1}
              - InstanceGroupName: decode
                InstanceType: ml.p5.48xlarge
                InstanceCount: 1
                OverrideVpcConfig: {Subnets: [{Ref: ZoneOne}]}""",
    after="""template:
      Resources:
        Cluster:
          Properties:
            InstanceGroups:
              - {InstanceGroupName: prefill, InstanceType: ml.p5.48xlarge, InstanceCount: 1}
              - InstanceGroupName: decode
                InstanceType: ml.p5.48xlarge
                InstanceCount: 1
                OverrideVpcConfig: {Subnets: [{Ref: ZoneTwo}]}""",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "subnet")
