"""Ways to write the same endpoint: order, spelling, quoting, fields that may be absent, JSON, comments, lists."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import yaml

from hyperpod_dpd.catalog.vllm_flags import ALIASES, BOOLEAN

SHORT = {long: short for short, long in ALIASES.items()}
# Fields that the operator does without, or that have a default of their own.
OPTIONAL: tuple[tuple[str, ...], ...] = (
    ("metadata", "labels"),
    ("spec", "maxDeployTimeInSeconds"),
    ("spec", "loadBalancer", "idleTimeoutSeconds"),
    ("spec", "metrics", "metricsScrapeIntervalSeconds"),
    ("spec", "metrics", "modelMetrics", "path"),
    ("spec", "worker", "modelInvocationPort", "name"),
    ("spec", "pdSpec", "routingThreshold"),
    ("spec", "intelligentRoutingSpec", "autoScalingSpec"),
    ("spec", "endpointName"),
    ("status",),
)


def turned(value: Any, chance: random.Random) -> Any:
    """Keys of every mapping in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: turned(value[key], chance) for key in keys}
    return [turned(item, chance) for item in value] if isinstance(value, list) else value


def variables_turned(value: Any, chance: random.Random) -> Any:
    """Environment variables in another order."""
    chance.shuffle(value["spec"]["worker"]["environmentVariables"])
    return value


def arguments_respelled(value: Any, chance: random.Random) -> Any:
    """The same spelling for the same flag in all blocks: ``--flag=value``, underscores, short names."""
    spec = value["spec"]
    spelling: dict[str, str] = {}
    for block in (spec["worker"], *(spec["pdSpec"][key] for key in ("prefillSpec", "decodingSpec"))):
        if isinstance(block.get("args"), list):
            block["args"] = _respelled(block["args"], chance, spelling)
    return value


def _respelled(items: list[str], chance: random.Random, spelling: dict[str, str]) -> list[str]:
    result: list[str] = []
    index = 0
    while index < len(items):
        flag = items[index]
        takes_value = index + 1 < len(items) and not items[index + 1].startswith("--") and flag not in BOOLEAN
        how = spelling.setdefault(flag, chance.choice(["plain", "equals", "underscores", "short", "plain"]))
        written = flag
        if how == "underscores":
            written = "--" + flag.removeprefix("--").replace("-", "_")
        elif how == "short":
            written = SHORT.get(flag, flag)
        if not takes_value:
            result.append(written)
        elif how == "equals":
            result.append(f"{written}={items[index + 1]}")
        else:
            result += [written, items[index + 1]]
        index += 2 if takes_value else 1
    return result


def arguments_turned(value: Any, chance: random.Random) -> Any:
    """Flags, with their values, in another order."""
    args = value["spec"]["worker"]["args"]
    pairs: list[list[str]] = []
    for item in args:
        if item.startswith("--"):
            pairs.append([item])
        else:
            pairs[-1].append(item)
    chance.shuffle(pairs)
    value["spec"]["worker"]["args"] = [item for each in pairs for item in each]
    return value


def amounts_respelled(value: Any, chance: random.Random) -> Any:
    """Numbers as numbers or as text, memory in another unit."""

    def respell(name: str, amount: Any) -> Any:
        if name == "memory" and isinstance(amount, str) and amount.endswith("Gi"):
            gib = int(amount.removesuffix("Gi"))
            return chance.choice([amount, f"{gib * 1024}Mi", str(gib * 2**30)])
        if name == "cpu":
            return chance.choice([str(amount), int(amount), f"{int(amount) * 1000}m"])
        return chance.choice([str(amount), int(amount)]) if str(amount).isdecimal() else amount

    spec = value["spec"]
    for block in (spec["worker"], *(spec["pdSpec"][key] for key in ("prefillSpec", "decodingSpec"))):
        spellings: dict[str, Any] = {}
        for amounts in block.get("resources", {}).values():
            for name in amounts:
                amounts[name] = spellings.setdefault(name, respell(name, amounts[name]))
    return value


def optional_left_out(value: Any, chance: random.Random) -> Any:
    """Some fields that may be absent are."""
    for path in OPTIONAL:
        if chance.random() < 0.4:
            holder = value
            for key in path[:-1]:
                holder = holder.get(key) if isinstance(holder, dict) else None
            if isinstance(holder, dict):
                holder.pop(path[-1], None)
    return value


def additions(value: Any, chance: random.Random) -> Any:
    """What kubectl and GitOps tools add to an object."""
    metadata = value["metadata"]
    if chance.random() < 0.5:
        metadata.setdefault("annotations", {})["kubectl.kubernetes.io/last-applied-configuration"] = "{}"
    if chance.random() < 0.5:
        metadata.setdefault("labels", {})["argocd.argoproj.io/instance"] = "serving"
    if chance.random() < 0.5:
        metadata |= {
            "creationTimestamp": "2026-11-01T00:00:00Z",
            "generation": 3,
            "uid": "0a",
            "resourceVersion": "9",
        }
    return value


CHANGES: tuple[Callable[[Any, random.Random], Any], ...] = (
    turned, variables_turned, arguments_respelled, arguments_turned, amounts_respelled, optional_left_out, additions,
)  # fmt: skip


def variation(manifest: Any, seed: int) -> tuple[str, str]:
    """The endpoint as some text, and what was done to it."""
    chance = random.Random(seed)
    value = copy.deepcopy(manifest)
    done = sorted(chance.sample(range(len(CHANGES)), chance.randint(1, 3)), reverse=True)
    for index in done:
        value = CHANGES[index](value, chance)
    how = chance.choice(sorted(WRITERS))
    return WRITERS[how](value, chance), " + ".join([*(CHANGES[index].__name__ for index in done), how])


def _json(value: Any, chance: random.Random) -> str:
    return json.dumps(value, indent=chance.choice([None, 1, 4]), ensure_ascii=chance.random() < 0.5)


def _yaml(value: Any, chance: random.Random) -> str:
    return yaml.safe_dump(value, sort_keys=False, indent=chance.choice([2, 4]))


def _quoted(value: Any, chance: random.Random) -> str:
    """Text in quotes, numbers and switches bare."""
    style = chance.choice(["'", '"'])

    class Quoting(yaml.SafeDumper):
        """Keys and text in one style of quotes."""

    Quoting.add_representer(
        str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    )
    return yaml.dump(value, Dumper=Quoting, sort_keys=False)


def _flow(value: Any, chance: random.Random) -> str:
    return yaml.safe_dump(value, sort_keys=False, default_flow_style=True, width=chance.choice([60, 10_000]))


def _commented(value: Any, chance: random.Random) -> str:
    lines = ["# ours", "---"]
    for line in yaml.safe_dump(value, sort_keys=False, width=10_000).splitlines():
        if chance.random() < 0.2:
            lines += ["", f"{' ' * (len(line) - len(line.lstrip()))}# $NOT_A_VARIABLE <not a placeholder>"]
        lines.append(line)
    return "\n".join(lines) + "\n...\n"


def _listed(value: Any, chance: random.Random) -> str:
    other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}, "data": {"a": "b"}}
    items = [other, value] if chance.random() < 0.5 else [value]
    return yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": items}, sort_keys=False)


def _several(value: Any, chance: random.Random) -> str:
    other = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "inference"}}
    return yaml.safe_dump_all([other, value] if chance.random() < 0.5 else [value, other], sort_keys=False)


def _windows(value: Any, chance: random.Random) -> str:
    return "\ufeff" + yaml.safe_dump(value, sort_keys=False).replace("\n", "\r\n")


WRITERS: dict[str, Callable[[Any, random.Random], str]] = {
    "json": _json, "yaml": _yaml, "quoted": _quoted, "flow": _flow, "comments": _commented, "list": _listed,
    "documents": _several, "windows": _windows,
}  # fmt: skip
