"""The rule sheet's part on play. The duties stand in the order of T8."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import CLUBS, HEARTS, QUEENS, twin
from volte.rules import FirstTrickPoints, HeartsLead, Opening, QueenDiscard, Ruleset
from volte.say.rulesheet.parts import (
    RuleLine,
    bonus_cards,
    bonus_mask,
    has_hearts,
    has_queen,
    only_the_jack,
    passes,
    penalty_cards,
    queen_waits,
)
from volte.say.words import Words


def play(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    yield _opening(rules, words)
    duties = list(_duties(rules, words))
    on_discards = [line for line in duties if line.clauses != ("T4",)]
    if on_discards:
        text = _(
            "Whoever has a card of the suit led must play one. Whoever has none may play any card,"
            " within the limits that follow."
        )
    else:
        text = _(
            "Whoever has a card of the suit led must play one. Whoever has none may play any card."
        )
    yield RuleLine(text, ("T1",))
    yield from duties
    if len(on_discards) > 1 or (queen_waits(rules) and len(duties) > 1):
        text = _(
            "These duties count in the order in which they stand here. One that would leave no"
            " card to play is waived; those after it still hold for what is left."
        )
        yield RuleLine(text, ("T8",))
    if rules.deck.jokers:
        yield from _jokers(words)
    text = _("The highest card of the suit led takes the trick, and its winner leads to the next.")
    yield RuleLine(text, ("T2",))
    if rules.deck.packs == 2:
        yield from _cancelling(words)


def _opening(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    if rules.play.opening is Opening.ELDEST:
        text = _("The player to the dealer's left, the eldest hand, leads to the first trick.")
        return RuleLine(text, ("L1",))
    club = rules.lowest_club(rules.deck_mask)
    twice = rules.deck.packs == 2 and bool(twin(club).bit & rules.deck_mask)
    if rules.play.opening is Opening.ANY_CLUB:
        return RuleLine(" ".join(_any_club(rules, words)), ("L2", "W2"))
    if passes(rules):
        text = _("Whoever holds {club:the} after the pass leads it to the first trick.", club=club)
    else:
        text = _("Whoever holds {club:the} leads it to the first trick.", club=club)
    if twice:
        text += " " + _("If two players hold one, the table says which of them leads.")
    if rules.kitty_size:
        text += " " + _("If it lies in the kitty, the lowest club that a hand holds is led.")
    return RuleLine(text, ("L2", "W11") if twice else ("L2",))


def _any_club(rules: Ruleset, words: Words) -> Iterator[str]:
    """Who leads a club of their own choice (W2)."""
    _ = words.t
    club = rules.lowest_club(rules.deck_mask)
    if passes(rules):
        yield _(
            "Whoever holds {club:the} after the pass leads to the first trick, with any club.",
            club=club,
        )
    else:
        yield _("Whoever holds {club:the} leads to the first trick, with any club.", club=club)
    if rules.deck.packs == 2 and twin(club).bit & rules.deck_mask:
        yield _("If two players hold one, the table says which of them leads.")
    if rules.kitty_size:
        yield _("If it lies in the kitty, whoever holds the lowest club leads.")


def _duties(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    if _points_are_barred(rules):
        yield RuleLine(_first_trick(rules, words), ("T3",))
    if queen_waits(rules):
        yield RuleLine(_waiting_queen(rules, words), ("W3",))
    if has_queen(rules) and rules.play.queen_discard is QueenDiscard.FORCED:
        yield RuleLine(_forced_queen(rules, words), ("T5",))
    if has_queen(rules) and rules.play.queen_discard is QueenDiscard.BARRED:
        yield RuleLine(_barred_queen(rules, words), ("T6",))
    if has_hearts(rules) and rules.play.hearts_from_trick > 1:
        yield RuleLine(_late_hearts(rules, words), ("T7",))
    if has_hearts(rules) and rules.play.hearts_lead is HeartsLead.ONCE_BROKEN:
        yield RuleLine(_broken_hearts(rules, words), ("T4",))


def _points_are_barred(rules: Ruleset) -> bool:
    """Whether the first trick has a duty of its own, beyond keeping hearts for later (T7)."""
    if rules.play.first_trick_points is FirstTrickPoints.ALLOWED:
        return False
    return bool(rules.penalty_mask & ~HEARTS) or rules.play.hearts_from_trick == 1


def _queen_is_barred_first(rules: Ruleset) -> bool:
    return _points_are_barred(rules) and bool(rules.penalty_mask & QUEENS)


def _first_trick(rules: Ruleset, words: Words) -> str:
    _ = words.t
    text = _(
        "On the first trick {cards} may not be discarded, unless the hand holds nothing else.",
        cards=penalty_cards(rules, words),
    )
    if only_the_jack(rules):
        text += " " + _("The jack of diamonds may.")
    elif bonus_mask(rules):
        text += " " + _("It is allowed to discard {cards} there.", cards=bonus_cards(rules, words))
    opening = rules.play.opening
    clubs = opening is Opening.ANY_CLUB and bool(rules.penalty_mask & CLUBS)
    if opening is Opening.ELDEST or clubs:
        text += " " + _("Only discards are barred by this, not the lead.")
    return text


def _waiting_queen(rules: Ruleset, words: Words) -> str:
    _ = words.t
    if has_hearts(rules):
        text = _(
            "The queen of spades may be neither led nor discarded before a heart has been played,"
            " unless the hand holds nothing else. Following suit with it is always free."
        )
    else:
        text = _(
            "The queen of spades may be neither led nor discarded, unless the hand holds nothing"
            " else. Following suit with it is always free."
        )
    if _queens_can_break(rules):
        text += " " + _("The other queen of spades opens the way for it too.")
    return text


def _queens_can_break(rules: Ruleset) -> bool:
    """Whether one queen of two packs may free the other, by breaking hearts (W3, W11)."""
    return rules.play.queen_breaks_hearts and rules.deck_mask & QUEENS == QUEENS


def _forced_queen(rules: Ruleset, words: Words) -> str:
    _ = words.t
    text = _(
        "The queen of spades must be discarded the first time its holder cannot follow suit."
        " Leading it, or following suit with it, is always free."
    )
    if queen_waits(rules):
        text = _(
            "The queen of spades must be discarded the first time its holder cannot follow suit."
            " Following suit with it is always free."
        )
        return text + " " + _("If another rule kept it in the hand, it goes the next time.")
    if _queen_is_barred_first(rules):
        text += " " + _("If it had to be kept on the first trick, it goes the next time.")
    return text


def _barred_queen(rules: Ruleset, words: Words) -> str:
    _ = words.t
    if queen_waits(rules):
        text = _(
            "The queen of spades may not be discarded the first time its holder cannot follow suit,"
            " unless the hand holds nothing else; from the next time on this rule leaves it free."
        )
    else:
        text = _(
            "The queen of spades may not be discarded the first time its holder cannot follow suit,"
            " unless the hand holds nothing else; from the next time on it may."
        )
    if _queen_is_barred_first(rules):
        text += " " + _("Being void on the first trick counts as that first time.")
    return text


def _late_hearts(rules: Ruleset, words: Words) -> str:
    return words.n(
        "On the first trick no heart may be led or discarded, unless the hand holds nothing else.",
        "On the first {count} tricks no heart may be led or discarded, unless the hand holds"
        " nothing else.",
        rules.play.hearts_from_trick - 1,
    )


def _broken_hearts(rules: Ruleset, words: Words) -> str:
    _ = words.t
    if queen_waits(rules):
        text = _(
            "Hearts may not be led until they are broken, that is until a heart has been played in"
            " an earlier trick, unless the hand holds only hearts, or only hearts and the queen of"
            " spades."
        )
    else:
        text = _(
            "Hearts may not be led until they are broken, that is until a heart has been played in"
            " an earlier trick, unless the hand holds only hearts."
        )
    if not has_queen(rules):
        return text
    if rules.play.queen_breaks_hearts:
        return text + " " + _("The queen of spades breaks hearts too.")
    return text + " " + _("The queen of spades does not break hearts.")


def _cancelling(words: Words) -> Iterator[RuleLine]:
    """What two equal cards in a trick do (W11)."""
    _ = words.t
    text = _(
        "Two equal cards in the same trick cancel each other: neither of them can take it, though"
        " both count for whoever does."
    )
    yield RuleLine(text, ("W11",))
    text = _(
        "If no other card of the suit led is left, nobody takes the trick for the moment. Whoever"
        " led it leads again, and whoever takes the next one takes it as well. On the last trick,"
        " whoever led it takes it, with all that waits."
    )
    yield RuleLine(text, ("W11",))


def _jokers(words: Words) -> Iterator[RuleLine]:
    _ = words.t
    text = _(
        "A joker has no suit, no rank and no points. It may be discarded by whoever cannot follow"
        " suit, and never takes a trick."
    )
    yield RuleLine(text, ("D7",))
    text = _(
        "When a joker is led, the next card that is not a joker sets the suit. Whoever plays that"
        " card is bound only by what binds a leader."
    )
    yield RuleLine(text, ("D7",))
