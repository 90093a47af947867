"""A cloud on the loopback and the real CDK command-line tool that deploys to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import boto3

from hyperpod_dpd.node import locked_node

ROOT = Path(__file__).resolve().parents[2]
CDK = ROOT / "node_modules" / ".bin" / "cdk"
PATIENCE_SECONDS = 120


@dataclass
class Cloud:
    """Where the moto server listens, an administrator's key of each account, and the file it writes down in."""

    port: int
    keys: dict[str, tuple[str, str]]
    record: Path
    home: Path
    log: Path

    @cached_property
    def _sessions(self) -> dict[str, boto3.Session]:
        return {
            account: boto3.Session(aws_access_key_id=key, aws_secret_access_key=secret)
            for account, (key, secret) in self.keys.items()
        }

    @property
    def url(self) -> str:
        """moto recognises the addresses of templates by this host name."""
        return f"http://localhost:{self.port}"

    def client(self, service: str, account: str, region: str) -> Any:
        """A boto3 client of one account and Region of this cloud."""
        return self._sessions[account].client(service, region_name=region, endpoint_url=self.url)

    def recorded(self, event: str = "create") -> list[dict[str, Any]]:
        """What modelled types were given, in order."""
        lines = self.record.read_text(encoding="utf-8").splitlines() if self.record.is_file() else []
        return [line for line in map(json.loads, lines) if line["event"] == event]

    def cdk(self, *arguments: str, account: str, region: str) -> str:
        """Runs the locked `cdk` with an administrator's key; returns all that it printed, or fails with it."""
        key, secret = self.keys[account]
        node = locked_node()
        assert node is not None, "the locked Node is not installed"
        environment = {
            "PATH": f"{node.parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": secret,
            "AWS_REGION": region,
            "AWS_EC2_METADATA_DISABLED": "true",
            "CDK_DISABLE_VERSION_CHECK": "true",
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "CI": "true",
            "NO_COLOR": "1",
        }
        command = [str(node), str(CDK), *arguments, "--no-notices"]
        result = subprocess.run(
            command,
            cwd=self.home,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        output = result.stdout + result.stderr
        assert result.returncode == 0, f"cdk {' '.join(arguments)}\n{output}"
        return output


@contextmanager
def cloud(folder: Path, accounts: list[str], existing: list[dict[str, Any]] | None = None) -> Iterator[Cloud]:
    """A moto server of our own process, stopped by its id; ``folder`` takes its record and its log."""
    folder.mkdir(parents=True, exist_ok=True)
    record, log = folder / "record.jsonl", folder / "server.log"
    environment = {**os.environ, "DPD_DEPLOY_RECORD": str(record)}
    environment.pop("MOTO_ACCOUNT_ID", None)
    command = [sys.executable, "-m", "tests.deploy.moto_models.server"]
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            json.dump({"accounts": accounts, "existing": existing or []}, process.stdin)
            process.stdin.close()
            line = process.stdout.readline()
            assert line, f"the moto server did not start:\n{log.read_text(encoding='utf-8')}"
            told = json.loads(line)
            keys = {account: (key, secret) for account, (key, secret) in told["keys"].items()}
            yield Cloud(told["port"], keys, record, folder, log)
        finally:
            process.terminate()
            process.wait(timeout=30)
