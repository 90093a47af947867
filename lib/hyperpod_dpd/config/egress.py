"""Ways out of the nodes' security group beside HTTPS, one rule at a time and each with its reason."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from hyperpod_dpd.config.base import Cidr, Section, SecurityGroupId

LAST_PORT = 65535


def _port_from_number(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _in_range(text: str) -> str:
    first, last = ports(text)
    if not 1 <= first <= last <= LAST_PORT:
        raise ValueError(f"a port is 1 to {LAST_PORT}, and a range begins with its lower one")
    return text


def ports(text: str) -> tuple[int, int]:
    """First and last port of ``22`` or ``1018-1023``."""
    first, _, last = text.partition("-")
    return int(first), int(last or first)


Ports = Annotated[
    str,
    BeforeValidator(_port_from_number, json_schema_input_type=int | str),
    Field(pattern=r"^[0-9]{1,5}(-[0-9]{1,5})?$", examples=["22", "1018-1023"]),
    AfterValidator(_in_range),
]


class Egress(Section):
    """One way out of the nodes' security group; HTTPS to everywhere and all traffic among the nodes are there."""

    port: Ports = Field(description="A port, or a range such as 1018-1023.")
    protocol: Literal["tcp", "udp"] = "tcp"
    to: Cidr | SecurityGroupId = Field(description="A range, or a security group.")
    why: str = Field(
        min_length=1,
        max_length=200,
        pattern=r"^[A-Za-z0-9 ._:/()#,@\[\]+=&;{}!$*-]+$",
        description="Reason; it becomes the description of the rule, in the characters that EC2 takes.",
    )
