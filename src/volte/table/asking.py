"""What each seat is asked, and since when: all that takes time at a table is counted from there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

import msgspec

from volte.game import MatchState, Phase, still_to_consent, still_to_contribute, still_to_promise
from volte.table.clock import seconds_for
from volte.table.state import TableState


class What(StrEnum):
    """What a seat can be asked."""

    PLAY = "play"
    PASS = "pass"  # as long as the table passes, also once its own pass is in
    ANSWER = "answer"  # whether a play may be taken back
    NEXT = "next"  # whether the next deal may come
    PROMISE = "promise"  # bytes for the shuffle
    CONTRIBUTE = "contribute"


class Asked(msgspec.Struct, frozen=True):
    """Something a seat is asked.

    Attributes:
        moment: the `TableState.moved` to which it belongs.
        bot: whether a bot has to do it.
        since: in seconds of `time.monotonic`.
    """

    what: What
    moment: int
    bot: bool
    since: float


def asked_now(
    state: TableState,
    before: Mapping[int, Asked],
    ready: Collection[int],
    now: float,
) -> dict[int, Asked]:
    """What every seat is asked; what is asked still, is asked since when it was.

    Nothing is asked while the table is paused, so all begins anew after that.
    """
    asked: dict[int, Asked] = {}
    for seat in range(len(state.seats)):
        what = what_of(state, seat, ready)
        if what is None:
            continue
        asked[seat] = Asked(what, state.moved, state.seats[seat].bot, now)
        old = before.get(seat)
        if old is not None and asked[seat] == msgspec.structs.replace(old, since=now):
            asked[seat] = old
    return asked


def what_of(state: TableState, seat: int, ready: Collection[int]) -> What | None:
    """What the seat is asked. While somebody asks to take a play back, nobody has to play."""
    match = state.match
    if match is None or state.paused or state.closed or not state.under_way:
        return None
    if match.asked is not None:
        return What.ANSWER if seat in still_to_consent(match) else None
    if state.between_deals:
        waits = bool(state.seats[seat].person) and not state.seats[seat].bot and seat not in ready
        return What.NEXT if waits else None
    if match.phase is Phase.PASSING:
        return What.PASS
    if match.phase is Phase.PLAYING:
        return What.PLAY if match.deal is not None and match.deal.turn == seat else None
    return _cut(match, seat)


def _cut(match: MatchState, seat: int) -> What | None:
    """What the person at a seat has to add to the shuffle."""
    if match.proof is None or seat in match.proof.house:
        return None
    promises = still_to_promise(match)
    if promises:
        return What.PROMISE if seat in promises else None
    return What.CONTRIBUTE if seat in still_to_contribute(match) else None


def still_asked(state: TableState, seat: int, asked: Asked) -> bool:
    """Whether the seat has yet to do it: of those who pass, some have."""
    if asked.what is not What.PASS:
        return True
    assert state.match is not None
    assert state.match.deal is not None
    return state.match.deal.passes[seat] is None


def begins(state: TableState, asked: Asked, trick_pace: float) -> float:
    """When the choice really begins: a full trick lies for a while before the next lead."""
    deal = state.match.deal if state.match is not None else None
    leads = asked.what is What.PLAY and deal is not None and deal.tricks and not deal.trick
    return asked.since + (trick_pace if leads else 0)


def clock_ends(
    state: TableState, seat: int, asked: Asked, trick_pace: float, tick: float
) -> float | None:
    """When a person's clock runs out, its seconds lasting `tick`; None where there is none."""
    if asked.bot or asked.what in (What.PROMISE, What.CONTRIBUTE):
        return None
    if not still_asked(state, seat, asked):
        return None
    seconds = seconds_for(state, seat)
    return None if seconds is None else begins(state, asked, trick_pace) + seconds * tick
