"""What each seat is asked, and since when: all that takes time at a table is counted from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from volte.cards import BY_BIT
from volte.game import (
    MatchState,
    Phase,
    Play,
    legal_cards,
    still_to_consent,
    still_to_contribute,
    still_to_promise,
)
from volte.referee import RefereedMatch, to_act
from volte.table.setup import LEAST_CLOCK
from volte.table.state import TableState


class What(StrEnum):
    """What a seat can be asked."""

    PLAY = "play"
    PASS = "pass"  # as long as the table passes, also once its own pass is in
    CHOOSE = "choose"  # how the moon that it has shot counts (W7)
    ANSWER = "answer"  # whether a play may be taken back
    NEXT = "next"  # whether the next deal may come
    PROMISE = "promise"  # bytes for the shuffle
    CONTRIBUTE = "contribute"
    TURN_DOWN = "turn_down"  # the full trick that it has won, at a refereed table (I4)
    CUT = "cut"  # for the next deal, there (I6)
    ACCEPT = "accept"  # the sheet after the last deal, there (I6)


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
    now: float,
) -> dict[int, Asked]:
    """What every seat is asked; what is asked still, is asked since when it was.

    Nothing is asked while the table is paused, so all begins anew after that.
    """
    asked: dict[int, Asked] = {}
    for seat, what in _asking(state):
        old, bot = before.get(seat), state.seats[seat].bot
        if old is not None and (old.what, old.moment, old.bot) == (what, state.moved, bot):
            asked[seat] = old
        else:
            asked[seat] = Asked(what, state.moved, bot, now)
    return asked


def what_of(state: TableState, seat: int) -> What | None:
    """What the seat is asked."""
    return dict(_asking(state)).get(seat)


def _asking(state: TableState) -> Iterator[tuple[int, What]]:
    """The seats that are asked something. While somebody asks to take a play back, nobody plays.

    At a refereed table anybody may act besides: play out of turn, object, claim a revoke.
    """
    match = state.match
    if match is None or state.paused or state.closed or not state.under_way:
        return
    everybody = range(len(state.seats))
    if match.asked is not None:
        yield from ((seat, What.ANSWER) for seat in still_to_consent(match))
    elif state.between_deals:
        for seat in everybody:
            if state.seats[seat].person and not state.seats[seat].bot and seat not in state.ready:
                yield seat, What.NEXT
    elif match.phase is Phase.PASSING:
        yield from ((seat, What.PASS) for seat in everybody)
    elif match.phase is Phase.PLAYING:
        what = _in_play(match)
        yield from ((seat, what) for seat in to_act(match))
    elif match.phase is Phase.CHOOSING:
        if match.shooter is not None:
            yield match.shooter, What.CHOOSE
    elif match.proof is not None:
        promises = still_to_promise(match)
        what = What.PROMISE if promises else What.CONTRIBUTE
        for seat in promises or still_to_contribute(match):
            if seat not in match.proof.house:
                yield seat, what


def _in_play(match: MatchState) -> What:
    """What the seats are asked for whom the play waits."""
    if not isinstance(match, RefereedMatch):
        return What.PLAY
    if match.shooter is not None:
        return What.CHOOSE
    if match.reckoned is not None:
        return What.ACCEPT if match.last else What.CUT
    return What.TURN_DOWN if match.lying.full else What.PLAY


def still_asked(state: TableState, seat: int, asked: Asked) -> bool:
    """Whether the seat has yet to do it: of those who pass, some have."""
    if asked.what is not What.PASS:
        return True
    assert state.match is not None
    assert state.match.deal is not None
    return state.match.deal.passes[seat] is None


def begins(state: TableState, asked: Asked, trick_pace: float) -> float:
    """When the choice really begins: a full trick lies for a while before the next lead.

    At a refereed table it has been turned down by then.
    """
    match = state.match
    deal = match.deal if match is not None and not isinstance(match, RefereedMatch) else None
    leads = asked.what is What.PLAY and deal is not None and deal.tricks and not deal.trick
    return asked.since + (trick_pace if leads else 0)


def only_play(match: MatchState) -> Play | None:
    """What the seat on turn plays where it has no choice; None where it has, or nobody plays.

    At a refereed table every card can be played, so that only the last of a hand is no choice.
    """
    deal = match.deal
    if deal is None or match.phase is not Phase.PLAYING or _in_play(match) is not What.PLAY:
        return None
    cards = deal.hands[deal.turn] if isinstance(match, RefereedMatch) else legal_cards(deal)
    return Play(deal.turn, BY_BIT[cards]) if cards.bit_count() == 1 else None


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


PASS_TIMES: Final = 3
"""How many times as long a pass may take as any other choice: it is several cards."""


MOST_EXTENSIONS: Final = 10
"""How often more time may be had for one choice (WCAG 2.2.1)."""


def choice_due(state: TableState, seat: int) -> bool:
    """Whether the match waits for that seat: for a choice, for an answer, or for the next deal.

    At a refereed table also to turn down, to cut, or to accept.
    """
    match = state.match
    if match is None or not state.under_way:
        return False
    return seat in to_act(match) or seat in still_to_consent(match) or state.between_deals


def seconds_once(state: TableState, seat: int) -> int:
    """What the clock gives that seat for such a choice as is due; 0 without a clock."""
    clock = state.setup.clock
    if clock and not state.seats[seat].accepts_clock:
        clock = max(clock, LEAST_CLOCK)
    passing = state.match is not None and state.match.phase is Phase.PASSING
    return clock * PASS_TIMES if passing else clock


def seconds_for(state: TableState, seat: int) -> int | None:
    """All the time that seat has for the choice before it; None where nothing presses."""
    if not state.setup.clock or not choice_due(state, seat):
        return None
    return seconds_once(state, seat) + state.extra[seat]
