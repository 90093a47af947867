"""A small healthy CloudFormation template to spoil, and a way to judge one template or several side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from hyperpod_dpd.document import read_file
from hyperpod_dpd.rules.engine import Subject, judge
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.rules.rule import AppliesTo
from hyperpod_dpd.view.template import TemplateView
from tests.support.merging import merged

HEALTHY = """
Resources:
  Vpc:
    Type: AWS::EC2::VPC
    Properties: {CidrBlock: 10.0.0.0/16, EnableDnsSupport: true, EnableDnsHostnames: true}
  Internet: {Type: 'AWS::EC2::InternetGateway'}
  Public: {Type: 'AWS::EC2::Subnet', Properties: {VpcId: {Ref: Vpc}, CidrBlock: 10.0.1.0/24}}
  PublicRoutes: {Type: 'AWS::EC2::RouteTable', Properties: {VpcId: {Ref: Vpc}}}
  PublicUse:
    Type: AWS::EC2::SubnetRouteTableAssociation
    Properties: {SubnetId: {Ref: Public}, RouteTableId: {Ref: PublicRoutes}}
  ToInternet:
    Type: AWS::EC2::Route
    Properties: {RouteTableId: {Ref: PublicRoutes}, DestinationCidrBlock: 0.0.0.0/0, GatewayId: {Ref: Internet}}
  Nat: {Type: 'AWS::EC2::NatGateway', Properties: {SubnetId: {Ref: Public}}}
  Routes: {Type: 'AWS::EC2::RouteTable', Properties: {VpcId: {Ref: Vpc}}}
  UseOne:
    Type: AWS::EC2::SubnetRouteTableAssociation
    Properties: {SubnetId: {Ref: ZoneOne}, RouteTableId: {Ref: Routes}}
  UseTwo:
    Type: AWS::EC2::SubnetRouteTableAssociation
    Properties: {SubnetId: {Ref: ZoneTwo}, RouteTableId: {Ref: Routes}}
  WayOut:
    Type: AWS::EC2::Route
    Properties: {RouteTableId: {Ref: Routes}, DestinationCidrBlock: 0.0.0.0/0, NatGatewayId: {Ref: Nat}}
  ZoneOne: {Type: 'AWS::EC2::Subnet', Properties: {VpcId: {Ref: Vpc}, CidrBlock: 10.0.0.0/24}}
  ZoneTwo: {Type: 'AWS::EC2::Subnet', Properties: {VpcId: {Ref: Vpc}, CidrBlock: 10.0.64.0/18}}
  Nodes: {Type: 'AWS::EC2::SecurityGroup', Properties: {GroupDescription: nodes, VpcId: {Ref: Vpc}}}
  FromItself:
    Type: AWS::EC2::SecurityGroupIngress
    Properties:
      GroupId: {Fn::GetAtt: [Nodes, GroupId]}
      SourceSecurityGroupId: {Fn::GetAtt: [Nodes, GroupId]}
      IpProtocol: "-1"
  ToItself:
    Type: AWS::EC2::SecurityGroupEgress
    Properties:
      GroupId: {Fn::GetAtt: [Nodes, GroupId]}
      DestinationSecurityGroupId: {Fn::GetAtt: [Nodes, GroupId]}
      IpProtocol: "-1"
  NodeRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement: [{Effect: Allow, Principal: {Service: sagemaker.amazonaws.com}, Action: sts:AssumeRole}]
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy']
  Provider: {Type: 'AWS::IAM::OIDCProvider', Properties: {ClientIdList: [sts.amazonaws.com]}}
  OperatorRole:
    Type: AWS::IAM::Role
    Properties:
      RoleName: SageMakerHyperPodInference-dpd-dev
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonSageMakerHyperPodInferenceAccess']
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {Federated: {Fn::GetAtt: [Provider, Arn]}}
            Action: sts:AssumeRoleWithWebIdentity
            Condition:
              StringEquals:
                issuer:sub:
                  - system:serviceaccount:hyperpod-inference-system:hyperpod-inference-controller-manager
                  - system:serviceaccount:hyperpod-inference-system:hyperpod-inference-operator-controller-manager
  Eks:
    Type: AWS::EKS::Cluster
    Properties:
      Name: dpd-dev
      Version: "1.33"
      AccessConfig: {AuthenticationMode: API}
      RoleArn: arn:aws:iam::111122223333:role/eks
      ResourcesVpcConfig: {SubnetIds: [{Ref: ZoneOne}, {Ref: ZoneTwo}], EndpointPublicAccess: false}
  Cluster:
    Type: AWS::SageMaker::Cluster
    Properties:
      ClusterName: dpd-dev
      Orchestrator: {Eks: {ClusterArn: {Fn::GetAtt: [Eks, Arn]}}}
      VpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneTwo}]}
      InstanceGroups:
        - InstanceGroupName: prefill
          InstanceType: ml.p5.48xlarge
          InstanceCount: 1
          ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
          KubernetesConfig: {Labels: {dpd.hyperpod/role: prefill}}
        - InstanceGroupName: decode
          InstanceType: ml.p5.48xlarge
          InstanceCount: 1
          ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
          KubernetesConfig: {Labels: {dpd.hyperpod/role: decode}}
  CertManager:
    Type: AWS::EKS::Addon
    Properties: {ClusterName: {Ref: Eks}, AddonName: cert-manager, AddonVersion: v1.18.2-eksbuild.2}
  S3Driver:
    Type: AWS::EKS::Addon
    Properties: {ClusterName: {Ref: Eks}, AddonName: aws-mountpoint-s3-csi-driver}
  FsxDriver:
    Type: AWS::EKS::Addon
    Properties: {ClusterName: {Ref: Eks}, AddonName: aws-fsx-csi-driver}
  MetricsServer:
    Type: AWS::EKS::Addon
    Properties: {ClusterName: {Ref: Eks}, AddonName: metrics-server}
  Inference:
    Type: AWS::EKS::Addon
    DependsOn: [CertManager, S3Driver, FsxDriver, MetricsServer, Cluster]
    Properties:
      ClusterName: {Ref: Eks}
      AddonName: amazon-sagemaker-hyperpod-inference
      AddonVersion: v1.5.0-eksbuild.1
      ConfigurationValues: >-
        {"executionRoleArn": "arn:aws:iam::111122223333:role/SageMakerHyperPodInference-dpd-dev",
        "tlsCertificateS3Bucket": "hyperpod-tls-dev", "hyperpodClusterArn": "arn:aws:sagemaker:::cluster/a"}
  Models:
    Type: AWS::S3::Bucket
    Properties:
      PublicAccessBlockConfiguration:
        {BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true}
"""


def template() -> dict[str, Any]:
    """A fresh copy of the healthy template."""
    value: dict[str, Any] = yaml.safe_load(HEALTHY)
    return value


def spoiled_template(fragment: str) -> dict[str, Any]:
    """The healthy template with a YAML fragment put in."""
    result: dict[str, Any] = merged(template(), yaml.safe_load(fragment) or {})
    return result


def judge_templates(folder: Path, *values: Any) -> list[Finding]:
    """Findings of the template rules over values written as templates of one assembly."""
    documents = []
    for index, value in enumerate(values):
        file = folder / f"stack{index}.template.json"
        file.write_text(json.dumps(value, indent=1), encoding="utf-8")
        documents += read_file(file)
    return [
        finding
        for document in documents
        for finding in judge(Subject(TemplateView(document, documents), (AppliesTo.TEMPLATE,)))
    ]
