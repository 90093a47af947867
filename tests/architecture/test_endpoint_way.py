"""The way of an endpoint, from its section of the document to its manifest, is short and hardly turns back."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from types import FrameType

from hyperpod_dpd.blueprint.endpoints import plan_endpoint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.document import dump_yaml
from tests.support.documents import ROOT, environment

PACKAGE = ROOT / "lib" / "hyperpod_dpd"
MANIFEST = ("iec/copied.py", "iec/endpoint.py", "iec/releases.py")
"""Where the manifest gets the CRD's spelling; catalog, sizing and the reading of arguments only answer questions."""


def test_an_endpoint_passes_eight_files_and_none_more_than_twice(tmp_path: Path) -> None:
    file = tmp_path / "dev.yaml"
    file.write_text(dump_yaml(environment()), encoding="utf-8")
    loaded = load_environment(file)
    blueprint = resolve(loaded)
    groups = {group.name: group for group in blueprint.cluster.groups}
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(f"{PACKAGE}/"):
            entered.append(str(Path(file).relative_to(PACKAGE)))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        plan, _ = plan_endpoint(loaded, "llama-70b", groups=groups, model_bucket=blueprint.buckets.models)
        rendered = plan.rendered()
    finally:
        sys.setprofile(before)
    assert rendered is not None
    way = [file for file, _ in groupby(f for f in entered if f.startswith("blueprint/") or f in MANIFEST)]
    visits = Counter(way)
    assert len(visits) <= 8, way
    assert max(visits.values()) <= 2, way
