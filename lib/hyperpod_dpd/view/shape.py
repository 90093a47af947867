"""Whether a mapping is an environment: by its whole shape, since other tools' files share a key or two with it."""

from __future__ import annotations

import re
from typing import Any

_KEYS = (
    "account region production network cluster operator addon_versions addon_values addons task_governance"
    " scheduling roles allow_replacement images storage endpoints routes platform secrets delivery overrides"
    " observability operations tags acknowledge"
)
ENVIRONMENT_KEYS = frozenset(_KEYS.split())
"""Every key that the document may have; models are loaded only for what is one."""
_CORE: dict[str, type | tuple[type, ...]] = {
    "account": (str, int),
    "region": str,
    "network": dict,
    "cluster": dict,
    "endpoints": dict,
}
_ACCOUNT = re.compile(r"[0-9]{12}")
_NETWORK = frozenset(
    {"cidr", "control_plane_zones", "accelerator_zones", "nat", "flow_logs", "closed", "existing"}
)
_CLUSTER = frozenset({"instance_groups", "kubernetes_version", "existing"})
_ENDPOINT = frozenset({"model", "prefill", "decode", "engine", "routing", "namespace"})


def is_environment(value: dict[str, Any], *, named: bool) -> bool:
    """Whether ``value`` is meant as an environment. A file that the user named gets the benefit of the doubt."""
    core = [key for key, kind in _CORE.items() if isinstance(value.get(key), kind)]
    signs = sum(1 for key in core if _speaks_for_it(key, value[key]))
    strangers = value.keys() - ENVIRONMENT_KEYS
    if named:
        return signs > 0 or (not strangers and (bool(core) or len(_CORE.keys() & value.keys()) > 1))
    return signs > 1 or (signs == 1 and len(core) > 1 and not strangers)


def _speaks_for_it(key: str, value: Any) -> bool:
    """Whether what stands at one key is what only an environment has there."""
    if key == "account":
        return bool(_ACCOUNT.fullmatch(str(value)))
    if key == "network":
        return bool(_NETWORK & value.keys())
    if key == "cluster":
        return bool(_CLUSTER & value.keys())
    if key == "endpoints":
        return any(isinstance(each, dict) and len(_ENDPOINT & each.keys()) > 1 for each in value.values())
    return False
