"""Jobs that endpoints bring along: staging of their weights, and benchmarks against their routers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import BenchmarkPlan, StagingPlan
from hyperpod_dpd.blueprint.registry import tool_image
from hyperpod_dpd.catalog import instance_types, models, tools

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.endpoints import EndpointPlan
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.model_source import Model


def plan_staging(loaded: LoadedEnvironment, *, bucket: str) -> Iterator[StagingPlan]:
    """One plan for each endpoint whose weights are to be copied; endpoints that share a prefix share the copy."""
    seen = set()
    for name, endpoint in loaded.environment.endpoints.items():
        weights = endpoint.model.weights
        staging = weights.staging
        place = weights.s3.prefix if weights.s3 else weights.fsx.path if weights.fsx else None
        if staging is None or place is None:
            continue
        prefix = place.strip("/")
        model_id = staging.model_id or hugging_face_id(endpoint.model)
        if (prefix, model_id, staging.commit) in seen:
            continue
        seen.add((prefix, model_id, staging.commit))
        yield StagingPlan(
            endpoint=name,
            namespace=endpoint.namespace,
            service_account=names.staging_service_account(name),
            image=tool_image(loaded, "staging"),
            packages=tuple(tools.value("staging_packages").value),
            model_id=model_id,
            commit=staging.commit,
            include=tuple(staging.include),
            bucket=bucket,
            prefix=prefix,
            token=(staging.token_secret, staging.token_key) if staging.token_secret else None,
            disk_gib=staging.disk_gib,
            parallel_files=staging.parallel_files,
            max_retries=staging.max_retries,
            deadline_seconds=staging.deadline_seconds,
        )


def plan_benchmarks(
    loaded: LoadedEnvironment, endpoints: tuple[EndpointPlan, ...], *, bucket: str
) -> Iterator[BenchmarkPlan]:
    """One plan for each endpoint that asks for a benchmark."""
    for plan in endpoints:
        endpoint = loaded.environment.endpoints[plan.name]
        benchmark = endpoint.benchmark
        if benchmark is None:
            continue
        known = instance_types.get(plan.roles[0].instance_type)
        yield BenchmarkPlan(
            endpoint=plan.name,
            namespace=plan.namespace,
            service_account=names.benchmark_service_account(plan.name),
            image=tool_image(loaded, "benchmark"),
            api_base=names.router_url(plan.name, plan.namespace, "").rstrip("/"),
            model=served_model(plan),
            tokenizer=benchmark.tokenizer or hugging_face_id(endpoint.model),
            token=(benchmark.token_secret, benchmark.token_key) if benchmark.token_secret else None,
            scenarios=tuple(benchmark.scenarios),
            concurrency=tuple(benchmark.concurrency),
            max_minutes_per_run=benchmark.max_minutes_per_run,
            max_requests_per_run=benchmark.max_requests_per_run,
            gpu_type=_gpu_type(known.accelerator if known else None),
            gpu_count=sum(role.gpus * role.replicas for role in plan.roles),
            bucket=bucket,
            prefix=f"{benchmark.results_prefix.strip('/')}/{plan.name}",
        )


def _gpu_type(accelerator: str | None) -> str:
    """As genai-bench spells it; '' for one that it does not take."""
    short = (accelerator or "").rpartition(" ")[2]
    return short if short in tools.value("benchmark_gpu_types").value else ""


def served_model(plan: EndpointPlan) -> str:
    """The ``model`` of a request's body: --served-model-name, else the path that vLLM loads from."""
    for flag in ("--served-model-name", "--model"):
        for role in plan.roles:
            values = dict(zip(role.arguments, role.arguments[1:], strict=False))
            if flag in values:
                return values[flag]
    return ""


def hugging_face_id(model: Model) -> str:
    """Repository of a catalogue model; '' where only the document could say."""
    known = models.get(model.catalogue) if model.catalogue else None
    return known.hugging_face_id if known else ""
