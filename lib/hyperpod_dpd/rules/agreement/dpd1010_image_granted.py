from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1010", "image-granted", ERROR, PAIR),
    title="The node role may not pull the worker image",
    what="""The private ECR repository of the worker image against the repositories that a role of the
    templates, which SageMaker assumes for nodes, may pull: account, Region and name.""",
    why="""The nodes get no layer of the image: the pods stay in ImagePullBackOff with a 403 in their
    events, and nothing is served.""",
    fine="When nodes run as a role that is made elsewhere and may pull it.",
    fix="""name the repository in the environment document, from which the node role's grant follows, or grant
    the role ecr:BatchGetImage and ecr:GetDownloadUrlForLayer on it""",
    sources="Amazon ECR user guide, private repositories of other accounts and Regions | hyperpod-dpd, "
    "re-derived from templates and manifests",
    tags=("agreement", "images"),
    waivable=True,
    before="""manifest: {spec: {worker: {image: '111122223333.dkr.ecr.eu-west-1.amazonaws.com/vllm:v1'}}}
    template:
      Resources:
        NodeRole:
          Type: AWS::IAM::Role
          Properties:
            AssumeRolePolicyDocument: {Statement: [{Principal: {Service: sagemaker.amazonaws.com}}]}
            Policies:
              - PolicyDocument:
                  Statement:
                    - Effect: Allow
                      Action: ['ecr:BatchGetImage']
                      Resource: 'arn:aws:ecr:us-west-2:*:repository/*'""",
    after="""manifest: {spec: {worker: {image: '111122223333.dkr.ecr.eu-west-1.amazonaws.com/vllm:v1'}}}
    template:
      Resources:
        NodeRole:
          Type: AWS::IAM::Role
          Properties:
            AssumeRolePolicyDocument: {Statement: [{Principal: {Service: sagemaker.amazonaws.com}}]}
            Policies:
              - PolicyDocument:
                  Statement:
                    - Effect: Allow
                      Action: ['ecr:BatchGetImage']
                      Resource: 'arn:aws:ecr:eu-west-1:111122223333:repository/vllm'""",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "image")
