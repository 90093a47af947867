"""What the documents say of the tree and of the command: links, verbs and options that exist, a map without gaps."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hyperpod_dpd.cli.main import dpd
from tests.support.documents import ROOT
from tests.support.project import project_files

DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda file: file.relative_to(ROOT).as_posix()
)
TOLD_BY = sorted(
    file for folder in ("lib", "infra", "k8s", "tools") for file in (ROOT / folder).rglob("*.py")
)
_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"(?:`|^ *(?:- run: |\$ )?|[|&;] |== )dpd ((?:[a-z-]+)(?:[^`\n|&;#>]*))", re.MULTILINE)


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("file", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(file: Path) -> None:
    for link in re.findall(r"\]\((?!https?://)([^)\s]+)\)", file.read_text(encoding="utf-8")):
        place, _, anchor = link.partition("#")
        target = (file.parent / place).resolve() if place else file
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def commands(text: str) -> Iterator[list[str]]:
    for found in _COMMAND.findall(text):
        try:
            yield shlex.split(found)
        except ValueError:  # an apostrophe of the sentence around it
            yield found.split()


def fault_of(words: list[str]) -> str | None:
    """Why `dpd WORDS` names something that the command does not have."""
    context = click.Context(dpd)
    found: click.Command = dpd
    while words and isinstance(found, click.Group) and not words[0].startswith("-"):
        child = found.get_command(context, words[0])
        if child is None:
            return f"no verb '{words[0]}'"
        found, words = child, words[1:]
    known = {option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in words:
        if word.startswith("--") and word.partition("=")[0] not in {*known, "--help"}:
            return f"{found.name} has no option '{word}'"
    return None


@pytest.mark.parametrize("files", [[file] for file in DOCUMENTS] + [TOLD_BY], ids=lambda f: name_of(f[0]))
def test_commands_exist(files: list[Path]) -> None:
    faults = [
        f"{name_of(file)}: dpd {' '.join(words)}: {fault}"
        for file in files
        for words in commands(file.read_text(encoding="utf-8"))
        if (fault := fault_of(words))
    ]
    assert not faults


def test_a_command_that_does_not_exist_is_seen() -> None:
    text = "see `dpd plot dev`\n   dpd kv x --size 3\n- run: dpd images pull prod\n`dpd check a --strict`\n"
    assert [fault_of(words) for words in commands(text)] == [
        "no verb 'plot'",
        "kv has no option '--size'",
        "no verb 'pull'",
        None,
    ]


def test_the_map_has_every_folder_and_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files = project_files()
    top = {file.split("/")[0] for file in files if "/" in file}
    parts = {
        "/".join(file.split("/")[:3]) for file in files if file.startswith("lib/") and file.count("/") > 2
    }
    pages = {file for file in files if re.fullmatch(r"docs/[^/]+\.md", file)}
    absent = {f"{folder}/" for folder in top if f"`{folder}/" not in readme}
    absent |= {part for part in parts if f"`{part}`" not in readme}
    absent |= {page for page in pages if f"({page})" not in readme}
    assert not absent
    table = readme.split("## The map", 1)[1].split("\n## ", 1)[0]
    for named in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        for place in re.findall(r"`([^`]+)`", named):
            assert (ROOT / place).exists(), place


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [
        found[1]
        for page in (ROOT / "docs" / "decisions").iterdir()
        if (found := re.match(r"([0-9]{4})-", page.name))
    ]
    assert len(numbers) > 1
    assert sorted(numbers) == sorted(set(numbers))
