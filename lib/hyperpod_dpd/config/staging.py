"""Jobs that an endpoint may bring along: staging of its weights, and its benchmark."""

from __future__ import annotations

from pydantic import Field

from hyperpod_dpd.config.base import ObjectName, SecretKey, Section


class Staging(Section):
    """Copy a Hugging Face repository at one commit to where the endpoint reads its weights."""

    commit: str = Field(pattern=r"^[0-9a-f]{40}$", description="Commit of the repository.")
    model_id: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$",
        description="Repository. Default: the catalogue model's.",
    )
    token_secret: ObjectName | None = Field(None, description="Kubernetes Secret with the token, when gated.")
    token_key: SecretKey = "token"
    include: list[str] = Field(
        default_factory=lambda: ["*.safetensors", "*.json", "*.model", "*.txt", "*.jinja"],
        min_length=1,
        description="Files to copy, as shell patterns.",
    )
    disk_gib: int = Field(64, ge=1, description="Room for the files in flight, on a system node.")
    parallel_files: int = Field(4, ge=1, le=32)
    max_retries: int = Field(6, ge=0, le=20)
    deadline_seconds: int = Field(21600, ge=600)


class Benchmark(Section):
    """A genai-bench run against the endpoint's router, started by hand from a suspended CronJob."""

    scenarios: list[str] = Field(
        default_factory=lambda: ["D(4096,256)"],
        min_length=1,
        description="Traffic, in genai-bench's notation.",
    )
    concurrency: list[int] = Field(default_factory=lambda: [8, 16, 32], min_length=1)
    max_minutes_per_run: int = Field(10, ge=1)
    max_requests_per_run: int = Field(500, ge=1)
    tokenizer: str | None = Field(None, description="Hugging Face id. Default: the catalogue model's.")
    token_secret: ObjectName | None = Field(None, description="Kubernetes Secret with the token, when gated.")
    token_key: SecretKey = "token"
    results_prefix: str = Field(
        "benchmarks",
        pattern=r"^[A-Za-z0-9_.!*'()/@=+-]+$",
        description="Folder of the model bucket for results.",
    )
