"""The older ``v1alpha1`` form: still served, without what a disaggregated endpoint needs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hyperpod_dpd.iec.field import Field, obj, opaque, text
from hyperpod_dpd.iec.fields_autoscaling import autoscaling_v1alpha1
from hyperpod_dpd.iec.fields_spec import metadata, spec


@cache
def root_v1alpha1() -> Field:
    """The whole object in the older form."""
    return obj(apiVersion=text(), kind=text(), metadata=metadata(), spec=_spec(), status=opaque())


def _spec() -> Field:
    kept = _only(
        spec(),
        "InitialReplicaCount endpointName instanceType invocationEndpoint loadBalancer metrics modelName"
        " modelSourceConfig modelVersion replicas tags tlsConfig worker",
    )
    fields = dict(kept.fields)
    fields["autoScalingSpec"] = autoscaling_v1alpha1()
    fields["loadBalancer"] = _only(fields["loadBalancer"], "healthCheckPath routingAlgorithm")
    fields["tlsConfig"] = _only(fields["tlsConfig"], "tlsCertificateOutputS3Uri")
    fields["worker"] = _only(
        fields["worker"], "environmentVariables image modelInvocationPort modelVolumeMount resources"
    )
    source = _only(
        fields["modelSourceConfig"], "fsxStorage modelLocation modelSourceType prefetchEnabled s3Storage"
    )
    types = replace(source.fields["modelSourceType"], enum=("fsx", "s3"))
    fields["modelSourceConfig"] = replace(source, fields={**source.fields, "modelSourceType": types})
    return replace(kept, fields=fields, required=("instanceType", *kept.required))


def _only(node: Field, names: str) -> Field:
    return replace(node, fields={name: node.fields[name] for name in names.split()})
