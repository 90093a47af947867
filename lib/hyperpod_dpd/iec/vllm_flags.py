"""The vocabulary of ``vllm serve``: which flags stand alone, take several values, or have a short name.

Read from the argument parser of the vLLM 0.19.0 wheel in November 2026, with a few flags of older releases
that manifests still carry. A flag that is not listed here is read by its shape, so newer releases keep
working.
"""

from __future__ import annotations

SOURCE = "vLLM 0.19.0, engine/arg_utils.py and entrypoints/openai/cli_args.py, read 2026-11"

# Short name -> long name.
ALIASES: dict[str, str] = {
    "-tp": "--tensor-parallel-size",
    "-pp": "--pipeline-parallel-size",
    "-dp": "--data-parallel-size",
    "-dpn": "--data-parallel-rank",
    "-dpr": "--data-parallel-start-rank",
    "-dpl": "--data-parallel-size-local",
    "-dpa": "--data-parallel-address",
    "-dpp": "--data-parallel-rpc-port",
    "-dpb": "--data-parallel-backend",
    "-dph": "--data-parallel-hybrid-lb",
    "-dpe": "--data-parallel-external-lb",
    "-dcp": "--decode-context-parallel-size",
    "-pcp": "--prefill-context-parallel-size",
    "-ep": "--enable-expert-parallel",
    "-q": "--quantization",
    "-n": "--nnodes",
    "-r": "--node-rank",
    "-O": "--optimization-level",
    "-sc": "--speculative-config",
    "-cc": "--compilation-config",
    "-ac": "--attention-config",
    "-asc": "--api-server-count",
}


def _flags(words: str) -> frozenset[str]:
    return frozenset(f"--{word}" for word in words.split())


# Flags that take no value and have a --no- form.
BOOLEAN = _flags("""
    trust-remote-code allow-deprecated-quantization enforce-eager enable-return-routed-experts
    disable-sliding-window disable-cascade-attn skip-tokenizer-init enable-prompt-embeds enable-sleep-mode
    use-tqdm-on-load data-parallel-hybrid-lb data-parallel-external-lb enable-expert-parallel
    enable-ep-weight-filter enable-dbo enable-elastic-ep disable-nccl-for-dp-synchronization enable-eplb
    ray-workers-use-nsight disable-custom-all-reduce enable-prefix-caching calculate-kv-scales
    kv-sharing-fast-prefill language-model-only enable-mm-embeds mm-encoder-only interleave-mm-strings
    skip-mm-profiling enable-tower-connector-lora fully-sharded-loras specialize-active-lora
    kv-cache-metrics cudagraph-metrics enable-layerwise-nvtx-tracing enable-mfu-metrics
    enable-logging-iteration-details enable-chunked-prefill disable-chunked-mm-input
    scheduler-reserve-full-isl disable-hybrid-kv-cache-manager async-scheduling enable-flashinfer-autotune
    enable-lora disable-log-stats aggregate-engine-logging fail-on-environ-validation enable-log-requests
    headless grpc trust-request-chat-template return-tokens-as-token-ids enable-auto-tool-choice
    exclude-tools-when-tool-choice-none enable-prompt-tokens-details enable-server-load-tracking
    enable-force-include-usage enable-tokenizer-info-endpoint enable-log-outputs enable-log-deltas
    log-error-stack tokens-only disable-uvicorn-access-log allow-credentials enable-ssl-refresh
    enable-request-id-headers disable-fastapi-docs enable-offline-docs disable-log-requests enable-reasoning
    disable-frontend-multiprocessing use-v2-block-manager
""")

# Flags that take every value up to the next flag.
MULTIPLE = _flags("""
    served-model-name allowed-media-domains logits-processors ignore-patterns kv-cache-dtype-skip-layers
    cpu-offload-params offload-params lora-target-modules collect-detailed-traces cudagraph-capture-sizes
    lora-modules api-key
""")

# Flags that may be given several times.
REPEATABLE = _flags("middleware")

# Flags whose value may also be left out.
OPTIONAL_VALUE = _flags("hf-token")

# Flags whose integer may carry a suffix: k, m, g, t for powers of 1000, K, M, G, T for powers of 1024.
HUMAN_READABLE = _flags("max-model-len max-num-batched-tokens kv-cache-memory-bytes")

# Flags that take 'auto' or -1 for "let the engine decide".
AUTOMATIC = _flags("max-model-len")

INTEGER = _flags("""
    port seed max-model-len max-logprobs renderer-num-workers pipeline-parallel-size master-port nnodes
    node-rank distributed-timeout-seconds tensor-parallel-size decode-context-parallel-size
    dcp-kv-cache-interleave-size cp-kv-cache-interleave-size prefill-context-parallel-size
    data-parallel-size data-parallel-rank data-parallel-start-rank data-parallel-size-local
    data-parallel-rpc-port ubatch-size dbo-decode-token-threshold dbo-prefill-token-threshold
    max-parallel-loading-workers block-size kv-cache-memory-bytes num-gpu-blocks-override mamba-block-size
    offload-group-size offload-num-in-group offload-prefetch-step mm-shm-cache-max-object-size-mb max-loras
    max-cpu-loras max-num-batched-tokens max-num-seqs max-num-partial-prefills max-long-partial-prefills
    long-prefill-token-threshold stream-interval max-cudagraph-capture-size shutdown-timeout
    api-server-count max-log-len max-lora-rank h11-max-incomplete-event-size h11-max-header-count
""")

# Integers that vLLM wants to be 1 or more.
POSITIVE = _flags("""
    tensor-parallel-size pipeline-parallel-size data-parallel-size max-num-seqs max-num-batched-tokens port
    max-model-len block-size
""")

# Numbers above 0 and up to 1.
SHARE = _flags("gpu-memory-utilization")

NUMBER = _flags("""
    gpu-memory-utilization kv-offloading-size cpu-offload-gb mm-processor-cache-gb video-pruning-rate
    kv-cache-metrics-sample
""")

# Texts of which vLLM takes these only.
CHOICES = {"--dtype": ("auto", "half", "float16", "bfloat16", "float", "float32")}

# The largest number of a port.
LARGEST_PORT = 65535
PORTS = _flags("port master-port data-parallel-rpc-port")

TEXT = _flags("""
    model config host uds uvicorn-log-level disable-access-log-for-endpoints allowed-origins allowed-methods
    allowed-headers ssl-keyfile ssl-certfile ssl-ca-certs ssl-cert-reqs ssl-ciphers root-path middleware
    chat-template chat-template-content-format default-chat-template-kwargs response-role tool-call-parser
    tool-parser-plugin tool-server log-config-file runner convert task tokenizer tokenizer-mode dtype
    hf-config-path allowed-local-media-path revision code-revision tokenizer-revision quantization
    logprobs-mode hf-overrides generation-config model-impl override-attention-dtype io-processor-plugin
    load-format download-dir safetensors-load-strategy attention-backend reasoning-parser
    reasoning-parser-plugin distributed-executor-backend master-addr dcp-comm-backend all2all-backend
    expert-placement-strategy worker-cls worker-extension-cls kv-cache-dtype prefix-caching-hash-algo
    mamba-cache-dtype mamba-ssm-cache-dtype mamba-cache-mode kv-offloading-backend offload-backend
    limit-mm-per-prompt mm-processor-cache-type mm-encoder-tp-mode mm-encoder-attn-backend mm-tensor-ipc
    lora-dtype show-hidden-metrics-for-version otlp-traces-endpoint scheduling-policy scheduler-cls
    optimization-level performance-mode data-parallel-address data-parallel-backend moe-backend
    gdn-prefill-backend config-format pooler-config override-generation-config model-loader-extra-config
    pt-load-map-location eplb-config media-io-kwargs mm-processor-kwargs default-mm-loras speculative-config
    kv-transfer-config kv-events-config ec-transfer-config compilation-config attention-config
    reasoning-config kernel-config additional-config structured-outputs-config profiler-config
    weight-transfer-config model-weights guided-decoding-backend rope-scaling rope-theta swap-space
""")

# Flags that take exactly one value.
SINGLE = INTEGER | NUMBER | TEXT

KNOWN = BOOLEAN | MULTIPLE | OPTIONAL_VALUE | SINGLE
