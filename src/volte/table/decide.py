"""`decide`: the happenings that a person's command causes at a table, or the refusal.

The server decides who may come in at all (by a link, with a password, to watch); here, only people
who were sent away are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from msgspec.structs import replace

from volte import game, referee
from volte.bots import CHARACTERS, check_level
from volte.cards import VolteError
from volte.game import Phase, Refusal
from volte.referee import RefereedMatch
from volte.rules import Settlement, of_deals
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.admission import (
    asker_sits,
    board_refusal,
    bot_sits,
    engines_may_sit,
    meeting_refusal,
    rated_away,
    rated_refusal,
    sit_down,
)
from volte.table.again import again_refusal, moved_on
from volte.table.commands import Someone, TableCommand
from volte.table.happenings import Happening, Why
from volte.table.setup import Access, Setup, check_setup
from volte.table.state import TableState, evolve
from volte.table.turns import MOST_EXTENSIONS, choice_due, seconds_once

TableOutcome = tuple[Happening, ...] | Refusal
_Handler = Callable[[TableState, Someone, Any], TableOutcome]


def open_table(setup: Setup, who: Someone, seat: int | None = None) -> tuple[Happening, ...]:
    """A new table, its host at a seat or none. Raises `VolteError` for a setup not allowed."""
    check_setup(setup)
    opened = hap.Opened(setup, who.id, who.name)
    if seat is None:
        return (opened,)
    return (opened, hap.Sat(seat, who.id, who.name))


def decide(
    state: TableState,
    who: Someone,
    command: TableCommand,
    seen: int,
    present: Collection[str] | None = None,
    engines: Collection[str] = (),
    last: str = "",
) -> TableOutcome:
    """The happenings that the command causes, in order, or its refusal.

    A command that is done causes at least one happening, by whose cause it is recognised when it is
    sent again.

    Args:
        seen: number of the last happening that the person had seen.
        present: ids of the people who are connected; None where that does not matter.
        engines: names of the outside engines that there are; not every table seats them.
        last: id of the last match, where its cards may be dealt again.
    """
    if present is not None and isinstance(command, cmd.Start | cmd.DealAgain):
        if rated_away(state, present):
            return Refusal("rated_away")
        seated = {seat.person for seat in state.seats} - {""}
        if seated and seated.isdisjoint({who.id, *present}):
            return Refusal("players_away")
    if state.closed:
        return Refusal("closed")
    if who.id in state.barred:
        return Refusal("barred")
    kind = type(command)
    if (kind in _BY_HOST or kind is cmd.DealAgain) and not _may_host(state, who, command):
        return Refusal("not_host")
    if isinstance(command, cmd.Change) and seen < state.set_up:
        return Refusal("stale")
    if isinstance(command, cmd.SeatBot):
        try:
            check_level(command.level, guests=engines if engines_may_sit(state.setup) else ())
        except VolteError as fault:
            return refusal_of(fault)
    places = (command.seat,) if isinstance(command, cmd.SeatCommand) else ()
    for place in (command.one, command.other) if isinstance(command, cmd.Swap) else places:
        if not 0 <= place < len(state.seats):
            return Refusal("no_such_seat", params={"seat": place})
    if state.setup.meeting:
        refusal = meeting_refusal(state, who, command)
        if refusal is not None:
            return refusal
    if state.setup.rated:
        refusal = rated_refusal(state, who, command)
        if refusal is not None:
            return refusal
    if state.setup.board:
        refusal = board_refusal(command)
        if refusal is not None:
            return refusal
    if isinstance(command, cmd.Replace):
        return _replace(state, who, command, present)
    if isinstance(command, cmd.DealAgain):
        return _deal_again(state, who, last)
    for handlers in (_BY_ANYBODY, _BY_HOST):
        if kind in handlers:
            return handlers[kind](state, who, command)
    seat = state.seat_of(who.id)
    if seat is None:
        forgone = _forgone(state, who) if isinstance(command, cmd.Stand) else ()
        return forgone or Refusal("not_seated")
    if isinstance(command, cmd.Act | cmd.Next):
        if seen > state.version:
            return Refusal("ahead")
        late = too_late(state, command, seen)
        if late is not None:
            return late
    if kind in _BY_SEAT:
        return _BY_SEAT[kind](state, seat, command)
    if isinstance(command, cmd.Next) and state.between_matches:
        hosts = who.id == state.host and not state.setup.meeting
        return Refusal("host_begins") if hosts else ready(state, seat)
    match = playing(state)
    return match if isinstance(match, Refusal) else _IN_PLAY[kind](state, match, seat, command)


def _may_host(state: TableState, who: Someone, command: TableCommand) -> bool:
    """Whether somebody may give a command of the host. At a meeting table anybody with a seat may
    begin a match."""
    if state.setup.meeting and isinstance(command, cmd.Start | cmd.DealAgain):
        return state.seat_of(who.id) is not None
    return who.id == state.host


def circumstances(state: TableState, seat: int | None) -> tuple[object, ...]:
    """The parts of the state on which answers to commands depend, for a seat or for people without.

    Only actions in the match, and in the shuffle, depend on more. They cost little to compare,
    since an unchanged part is the same object in the next state.
    """
    timed = seat is not None and state.setup.clock and choice_due(state, seat)
    table = state.setup, state.host, state.seats, state.barred, state.denied
    progress = state.paused, state.closed, state.under_way, state.between_deals, state.awaits_cut
    cards = state.hands_are_out, state.saw, state.began, state.anew, state.coming
    untouched = state.setup.meeting and not state.touched
    again = state.between_matches and seat in state.ready
    phase = state.match.phase if timed and state.match is not None else None
    return table, progress, cards, untouched, again, timed, state.extra if timed else (), phase


# Commands of anybody; only people with a seat and the host may pause


def _pause(state: TableState, who: Someone, _: cmd.Pause) -> TableOutcome:
    name = _name(state, who)
    if not (name and state.under_way):
        return Refusal("no_match" if name else "not_seated")
    return Refusal("paused") if state.paused else (hap.Paused(name),)


def _unpause(state: TableState, who: Someone, _: cmd.Unpause) -> TableOutcome:
    name = _name(state, who)
    if not (name and state.paused):
        return Refusal("not_paused" if name else "not_seated")
    seat = state.seat_of(who.id)
    return (hap.Unpaused(name), *(() if seat is None else back(state, seat)))


def _name(state: TableState, who: Someone) -> str:
    """The name at this table of a person with a seat, or of the host; empty for others."""
    seat = state.seat_of(who.id)
    if seat is not None:
        return state.seats[seat].name
    return state.host_name if who.id == state.host else ""


def _forgone(state: TableState, who: Someone) -> tuple[Happening, ...]:
    """The happening that somebody no longer asks for a bot's seat; none where they have not."""
    asked = (place for place, each in enumerate(state.seats) if each.asker == who.id)
    return tuple(map(hap.SeatForgone, asked))


def _vanish(state: TableState, who: Someone, _: cmd.Vanish) -> TableOutcome:
    seat = state.seat_of(who.id)
    happened = list[Happening]() if seat is None else [*_gone(state, seat)]
    happened += _forgone(state, who)
    if who.id == state.host:
        others = (each for each in state.seats if each.person not in ("", who.id))
        heir = next(others, None)
        passed = hap.HandedOver(heir.person, heir.name) if heir is not None else hap.Closed()
        happened.append(passed)
    return tuple(happened) or Refusal("not_seated")


def _onward(state: TableState, who: Someone, command: cmd.Onward) -> TableOutcome:
    others = any(seat.person not in ("", who.id) for seat in state.seats)
    return Refusal("meeting_goes_on") if others else (hap.Closed(command.table),)


_BY_ANYBODY: Final[dict[type, _Handler]] = {
    cmd.Sit: lambda state, who, command: sit_down(state, who, command.seat),
    cmd.Pause: _pause,
    cmd.Unpause: _unpause,
    cmd.Vanish: _vanish,
    cmd.Onward: _onward,
}


# Commands of the host


def _start(state: TableState, who: Someone, _: cmd.Start) -> TableOutcome:
    if state.under_way:
        return Refusal("under_way")
    return _asks_first(state, who) or new_match(state)


def _asks_first(state: TableState, who: Someone) -> Refusal | None:
    """The refusal at a meeting table, where others may still be looking at the result."""
    asks_first = state.setup.meeting and state.match is not None
    return Refusal("ask_first") if asks_first and state.seat_of(who.id) not in state.ready else None


def _deal_again(state: TableState, who: Someone, last: str) -> TableOutcome:
    refusal = again_refusal(state) or _asks_first(state, who)
    if refusal is not None:
        return refusal
    moved = moved_on(state, last)
    for each in moved:
        state = evolve(state, each)
    return (*moved, *new_match(state))


def new_match(state: TableState) -> tuple[Happening, ...]:
    """The happenings that begin a match; bots take the free seats. One that is under way is broken
    off, and counts as if it had never begun. Where cards have been given, it has as many deals as
    decks, and they are dealt."""
    rules, bots, players = state.setup.rules, list[hap.BotSat](), list[game.Player]()
    for place, seat in enumerate(state.seats):
        player = game.Player(seat.name, bool(seat.person), seat.level)
        if seat.free:
            bots.append(bot_sits(state, place, others=[bot.name for bot in bots]))
            player = game.Player(bots[-1].name, level=bots[-1].level)
        players.append(player)
    pot, last = rules.stakes.settlement is Settlement.POT, state.match
    left = last.pot if pot and last is not None else 0  # by the match before (M6)
    if pot and last is not None and state.under_way:
        left += sum(last.net)  # as before the match that is broken off
    coming = state.coming
    if coming is not None:
        rules = of_deals(rules, len(coming.decks))
        begun = game.MatchStarted(rules, tuple(players), left, coming.dealer, coming.origin)
        return (*bots, begun)
    dealer = None if state.under_way else _next_dealer(state, players)
    return (*bots, game.MatchStarted(rules, tuple(players), left, dealer))


def _next_dealer(state: TableState, players: Sequence[game.Player]) -> int | None:
    """The first dealer (D2), if everybody sits as when the last match began; else None."""
    before = state.match
    if before is None:
        return None
    now = [seat.person or player for seat, player in zip(state.seats, players, strict=True)]
    then = [person or player for person, player in zip(state.began, before.players, strict=True)]
    return before.dealer if now == then else None


def _seat_bot(state: TableState, _: Someone, command: cmd.SeatBot) -> TableOutcome:
    if state.under_way:
        return Refusal("under_way")
    seat = state.seats[command.seat]
    if seat.person:
        return Refusal("seat_taken")
    if seat.level and CHARACTERS.keys().isdisjoint((seat.level, command.level)):
        # the same bot, at another level
        return (hap.BotSat(command.seat, seat.name, command.level),)
    return (bot_sits(state, command.seat, command.level),)


def _remove(state: TableState, who: Someone, command: cmd.Remove) -> TableOutcome:
    seat = state.seats[command.seat]
    if seat.free:
        return Refusal("seat_free")
    if seat.person == who.id:
        return Refusal("own_seat")
    if not seat.person:
        if command.bar:
            return Refusal("no_person_there")
        return Refusal("under_way") if state.under_way else (hap.Stood(command.seat),)
    gone = _gone(state, command.seat)
    return (*gone, hap.Barred(seat.person, seat.name)) if command.bar else gone


def _gone(state: TableState, seat: int) -> tuple[Happening, ...]:
    """The happenings when a person gives up a seat: while a match goes on, a bot takes it."""
    stood = hap.Stood(seat)
    return (stood, bot_sits(state, seat)) if state.under_way else (stood,)


def _replace(
    state: TableState, who: Someone, command: cmd.Replace, present: Collection[str] | None = None
) -> TableOutcome:
    refusal = _of_another(state, who, command.seat)
    here = present is None or state.seats[command.seat].person in present
    return refusal or stood_in(state, command.seat, Why.HOST if here else Why.CONNECTION)


def _hand_over(state: TableState, who: Someone, command: cmd.HandOver) -> TableOutcome:
    refusal = _of_another(state, who, command.seat)
    if refusal is not None:
        return refusal
    seat = state.seats[command.seat]
    return (hap.HandedOver(seat.person, seat.name),)


def _of_another(state: TableState, who: Someone, seat: int) -> Refusal | None:
    """The refusal where that seat is not another person's; else None."""
    if state.seats[seat].person == who.id:
        return Refusal("own_seat")
    return None if state.seats[seat].person else Refusal("no_person_there")


def _swap(state: TableState, _: Someone, command: cmd.Swap) -> TableOutcome:
    if state.under_way:
        return Refusal("under_way")
    if command.one == command.other:
        return Refusal("same_seat")
    return (hap.Swapped(command.one, command.other),)


def _change(state: TableState, _: Someone, command: cmd.Change) -> TableOutcome:
    if state.under_way:
        return Refusal("under_way")
    if state.coming is not None:
        return Refusal("cards_are_set")
    try:
        check_setup(command.setup)
    except VolteError as fault:
        return refusal_of(fault)
    if any(seat.person for seat in state.seats[command.setup.rules.players :]):
        return Refusal("seats_taken")
    return (hap.Changed(command.setup),)


def refusal_of(fault: VolteError) -> Refusal:
    """The refusal of a command for a fault in it."""
    params = {name: each for name, each in fault.params.items() if isinstance(each, int | str)}
    return Refusal(fault.reason, params=params)


def _invite(state: TableState, _: Someone, __: cmd.Invite) -> TableOutcome:
    if state.setup.access is not Access.PRIVATE:
        return Refusal("open_already")
    return (hap.Changed(replace(state.setup, access=Access.LINK)),)


def _answer_seat(state: TableState, _: Someone, command: cmd.AnswerSeat) -> TableOutcome:
    asker = state.seats[command.seat].asker
    if not asker or asker != command.person:
        return Refusal("nobody_asks")
    return asker_sits(state, command.seat) if command.allow else (hap.SeatDenied(command.seat),)


_BY_HOST: Final[dict[type, _Handler]] = {
    cmd.Start: _start,
    cmd.SeatBot: _seat_bot,
    cmd.Remove: _remove,
    cmd.Replace: _replace,
    cmd.Swap: _swap,
    cmd.HandOver: _hand_over,
    cmd.Invite: _invite,
    cmd.AnswerSeat: _answer_seat,
    cmd.Change: _change,
    cmd.Close: lambda state, who, command: (hap.Closed(),),
}
"""The commands that the host alone may give."""


# Commands of people with a seat


def playing(state: TableState) -> game.MatchState | Refusal:
    """The match, if it can be played now; else the refusal."""
    if state.closed:
        return Refusal("closed")
    if state.match is None or not state.under_way:
        return Refusal("no_match")
    return Refusal("paused") if state.paused else state.match


def stood_in(state: TableState, seat: int, why: Why) -> TableOutcome:
    """The happening that lets a bot play for the person at a seat, or the refusal."""
    if not state.under_way:
        return Refusal("no_match")
    if state.seats[seat].bot:
        return Refusal("away_already")
    return (hap.StoodIn(seat, why),)


def back(state: TableState, seat: int) -> tuple[Happening, ...]:
    """The happening that the person at a seat plays again, if a bot has played for them."""
    return (hap.CameBack(seat),) if state.seats[seat].stand_in is not None else ()


def ready(state: TableState, seat: int) -> TableOutcome:
    """The happenings when the person at a seat is ready for the next deal, or would play another
    match; or the refusal."""
    if not (state.between_deals or state.awaits_cut or state.between_matches):
        return Refusal("not_between_deals")
    if seat in state.ready:
        return Refusal("ready_already")
    return (*back(state, seat), hap.Readied(seat))


def _accept_clock(state: TableState, seat: int, command: cmd.AcceptClock) -> TableOutcome:
    if not state.setup.clock:
        return Refusal("no_clock")
    return (hap.ClockAccepted(seat, command.accept),)


_BY_SEAT: Final[dict[type, Callable[[TableState, int, Any], TableOutcome]]] = {
    cmd.Stand: lambda state, seat, command: _gone(state, seat),
    cmd.Away: lambda state, seat, command: stood_in(state, seat, Why.OWN),
    cmd.Back: lambda state, seat, command: back(state, seat) or Refusal("not_away"),
    cmd.AcceptClock: _accept_clock,
}


# Commands of people with a seat in a match that can be played now


def _act(state: TableState, match: game.MatchState, seat: int, command: cmd.Act) -> TableOutcome:
    if command.action.seat != seat:
        return Refusal("not_your_seat")
    if isinstance(command.action, game.AskUndo) and not isinstance(match, RefereedMatch):
        # Where other people play at seats that were bots' when the match began, the match would
        # not ask for their consent.
        others = enumerate(state.seats)
        came = (place for place, there in others if there.person and not there.bot)
        if any(place != seat and not match.players[place].person for place in came):
            return Refusal("cannot_be_asked", "C2")
    outcome = referee.decide(match, command.action)
    return outcome if isinstance(outcome, Refusal) else (*back(state, seat), *outcome)


def _promise(
    state: TableState, match: game.MatchState, seat: int, command: cmd.Promise
) -> TableOutcome:
    refusal = _no_cutting(match, seat, command.number)
    return refusal or game.decide(match, game.Promise(seat, command.digest))


def _contribute(
    state: TableState, match: game.MatchState, seat: int, command: cmd.Contribute
) -> TableOutcome:
    refusal = _no_cutting(match, seat, command.number)
    if refusal is None and game.still_to_promise(match):
        refusal = Refusal("promises_missing", "D3")
    return refusal or game.decide(match, game.Contribute(seat, command.data))


def _no_cutting(match: game.MatchState, seat: int, number: int) -> Refusal | None:
    """The refusal where that shuffle is not being made, or the seat adds no bytes of its own."""
    if match.proof is None or match.proof.number != number or seat in match.proof.house:
        return Refusal("no_contribution_due", "D3")
    return None


def _anew(state: TableState, _: game.MatchState, seat: int, __: cmd.Anew) -> TableOutcome:
    if state.anew is None:
        return Refusal("anew_not_offered")
    if seat in state.anew:
        return Refusal("anew_already")
    return (*back(state, seat), hap.AnewWanted(seat))


def _more_time(
    state: TableState, match: game.MatchState, seat: int, _: cmd.MoreTime
) -> TableOutcome:
    if not state.setup.clock:
        return Refusal("no_clock")
    if not choice_due(state, seat):
        return Refusal("nothing_due")
    seconds = seconds_once(state, seat)
    if state.extra[seat] >= MOST_EXTENSIONS * seconds:
        return Refusal("no_more_time")
    return (*back(state, seat), hap.TimeGiven(seat, seconds))


_IN_PLAY: Final[dict[type, Callable[[TableState, game.MatchState, int, Any], TableOutcome]]] = {
    cmd.Act: _act,
    cmd.Promise: _promise,
    cmd.Contribute: _contribute,
    cmd.Anew: _anew,
    cmd.Next: lambda state, match, seat, command: ready(state, seat),
    cmd.MoreTime: _more_time,
}


def too_late(state: TableState, command: cmd.Act | cmd.Next, seen: int) -> Refusal | None:
    """Refuse a command that meant something else when it was given, as others have acted since.

    At a refereed table people act at the same time: there, an action is stale only if others have
    changed its meaning.

    Args:
        seen: number of the last happening that the person had seen.
    """
    action = command.action if isinstance(command, cmd.Act) else None
    if isinstance(action, referee.ClaimRevoke) and isinstance(state.match, RefereedMatch):
        # A claim may name a trick that was gathered long ago, but not one of a deal that is over.
        return Refusal("too_late_to_claim", "I6") if seen < state.play_began else None
    return Refusal("stale") if seen < _since(state, action) else None


def _since(state: TableState, action: referee.SeatAction | None) -> int:
    """Number of the happening that gave the action its present meaning."""
    match = state.match
    if not isinstance(match, RefereedMatch) or match.phase is not Phase.PLAYING:
        return state.moved
    deal = match.lying
    match action:
        case referee.Object(against=seat) | referee.TakeBack(seat=seat) if seat < len(state.laid):
            return state.laid[seat]  # since that card was laid
        case game.Play() if match.reckoned is None and not deal.full:
            return state.laid[deal.leader] if deal.laid else max(state.laid)  # in that trick
    return state.moved
