"""The rules clerk on dealing and passing: misdeals, the pack, the kitty, the pass."""

from __future__ import annotations

from volte.cards import QUEEN
from volte.rules import Kitty, Ruleset
from volte.say.rulesheet.parts import SCATTERED, pass_steps, passes
from volte.say.words import Words
from volte.scorekeeper.clerk.parts import Answer, Case, joined, one_case, sum_due
from volte.scorekeeper.clerk.wider import late_kitty
from volte.scorekeeper.model import asked
from volte.scorekeeper.model.pack import hearts_of


def exposed(rules: Ruleset, words: Words) -> Answer:
    """The dealer has shown a card (I1)."""
    _ = words.t
    return Answer(
        short=_("It is a misdeal: the dealer loses the deal, and the player to the left deals."),
        cases=one_case(
            _("Stop dealing. Nobody looks at any more cards."),
            *_deal_anew(words),
        ),
        deadline=_("Say so at once, at the latest before the first card is played."),
        price=_("No points. The dealer loses the turn to deal, and nothing else."),
        exempt=(
            _("A card that a player shows while picking up the hand: only the dealer can misdeal."),
        ),
        example=_(
            "Anne deals, and the 7 of diamonds turns over in front of Paul, who sits to her left."
            " The cards are gathered, and Paul deals."
        ),
        clauses=("I1", "D3"),
        silent=(
            _too_late(words),
            *_direction_kept(rules, words),
        ),
    )


def wrong_deal(rules: Ruleset, words: Words) -> Answer:
    """Too many cards for one, too few for another (I1)."""
    _ = words.t
    count = _("Count every hand: each must have {count} cards.", count=rules.hand_size)
    if rules.kitty_size:
        kitty = words.n(
            "The kitty must have {count} card.", "The kitty must have {count}.", rules.kitty_size
        )
        count = joined(count, kitty)
    return Answer(
        short=_(
            "Before the first card is played it is a misdeal: everything is gathered, and the"
            " player to the dealer's left deals."
        ),
        cases=(
            Case(_("No card has been played yet"), (count, *_deal_anew(words))),
            Case(
                _("Play has begun"),
                (
                    _("It is no misdeal any more: play on."),
                    _("A hand that runs out of cards too early pays for it with tricks."),
                ),
            ),
        ),
        deadline=_(
            "Until the first card is played. Best count your cards before you look at them."
        ),
        price=_("No points. The dealer loses the turn to deal, and nothing else."),
        exempt=_wrong_count_exempt(rules, words),
        example=_(
            "Anne counts {more} cards and Paul {fewer}. The dealer has lost the deal, and the"
            " player to the left begins again.",
            more=rules.hand_size + 1,
            fewer=rules.hand_size - 1,
        ),
        clauses=("I1", "I8"),
        silent=(
            _(
                "The rules here do not say what becomes of a hand with too many cards once play has"
                " begun. Usually the deal is void, and the same dealer deals again."
            ),
            _too_late(words),
            *_direction_kept(rules, words),
        ),
    )


def _deal_anew(words: Words) -> tuple[str, str]:
    _ = words.t
    return (
        _("Gather all the cards, and shuffle them again."),
        _("The player to the left deals; whoever has just lost the deal cuts."),
    )


def _too_late(words: Words) -> str:
    return words.t(
        "The rules here name no moment after which it is too late. Usually that is the first card"
        " played, and so it is at the refereed tables of Volte."
    )


def _direction_kept(rules: Ruleset, words: Words) -> tuple[str, ...]:
    if len(pass_steps(rules)) < 2:
        return ()
    text = words.t(
        "Nor do they say whether the pass turns after a misdeal. Usually it does not: the new deal"
        " takes the place of the one that was lost."
    )
    return (text,)


def _wrong_count_exempt(rules: Ruleset, words: Words) -> tuple[str, ...]:
    _ = words.t
    if passes(rules):
        return (
            _(
                "A wrong number of cards after the pass, where the deal was right: then the pass"
                " is put right."
            ),
        )
    return (_("A hand that is short because a card has fallen down: pick it up, and play on."),)


def wrong_pack(rules: Ruleset, words: Words) -> Answer:
    """A card is missing from the pack, or a strange one is in it (I8)."""
    _ = words.t
    if asked(rules).queen:
        less = sum_due(rules) - rules.values[QUEEN]
        example = _(
            "The queen of spades has stayed in the box. Everything else is counted as usual, and"
            " the scores of the deal add up to {points}.",
            points=words.points(less),
        )
    elif asked(rules).ranked or not hearts_of(rules):
        card = max(rules.values, key=lambda card: rules.values[card])
        example = _(
            "In the box is still {card:the}. Everything else is counted as usual, and the scores of"
            " the deal add up to {points}.",
            card=card,
            points=words.points(sum_due(rules) - rules.values[card]),
        )
    else:
        example = _(
            "A heart has stayed in the box. Everything else is counted as usual, and the scores of"
            " the deal add up to {points}.",
            points=words.points(sum_due(rules) - 1),
        )
    return Answer(
        short=_(
            "The deal counts all the same. A hand that is short pays with tricks, and points that"
            " are missing from the pack are left out of the count."
        ),
        cases=one_case(
            _("Look on the floor and in the box: a card that has fallen goes back to its hand."),
            _(
                "Count the pack: these rules are played with {count} cards.",
                count=len(rules.cards),
            ),
            _("If the card stays lost, play on: whoever is one card short takes the last trick."),
            _("Complete the pack before the next deal."),
        ),
        deadline=_("Before the first card is played, a wrong number of cards is a misdeal."),
        price=_("The points in the tricks that go to the hand that is short, and no others."),
        exempt=_meant_to_be_missing(rules, words),
        example=example,
        clauses=("I8", "I1"),
        silent=(
            _(
                "The rules here do not speak of a card too many, such as a joker or a card with"
                " another back. Usually the deal is void as soon as it is seen, and the same dealer"
                " deals again without it."
            ),
        ),
    )


def _meant_to_be_missing(rules: Ruleset, words: Words) -> tuple[str, ...]:
    _ = words.t
    if rules.deck.removed:
        text = _(
            "Cards that these rules leave out: {cards:the}.",
            cards=rules.deck.removed,
        )
        return (text,)
    if rules.kitty_size:
        return (_("Cards that lie in the kitty: they are not missing."),)
    return ()


def kitty(rules: Ruleset, words: Words) -> Answer:
    """The kitty was forgotten, or somebody has looked at it (D6)."""
    _ = words.t
    if rules.deck.kitty is not Kitty.FIRST_TRICK:
        return late_kitty(rules, words)
    return Answer(
        short=_(
            "The kitty belongs to whoever won the first trick, with all its points, and nobody else"
            " looks at it."
        ),
        cases=(
            Case(
                _("It was forgotten"),
                (
                    _("Whoever won the first trick takes it now, and alone looks at it."),
                    _("It goes with the tricks won, and its points count for that player."),
                ),
            ),
            Case(
                _("It was taken into the hand"),
                (_("Those cards come out of the hand again, and go with the tricks won."),),
            ),
            Case(
                _("Somebody else has looked at it"),
                (_("It still goes to whoever won the first trick. Play goes on."),),
            ),
        ),
        deadline=_("The rules here name none: at the latest when the points are counted."),
        price=_("Nothing: the rules here name no penalty."),
        exempt=(_("A look by whoever won the first trick: nobody else may, but the winner does."),),
        example=_(
            "At the count the scores add up to {less} instead of {total}. The missing heart lies in"
            " the kitty: it counts for Anne, who won the first trick.",
            less=sum_due(rules) - 1,
            total=sum_due(rules),
        ),
        clauses=("D6", "S6"),
        silent=(
            _(
                "What a forbidden look costs is not in the rules here. Usually it is left at a"
                " warning, or the deal is played again if everybody wants to."
            ),
        ),
    )


def _each_gives(rules: Ruleset, words: Words) -> str:
    """How many cards everybody gives; where some deals scatter, both are told (W1)."""
    ways = pass_steps(rules)
    count = rules.passing.count
    told = words.n("everybody gives one card", "everybody gives {count} cards", count)
    if SCATTERED not in ways:
        return told
    scattered = words.t("everybody gives one card to each of the others")
    others = any(way not in (0, SCATTERED) for way in ways)
    return f"{told}{words.t(' or ')}{scattered}" if others else scattered


def wrong_pass(rules: Ruleset, words: Words) -> Answer:
    """Wrong cards were passed, or somebody looked too soon (P1)."""
    _ = words.t
    each = _each_gives(rules, words)
    return Answer(
        short=_(
            "The rules say how to pass, but name no penalty: put it right before the first card is"
            " played."
        ),
        cases=(
            Case(
                _("Too few or too many cards were given"),
                (
                    _("Nobody looks at the cards that have arrived."),
                    _(
                        "Whoever gave too few adds what is missing; whoever gave too many takes"
                        " them back and chooses again: {each}.",
                        each=each,
                    ),
                ),
            ),
            Case(
                _("Somebody looked at the cards received before giving"),
                (_("That player now gives cards dealt at the start, and none of those received."),),
            ),
            Case(
                _("The cards went to the wrong player"),
                (_("They go on to the right one, unseen if nobody has looked yet."),),
            ),
        ),
        deadline=_(
            "Until the first card is played. After that a hand that is short takes the last trick."
        ),
        price=_("Nothing: the rules here name no penalty."),
        exempt=(
            _("Choosing other cards as long as nobody has received any: that is allowed."),
            _("Passing hearts or the queen of spades: any card may be passed."),
        ),
        example=_(
            "Paul has been given one card too few, and says so before he looks. Anne adds one, and"
            " the pass is as it should be."
        ),
        clauses=("P1", "C2", "I8"),
        silent=(
            _(
                "What is to be done when cards have been seen too soon is not in the rules here."
                " Usually the table decides together: play on, or deal again."
            ),
        ),
    )
