"""The rules clerk on proof and on counting: mixed tricks, claims, short hands, scores, stakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.cards import HEARTS, JACK, QUEEN
from volte.rules import (
    EndKind,
    Kitty,
    MoonRule,
    Ruleset,
    Settlement,
    SlamRule,
    Ties,
)
from volte.say.language import N_
from volte.say.rulesheet.parts import one_deal
from volte.say.words import Words
from volte.scorekeeper.clerk.parts import (
    Answer,
    Case,
    after_a_stop,
    claim_deadline,
    in_stakes,
    joined,
    one_case,
    sum_due,
    sums_told,
    total_of,
)
from volte.scorekeeper.clerk.wider import played_on
from volte.scorekeeper.model import Asked, asked
from volte.scorekeeper.model.pack import hearts_of


def mixed_tricks(rules: Ruleset, words: Words) -> Answer:
    """Tricks lie so that a revoke cannot be proved (I7)."""
    _ = words.t
    total = total_of(rules, words)
    return Answer(
        short=_(
            "If a revoke cannot be proved because of them, the player whose tricks they are scores"
            " {points}, whoever revoked.",
            points=total,
        ),
        cases=(
            Case(
                _("Nobody speaks of a revoke"),
                (_("Lay the tricks apart again, and play on. It costs nothing."),),
            ),
            Case(
                _("A revoke is claimed, and those tricks should prove it"),
                (
                    _("Stop playing, and look whether the trick can still be found."),
                    _(
                        "If not, write down {points} for the player whose tricks are mixed, and 0"
                        " for the others.",
                        points=total,
                    ),
                    _(
                        "A revoke that other tricks prove costs its player {points} too.",
                        points=total,
                    ),
                    after_a_stop(rules, words),
                ),
            ),
        ),
        deadline=claim_deadline(rules, words),
        price=joined(
            _(
                "{points}, even if somebody else revoked, and even if the claim was mistaken.",
                points=total,
            ),
            in_stakes(rules, words),
        ),
        exempt=(
            _("Tricks that lie askew, but can still be told apart: the trick claimed decides."),
        ),
        example=_(
            "Paul says that Louise has revoked in a trick that Anne won. Anne has thrown her tricks"
            " together, and nothing can be shown: Anne scores {points}, and the others nothing.",
            points=total,
        ),
        clauses=("I7", "I5"),
    )


def wrong_claim(rules: Ruleset, words: Words) -> Answer:
    """A revoke was claimed where there was none (I9)."""
    _ = words.t
    return Answer(
        short=_("A mistaken claim costs nothing. It is written down, and play goes on."),
        cases=one_case(
            _("Whoever claims names the player and the trick."),
            _("Look at that trick only, and turn it face down again."),
            _("Note the claim on the score sheet, without points."),
            _("Play on where you stopped."),
        ),
        deadline=claim_deadline(rules, words),
        price=_("Nothing."),
        exempt=(
            _("A claim that cannot be checked because the tricks are mixed: that one has a price."),
        ),
        example=_(
            "Paul says that Anne had a diamond in the fourth trick. The trick shows that she"
            " followed suit: nobody scores anything for it, and the deal goes on."
        ),
        clauses=("I9", "I6", "I7"),
        silent=(
            _(
                "The rules here set no limit to mistaken claims. Where they are a nuisance, the"
                " table usually agrees on one before the next deal."
            ),
        ),
    )


def short_hand(rules: Ruleset, words: Words) -> Answer:
    """A hand has run out of cards too early (I8)."""
    _ = words.t
    return Answer(
        short=_(
            "A hand that is one card short takes the last trick. A hand that is several short takes"
            " every trick it cannot play to."
        ),
        cases=(
            Case(
                _("One card is missing"),
                (
                    _("Play on to the last trick, to which the others play as usual."),
                    _("That trick goes to the hand that is short, whatever lies in it."),
                ),
            ),
            Case(
                _("Several cards are missing"),
                (
                    _("Each trick to which that hand cannot play goes to it."),
                    _("The player to its left leads to the next one."),
                ),
            ),
        ),
        deadline=_("Before the first card is played, a wrong number of cards is a misdeal."),
        price=_("The points in those tricks."),
        exempt=(
            _("A card that lies on the floor: pick it up, and play on."),
            _("A hand that is short because a card was played out of turn: it lies on the table."),
        ),
        example=_short_example(rules, words),
        clauses=("I8", "I1"),
        silent=(
            _(
                "The rules here do not say what becomes of a hand with a card too many. Usually"
                " the deal is void, and the same dealer deals again."
            ),
        ),
    )


def _short_example(rules: Ruleset, words: Words) -> str:
    _ = words.t
    worth = rules.values.get(QUEEN, 0)
    if worth <= 0:
        return _("In the last trick Anne has no card left. A heart falls in it: it is hers.")
    return _(
        "In the last trick Anne has no card left, and the queen of spades falls in it: the trick"
        " is Anne's, and she scores {points} for the queen.",
        points=words.points(worth),
    )


def seen_card(rules: Ruleset, words: Words) -> Answer:
    """A player has let a card be seen: the rules say nothing of it."""
    _ = words.t
    return Answer(
        short=_(
            "The rules here name no penalty: the card goes back to the hand, and play goes on."
        ),
        cases=one_case(
            _("Take the card back into the hand, and say no more about it."),
            _("It may be played whenever it could have been played anyhow."),
        ),
        deadline=_("There is none."),
        price=_("Nothing."),
        exempt=(
            _("A card that the dealer shows while dealing: that is a misdeal."),
            _("A card laid on the table before one's turn: that is out of turn."),
        ),
        example=_(
            "Anne drops her cards, and everybody sees the king of spades. She picks it up and plays"
            " it when she likes."
        ),
        clauses=("I1", "I2"),
        silent=(
            _(
                "The rules here punish only the dealer for showing a card. In other games such a"
                " card must lie open and be played at the first chance; in Hearts hardly anybody"
                " does so."
            ),
        ),
    )


# Scores and stakes


def wrong_sum(rules: Ruleset, words: Words) -> Answer:
    """The scores of a deal do not add up (S6)."""
    _, _n = words.t, words.n
    steps = []
    due = asked(rules)
    hearts = (rules.deck_mask & HEARTS).bit_count()
    if due.ranked:
        whole = words.points(due.hearts)
        steps.append(_("Add up what the hearts count: all of them make {points}.", points=whole))
    elif hearts:
        steps.append(
            _n("Look who has the only heart.", "Count the hearts: there are {count}.", hearts)
        )
    worth = rules.values.get(QUEEN, 0)
    if worth > 0 and due.queen:
        steps.append(
            _("See who has the queen of spades, and add {points}.", points=words.points(worth))
        )
    steps += _other_cards(due, words)
    if due.trickless:
        points = words.points(-rules.points.no_tricks)
        steps.append(_("Take {points} off for everybody without a trick.", points=points))
    if rules.kitty_size and rules.deck.kitty is Kitty.FIRST_TRICK:
        steps.append(_("Count the kitty with the tricks of whoever won the first one."))
    elif rules.kitty_size:
        steps.append(_("Count the kitty with the tricks of whoever took it."))
    steps.append(_("If points are still missing, look for the card: it may not be in the pack."))
    return Answer(
        short=joined(
            _("Count again until they do:"),
            *sums_told(rules, words),
        ),
        cases=one_case(*steps),
        deadline=_("Best before the next deal, while the tricks still lie there."),
        price=_("Nothing."),
        exempt=(
            _("A deal that a revoke or mixed tricks have stopped: only penalties count there."),
        ),
        example=_wrong_sum_example(rules, words),
        clauses=("S6", "I8"),
        silent=(
            _(
                "The rules here do not say how long a score can be put right. The score-keeper of"
                " Volte lets any earlier deal be corrected, and keeps the correction on record."
            ),
        ),
    )


_EACH: Final = {
    True: N_("Add {points} for each."),
    False: N_("Take {points} off for each."),
}


def _other_cards(due: Asked, words: Words) -> Iterator[str]:
    """What the cards besides the hearts and the only queen count."""
    _ = words.t
    for each in due.cards:
        if each.card is QUEEN and each.copies == 1:
            continue
        points = words.points(abs(each.points))
        if each.card is JACK and each.points == -10 and each.copies == 1:
            yield _("See who has the jack of diamonds, and take 10 off.")
        elif each.copies > 1:
            told = _("See who has this card, which is there twice: {card}.", card=each.card)
            more = _EACH[each.points > 0]
            yield joined(told, words.t(more, points=points))
        elif each.points > 0:
            yield _("See who has {card:the}, and add {points}.", card=each.card, points=points)
        else:
            yield _("See who has {card:the}, and take {points} off.", card=each.card, points=points)


def _wrong_sum_example(rules: Ruleset, words: Words) -> str:
    _ = words.t
    total, hearts = sum_due(rules), hearts_of(rules)
    plain = all(worth == 1 for worth in hearts.values())
    if plain or not hearts:
        return _(
            "The scores add up to {less}, and {total} are due: one heart has not been counted.",
            less=total - 1,
            total=total,
        )
    return _(
        "The scores add up to {less}, and {total} are due: {card:the} has not been counted.",
        less=total - hearts[max(hearts)],
        total=total,
        card=max(hearts),
    )


def tie(rules: Ruleset, words: Words) -> Answer:
    """Several players have the lowest total (M2, E1, E2)."""
    _ = words.t
    ended = "E1" if rules.ending.match_end.kind is EndKind.DEALS else "E2"
    deadline = _("Before anybody pays.")
    price = _("Nothing.")
    win = _("They share the win.")
    if rules.ending.ties is Ties.PLAY_ON and rules.stakes.settlement is not Settlement.POT:
        return played_on(words)
    match rules.stakes.settlement:
        case Settlement.DIFFERENCE:
            return Answer(
                short=_(
                    "They share equally what the losers pay. What is left over goes to one of them,"
                    " by lot."
                ),
                cases=one_case(
                    _("Each loser pays the difference to the lowest total."),
                    _("Each winner takes the same number of whole stakes."),
                    *_lots(words),
                ),
                deadline=deadline,
                price=_("The stakes of the losers, and nothing else."),
                exempt=_no_tie(rules, words),
                example=_(
                    "Totals of 3, 3, 9 and 10: the losers pay 6 and 7, which makes 13. Each winner"
                    " takes 6, and one of them, by lot, the 13th."
                ),
                clauses=("M2", "M1", ended),
            )
        case Settlement.POT:
            return Answer(
                short=_(
                    "The pot is not for the lowest total but for whoever has no points. Several"
                    " such players share it, and what is left over goes to one of them, by lot."
                ),
                cases=one_case(
                    _("Each of those without points takes the same number of whole stakes."),
                    *_lots(words),
                ),
                deadline=_("Before the next deal."),
                price=price,
                exempt=(_("A tie of players who have points: none of them takes the pot."),),
                example=_pot_example(rules, words),
                clauses=("M6", "M2", ended),
            )
        case Settlement.AVERAGE:
            return Answer(
                short=_(
                    "They share the win. In stakes, everybody pays or draws by the distance from"
                    " the average."
                ),
                cases=one_case(
                    _("Work out the average, and let everybody pay or draw the difference."),
                    _("What does not come out even is shared by lot, one stake at a time."),
                ),
                deadline=deadline,
                price=price,
                exempt=(),
                example=_(
                    "Totals of 10, 10, 40 and 44 have an average of 26. The first two draw 16 each,"
                    " and the others pay 14 and 18."
                ),
                clauses=("M5", ended),
            )
    return Answer(
        short=win,
        cases=one_case(_("Write all of them down as winners. No deal is played to decide.")),
        deadline=deadline,
        price=price,
        exempt=(_("A tie in the middle of the match: it decides nothing."),),
        example=_("Totals of 100, 40, 40 and 80: the two players with 40 points share the win."),
        clauses=(ended,),
    )


def _no_tie(rules: Ruleset, words: Words) -> tuple[str, ...]:
    _ = words.t
    losers = _("A tie among the losers: each of them pays what the difference is.")
    if one_deal(rules) and rules.moon.moon is not MoonRule.OFF:
        return losers, _("A moon: then whoever shot it wins alone.")
    return (losers,)


def _lots(words: Words) -> tuple[str, str]:
    _ = words.t
    return (
        _("If stakes are left over, each of them draws a card from the pack."),
        _("The highest card takes what is left over; equal cards draw again."),
    )


def _pot_example(rules: Ruleset, words: Words) -> str:
    _ = words.t
    part, over = divmod(rules.penalty_total, 2)
    told = _(
        "Anne and Paul have no points, and {pot} lie in the pot: each takes {part}.",
        pot=words.stakes(rules.penalty_total),
        part=part,
    )
    if over:
        told += " " + _("The last stake goes to one of them, by lot.")
    return told


def pot_left(rules: Ruleset, words: Words) -> Answer:
    """Everybody has points, so nobody takes the pot (M6)."""
    _ = words.t
    total = rules.penalty_total
    once, twice, thrice = (words.stakes(total * times) for times in (1, 2, 3))
    return Answer(
        short=_("The pot stays on the table, and the next deal adds to it."),
        cases=one_case(
            _("Everybody pays one stake into the pot for every point of the deal."),
            _(
                "Leave it there: {once} now, {twice} after another such deal.",
                once=once,
                twice=twice,
            ),
            _("If the match is over, it opens the next match at the same table or on the sheet."),
        ),
        deadline=_("It waits until a player has a deal without points."),
        price=_("What everybody has paid in, and nothing more."),
        exempt=_takes_the_pot(rules, words),
        example=_(
            "In three deals running everybody has points: {thrice} lie in the pot. In the fourth"
            " deal Anne has none, and takes it whole, with what that deal has added.",
            thrice=thrice,
        ),
        clauses=("M6",),
        silent=(
            _(
                "The rules here do not say what becomes of the pot when nobody wants to play on."
                " Usually it is shared equally, or waits for the next evening."
            ),
        ),
    )


def _takes_the_pot(rules: Ruleset, words: Words) -> tuple[str, ...]:
    _ = words.t
    alone = _("One player without points: the pot is taken whole.")
    below = rules.moon.slam is SlamRule.REVERSAL or rules.moon.moon not in (
        MoonRule.OFF,
        MoonRule.OTHERS_PLUS,
    )
    if below:
        return alone, _("A score below nothing: it neither pays into the pot nor takes it.")
    return (alone,)


def average(rules: Ruleset, words: Words) -> Answer:
    """The average does not come out even (M5)."""
    _ = words.t
    return Answer(
        short=_(
            "Everybody's difference is rounded down to whole stakes. What is then left over, or"
            " missing, is shared by lot among those below the average."
        ),
        cases=(
            Case(
                _("In every case"),
                (
                    _("Add all totals, and divide by the number of players."),
                    _("Whoever is above pays the difference, rounded down, into the pot."),
                    _("Whoever is below draws the difference, rounded down."),
                ),
            ),
            Case(
                _("Stakes are left in the pot"),
                (
                    _("Those below the average draw a card each."),
                    _("One stake goes to each of them, the highest card first, and round again."),
                ),
            ),
            Case(
                _("The pot falls short"),
                (
                    _("Those below the average draw a card each."),
                    _("Each of them gets one less, the lowest card first, and round again."),
                ),
            ),
        ),
        deadline=_("Before anybody pays."),
        price=_("A stake more or less, as the lots fall."),
        exempt=(_("Somebody exactly at the average: that player neither pays nor draws."),),
        example=_(
            "Totals of 8, 9, 9 and 0 have an average of 6.5. The first three pay 1, 2 and 2. The"
            " last could claim 6, and takes the 5 that lie in the pot."
        ),
        clauses=("M5",),
    )
