"""Keys of buckets of somebody else: refused where they cannot be the bucket's."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.config import InvalidEnvironment
from tests.unit.config.test_cloud_references import load

KEY = "arn:aws:kms:us-west-2:111122223333:key/a"
ELSEWHERE = "arn:aws:kms:us-east-1:111122223333:key/a"


@pytest.mark.parametrize(
    ("fragment", "place", "words"),
    [
        (
            f"storage: {{existing_buckets: {{access_logs: {{name: logs, kms_key_arn: '{KEY}'}}}}}}",
            "storage.existing_buckets.access_logs.kms_key_arn",
            "SSE-S3",
        ),
        (
            f"storage: {{existing_buckets: {{models: {{name: m-1, kms_key_arn: '{ELSEWHERE}'}}}}}}",
            "storage.existing_buckets.models.kms_key_arn",
            "us-east-1",
        ),
        (
            (
                f"cluster: {{lifecycle: {{uri: 's3://m-1/x', kms_key_arn: '{KEY}b'}}}}\n"
                f"storage: {{existing_buckets: {{models: {{name: m-1, kms_key_arn: '{KEY}'}}}}}}"
            ),
            "cluster.lifecycle.kms_key_arn",
            "another key",
        ),
        (
            f"endpoints: {{llama-70b: {{model: {{weights: {{s3: {{prefix: a, kms_key_arn: '{KEY}'}}}}}}}}}}",
            "endpoints.llama-70b.model.weights.s3.kms_key_arn",
            "existing_buckets.models",
        ),
    ],
)
def test_a_key_that_cannot_be_is_refused_at_its_place(
    tmp_path: Path, fragment: str, place: str, words: str
) -> None:
    with pytest.raises(InvalidEnvironment) as caught:
        load(tmp_path, fragment)
    assert place in str(caught.value) and words in str(caught.value)
