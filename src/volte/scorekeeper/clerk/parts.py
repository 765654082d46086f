"""What the rules clerk's answers are made of, and the sentences that several of them need."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from volte.rules import MoonRule, Ruleset, Score, Settlement, SlamRule, minus_is_open
from volte.rules.scoring import expected_sum
from volte.say.rulesheet.parts import one_deal
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.words import Words


class Case(NamedTuple):
    """What to do in one case, step by step.

    Attributes:
        when: what tells the case apart; empty where there is only one.
    """

    when: str
    steps: tuple[str, ...]


class Answer(NamedTuple):
    """What the clerk says of one situation at one table.

    Attributes:
        short: the ruling in a sentence or two.
        cases: at least one.
        deadline: until when it can be done.
        price: what it costs, in the figures of the table.
        exempt: what is taken for it, and is not.
        example: a case that has happened to somebody.
        clauses: the rules behind it, at least one.
        silent: what the rules leave open, and what people do then.
    """

    short: str
    cases: tuple[Case, ...]
    deadline: str
    price: str
    exempt: tuple[str, ...]
    example: str
    clauses: tuple[str, ...]
    silent: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def clauses_of(rules: Ruleset) -> frozenset[str]:
    """The clauses that this table plays by, as far as its options decide: those of its sheet."""
    sections = rule_sheet(rules, Words("en"))
    return frozenset(name for part in sections for line in part.lines for name in line.clauses)


def one_case(*steps: str) -> tuple[Case, ...]:
    return (Case("", steps),)


def is_open(words: Words) -> str:
    """The case in which a trick can still be put right (I3, I4)."""
    return words.t("The trick still lies open on the table")


def is_turned_down(words: Words) -> str:
    return words.t("The trick has been turned face down")


def total_of(rules: Ruleset, words: Words) -> str:
    """What a revoke costs at this table (I5): "25 points"."""
    return words.points(rules.penalty_total)


def sum_due(rules: Ruleset) -> int:
    """What the scores of a deal without moon or slam add up to, each side counted once (S6)."""
    return sum_after(rules, Score(()))


def sum_after(rules: Ruleset, scored: Score) -> int:
    """What the scores of such a deal add up to, each side counted once (S6, W10)."""
    return expected_sum(rules, scored) // rules.sides.partners


def sums_told(rules: Ruleset, words: Words) -> list[str]:
    """What the scores of a deal may add up to."""
    _ = words.t
    told = [_("the scores of a deal add up to {points}.", points=words.points(sum_due(rules)))]
    if rules.moon.moon is not MoonRule.OFF:
        sums = _each_way(rules, words, Score((), moon=0), Score((), moon=0, minus=True))
        told.append(_("After a moon it is {points}.", points=sums))
    if rules.moon.slam is not SlamRule.OFF:
        sums = _each_way(rules, words, Score((), slam=0), Score((), slam=0, minus=True))
        told.append(_("After a slam it is {points}.", points=sums))
    if rules.sides.partners > 1:
        told.append(_("Each side is counted once."))
    return told


def _each_way(rules: Ruleset, words: Words, plus: Score, minus: Score) -> str:
    """The sum, or both where the rules leave open which way it counts (W7)."""
    if rules.moon.moon is MoonRule.SHOOTER_MINUS:
        plus = minus
    both = [plus, minus] if minus_is_open(rules, plus) is not None else [plus]
    sums = dict.fromkeys(sum_after(rules, each) for each in both)
    return words.t(" or ").join(map(words.points, sums))


def claim_deadline(rules: Ruleset, words: Words) -> str:
    """Until when a revoke may be claimed (I6)."""
    _ = words.t
    if one_deal(rules):
        return _("A revoke may be claimed until everybody has accepted the settlement.")
    return _(
        "A revoke may be claimed until the cards are cut for the next deal, or, after the last"
        " deal, until everybody has accepted the settlement."
    )


def after_a_stop(rules: Ruleset, words: Words) -> str:
    """How things go on when a deal has been stopped."""
    _ = words.t
    together = ""
    if rules.sides.partners > 1:
        together = _("A partner scores the same, since partners score together.")
    if one_deal(rules):
        return joined(together, _("That was the only deal, so the match is over too."))
    return joined(together, _("The deal is over, and the match goes on as after any other."))


def in_stakes(rules: Ruleset, words: Words) -> str:
    """What the penalty of one player means in stakes (M1, M2, M6); empty where none are paid."""
    _ = words.t
    total = rules.penalty_total
    match rules.stakes.settlement:
        case Settlement.NONE:
            return ""
        case Settlement.POT:
            return _(
                "In stakes: {stakes} into the pot, which goes to the others, since they have no"
                " points.",
                stakes=words.stakes(total),
            )
        case Settlement.DIFFERENCE if one_deal(rules) and rules.sides.partners == 1:
            part, over = divmod(total, rules.players - 1)
            told = _(
                "In stakes: {stakes} to pay, {part} to each of the others.",
                stakes=words.stakes(total),
                part=part,
            )
            if over:
                told += " " + _(
                    "What is left over, {stakes}, goes to one of them, by lot.",
                    stakes=words.stakes(over),
                )
            return told
    return _("The points count in the settlement like any others.")


def joined(*sentences: str) -> str:
    """The sentences that there are, on one line."""
    return " ".join(filter(None, sentences))
