"""Bytes of one quantised matrix: its elements, and the scales and zero points that are stored with them."""

from dataclasses import dataclass, replace

from hyperpod_dpd.sizing.config_fields import ConfigFields


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """`bits` per element; a scale of `scale_bits` per `group` elements of a row, per `block` of rows and columns, or
    per row (`per_row`); a zero point of `zero_bits` and an index of `index_bits` per column as some tools store them."""

    bits: int
    group: int | None = None
    block: tuple[int, int] | None = None
    per_row: bool = False
    scale_bits: int = 16
    zero_bits: int = 0
    index_bits: int = 0

    def matrix_bits(self, *, rows: int, columns: int) -> int:
        """Bits of a matrix of ``rows`` outputs and ``columns`` inputs."""
        stored = rows * columns * self.bits + columns * self.index_bits
        if self.block is not None:
            return stored + -(-rows // self.block[0]) * -(-columns // self.block[1]) * self.scale_bits
        if self.group is not None:
            return stored + rows * -(-columns // self.group) * (self.scale_bits + self.zero_bits)
        return stored + (rows if self.per_row else 1) * self.scale_bits


NVFP4 = Scheme(bits=4, group=16, scale_bits=8)
MXFP4 = Scheme(bits=4, group=32, scale_bits=8)
MXFP8 = Scheme(bits=8, group=32, scale_bits=8)
FP8 = Scheme(bits=8, scale_bits=32)
_GROUP = 128


def of_algorithm(name: str, section: ConfigFields) -> Scheme | None:
    """The scheme that an algorithm's name stands for, with the sizes its section states; None for unknown ones.

    Sources: the layouts of AutoAWQ, GPTQ, ModelOpt and block-wise FP8 checkpoints.
    """
    group = section.optional_integer("group_size", "q_group_size")
    bits = section.optional_integer("bits", "w_bit")
    if "nvfp4" in name or "modelopt_fp4" in name:
        return replace(NVFP4, group=group or NVFP4.group)
    if "mxfp8" in name:
        return MXFP8
    if "mxfp4" in name:
        return MXFP4
    if "awq" in name or "w4a16" in name or "w4a8" in name:
        width = bits or 4
        return Scheme(bits=width, group=group or _GROUP, zero_bits=width if "awq" in name else 0)
    if "gptq" in name:
        width = bits or 4
        whole_row = section.raw("group_size") == -1
        return Scheme(
            bits=width,
            group=None if whole_row else group or _GROUP,
            per_row=whole_row,
            zero_bits=width,
            index_bits=32,
        )
    if "fp8" in name or "e4m3" in name:
        block = section.integers("weight_block_size", minimum=1)
        if block is not None and len(block) == 2:
            return replace(FP8, block=(block[0], block[1]))
        return replace(FP8, per_row="fbgemm" in name or "per_channel" in name)
    if "int8" in name or "w8a8" in name:
        return Scheme(bits=8, per_row=True, scale_bits=32)
    if "int4" in name:
        return Scheme(bits=4, group=group or _GROUP)
    if section.raw("load_in_8bit") is True:
        return Scheme(bits=8, per_row=True, scale_bits=32)
    if section.raw("load_in_4bit") is True:
        return Scheme(bits=4, group=64, scale_bits=32)
    return None if bits is None else Scheme(bits=bits, group=group)


def of_group(weights: ConfigFields) -> Scheme | None:
    """The scheme of one group of compressed-tensors or ModelOpt, from its ``weights``."""
    bits = weights.optional_integer("num_bits")
    if bits is None:
        return None
    group = weights.optional_integer("group_size")
    floating = weights.raw("type") == "float"
    if group is not None:
        narrow = floating and bits == 4
        zero = bits if weights.raw("symmetric") is False else 0
        return Scheme(bits=bits, group=group, scale_bits=8 if narrow else 16, zero_bits=zero)
    block = weights.raw("block_structure")
    if (
        isinstance(block, list)
        and len(block) == 2
        and all(isinstance(side, int) and side > 0 for side in block)
    ):
        return Scheme(bits=bits, block=(block[0], block[1]), scale_bits=32)
    return Scheme(bits=bits, per_row=weights.raw("strategy") == "channel", scale_bits=32 if floating else 16)
