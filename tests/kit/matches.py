"""Matches of bots, played and put into a store as live tables do."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Sequence
from typing import Final

from volte.bots import BotOwner, make_bot
from volte.fair import House, commit_bytes
from volte.game import (
    Contribute,
    Driver,
    HouseAction,
    MatchStarted,
    MatchState,
    Phase,
    Player,
    Promise,
    still_to_contribute,
    still_to_promise,
)
from volte.game import Event as LawfulEvent
from volte.game.codec import encode
from volte.referee import Event
from volte.rules import Ruleset
from volte.store import MatchRow
from volte.table import Access, Happening, Setup, Someone, Watching, fold, open_table
from volte.table import happenings as hap
from volte.table.steps import act_of_house
from volte.table.stored import TableStore, listing_of

NAMES: Final = ("Anne", "Bert", "Cara", "Dora", "Emil", "Fanny", "Gert")


def share(number: int) -> bytes:
    """The bytes that the person at seat 0 adds to a deal."""
    return hashlib.sha256(f"share {number}".encode()).digest()[:16]


class Between:
    """Chance of a match: the house, for itself and the bots, and a promising program at seat 0."""

    def __init__(self, seed: int) -> None:
        self._house = House.from_seed(seed)

    def act(self, state: MatchState) -> HouseAction | None:
        proof = state.proof
        begun = state.phase in (Phase.DRAWING, Phase.DEALING) and proof and not proof.used
        if begun and proof is not None and 0 not in proof.house:
            if 0 in still_to_promise(state):
                return Promise(0, commit_bytes(proof.number, 0, share(proof.number)))
            if 0 in still_to_contribute(state):
                return Contribute(0, share(proof.number))
        return act_of_house(self._house, state, range(1, state.rules.players))


def played(
    rules: Ruleset, seed: int = 1, name: str = "Zoé", own: str = "casual"
) -> list[LawfulEvent]:
    """The log of a match of bots, played to its end; the one at seat 0 stands for a person.

    Args:
        own: the level of that bot.
    """
    people = (Player(name, person=True), *(Player(each, level="casual") for each in NAMES))
    started = MatchStarted(rules, people[: rules.players])
    levels = (own, *["casual"] * (rules.players - 1))
    owners = [BotOwner(make_bot(level, seed), seat) for seat, level in enumerate(levels)]
    driver = Driver([started], owners, Between(seed))
    driver.run()
    return driver.log


async def keep(
    store: TableStore,
    person: Someone,
    log: Sequence[Event],
    *,
    watching: Watching = Watching.NOBODY,
    access: Access = Access.PUBLIC,
    over: bool = True,
    at: float | None = None,
    others: Sequence[Someone] = (),
) -> MatchRow:
    """Put a match into the store, at a table of its own, with a person at seat 0.

    Args:
        others: people at the next seats, whom the log must not call otherwise.
        at: time at which it began and ended; by default now.
    """
    now = time.time() if at is None else at
    started = log[0]
    assert isinstance(started, MatchStarted)
    table = secrets.token_hex(8)
    setup = Setup("Table of Zoé", started.rules, watching=watching, access=access)
    before: list[Happening] = list(open_table(setup, person))
    there = (person, *others)
    before += [hap.Sat(seat, each.id, each.name) for seat, each in enumerate(there)]
    before += [
        hap.BotSat(seat, each.name, each.level)
        for seat, each in enumerate(started.players)
        if seat >= len(there)
    ]
    happenings = [*before, *log]
    people = (*(each.id for each in there), *("" for _ in started.players[len(there) :]))
    last, ended = (len(happenings), now) if over else (0, None)
    row = MatchRow(
        *(secrets.token_hex(8), table, len(before) + 1, House.from_seed(1).master),
        *(now, people, last, ended),
    )
    listing = listing_of(table, fold(happenings), "")
    entries = [encode(each) for each in happenings]
    await store.append(table, 0, entries, listing=listing, matches=[row])
    return row
