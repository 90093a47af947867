"""The way through the house: what each part may import, and what `dpd check` must never load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.documents import ROOT

LAYERS = {
    # A package of lib to the packages of lib it may import at run time.
    "document": set(),
    "catalog": {"document"},
    "config": {"catalog", "document"},
    "sizing": {"catalog", "document"},
    "iec": {"catalog", "document"},
    "blueprint": {"catalog", "config", "document", "iec", "sizing"},
    "kinds": {"catalog", "document", "iec"},
    "view": {"blueprint", "catalog", "config", "document", "iec", "kinds", "sizing"},
    "rules": {"blueprint", "catalog", "config", "document", "iec", "kinds", "sizing", "view"},
    "observability": {"blueprint", "catalog", "config", "document", "iec", "sizing"},
    "capacity": {"blueprint", "catalog", "config", "document", "sizing"},
    "logs": {"catalog", "document", "sizing"},
    "live": {"blueprint", "catalog", "config", "document"},
    "importing": {"blueprint", "catalog", "config", "document", "iec"},
    "runbooks": {"blueprint", "catalog", "document", "iec"},
}
PACKAGE = ROOT / "lib" / "hyperpod_dpd"
HEAVY = ("aws_cdk", "cdk8s", "constructs", "jsii")
LONGEST_FILE = 300
LIVE = ("boto3", "botocore", "kubernetes")


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports(file: Path) -> Iterator[str]:
    """Modules imported at run time: everything but what stands under TYPE_CHECKING."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    hidden = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def offenders(files: list[Path], forbidden: tuple[str, ...]) -> list[str]:
    return sorted(
        {
            f"{file.relative_to(ROOT)}: {name}"
            for file in files
            for name in imports(file)
            if name.split(".")[0] in forbidden
            or any(name == f or name.startswith(f + ".") for f in forbidden)
        }
    )


def test_lib_never_imports_the_synthesis_libraries() -> None:
    assert not offenders(python_files(PACKAGE), (*HEAVY, "infra", "k8s"))


def test_only_live_imports_clients_of_running_systems() -> None:
    files = [f for f in python_files(PACKAGE) if "live" not in f.relative_to(ROOT).parts]
    assert not offenders(files, LIVE)


def test_infra_and_k8s_never_meet() -> None:
    assert not offenders(python_files(ROOT / "infra"), ("k8s", "cdk8s"))
    assert not offenders(python_files(ROOT / "k8s"), ("infra", "aws_cdk"))


@pytest.mark.parametrize("package", sorted(LAYERS))
def test_packages_of_lib_import_only_what_lies_below(package: str) -> None:
    folder = PACKAGE / package
    wrong = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in python_files(folder)
        for name in imports(file)
        if name.startswith("hyperpod_dpd.") and name.split(".")[1] not in LAYERS[package] | {package}
    }
    assert not wrong


def test_every_package_of_lib_has_its_place() -> None:
    packages = {p.name for p in PACKAGE.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert packages <= set(LAYERS) | {"cli", "live", "synthesis"}


def test_check_loads_neither_jsii_nor_clients() -> None:
    program = (
        "import sys; sys.argv = ['dpd', 'check', 'tests/environments/dev.yaml', 'tests/environments/prod.yaml'];"
        "from hyperpod_dpd.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code\n"
        f"loaded = sorted({(*HEAVY, *LIVE, 'rich', 'matplotlib')!r} & {{m.split('.')[0] for m in sys.modules}})\n"
        "assert not loaded, loaded"
    ).replace(
        f"{(*HEAVY, *LIVE, 'rich', 'matplotlib')!r} &", f"set({(*HEAVY, *LIVE, 'rich', 'matplotlib')!r}) &"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_files_stay_short() -> None:
    long = {
        str(file.relative_to(ROOT)): lines
        for part in ("lib", "infra", "k8s", "tools")
        for file in python_files(ROOT / part)
        if (lines := file.read_text(encoding="utf-8").count("\n")) > LONGEST_FILE
    }
    assert not long
