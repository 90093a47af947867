import re
from ipaddress import IPv4Address

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, flat

_SHORTEST, _LONGEST = 3, 63
_PREFIXES = ("xn--", "sthree-", "amzn-s3-demo-")
_SUFFIXES = ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3")
_OTHER = re.compile(r"[^a-z0-9.-]")


@rule(
    ("DPD289", "bucket-names", ERROR, TEMPLATE),
    title="A bucket has a name that S3 refuses",
    what="""That the names of buckets in the templates keep to S3's rules, as far as they are written out: 3 to
    63 characters, lower-case letters, digits, dots and hyphens, a letter or digit at both ends, no two dots
    together, no IP address, none of the reserved beginnings and ends.""",
    why="The bucket is refused, and with it the stack, after what stands before it was made.",
    fine="Never.",
    fix="choose a name that keeps to S3's rules",
    sources="Amazon S3 user guide, rules for naming general purpose buckets",
    tags=("names", "storage"),
    before="Resources: {Models: {Properties: {BucketName: Dpd_Models}}}",
    after="Resources: {Models: {Properties: {BucketName: dpd-models}}}",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::S3::Bucket"):
        if properties.get("BucketName") is None:
            continue
        name = flat(properties["BucketName"])
        if faults := _faults(name):
            yield Match(template.property_path(logical_id, "BucketName"), f"'{name}' {', '.join(faults)}")


def _faults(name: str) -> list[str]:
    """What is wrong with a name whose unknown parts are stars."""
    known = name.replace(UNKNOWN, "")
    faults = []
    if other := _OTHER.findall(known):
        faults.append(f"has {' '.join(sorted(set(other)))!r}; only a-z, 0-9, dots and hyphens are allowed")
    if len(known) > _LONGEST or (UNKNOWN not in name and len(name) < _SHORTEST):
        faults.append(f"has {len(known)} characters; {_SHORTEST} to {_LONGEST} are allowed")
    if name[:1] in ("-", ".") or name[-1:] in ("-", "."):
        faults.append("does not begin and end with a letter or digit")
    if ".." in name:
        faults.append("has two dots together")
    if name.startswith(_PREFIXES) or name.endswith(_SUFFIXES):
        faults.append("has a beginning or end that S3 keeps for itself")
    if _is_address(name):
        faults.append("is an IP address")
    return faults


def _is_address(name: str) -> bool:
    try:
        return bool(IPv4Address(name))
    except ValueError:
        return False
