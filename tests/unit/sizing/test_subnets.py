"""Addresses: the reference table, the refusals, and that a subnet once placed never moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperpod_dpd.sizing.errors import AddressPlanError
from hyperpod_dpd.sizing.subnet_slots import STANDARD_SLOTS, SubnetRequest, allocate
from hyperpod_dpd.sizing.subnets import (
    NodeDemand,
    addresses_needed,
    nodes_that_fit,
    shortage,
    smallest_prefix,
    usable_addresses,
)


@pytest.mark.parametrize(
    ("prefix", "usable", "nodes"),
    [
        # Nodes of 81, 65, 57, 66 and 50 addresses each.
        (24, 251, (3, 3, 4, 3, 5)),
        (22, 1019, (12, 15, 17, 15, 20)),
        (20, 4091, (50, 62, 71, 61, 81)),
    ],
)
def test_table_of_the_infrastructure_reference(prefix, usable, nodes):
    assert usable_addresses(prefix) == usable
    assert tuple(nodes_that_fit(prefix, ips_per_node=ips) for ips in (81, 65, 57, 66, 50)) == nodes


def test_a_subnet_too_small_names_the_one_that_does():
    text = shortage("10.0.0.0/22", [NodeDemand("p5", 81, 14)])
    assert text is not None
    assert text.startswith("10.0.0.0/22 holds 12 p5 nodes; 14 need 1,134 addresses: use at least a /21")
    assert shortage("10.0.0.0/22", [NodeDemand("p5", 81, 12)]) is None
    assert shortage("10.0.0.0/21", [NodeDemand("p5", 81, 14)]) is None


def test_several_groups_share_a_subnet():
    demands = [NodeDemand("prefill", 81, 2), NodeDemand("decode", 81, 1), NodeDemand("system", 15, 4)]
    text = shortage("10.0.0.0/24", demands, other_addresses=12)
    assert text is not None
    assert "315" in text and "/23" in text and "12 others" in text
    assert addresses_needed(demands, headroom_percent=10, other_addresses=12) == 303 + 31 + 12


def test_empty_groups_need_nothing():
    assert shortage("10.0.0.0/28", [NodeDemand("p5", 81, 0)]) is None


@given(st.integers(0, 65_531))
def test_the_smallest_prefix_is_smallest(addresses):
    prefix = smallest_prefix(addresses)
    assert usable_addresses(prefix) >= addresses
    assert prefix == 28 or usable_addresses(prefix + 1) < addresses


def test_more_than_any_subnet():
    with pytest.raises(AddressPlanError, match="spread the nodes"):
        smallest_prefix(65_532)


@pytest.mark.parametrize("prefix", [15, 29, 0])
def test_prefixes_aws_does_not_have(prefix):
    with pytest.raises(AddressPlanError, match="/16 to a /28"):
        usable_addresses(prefix)


@pytest.mark.parametrize("cidr", ["10.0.0.0", "10.0.0.1/24", "::/64", "ten", "10.0.0.0/33"])
def test_not_a_subnet(cidr):
    with pytest.raises(AddressPlanError):
        shortage(cidr, [NodeDemand("p5", 81, 1)])


@pytest.mark.parametrize(("ips", "nodes"), [(0, 1), (-1, 1), (81, -1), (8.5, 1), ("81", 1), (True, 1)])
def test_impossible_demands(ips, nodes):
    with pytest.raises(AddressPlanError, match="whole number"):
        NodeDemand("p5", ips, nodes)


def test_places_in_a_16():
    placed = allocate(
        "10.192.0.0/16",
        [
            SubnetRequest("public", 0, 24),
            SubnetRequest("public", 1, 24),
            SubnetRequest("control_plane", 0, 28),
            SubnetRequest("control_plane", 1, 28),
            SubnetRequest("storage", 0, 26),
            SubnetRequest("system", 0, 22),
            SubnetRequest("nodes", 0, 20),
            SubnetRequest("nodes", 1, 22),
        ],
    )
    assert [subnet.cidr for subnet in placed] == [
        "10.192.0.0/24",
        "10.192.1.0/24",
        "10.192.16.0/28",
        "10.192.16.16/28",
        "10.192.32.0/26",
        "10.192.64.0/22",
        "10.192.128.0/20",
        "10.192.144.0/22",
    ]


def test_secondary_ranges_for_large_groups():
    placed = allocate(
        "10.192.0.0/20",
        [SubnetRequest("nodes", 0, 17, secondary=0), SubnetRequest("nodes", 1, 16, secondary=1)],
        secondary_cidrs=["10.1.0.0/16", "10.2.0.0/16"],
    )
    assert [subnet.cidr for subnet in placed] == ["10.1.0.0/17", "10.2.0.0/16"]


kinds = st.sampled_from(sorted(STANDARD_SLOTS))
requests = st.lists(
    st.builds(lambda kind, index: (kind, index), kinds, st.integers(0, 7)),
    unique=True,
    min_size=1,
    max_size=40,
)


@given(st.integers(16, 16), requests, st.randoms())
def test_a_subnet_never_moves_when_others_come_or_go(prefix, wanted, random):
    everything = [SubnetRequest(kind, index, 28) for kind, index in wanted]
    whole = {
        (subnet.kind, subnet.index): subnet.cidr for subnet in allocate(f"10.0.0.0/{prefix}", everything)
    }
    some = random.sample(everything, random.randint(1, len(everything)))
    for subnet in allocate(f"10.0.0.0/{prefix}", some):
        assert whole[subnet.kind, subnet.index] == subnet.cidr


@given(st.integers(16, 20))
def test_all_places_are_apart_and_inside(prefix):
    wanted = [
        SubnetRequest(kind, index, min(28, prefix + place.slot_bits))
        for kind, place in STANDARD_SLOTS.items()
        if prefix + place.slot_bits <= 28
        for index in range(place.slots)
    ]
    placed = allocate(f"10.0.0.0/{prefix}", wanted)
    networks = [subnet.network for subnet in placed]
    assert len(set(networks)) == len(wanted)
    assert sum(network.num_addresses for network in networks) <= 2 ** (32 - prefix)


@pytest.mark.parametrize(
    ("vpc", "wanted", "secondaries", "reason"),
    [
        ("10.0.0.0/16", SubnetRequest("nodes", 0, 19), [], "its place 10.0.128.0/20 is a /20: widen"),
        ("10.0.0.0/16", SubnetRequest("nodes", 8, 20), [], "8 places for nodes subnets"),
        ("10.0.0.0/16", SubnetRequest("nodes", 0, 16, secondary=0), [], "0 are given"),
        ("10.0.0.0/16", SubnetRequest("nodes", 0, 16, secondary=0), ["10.1.0.0/17"], "larger secondary CIDR"),
        ("10.0.0.0/16", SubnetRequest("nodes", 0, 16, secondary=0), ["10.0.0.0/17"], "overlap"),
        ("10.0.0.0/16", SubnetRequest("cellar", 0, 24), [], "not a kind of subnet"),
        ("10.0.0.0/16", SubnetRequest("nodes", 0, 29), [], "/16 to a /28"),
        ("10.0.0.0/15", SubnetRequest("nodes", 0, 20), [], "a VPC range is"),
        ("10.0.0.0/20", SubnetRequest("control_plane", 0, 28), [], "use a VPC range of /16 or wider"),
        ("10.0.0.1/16", SubnetRequest("nodes", 0, 20), [], "is not an IPv4 network"),
    ],
)
def test_refusals_say_what_to_change(vpc, wanted, secondaries, reason):
    with pytest.raises(AddressPlanError, match=reason):
        allocate(vpc, [wanted], secondary_cidrs=secondaries)


def test_the_same_place_twice():
    with pytest.raises(AddressPlanError, match="overlaps nodes subnet 0"):
        allocate("10.0.0.0/16", [SubnetRequest("nodes", 0, 20), SubnetRequest("nodes", 0, 22)])
