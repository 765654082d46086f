"""What is said of a puzzle: how it lies, whether a card is best, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from babel.dates import format_date

from volte.bots import Reason
from volte.cards import Card, Suit
from volte.game import Player
from volte.lessons.puzzles import Grade, Option, Puzzle
from volte.rules import described
from volte.say.hints import REASONS
from volte.say.language import N_
from volte.say.rulesheet.options import preset_title
from volte.say.telling import Lines, Telling, spoken_order
from volte.say.words import Words
from volte.view import View


def grade_name(words: Words, grade: Grade) -> str:
    """How hard: "easy", "medium", "hard"."""
    return words.t(GRADES[grade])


def heading(words: Words, puzzle: Puzzle, day: date | None = None) -> str:
    """Which puzzle it is.

    Args:
        day: whose puzzle it is, where it is a daily one.
    """
    grade = grade_name(words, puzzle.grade)
    if day is None:
        return words.t("Puzzle {number}, {grade}.", number=str(puzzle.number), grade=grade)
    told = format_date(day, "long", locale=words.lang)
    return words.t(
        "The puzzle of {day}: number {number}, {grade}.",
        day=told,
        number=str(puzzle.number),
        grade=grade,
    )


def situation(words: Words, view: View) -> Lines:
    """All that somebody should know who comes to the table now, but for the trick and the hand."""
    return tuple(words.sentence(line) for line in _situation(words, view))


def _situation(words: Words, view: View) -> Iterator[str]:
    telling = Telling(words, view)
    rules, deal = view.state.rules, view.deal
    title = preset_title(words, described(rules)[0])
    players = words.n("{count} player", "{count} players", rules.players)
    yield words.t("{title}, {players}.", title=title, players=players)
    yield words.t(
        "Deal {deal}, trick {trick} of {tricks}.",
        deal=deal.number,
        trick=deal.trick_number,
        tricks=rules.hand_size,
    )
    if view.state.deals:
        yield from words.scores(view)
    yield from _passed(words, telling)
    yield from voids(words, view)
    yield from words.points_taken(view)


def _passed(words: Words, telling: Telling) -> Iterator[str]:
    """Whom the seat has given what, and what it has got."""
    transfers = telling.view.deal.transfers
    for transfer in transfers:
        if telling.mine(transfer.giver):
            player, cards = telling.player(transfer.taker), spoken_order(transfer.cards or ())
            yield words.t("You have passed {cards:the} {player:to}.", player=player, cards=cards)
    for transfer in transfers:
        if telling.mine(transfer.taker):
            player, cards = telling.player(transfer.giver), spoken_order(transfer.cards or ())
            yield words.t("{player} has passed you {cards:the}.", player=player, cards=cards)


def voids(words: Words, view: View) -> Iterator[str]:
    """Who has shown that they are out of a suit: whoever watched the tricks would know."""
    telling = Telling(words, view)
    sizes = view.deal.hand_sizes()
    without: dict[tuple[Suit, ...], list[Player]] = {}
    for seat in telling.seats:
        suits = view.voids(seat)
        if suits and not telling.mine(seat) and sizes[seat]:
            without.setdefault(suits, []).append(telling.player(seat))
    for suits, players in without.items():
        one, many = (
            N_("{players} has no {suits:or} left."),
            N_("{players} have no {suits:or} left."),
        )
        yield words.t(one if len(players) == 1 else many, players=players, suits=suits)


def verdict(words: Words, puzzle: Puzzle, card: Card) -> Lines:
    """What is said to a card that may be played: whether it is best, and what it would cost."""
    if puzzle.solved_by(card):
        return (
            words.t("Right, {card:the}: {why}.", card=card, why=why(words, puzzle)),
            *_others(words, puzzle),
        )
    option = puzzle.option(card)
    assert option is not None
    return (
        words.t(
            "Not the best: {card:the} would cost about {points} more.",
            card=card,
            points=cost(words, option),
        ),
    )


def clue(words: Words, puzzle: Puzzle) -> str:
    """Why the best card is best, without its name; or else which is the worst."""
    if puzzle.reason in UNTOLD:
        return words.t(
            "A clue: the worst card is {card:the}, which would cost about {points} more.",
            **_cost(words, puzzle.options[-1]),
        )
    return words.t("A clue to the best card: {why}.", why=why(words, puzzle))


def solution(words: Words, puzzle: Puzzle) -> Lines:
    """The best card, why it is best, and what the others would cost."""
    best = words.t("{cards:or}: {why}.", cards=puzzle.best, why=why(words, puzzle))
    return (words.sentence(best), *_others(words, puzzle))


def why(words: Words, puzzle: Puzzle) -> str:
    """The reason, as the end of a sentence."""
    return words.t(REASONS[puzzle.reason])


def cost(words: Words, option: Option) -> str:
    """About how much worse a card is, in points."""
    return words.points(max(1, round(option.points)))


def _others(words: Words, puzzle: Puzzle) -> Iterator[str]:
    """What the next best card would cost, and the worst."""
    following = puzzle.options[1:]
    texts = (
        N_("The next best, {card:the}, would cost about {points} more."),
        N_("The worst, {card:the}, would cost about {points} more."),
    )
    for text, option in zip(texts, (following[0], *following[:0:-1]), strict=False):
        yield words.t(text, **_cost(words, option))


def _cost(words: Words, option: Option) -> dict[str, object]:
    return {"card": option.cards[0], "points": cost(words, option)}


UNTOLD: Final = frozenset({Reason.ROUGHLY, Reason.PLAYED_OUT, Reason.DUMP_QUEEN})
"""Reasons that are no clue: they say nothing of the cards, or name the answer."""

GRADES: Final = {Grade.EASY: N_("easy"), Grade.MEDIUM: N_("medium"), Grade.HARD: N_("hard")}
