"""The rule sheet's part on taking everything: the moon and the slam."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.rules import MoonRule, Ruleset, SlamRule
from volte.say.rulesheet.parts import (
    RuleLine,
    all_needed_cards,
    all_penalty_cards,
    bonus_cards,
    bonus_mask,
    has_partners,
    moon_needs_more,
    only_the_jack,
    side_shoots,
)
from volte.say.words import N_, Words


def moon_and_slam(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    yield _moon(rules, words)
    if rules.moon.slam is not SlamRule.OFF:
        yield _slam(rules, words)
    if rules.moon.moon is not MoonRule.OFF or rules.moon.slam is not SlamRule.OFF:
        yield from _besides(rules, words)


def _moon(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    everything = all_needed_cards(rules, words)
    if rules.moon.moon is MoonRule.OFF:
        text = _(
            "There is no shooting the moon: whoever takes {everything} scores them like any"
            " other points.",
            everything=all_penalty_cards(rules, words),
        )
        return RuleLine(text, ("S3",))
    clauses: tuple[str, ...] = ("S3", "W10") if has_partners(rules) else ("S3",)
    if rules.moon.moon is not MoonRule.OTHERS_PLUS or moon_needs_more(rules):
        clauses = (*clauses, "W7")
    if rules.moon.moon is MoonRule.OTHERS_PLUS and not has_partners(rules):
        text = _(
            "Shooting the moon: a player who alone takes {everything} scores nothing, and each of"
            " the others scores {points}.",
            everything=everything,
            points=words.points(rules.penalty_total),
        )
    else:
        if side_shoots(rules):
            text = _(
                "Shooting the moon: a side takes {everything}, whichever of the partners has them.",
                everything=everything,
            )
        else:
            text = _(
                "Shooting the moon: one player alone takes {everything}.", everything=everything
            )
        text += " " + _outcome(rules, 1, words)
    if rules.kitty_size:
        text += " " + _("Those of the kitty are needed too.")
    return RuleLine(text, clauses)


def _slam(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    total = words.points(rules.penalty_total)
    if rules.moon.slam is SlamRule.REVERSAL and not has_partners(rules):
        text = _(
            "Slam: a player who takes every trick scores {points} less, and each of the others"
            " scores {points} more. Penalty cards are not counted then.",
            points=total,
        )
        return RuleLine(text, ("S4",))
    clauses = ("S4", "W10") if has_partners(rules) else ("S4",)
    if side_shoots(rules):
        text = _("Slam: a side takes every trick, whichever of the partners takes it.")
    else:
        text = _("Slam: one player alone takes every trick.")
    if rules.moon.slam is SlamRule.DOUBLE:
        if rules.moon.moon is not MoonRule.OFF:
            text += " " + _("It counts twice what a moon does.")
        return RuleLine(text + " " + _outcome(rules, 2, words), (*clauses, "W8"))
    text += " " + _(
        "The side that has done it scores {points} less, and every other side {points} more."
        " Penalty cards are not counted then.",
        points=total,
    )
    return RuleLine(text, clauses)


def _outcome(rules: Ruleset, times: int, words: Words) -> str:
    """What a moon counts, or a slam that counts that many moons (W7, W8)."""
    points = words.points(times * rules.penalty_total)
    alone, of_sides = _OUTCOMES[rules.moon.moon]
    text = words.t(of_sides if has_partners(rules) else alone, points=points)
    if rules.moon.moon is MoonRule.SHOOTER_CHOOSES and side_shoots(rules):
        text += " " + words.t("Of the partners, the one who has taken most chooses.")
    return text


_PLUS: Final = (
    N_("Whoever has done it scores nothing, and each of the others scores {points}."),
    N_("The side that has done it scores nothing, and every other side scores {points}."),
)
_OUTCOMES: Final = {
    MoonRule.OFF: _PLUS,
    MoonRule.OTHERS_PLUS: _PLUS,
    MoonRule.SHOOTER_MINUS: (
        N_("Whoever has done it scores {points} less, and the others score nothing."),
        N_("The side that has done it scores {points} less, and the others score nothing."),
    ),
    MoonRule.SHOOTER_CHOOSES: (
        N_(
            "Whoever has done it chooses between {points} more for each of the others and {points}"
            " off their own score."
        ),
        N_(
            "Whoever has done it chooses between {points} more for every other side and {points}"
            " off the score of their own."
        ),
    ),
    MoonRule.PLUS_UNLESS_LOST: (
        N_(
            "Whoever has done it scores nothing, and each of the others scores {points}. But if"
            " that ended the match without a win for whoever has done it, that player scores"
            " {points} less instead, and the others score nothing."
        ),
        N_(
            "The side that has done it scores nothing, and every other side scores {points}. But if"
            " that ended the match without a win for that side, it scores {points} less instead,"
            " and the others score nothing."
        ),
    ),
}
"""What a moon counts by its rule, where each plays alone and where there are sides."""


def _besides(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    """What is counted after a moon and a slam as after any deal (S5, W6)."""
    _ = words.t
    needed = moon_needs_more(rules) or rules.moon.moon is MoonRule.OFF
    if only_the_jack(rules) and not needed:
        text = _(
            "The jack of diamonds is not needed for that, and still lowers the score of whoever"
            " took it."
        )
        yield RuleLine(text, ("S5",))
    elif bonus_mask(rules):
        text = _("A card that lowers the score still does so for whoever has taken it.")
        if not needed:
            spare = _("For that nobody needs {cards}.", cards=bonus_cards(rules, words))
            text = f"{spare} {text}"
        yield RuleLine(text, ("S5",))
    if rules.points.no_tricks:
        text = _(
            "Whoever has taken no trick scores {points} less even then.",
            points=words.points(-rules.points.no_tricks),
        )
        yield RuleLine(text, ("W6",))
