"""A `dpd kv` report as people read it: aligned figures, then what to know about them."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import click

from hyperpod_dpd.cli.tables import aligned

Row = tuple[str, str, str]


def write_report(report: Mapping[str, Any], *, quiet: bool) -> None:
    """Figures in aligned columns: what, how much, remark."""
    bound = "" if report["exact"] else f", not exact: {report['bound']} bound"
    click.echo(f"{report['name']}: {report['attention']} attention{bound}")
    sections = [("", list(_model(report)))]
    if report["buffer"] is not None:
        sections.append(("buffer", list(_buffer(report["buffer"], report["assumed"]))))
    if report["prompt"] is not None:
        sections.append(("prompt", list(_prompt(report["prompt"]))))
    rows = [row for _, section in sections for row in section]
    lines = iter(aligned(rows, right=(1,), indent="  "))
    for title, section in sections:
        if title:
            click.echo(title)
        for _ in section:
            click.echo(next(lines))
    if report["memory"] is not None:
        _write_memory(report["memory"])
    for warning in report["warnings"]:
        _paragraph("warning", warning)
    if not quiet:
        for note in report["notes"]:
            _paragraph("note", note)


def _model(report: Mapping[str, Any]) -> Iterator[Row]:
    dtype = report["kv_cache_dtype"]
    assumed = report["assumed"].get("tensor_parallel_size", "")
    yield "tensor-parallel size", str(report["tensor_parallel_size"]), _assumed(assumed)
    yield "KV bytes per token per rank", _count(report["bytes_per_token_per_rank"]), _dtype(dtype)
    least, most = report["bytes_per_token_least"], report["bytes_per_token_most"]
    if (least, most) != (report["bytes_per_token_per_rank"],) * 2:
        yield "  at least", _count(least), ""
        yield "  at most", _count(most), ""
    yield "layers with KV cache", _count(report["layers_with_cache"]), ""
    yield "page", _count(report["page_bytes"]), f"bytes: {report['page_tokens']} tokens"
    yield "longest context", _count(report["max_position_tokens"]), "tokens"
    yield "weights", _count(report["weight_bytes"]), _size(report["weight_bytes"])


def _buffer(buffer: Mapping[str, Any], assumed: Mapping[str, str]) -> Iterator[Row]:
    yield "size", _count(buffer["bytes"]), _assumed(assumed.get("buffer_bytes", ""))
    yield "whole pages", _count(buffer["pages"]), ""
    yield "aligned size", _count(buffer["aligned_bytes"]), f"bytes, {buffer['lost_bytes']:,} lost"
    yield "holds", _count(buffer["capacity_tokens"]), "tokens"
    if buffer["in_flight_transfers"] is not None:
        yield "transfers in flight", _count(buffer["in_flight_transfers"]), "of this prompt's length"
    if buffer["holds_longest_prompt"] is not None:
        yes = "yes" if buffer["holds_longest_prompt"] else "NO"
        yield "holds the longest prompt", yes, f"{buffer['longest_prompt_tokens']:,} tokens"


def _prompt(prompt: Mapping[str, Any]) -> Iterator[Row]:
    yield "tokens", _count(prompt["tokens"]), ""
    yield "pages", _count(prompt["pages"]), ""
    yield "bytes per rank", _count(prompt["bytes"]), _size(prompt["bytes"])
    if prompt["least_wire_seconds"] is not None:
        yield "at least on the wire", f"{prompt['least_wire_seconds'] * 1000:.2f}", "ms at EFA's line rate"


def _write_memory(memory: Mapping[str, Any]) -> None:
    click.echo(f"memory of one GPU of {memory['instance']}")
    roles = {role: value for role, value in memory.items() if isinstance(value, Mapping)}
    rows = [("", *roles)]
    for label, key in (
        ("largest safe utilisation", "largest_gpu_memory_utilization"),
        ("comfortable utilisation", "calm_gpu_memory_utilization"),
        ("utilisation looked at", "gpu_memory_utilization"),
        ("left free", "free_bytes"),
        ("KV cache", "kv_bytes"),
        ("KV cache, tokens", "kv_tokens"),
        ("largest model length", "largest_max_model_len"),
        ("requests at that length", "concurrency_at_longest"),
        ("requests at the prompt's", "concurrency_at_prompt"),
    ):
        values = [role[key] for role in roles.values()]
        if any(value is not None for value in values):
            rows.append((label, *(_cell(key, value) for value in values)))
    rows.append(("verdict", *(role["severity"] or "fits" for role in roles.values())))
    for line in aligned(rows, right=tuple(range(1, len(rows[0]))), indent="  "):
        click.echo(line)
    for role, value in roles.items():
        for problem in value["problems"]:
            _paragraph(role, problem)


def _cell(key: str, value: Any) -> str:
    if value is None:
        return "-"
    if key.endswith("utilization"):
        return f"{value:.2f}"
    return _size(value) if key.endswith("_bytes") else f"{value:,}"


def _count(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _size(value: int | None) -> str:
    return "" if value is None else f"{value / 2**30:.2f} GiB"


def _dtype(dtype: Mapping[str, Any]) -> str:
    return f"{dtype['name']}, {dtype['bits']} bits ({dtype['source']})"


def _assumed(text: str) -> str:
    return f"assumed: {text.partition(' (')[0]}" if text else ""


def _paragraph(label: str, text: str) -> None:
    width = max(60, min(shutil.get_terminal_size((100, 24)).columns, 120))
    click.echo(textwrap.fill(text, width, initial_indent=f"{label}: ", subsequent_indent="  "))
