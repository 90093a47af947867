"""What is known of model families by `model_type`: which keep an ordinary KV cache, which none, which differ.

Checked 2026-11-29 against the configuration classes of transformers 5.24 and vLLM's reading of them. A family
absent from every set is sized by its fields all the same, but never called exact.
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Keys and values for every layer and head, nothing shared between layers, layer kinds visible in the config.
ORDINARY = _names("""
    afmoe apertus aquila arcee arctic aria_text baichuan bailing_moe bailing_moe_v2 bamba bitnet bloom
    chameleon chatglm codegen cohere cohere2 cohere2_moe command_a cwm dbrx deepseek diffllama dots1
    emu3_text_model ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text exaone exaone4 exaone_moe falcon
    falcon_h1 flex_olmo gemma gemma2 gemma3 gemma3_text glm glm4 glm4_moe glm4v glm4v_text glm4v_moe
    glm4v_moe_text gpt2 gpt_bigcode gpt_neox gpt_oss gptj granite granitemoe granitemoehybrid
    granitemoeshared grok-1 helium hunyuan_v1_dense hunyuan_v1_moe internlm internlm2 internlm3 jais
    jais2 jamba lfm2 lfm2_moe llama llama4_text mellum mimo minicpm minimax minimax_m1 minimax_m2
    minimax_text_01 ministral ministral3 mistral mixtral mpt nanochat nemotron nemotron-nas nemotron_h
    olmo olmo2 olmo3 olmo_hybrid olmoe openelm opt orion persimmon phi phi3 phi3small phi4mm phimoe
    qwen qwen2 qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_moe qwen2_vl qwen2_vl_text qwen3
    qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next qwen3_omni_moe_text qwen3_vl_moe_text
    qwen3_vl_text RefinedWeb RefinedWebModel sarvam_moe seed_oss smollm3 solar solar_open stablelm
    starcoder2 step3p5 telechat xverse
    """)

# Wrappers whose text part stands in a nested object of another, ordinary type.
WRAPPERS = _names("""
    aria aya_vision deepseek_vl_v2 emu3 ernie4_5_vl_moe gemma3 gemma4 glm4v glm4v_moe idefics3 internvl
    internvl_chat janus kimi_k25 kimi_vl lighton_ocr llama4 llava llava_next llava_onevision mistral3
    ovis2 paligemma pixtral qwen2_5_omni qwen2_5_vl qwen2_audio qwen2_vl qwen3_5 qwen3_5_moe
    qwen3_omni_moe qwen3_vl qwen3_vl_moe smolvlm vipllava voxtral
    """)

# vLLM stores the compressed latent of these once per token, the same on every rank.
LATENT = _names("""
    axk1 bailing_hybrid deepseek_v2 deepseek_v3 deepseek_v32 glm4_moe_lite glm_moe_dsa kimi_k2
    kimi_linear longcat_flash pangu_ultra_moe
    """)

# These carry kv_lora_rank, yet vLLM expands the latent and caches every head.
LATENT_EXPANDED = frozenset({"minicpm3"})

# Two attention sublayers in each layer of the config.
TWO_ATTENTIONS_PER_LAYER = frozenset({"longcat_flash"})

NO_ATTENTION = _names("falcon_mamba mamba mamba2 retnet rwkv rwkv5 rwkv6 rwkv7 xlstm")

ENCODER_DECODER = _names("""
    bart bigbird_pegasus blenderbot blenderbot-small canary cohere_asr dia encoder-decoder florence2
    fsmt led longt5 m2m_100 marian mbart mllama mllama_text_model moonshine mt5 musicgen mvp
    nemotron_asr nllb-moe pegasus pegasus_x pix2struct plbart prophetnet seamless_m4t
    speech-encoder-decoder speecht5 switch_transformers t5 t5gemma t5gemma2 udop umt5
    vision-encoder-decoder whisper
    """)

ENCODER_ONLY = _names("""
    albert bert camembert clip clip_text_model convbert data2vec-text deberta deberta-v2 distilbert
    dinov2 electra ernie esm eurobert gte ibert longformer megatron-bert mobilebert modernbert mpnet
    nomic_bert roberta roformer siglip siglip_text_model squeezebert vit xlm-roberta xlm-roberta-xl
    """)

# Every layer has attention and a recurrent state side by side, without a list that says so.
PARALLEL_HYBRID = frozenset({"falcon_h1"})

# Where the config omits num_key_value_heads, the family means one per attention head.
MULTI_HEAD_BY_DEFAULT = _names("""
    baichuan bloom codegen deepseek falcon gpt2 gpt_bigcode gpt_neo gpt_neox gptj internlm jais llama
    mpt opt openelm orion persimmon phi qwen RefinedWeb RefinedWebModel stablelm telechat xverse
    """)

# Every n-th layer is global where the config omits its own pattern (class defaults of transformers).
DEFAULT_GLOBAL_EVERY = {
    "cohere2": 4,
    "gemma2": 2,
    "gemma3": 6,
    "gemma3_text": 6,
    "gpt_oss": 2,
}

# The feed-forward part is two matrices instead of the gated three.
UNGATED_FEED_FORWARD = _names("""
    apertus arcee bloom codegen falcon gpt2 gpt_bigcode gpt_neo gpt_neox gptj mpt nemotron nemotron_h
    opt persimmon phi RefinedWeb RefinedWebModel starcoder2
    """)


def is_known(model_type: str | None, *, wrapper_type: str | None = None) -> bool:
    """True when the family's cache layout has been checked, directly or as the text part of a checked
    wrapper."""
    if model_type is None:
        return wrapper_type in WRAPPERS
    return model_type in ORDINARY or model_type in LATENT
