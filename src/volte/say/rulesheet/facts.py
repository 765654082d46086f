"""Facts about the rules of a table, for the text of the rule sheet.

Conditions for its guards, and values for its places. A name may serve as both: `[kitty]` asks
whether there is a kitty, `{kitty}` is its size in cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from volte.cards import CLUBS, HEARTS, JACK, QUEEN, QUEENS, Card, cards_in, in_first_pack, twin
from volte.rules import (
    OPTIONS,
    Direction,
    EndKind,
    FirstTrickPoints,
    HeartPoints,
    HeartsLead,
    MoonBy,
    MoonRule,
    Opening,
    QueenDiscard,
    QueenPlay,
    Ruleset,
    SlamRule,
    Ties,
)
from volte.say.rulesheet.options import typed_value

Fact = Callable[[Ruleset], Any]
Counted = Mapping[str, Any]
"""A card and its points: `card`, `worth`, `less` (points taken off, or 0), `queen`, `jack`."""


# Cards


def _hearts(rules: Ruleset) -> tuple[Card, ...]:
    """The hearts of the deck; of two equal ones only the first (W11)."""
    return _kinds(rules, HEARTS)


def _kinds(rules: Ruleset, mask: int) -> tuple[Card, ...]:
    return tuple(sorted({in_first_pack(card) for card in cards_in(rules.deck_mask & mask)}))


def has_queen(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & QUEENS)


def has_hearts(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & HEARTS)


def bonus_mask(rules: Ruleset) -> int:
    """Mask of the cards that take points off their taker (S5, W5)."""
    return rules.counting_mask & ~rules.penalty_mask


def has_bonus_jack(rules: Ruleset) -> bool:
    return rules.values.get(JACK, 0) < 0


def only_the_jack(rules: Ruleset) -> bool:
    """Whether the jack of diamonds, once in the deck, is all that takes points off."""
    return bonus_mask(rules) == JACK.bit


def below_zero(rules: Ruleset) -> bool:
    """Whether anything lowers a score besides a moon and a slam."""
    return bool(bonus_mask(rules)) or bool(rules.points.no_tricks)


def _lowest_club_twice(rules: Ruleset) -> bool:
    """Whether each of two packs has the lowest club (W11)."""
    return rules.deck.packs == 2 and bool(twin(_lowest_club(rules)).bit & rules.deck_mask)


def _lowest_club(rules: Ruleset) -> Card:
    return rules.lowest_club(rules.deck_mask)


# The pass

SCATTERED: Final = -1
"""Entry of `pass_steps` for one card to each of the others (W1)."""


def pass_steps(rules: Ruleset) -> tuple[int, ...]:
    """Seats to the left that the pass goes, deal after deal, until it starts over; 0 for no pass.

    The shortest cycle that says it all: deals that a short match never comes to are left out.
    """
    end, cycle = rules.ending.match_end, max(1, len(rules.passing.cycle))
    ends = end.kind is EndKind.DEALS and rules.ending.ties is Ties.SHARE
    deals = min(end.number, 2 * cycle) if ends else 2 * cycle
    steps = tuple(_step(rules.direction(deal), rules.players) for deal in range(1, deals + 1))
    return next(
        steps[:period]
        for period in range(1, deals + 1)
        if all(step == steps[deal % period] for deal, step in enumerate(steps))
    )


def _step(direction: Direction, players: int) -> int:
    return SCATTERED if direction is Direction.SCATTER else direction.target(0, players)


def passes(rules: Ruleset) -> bool:
    """Whether cards are passed in any deal that this table can come to."""
    return any(pass_steps(rules))


def _starts_over(rules: Ruleset) -> bool:
    """Whether the match may be long enough for the pass to start over."""
    end = rules.ending.match_end
    known = end.kind is EndKind.DEALS and rules.ending.ties is Ties.SHARE
    return not known or end.number > len(pass_steps(rules))


# The duties of play


def queen_waits(rules: Ruleset) -> bool:
    """Whether the queen has to wait until hearts are broken (W3)."""
    return has_queen(rules) and rules.play.queen_play is QueenPlay.ONCE_BROKEN


def _points_barred(rules: Ruleset) -> bool:
    """Whether the first trick has a duty of its own, beyond keeping hearts for later (T7)."""
    if rules.play.first_trick_points is FirstTrickPoints.ALLOWED:
        return False
    return bool(rules.penalty_mask & ~HEARTS) or rules.play.hearts_from_trick == 1


def _points_may_lead(rules: Ruleset) -> bool:
    """Whether a penalty card may be led to the first trick."""
    any_club = rules.play.opening is Opening.ANY_CLUB and bool(rules.penalty_mask & CLUBS)
    return rules.play.opening is Opening.ELDEST or any_club


def _tricks_without_hearts(rules: Ruleset) -> int:
    """Number of tricks on which no heart may be played (T7)."""
    return rules.play.hearts_from_trick - 1 if has_hearts(rules) else 0


def _duties_of_discards(rules: Ruleset) -> int:
    """Number of duties that hold for discards: all but that hearts may not be led (T4)."""
    at_void = has_queen(rules) and rules.play.queen_discard is not QueenDiscard.FREE
    late = _tricks_without_hearts(rules) > 0
    return sum((_points_barred(rules), queen_waits(rules), at_void, late))


def _hearts_wait(rules: Ruleset) -> bool:
    return has_hearts(rules) and rules.play.hearts_lead is HeartsLead.ONCE_BROKEN


def _duties_meet(rules: Ruleset) -> bool:
    """Whether two duties may hold for the same card (T8)."""
    on_discards = _duties_of_discards(rules)
    return on_discards > 1 or (queen_waits(rules) and on_discards + _hearts_wait(rules) > 1)


# What cards count


def _scale(rules: Ruleset) -> HeartPoints:
    """The scale by which most hearts of the deck count."""
    hearts, of = _hearts(rules), rules.points.of
    return max(HeartPoints, key=lambda each: sum(of(card) == each.table[card] for card in hearts))


def _other_hearts(rules: Ruleset) -> list[Counted]:
    """The hearts that count otherwise than most."""
    scale, of = _scale(rules).table, rules.points.of
    return [_counted(card, of(card)) for card in _hearts(rules) if of(card) != scale[card]]


def _hearts_alike(rules: Ruleset) -> bool:
    """Whether there are hearts, and more than half of them count by a scale."""
    return 2 * len(_other_hearts(rules)) < len(_hearts(rules))


def _hearts_apart(rules: Ruleset) -> list[Counted]:
    """The hearts that count, where they have little in common."""
    hearts, of = _hearts(rules), rules.points.of
    if len(hearts) == 1 or _hearts_alike(rules):
        return []
    return [_counted(card, of(card)) for card in hearts if of(card)]


def _only_heart(rules: Ruleset) -> Card | None:
    hearts = _hearts(rules)
    return hearts[0] if len(hearts) == 1 else None


def _no_heart_counts(rules: Ruleset) -> bool:
    """Whether there are hearts of which none counts."""
    hearts = _hearts(rules)
    return len(hearts) > 1 and not any(map(rules.points.of, hearts))


def _cards_besides_hearts(rules: Ruleset) -> list[Counted]:
    """The other cards that count: the queen, the jack, and then the rest (S2, S5, W5)."""
    cards = [card for card in _kinds(rules, ~HEARTS) if rules.points.of(card)]
    cards.sort(key=lambda card: (card != QUEEN, card != JACK))
    return [_counted(card, rules.points.of(card)) for card in cards]


def _counted(card: Card, worth: int) -> Counted:
    less, queen, jack = max(0, -worth), card == QUEEN, card == JACK
    return {"card": card, "worth": worth, "less": less, "queen": queen, "jack": jack}


# Moon, sides, and the end of the match


def moon_needs_bonus(rules: Ruleset) -> bool:
    """Whether the moon needs the cards that take points off, too (W7)."""
    on = rules.moon.moon is not MoonRule.OFF
    return on and rules.moon.needs_jack and bool(bonus_mask(rules))


def has_partners(rules: Ruleset) -> bool:
    return rules.sides.partners > 1


def one_deal(rules: Ruleset) -> bool:
    """Whether the match can never have a second deal."""
    return _one_deal_due(rules) and rules.ending.ties is Ties.SHARE


def _one_deal_due(rules: Ruleset) -> bool:
    """Whether the match has one deal, unless it ends in a tie that is played on (E1, W9)."""
    end = rules.ending.match_end
    return end.kind is EndKind.DEALS and end.number == 1


def _moon_wins(rules: Ruleset) -> bool:
    """Whether shooting the moon wins the match (E1)."""
    return _one_deal_due(rules) and rules.moon.moon is not MoonRule.OFF


FACTS: Final[Mapping[str, Fact]] = {
    # Players, sides and cards
    "players": lambda rules: rules.players,
    "sides": lambda rules: len(rules.all_sides),
    "more_than_two_sides": lambda rules: has_partners(rules) and len(rules.all_sides) > 2,
    "partners": lambda rules: rules.sides.partners if has_partners(rules) else 0,
    "jokers": lambda rules: rules.deck.jokers,
    "removed": lambda rules: rules.deck.removed,
    "deck_size": lambda rules: len(rules.cards),
    "hand_size": lambda rules: rules.hand_size,
    "kitty": lambda rules: rules.kitty_size,
    "hearts": lambda rules: (rules.deck_mask & HEARTS).bit_count(),
    "queen": has_queen,
    "lowest_club": _lowest_club,
    "lowest_club_twice": _lowest_club_twice,
    # The pass
    "passes": passes,
    "passes_to_one": lambda rules: any(step > 0 for step in pass_steps(rules)),
    "passes_left": lambda rules: pass_steps(rules) == (1,),
    "pass_count": lambda rules: rules.passing.count,
    "pass_turns": lambda rules: len(pass_steps(rules)) > 1,
    "pass_starts_over": _starts_over,
    "four_ways": lambda rules: rules.players == 4 and pass_steps(rules) == (1, 3, 2, 0),
    "scatters": lambda rules: SCATTERED in pass_steps(rules),
    # Play
    "points_barred": _points_barred,
    "points_may_lead": _points_may_lead,
    "queen_waits": queen_waits,
    "queen_barred_first": lambda rules: _points_barred(rules) and bool(rules.penalty_mask & QUEENS),
    "queen_frees_queen": lambda rules: (
        rules.play.queen_breaks_hearts and rules.deck_mask & QUEENS == QUEENS
    ),
    "tricks_without_hearts": _tricks_without_hearts,
    "hearts_wait": _hearts_wait,
    "duties_of_discards": _duties_of_discards,
    "duties_meet": _duties_meet,
    # What cards count
    "one_penalty_card": lambda rules: rules.penalty_mask.bit_count() == 1,
    "only_heart": _only_heart,
    "only_heart_worth": lambda rules: rules.points.of(_hearts(rules)[0]),
    "hearts_alike": _hearts_alike,
    "hearts_by_rank": lambda rules: _hearts_alike(rules) and _scale(rules) is HeartPoints.RANK,
    "other_hearts": _other_hearts,
    "hearts_apart": _hearts_apart,
    "no_heart_counts": _no_heart_counts,
    "some_hearts_count": lambda rules: (
        bool(_hearts_apart(rules)) and not all(map(rules.points.of, _hearts(rules)))
    ),
    "queen_worth": lambda rules: rules.points.of(QUEEN),
    "cards_besides_hearts": _cards_besides_hearts,
    "bonus": bonus_mask,
    "only_jack": only_the_jack,
    "taken_off": lambda rules: -sum(worth for worth in rules.values.values() if worth < 0),
    "no_tricks": lambda rules: -rules.points.no_tricks,
    "below_zero": below_zero,
    "total": lambda rules: rules.penalty_total,
    "twice_total": lambda rules: 2 * rules.penalty_total,
    # Moon and slam
    "moon": lambda rules: rules.moon.moon is not MoonRule.OFF,
    "moon_needs_bonus": moon_needs_bonus,
    "moon_of_wider_family": lambda rules: (
        rules.moon.moon is not MoonRule.OTHERS_PLUS or moon_needs_bonus(rules)
    ),
    "side_shoots": lambda rules: has_partners(rules) and rules.moon.by is MoonBy.SIDE,
    "slam": lambda rules: rules.moon.slam is not SlamRule.OFF,
    "moon_or_slam": lambda rules: (
        rules.moon.moon is not MoonRule.OFF or rules.moon.slam is not SlamRule.OFF
    ),
    "moon_wins": _moon_wins,
    # The match and its stakes
    "one_deal": one_deal,
    "by_deals": lambda rules: rules.ending.match_end.kind is EndKind.DEALS,
    "limit": lambda rules: rules.ending.match_end.number,
    "half_limit": lambda rules: rules.ending.match_end.number // 2,
    "once_everybody": lambda rules: rules.sides.partners * rules.penalty_total,
    "twice_everybody": lambda rules: 2 * rules.sides.partners * rules.penalty_total,
}
"""Facts by the names that texts use: conditions, numbers and cards."""


def fact(rules: Ruleset, name: str) -> Any:
    """Value of a fact at a table; for `moon=off`, whether the option has that value there."""
    option, _, value = name.partition("=")
    return typed_value(OPTIONS[option].get(rules)) == value if value else FACTS[name](rules)
