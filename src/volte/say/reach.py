"""The reach of an address: whether others can open it, and the sentence that says so."""

from __future__ import annotations

import ipaddress
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from volte.say.catalogue import N_
from volte.say.words import Words


class Reach(StrEnum):
    """The machines on which an address leads to the playroom."""

    MACHINE = "machine"  # the one on which the playroom runs
    NETWORK = "network"  # those in the same local network
    ANYWHERE = "anywhere"


LOCAL_NAMES: Final = (".local", ".lan", ".home", ".home.arpa", ".internal")
"""Endings of names that only a local network knows."""

TOLD: Final = {
    Reach.MACHINE: N_(
        "Only this machine can open this address. To let others in, start the playroom with"
        " “volte serve --host 0.0.0.0” and give them the address it prints; docs/serve.md says"
        " more."
    ),
    Reach.NETWORK: N_(
        "Only devices on the same network, such as your home Wi-Fi, can open this address."
    ),
}


def reach_of(address: str) -> Reach:
    """The reach of an address, by its host.

    >>> [reach_of(f"http://{host}/tables/1").value for host in ("[::1]:8150", "10.0.0.7", "a.org")]
    ['machine', 'network', 'anywhere']
    """
    host = (urlsplit(address).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return Reach.MACHINE
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        near = "." not in host or host.endswith(LOCAL_NAMES)
        return Reach.NETWORK if near else Reach.ANYWHERE
    number = getattr(number, "ipv4_mapped", None) or number
    if number.is_loopback or number.is_unspecified:
        return Reach.MACHINE
    return Reach.ANYWHERE if number.is_global else Reach.NETWORK


def within_reach(address: str) -> bool:
    """Whether any other machine can open the address."""
    return reach_of(address) is not Reach.MACHINE


def reach_told(words: Words, address: str) -> list[str]:
    """The sentences that say who cannot open an address, and what helps; none if everybody can."""
    told = TOLD.get(reach_of(address), "") if address else ""
    return [words.t(told)] if told else []
