"""The turns at a table: beginning and time allowed. Everything that is timed follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from volte.cards import BY_BIT
from volte.fair import SplitMix64, split
from volte.game import (
    MatchState,
    Phase,
    Play,
    legal_cards,
    lots_due,
    still_to_consent,
    still_to_contribute,
    still_to_promise,
)
from volte.referee import RefereedMatch, to_act
from volte.table.setup import LEAST_CLOCK
from volte.table.state import TableState

PASS_TIMES: Final = 3
"""Time for a pass, as a multiple of that for any other choice: a pass is several cards."""

LEAST_HESITATION: Final = 0.6  # of the pace of bots' cards
FOLLOWING: Final = 0.6  # at most added to it before a card that follows
CHOOSING: Final = 0.9  # at most added to it before a lead, a pass, or a moon

MOST_EXTENSIONS: Final = 10  # extensions of the time for one choice (WCAG 2.2.1)


class TurnKind(StrEnum):
    """The kind of action for which a table waits."""

    PLAY = "play"
    PASS = "pass"  # as long as the table passes, even after the seat's own pass
    CHOOSE = "choose"  # how the seat's moon counts (W7)
    ANSWER = "answer"  # whether a play may be taken back
    NEXT = "next"  # say that the next deal may begin
    PROMISE = "promise"  # bytes for the shuffle
    CONTRIBUTE = "contribute"  # the promised bytes
    TURN_DOWN = "turn_down"  # the full trick that the seat has won, at a refereed table (I4)
    CUT = "cut"  # for the next deal, at a refereed table (I6)
    ACCEPT = "accept"  # the sheet after the last deal, at a refereed table (I6)


class SeatTurn(msgspec.Struct, frozen=True):
    """A turn: an action for which a table waits at a seat."""

    kind: TurnKind
    moment: int  # the `TableState.moved` to which it belongs
    bot: bool  # whether a bot has to do it
    since: float  # in seconds of `time.monotonic`


def current_turns(
    state: TableState, before: Mapping[int, SeatTurn], now: float
) -> dict[int, SeatTurn]:
    """The turns by seat; a turn that was in `before` keeps its beginning.

    There are none while the table is paused, so all begin anew after that.
    """
    turns: dict[int, SeatTurn] = {}
    for seat, kind in _turns(state):
        old, bot = before.get(seat), state.seats[seat].bot
        if old is not None and (old.kind, old.moment, old.bot) == (kind, state.moved, bot):
            turns[seat] = old
        else:
            turns[seat] = SeatTurn(kind, state.moved, bot, now)
    return turns


def _turns(state: TableState) -> Iterator[tuple[int, TurnKind]]:
    """The seats whose turn it is. While somebody asks to take a play back, nobody plays.

    At a refereed table anybody may act besides: play out of turn, object, claim a revoke.
    """
    match = state.match
    if match is None or state.paused or state.closed or not state.under_way:
        return
    if match.asked is not None:
        yield from ((seat, TurnKind.ANSWER) for seat in still_to_consent(match))
    elif state.between_deals:
        for place, seat in enumerate(state.seats):
            if seat.person and not seat.bot and place not in state.ready:
                yield place, TurnKind.NEXT
    elif match.phase is Phase.PASSING:
        yield from ((seat, TurnKind.PASS) for seat in range(len(state.seats)))
    elif match.phase is Phase.PLAYING:
        kind = _kind_in_play(match)
        yield from ((seat, kind) for seat in to_act(match))
    elif match.phase is Phase.CHOOSING:
        if match.shooter is not None:
            yield match.shooter, TurnKind.CHOOSE
    elif match.proof is not None:
        promises = still_to_promise(match)
        kind = TurnKind.PROMISE if promises else TurnKind.CONTRIBUTE
        for place in promises or still_to_contribute(match):
            if place not in match.proof.house:
                yield place, kind


def _kind_in_play(match: MatchState) -> TurnKind:
    if not isinstance(match, RefereedMatch):
        return TurnKind.PLAY
    if match.shooter is not None:
        return TurnKind.CHOOSE
    if match.reckoned is not None:
        return TurnKind.ACCEPT if match.last else TurnKind.CUT
    return TurnKind.TURN_DOWN if match.lying.full else TurnKind.PLAY


def still_to_act(state: TableState, seat: int, turn: SeatTurn) -> bool:
    """Whether the seat has yet to act: while the table passes, some seats have passed already."""
    if turn.kind is not TurnKind.PASS:
        return True
    assert state.match is not None
    assert state.match.deal is not None
    return state.match.deal.passes[seat] is None


def house_is_due(match: MatchState) -> bool:
    """Whether it is the turn of the house: nobody else has to act before it."""
    if match.phase is Phase.ENDED:
        return match.proof is not None and match.revealed < match.proof.number
    if match.phase in (Phase.DRAWING, Phase.DEALING):
        if match.proof is None or match.proof.used:
            return True
        left = still_to_contribute(match)
        house = any(seat in match.proof.house for seat in left)
        return not still_to_promise(match) and (house or not left)
    return bool(lots_due(match)[0])


def only_play(match: MatchState) -> Play | None:
    """The play of the seat on turn where it has no choice; None where it has, or nobody plays.

    At a refereed table every card can be played, so only the last of a hand is no choice.
    """
    deal = match.deal
    if deal is None or match.phase is not Phase.PLAYING:
        return None
    if _kind_in_play(match) is not TurnKind.PLAY:
        return None
    cards = deal.hands[deal.turn] if isinstance(match, RefereedMatch) else legal_cards(deal)
    return Play(deal.turn, BY_BIT[cards]) if cards.bit_count() == 1 else None


# The time that a seat has


def choice_due(state: TableState, seat: int) -> bool:
    """Whether the match waits for that seat: for a choice, for an answer, or for the next deal.

    A refereed table also waits for it to turn down a trick, to cut, or to accept the score sheet.
    """
    match = state.match
    if match is None or not state.under_way:
        return False
    return seat in to_act(match) or seat in still_to_consent(match) or state.between_deals


def seconds_once(state: TableState, seat: int) -> int:
    """Time by the clock for a seat's choice, without extensions, in seconds; 0 without a clock."""
    clock = state.setup.clock
    if clock and not state.seats[seat].accepts_clock:
        clock = max(clock, LEAST_CLOCK)
    passing = state.match is not None and state.match.phase is Phase.PASSING
    return clock * PASS_TIMES if passing else clock


def seconds_for(state: TableState, seat: int) -> int | None:
    """Time for that seat's present choice, with extensions, in seconds; None for no limit."""
    if not state.setup.clock or not choice_due(state, seat):
        return None
    return seconds_once(state, seat) + state.extra[seat]


def begins(state: TableState, turn: SeatTurn, trick_pace: float) -> float:
    """The time when a choice really begins: a full trick lies for a while before the next lead.

    At a refereed table the trick has been turned down by then.
    """
    match = state.match
    deal = match.deal if match is not None and not isinstance(match, RefereedMatch) else None
    leads = turn.kind is TurnKind.PLAY and deal is not None and deal.tricks and not deal.trick
    return turn.since + (trick_pace if leads else 0)


def hesitation(state: TableState, seat: int, chance: int) -> float:
    """The time that a seat seems to think, as a multiple of the pace: from facts that everybody at
    the table knows, and chance. It is longest before a lead or a pass, and shortest before the last
    card of a hand.

    Args:
        chance: a number that depends on no card, of that seat in that match.
    """
    spread, match = CHOOSING, state.match
    if match is not None and match.deal is not None and match.phase is Phase.PLAYING:
        if match.deal.hands[seat].bit_count() == 1:
            return LEAST_HESITATION
        spread = FOLLOWING if match.deal.trick else CHOOSING
    return LEAST_HESITATION + spread * SplitMix64(split(chance, state.moved)).below(1001) / 1000


def clock_ends(
    state: TableState, seat: int, turn: SeatTurn, trick_pace: float, tick: float
) -> float | None:
    """The time when a person's clock runs out, its seconds lasting `tick`; None without a clock."""
    if turn.bot or turn.kind in (TurnKind.PROMISE, TurnKind.CONTRIBUTE):
        return None
    if not still_to_act(state, seat, turn):
        return None
    seconds = seconds_for(state, seat)
    return None if seconds is None else begins(state, turn, trick_pace) + seconds * tick
