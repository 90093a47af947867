"""The parser of ``vllm serve`` in the catalogue: counts of the dump it was made from, and that it holds together."""

from __future__ import annotations

from hyperpod_dpd.catalog import vllm_flags


def test_counts_of_the_parser_that_was_dumped() -> None:
    assert vllm_flags.RELEASE == "0.19.0"
    assert len(vllm_flags.OWN) == 231
    assert len(vllm_flags.SWITCHES) == 63
    assert len(vllm_flags.CHOICES) == 26
    assert len(vllm_flags.ALIASES) == 23


def test_every_flag_is_of_one_arity() -> None:
    kinds = (vllm_flags.BOOLEAN, vllm_flags.MULTIPLE, vllm_flags.OPTIONAL_VALUE, vllm_flags.SINGLE)
    assert sum(map(len, kinds)) == len(vllm_flags.KNOWN)
    types = (vllm_flags.INTEGER, vllm_flags.NUMBER, vllm_flags.JSON)
    assert sum(map(len, types)) == len(frozenset().union(*types))


def test_what_is_said_of_a_flag_is_said_of_one_that_exists() -> None:
    named = (
        vllm_flags.NULLABLE | vllm_flags.POSITIVE | vllm_flags.SHARE | vllm_flags.PORTS
        | vllm_flags.HUMAN_READABLE | vllm_flags.AUTOMATIC | vllm_flags.SEVERAL_INTEGERS
        | vllm_flags.REPEATABLE | vllm_flags.CHOICES.keys() | set(vllm_flags.ALIASES.values())
    )  # fmt: skip
    assert named <= vllm_flags.OWN
    assert not vllm_flags.OTHER_RELEASES.keys() & vllm_flags.OWN
