"""Findings of cdk-nag's AWS Solutions pack that we accept, each with its reason; CI fails on any other."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

_NAG = "AwsSolutions-"
_DEPLOYMENT = "storage/Custom::CDKBucketDeployment*"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding by rule, with its part in brackets, and construct below the stage.

    ``*`` stands for any text, ``STAR`` for a star itself.
    """

    rule: str
    construct: str
    reason: str

    def covers(self, rule: str, construct: str) -> bool:
        """Whether a finding of the pack, on a construct path that begins with the stage, is accepted."""
        pattern = f"{_NAG}{self.rule}".replace("[", "[[]").replace("STAR", "[*]")
        return fnmatchcase(rule, pattern) and fnmatchcase(construct.partition("/")[2], self.construct)


ACCEPTED: tuple[Accepted, ...] = (
    Accepted(
        "EKS1",
        "control-plane/Eks/Resource",
        "the API is public only for the ranges that the document names, and DPD236 refuses one that covers everybody",
    ),
    Accepted(
        "IAM4[Policy::*AmazonEKSClusterPolicy]",
        "control-plane/Eks/Role",
        "EKS asks for this policy by name on the cluster's role and extends it as the service grows",
    ),
    Accepted(
        "IAM4[Policy::*AmazonSageMakerClusterInstanceRolePolicy]",
        "hyperpod/NodeRole/Resource",
        "HyperPod asks for this policy by name on the execution role of instance groups",
    ),
    Accepted(
        "IAM4[Policy::*AmazonSageMakerHyperPodInferenceAccess]",
        "addons/Operator/Operator/Resource",
        "the inference operator's documentation asks for this policy; what it needs changes with its releases",
    ),
    Accepted(
        "IAM4[Policy::*AmazonSageMakerHyperPodInferenceGatewayAccess]",
        "addons/Operator/Gateway/Resource",
        "the Inference Gateway's documentation asks for this policy",
    ),
    Accepted(
        "IAM5[Resource::STAR]",
        "hyperpod/NodeRole/Resource",
        "EC2's Describe calls and the registry token know no narrower resource",
    ),
    Accepted(
        "IAM5[Resource::arn:*:ec2:*]",
        "hyperpod/NodeRole/Resource",
        "the CNI makes interfaces whose ids nobody knows before; nodes stand in an account of AWS",
    ),
    Accepted(
        "IAM5[Resource::arn:*:ecr:*:repository/STAR]",
        "hyperpod/NodeRole/Resource",
        "images of HyperPod's own agents lie in accounts of AWS; the calls only read",
    ),
    Accepted(
        "IAM5[Resource::arn:*:ecr:*:repository/dpd-*/STAR]",
        "hyperpod/NodeRole/Resource",
        "a first pull makes the repository of the environment's own cache, under the image's name",
    ),
    Accepted(
        "IAM5[Resource::arn:*:sagemaker:*:cluster/STAR]",
        "hyperpod/ClusterRole/Resource",
        "a cluster's ARN carries a number that its creation brings, and the role must exist before",
    ),
    Accepted(
        "IAM5[Resource::arn:*:s3:::*/*/STAR]",
        "addons/Jobs/*/Role",
        "a Job writes every object below the one prefix that is its own",
    ),
    Accepted(
        "IAM5[Resource::arn:*:cloudwatch:*:alarm:STAR]",
        "hyperpod/NodeRole/Resource",
        "HyperPod reads the alarms of a rolling update, whose names the user chooses then",
    ),
    Accepted(
        "IAM5[Resource::arn:*:s3:::*/STAR]",
        "hyperpod/NodeRole/Resource",
        "nodes read every object of the bucket that holds nothing but their lifecycle scripts",
    ),
    Accepted(
        "IAM5[Resource::arn:*:s3:::*/STAR]",
        "addons/S3Driver/Role/Resource",
        "the driver mounts the bucket that holds nothing but models, read only",
    ),
    Accepted(
        "IAM5[Resource::arn:*:fsx:*:file-system/STAR]",
        "addons/FsxDriver/Role",
        "DescribeFileSystems is asked for the account's file systems; the driver may do nothing else",
    ),
    Accepted(
        "IAM5[Resource::STAR]",
        "addons/Operator/LoadBalancer/Resource",
        "Describe calls of EC2, load balancing, WAF and Shield know no narrower resource",
    ),
    Accepted(
        "IAM5[Resource::arn:*:security-group/STAR]",
        "addons/Operator/LoadBalancer/Resource",
        "the controller makes security groups; conditions on its tags narrow what it may change",
    ),
    Accepted(
        "IAM5[Resource::arn:*:elasticloadbalancing:*]",
        "addons/Operator/LoadBalancer/Resource",
        "the controller makes load balancers under names of its own; conditions on its tags narrow what it may change",
    ),
    Accepted(
        "IAM5[Resource::arn:*:role/aws-service-role/elasticloadbalancing.amazonaws.com/STAR]",
        "addons/Operator/LoadBalancer/Resource",
        "the service-linked role of load balancing and no other may be made",
    ),
    Accepted(
        "IAM5[Resource::STAR]",
        "addons/Operator/Autoscaler/Resource",
        "CloudWatch metrics have no resource name",
    ),
    Accepted(
        "IAM5[Resource::arn:*:aps:*:workspace/STAR]",
        "addons/Operator/Autoscaler/Resource",
        "the workspace is made elsewhere; the autoscaler may only query",
    ),
    Accepted(
        "IAM5[Resource::arn:*:logs:*:log-group:STAR]",
        "network/FlowLog/Role",
        "DescribeLogGroups knows no narrower resource than the account's log groups",
    ),
    Accepted(
        "S10",
        "storage/*/Policy",
        "each policy denies what comes without TLS; the pack compares the bucket's name in the policy's ARNs with "
        "the unresolved reference of the policy, and finds the same rule kept on the bucket itself",
    ),
    Accepted(
        "IAM4[Policy::*AWSLambdaBasicExecutionRole]",
        f"{_DEPLOYMENT}/ServiceRole/Resource",
        "CDK's own function that copies the lifecycle scripts at deployment",
    ),
    Accepted(
        "IAM5[*]",
        f"{_DEPLOYMENT}/ServiceRole/DefaultPolicy/Resource",
        "CDK's own function: rights on the bucket of scripts, CDK's asset bucket and their key, as CDK writes them",
    ),
    Accepted(
        "L1",
        f"{_DEPLOYMENT}/Resource",
        "CDK chooses the runtime of its own function, and moves it with its releases",
    ),
    Accepted(
        "IAM5[Resource::arn:*:logs:*:log-group:/aws/sagemaker/Clusters/STAR*]",
        "observability/Addon/Role",
        "the add-on names its log groups itself, below this prefix; the names are not published",
    ),
    Accepted(
        "IAM5[Resource::STAR]",
        "observability/Grafana/Role",
        "listing AMP workspaces and reading CloudWatch metrics know no narrower resource",
    ),
    Accepted(
        "IAM5[Resource::arn:*:grafana:*:/workspaces/*/STAR]",
        "observability/GrafanaToken/Role",
        "service accounts and tokens below the one workspace get their ids when they are made",
    ),
)
