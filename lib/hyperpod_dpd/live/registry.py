"""Ask a container registry which digest a tag means now (registry API v2, anonymous or with credentials)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException, HTTPMessage, IncompleteRead
from typing import IO, Any

from hyperpod_dpd.catalog import tools
from hyperpod_dpd.catalog.worker_images import ImageReference

MANIFEST_TYPES = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
_INDEX_TYPES = frozenset(MANIFEST_TYPES[:2])
_PARAMETER = re.compile(r'([A-Za-z_]+)="([^"]*)"')
_LARGEST_MANIFEST_BYTES = 4 * 2**20
_SCHEMA_VERSION = 2
"""The digest of an older manifest is not that of its bytes."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

Credentials = Callable[[str], tuple[str, str] | None]
"""User and password for a registry's host, or None to go without."""


class RegistryFault(Exception):
    """A digest that cannot be had; the text says why and what to do."""


class UnknownImage(RegistryFault):
    """The registry has no such repository or tag."""


@dataclass(slots=True, kw_only=True)
class Registry:
    """One run's connections; tokens are kept per realm and scope. ``wait`` is called with seconds between tries."""

    credentials: Credentials = lambda host: None
    timeout_seconds: float = 20.0
    tries: int = 4
    wait: Callable[[float], None] = time.sleep
    _tokens: dict[str, str] = field(default_factory=dict)

    def digest(self, image: ImageReference, *, architecture: str = "amd64") -> str:
        """The ``sha256:...`` of what the tag means now. Raises RegistryFault.

        An index keeps its own digest, and must list ``architecture``.
        """
        if image.tag is None:
            raise RegistryFault(f"{image}: has no tag to resolve; give one in the document")
        url = f"{_base(image)}/v2/{_path(image)}/manifests/{urllib.parse.quote(image.tag)}"
        status, headers, body = self._fetch(url, image)
        if status == 404:
            raise UnknownImage(f"{image}: the registry has no such repository or tag; look for a misspelling")
        if status in {401, 403}:
            raise RegistryFault(f"{image}: the registry refuses access; log in to {image.registry} first")
        if status != 200:
            raise RegistryFault(f"{image}: the registry answers with status {status}; try again later")
        if len(body) > _LARGEST_MANIFEST_BYTES:
            limit = _LARGEST_MANIFEST_BYTES // 2**20
            raise RegistryFault(f"{image}: the registry answers with more than {limit} MiB: no manifest")
        found = f"sha256:{hashlib.sha256(body).hexdigest()}"
        stated = headers.get("Docker-Content-Digest")
        if stated is not None and stated.startswith("sha256:") and stated != found:
            raise RegistryFault(
                f"{image}: the registry states {stated}, and its answer is {found}: do not use it"
            )
        _look_inside(image, headers.get_content_type(), body, architecture)
        return found

    def find(self, image: ImageReference) -> str | None:
        """The digest of a tag, or None where the registry has no such tag. Raises RegistryFault for the rest."""
        try:
            return self.digest(image)
        except UnknownImage:
            return None

    def _fetch(self, url: str, image: ImageReference) -> tuple[int, Message, bytes]:
        headers = {"Accept": ", ".join(MANIFEST_TYPES)}
        answer = self._send(url, headers, image)
        if answer[0] != 401:
            return answer
        authorization = self._authorization(answer[1].get_all("WWW-Authenticate") or [], image)
        if authorization is None:
            return answer
        return self._send(url, {**headers, "Authorization": authorization}, image)

    def _authorization(self, challenges: list[str], image: ImageReference) -> str | None:
        """The header that answers a challenge; None when it cannot be answered."""
        for challenge in challenges:
            scheme, _, rest = challenge.partition(" ")
            parameters = dict(_PARAMETER.findall(rest))
            if scheme.lower() == "bearer" and "realm" in parameters:
                return f"Bearer {self._token(parameters, image)}"
            if scheme.lower() == "basic":
                return self._basic(image)
        return None

    def _basic(self, image: ImageReference) -> str | None:
        known = self.credentials(image.registry)
        if known is None:
            return None
        return f"Basic {base64.b64encode(':'.join(known).encode()).decode()}"

    def _token(self, challenge: Mapping[str, str], image: ImageReference) -> str:
        query = {key: challenge[key] for key in ("service", "scope") if challenge.get(key)}
        query.setdefault("scope", f"repository:{_path(image)}:pull")
        realm = challenge["realm"]
        address = _split(realm, image)
        if address.scheme != "https" and address.hostname not in _LOOPBACK:
            raise RegistryFault(
                f"{image}: the registry sends to {_shown(address)} for a token, which is not encrypted"
            )
        url = f"{realm}{'&' if address.query else '?'}{urllib.parse.urlencode(query)}"
        if url in self._tokens:
            return self._tokens[url]
        basic = self._basic(image)
        status, _, body = self._send(url, {"Authorization": basic} if basic else {}, image)
        try:
            answer = json.loads(body) if status == 200 else {}
        except ValueError:
            answer = {}
        token = answer.get("token") or answer.get("access_token") if isinstance(answer, dict) else None
        if not isinstance(token, str):
            raise RegistryFault(f"{image}: no token from {_shown(address)} (status {status}); log in first")
        self._tokens[url] = token
        return token

    def _send(
        self, url: str, headers: Mapping[str, str], image: ImageReference
    ) -> tuple[int, Message, bytes]:
        """Status, headers and body; tries again when the registry is busy or the line broke."""
        last = ""
        for attempt in range(self.tries):
            pause = 2.0**attempt
            try:
                answer = _once(url, headers, self.timeout_seconds)
            except (OSError, HTTPException) as error:
                last = str(getattr(error, "reason", None) or str(error).strip() or type(error).__name__)
            except ValueError:  # its text may hold what was sent
                raise RegistryFault(
                    f"{image}: the registry sends an address or a token that nobody can use"
                ) from None
            else:
                if answer[0] != 429 and answer[0] < 500:
                    return answer
                last = f"status {answer[0]}"
                pause = _retry_after(answer[1]) or pause
            if attempt + 1 < self.tries:
                self.wait(min(pause, 30.0))
        host = _shown(urllib.parse.urlsplit(url))
        raise RegistryFault(f"{image}: {host} cannot be used ({last}); try again later, or check the network")


def is_loopback(reference: str) -> bool:
    """Whether a registry, or an image of one, is on this machine: then it is asked without TLS."""
    return urllib.parse.urlsplit(f"//{reference}").hostname in _LOOPBACK


def _base(image: ImageReference) -> str:
    host = str(tools.value("docker_hub_api").value) if image.is_docker_hub else image.registry
    return f"{'http' if is_loopback(host) else 'https'}://{host}"


def _split(address: str, image: ImageReference) -> urllib.parse.SplitResult:
    try:
        return urllib.parse.urlsplit(address)
    except ValueError:
        raise RegistryFault(f"{image}: the registry sends to an address that nobody can use") from None


def _shown(address: urllib.parse.SplitResult) -> str:
    """The place without a user or a password that may stand in it."""
    return f"{address.scheme}://{address.netloc.rpartition('@')[2]}"


def _path(image: ImageReference) -> str:
    """Docker Hub's own images stand below ``library``."""
    alone = image.is_docker_hub and "/" not in image.repository
    return f"library/{image.repository}" if alone else image.repository


def _look_inside(image: ImageReference, kind: str, body: bytes, architecture: str) -> None:
    """Raises RegistryFault for what is no manifest, or an index without the architecture of our nodes."""
    try:
        manifest = json.loads(body)
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("schemaVersion") != _SCHEMA_VERSION:
        raise RegistryFault(f"{image}: the registry answers with something that is no manifest")
    if kind not in _INDEX_TYPES and str(manifest.get("mediaType")) not in _INDEX_TYPES:
        return
    found = set(_architectures(manifest.get("manifests")))
    if architecture not in found:
        known = ", ".join(sorted(found)) or "no architecture at all"
        raise RegistryFault(f"{image}: is made for {known}, and our nodes are {architecture}")


def _architectures(entries: Any) -> Iterator[str]:
    for entry in entries if isinstance(entries, list) else []:
        platform = entry.get("platform") if isinstance(entry, dict) else None
        if isinstance(platform, dict):
            yield str(platform.get("architecture"))


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but shows credentials to nobody else."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        new = super().redirect_request(req, fp, code, msg, headers, newurl)
        before, after = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if new is not None and (before.scheme, before.netloc) != (after.scheme, after.netloc):
            new.remove_header("Authorization")
        return new


def _once(url: str, headers: Mapping[str, str], timeout: float) -> tuple[int, Message, bytes]:
    opener = urllib.request.build_opener(_Redirects)
    request = urllib.request.Request(url, headers={"User-Agent": "dpd", **headers})
    try:
        with opener.open(request, timeout=timeout) as answer:
            return answer.status, answer.headers, _body(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, _body(error)


def _body(answer: IO[bytes]) -> bytes:
    """Up to a byte more than the largest manifest. Raises IncompleteRead where the line broke before the end."""
    body = answer.read(_LARGEST_MANIFEST_BYTES + 1)
    left = getattr(answer, "length", None)
    if left and len(body) <= _LARGEST_MANIFEST_BYTES:
        raise IncompleteRead(body, left)
    return body


def _retry_after(headers: Message) -> float | None:
    text: Any = headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else None
