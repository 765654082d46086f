"""People who play deals again: by a link, and the deal of the day."""

from __future__ import annotations

from typing import Any

from kit.browsing import Page
from kit.people import Guest
from kit.playing import Player
from kit.sites import Site

from volte.boards.board import Try
from volte.boards.keeper import BoardKeeper
from volte.boards.store import Boards
from volte.fair import SplitMix64
from volte.game import Dealt, MatchState, Pass, Passed, Phase, Play, Played, SeatAction
from volte.store import MatchRow
from volte.store.second_look import SecondLook
from volte.table import decode_happening


class Trier(Player):
    """A player who plays as all others do with the same whim."""

    whim = 0

    def _choice(self, match: MatchState, seat: int) -> SeatAction:
        """The choice by how far the match has gone, so that names and pauses change nothing."""
        done = sum(len(trick.cards) for trick in match.deal.tricks) if match.deal else 0
        chance = SplitMix64(1000 * self.whim + done)
        hand = sorted(self.view.hand, key=lambda card: card.index)
        if match.phase is Phase.PASSING:
            count = match.rules.passing.count
            return Pass(seat, tuple(hand[self.whim :][:count]))
        cards = sorted(self.view.legal, key=lambda card: card.index)
        return Play(seat, cards[chance.below(len(cards))])


async def dealt(site: Site, name: str = "Zoé", **table: Any) -> tuple[Trier, MatchRow]:
    """A person who has played a match alone with bots, and its row."""
    player = await Trier.begun(site.address, name=name, **table)
    await player.play()
    return player, (await site.room.store.matches_at(player.table))[-1]


async def shared(player: Guest, row: MatchRow, number: int = 1) -> str:
    """The id of the board that a person makes of a deal."""
    reply = await player.post("/deals", {"match": row.id, "number": str(number)})
    assert reply.status == 303, reply.text
    return reply.header("location").partition("?")[0].removeprefix("/deals/")


async def press(player: Player, board: str) -> str:
    """Press the button that opens a table of the board, and return its id."""
    reply = await player.post(f"/deals/{board}/play")
    assert reply.status == 303, reply.text
    return reply.header("location").removeprefix("/tables/")


async def begin_try(player: Trier, board: str, whim: int = 0) -> None:
    """Open a table of the board, and join it."""
    player.whim = whim
    await player.join(await press(player, board))
    await player.hurry()


async def finish_try(site: Site, player: Trier, board: str, whim: int = 0) -> None:
    """Play the board to its end; its result is stored."""
    await begin_try(player, board, whim)
    await player.play()
    await site.room[BoardKeeper].idle()


async def tried(site: Site, board: str, name: str, whim: int = 0) -> Trier:
    """A new guest who has played a board; whoever has the same whim plays alike."""
    player = await Trier.come(site.address, name)
    await finish_try(site, player, board, whim)
    return player


async def deal_log(site: Site, player: Guest) -> list[Any]:
    """The deal, the passes by seat as they were at last, and the plays at the player's table."""
    entries = await site.room.store.read(player.table)
    happenings = [decode_happening(each.data) for each in entries]
    passes = {each.seat: each for each in happenings if isinstance(each, Passed)}
    deals, plays = ([x for x in happenings if isinstance(x, kind)] for kind in (Dealt, Played))
    return [*deals, *(passes[seat] for seat in sorted(passes)), *plays]


async def board_page(player: Guest, board: str) -> Page:
    """The page of a board, as the person sees it."""
    return Page.of(await player.get(f"/deals/{board}"))


async def last_try(site: Site, board: str, player: Guest) -> Try:
    """The person's last try."""
    return (await site.room.store[Boards].tries_of([board], player.person))[-1]


class Clock:
    """A wall clock and a steady one, which tests move on."""

    def __init__(self, wall: float) -> None:
        self.wall = wall
        self.steady = 1000.0

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.wall += seconds
        self.steady += seconds


def by_clock(site: Site, clock: Clock) -> None:
    """Let a site go by that clock."""
    store = site.room.store
    looks = SecondLook(store._reader, store._writer, lambda: clock.wall, lambda: clock.steady)
    looks.seconds = store.second_look.seconds
    store.second_look = looks
