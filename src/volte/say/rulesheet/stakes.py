"""The rule sheet's last parts: stakes, irregularities, claim and undo."""

from __future__ import annotations

from collections.abc import Iterator

from volte.rules import (
    Irregularities,
    MoonRule,
    QueenDiscard,
    Ruleset,
    Settlement,
    SlamRule,
)
from volte.say.rulesheet.parts import (
    RuleLine,
    bonus_mask,
    has_partners,
    has_queen,
    moon_wins,
    one_deal,
    only_the_jack,
    passes,
)
from volte.say.words import Words


def stakes(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    match rules.stakes.settlement:
        case Settlement.DIFFERENCE:
            yield from _difference(rules, words)
        case Settlement.AVERAGE:
            yield from _average(words)
        case Settlement.POT:
            yield from _pot(rules, words)


def _difference(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    clauses = ("M1",) if one_deal(rules) else ("M1", "M4")
    if has_partners(rules):
        text = _(
            "Each loser pays one stake for every point by which the winners are lower, and the"
            " partners who have won share it. All payments are in whole stakes."
        )
        yield RuleLine(text, (*clauses, "W10"))
        text = _(
            "What is paid is shared equally. What cannot be shared goes to one of the winners, by"
            " lot: the highest card drawn takes it, and equal cards draw again."
        )
    else:
        text = _(
            "Each loser pays the winner one stake for every point between their totals."
            " All payments are in whole stakes."
        )
        yield RuleLine(text, clauses)
        text = _(
            "Winners who tie share what is paid equally. What cannot be shared goes to one of them,"
            " by lot: the highest card drawn takes it, and equal cards draw again."
        )
    yield RuleLine(text, ("M2",))
    if moon_wins(rules):
        yield _paid_for_a_moon(rules, words)


def _paid_for_a_moon(rules: Ruleset, words: Words) -> RuleLine:
    """What the moon of a match of one deal brings (M3)."""
    _ = words.t
    paid = words.stakes(rules.penalty_total)
    if has_partners(rules):
        text = _(
            "After a moon each player of the other sides pays {stakes}, and the partners of the"
            " side that shot it share them.",
            stakes=paid,
        )
    else:
        text = _(
            "After a moon each of the others pays {stakes} to the player who shot it.", stakes=paid
        )
    if not one_deal(rules):
        text += " " + _("This holds for the first deal, and not where a tie is played on.")
    if only_the_jack(rules) and not rules.points.no_tricks:
        text += " " + _("The jack of diamonds changes nothing in that.")
    elif bonus_mask(rules) or rules.points.no_tricks:
        text += " " + _("Nothing that lowers a score changes that.")
    return RuleLine(text, ("M3", "W10") if has_partners(rules) else ("M3",))


def _average(words: Words) -> Iterator[RuleLine]:
    _ = words.t
    text = _(
        "The mean of all totals is worked out. Whoever is above it pays the difference into the"
        " pot; whoever is below it draws the difference. Each is rounded down to whole stakes."
    )
    yield RuleLine(text, ("M5",))
    text = _(
        "If stakes are left in the pot, they go one each to those below the mean, in the order of"
        " the lots, and round again. If the pot falls short, those below the mean go one short"
        " each, the lowest lot first, and round again, but nobody ever draws less than nothing."
    )
    yield RuleLine(text, ("M5",))
    text = _("Lots are one card each, the highest first; equal cards draw again.")
    yield RuleLine(text, ("M5",))


def _pot(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    if one_deal(rules):
        text = _("After the deal each player puts one stake into the pot for every point scored.")
    else:
        text = _("After each deal each player puts one stake into the pot for every point scored.")
    if has_partners(rules):
        text += " " + _("Partners each pay for all the points of their side.")
    if only_the_jack(rules):
        text += " " + _("The jack of diamonds is left out.")
    elif bonus_mask(rules):
        text += " " + _("Cards that lower a score are left out.")
    if rules.points.no_tricks:
        text += " " + _("What taking no trick scores is left out.")
    yield RuleLine(text, ("M6", "W10") if has_partners(rules) else ("M6",))
    text = _(
        "Whoever has no points takes the pot. Several players without points share it equally;"
        " what cannot be shared goes to one of them, by lot: the highest card drawn takes it, and"
        " equal cards draw again."
    )
    yield RuleLine(text, ("M2", "M6"))
    whole = rules.sides.partners * rules.penalty_total
    text = _(
        "If everybody has points, the pot stays and grows: to {once} after one such deal, {twice}"
        " after two, and so on.",
        once=words.stakes(whole),
        twice=words.stakes(2 * whole),
    )
    text += " " + _("A pot that nobody has taken opens the next match at the table.")
    yield RuleLine(text, ("M6",))
    if rules.moon.moon is not MoonRule.OFF:
        yield RuleLine(" ".join(_moon_in_the_pot(rules, words)), ("M6",))
    if rules.moon.slam is SlamRule.REVERSAL:
        yield _slam_in_the_pot(rules, words)
    elif rules.moon.slam is SlamRule.DOUBLE and rules.moon.moon is MoonRule.OFF:
        text = _(
            "After a slam each of the others pays {stakes}, and whoever made it takes the pot.",
            stakes=words.stakes(2 * rules.penalty_total),
        )
        yield RuleLine(text, ("M6", "W8"))
    elif rules.moon.slam is SlamRule.DOUBLE and rules.moon.moon is not MoonRule.SHOOTER_MINUS:
        text = _("After a slam it is the same with twice as much.")
        yield RuleLine(text, ("M6", "W8"))


def _moon_in_the_pot(rules: Ruleset, words: Words) -> Iterator[str]:
    """What the moon does to the pot, by the way in which it counts (M6, W7)."""
    _ = words.t
    moon, paid = rules.moon.moon, words.stakes(rules.penalty_total)
    if moon is not MoonRule.SHOOTER_MINUS and has_partners(rules):
        yield _(
            "After a moon each player of the other sides pays {stakes}, and the side that shot it"
            " takes the pot.",
            stakes=paid,
        )
    elif moon is not MoonRule.SHOOTER_MINUS:
        yield _(
            "After a moon each of the others pays {stakes}, and the player who shot it takes the"
            " pot.",
            stakes=paid,
        )
    doubled = rules.moon.slam is SlamRule.DOUBLE
    if moon is MoonRule.SHOOTER_MINUS and doubled:
        yield _(
            "After a moon or a slam nobody pays, and the others, who have no points, take the pot."
        )
    elif moon is MoonRule.SHOOTER_MINUS:
        yield _("After a moon nobody pays, and the others, who have no points, take the pot.")
    elif moon is not MoonRule.OTHERS_PLUS:
        yield _(
            "If it lowers the own score instead, nobody pays, and the others, who have no points,"
            " take the pot."
        )


def _slam_in_the_pot(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    paid = words.stakes(rules.penalty_total)
    if has_partners(rules):
        text = _(
            "After a slam each player of the other sides pays {stakes}; the side that made it"
            " neither pays nor draws, and the pot stays.",
            stakes=paid,
        )
        return RuleLine(text, ("M6", "W10"))
    text = _(
        "After a slam each of the others pays {stakes}; whoever made it neither pays nor draws,"
        " and the pot stays.",
        stakes=paid,
    )
    return RuleLine(text, ("M6",))


def irregularities(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    if rules.irregularities is Irregularities.ENFORCED:
        text = _("A card that may not be played is refused, and the rule that forbids it is named.")
        yield RuleLine(text, ("T1", "T8"))
        return
    total = words.points(rules.penalty_total)
    text = _(
        "At this table one can go wrong, as with real cards: the others object, and the program"
        " rules on it."
    )
    yield RuleLine(text, ("I1", "I9"))
    text = _(
        "Misdeal: a dealer who shows a card while dealing, or gives one player too many cards"
        " and another too few, loses the deal, and the player to the left deals."
    )
    yield RuleLine(text, ("I1",))
    text = _(
        "A card played out of turn is taken back if somebody asks before the last card of the"
        " trick lies on the table; after that it stands, without penalty."
    )
    yield RuleLine(text, ("I2",))
    yield RuleLine(_revoke(rules, words), ("I3", "I4"))
    if rules.deck.packs == 2:
        text = _("A trick that nobody takes is turned down by whoever led it.")
        yield RuleLine(text, ("I4", "W11"))
    if rules.moon.moon is MoonRule.SHOOTER_CHOOSES:
        text = _("Whoever may choose how a moon counts does so before anything else goes on.")
        yield RuleLine(text, ("I4", "W7"))
    text = _(
        "A revoke found later stops the deal at once: whoever revoked scores {points}, as does"
        " anybody else who did, and the others score nothing.",
        points=total,
    )
    yield RuleLine(text, ("I5",))
    if has_partners(rules):
        yield RuleLine(_("Such points, too, count for the whole side."), ("I5", "W10"))
    yield RuleLine(_revoke_claim(rules, words), ("I6", "I9"))
    text = _(
        "With real cards, a player keeps the tricks won apart. Whoever mixes them so that a"
        " revoke can no longer be proved scores {points} and the deal stops, whoever revoked"
        " and even if nobody did. The others score nothing, except a player whose revoke other"
        " tricks prove, who scores it as well.",
        points=total,
    )
    yield RuleLine(text, ("I7",))
    text = _(
        "With real cards, a hand that is one card short takes the last trick; a hand that is"
        " several short takes every trick it cannot play to. The player to its left then leads."
    )
    yield RuleLine(text, ("I8",))


def _revoke(rules: Ruleset, words: Words) -> str:
    _ = words.t
    if has_queen(rules) and rules.play.queen_discard is QueenDiscard.FORCED:
        revoke = _(
            "To revoke is not to follow suit when one could, or not to discard the queen of spades"
            " when one must. It can be put right until the winner turns the trick down."
        )
    else:
        revoke = _(
            "To revoke is not to follow suit when one could. It can be put right until the winner"
            " turns the trick down."
        )
    others = _(
        "Any other breach is put right if somebody objects in time, and stands without penalty"
        " after."
    )
    return f"{revoke} {others}"


def _revoke_claim(rules: Ruleset, words: Words) -> str:
    _ = words.t
    if one_deal(rules):
        until = _("A revoke may be claimed until everybody has accepted the settlement.")
    else:
        until = _(
            "A revoke may be claimed until the cards are cut for the next deal, or, after the last"
            " deal, until everybody has accepted the settlement."
        )
    how = _(
        "The claim names the player and the trick, and may be of one's own revoke; a mistaken one"
        " costs nothing. Nobody pays twice in one deal."
    )
    return f"{until} {how}"


def claim_and_undo(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    if rules.irregularities is Irregularities.REFEREED:
        if passes(rules):
            yield RuleLine(_("A pass may be taken back until the cards are exchanged."), ("C2",))
        text = _(
            "With a referee every card is played, since hands prove revokes: the rest cannot be"
            " claimed. A card comes back only when somebody objects, or to put a revoke right."
        )
        yield RuleLine(text, ("I2", "I4"))
        return
    text = _(
        "A player may claim that the rest of the deal can change nothing. It is granted when no"
        " lawful way of playing on changes any score, and the rest is then played by itself."
    )
    yield RuleLine(text, ("C1",))
    if passes(rules):
        yield RuleLine(_("A pass may be taken back until the cards are exchanged."), ("C2",))
    text = _(
        "The last card played may be taken back until anybody acts, if all the other people at the"
        " table agree, and never once something has become known through it."
    )
    yield RuleLine(text, ("C2",))
