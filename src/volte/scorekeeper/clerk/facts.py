"""Facts of the rules for the clerk's texts: conditions for guards, values for places.

A name may serve as both: `[kitty]` asks whether there is a kitty, `{kitty}` is its size in cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from volte.cards import HEARTS, JACK, QUEEN, Card
from volte.rules import (
    MoonRule,
    Ruleset,
    Score,
    Settlement,
    SlamRule,
    Ties,
    minus_is_open,
)
from volte.rules.scoring import expected_sum
from volte.say import Words
from volte.say.rulesheet.clauses import CLAUSES
from volte.say.rulesheet.facts import (
    SCATTERED,
    fact,
    has_bonus_jack,
    has_partners,
    one_deal,
    pass_steps,
)
from volte.say.rulesheet.sheet import rule_sheet
from volte.scorekeeper.model import needs_of
from volte.scorekeeper.model.pack import hearts_of


@lru_cache(maxsize=64)
def clauses_of(rules: Ruleset) -> frozenset[str]:
    """Ids of the clauses on the rule sheet of those rules."""
    sections = rule_sheet(rules, Words("en"))
    return frozenset(name for part in sections for line in part.lines for name in line.clauses)


def deal_sum(rules: Ruleset, scored: Score | None = None) -> int:
    """Sum of the scores of a deal, each side counted once (S6, W10).

    Args:
        scored: its score; by default without moon or slam.
    """
    return expected_sum(rules, scored or Score(())) // rules.sides.partners


def _sums_after(rules: Ruleset, plus: Score, minus: Score) -> list[int]:
    """The sum after a moon or slam; both sums if it may count either way (W7)."""
    if rules.moon.moon is MoonRule.SHOOTER_MINUS:
        plus = minus
    both = [plus, minus] if minus_is_open(rules, plus) is not None else [plus]
    return list(dict.fromkeys(deal_sum(rules, each) for each in both))


def _dearest(rules: Ruleset) -> Card:
    return max(rules.values, key=lambda card: rules.values[card])


def _highest_heart(rules: Ruleset) -> Card:
    return max(hearts_of(rules))


def _hearts(rules: Ruleset) -> int:
    """Number of hearts in the deck."""
    return (rules.deck_mask & HEARTS).bit_count()


def _passes_a_count(rules: Ruleset) -> bool:
    """Whether there is a deal in which cards are passed to one other player."""
    ways = pass_steps(rules)
    return SCATTERED not in ways or any(way not in (0, SCATTERED) for way in ways)


def _paid_at_once(rules: Ruleset) -> bool:
    """Whether a match is one deal without partners, paid by the difference (M1)."""
    by_difference = rules.stakes.settlement is Settlement.DIFFERENCE
    return by_difference and one_deal(rules) and not has_partners(rules)


def _other_cards(rules: Ruleset) -> list[dict[str, Any]]:
    """The cards that count besides the hearts and a single queen, as values for the texts.

    Each has its own conditions: `jack` for a single jack of diamonds that takes 10 off, else
    `once` or `twice` (in both packs), and `adds` if it adds points.
    """
    cards = []
    for each in needs_of(rules).cards:
        if each.card is QUEEN and each.copies == 1:
            continue
        jack = each.card is JACK and each.points == -10 and each.copies == 1
        cards.append(
            {
                "card": each.card,
                "worth": abs(each.points),
                "adds": each.points > 0,
                "jack": jack,
                "once": not jack and each.copies == 1,
                "twice": each.copies > 1,
            }
        )
    return cards


FACTS: Final[Mapping[str, Callable[[Ruleset], Any]]] = {
    # Cards and passing
    "one_card_more": lambda rules: rules.hand_size + 1,
    "one_card_fewer": lambda rules: rules.hand_size - 1,
    "one_in_kitty": lambda rules: rules.kitty_size == 1,
    "several_in_kitty": lambda rules: rules.kitty_size > 1,
    "passes_one": lambda rules: _passes_a_count(rules) and rules.passing.count == 1,
    "passes_several": lambda rules: _passes_a_count(rules) and rules.passing.count != 1,
    "passes_or_scatters": lambda rules: _passes_a_count(rules) and SCATTERED in pass_steps(rules),
    # Play
    "hearts_from_trick": lambda rules: rules.play.hearts_from_trick,
    "bonus_jack": has_bonus_jack,
    # The points of the cards, and their sums
    "one_heart": lambda rules: _hearts(rules) == 1,
    "several_hearts": lambda rules: _hearts(rules) > 1,
    "ranked_hearts": lambda rules: needs_of(rules).ranked,
    "plain_hearts": lambda rules: hearts_of(rules) and not needs_of(rules).ranked,
    "worth_of_hearts": lambda rules: needs_of(rules).hearts,
    "highest_heart": _highest_heart,
    "one_queen": lambda rules: needs_of(rules).queen,
    "queen_worth": lambda rules: rules.values.get(QUEEN, 0),
    "queen_costs": lambda rules: rules.values.get(QUEEN, 0) > 0,
    "dearest": _dearest,
    "other_cards": _other_cards,
    "thrice_total": lambda rules: 3 * rules.penalty_total,
    "half_total": lambda rules: rules.penalty_total // 2,
    "odd_total": lambda rules: rules.penalty_total % 2,
    "sum": deal_sum,
    "sum_less_one": lambda rules: deal_sum(rules) - 1,
    "sum_without_queen": lambda rules: deal_sum(rules) - rules.points.of(QUEEN),
    "sum_without_dearest": lambda rules: deal_sum(rules) - rules.values[_dearest(rules)],
    "sum_without_highest_heart": lambda rules: (
        deal_sum(rules) - hearts_of(rules)[_highest_heart(rules)]
    ),
    # Moon and slam
    "sum_after_moon": lambda rules: _sums_after(
        rules, Score((), moon=0), Score((), moon=0, minus=True)
    ),
    "forty_minus_moon": lambda rules: 40 - rules.penalty_total,
    "others_plus_moon": lambda rules: [count + rules.penalty_total for count in (60, 70, 20)],
    "sum_after_slam": lambda rules: _sums_after(
        rules, Score((), slam=0), Score((), slam=0, minus=True)
    ),
    "scores_below_zero": lambda rules: (
        rules.moon.slam is SlamRule.REVERSAL
        or rules.moon.moon not in (MoonRule.OFF, MoonRule.OTHERS_PLUS)
    ),
    # The match and its stakes
    "limit_less_half": lambda rules: -(-rules.ending.match_end.number // 2),
    "limit_less_five": lambda rules: rules.ending.match_end.number - 5,
    "stakes": lambda rules: rules.stakes.settlement is not Settlement.NONE,
    "tie_played_on": lambda rules: (
        rules.ending.ties is Ties.PLAY_ON and rules.stakes.settlement is not Settlement.POT
    ),
    "paid_at_once": _paid_at_once,
    "paid_later": lambda rules: (
        rules.stakes.settlement not in (Settlement.NONE, Settlement.POT)
        and not _paid_at_once(rules)
    ),
    "share": lambda rules: rules.penalty_total // (rules.players - 1),
    "share_left": lambda rules: rules.penalty_total % (rules.players - 1),
}
"""Facts of the clerk's own, besides those of rule sheets: name → its value by the rules."""


def value_of(rules: Ruleset, name: str) -> Any:
    """The value of a name under the rules; of a clause id, whether the clause applies."""
    if name in CLAUSES:
        return name in clauses_of(rules)
    return FACTS[name](rules) if name in FACTS else fact(rules, name)
