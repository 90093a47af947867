"""Credentials for registries: what `docker login` left, and a token of one's own AWS account for private ECR."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path

from hyperpod_dpd.catalog.worker_images import DOCKER_HUB, DOCKER_HUB_INDEX, DOCKER_HUB_LOGIN

_PRIVATE_ECR = re.compile(r"\d{12}\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?")
_DOCKER_HUB_KEYS = (DOCKER_HUB_LOGIN, DOCKER_HUB_INDEX, DOCKER_HUB)


def find(host: str) -> tuple[str, str] | None:
    """User and password for a host, or None to go without."""
    return _from_docker(host) or _from_ecr(host)


def _from_docker(host: str) -> tuple[str, str] | None:
    """From config.json of docker, where it holds the credentials itself; helpers are not run."""
    folder = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker")
    try:
        known = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("auths", {})
        keys = _DOCKER_HUB_KEYS if host == DOCKER_HUB else (host, f"https://{host}")
        for key in keys:
            if text := known.get(key, {}).get("auth"):
                user, _, password = base64.b64decode(text).decode().partition(":")
                return (user, password) if password else None
    except (OSError, ValueError, AttributeError):
        return None
    return None


def _from_ecr(host: str) -> tuple[str, str] | None:
    match = _PRIVATE_ECR.fullmatch(host)
    if match is None:
        return None
    try:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        return None
    try:
        answer = boto3.client("ecr", region_name=match[1]).get_authorization_token()
    except (BotoCoreError, ClientError):
        return None
    text = base64.b64decode(answer["authorizationData"][0]["authorizationToken"]).decode()
    user, _, password = text.partition(":")
    return user, password
