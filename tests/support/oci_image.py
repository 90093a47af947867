"""A small image for two architectures, pushed into a registry with nothing but its API."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import urllib.request

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def push(host: str, repository: str, tag: str, *, seed: str) -> str:
    """Pushes it; its digest, which is the index's."""
    entries = []
    for architecture in ("amd64", "arm64"):
        layer, diff = _layer(f"{seed} {architecture}\n".encode())
        config = {
            "architecture": architecture,
            "os": "linux",
            "config": {},
            "rootfs": {"type": "layers", "diff_ids": [diff]},
        }
        parts = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": _blob(
                host, repository, json.dumps(config).encode(), "application/vnd.oci.image.config.v1+json"
            ),
            "layers": [_blob(host, repository, layer, "application/vnd.oci.image.layer.v1.tar+gzip")],
        }
        body = json.dumps(parts).encode()
        _put(f"http://{host}/v2/{repository}/manifests/{_digest(body)}", body, MANIFEST)
        entries.append(
            {
                "mediaType": MANIFEST,
                "digest": _digest(body),
                "size": len(body),
                "platform": {"architecture": architecture, "os": "linux"},
            }
        )
    index = json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": entries}).encode()
    _put(f"http://{host}/v2/{repository}/manifests/{tag}", index, INDEX)
    return _digest(index)


def architectures(host: str, repository: str, tag: str) -> dict[str, bool]:
    """Architecture of each manifest in the index to whether it can be had with its config and layers."""
    index = json.loads(_get(f"http://{host}/v2/{repository}/manifests/{tag}", INDEX))
    found = {}
    for entry in index["manifests"]:
        manifest = json.loads(_get(f"http://{host}/v2/{repository}/manifests/{entry['digest']}", MANIFEST))
        blobs = [manifest["config"], *manifest["layers"]]
        found[entry["platform"]["architecture"]] = all(
            _digest(_get(f"http://{host}/v2/{repository}/blobs/{blob['digest']}", "*/*")) == blob["digest"]
            for blob in blobs
        )
    return found


def _layer(content: bytes) -> tuple[bytes, str]:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        entry = tarfile.TarInfo("file")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    plain = packed.getvalue()
    return gzip.compress(plain, mtime=0), _digest(plain)


def _blob(host: str, repository: str, body: bytes, kind: str) -> dict[str, object]:
    request = urllib.request.Request(f"http://{host}/v2/{repository}/blobs/uploads/", data=b"", method="POST")
    with urllib.request.urlopen(request) as answer:
        place = str(answer.headers["Location"])
    place = place if place.startswith("http") else f"http://{host}{place}"
    join = "&" if "?" in place else "?"
    _put(f"{place}{join}digest={_digest(body)}", body, "application/octet-stream")
    return {"mediaType": kind, "digest": _digest(body), "size": len(body)}


def _put(url: str, body: bytes, kind: str) -> None:
    request = urllib.request.Request(url, data=body, method="PUT", headers={"Content-Type": kind})
    urllib.request.urlopen(request).close()


def _get(url: str, kind: str) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": kind})) as answer:
        body: bytes = answer.read()
        return body


def _digest(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"
