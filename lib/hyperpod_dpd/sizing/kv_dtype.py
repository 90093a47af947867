"""How wide one cached element is, and who decides it: the argument, a quantisation file, or the model's own
dtype."""

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass

from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry, UnknownKvDtype

AUTO = "auto"
SPARSE_LATENT = "fp8_ds_mla"

_BITS = {
    "bfloat16": 16,
    "bf16": 16,
    "float16": 16,
    "fp16": 16,
    "half": 16,
    "float32": 32,
    "fp32": 32,
    "float": 32,
    "fp8": 8,
    "fp8_e4m3": 8,
    "fp8_e5m2": 8,
    "fp8_inc": 8,
    "float8_e4m3fn": 8,
    "float8_e5m2": 8,
    "int8": 8,
    SPARSE_LATENT: 8,
}


@dataclass(frozen=True, slots=True)
class KvDtype:
    """The dtype of cached keys and values: `bits` per element, `source` names who said so, `certain` is
    honest."""

    name: str
    bits: int
    source: str
    certain: bool = True
    notes: tuple[str, ...] = ()
    alternative_bits: int | None = None


def bits_of(name: str) -> int:
    """Bits per cached element of a `--kv-cache-dtype` or torch dtype name; UnknownKvDtype when not known."""
    bits = _BITS.get(name.strip().lower().removeprefix("torch."))
    if bits is None:
        allowed = ", ".join(sorted(_BITS))
        raise UnknownKvDtype(
            f"KV cache dtype {reprlib.repr(name)} is not one whose size is known; allowed: auto, {allowed}"
        )
    return bits


def chosen(declared: KvDtype, argument: str | None) -> KvDtype:
    """The dtype in force: `--kv-cache-dtype` wins, `auto` and None leave what the model declares."""
    if argument is None or argument.strip().lower() == AUTO:
        return declared
    return KvDtype(name=argument.strip().lower(), bits=bits_of(argument), source="--kv-cache-dtype")


def widest(dtype: KvDtype) -> KvDtype:
    """Where a file narrows the cache, the width without it: a figure that is only a bound must not shrink on a hope."""
    if not dtype.certain or dtype.alternative_bits is None or dtype.alternative_bits <= dtype.bits:
        return dtype
    return KvDtype(
        name=f"{dtype.alternative_bits} bits",
        bits=dtype.alternative_bits,
        source=f"the wider of two; {dtype.source} may narrow it",
        certain=dtype.certain,
        notes=dtype.notes,
        alternative_bits=dtype.bits,
    )


def declared(
    top: ConfigFields, text: ConfigFields, *, quant_config: Mapping[str, object] | None, name: str = ""
) -> KvDtype:
    """What `--kv-cache-dtype auto` comes to for this model.

    Order: kv_cache_quant_algo of hf_quant_config.json, then kv_cache_scheme or kv_cache_quant_algo of the
    config's quantization_config, then the model's dtype. Quantising weights alone leaves the cache at the
    model's dtype.
    """
    base = _model_dtype(top, text)
    for source, section in _quantisation_sections(top, text, quant_config):
        from_algorithm = _from_algorithm(section, source, base)
        if from_algorithm is not None:
            return from_algorithm
        from_scheme = _from_scheme(section, source, base)
        if from_scheme is not None:
            return from_scheme
    if quant_config is None and not top.has("quantization_config") and _names_a_quantisation(name):
        half = base.bits // 2
        return KvDtype(
            name=base.name,
            bits=base.bits,
            source=base.source,
            notes=(
                *base.notes,
                (
                    f"the model is called {name!r} but its config.json declares no quantisation: "
                    "hf_quant_config.json "
                    f"may set an 8-bit cache, which halves every figure ({base.bits} bits assumed here, "
                    f"{half} "
                    "possible); "
                    "give that file, or --kv-cache-dtype on both roles"
                ),
            ),
            alternative_bits=half,
        )
    return base


def _names_a_quantisation(name: str) -> bool:
    upper = name.upper()
    return any(mark in upper for mark in ("FP8", "NVFP4", "MXFP4", "INT8", "W8A8"))


def _model_dtype(top: ConfigFields, text: ConfigFields) -> KvDtype:
    for fields in (text, top):
        for key in ("torch_dtype", "dtype"):
            value = fields.raw(key)
            if not isinstance(value, str) or value.lower() == AUTO:
                continue
            bits = _BITS.get(value.lower().removeprefix("torch."))
            if bits is None:
                raise UnknownGeometry(
                    f"{fields.name_of(key)} is {reprlib.repr(value)}, a dtype whose size is not known; "
                    "allowed: bfloat16, float16, float32: or give --kv-cache-dtype"
                )
            if bits == 32:
                return KvDtype(
                    name="float16",
                    bits=16,
                    source=f"{fields.name_of(key)}={value}, which vLLM serves in 16 bits",
                    certain=False,
                    notes=(
                        (
                            f"{fields.name_of(key)} is {value}: vLLM's --dtype auto serves it in 16 bits "
                            "(assumed); "
                            "with --dtype float32 every figure doubles. Give --kv-cache-dtype to settle it"
                        ),
                    ),
                    alternative_bits=32,
                )
            return KvDtype(name=value.lower().removeprefix("torch."), bits=bits, source=fields.name_of(key))
    return KvDtype(
        name="bfloat16",
        bits=16,
        source="assumed: the config names no dtype",
        notes=(
            "the config names no torch_dtype: a 16-bit cache is assumed; give --kv-cache-dtype to settle it",
        ),
    )


def _quantisation_sections(
    top: ConfigFields, text: ConfigFields, quant_config: Mapping[str, object] | None
) -> list[tuple[str, ConfigFields]]:
    sections: list[tuple[str, ConfigFields]] = []
    if quant_config is not None:
        outer = ConfigFields(quant_config, path="hf_quant_config.json")
        inner = outer.section("quantization")
        sections.append(("hf_quant_config.json", inner if inner is not None else outer))
    for fields in (top, text):
        for key in ("quantization_config", "compression_config"):
            section = fields.section(key)
            if section is not None:
                inner = section.section("quantization")
                sections.append((fields.name_of(key), inner if inner is not None else section))
    return sections


def _from_algorithm(section: ConfigFields, source: str, base: KvDtype) -> KvDtype | None:
    algorithm = section.text("kv_cache_quant_algo")
    return None if algorithm is None else _from_word(algorithm, f"{source} kv_cache_quant_algo", base)


def _from_word(algorithm: str, key: str, base: KvDtype) -> KvDtype | None:
    if algorithm.strip().lower() in ("", "none", AUTO):
        return None
    where = f"{key}={algorithm}"
    if algorithm.strip().lower() in ("fp8", "fp8_e4m3", "fp8_e5m2", "int8"):
        return _eight_bits(where, base, name="int8" if "int8" in algorithm.lower() else "fp8")
    return _unknown_width(base, f"{where} is not an algorithm whose cache size is known:")


def _from_scheme(section: ConfigFields, source: str, base: KvDtype) -> KvDtype | None:
    where = f"{source}.kv_cache_scheme"
    if isinstance(word := section.raw("kv_cache_scheme"), str):
        return _from_word(word, where, base)
    scheme = section.section("kv_cache_scheme")
    if scheme is None:
        return None
    bits = scheme.integer("num_bits", maximum=32)
    if bits is None or bits == 8:
        return _eight_bits(where, base, name="fp8")
    return _unknown_width(base, f"{where}.num_bits is {bits}: only 8 is known to be served;")


def _unknown_width(base: KvDtype, reason: str) -> KvDtype:
    note = f"{reason} {base.bits} bits assumed, an upper bound; give --kv-cache-dtype"
    return KvDtype(
        name=base.name, bits=base.bits, source=base.source, certain=False, notes=(*base.notes, note)
    )


def _eight_bits(where: str, base: KvDtype, *, name: str) -> KvDtype:
    return KvDtype(
        name=name,
        bits=8,
        source=where,
        notes=(
            (
                f"the 8-bit cache is declared by {where}: if the image's vLLM does not pick it up, the cache "
                "stays at "
                f"{base.bits} bits and every figure grows by {base.bits // 8}; set --kv-cache-dtype on both "
                "roles"
            ),
        ),
        alternative_bits=base.bits,
    )
