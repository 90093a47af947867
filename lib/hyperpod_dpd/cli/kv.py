"""`dpd kv`: what a token costs in KV cache, what a buffer holds, and whether a role's GPU memory suffices.

Exit status: 0 with figures (warnings and inexact figures among them), 1 when the model's geometry or the request
is refused, 2 when there is nothing to compute from (no such file, not JSON, unknown option value).
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse, tell

if TYPE_CHECKING:
    from hyperpod_dpd.sizing.gpu_memory import InstanceFacts

_POSITIVE = click.IntRange(min=1)


@click.command(
    "kv",
    epilog=examples(
        "dpd kv config.json --tensor-parallel-size 8 --prompt-tokens 6000",
        "dpd kv llama-3.3-70b-instruct --instance ml.p5.48xlarge --format json",
    ),
)
@click.argument("model", required=False, metavar="[CONFIG.json|CATALOGUE-KEY]")
@click.option("--list", "listing", is_flag=True, help="Name the models of the catalogue.")
@click.option(
    "--quant-config", metavar="FILE", help="hf_quant_config.json; found beside config.json unasked."
)
@click.option("--tensor-parallel-size", type=_POSITIVE, metavar="N", help="Default: the GPUs of one node.")
@click.option("--kv-cache-dtype", metavar="D", help="As vLLM's flag: auto, bfloat16, fp8 ...")
@click.option("--buffer-bytes", type=_POSITIVE, metavar="N", help="PD_BUFFER_SIZE. Default: AWS's example.")
@click.option("--prompt-tokens", type=_POSITIVE, metavar="N", help="A prompt whose transfer is looked at.")
@click.option("--max-model-len", type=_POSITIVE, metavar="N", help="Longest request; default: the model's.")
@click.option(
    "--weight-bytes", type=_POSITIVE, metavar="N", help="Of all ranks, where the config is not enough."
)
@click.option(
    "--gpu-memory-utilization",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="F",
    help="As vLLM's flag.",
)
@click.option("--instance", metavar="TYPE", help="Budget the GPU memory of both roles on this type.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Figures only, without notes.")
def command(
    model: str | None,
    listing: bool,
    quant_config: str | None,
    tensor_parallel_size: int | None,
    kv_cache_dtype: str | None,
    buffer_bytes: int | None,
    prompt_tokens: int | None,
    max_model_len: int | None,
    weight_bytes: int | None,
    gpu_memory_utilization: float | None,
    instance: str | None,
    style: str,
    quiet: bool,
) -> None:
    """Exact KV cache arithmetic of one model, per tensor-parallel rank.

    CONFIG.json is the model's own configuration (or a folder that holds it); a key of the catalogue needs no file.
    Sizes are bytes. A geometry that is not certain gives a bound with its reason, or a refusal with status 1.
    """
    from hyperpod_dpd.sizing.model_input import UnreadableModel, read_model

    if listing:
        _list(style)
        return
    if model is None:
        raise click.UsageError("give a model's config.json or a catalogue key; `dpd kv --list` names those")
    try:
        given = read_model(model, quant_config=quant_config)
    except UnreadableModel as error:
        refuse(error, EXIT_UNREADABLE)
    facts, unconfirmed = _instance(instance) if instance is not None else (None, None)
    from hyperpod_dpd.catalog import engine_defaults
    from hyperpod_dpd.sizing.errors import SizingError, UnknownKvDtype
    from hyperpod_dpd.sizing.report import kv_report

    tensor_parallel_size, buffer_bytes, assumed = _defaults(tensor_parallel_size, buffer_bytes, facts)
    try:
        report = kv_report(
            given.config,
            quant_config=given.quant_config,
            name=given.name,
            tensor_parallel_size=tensor_parallel_size,
            chunk_tokens=engine_defaults.lmcache().chunk_tokens,
            kv_cache_dtype=kv_cache_dtype,
            buffer_bytes=buffer_bytes,
            prompt_tokens=prompt_tokens,
            max_model_len=max_model_len,
            instance=facts,
            weight_bytes=weight_bytes,
            utilization_hundredths=None
            if gpu_memory_utilization is None
            else int(gpu_memory_utilization * 100 + 1e-9),
        )
    except UnknownKvDtype as error:
        _refuse(error, style, usage=kv_cache_dtype is not None)
    except SizingError as error:
        _refuse(error, style)
    report["notes"] = [*given.notes, *report["notes"]]
    if unconfirmed:
        report["warnings"].append(unconfirmed)
    report = {"name": given.name, "files": list(given.files), "assumed": assumed, **report}
    if style == "json":
        click.echo(json.dumps(report, indent=2))
        return
    from hyperpod_dpd.cli.kv_text import write_report

    write_report(report, quiet=quiet)


def _defaults(
    tensor_parallel_size: int | None, buffer_bytes: int | None, instance: InstanceFacts | None
) -> tuple[int, int, dict[str, str]]:
    """Values nobody gave, from the catalogue, and what each rests on."""
    from hyperpod_dpd.catalog import engine_defaults, instance_types

    assumed: dict[str, str] = {}
    if tensor_parallel_size is None:
        name = instance.name if instance else engine_defaults.validated().instance_type
        node = instance_types.get(name)
        assert node is not None
        tensor_parallel_size = node.gpus
        assumed["tensor_parallel_size"] = f"all GPUs of one node of {name}"
    if buffer_bytes is None:
        fact = engine_defaults.fact_of("documented", "pd_buffer_bytes")
        buffer_bytes = int(fact.value)
        assumed["buffer_bytes"] = f"the documented PD_BUFFER_SIZE ({fact.source})"
    return tensor_parallel_size, buffer_bytes, assumed


def _instance(name: str) -> tuple[InstanceFacts, str | None]:
    """Facts of the type for the arithmetic, and a warning where its GPU memory is no measured figure."""
    from difflib import get_close_matches

    from hyperpod_dpd.catalog import instance_types
    from hyperpod_dpd.sizing.gpu_memory import InstanceFacts, gib_to_bytes

    found = instance_types.get(name) or instance_types.get(f"ml.{name}")
    if found is None:
        names = [each.name for each in instance_types.all() if each.gpus]
        close = get_close_matches(name, names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"for DPD: {', '.join(instance_types.dpd_types())}"
        raise click.BadParameter(f"'{name}' is not an instance type we know; {hint}", param_hint="--instance")
    if not found.gpus or (found.gpu_memory_gib is None and found.gpu_memory_mib is None):
        raise click.BadParameter(
            f"{found.name} has no GPU whose memory we know; for DPD: {', '.join(instance_types.dpd_types())}",
            param_hint="--instance",
        )
    warning = None
    if found.gpu_memory_gib is not None:
        memory = gib_to_bytes(str(found.gpu_memory_gib))
    else:
        memory = (found.gpu_memory_mib or 0) * 2**20
    if not found.gpu_memory_confirmed:
        warning = f"the usable GPU memory of {found.name} is not measured: {memory / 2**30:.1f} GiB assumed"
    return (
        InstanceFacts(
            name=found.name,
            gpus=found.gpus,
            gpu_memory_bytes=memory,
            transfer_bytes_per_second=found.efa_bytes_per_second_per_gpu,
        ),
        warning,
    )


def _refuse(error: Exception, style: str, *, usage: bool = False) -> NoReturn:
    """No figure can be given: one line that says what to give, also as JSON where that was asked for."""
    tell(error)
    if style == "json":
        click.echo(
            json.dumps({"exact": False, "refused": str(error), "reason": type(error).__name__}, indent=2)
        )
    sys.exit(EXIT_UNREADABLE if usage else 1)


def _list(style: str) -> None:
    from hyperpod_dpd.catalog import models
    from hyperpod_dpd.cli.tables import aligned

    if style == "json":
        records = [
            {
                "key": each.key,
                "name": each.name,
                "hugging_face_id": each.hugging_face_id,
                "attention": each.attention,
                "parameters_billion": each.parameters_billion,
                "source": str(each.source),
            }
            for each in models.all()
        ]
        click.echo(json.dumps({"models": records}, indent=2))
        return
    rows = [("KEY", "PARAMETERS", "ATTENTION", "HUGGING FACE ID")]
    rows += [
        (each.key, f"{each.parameters_billion:g}B", each.attention, each.hugging_face_id)
        for each in models.all()
    ]
    for line in aligned(rows, right=(1,)):
        click.echo(line)
