"""A fingerprint changes with a template's meaning, and with nothing else."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from hyperpod_dpd.view.fingerprints import fingerprint, fingerprints, read_templates

HASH = "0123456789abcdef" * 4
TEMPLATE: dict[str, Any] = {
    "Resources": {
        "Bucket": {
            "Type": "AWS::S3::Bucket",
            "Properties": {"BucketName": "models"},
            "Metadata": {"aws:cdk:path": "dev/storage/Bucket", "note": "kept"},
        },
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {"Code": {"S3Key": f"{HASH}.zip"}, "Image": f"repository@sha256:{HASH}"},
            "Metadata": {"aws:asset:path": f"asset.{HASH}"},
        },
        "CDKMetadata": {"Type": "AWS::CDK::Metadata", "Properties": {"Analytics": "x"}},
    },
    "Outputs": {"Name": {"Value": {"Ref": "Bucket"}}},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    template = deepcopy(TEMPLATE)
    *parents, last = path.split("/")
    node = template
    for parent in parents:
        node = node[parent]
    node[last] = value
    return template


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("Resources/Function/Properties/Code/S3Key", f"{HASH[::-1]}.zip"),
        ("Resources/Function/Metadata", {"aws:asset:path": "asset.other", "aws:asset:is-bundled": False}),
        ("Resources/Bucket/Metadata/aws:cdk:path", "prod/storage/Bucket"),
        ("Resources/CDKMetadata/Properties/Analytics", "y"),
    ],
)
def test_what_does_not_change_it(path, value):
    assert fingerprint(changed(path, value)) == fingerprint(TEMPLATE)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("Resources/Bucket/Properties/BucketName", "model"),
        ("Resources/Bucket/Metadata/note", "changed"),
        ("Resources/Function/Properties/Image", f"repository@sha256:{HASH[::-1]}"),
        ("Resources/Other", {"Type": "AWS::S3::Bucket"}),
        ("Outputs/Name/Value", {"Ref": "Function"}),
        ("Conditions", {}),
    ],
)
def test_what_changes_it(path, value):
    assert fingerprint(changed(path, value))["digest"] != fingerprint(TEMPLATE)["digest"]


def test_order_of_keys_does_not_matter():
    reverse = {key: TEMPLATE[key] for key in reversed(TEMPLATE)}
    reverse["Resources"] = dict(reversed(TEMPLATE["Resources"].items()))
    assert fingerprint(reverse) == fingerprint(TEMPLATE)


def test_resources_are_counted_by_type():
    assert fingerprint(TEMPLATE)["resources"] == {"AWS::Lambda::Function": 1, "AWS::S3::Bucket": 1}


def test_text_of_an_environment_from_its_cloud_assembly(tmp_path):
    (tmp_path / "dpdstorage1A2B.template.json").write_text(json.dumps(TEMPLATE))
    stack = {"templateFile": "dpdstorage1A2B.template.json", "stackName": "dpd-dev-storage"}
    artifacts = {
        "dpdstorage1A2B": {"type": "aws:cloudformation:stack", "properties": stack},
        "dpdstorage1A2B.assets": {"type": "cdk:asset-manifest", "properties": {"file": "x"}},
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"artifacts": artifacts}))
    templates = read_templates(tmp_path)
    assert templates == {"dpd-dev-storage": TEMPLATE}
    text = fingerprints(templates)
    assert json.loads(text) == {"dpd-dev-storage": fingerprint(TEMPLATE)}
    assert text.endswith("}\n")
