"""A costly choice taken up again: tried, explained, and played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from volte.bots import Hint, chosen_moon
from volte.bots.apart import Costly
from volte.bots.judged import Judged
from volte.cards import Card, mask_of
from volte.game import (
    DealState,
    Event,
    MatchState,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    Refusal,
    SeatAction,
    decide,
    evolve,
    visible,
)
from volte.history.moments import before
from volte.history.review import about, stake_text
from volte.referee import RefereedDeal, RefereedMatch
from volte.say import N_, Verbosity, Words
from volte.say.deal import PASSED_NEXT
from volte.say.hints import costs, reasons_of, why
from volte.say.language import Language
from volte.say.telling import Lines, Telling, spoken_order
from volte.table import Happening, TableEvent
from volte.table import happenings as hap
from volte.view import View, project

Log = Sequence[Happening]
Verdict = tuple[str, Lines]
"""The verdict on a choice that is tried: `right`, `wrong` or `refused`, and sentences."""


def view_of(state: MatchState, seat: int) -> View:
    """The view of a seat, projected from the full state of a match."""
    return View(seat, project(state, seat))


class Turning(NamedTuple):
    """A costly choice, and the match before it."""

    state: MatchState  # before the choice, with all hands open
    judged: Judged

    @classmethod
    def of(cls, log: Log, seat: int, costly: Costly) -> Turning:
        """Find the state at a costly choice in the log of its match."""
        state, _ = before(log, costly.number)
        view = view_of(state, seat)
        trick = 0 if isinstance(costly.done.action, Pass) else view.deal.trick_number
        done, weighed = costly.done, costly.weighed
        judged = Judged(
            costly.number, view.deal.number, trick, seat, view, done, weighed[0], weighed, True
        )
        return cls(state, judged)


def chosen_by_others(log: Log, person: str, seat: int, began: str) -> frozenset[int]:
    """Numbers, from 1, of the events at a seat that the person did not choose: those of stand-ins,
    and of players who sat there before or after.

    Args:
        began: id of the person who sat there when the match began.
    """
    found, number, own, away = set[int](), 0, began == person, False
    for each in log:
        match each:
            case hap.Sat() if each.seat == seat:
                own, away = each.person == person, False
            case hap.BotSat() | hap.Stood() if each.seat == seat:
                own = False
            case hap.StoodIn() | hap.CameBack() if each.seat == seat:
                away = isinstance(each, hap.StoodIn)
        if isinstance(each, TableEvent):
            continue
        number += 1
        if isinstance(each, Played | Passed) and each.seat == seat and (away or not own):
            found.add(number)
    return frozenset(found)


# Trying again


def status(words: Words, view: View) -> Lines:
    """Sentences on the turn; for a pass also its direction, since nobody waits for others here."""
    if view.state.phase is not Phase.PASSING:
        return words.turn(view)
    return (*words.turn(view)[:1], words.t(PASSED_NEXT[view.deal.direction]))


def verdict(words: Words, judged: Judged, tried: Play | Pass) -> Verdict:
    """The verdict on a choice that is tried; the reason comes with the answer."""
    refused = decide(judged.view.state, tried)
    if isinstance(refused, Refusal):
        return "refused", (words.refusal(refused, judged.view),)
    telling, best = Telling(words, judged.view), judged.best.action
    cards = (tried.card,) if isinstance(tried, Play) else spoken_order(tried.cards)
    named = words.sentence(words.listed(cards, "the"))
    if _alike(best, tried):
        return "right", (telling.t("Right, {cards:the}.", cards=cards),)
    weighed = next((each for each in judged.weighed if _alike(each.action, tried)), None)
    if weighed is None:
        assert isinstance(best, Pass)
        text = telling.n(
            "There is a better pass: {count} of these cards belongs in it.",
            "There is a better pass: {count} of these cards belong in it.",
            (mask_of(best.cards) & mask_of(cards)).bit_count(),
        )
        return "wrong", (text,)
    other = replace(judged, done=weighed)
    if not other.felt:
        return "right", (telling.t("{cards}: about as good as the best.", cards=named),)
    text = N_("{cards}: not the best choice; it would cost {price}.")
    if _alike(judged.done.action, tried):
        text = N_("{cards}, as in the match: not the best choice; it would cost {price}.")
    return "wrong", (telling.t(text, cards=named, price=price(words, other)),)


def _alike(one: object, other: Play | Pass) -> bool:
    if isinstance(one, Pass) and isinstance(other, Pass):
        return mask_of(one.cards) == mask_of(other.cards)
    return one == other


def price(language: Language, judged: Judged) -> str:
    """The cost of a choice: "about 7.3 points, and about 9 chances in 100 of winning the match"."""
    stake, points = stake_text(language, judged), about(language, abs(judged.behind))
    if not stake:
        return language.t("about {points}", points=points)
    if judged.costs_points:
        return language.t("about {points}, and about {stake}", points=points, stake=stake)
    return language.t("about {stake}", stake=stake)


def held(words: Words, state: MatchState, me: int) -> Lines:
    """The hands of the other players, a line for each; only for a deal that is over."""
    telling, lines = Telling(words, View(me, state)), []
    for seat in telling.seats:
        if seat != me and state.deal is not None and state.deal.hands[seat]:
            player = telling.player(seat)
            cards = telling.series(words.hand(View(seat, state), places=False))
            lines.append(telling.t("{player:of} hand: {cards}.", player=player, cards=cards))
    return (telling.t("What the others held:"), *lines)


# Explaining a card


OUT_OF_TURN: Final = N_(
    "That card was out of turn, or against the rules: no hint would suggest it."
)


def explained(words: Words, view: View, me: int | None, done: Play | Pass, hint: Hint) -> Lines:
    """The hint that a player would have got, compared with the choice made.

    Args:
        view: the view of the player at the choice.
        me: the seat of the person who asks.
    """
    telling = Telling(words, View(me, view.state))
    reason = why(words, view, hint.action, reasons_of(hint), hint.queen)
    best = hint.action
    if isinstance(done, Play):
        own, other = N_("You played {card:the}."), N_("{player} played {card:the}.")
        first = telling.by(view.seat, own, other, card=done.card)
    else:
        own, other = N_("You passed {cards:the}."), N_("{player} passed {cards:the}.")
        first = telling.by(view.seat, own, other, cards=spoken_order(done.cards))
    if _alike(best, done):
        text = telling.t("The hint would have been the same: {reason}.", reason=reason)
    elif isinstance(best, Play):
        text = telling.t(
            "The hint would have been {card:the}: {reason}.", card=best.card, reason=reason
        )
    else:
        text = telling.t(
            "The hint would have been to pass {cards}: {reason}.",
            cards=words.listed(spoken_order(best.cards), "the"),
            reason=reason,
        )
    return (first, text, *costs(words, replace(hint, tempting=done), view))


# Playing on


class PlayedOn(NamedTuple):
    """A deal played on from a costly choice, against the same opponents and cards."""

    state: MatchState  # with all hands open
    played: tuple[Card, ...]  # cards since the choice, of all seats in turn
    # (state before, event, state after) since the person's own last choice
    since: tuple[tuple[MatchState, Event, MatchState], ...] = ()

    @property
    def over(self) -> bool:
        """Whether the deal has been scored."""
        return self.state.phase not in (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)

    @property
    def turn(self) -> int | None:
        """The seat that has to play; None where no card is due."""
        deal = self.state.deal
        return deal.turn if deal is not None and self.state.phase is Phase.PLAYING else None

    def then(self, action: SeatAction, own: bool = False) -> PlayedOn | Refusal:
        """The deal after an action, or why it is refused.

        Args:
            own: whether the person chose it; `since` then begins with it.
        """
        outcome = decide(self.state, action)
        if isinstance(outcome, Refusal):
            return outcome
        state, since = self.state, [] if own else [*self.since]
        for event in outcome:
            after = evolve(state, event)
            since.append((state, event, after))
            state = after
        cards = (action.card,) if isinstance(action, Play) else ()
        return PlayedOn(state, (*self.played, *cards), tuple(since))

    def settled(self) -> PlayedOn:
        """Let the shooter choose how the moon counts (W7), if that is open."""
        shooter = self.state.shooter
        if self.state.phase is not Phase.CHOOSING or shooter is None:
            return self
        choice = chosen_moon(view_of(self.state, shooter))
        assert choice is not None
        after = self.then(choice)
        assert isinstance(after, PlayedOn)
        return after

    def told(self, words: Words, seat: int, verbosity: Verbosity) -> Lines:
        """Sentences for a seat on the events in `since`."""
        lines: list[str] = []
        for state, event, after in self.since:
            view = view_of(after, seat)
            lines += words.tell(view_of(state, seat), visible(event, seat), view, verbosity)
        return tuple(lines)


def lawful(state: MatchState) -> MatchState | None:
    """The match as a state without a referee, in which nobody can break the rules.

    None if something in the deal was against the rules: only a referee can rule how it goes on.
    """
    deal = state.deal
    if not isinstance(state, RefereedMatch) or not isinstance(deal, RefereedDeal):
        return state
    if deal.waiting or deal.full or deal.breaches or deal.bound or deal.offenders or deal.short:
        return None
    there = DealState(*(getattr(deal, name) for name in DealState.__struct_fields__))
    match = MatchState(*(getattr(state, name) for name in MatchState.__struct_fields__))
    return replace(match, deal=there)


NOT_PLAYABLE: Final = N_(
    "You cannot play on from here: something in this deal was against the rules, and only a"
    " referee can say how it goes on."
)


def begun(log: Log, turning: Turning, on: PlayedOn, passed: Sequence[Card]) -> PlayedOn | Refusal:
    """The deal to play on: at a card, as it is; at a pass, after all passes.

    Args:
        on: the deal before the choice.
        passed: the cards that the person passes now.
    """
    if turning.judged.trick:
        return on
    seat, theirs, number = turning.judged.seat, dict[int, Pass](), 0
    for event in log:
        if isinstance(event, TableEvent):
            continue
        number += 1
        deal = on.state.deal
        if number > turning.judged.number and isinstance(event, Passed) and event.cards:
            assert deal is not None
            if deal.passes[event.seat] is None and event.seat != seat:
                theirs[event.seat] = Pass(event.seat, event.cards)
        if number > turning.judged.number and isinstance(event, Played):
            break
    for action in (*theirs.values(), Pass(seat, tuple(passed))):
        after = on.then(action, own=True)
        if isinstance(after, Refusal):
            return after
        on = after
    return on
