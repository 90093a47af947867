"""What LMCache's variables do to the pair, by the release's own reading of them, for the rules about that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import lmcache_settings
from hyperpod_dpd.catalog.lmcache_settings import STOPS, UNCONFIRMED, Setting
from hyperpod_dpd.iec import lmcache_values
from hyperpod_dpd.rules.rule import WARNING, Match, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder

if TYPE_CHECKING:
    from hyperpod_dpd.iec.environment import EnvVar
    from hyperpod_dpd.view.endpoint import EndpointView

_WIRED = "LMCACHE_PD_"  # judged by the rule on the operator's wiring, whatever the release


@dataclass(frozen=True, slots=True)
class Effect:
    """What one variable does: ``does`` as in the catalogue, ``because`` in words."""

    variable: EnvVar
    does: str
    because: str

    def match(self, severity: Severity | None = None) -> Match:
        """The finding at the variable."""
        shown = (
            "" if self.variable.value is None or self.variable.from_secret else f" is '{self.variable.value}'"
        )
        return Match(
            self.variable.value_path,
            f"{self.variable.name}{shown}: {self.because}",
            severity,
            f"remove {self.variable.name}",
        )


def effects(endpoint: EndpointView, does: str) -> Iterator[Effect]:
    """The variables of an endpoint that do the named thing, each once, by its first case that holds."""
    settings = lmcache_settings.latest().settings
    for name, variable in endpoint.environment.items():
        if not name.startswith(lmcache_settings.PREFIX) or name.startswith(_WIRED):
            continue
        setting = settings.get(name)
        effect = _unknown(variable) if setting is None else _effect(setting, variable)
        if effect is not None and effect.does == does:
            yield effect


def as_of(endpoint: EndpointView) -> tuple[Severity | None, str]:
    """The severity and the words for an image whose LMCache is another release than the one that was read."""
    inside, read = endpoint.image.version("lmcache"), lmcache_settings.latest().version
    if inside is None or str(inside.version) == read:
        return None, ""
    return WARNING, f" (so LMCache {read}; that {inside} does the same is not confirmed)"


def _unknown(variable: EnvVar) -> Effect:
    known = lmcache_settings.latest().version
    return Effect(variable, UNCONFIRMED, f"LMCache {known} reads no such variable; what it does is not known")


def _effect(setting: Setting, variable: EnvVar) -> Effect | None:
    if setting.by:
        return None
    if variable.value is None:
        return _of_any_value(setting, variable)
    if is_placeholder(variable.value):
        return None
    try:
        value = lmcache_values.read(setting, variable.value)
    except lmcache_values.Unreadable:
        if setting.needed:
            return Effect(variable, STOPS, "LMCache cannot read it, and does not work without a value")
        return Effect(variable, UNCONFIRMED, "LMCache cannot read it, and goes on without the setting")
    for case in setting.cases:
        if lmcache_values.holds(case, value):
            return Effect(variable, case.does, case.because)
    return None


def _of_any_value(setting: Setting, variable: EnvVar) -> Effect | None:
    case = lmcache_values.holds_for_any(setting)
    if case is not None:
        return Effect(variable, case.does, case.because)
    if not setting.cases:
        return None
    return Effect(variable, UNCONFIRMED, f"its value comes from a {variable.source} and cannot be judged")
