"""The rule sheet's part on points: counting, moon and slam, the end of the match."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import HEARTS, QUEEN, cards_in
from volte.rules import EndKind, MoonRule, Ruleset, SlamRule
from volte.words.sheet_parts import (
    Line,
    all_penalty_cards,
    has_bonus_jack,
    has_queen,
    one_deal,
)
from volte.words.words import Words


def counting(rules: Ruleset, words: Words) -> Iterator[Line]:
    _ = words.t
    hearts = cards_in(rules.deck_mask & HEARTS)
    if len(hearts) > 1:
        yield Line(_("Each heart counts 1 point."), ("S1",))
    elif hearts:
        text = _("{card:the}, the only heart, counts 1 point.", card=hearts[0])
        yield Line(words.sentence(text), ("S1",))
    if has_queen(rules):
        yield Line(_queen(rules, words), ("S2",))
    if has_bonus_jack(rules):
        text = _("Whoever takes the jack of diamonds scores 10 points less.")
        yield Line(text, ("S5",))
    yield Line(" ".join(_sums(rules, words)), ("S6",))
    if not one_deal(rules):
        text = _("The score sheet shows the points of every deal and the running totals.")
        yield Line(text, ("S7",))


def _queen(rules: Ruleset, words: Words) -> str:
    _ = words.t
    worth = rules.values.get(QUEEN, 0)
    if not worth:
        return _("The queen of spades counts nothing.")
    return _("The queen of spades counts {points}.", points=words.points(worth))


def _sums(rules: Ruleset, words: Words) -> Iterator[str]:
    """What the points of a deal add up to, for whoever checks the books."""
    _ = words.t
    total, others = rules.penalty_total, rules.players - 1
    yield _(
        "Check: the scores of a deal add up to {points}.",
        points=words.points(total),
    )
    if rules.moon.moon is MoonRule.OTHERS_PLUS:
        yield _("After a moon they add up to {points}.", points=words.points(others * total))
    if rules.moon.slam is SlamRule.REVERSAL:
        yield _("After a slam they add up to {points}.", points=words.points((others - 1) * total))
    if has_bonus_jack(rules):
        yield _("The jack takes 10 off each of these sums.")


def moon_and_slam(rules: Ruleset, words: Words) -> Iterator[Line]:
    _ = words.t
    total = words.points(rules.penalty_total)
    everything = all_penalty_cards(rules, words)
    slam = rules.moon.slam is SlamRule.REVERSAL
    if rules.moon.moon is MoonRule.OFF:
        text = _(
            "There is no shooting the moon: whoever takes {everything} scores them like any"
            " other points.",
            everything=everything,
        )
        yield Line(text, ("S3",))
    else:
        text = _(
            "Shooting the moon: a player who alone takes {everything} scores nothing, and each of"
            " the others scores {points}.",
            everything=everything,
            points=total,
        )
        if rules.kitty_size:
            text += " " + _("Those of the kitty are needed too.")
        yield Line(text, ("S3",))
    if slam:
        text = _(
            "Slam: a player who takes every trick scores {points} less, and each of the others"
            " scores {points} more. Penalty cards are not counted then.",
            points=total,
        )
        yield Line(text, ("S4",))
    if has_bonus_jack(rules) and (slam or rules.moon.moon is MoonRule.OTHERS_PLUS):
        text = _(
            "The jack of diamonds is not needed for that, and still lowers the score of whoever"
            " took it."
        )
        yield Line(text, ("S5",))


def ending(rules: Ruleset, words: Words) -> Iterator[Line]:
    _, _n = words.t, words.n
    end = rules.ending.match_end
    if end.kind is EndKind.LIMIT:
        text = _(
            "The match ends after the deal in which somebody's total reaches {points}.",
            points=words.points(end.number),
        )
        yield Line(text, ("E2",))
    else:
        text = _n("The match is one deal.", "The match is {count} deals.", end.number)
        yield Line(text, ("E1",))
    clauses = ("E1", "E2") if end.kind is EndKind.DEALS else ("E2",)
    yield Line(_("The lowest total wins. Players who tie for lowest share the win."), clauses)
    if one_deal(rules) and rules.moon.moon is MoonRule.OTHERS_PLUS:
        if has_bonus_jack(rules):
            text = _(
                "Whoever shoots the moon wins, even if the jack of diamonds has taken another"
                " player lower."
            )
        else:
            text = _("Whoever shoots the moon wins.")
        yield Line(text, ("E1",))
