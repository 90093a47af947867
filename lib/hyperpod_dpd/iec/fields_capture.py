"""Recording of requests and answers at the SageMaker endpoint, the load balancer or the model's pod.

Facts from the operator's schema of release 3.2 (June 2026), written down in our own form.
"""

from __future__ import annotations

from hyperpod_dpd.iec.field import Field, boolean, integer, listing, obj, text


def _capture_options() -> dict[str, Field]:
    content_types = listing(text(), unique=True, min_items=1, max_items=10)
    return {
        "enabled": boolean(),
        "captureContentTypeHeader": obj(csvContentTypes=content_types, jsonContentTypes=content_types),
        "initialSamplingPercentage": integer(minimum=0, maximum=100),
        "kmsKeyId": text(r"^[a-zA-Z0-9:/_-]*$", max_length=2048, meaning="a KMS key id or ARN"),
    }


def data_capture() -> Field:
    """Where and how much of the traffic is recorded."""
    option = obj("captureMode", captureMode=text(enum="Input Output"))
    return obj(
        loadBalancer=obj("enabled", enabled=boolean()),
        modelPod=obj(
            "enabled",
            **_capture_options(),
            captureOptions=listing(option, min_items=1, max_items=32),
            bufferConfig=obj(
                batchSize=integer(default=10, minimum=1, maximum=1000),
                flushIntervalSeconds=integer(default=60, minimum=10, maximum=300),
            ),
            payloadConfig=obj(maxPayloadSizeKB=integer(default=0, minimum=0, maximum=10240)),
        ),
        s3Uri=text(
            r"^s3://([^/]+)(/[^,=]*)?$",
            max_length=512,
            meaning="s3://bucket/prefix without commas and equals signs",
        ),
        sagemakerEndpoint=obj(
            "enabled", **_capture_options(), captureOptions=listing(option, min_items=1, max_items=32)
        ),
    )
