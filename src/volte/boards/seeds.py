"""Deals that follow from their address: where there is no server, a seed takes the place of a
board that is stored.

An address is `PRESET.PLAYERS.SEAT.LEVELS.SEED`, and `.CHANGES` where options differ from the
preset: LEVELS is one level for all bots, or one for each in the order of the seats with `-`
between; SEED is 32 hexadecimal digits; CHANGES are Base64 (RFC 4648, section 5, without padding)
of a JSON object. The number of deals in a match is left out: there is one.

Everything follows from the seed, so whoever reads it can work out all hands.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final, NamedTuple

import msgspec

from volte.boards.board import Board, BoardDeal, one_deal, packed
from volte.bots.characters import CHARACTERS
from volte.bots.levels import LEVELS, OF_EXTRA
from volte.cards import VolteError
from volte.fair import House
from volte.fair.house import Stream
from volte.rules import Ruleset, described, make_ruleset

SEED_BYTES: Final = 16

PARTS: Final = re.compile(
    r"([a-z0-9-]{1,40})\.([0-9]{1,2})\.([0-9]{1,2})\.([a-z-]{1,120})\.([0-9a-f]{32})"
    r"(?:\.([A-Za-z0-9_-]{1,600}))?",
    re.ASCII,
)

PLAYABLE: Final = frozenset({*LEVELS, *CHARACTERS} - {*OF_EXTRA})
"""Levels and characters that play wherever Volte runs."""

LEFT_OUT: Final = ("players", "match_end")
"""Options that an address tells otherwise, or not at all."""

_CHANGES: Final = msgspec.json.Decoder(dict[str, bool | int | str | list[str]])


class SeedDeal(NamedTuple):
    """A deal of which a seed is all that chance adds."""

    rules: Ruleset  # however many deals a match has by them
    seat: int  # the one to be played
    levels: tuple[str, ...]  # of the bots, by seat; empty at the seat to be played
    seed: str  # 32 hexadecimal digits


def fresh_seed() -> str:
    """A seed that nobody can guess, from the system's own randomness."""
    return secrets.token_hex(SEED_BYTES)


def address_of(deal: SeedDeal) -> str:
    """The last part of the address of a deal; see `read_address`."""
    preset, changes = described(deal.rules)
    told = {name: changes[name] for name in sorted(changes) if name not in LEFT_OUT}
    bots = [level for seat, level in enumerate(deal.levels) if seat != deal.seat]
    levels = bots[:1] if len({*bots}) == 1 else bots
    parts = [preset, str(deal.rules.players), str(deal.seat), "-".join(levels), deal.seed]
    if told:
        parts.append(urlsafe_b64encode(msgspec.json.encode(told)).decode().rstrip("="))
    return ".".join(parts)


def read_address(text: str) -> SeedDeal | None:
    """The deal of an address; None for any text that `address_of` does not write."""
    found = PARTS.fullmatch(text)
    if found is None:
        return None
    preset, players, seat, levels, seed, changes = found.groups()
    try:
        told = _CHANGES.decode(urlsafe_b64decode(f"{changes}===")) if changes else {}
        rules = make_ruleset(preset, {**told, "players": int(players)})
    except (VolteError, msgspec.DecodeError, ValueError):
        return None
    bots, place = levels.split("-"), int(seat)
    bots = bots * (rules.players - 1) if len(bots) == 1 else bots
    if len(bots) != rules.players - 1 or place > len(bots) or not PLAYABLE.issuperset(bots):
        return None
    deal = SeedDeal(rules, place, (*bots[:place], "", *bots[place:]), seed)
    return deal if address_of(deal) == text else None


def board_of_seed(address: str, deal: SeedDeal) -> Board:
    """A board with that address, which nobody stores. Cards, dealer, direction of the pass and
    bots' lots are drawn from the seed."""
    house, rules = House.from_seed(deal.seed), deal.rules
    draws = Stream(house.master, "deal of an address", {})
    dealer = draws.below(rules.players)
    direction = draws.choice(rules.passing.cycle)
    deck = tuple(rules.cards[place] for place in draws.permutation(len(rules.cards)))
    cards = BoardDeal(one_deal(rules, direction), dealer, deck, deal.seat, deal.levels)
    return Board(
        id=address,
        maker="",
        match="",
        number=1,
        cards=packed(cards),
        secret=b"",
        master=house.master,
        made=0.0,
        ended=None,
        told=None,
        origin=address,
    )
