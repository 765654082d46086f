"""Phrases for places of the rule sheet that need words of their own: lists, directions, sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from volte.cards import HEARTS, PACK_SIZE, Card, Rank, Suit, cards_in
from volte.rules import MoonRule, Ruleset, SlamRule
from volte.say.rulesheet.facts import SCATTERED, bonus_mask, moon_needs_bonus, pass_steps
from volte.say.words import N_, Words

Phrase = Callable[[Ruleset, Words], str]


def left_out(rules: Ruleset, words: Words) -> str:
    """The removed cards: "the four 3s and the 2 of diamonds"; empty when there are none.

    Of two packs: "the eight 3s, the two 2s of clubs and one copy of the ace of spades".
    """
    two_packs = rules.deck.packs == 2
    removed, parts = set(rules.deck.removed), []
    for rank in Rank:
        of_rank = {card for card in removed if card.rank is rank}
        if len(of_rank) == rules.deck.packs * len(Suit) and rank <= Rank.TEN:
            message = N_("the eight {rank}s") if two_packs else N_("the four {rank}s")
            parts.append(words.t(message, rank=int(rank)))
            removed -= of_rank
    copies: dict[int, list[Card]] = {}
    for card in sorted(removed):
        copies.setdefault(card.index % PACK_SIZE, []).append(card)
    for card, *other in copies.values():
        if other:
            parts.append(words.pair(card, "the"))
        else:
            parts.append(
                words.t("one copy {card:of}", card=card) if two_packs else words.the_card(card)
            )
    return words.listed(parts)


def _penalty_cards(rules: Ruleset, words: Words) -> str:
    """Cards that people avoid: "hearts and the queen of spades"."""
    return words.listed([*_hearts_that_cost(rules, words, every=False)])


def _all_penalty_cards(rules: Ruleset, words: Words) -> str:
    """Cards that shoot the moon: "all 13 hearts and the queen of spades"."""
    return words.listed([*_hearts_that_cost(rules, words, every=True)])


def _hearts_that_cost(rules: Ruleset, words: Words, every: bool) -> Iterator[str]:
    """The hearts that are penalty cards, all of them or any, then each other penalty card."""
    hearts = cards_in(rules.deck_mask & HEARTS & rules.penalty_mask)
    free = cards_in(rules.deck_mask & HEARTS & ~rules.penalty_mask)
    if len(hearts) <= max(1, len(free)):
        yield from words.each(hearts, "the")
    elif free and every:
        yield words.t("the {count} hearts that cost points", count=len(hearts))
    elif free:
        yield words.t("hearts other than {cards}", cards=words.cards(free))
    elif every:
        yield words.t("all {count} hearts", count=len(hearts))
    else:
        yield words.t("hearts")
    yield from words.each(cards_in(rules.penalty_mask & ~HEARTS), "the")


def _bonus(rules: Ruleset, words: Words) -> str:
    """The cards that take points off: "the jack of diamonds"."""
    return words.cards(cards_in(bonus_mask(rules)))


def _all_cards_needed(rules: Ruleset, words: Words) -> str:
    """Cards that shoot the moon at this table, those that take points off included (W7)."""
    cards = _all_penalty_cards(rules, words)
    if not moon_needs_bonus(rules):
        return cards
    return words.t("{cards}, and {more} as well", cards=cards, more=_bonus(rules, words))


def _side(place: int) -> Phrase:
    """The players of a side, as people count seats."""
    return lambda rules, words: words.listed([str(seat + 1) for seat in rules.all_sides[place]])


def _seats_of_sides(rules: Ruleset, words: Words) -> str:
    """The players of every side: "1+4, 2+5 and 3+6"."""
    return words.listed(["+".join(str(seat + 1) for seat in side) for side in rules.all_sides])


def _ways_of_pass(rules: Ruleset, words: Words) -> str:
    """Directions of the pass, deal after deal."""
    *others, last = (_way(step, rules.players, words) for step in pass_steps(rules))
    return words.t("{first}, then {last}", first=", ".join(others), last=last) if others else last


def _way(step: int, players: int, words: Words) -> str:
    """Direction of a pass that goes that many seats to the left."""
    _ = words.t
    if step == SCATTERED:
        return _("one card to each of the others")
    if step == 0:
        return _("no pass")
    if step == 1:
        return _("to the player on the left")
    if step == players - 1:
        return _("to the player on the right")
    if step * 2 == players:
        return _("to the player opposite")
    if step == 2:
        return _("to the second player on the left")
    return _("to the second player on the right")


def _sum_after(times: int) -> Phrase:
    """Sum of the scores after that many moons at once (S6, W7, W8)."""

    def phrase(rules: Ruleset, words: Words) -> str:
        total = times * rules.penalty_total
        plus, minus = words.points((len(rules.all_sides) - 1) * total), words.points(-total)
        if rules.moon.moon is MoonRule.SHOOTER_MINUS:
            return minus
        if rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
            return words.t("{plus} or to {minus}", plus=plus, minus=minus)
        return plus

    return phrase


def _sum_after_slam(rules: Ruleset, words: Words) -> str:
    if rules.moon.slam is SlamRule.DOUBLE:
        return _sum_after(2)(rules, words)
    return words.points((len(rules.all_sides) - 2) * rules.penalty_total)


PHRASES: Final[Mapping[str, Phrase]] = {
    "penalty_cards": _penalty_cards,
    "all_penalty_cards": _all_penalty_cards,
    "all_cards_needed": _all_cards_needed,
    "bonus": _bonus,
    "left_out": left_out,
    "one_side": _side(0),
    "other_side": _side(1),
    "seats_of_sides": _seats_of_sides,
    "ways_of_pass": _ways_of_pass,
    "sum_after_moon": _sum_after(1),
    "sum_after_slam": _sum_after_slam,
}
"""Phrases by the names of their places."""
