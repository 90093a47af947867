"""A moto server with our models on a free port of the loopback; says where it is and with which keys, then serves.

Started as ``python -m tests.deploy.moto_models.server`` by the test, in a process of its own: the models replace parts
of moto. Its input is JSON: the accounts, and what stands there already. The first line of its output is JSON: the port,
and an access key for each account.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

from moto.iam.models import iam_backends
from moto.server import ThreadedMotoServer

from tests.deploy.moto_models import existing, hyperpod, kubernetes, network, operations, stacks, storage

LOOPBACK = "127.0.0.1"
MODELS = (*network.MODELS, *kubernetes.MODELS, *hyperpod.MODELS, *storage.MODELS, *operations.MODELS)


def _keys(accounts: list[str]) -> dict[str, list[str]]:
    """An administrator of each account; moto tells accounts apart by the access key."""
    keys = {}
    for account in accounts:
        backend = iam_backends[account]["aws"]
        backend.create_user("us-east-1", "deployer")
        key = backend.create_access_key("deployer")
        keys[account] = [key.access_key_id, key.secret_access_key]
    return keys


def main(given: dict[str, Any]) -> None:
    stacks.install()
    for entry in given["existing"]:
        existing.stand(entry)
    server = ThreadedMotoServer(ip_address=LOOPBACK, port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    print(json.dumps({"port": port, "keys": _keys(given["accounts"])}), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(json.load(sys.stdin))
