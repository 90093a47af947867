"""How LMCache reads a switch in an environment variable, for the rules about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.iec.lmcache_values import is_on as is_on
from hyperpod_dpd.iec.lmcache_values import unquoted

if TYPE_CHECKING:
    from hyperpod_dpd.iec.environment import EnvVar
    from hyperpod_dpd.view.endpoint import EndpointView

_OFF = frozenset({"false", "0", "no", "off"})


def is_off(text: str) -> bool:
    """Whether ``text`` was meant to switch off; LMCache reads other texts as off too."""
    return unquoted(text).strip().lower() in _OFF


def literals(endpoint: EndpointView, names: Iterable[str]) -> Iterator[tuple[EnvVar, str]]:
    """Those of the named variables whose value is written in the manifest."""
    for name in names:
        variable = endpoint.environment.get(name)
        if variable is not None and variable.value is not None:
            yield variable, variable.value


def is_placeholder(text: str) -> bool:
    """Text still to be filled in, which has a rule of its own."""
    return text.startswith(("$", "<", "{{"))
