"""Ways in and out: who reaches the API, and which ports nodes need beside 443."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.judging import environment_findings

ROLE = "arn:aws:iam::111122223333:role/nodes"


@pytest.mark.parametrize(
    ("access", "severity"),
    [
        ("{public_cidrs: [], private_cidrs: []}", "error"),
        ("{public_cidrs: [], private_cidrs: [10.8.0.0/16]}", None),
        ("{public_cidrs: [203.0.113.0/24], private_cidrs: []}", None),
        ("{public_cidrs: []}", "warning"),
    ],
)
def test_somebody_has_a_way_in(tmp_path: Path, access: str, severity: str | None) -> None:
    found = environment_findings("DPD269", f"cluster: {{api_access: {access}}}", tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_a_given_cluster_and_a_managed_controller_need_no_way_in(tmp_path: Path) -> None:
    assert environment_findings("DPD269", "tags: {a: b}", tmp_path, name="closed-network") == []
    none = "cluster: {api_access: {private_cidrs: []}}"
    assert environment_findings("DPD269", none, tmp_path, name="existing-cluster") == []


GIT = "delivery: {kind: %s, repository: '%s'}"


@pytest.mark.parametrize(
    ("fragment", "ports"),
    [
        (GIT % ("flux", "ssh://git@git.example.com/dpd.git"), "tcp 22"),
        (GIT % ("argocd", "git@git.example.com:dpd.git"), "tcp 22"),
        (GIT % ("flux", "ssh://git@git.example.com:7999/dpd.git"), "tcp 7999"),
        (GIT % ("flux", "https://git.example.com:8443/dpd.git"), "tcp 8443"),
        (GIT % ("flux", "https://git.example.com/dpd.git"), None),
        ("images: {worker: {repository: 'registry.example.com:5000/vllm', tag: v1}}", "tcp 5000"),
        ("images: {worker: {repository: 'registry.example.com:443/vllm', tag: v1}}", None),
    ],
)
def test_what_is_called_on_another_port_is_named(tmp_path: Path, fragment: str, ports: str | None) -> None:
    found = environment_findings("DPD272", fragment, tmp_path)
    assert len(found) == (1 if ports else 0)
    assert all(str(ports) in f.message for f in found)


FILE_SYSTEM = """
network: {egress: [%s]}
endpoints:
  llama-70b:
    model:
      weights:
        s3: null
        fsx: {path: m, file_system_id: fs-0a1b2c3d4e5f60718, dns_name: fs.example.com, mount_name: abcd}
"""


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        ("", "988 and 1018-1023"),
        ("{port: 988, to: 10.0.0.0/8, why: weights}", "1018-1023"),
        ("{port: 988, to: 10.0.0.0/8, why: a}, {port: 1018-1023, to: 10.0.0.0/8, why: b}", None),
        ("{port: 988-1023, to: sg-0a1b2c3d4e5f60718, why: weights}", None),
        ("{port: 988-1023, protocol: udp, to: 10.0.0.0/8, why: weights}", "988 and 1018-1023"),
    ],
)
def test_a_file_system_of_others_needs_both_ranges(tmp_path: Path, rules: str, missing: str | None) -> None:
    found = environment_findings("DPD272", FILE_SYSTEM % rules, tmp_path)
    assert [f"tcp {missing}," in f.message for f in found] == ([True] if missing else [])
