"""Templates and manifests of one environment as the two tools leave them, healthy until a fragment is put in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from hyperpod_dpd.document import dump_yaml
from tests.support.documents import manifest
from tests.support.merging import merged
from tests.support.templates import template

CLIENT = {
    "apiVersion": "v1",
    "kind": "ServiceAccount",
    "metadata": {"name": "client", "namespace": "inference"},
}
SOUND = """
Resources:
  Models: {Properties: {BucketName: %s}}
  Client:
    Type: AWS::EKS::PodIdentityAssociation
    Properties: {ClusterName: {Ref: Eks}, Namespace: inference, ServiceAccount: client, RoleArn: arn}
  Tls: {Type: 'AWS::S3::Bucket', Properties: {BucketName: %s}}
"""


def sound_template() -> dict[str, Any]:
    """The healthy template with the buckets that the healthy manifest names."""
    spec = manifest()["spec"]
    bucket = spec["modelSourceConfig"]["s3Storage"]["bucketName"]
    uri = spec.get("tlsConfig", {}).get("tlsCertificateOutputS3Uri", "s3://unused/")
    sound: dict[str, Any] = merged(
        template(), yaml.safe_load(SOUND % (bucket, uri.removeprefix("s3://").partition("/")[0]))
    )
    return sound


def write_pair(
    folder: Path,
    template_value: Any,
    endpoint: Any,
    *,
    others: tuple[Any, ...] = (CLIENT,),
    name: str = "dev",
) -> tuple[str, str]:
    """Writes one environment's two outputs; returns their folders."""
    assembly = folder / "cdk.out" / f"assembly-{name}"
    assembly.mkdir(parents=True)
    for place in (assembly, assembly.parent):
        (place / "cdk.out").write_text('{"version":"1"}', encoding="utf-8")
        (place / "manifest.json").write_text('{"version":"1","artifacts":{}}', encoding="utf-8")
    (assembly / "tree.json").write_text('{"kind": "InferenceEndpointConfig"}', encoding="utf-8")
    (assembly / "hyperpod.template.json").write_text(json.dumps(template_value, indent=1), encoding="utf-8")
    asset = assembly.parent / "asset.0123"
    asset.mkdir()
    (asset / "chart.json").write_text('{"kind": "Secret", "apiVersion": "v1"}', encoding="utf-8")
    app = folder / "dist" / name / "endpoint-a"
    app.mkdir(parents=True)
    for index, value in enumerate((endpoint, *others)):
        (app / f"{index}.yaml").write_text(dump_yaml(value), encoding="utf-8")
    return str(folder / "cdk.out"), str(folder / "dist")
