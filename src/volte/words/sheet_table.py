"""The rule sheet up to the first card: aim, cards, deal and pass."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import Rank, Suit
from volte.rules import EndKind, MoonRule, Ruleset
from volte.words.sheet_parts import (
    Line,
    has_bonus_jack,
    one_deal,
    pass_steps,
    passes,
    penalty_cards,
)
from volte.words.words import Words


def aim(rules: Ruleset, words: Words) -> Iterator[Line]:
    _ = words.t
    cards = penalty_cards(rules, words)
    if rules.moon.moon is MoonRule.OFF:
        yield Line(_("Avoid taking {cards} in tricks.", cards=cards), ("S1", "S2"))
    elif rules.penalty_mask.bit_count() == 1:
        yield Line(_("Take {cards}: that alone is shooting the moon.", cards=cards), ("S3",))
    else:
        text = _(
            "Avoid taking {cards} in tricks, or else take every one of them: that is shooting"
            " the moon.",
            cards=cards,
        )
        yield Line(text, ("S1", "S2", "S3"))
    if has_bonus_jack(rules):
        yield Line(_("The jack of diamonds, on the contrary, is well worth taking."), ("S5",))
    if one_deal(rules):
        yield Line(_("The player with the fewest points wins."), ("E1",))
    else:
        clause = "E1" if rules.ending.match_end.kind is EndKind.DEALS else "E2"
        yield Line(_("The player with the fewest points in the end wins."), (clause,))


def cards(rules: Ruleset, words: Words) -> Iterator[Line]:
    _, _n = words.t, words.n
    count = len(rules.cards)
    without = left_out(rules, words)
    clauses: tuple[str, ...] = ("R-DECK", "D7") if rules.deck.jokers else ("R-DECK",)
    if without and rules.deck.jokers:
        text = _n(
            "The pack of 52 cards without {without}, and with two jokers: {count} card in all.",
            "The pack of 52 cards without {without}, and with two jokers: {count} cards in all.",
            count,
            without=without,
        )
    elif without:
        text = _n(
            "The pack of 52 cards without {without}: {count} card in all.",
            "The pack of 52 cards without {without}: {count} cards in all.",
            count,
            without=without,
        )
    elif rules.deck.jokers:
        text = _("The whole pack of 52 cards and two jokers: 54 cards in all.")
    else:
        text, clauses = _("The whole pack of 52 cards."), ("D4",)
    yield Line(_("{count} players, each alone.", count=rules.players), ("D4",))
    yield Line(text, clauses)
    text = _(
        "In each suit the ace is the highest card, then come the king, the queen, the jack, the 10"
        " and so on down. There are no trumps."
    )
    yield Line(text, ("T2",))


def left_out(rules: Ruleset, words: Words) -> str:
    """The removed cards: "the four 3s and the 2 of diamonds"; empty when there are none."""
    _ = words.t
    removed, parts = set(rules.deck.removed), []
    for rank in Rank:
        four = {card for card in removed if card.rank is rank}
        if len(four) == len(Suit) and rank <= Rank.TEN:
            parts.append(_("the four {rank}s", rank=int(rank)))
            removed -= four
    parts += [words.the_card(card) for card in sorted(removed)]
    return words.listed(parts)


def deal(rules: Ruleset, words: Words) -> Iterator[Line]:
    _, _n = words.t, words.n
    text = _(
        "The first dealer is drawn by lot: everybody draws a card and the lowest deals, the ace"
        " being high. Players who tie for lowest draw again."
    )
    yield Line(text, ("D1",))
    if not one_deal(rules):
        yield Line(_("After each deal, the player to the dealer's left deals next."), ("D2",))
    text = _(
        "Every player adds to the shuffle; the part of the dealer's right-hand neighbour is the"
        " cut. So nobody can choose the cards, and anybody can check it afterwards."
    )
    yield Line(text, ("D3",))
    text = _n(
        "The cards are dealt one by one, clockwise from the dealer's left: {count} card each.",
        "The cards are dealt one by one, clockwise from the dealer's left: {count} cards each.",
        rules.hand_size,
    )
    yield Line(text, ("D4",))
    if rules.kitty_size:
        text = _n(
            "The card left over stays face down on the table: it is the kitty.",
            "The {count} cards left over stay face down on the table: they are the kitty.",
            rules.kitty_size,
        )
        yield Line(text, ("D5",))
        text = _(
            "Whoever wins the first trick takes the kitty with it and alone looks at it. It goes"
            " with the cards won, not into the hand, and its points count for its taker."
        )
        yield Line(text, ("D6",))


def exchange(rules: Ruleset, words: Words) -> Iterator[Line]:
    _, _n = words.t, words.n
    steps = pass_steps(rules)
    if not passes(rules):
        yield Line(_("No cards are passed: play begins at once."), ("P1",))
        return
    text = _n(
        "Before play, each player gives {count} card to another, unseen by the rest, and looks"
        " at what arrives only after having given.",
        "Before play, each player gives {count} cards to another, unseen by the rest, and looks"
        " at what arrives only after having given.",
        rules.passing.count,
    )
    yield Line(text, ("P1",))
    places = [_place(step, rules.players, words) for step in steps]
    clause = _pass_clause(steps, rules)
    if one_deal(rules):
        yield Line(_("The pass goes {where}.", where=places[0]), (clause,))
    elif len(places) == 1:
        yield Line(_("On every deal the pass goes {where}.", where=places[0]), (clause,))
    else:
        text = _("The pass changes from deal to deal: {places}.", places=_then(places, words))
        if _starts_over(steps, rules):
            text += " " + _("Then it starts over.")
        yield Line(text, (clause,))


def _place(step: int, players: int, words: Words) -> str:
    """Where the pass goes, that many seats to the left."""
    _ = words.t
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


def _then(places: list[str], words: Words) -> str:
    _ = words.t
    *others, last = places
    return _("{first}, then {last}", first=", ".join(others), last=last)


def _pass_clause(steps: tuple[int, ...], rules: Ruleset) -> str:
    if steps == (1,):
        return "P2"
    return "P3" if rules.players == 4 and steps == (1, 3, 2, 0) else "R-PASS"


def _starts_over(steps: tuple[int, ...], rules: Ruleset) -> bool:
    end = rules.ending.match_end
    return end.kind is EndKind.LIMIT or end.number > len(steps)
