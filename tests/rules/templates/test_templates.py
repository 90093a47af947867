"""CloudFormation templates: what only they show, alone and through references across stacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.rules.finding import Finding
from tests.support.templates import judge_templates, spoiled_template, template

GROUP = "{Fn::GetAtt: [Nodes, GroupId]}"


def findings(rule: str, folder: Path, fragment: str) -> list[Finding]:
    return [f for f in judge_templates(folder, spoiled_template(fragment)) if f.id == rule]


def groups(**properties: Any) -> list[dict[str, Any]]:
    """The healthy template's two groups with more properties each."""
    value: list[dict[str, Any]] = template()["Resources"]["Cluster"]["Properties"]["InstanceGroups"]
    return [{**group, **properties} for group in value]


def with_groups(value: list[dict[str, Any]]) -> str:
    return json.dumps({"Resources": {"Cluster": {"Properties": {"InstanceGroups": value}}}})


def test_the_healthy_template_has_no_finding(tmp_path) -> None:
    assert judge_templates(tmp_path, template()) == []


@pytest.mark.parametrize(("missing", "side"), [("ToItself", "egress"), ("FromItself", "ingress")])
def test_half_of_the_pair(tmp_path, missing: str, side: str) -> None:
    (found,) = findings("DPD250", tmp_path, f"Resources: {{{missing}: null}}")
    assert (
        found.path == "Resources.Nodes" and f"no {side} rule" in found.message and found.severity == "error"
    )


@pytest.mark.parametrize(
    "rule",
    [
        "{CidrIp: 0.0.0.0/0, IpProtocol: '-1'}",
        f"{{DestinationSecurityGroupId: {GROUP}, IpProtocol: tcp, FromPort: 0, ToPort: 65535}}",
        "{DestinationSecurityGroupId: sg-0a1b2c3d, IpProtocol: '-1'}",
    ],
)
def test_what_does_not_count_as_egress_to_itself(tmp_path, rule: str) -> None:
    fragment = f"""
Resources:
  ToItself: null
  Nodes: {{Properties: {{SecurityGroupEgress: [{rule}]}}}}
"""
    assert len(findings("DPD250", tmp_path, fragment)) == 1


def test_numeric_protocol_and_dotted_reference_count(tmp_path) -> None:
    fragment = """
Resources:
  ToItself:
    Properties:
      IpProtocol: -1
      GroupId: {Fn::GetAtt: Nodes.GroupId}
      DestinationSecurityGroupId: {Fn::GetAtt: Nodes.GroupId}
"""
    assert findings("DPD250", tmp_path, fragment) == []


def test_every_group_of_every_instance_group_is_judged(tmp_path) -> None:
    config = {
        "SecurityGroupIds": [{"Ref": "Second"}, "sg-0123456789abcdef0"],
        "Subnets": [{"Ref": "ZoneTwo"}],
    }
    value = json.loads(with_groups(groups(OverrideVpcConfig=config)))
    value["Resources"]["Second"] = {
        "Type": "AWS::EC2::SecurityGroup",
        "Properties": {"GroupDescription": "x"},
    }
    found = findings("DPD250", tmp_path, json.dumps(value))
    assert {(f.severity, f.message.split(" of ")[0]) for f in found} == {
        ("error", "security group Second"),
        ("warning", "the rules"),
    }
    assert "sg-0123456789abcdef0" in next(f.message for f in found if f.severity == "warning")


def _split() -> tuple[dict[str, Any], dict[str, Any]]:
    """The healthy template in two: the network exports its group, the rest imports it."""
    whole = template()["Resources"]
    network = {"Resources": {name: whole.pop(name) for name in ("Nodes", "FromItself", "ToItself")}}
    network["Outputs"] = {
        "Group": {"Value": {"Fn::GetAtt": ["Nodes", "GroupId"]}, "Export": {"Name": "network:Group"}}
    }
    whole["Cluster"]["Properties"]["VpcConfig"]["SecurityGroupIds"] = [{"Fn::ImportValue": "network:Group"}]
    return network, {"Resources": whole}


def test_a_group_of_another_stack(tmp_path) -> None:
    network, rest = _split()
    assert judge_templates(tmp_path, network, rest) == []
    del network["Resources"]["ToItself"]
    found = [f for f in judge_templates(tmp_path, network, rest) if f.id == "DPD250"]
    assert {(f.severity, f.path) for f in found} == {
        ("warning", "Resources.Nodes"),
        ("error", "Resources.Cluster.Properties.VpcConfig.SecurityGroupIds[0]"),
    }


def test_an_import_that_leads_nowhere_is_not_guessed_at(tmp_path) -> None:
    _, rest = _split()
    assert [f for f in judge_templates(tmp_path, rest) if f.id == "DPD250"] == []


def test_several_subnets_for_one_group(tmp_path) -> None:
    config = {"SecurityGroupIds": [{"Ref": "Nodes"}], "Subnets": [{"Ref": "ZoneOne"}, {"Ref": "ZoneTwo"}]}
    found = findings("DPD251", tmp_path, with_groups(groups(OverrideVpcConfig=config)))
    assert len(found) == 2 and all("names 2 subnets" in f.message for f in found)


def test_two_pairs_in_two_subnets_are_two_endpoints(tmp_path) -> None:
    def pair(zone: str) -> list[dict[str, Any]]:
        return groups(OverrideVpcConfig={"Subnets": [{"Ref": zone}], "SecurityGroupIds": [{"Ref": "Nodes"}]})

    assert findings("DPD251", tmp_path, with_groups([*pair("ZoneOne"), *pair("ZoneTwo")])) == []


def test_pairs_by_name_are_a_warning(tmp_path) -> None:
    value = groups(KubernetesConfig={"Labels": {"team": "a"}})
    value[0]["OverrideVpcConfig"] = {"Subnets": [{"Ref": "ZoneOne"}], "SecurityGroupIds": [{"Ref": "Nodes"}]}
    found = findings("DPD251", tmp_path, with_groups(value))
    assert [f.severity for f in found] == ["warning", "warning"]


@pytest.mark.parametrize(
    ("name", "fires"), [("a" * 63, False), ("a" * 64, True), ("-a", True), ("a--b", False), ("a-", True)]
)
def test_cluster_names(tmp_path, name: str, fires: bool) -> None:
    found = findings("DPD252", tmp_path, f"Resources: {{Cluster: {{Properties: {{ClusterName: '{name}'}}}}}}")
    assert bool(found) is fires


def test_empty_values_deep_inside_and_the_one_that_is_meant(tmp_path) -> None:
    value = groups(CapacityRequirements={"Spot": {}}, TrainingPlanArn="", InstanceStorageConfigs=[{}])
    found = findings("DPD253", tmp_path, with_groups(value))
    assert {f.path.partition("InstanceGroups")[2] for f in found} == {
        f"[{index}].{rest}" for index in (0, 1) for rest in ("TrainingPlanArn", "InstanceStorageConfigs[0]")
    }


def test_a_slurm_cluster_for_training_is_none_of_our_business(tmp_path) -> None:
    value = json.loads(with_groups(groups(InstanceType="ml.trn1.32xlarge", KubernetesConfig={})))
    value["Resources"]["Cluster"]["Properties"]["Orchestrator"] = None
    assert findings("DPD254", tmp_path, json.dumps(value)) == []
    (found,) = findings("DPD254", tmp_path, "Resources: {Cluster: {Properties: {Orchestrator: null}}}")
    assert "Slurm by default" in found.message and found.severity == "warning"


@pytest.mark.parametrize(
    ("access", "fires"),
    [
        ("null", True),
        ("{AuthenticationMode: API_AND_CONFIG_MAP}", False),
        ("{AuthenticationMode: {Ref: Mode}}", False),
    ],
)
def test_authentication(tmp_path, access: str, fires: bool) -> None:
    found = findings("DPD255", tmp_path, f"Resources: {{Eks: {{Properties: {{AccessConfig: {access}}}}}}}")
    assert bool(found) is fires


@pytest.mark.parametrize(
    ("uri", "fires"),
    [
        ("s3://dpd-lcs/", True),
        ({"Fn::Sub": "s3://dpd-${AWS::Region}/"}, True),
        ({"Fn::Join": ["", ["s3://", {"Ref": "Bucket"}, "/"]]}, False),
        ("s3://sagemaker-x/y", False),
    ],
)
def test_lifecycle_buckets(tmp_path, uri: Any, fires: bool) -> None:
    value = groups(LifeCycleConfig={"SourceS3Uri": uri, "OnCreate": "on_create.sh"})
    assert bool(findings("DPD256", tmp_path, with_groups(value))) is fires


def test_a_role_that_reads_the_bucket_by_its_own_policy(tmp_path) -> None:
    value = json.loads(with_groups(groups(LifeCycleConfig={"SourceS3Uri": "s3://mine/"})))
    statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::mine/*"}
    policy = {"PolicyName": "Read", "PolicyDocument": {"Statement": [statement]}}
    value["Resources"]["NodeRole"] = {"Properties": {"Policies": [policy]}}
    assert findings("DPD256", tmp_path, json.dumps(value)) == []


def test_of_somebody_elses_role_nothing_is_known(tmp_path) -> None:
    own = groups(LifeCycleConfig={"SourceS3Uri": "s3://mine/"})
    given = groups(LifeCycleConfig={"SourceS3Uri": "s3://mine/"}, ExecutionRole="arn:aws:iam::1:role/nodes")
    found = findings("DPD256", tmp_path, with_groups(own)), findings("DPD256", tmp_path, with_groups(given))
    assert [{f.severity.value for f in each} for each in found] == [{"error"}, {"warning"}]
    parameter = groups(LifeCycleConfig={"SourceS3Uri": "s3://mine/"}, ExecutionRole={"Ref": "Theirs"})
    assert {f.severity.value for f in findings("DPD256", tmp_path, with_groups(parameter))} == {"warning"}


@pytest.mark.parametrize(
    ("arn", "severity"),
    [
        ("arn:aws:iam::1:role/SageMakerHyperPodInference-x", "warning"),
        ("${Theirs}", "warning"),
        ("${OperatorRole.Arn}", "error"),
    ],
)
def test_of_a_role_given_to_the_add_on_nothing_is_known(tmp_path, arn: str, severity: str) -> None:
    value = json.loads(_values(tlsCertificateS3Bucket="certs", executionRoleArn=arn))
    properties = value["Resources"]["Inference"]["Properties"]
    properties["ConfigurationValues"] = {"Fn::Sub": properties["ConfigurationValues"]}
    assert [f.severity.value for f in findings("DPD258", tmp_path, json.dumps(value))] == [severity]


def test_a_role_that_reads_the_bucket_by_a_policy_attached_to_it(tmp_path) -> None:
    value = json.loads(with_groups(groups(LifeCycleConfig={"SourceS3Uri": "s3://mine/"})))
    statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::mine/*"}
    for role, fires in (("NodeRole", False), ("OperatorRole", True)):
        value["Resources"]["Read"] = {
            "Type": "AWS::IAM::Policy",
            "Properties": {"Roles": [{"Ref": role}], "PolicyDocument": {"Statement": [statement]}},
        }
        assert bool(findings("DPD256", tmp_path, json.dumps(value))) is fires


@pytest.mark.parametrize(
    ("name", "fires"),
    [("null", True), ("operator", True), ("{Fn::Sub: 'x-${AWS::Region}'}", True), ("{Ref: Name}", False)],
)
def test_names_of_the_operators_role(tmp_path, name: str, fires: bool) -> None:
    found = findings("DPD257", tmp_path, f"Resources: {{OperatorRole: {{Properties: {{RoleName: {name}}}}}}}")
    assert bool(found) is fires
    assert findings("DPD257", tmp_path, "Resources: {NodeRole: {Properties: {RoleName: anything}}}") == []


def _values(**values: object) -> str:
    base = {
        "executionRoleArn": "arn",
        "hyperpodClusterArn": "arn",
        "tlsCertificateS3Bucket": "hyperpod-tls-x",
    }
    text = json.dumps({**base, **values})
    return json.dumps({"Resources": {"Inference": {"Properties": {"ConfigurationValues": text}}}})


@pytest.mark.parametrize(
    ("bucket", "says"),
    [
        ("certs", "does not begin with hyperpod-tls"),
        ("s3://hyperpod-tls", "plain name"),
        ("hyperpod-tls", ""),
    ],
)
def test_buckets_of_the_operator(tmp_path, bucket: str, says: str) -> None:
    found = findings("DPD258", tmp_path, _values(tlsCertificateS3Bucket=bucket))
    assert bool(found) is bool(says)
    if found:
        assert says in found[0].message and found[0].path.endswith("ConfigurationValues")


def test_a_bucket_that_a_policy_grants(tmp_path) -> None:
    value = json.loads(_values(tlsCertificateS3Bucket="certs"))
    statement = {"Effect": "Allow", "Action": "s3:PutObject", "Resource": ["arn:aws:s3:::certs/*"]}
    value["Resources"]["Extra"] = {
        "Type": "AWS::IAM::Policy",
        "Properties": {"PolicyDocument": {"Statement": [statement]}},
    }
    assert findings("DPD258", tmp_path, json.dumps(value)) == []


def test_the_operators_policy(tmp_path) -> None:
    (found,) = findings(
        "DPD259", tmp_path, "Resources: {OperatorRole: {Properties: {ManagedPolicyArns: null}}}"
    )
    assert "AmazonSageMakerHyperPodInferenceAccess" in found.message and found.severity == "warning"
    own = """
Resources:
  OperatorRole:
    Properties:
      ManagedPolicyArns: null
      Policies: [{PolicyName: Own, PolicyDocument: {Statement: []}}]
"""
    assert findings("DPD259", tmp_path, own) == []


def _trust(statement: dict[str, Any]) -> str:
    policy = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})
    text = {"Fn::Sub": [policy, {"Issuer": {"Ref": "Issuer"}}]}
    role = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": text}}
    return json.dumps({"Resources": {"PodRole": role}})


@pytest.mark.parametrize(
    ("statement", "severity"),
    [
        ({"Principal": "*"}, "error"),
        ({"Principal": {"AWS": ["*"]}}, "error"),
        ({"Principal": {"AWS": "*"}, "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}}, None),
        ({"Principal": {"AWS": "arn:aws:iam::111122223333:root"}}, None),
        ({"Condition": {"StringLike": {"${Issuer}:sub": "system:serviceaccount:*:*"}}}, "error"),
        ({"Condition": {"StringLike": {"${Issuer}:sub": ["system:serviceaccount:*:gated*"]}}}, "warning"),
        ({"Condition": {"StringLike": {"${Issuer}:sub": "system:serviceaccount:a:b"}}}, None),
        ({"Condition": {"StringEquals": {"${Issuer}:sub": "system:serviceaccount:*:*"}}}, None),
    ],
)
def test_open_trust(tmp_path, statement: dict[str, Any], severity: str | None) -> None:
    found = findings("DPD260", tmp_path, _trust(statement))
    assert [f.severity for f in found] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("action", "fires"),
    [("sts:*", False), (["sts:AssumeRole"], True), (["STS:tagsession", "sts:AssumeRole"], False)],
)
def test_pod_identity(tmp_path, action: Any, fires: bool) -> None:
    fragment = _trust({"Principal": {"Service": "pods.eks.amazonaws.com"}, "Action": action})
    found = findings("DPD261", tmp_path, fragment)
    assert [f.message for f in found] == (
        ["role PodRole does not allow pods.eks.amazonaws.com sts:TagSession"] if fires else []
    )


@pytest.mark.parametrize(
    ("models", "fires"),
    [
        ("{PublicAccessBlockConfiguration: null}", True),
        ("{PublicAccessBlockConfiguration: {RestrictPublicBuckets: 'false'}}", True),
        ("{AccessControl: PublicRead}", True),
        ("{AccessControl: Private}", False),
    ],
)
def test_public_buckets(tmp_path, models: str, fires: bool) -> None:
    assert bool(findings("DPD262", tmp_path, f"Resources: {{Models: {{Properties: {models}}}}}")) is fires


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("{Effect: Allow, Principal: '*', Action: 's3:GetObject'}", True),
        ("{Effect: Allow, Principal: {AWS: '*'}, Action: 's3:GetObject'}", True),
        (
            "{Effect: Allow, Principal: '*', Action: 's3:*', Condition: {StringEquals: {'aws:SourceVpc': v}}}",
            False,
        ),
        ("{Effect: Deny, Principal: '*', Action: 's3:*'}", False),
    ],
)
def test_bucket_policies(tmp_path, statement: str, fires: bool) -> None:
    fragment = f"""
Resources:
  Policy:
    Type: AWS::S3::BucketPolicy
    Properties: {{Bucket: {{Ref: Models}}, PolicyDocument: {{Statement: [{statement}]}}}}
"""
    assert bool(findings("DPD262", tmp_path, fragment)) is fires


def test_addons_wait_through_others_and_by_reference(tmp_path) -> None:
    chain = """
Resources:
  CertManager: {DependsOn: S3Driver}
  Inference: {DependsOn: [CertManager, FsxDriver], Properties: {Tags: [{Key: a, Value: {Ref: MetricsServer}}]}}
"""
    assert findings("DPD263", tmp_path, chain) == []
    (found,) = findings("DPD263", tmp_path, "Resources: {Inference: {DependsOn: FsxDriver}}")
    assert "cert-manager, aws-mountpoint-s3-csi-driver, metrics-server" in found.message


def test_an_order_that_no_source_states_is_a_note(tmp_path) -> None:
    fragment = """
Resources:
  Dns: {Type: 'AWS::EKS::Addon', Properties: {ClusterName: {Ref: Eks}, AddonName: coredns}}
  Cni: {Type: 'AWS::EKS::Addon', Properties: {ClusterName: {Ref: Eks}, AddonName: vpc-cni}}
  CertManager: {Properties: {Tags: [{Key: after, Value: {'Fn::Sub': 'x-${Dns.Arn}'}}]}}
"""
    found = findings("DPD263", tmp_path, fragment)
    assert {(f.path, f.severity.value) for f in found} == {
        (f"Resources.{name}", "info") for name in ("Dns", "S3Driver", "FsxDriver", "MetricsServer")
    }


def test_an_addon_twice(tmp_path) -> None:
    fragment = """
Resources:
  Again: {Type: 'AWS::EKS::Addon', Properties: {ClusterName: {Ref: Eks}, AddonName: cert-manager}}
"""
    (found,) = findings("DPD263", tmp_path, fragment)
    assert "declared twice" in found.message and found.path == "Resources.Again"


def test_an_addon_of_another_stack_is_not_asked_for(tmp_path) -> None:
    fragment = "Resources: {CertManager: null, Inference: {DependsOn: [S3Driver, FsxDriver, MetricsServer]}}"
    assert findings("DPD263", tmp_path, fragment) == []


@pytest.mark.parametrize(
    ("version", "fires"),
    [("v1.18.2-eksbuild.1", True), ("'3.2'", True), ("{Ref: V}", False), ("null", False)],
)
def test_addon_versions_of_a_template(tmp_path, version: str, fires: bool) -> None:
    found = findings(
        "DPD264", tmp_path, f"Resources: {{CertManager: {{Properties: {{AddonVersion: {version}}}}}}}"
    )
    assert bool(found) is fires


@pytest.mark.parametrize(
    ("version", "severity"),
    [("v1.22.2-eksbuild.1", "warning"), ("v1.22.4-eksbuild.1", ""), ("v1.18.0-eksbuild.1", "error")],
)
def test_versions_that_are_known_to_be_faulty(tmp_path, version: str, severity: str) -> None:
    properties = f"{{ClusterName: {{Ref: Eks}}, AddonName: vpc-cni, AddonVersion: {version}}}"
    found = findings(
        "DPD264", tmp_path, f"Resources: {{Cni: {{Type: 'AWS::EKS::Addon', Properties: {properties}}}}}"
    )
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_the_charts_key_for_keda(tmp_path) -> None:
    (found,) = findings(
        "DPD265", tmp_path, _values(keda={"podIdentity": {"aws": {"irsa": {"roleArn": "arn"}}}})
    )
    assert found.severity == "warning" and "Helm chart's key" in found.message


def test_the_cluster_arn_was_not_needed_before(tmp_path) -> None:
    value = json.loads(_values())
    value["Resources"]["Inference"]["Properties"] = {
        "AddonVersion": "v1.0.0-eksbuild.1",
        "ConfigurationValues": '{"executionRoleArn": "a", "tlsCertificateS3Bucket": "hyperpod-tls"}',
    }
    assert findings("DPD265", tmp_path, json.dumps(value)) == []
    value["Resources"]["Inference"]["Properties"]["ConfigurationValues"] = "{}"
    assert {f.message.split()[0] for f in findings("DPD265", tmp_path, json.dumps(value))} == {
        "executionRoleArn",
        "tlsCertificateS3Bucket",
    }


def test_types_of_groups_without_our_label_are_not_judged(tmp_path) -> None:
    value = groups(InstanceType="ml.trn1.32xlarge", KubernetesConfig={"Labels": {"team": "a"}})
    assert findings("DPD268", tmp_path, with_groups(value)) == []
    (first, _) = findings("DPD268", tmp_path, with_groups(groups(InstanceType="ml.g6e.48xlarge")))
    assert "PCIe" in first.message and first.path.endswith("InstanceGroups[0].InstanceType")
