"""What loads facts alone loads nothing heavy: seen in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

from tests.support.documents import ROOT


def test_the_catalogue_loads_without_pydantic_boto3_or_jsii() -> None:
    code = (
        "import sys; from hyperpod_dpd.catalog import *; "
        "from hyperpod_dpd.catalog import engine_defaults, instance_types, kubernetes, models, operator_releases, "
        "quotas, regions, requirements, worker_images; instance_types.all(); models.match('x'); "
        "heavy = 'pydantic boto3 botocore jsii moto'.split(); print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
