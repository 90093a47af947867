import re
from difflib import get_close_matches

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

_FORM = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]")


@rule(
    ("DPD122", "weights-region", ERROR, ENDPOINT),
    title="The weights' Region is none",
    what="""That modelSourceConfig.s3Storage.region is written as a Region's name is (else an error) and is a
    Region of the catalogue (else a warning).""",
    why="""The CRD takes any text. The storage driver asks an endpoint that does not exist, and the pods wait
    for their volume until the deployment times out.""",
    fine="For a Region that was opened after the date of the catalogue (the warning).",
    fix="write the Region of the bucket, such as us-west-2",
    sources="AWS general reference, names of Regions | Regions of the catalogue",
    tags=("weights",),
    before="spec: {modelSourceConfig: {s3Storage: {region: us-west-22}}}",
    after="spec: {modelSourceConfig: {s3Storage: {region: us-west-2}}}",
)
def check(endpoint: EndpointView) -> Matches:
    region = endpoint.get("modelSourceConfig", "s3Storage", "region")
    if not isinstance(region, str) or is_placeholder(region) or regions.get(region) is not None:
        return
    path = ("spec", "modelSourceConfig", "s3Storage", "region")
    close = get_close_matches(region, [each.name for each in regions.all()], n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    if not _FORM.fullmatch(region):
        yield Match(path, f"'{region}' cannot be the name of a Region{hint}")
    else:
        message = f"'{region}' is not a Region of the catalogue{hint}"
        yield Match(path, message, WARNING)
