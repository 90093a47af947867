import re
from functools import cache

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.catalog.worker_images import private_ecr
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@cache
def _private() -> re.Pattern[str]:
    return re.compile(str(requirements.requirement("private_registry_pattern").value))


@rule(
    ("DPD915", "image-out-of-reach", ERROR, ENDPOINT),
    title="The image is outside a network that has no way out",
    what="""That in a closed network the worker image comes from a private ECR registry of the cluster's
    Region, which the interface endpoints reach.""",
    why="""Public registries, AWS's public gallery among them, are on the internet. The pods stay in
    ContainerCreating with a timeout in their events.""",
    fine="Never.",
    fix="set images.registry to mirror, or name the private ECR repository that holds your copy",
    sources="""HyperPod EKS Terraform modules of awsome-distributed-ai, closed network: image mirror | Amazon
    ECR user guide: interface endpoints serve private registries of their own Region""",
    covers=("R57", "HI-1.2c"),
    tags=("network", "images"),
    of="environment",
    before="""network: {closed: true}
    images: {registry: public}""",
    after="""network: {closed: true}
    images: {registry: mirror}""",
)
def check(endpoint: EndpointView) -> Matches:
    reference = endpoint.image.reference
    if reference is None or (endpoint.context.network is None and not endpoint.disaggregated):
        return
    place = private_ecr(reference.registry)
    region = endpoint.context.region
    if place is not None and region is not None and place[1] != region and endpoint.network.closed:
        yield Match(
            ("spec", "worker", "image"),
            f"the image comes from ECR in {place[1]}, and the network is closed but for {region}",
        )
    elif not _private().fullmatch(reference.registry) and endpoint.network.closed:
        yield Match(
            ("spec", "worker", "image"),
            f"the image comes from {reference.registry}, and the network is closed",
        )
