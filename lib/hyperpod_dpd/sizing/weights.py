"""How many bits a weight takes, and which weights keep the model's own dtype when the rest is quantised."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """Bits per quantised weight (scales included) and per kept weight; `certain` False when a guess is in
    it."""

    name: str
    quantised_bits: Fraction
    kept_bits: int
    certain: bool
    source: str


_DTYPE_BITS = {"bfloat16": 16, "bf16": 16, "float16": 16, "half": 16, "float32": 16}

# One 8-bit scale per 32 (MXFP4) or 16 (NVFP4) four-bit elements.
_MXFP4_BITS = Fraction(4) + Fraction(8, 32)
_NVFP4_BITS = Fraction(4) + Fraction(8, 16)


def read_weight_format(
    top: ConfigFields, text: ConfigFields, *, quant_config: Mapping[str, object] | None
) -> WeightFormat:
    """Reads the weight quantisation that a config or hf_quant_config.json declares; unknown ones are not
    certain."""
    kept = 16
    for fields in (text, top):
        for key in ("torch_dtype", "dtype"):
            value = fields.raw(key)
            if isinstance(value, str):
                kept = _DTYPE_BITS.get(value.lower().removeprefix("torch."), kept)
    sections: list[tuple[str, ConfigFields]] = []
    if quant_config is not None:
        sections.append(("hf_quant_config.json", ConfigFields(quant_config, path="hf_quant_config.json")))
    for fields in (top, text):
        section = fields.section("quantization_config")
        if section is not None:
            sections.append((fields.name_of("quantization_config"), section))
    for source, section in sections:
        found = _quantised(section, source, kept)
        if found is not None:
            return found
    return WeightFormat("unquantised", Fraction(kept), kept, True, "the model's dtype")


def _quantised(section: ConfigFields, source: str, kept: int) -> WeightFormat | None:
    inner = section.section("quantization") or section
    names = " ".join(
        value.lower()
        for fields in (inner, section)
        for key in ("quant_method", "quant_algo", "fmt", "format")
        if isinstance(value := fields.raw(key), str)
    )
    if not names.strip():
        return None
    bits = _stated_bits(inner)
    for pattern, known in (
        (r"nvfp4|modelopt_fp4", _NVFP4_BITS),
        (r"mxfp4", _MXFP4_BITS),
        (r"w4a16|w4a8|awq|gptq|int4", Fraction(bits if bits is not None else 4)),
        (r"fp8|w8a8|int8|e4m3", Fraction(8)),
    ):
        if re.search(pattern, names):
            return WeightFormat(names.split()[0], known, kept, True, source)
    if bits is not None:
        return WeightFormat(names.split()[0], Fraction(bits), kept, True, source)
    return WeightFormat(names.split()[0], Fraction(kept), kept, False, source)


def _stated_bits(section: ConfigFields) -> int | None:
    """Bits a section states outright, or the weights of its first group (compressed-tensors)."""
    try:
        bits = section.integer("bits", "w_bit", maximum=32)
        if bits is not None:
            return bits
        groups = section.section("config_groups")
        if groups is not None:
            return _bits_of_first_group(groups)
    except UnknownGeometry:
        return None
    if section.raw("load_in_8bit") is True:
        return 8
    return 4 if section.raw("load_in_4bit") is True else None


def _bits_of_first_group(groups: ConfigFields) -> int | None:
    for key in groups.present():
        group = groups.section(key)
        weights = group.section("weights") if group is not None else None
        if weights is not None:
            return weights.integer("num_bits", maximum=32)
    return None
