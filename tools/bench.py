"""Measures synthesis and `dpd check` in one run and prints ratios; it reports, it never fails on time.

Synthesis is measured as users run it, through the `cdk` and `cdk8s` command-line tools, ours and the empty apps
alike; the two Python programs alone are timed beside it. Every case runs in a scratch copy of the sources, so
nothing in the checkout is written, and the cases take turns, so that a busy machine slows all of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("app.py", "cdk.json", "cdk8s.yaml", "lib", "infra", "k8s")
EMPTY_CDK = "import aws_cdk\n\napp = aws_cdk.App()\naws_cdk.Stack(app, 'empty')\napp.synth()\n"
EMPTY_CDK8S = "import cdk8s\n\ncdk8s.App().synth()\n"

SYNTH_BUDGET = 2.0
FURTHER_ENVIRONMENT_BUDGET = 0.10
CHECK_BUDGET_SECONDS = 0.4
START_BUDGET_SECONDS = 0.35
MANIFESTS = 1000
COPIES = 4
CHECKS = ("check", "start", "many")
MANIFEST_BUDGET_MS = 2.0


@dataclass(frozen=True, slots=True)
class Case:
    """Commands that are timed together, and the folder they run in."""

    name: str
    folder: Path
    commands: tuple[tuple[str, ...], ...]


def copy_with(folder: Path, environments: list[Path]) -> Path:
    """A copy of the sources that knows only these environments (and their outputs and locks)."""
    folder.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "python", folder / "tools" / "python")
    shutil.copytree(ROOT / "environments", folder / "environments")
    kept = {path.name for path in environments}
    for path in (folder / "environments").glob("*.yaml"):
        if path.name not in kept:
            path.unlink()
    return folder


def copies_of(folder: Path, environment: Path, count: int) -> Path:
    """The sources with ``count`` environments that differ in name only, so that one more is one more of the same."""
    copy_with(folder, [environment])
    for index in range(1, count):
        shutil.copy(environment, folder / "environments" / f"copy-{index}.yaml")
    return folder


def manifests(folder: Path, environments: list[Path]) -> Path:
    """Many endpoints, each in a file of its own, made from what the example environments lead to."""
    sys.path.insert(0, str(ROOT))
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config import load_environment
    from hyperpod_dpd.document import dump_yaml

    folder.mkdir()
    plans = [plan for path in environments for plan in resolve(load_environment(path)).endpoints]
    rendered = [value for plan in plans if (value := plan.rendered()) is not None]
    for index in range(MANIFESTS):
        value = rendered[index % len(rendered)]
        named = {**value, "metadata": {**value["metadata"], "name": f"endpoint-{index}"}}
        named["spec"] = {**value["spec"], "endpointName": f"endpoint-{index}"}
        (folder / f"{index:04}.yaml").write_text(dump_yaml(named), encoding="utf-8")
    return folder


def seconds(case: Case, env: dict[str, str]) -> float:
    """Wall seconds of one pass; a command that fails ends the benchmark with its output."""
    started = time.perf_counter()
    for command in case.commands:
        result = subprocess.run(
            command, cwd=case.folder, env=env, capture_output=True, text=True, check=False
        )
        if result.returncode != 0:
            sys.stderr.write(result.stdout + result.stderr)
            sys.exit(f"bench: `{' '.join(command)}` failed with status {result.returncode} ({case.name})")
    return time.perf_counter() - started


def cases(scratch: Path, environments: list[Path]) -> list[Case]:
    """The empty apps, ours with one environment and with all, and one `dpd check`."""
    empty = scratch / "empty"
    empty.mkdir()
    (empty / "cdk_app.py").write_text(EMPTY_CDK, encoding="utf-8")
    (empty / "cdk8s_app.py").write_text(EMPTY_CDK8S, encoding="utf-8")
    (empty / "cdk.json").write_text(json.dumps({"app": "python cdk_app.py"}), encoding="utf-8")
    (empty / "cdk8s.yaml").write_text("language: python\napp: python cdk8s_app.py\n", encoding="utf-8")
    tools = (
        ("cdk", "synth", "-q", "--no-notices", "**"),
        ("cdk8s", "synth", "--check-upgrade=false"),
    )
    programs = ((sys.executable, "app.py"), (sys.executable, "-m", "k8s"))
    one = environments[0]
    many = manifests(scratch / "manifests", environments)
    check = ("dpd", "check", "-q")
    return [
        Case("empty", empty, tools),
        Case("one", copy_with(scratch / "one", [one]), tools),
        Case("copies", copies_of(scratch / "copies", one, COPIES), tools),
        Case("all", copy_with(scratch / "all", environments), tools),
        Case("empty programs", empty, ((sys.executable, "cdk_app.py"), (sys.executable, "cdk8s_app.py"))),
        Case("all programs", scratch / "all", programs),
        Case("check", ROOT, ((*check, str(one.relative_to(ROOT))),)),
        Case("start", ROOT, ((*check, str(next(many.iterdir()))),)),
        Case("many", ROOT, ((*check, str(many)),)),
    ]


def chosen(wanted: list[str] | None) -> list[Path]:
    """The documents to measure with; ends the benchmark where there is none of a name."""
    found = sorted((ROOT / "environments").glob("*.yaml"))
    if unknown := set(wanted or ()) - {path.stem for path in found}:
        sys.exit(f"bench: no environment is named {', '.join(sorted(unknown))}")
    if not found:
        sys.exit("bench: environments/ holds no YAML file")
    return [path for path in found if not wanted or path.stem in wanted]


def main(arguments: list[str]) -> int:
    """Run every case in turn, drop the first (cold) pass, print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="timed passes after the cold one")
    parser.add_argument(
        "--environments", nargs="+", metavar="NAME", help="these only, by name (default: every one)"
    )
    options = parser.parse_args(arguments)
    environments = chosen(options.environments)

    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    synth_env = {**os.environ, "CDK_VALIDATION": "false", "CDK_CONTEXT_JSON": json.dumps(context)}
    # No node to be had: a check that starts jsii would fail instead of only being slow.
    check_env = {**os.environ, "JSII_NODE": os.devnull}
    with tempfile.TemporaryDirectory(prefix="dpd-bench-") as scratch:
        timed = cases(Path(scratch), environments)
        samples: dict[str, list[float]] = {case.name: [] for case in timed}
        for turn in range(options.runs + 1):
            for case in timed:
                spent = seconds(case, check_env if case.name in CHECKS else synth_env)
                if turn > 0:
                    samples[case.name].append(spent)

    median = {name: statistics.median(values) for name, values in samples.items()}
    count = len(environments)
    print(f"medians of {options.runs} runs, built-in CDK validation off")
    print(f"  empty CDK app + empty cdk8s app   {median['empty']:6.2f} s")
    print(f"  one environment ({environments[0].stem})             {median['one']:6.2f} s")
    print(f"  the same {COPIES} times                   {median['copies']:6.2f} s")
    print(f"  {', '.join(path.stem for path in environments)} ({count})  {median['all']:6.2f} s")
    print(
        f"  the programs alone: empty, all    {median['empty programs']:6.2f} s {median['all programs']:6.2f} s"
    )
    print(f"  dpd check of one environment      {median['check']:6.2f} s")
    print(f"  dpd check of one manifest         {median['start']:6.2f} s")
    print(f"  dpd check of {MANIFESTS} manifests      {median['many']:6.2f} s")
    print("ratios")
    report("all environments / empty apps", median["all"] / median["empty"], SYNTH_BUDGET, "x")
    alone = median["all programs"] / median["empty programs"]
    report("the same, the programs alone", alone, SYNTH_BUDGET, "x")
    further = (median["copies"] - median["one"]) / (COPIES - 1) / median["one"] * 100
    report("each further copy of one / one", further, FURTHER_ENVIRONMENT_BUDGET * 100, "%")
    if count > 1:
        examples = (median["all"] - median["one"]) / (count - 1) / median["one"] * 100
        report("each further example / one", examples, FURTHER_ENVIRONMENT_BUDGET * 100, "%")
    report("dpd check of one environment", median["check"], CHECK_BUDGET_SECONDS, " s")
    report("dpd check, start-up", median["start"], START_BUDGET_SECONDS, " s")
    each = (median["many"] - median["start"]) / MANIFESTS * 1000
    report("dpd check, each further manifest", each, MANIFEST_BUDGET_MS, " ms")
    return 0


def report(label: str, value: float, budget: float, unit: str) -> None:
    """One line: the measured value, its budget, and whether it is within."""
    verdict = "within" if value <= budget else "OVER"
    print(f"  {label:<34}{value:6.2f}{unit}  {verdict} {budget:g}{unit}")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
