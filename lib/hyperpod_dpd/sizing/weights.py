"""How each weight is stored: which matrices a quantisation reaches, and which keep the model's own dtype."""

from collections.abc import Mapping
from dataclasses import dataclass

from hyperpod_dpd.sizing import weight_schemes
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.module_names import NamePatterns, plain
from hyperpod_dpd.sizing.weight_schemes import Scheme

_DTYPE_BITS = {"bfloat16": 16, "bf16": 16, "float16": 16, "half": 16, "float32": 16}
# No published format touches these unless a target names them.
_NEVER_UNASKED = NamePatterns(["lm_head", "head", "gate", "router", "embed_tokens", "shared_expert_gate"])


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """Name and source of the format, and bits of what keeps the model's dtype; `certain` False when guessed.

    ``targets`` pair modules with schemes, ``default`` serves the other linear layers but those in ``ignored``.
    """

    name: str
    kept_bits: int
    certain: bool
    source: str
    default: Scheme | None = None
    ignored: NamePatterns = NamePatterns(())
    targets: tuple[tuple[NamePatterns, Scheme], ...] = ()
    experts_only: bool = False

    def scheme(self, module: str, *, routed_expert: bool) -> Scheme | None:
        """How the matrix of that name is stored; None in the model's dtype."""
        for patterns, scheme in self.targets:
            if patterns.match(module):
                return scheme
        if self.default is None or (self.experts_only and not routed_expert):
            return None
        if _NEVER_UNASKED.match(module) or self.ignored.match(module):
            return None
        return self.default


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
        for key in ("quantization_config", "compression_config"):
            section = fields.section(key)
            if section is not None:
                sections.append((fields.name_of(key), section))
    for source, section in sections:
        found = _quantised(section, source, kept)
        if found is not None:
            return found
    return WeightFormat("unquantised", kept, True, "the model's dtype")


def _quantised(section: ConfigFields, source: str, kept: int) -> WeightFormat | None:
    inner = section.section("quantization") or section
    words = [
        value.lower()
        for fields in (inner, section)
        for key in ("quant_algo", "quant_method", "format", "fmt")
        if isinstance(value := fields.raw(key), str)
    ]
    groups = inner.section("config_groups")
    if not words and groups is None:
        return None
    name = words[0] if words else "compressed-tensors"
    ignored = NamePatterns(_listed(inner, "ignore", "exclude_modules", "modules_to_not_convert"))
    try:
        targets = _layers(inner) or _group_targets(groups)
        default = None
        if not any(patterns for patterns, _ in targets) or "mixed_precision" not in words:
            default = _first_known(words, inner, groups)
    except UnknownGeometry:
        return WeightFormat(name, kept, False, source)
    named = tuple((patterns, scheme) for patterns, scheme in targets if patterns)
    if default is None and not named:
        return WeightFormat(name, kept, False, source)
    experts_only = name == "mxfp4" and "quark" not in words
    return WeightFormat(name, kept, True, source, default, ignored, named, experts_only)


def _first_known(words: list[str], section: ConfigFields, groups: ConfigFields | None) -> Scheme | None:
    if groups is not None and not {"nvfp4", "fp8"} & set(words[:1]):
        for key in groups.present():
            group = groups.section(key)
            weights = group.section("weights") if group is not None else None
            scheme = weight_schemes.of_group(weights) if weights is not None else None
            if scheme is not None:
                return scheme
    for word in words or [""]:
        scheme = weight_schemes.of_algorithm(word, section)
        if scheme is not None:
            return scheme
    return None


def _layers(section: ConfigFields) -> list[tuple[NamePatterns, Scheme]]:
    """Layers named one by one with their algorithm, gathered by scheme."""
    layers = section.raw("quantized_layers")
    if not isinstance(layers, Mapping):
        return []
    gathered: dict[Scheme, list[str]] = {}
    for name, given in layers.items():
        fields = ConfigFields(given, path=f"quantized_layers.{name}")
        scheme = weight_schemes.of_algorithm(_algorithm(fields), fields)
        if scheme is None:
            raise UnknownGeometry(f"quantized_layers.{name} names no algorithm whose size is known")
        gathered.setdefault(scheme, []).append(plain(name))
    return [(NamePatterns(names), scheme) for scheme, names in gathered.items()]


def _algorithm(fields: ConfigFields) -> str:
    name = (fields.text("quant_algo") or "").lower()
    return "nvfp4" if "nvfp4" in name else name


def _group_targets(groups: ConfigFields | None) -> list[tuple[NamePatterns, Scheme]]:
    """Groups that name their modules; a group for every Linear has none, it is the default."""
    found: list[tuple[NamePatterns, Scheme]] = []
    for key in groups.present() if groups is not None else ():
        group = groups.section(key) if groups is not None else None
        weights = group.section("weights") if group is not None else None
        scheme = weight_schemes.of_group(weights) if weights is not None else None
        if group is None or scheme is None:
            continue
        found.append((NamePatterns(_named(group)), scheme))
    return found


def _named(group: ConfigFields) -> list[str]:
    return [target for target in _listed(group, "targets") if "." in target or target == "lm_head"]


def _listed(section: ConfigFields, *keys: str) -> list[str]:
    return [
        name
        for key in keys
        if isinstance(values := section.raw(key), list)
        for name in values
        if isinstance(name, str)
    ]
