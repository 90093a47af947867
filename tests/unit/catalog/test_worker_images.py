"""Worker images are recognised wherever they are mirrored, and nothing is read from a tag."""

import pytest

from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.catalog.versions import ComponentVersion

DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("reference", "key"),
    [
        ("public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1", "dlc-hyperpod-v1.1"),
        ("lmcache/vllm-openai:v0.4.3", "lmcache-v0.4.3"),
        ("docker.io/lmcache/vllm-openai:v0.4.3", "lmcache-v0.4.3"),
        ("index.docker.io/lmcache/vllm-openai:v0.4.3", "lmcache-v0.4.3"),
        (f"lmcache/vllm-openai:v0.4.3@{DIGEST}", "lmcache-v0.4.3"),
        ("123456789012.dkr.ecr.us-west-2.amazonaws.com/mirror/lmcache/vllm-openai:v0.4.3", "lmcache-v0.4.3"),
        (
            "123456789012.dkr.ecr.us-west-2.amazonaws.com/ecr-public/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1",
            "dlc-hyperpod-v1.1",
        ),
        ("registry.local:5000/vllm:server-hyperpod-cuda-v1.0", "dlc-hyperpod-v1.0"),
        ("localhost/lmcache/vllm-openai:v0.3.7", "lmcache-v0.3.7"),
    ],
)
def test_known_images_at_any_registry(reference: str, key: str) -> None:
    found = worker_images.find(reference)
    assert found is not None and found.key == key


@pytest.mark.parametrize(
    "reference",
    [
        "lmcache/vllm-openai",
        "lmcache/vllm-openai:latest",
        f"lmcache/vllm-openai@{DIGEST}",
        "lmcache/vllm-openai:v0.4.30",
        "lmcache/vllm-openai:0.4.3",
        "notlmcache/vllm-openai:v0.4.3",
        "someone/vllm-openai:v0.4.3",
        "vllm/vllm-openai:v0.4.3",
        "public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.11",
        "public.ecr.aws/deep-learning-containers/vllm-x:server-hyperpod-cuda-v1.1",
        "img",
    ],
)
def test_contents_are_unknown_rather_than_guessed(reference: str) -> None:
    assert worker_images.find(reference) is None


@pytest.mark.parametrize(
    ("reference", "kind", "lmcache_inside"),
    [
        ("vllm/vllm-openai:v0.10.1", "vllm", False),
        ("vllm/vllm-openai", "vllm", False),
        ("mirror.local/hub/vllm/vllm-openai:latest", "vllm", False),
        ("lmcache/vllm-openai:latest", "lmcache", True),
        ("public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v9", "dlc-hyperpod", True),
        ("public.ecr.aws/deep-learning-containers/vllm:0.11.1-gpu-py312", "dlc-vllm", False),
        ("public.ecr.aws/deep-learning-containers/dynamo:1.6.2-efa-vllm-runtime-v1", "dlc-dynamo", False),
        ("111122223333.dkr.ecr.us-east-2.amazonaws.com/djl-inference:0.32.0-lmi14.0.0-cu124", "djl", False),
    ],
)
def test_the_line_of_an_image(reference: str, kind: str, lmcache_inside: bool) -> None:
    found = worker_images.kind_of(reference)
    assert found is not None
    assert (found.kind, found.lmcache_inside) == (kind, lmcache_inside)


def test_an_image_of_nobody_has_no_line() -> None:
    assert worker_images.kind_of("my-company/llm-server:v1") is None
    assert worker_images.kind_of("vllm:v1") is None


def test_a_digest_alone_tells_no_line_where_a_repository_holds_several() -> None:
    digest = f"sha256:{'a' * 64}"
    assert worker_images.kind_of(f"public.ecr.aws/deep-learning-containers/vllm@{digest}") is None
    plain = worker_images.kind_of(f"vllm/vllm-openai@{digest}")
    assert plain is not None and not plain.lmcache_inside


def test_exactly_two_images_are_supported() -> None:
    assert [image.key for image in worker_images.supported()] == ["dlc-hyperpod-v1.1", "lmcache-v0.4.3"]


def test_stated_and_built_versions_are_kept_apart() -> None:
    version = ComponentVersion.parse
    image = worker_images.supported()[0]
    assert image.stated is not None and image.built is not None
    assert (image.stated.vllm, image.built.vllm) == (version("0.19.0"), version("0.20.0.dev361"))
    assert (image.stated.lmcache, image.built.lmcache) == (version("0.4.3"), version("0.4.3"))
    assert (image.stated.nixl, image.built.nixl) == (version("1.0.0"), version("1.0.1"))
    assert image.built.nixl_is_minimum
    assert image.stated.source != image.built.source
    assert "built" in image.unconfirmed


def test_the_reference_of_every_image_leads_back_to_it() -> None:
    for image in worker_images.all():
        assert worker_images.find(image.reference) is image


def test_component_floors_are_versions() -> None:
    floors = {
        name: ComponentVersion.parse(fact.value) for name, fact in worker_images.component_floors().items()
    }
    assert floors["lmcache"] < floors["lmcache_regression"]
    assert floors["kvaware_vllm"] == ComponentVersion.parse("0.19.1")
    assert floors["libfabric"] == ComponentVersion.parse("1.21.0")
    stated = worker_images.supported()[0].stated
    assert stated is not None and stated.vllm is not None
    assert stated.vllm < floors["kvaware_vllm"]


@pytest.mark.parametrize(
    ("text", "registry", "repository", "tag", "digest"),
    [
        ("ubuntu", "docker.io", "library/ubuntu", None, None),
        ("ubuntu:22.04", "docker.io", "library/ubuntu", "22.04", None),
        ("a/b", "docker.io", "a/b", None, None),
        ("host:5000/a/b", "host:5000", "a/b", None, None),
        ("host:5000/a/b:t", "host:5000", "a/b", "t", None),
        (f"public.ecr.aws/a/b:t@{DIGEST}", "public.ecr.aws", "a/b", "t", DIGEST),
        (f"localhost/b@{DIGEST}", "localhost", "b", None, DIGEST),
    ],
)
def test_parts_of_a_reference(
    text: str, registry: str, repository: str, tag: str | None, digest: str | None
) -> None:
    parsed = worker_images.parse_reference(text)
    assert (parsed.registry, parsed.repository, parsed.tag, parsed.digest) == (
        registry,
        repository,
        tag,
        digest,
    )
    assert parsed.is_docker_hub is (registry == "docker.io")
    assert parsed.is_mutable is (digest is None)
    assert worker_images.parse_reference(str(parsed)) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "${MODEL_IMAGE}",
        "<IMAGE>",
        "A/B:c",
        "a b",
        "a:t@sha256:short",
        "a:",
        "a@",
        "/a",
        "a//b",
        "host:5000/",
    ],
)
def test_what_is_no_reference_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an image reference"):
        worker_images.parse_reference(text)
