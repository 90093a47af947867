"""Arguments that vLLM refuses together, and flags that reach a judged setting by another way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits

REFUSED = [
    "--max-num-batched-tokens: 4096, --no-enable-chunked-prefill: true",
    "--max-num-batched-tokens: 8, --max-num-seqs: 16",
    "--max-num-partial-prefills: 2, --no-enable-chunked-prefill: true",
    "--max-num-partial-prefills: 2, --long-prefill-token-threshold: 99999",
    "--max-long-partial-prefills: 3",
    "--enable-lora: true, --max-loras: 4, --max-cpu-loras: 2",
    "--offload-group-size: 2, --offload-num-in-group: 3",
    "--offload-group-size: 2, --offload-prefetch-step: 0",
    '--attention-backend: FLASHINFER, --attention-config: \'{"backend": "FLASH_ATTN"}\'',
    "--cudagraph-capture-sizes: 8, --compilation-config.cudagraph_capture_sizes: '[8]'",
    "--ray-workers-use-nsight: true",
    "--dcp-comm-backend: a2a",
    '--speculative-config: \'{"method": "ngram", "num_speculative_tokens": 0}\'',
    '--speculative-config: \'{"method": "ngram"}\'',
    "--speculative-config: '{\"num_speculative_tokens\": 3}'",
    '--speculative-config: \'{"model": "/m", "num_speculative_tokens": 3, "draft_tensor_parallel_size": 2}\'',
    '--speculative-config: \'{"model": "/m", "num_speculative_tokens": 3, "tensor_parallel_size": 8}\'',
    '--async-scheduling: true, --speculative-config: \'{"method": "ngram", "num_speculative_tokens": 3}\'',
]
TAKEN = [
    "--max-num-batched-tokens: 16384, --no-enable-chunked-prefill: true",
    "--max-num-batched-tokens: 4096",
    "--max-num-partial-prefills: 2, --max-long-partial-prefills: 2",
    "--enable-lora: true, --max-loras: 4, --max-cpu-loras: 4",
    "--max-cpu-loras: 2, --max-loras: 4",  # without adapters nobody looks
    "--offload-group-size: 2, --offload-num-in-group: 2",
    "--attention-backend: FLASHINFER, --attention-config: '{\"use_prefill\": true}'",
    '--speculative-config: \'{"method": "ngram", "num_speculative_tokens": 3}\'',
    '--speculative-config: \'{"model": "/m", "num_speculative_tokens": 3, "draft_tensor_parallel_size": 1}\'',
]
OTHER_WAYS = [
    ("worker", "--kv-offloading-size: 64", ["error"]),
    ("worker", "--kv-offloading-size: 64, --kv-offloading-backend: lmcache", ["error"]),
    ("worker", "--kv-offloading-backend: lmcache", []),
    ("worker", "--runner: pooling", ["error"]),
    ("worker", "--convert: embed", ["error"]),
    ("worker", "--runner: generate, --convert: none", []),
    ("worker", "--kv-cache-memory-bytes: 20G", ["warning"]),
    ("worker", "--kv-cache-memory-bytes: 79G", ["error"]),
    ("worker", "--num-gpu-blocks-override: 100", ["error"]),
    ("worker", "--num-gpu-blocks-override: 10000", ["warning"]),
    ("decode", "--optimization-level: 0", ["warning"]),
    ("decode", "--compilation-config: '{\"mode\": 0}'", ["warning"]),
    ("decode", "--compilation-config.cudagraph_mode: NONE", ["warning"]),
    ("decode", "--compilation-config: '{\"mode\": 3}'", []),
    ("prefill", "--optimization-level: 0", []),
]
BLOCK = {
    "worker": "spec: {{worker: {{args: {{{}}}}}}}",
    "decode": "spec: {{pdSpec: {{decodingSpec: {{args: {{{}}}}}}}}}",
    "prefill": "spec: {{pdSpec: {{prefillSpec: {{args: {{{}}}}}}}}}",
}


@pytest.mark.parametrize("given", REFUSED)
def test_refused_at_the_start(given: str, tmp_path: Path) -> None:
    found = hits("DPD530", BLOCK["worker"].format(given), tmp_path)
    assert found and {hit.severity for hit in found} == {"error"}


@pytest.mark.parametrize("given", TAKEN)
def test_taken_at_the_start(given: str, tmp_path: Path) -> None:
    assert not hits("DPD530", BLOCK["worker"].format(given), tmp_path)


@pytest.mark.parametrize(("block", "given", "severities"), OTHER_WAYS)
def test_other_ways(block: str, given: str, severities: list[str], tmp_path: Path) -> None:
    assert [hit.severity for hit in hits("DPD531", BLOCK[block].format(given), tmp_path)] == severities
