"""The rule sheet's part on points: what counts, what it adds up to, and the end of the match."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import HEARTS, JACK, QUEEN, Card, cards_in, in_first_pack
from volte.rules import AtLimit, EndKind, HeartPoints, MoonRule, Ruleset, SlamRule, Ties
from volte.say.rulesheet.parts import (
    RuleLine,
    bonus_mask,
    has_partners,
    moon_wins,
    one_deal,
    only_the_jack,
)
from volte.say.words import Words


def counting(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    yield from _hearts(rules, words)
    yield from _others(rules, words)
    if rules.points.no_tricks:
        text = _(
            "Whoever takes no trick at all scores {points} less.",
            points=words.points(-rules.points.no_tricks),
        )
        yield RuleLine(text, ("W6",))
    if has_partners(rules):
        text = _("Partners add up their points: each of them scores what the side scores.")
        yield RuleLine(text, ("W10",))
    yield RuleLine(" ".join(_sums(rules, words)), ("S6",))
    if not one_deal(rules):
        text = _("The score sheet shows the points of every deal and the running totals.")
        yield RuleLine(text, ("S7",))


def _kinds(rules: Ruleset, mask: int) -> tuple[Card, ...]:
    """The cards of the deck there, of two equal ones only the first (W11)."""
    return tuple(sorted({in_first_pack(card) for card in cards_in(rules.deck_mask & mask)}))


def _hearts(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    """What hearts count: all of them alike, or some apart from the others (S1, W5)."""
    _ = words.t
    hearts = _kinds(rules, HEARTS)
    worth = {card: rules.points.of(card) for card in hearts}
    if len(hearts) == 1:
        text = _(
            "{card:the}, the only heart, counts {points}.",
            card=hearts[0],
            points=words.points(worth[hearts[0]]),
        )
        yield RuleLine(words.sentence(text), ("S1",))
        return
    scale = max(
        HeartPoints, key=lambda each: sum(worth[card] == each.table[card] for card in hearts)
    )
    apart = [card for card in hearts if worth[card] != scale.table[card]]
    if 2 * len(apart) >= len(hearts):
        yield from _hearts_apart(worth, words)
        return
    if scale is HeartPoints.ONE:
        text, clauses = _("Each heart counts 1 point."), ("S1",)
    else:
        text = _(
            "Each heart counts its rank in points, the jack being 11, the queen 12, the king 13 and"
            " the ace 14."
        )
        clauses = ("W5",)
    for card in apart:
        points = words.points(worth[card])
        text += " " + _("But {card:the} counts {points}.", card=card, points=points)
    yield RuleLine(text, (*clauses, "W5") if apart and "W5" not in clauses else clauses)


def _hearts_apart(worth: dict[Card, int], words: Words) -> Iterator[RuleLine]:
    """Hearts that have little in common."""
    _ = words.t
    for card, points in worth.items():
        if points:
            yield _card(card, points, words, ("W5",))
    if worth and not any(worth.values()):
        yield RuleLine(_("Hearts count nothing."), ("S1", "W5"))
    elif not all(worth.values()):
        yield RuleLine(_("The other hearts count nothing."), ("S1", "W5"))


def _others(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    """The queen, the jack, and every other card that counts (S2, S5, W5)."""
    kinds = _kinds(rules, ~HEARTS)
    if QUEEN in kinds and not rules.points.of(QUEEN):
        yield RuleLine(words.t("The queen of spades counts nothing."), ("S2",))
    elif QUEEN in kinds:
        yield _card(QUEEN, rules.points.of(QUEEN), words, ("S2",))
    if rules.points.of(JACK) and JACK in kinds:
        yield _card(JACK, rules.points.of(JACK), words, ("S5",))
    for card in kinds:
        if card not in (QUEEN, JACK) and rules.points.of(card):
            yield _card(card, rules.points.of(card), words, ("W5",))


def _card(card: Card, worth: int, words: Words, clauses: tuple[str, ...]) -> RuleLine:
    _ = words.t
    points = words.points(abs(worth))
    if worth < 0:
        text = _("Whoever takes {card:the} scores {points} less.", card=card, points=points)
    else:
        text = _("{card:the} counts {points}.", card=card, points=points)
    return RuleLine(words.sentence(text), clauses)


def _sums(rules: Ruleset, words: Words) -> Iterator[str]:
    """What the points of a deal add up to, for whoever checks the books."""
    _ = words.t
    total = rules.penalty_total
    if has_partners(rules):
        yield _(
            "Check: the scores of the sides in a deal add up to {points}.",
            points=words.points(total),
        )
    else:
        yield _("Check: the scores of a deal add up to {points}.", points=words.points(total))
    if rules.moon.moon is not MoonRule.OFF:
        yield _("After a moon they add up to {points}.", points=_swung(rules, 1, words))
    if rules.moon.slam is SlamRule.REVERSAL:
        others = len(rules.all_sides) - 1
        yield _("After a slam they add up to {points}.", points=words.points((others - 1) * total))
    elif rules.moon.slam is SlamRule.DOUBLE:
        yield _("After a slam they add up to {points}.", points=_swung(rules, 2, words))
    off = -sum(points for points in rules.values.values() if points < 0)
    if only_the_jack(rules):
        yield _("The jack takes {count} off each of these sums.", count=off)
    elif bonus_mask(rules):
        yield _("The cards that count below zero take {count} off each of these sums.", count=off)
    if rules.points.no_tricks:
        yield _(
            "Each player who takes no trick takes off another {count}.",
            count=-rules.points.no_tricks,
        )


def _swung(rules: Ruleset, times: int, words: Words) -> str:
    """What a moon makes of the sum, or a slam that counts that many moons."""
    total = times * rules.penalty_total
    plus = words.points((len(rules.all_sides) - 1) * total)
    minus = words.points(-total)
    if rules.moon.moon is MoonRule.SHOOTER_MINUS:
        return minus
    if rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
        return words.t("{plus} or to {minus}", plus=plus, minus=minus)
    return plus


def ending(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _, _n = words.t, words.n
    end = rules.ending.match_end
    if end.kind is EndKind.LIMIT and rules.ending.at_limit is AtLimit.HALVES:
        text = _(
            "A total of exactly {points} falls back to {half}. The match ends after the deal in"
            " which somebody's total goes beyond {points}.",
            points=words.points(end.number),
            half=words.number(end.number // 2),
        )
        yield RuleLine(text, ("E2", "W9"))
    elif end.kind is EndKind.LIMIT:
        text = _(
            "The match ends after the deal in which somebody's total reaches {points}.",
            points=words.points(end.number),
        )
        yield RuleLine(text, ("E2",))
    else:
        text = _n("The match is one deal.", "The match is {count} deals.", end.number)
        yield RuleLine(text, ("E1",))
    yield _lowest(rules, words)
    if moon_wins(rules):
        text = _moon_wins(rules, words)
        if not one_deal(rules):
            text += " " + _("That holds for the first deal.")
        yield RuleLine(text, ("E1",))


def _lowest(rules: Ruleset, words: Words) -> RuleLine:
    """Who wins, and what becomes of equal totals (E1, E2, W9)."""
    _ = words.t
    clauses = ("E1", "E2") if rules.ending.match_end.kind is EndKind.DEALS else ("E2",)
    sided = has_partners(rules)
    if rules.ending.ties is Ties.PLAY_ON and sided:
        text = _(
            "The side with the lowest total wins. If sides tie for lowest, another deal is played,"
            " and so on until one of them is alone there."
        )
    elif rules.ending.ties is Ties.PLAY_ON:
        text = _(
            "The lowest total wins. If players tie for lowest, another deal is played, and so on"
            " until one of them is alone there."
        )
    elif sided:
        text = _("The side with the lowest total wins. Sides that tie for lowest share the win.")
    else:
        text = _("The lowest total wins. Players who tie for lowest share the win.")
    if rules.ending.ties is Ties.PLAY_ON:
        clauses = (*clauses, "W9")
    return RuleLine(text, (*clauses, "W10") if sided else clauses)


def _moon_wins(rules: Ruleset, words: Words) -> str:
    _ = words.t
    lower = bool(bonus_mask(rules)) or bool(rules.points.no_tricks)
    if has_partners(rules) and lower:
        return _("The side that shoots the moon wins, even if another side's score is lower.")
    if has_partners(rules):
        return _("The side that shoots the moon wins.")
    if only_the_jack(rules) and not rules.points.no_tricks:
        return _(
            "Whoever shoots the moon wins, even if the jack of diamonds has taken another player"
            " lower."
        )
    if lower:
        return _("Whoever shoots the moon wins, even if another player's score is lower.")
    return _("Whoever shoots the moon wins.")
