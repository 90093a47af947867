"""How many weights a model has and what they take, from its config: the memory that is not left to the cache."""

from dataclasses import dataclass

from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.feed_forward import read_feed_forward
from hyperpod_dpd.sizing.layer_groups import LayerGroup
from hyperpod_dpd.sizing.layer_kinds import BOTH, FULL, WINDOWED, LayerPlan
from hyperpod_dpd.sizing.matrices import Matrix, matrices
from hyperpod_dpd.sizing.weights import WeightFormat


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """Weights of the language model; vision towers and draft layers are not in them.

    `kept` (embeddings, norms, routers) no format touches, `linear` and `experts` (the routed ones) may be
    quantised. `stored_bytes` are all of them as published, scales and zero points included.
    """

    kept: int
    linear: int
    experts: int
    stored_bytes: int

    @property
    def total(self) -> int:
        """All weights."""
        return self.kept + self.linear + self.experts

    @property
    def eight_bit_bytes(self) -> int:
        """What they take once an engine has made 8 bits of the linear layers on loading."""
        return 2 * self.kept + self.linear + self.experts


def count_parameters(
    top: ConfigFields,
    text: ConfigFields,
    *,
    model_type: str | None,
    plan: LayerPlan,
    heads: int,
    groups: tuple[LayerGroup, ...],
    weights: WeightFormat,
) -> ParameterCount | None:
    """Weights of a model whose every layer is known; None where the fields do not say."""
    try:
        found = _matrices(top, text, model_type, plan, heads, groups)
    except UnknownGeometry:
        return None
    if found is None:
        return None
    bits = 0
    for matrix in found:
        scheme = weights.scheme(matrix.name, routed_expert=matrix.routed_expert) if matrix.linear else None
        if scheme is None:
            bits += matrix.elements * weights.kept_bits
        else:
            bits += matrix.count * scheme.matrix_bits(rows=matrix.rows, columns=matrix.columns)
    linear = [matrix for matrix in found if matrix.linear and matrix.name != "lm_head"]
    experts = sum(matrix.elements for matrix in linear if matrix.routed_expert)
    total = sum(matrix.elements for matrix in found)
    quantisable = sum(matrix.elements for matrix in linear)
    return ParameterCount(
        kept=total - quantisable,
        linear=quantisable - experts,
        experts=experts,
        stored_bytes=-(-bits // 8),
    )


def _matrices(
    top: ConfigFields,
    text: ConfigFields,
    model_type: str | None,
    plan: LayerPlan,
    heads: int,
    groups: tuple[LayerGroup, ...],
) -> list[Matrix] | None:
    hidden = text.integer("hidden_size", "n_embd", "n_embed", "d_model", "dim")
    vocabulary = text.integer("vocab_size", "padded_vocab_size")
    if hidden is None or vocabulary is None or BOTH in plan.kinds or model_type == "nemotron_h":
        return None
    tied = text.raw("tie_word_embeddings")
    if not isinstance(tied, bool):
        tied = top.raw("tie_word_embeddings") is True
    return list(
        matrices(
            text,
            tied=tied,
            hidden=hidden,
            vocabulary=vocabulary,
            heads=heads,
            kinds=plan.kinds,
            groups=_group_of_layers(plan, groups),
            feed_forward=read_feed_forward(
                text, model_type=model_type, hidden=hidden, layers=len(plan.kinds)
            ),
        )
    )


def _group_of_layers(plan: LayerPlan, groups: tuple[LayerGroup, ...]) -> tuple[LayerGroup | None, ...]:
    """The shape of each layer's attention, None where it has none."""
    found: list[LayerGroup | None] = []
    for index, kind in enumerate(plan.kinds):
        if kind != FULL and kind not in WINDOWED:
            found.append(None)
            continue
        own = plan.kv_heads[index] if plan.kv_heads is not None else None
        alike = [group for group in groups if (group.kind in WINDOWED) == (kind in WINDOWED)] or list(groups)
        found.append(next((group for group in alike if own is None or group.kv_heads == own), alike[0]))
    return tuple(found)
