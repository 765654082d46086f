"""Who can open an address, and what is said where others cannot."""

from __future__ import annotations

from typing import Final

import pytest
from kit import ENGLISH

from volte.say.reach import Reach, reach_of, reach_told, within_reach

MACHINE: Final[tuple[str, ...]] = (
    *("localhost", "LOCALHOST.", "volte.localhost", "127.0.0.1", "127.8.8.8", "[::1]"),
    *("[::ffff:127.0.0.1]", "0.0.0.0", "[::]"),
)
NETWORK: Final[tuple[str, ...]] = (
    *("192.168.1.5", "10.0.0.7", "172.16.3.3", "169.254.7.7", "100.64.0.9", "[fd00::5]"),
    *("[fe80::1%25eth0]", "kitchen", "kitchen.local", "nas.home.arpa"),
)
ANYWHERE = ("cards.example", "8.8.8.8", "[2606:4700::1111]", "notlocalhost.org")


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        *((host, Reach.MACHINE) for host in MACHINE),
        *((host, Reach.NETWORK) for host in NETWORK),
        *((host, Reach.ANYWHERE) for host in ANYWHERE),
    ],
)
def test_an_address_reaches_as_far_as_its_host_is_known(host: str, reach: Reach) -> None:
    for port in ("", ":8150"):
        address = f"http://{host}{port}/cards/tables/7"
        assert reach_of(address) is reach
        assert within_reach(address) is (reach is not Reach.MACHINE)
        assert bool(reach_told(ENGLISH, address)) is (reach is not Reach.ANYWHERE)


def test_only_what_has_an_address_has_a_reach_to_tell() -> None:
    assert reach_told(ENGLISH, "") == []
    (told,) = reach_told(ENGLISH, "http://localhost:8150/")
    assert "volte serve --host 0.0.0.0" in told
