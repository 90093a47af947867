"""How LMCache reads a switch in an environment variable, for the rules about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.iec.environment import EnvVar
    from hyperpod_dpd.view.endpoint import EndpointView

_ON = frozenset({"true", "1"})
_OFF = frozenset({"false", "0", "no", "off"})


def is_on(text: str) -> bool:
    """Only "true" and "1" switch on, in any case; every other text, "yes" among them, switches off."""
    return text.strip().lower() in _ON


def is_off(text: str) -> bool:
    """Whether ``text`` was meant to switch off; LMCache reads other texts as off too."""
    return text.strip().lower() in _OFF


def literals(endpoint: EndpointView, names: Iterable[str]) -> Iterator[tuple[EnvVar, str]]:
    """Those of the named variables whose value is written in the manifest."""
    for name in names:
        variable = endpoint.environment.get(name)
        if variable is not None and variable.value is not None:
            yield variable, variable.value


def is_placeholder(text: str) -> bool:
    """Text still to be filled in, which has a rule of its own."""
    return text.startswith(("$", "<", "{{"))
