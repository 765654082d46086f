"""The choices that cost most: what lay there, what was done, what was better and why."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from volte.bots.reviewing import Judged
from volte.game import Pass, Play
from volte.rules import Direction
from volte.say.hints import REASONS
from volte.say.language import N_, Language
from volte.say.telling import Telling, received, scattered, spoken_order
from volte.say.words import Words
from volte.view import View


def costly(words: Words, me: int | None, place: int, judged: Judged) -> Iterator[str]:
    """One of them, in a few lines.

    Args:
        me: the seat of whoever is spoken to.
        place: its number in the list.
    """
    telling = Telling(words, View(me, judged.view.state))
    yield f"{place}. {_where(telling, judged)}"
    own, other = N_("Your hand: {cards}."), N_("{player:of} hand: {cards}.")
    hand = telling.series(words.hand(judged.view, places=False))
    yield telling.by(judged.seat, own, other, cards=hand)
    yield f"{_done(telling, judged)} {_better(telling, judged)}"


def _where(telling: Telling, judged: Judged) -> str:
    """The moment, and what lay on the table."""
    deal = judged.view.deal
    if not judged.trick:
        return telling.t("Deal {deal}, the pass.", deal=judged.deal)
    where = telling.t("Deal {deal}, trick {trick}.", deal=judged.deal, trick=judged.trick)
    if not deal.trick:
        own, other = N_("It was your lead."), N_("It was {player:of} lead.")
        return f"{where} {telling.by(judged.seat, own, other)}"
    cards = telling.series(
        telling.t(
            "{name}, {card:the}", name=telling.who((deal.leader + n) % len(deal.hands)), card=card
        )
        for n, card in enumerate(deal.trick)
    )
    return f"{where} " + telling.t("On the table: {cards}.", cards=cards)


def _done(telling: Telling, judged: Judged) -> str:
    cost, action = cost_told(telling.language, judged), judged.done.action
    if isinstance(action, Play):
        own, other = N_("You played {card:the}, {cost}."), N_("{player} played {card:the}, {cost}.")
        return telling.by(judged.seat, own, other, card=action.card, cost=cost)
    assert isinstance(action, Pass)
    own, other = N_("You passed {cards}, {cost}."), N_("{player} passed {cards}, {cost}.")
    cards = _given(telling, judged, action)
    return telling.by(judged.seat, own, other, cards=cards, cost=cost)


def _better(telling: Telling, judged: Judged) -> str:
    """What was better; a reason speaks to whoever may follow it."""
    action, reason = judged.best.action, telling.t(REASONS[judged.reason])
    mine = telling.mine(judged.seat)
    if isinstance(action, Play):
        own = N_("Better was {card:the}: {reason}.")
        other = N_("The hint would have been {card:the}: {reason}.")
        return telling.t(own if mine else other, card=action.card, reason=reason)
    assert isinstance(action, Pass)
    own = N_("Better were {cards}: {reason}.")
    other = N_("The hint would have been to pass {cards}: {reason}.")
    cards = _given(telling, judged, action)
    return telling.t(own if mine else other, cards=cards, reason=reason)


def _given(telling: Telling, judged: Judged, action: Pass) -> str:
    """The cards of a pass; of a scatter, with who gets which."""
    players = judged.view.state.players
    if judged.view.deal.direction is Direction.SCATTER:
        gifts = scattered(action.seat, action.cards, len(players))
        return received(telling.language, players, gifts)
    return telling.language.listed(spoken_order(action.cards), "the")


def cost_told(language: Language, judged: Judged) -> str:
    """What a choice cost, in points and in what they are played for: "which cost about …"."""
    stake = _stake(language, judged)
    points = about(language, abs(judged.behind))
    if not stake:
        return language.t("which cost about {points}", points=points)
    if judged.costs_points:
        message = N_("which cost about {points}, and about {stake}")
    elif judged.saves_points:
        message = N_("which saved about {points}, but cost about {stake}")
    else:
        message = N_("which cost hardly a point, but about {stake}")
    return language.t(message, points=points, stake=stake)


def _stake(language: Language, judged: Judged) -> str:
    """What it cost of the match; empty where that is next to nothing."""
    lost = judged.lost or 0.0
    if not judged.costs_match:
        return ""
    if judged.wins:
        return language.n(
            "{count} chance in 100 of winning the match",
            "{count} chances in 100 of winning the match",
            round(100 * lost),
        )
    return language.n("{count} stake", "{count} stakes", tenths(lost))


def about(language: Language, points: float) -> str:
    """Points of which tenths are known: "7.3 points"."""
    return language.n("{count} point", "{count} points", tenths(points))


def tenths(number: float) -> Fraction:
    return Fraction(round(10 * number), 10)
