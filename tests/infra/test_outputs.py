"""`dpd outputs pull`: every late-bound fact is an output of a stack, and every output of ours is such a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel

from hyperpod_dpd.config.outputs import Outputs
from hyperpod_dpd.live.stack_outputs import PLACES
from tests.infra.conftest import Synthesised

ASKED_OF_EC2 = {("zone_names",)}
"""Facts that no stack makes: an account's names of its zones."""


def leaves(model: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Path of every fact of the outputs document."""
    for name, field in model.model_fields.items():
        inner = [a for a in get_args(field.annotation) if isinstance(a, type) and issubclass(a, BaseModel)]
        if inner:
            yield from leaves(inner[0], (*above, name))
        else:
            yield (*above, name)


def own_outputs(environments: dict[str, Synthesised]) -> dict[str, list[tuple[str, Any]]]:
    """Stack and value by output, of all environments; CDK's own exports between stacks left out."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for made in environments.values():
        for stack, template in made.templates.items():
            for key, output in template.get("Outputs", {}).items():
                if not key.startswith("ExportsOutput"):
                    found.setdefault(key, []).append((stack, output["Value"]))
    return found


def test_every_late_bound_fact_has_an_output_and_a_place() -> None:
    assert set(PLACES.values()) | ASKED_OF_EC2 == set(leaves(Outputs))
    assert len(set(PLACES.values())) == len(PLACES)


def test_every_output_that_is_read_is_made_by_some_stack(environments: dict[str, Synthesised]) -> None:
    made = own_outputs(environments)
    assert set(PLACES) <= set(made), set(PLACES) - set(made)


def test_no_output_is_made_that_nothing_reads(environments: dict[str, Synthesised]) -> None:
    assert set(own_outputs(environments)) <= set(PLACES)


def test_outputs_are_late_bound_or_spare_somebody_typing_them(environments: dict[str, Synthesised]) -> None:
    """A value that synthesis knows is no output: only the id of a VPC that is not ours is one."""
    literal = {
        key for key, values in own_outputs(environments).items() for _, v in values if isinstance(v, str)
    }
    assert literal <= {"VpcId"}


def test_an_environment_has_the_outputs_of_what_it_makes(environments: dict[str, Synthesised]) -> None:
    def of(name: str) -> set[str]:
        return set(own_outputs({name: environments[name]}))

    assert {"VpcId", "HyperPodClusterArn", "PrometheusUrl", "GrafanaUrl"} <= of("dev")
    assert {"FileSystemId", "FileSystemDnsName", "FileSystemMountName"} <= of("prod")
    assert not {k for k in of("dev") if k.startswith("FileSystem") or k.endswith("RoleArn")}
    assert {"LoadBalancerRoleArn", "AutoscalerRoleArn"} <= of("unusual"), "a Helm release is told its roles"
