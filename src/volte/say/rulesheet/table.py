"""The rule sheet up to the first card: aim, cards, deal and pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.cards import PACK_SIZE, Card, Rank, Suit
from volte.rules import EndKind, Kitty, MoonRule, Ruleset, Ties
from volte.say.rulesheet.parts import (
    SCATTERED,
    RuleLine,
    bonus_cards,
    bonus_mask,
    has_partners,
    moon_needs_more,
    one_deal,
    only_the_jack,
    pass_steps,
    passes,
    penalty_cards,
)
from volte.say.words import N_, Words


def aim(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    cards = penalty_cards(rules, words)
    if rules.moon.moon is MoonRule.OFF:
        yield RuleLine(_("Avoid taking {cards} in tricks.", cards=cards), ("S1", "S2"))
    elif moon_needs_more(rules):
        text = _(
            "Avoid taking {cards} in tricks, or else take every card that counts: that is shooting"
            " the moon.",
            cards=cards,
        )
        yield RuleLine(text, ("S1", "S2", "S3", "W7"))
    elif rules.penalty_mask.bit_count() == 1:
        yield RuleLine(_("Take {cards}: that alone is shooting the moon.", cards=cards), ("S3",))
    else:
        text = _(
            "Avoid taking {cards} in tricks, or else take every one of them: that is shooting"
            " the moon.",
            cards=cards,
        )
        yield RuleLine(text, ("S1", "S2", "S3"))
    if only_the_jack(rules):
        yield RuleLine(_("The jack of diamonds, on the contrary, is well worth taking."), ("S5",))
    elif bonus_mask(rules):
        text = _("On the contrary, it is worth taking {cards}.", cards=bonus_cards(rules, words))
        yield RuleLine(text, ("S5", "W5"))
    yield _winner(rules, words)


def _winner(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    sided = ("W10",) if has_partners(rules) else ()
    if one_deal(rules) and sided:
        text = _("The side with the fewest points wins.")
    elif one_deal(rules):
        text = _("The player with the fewest points wins.")
    elif sided:
        text = _("The side with the fewest points in the end wins.")
    else:
        text = _("The player with the fewest points in the end wins.")
    clause = "E1" if rules.ending.match_end.kind is EndKind.DEALS else "E2"
    return RuleLine(text, (clause, *sided))


def cards(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    if has_partners(rules):
        yield from _sides(rules, words)
    else:
        yield RuleLine(_("{count} players, each alone.", count=rules.players), ("D4",))
    yield _two_packs(rules, words) if rules.deck.packs == 2 else _one_pack(rules, words)
    if rules.deck.packs == 2:
        text = _(
            "So two cards may have the same name, and what these rules say of a card holds for both"
            " of them. Nobody needs to tell the packs apart."
        )
        yield RuleLine(text, ("W11",))
    text = _(
        "In each suit the ace is the highest card, then come the king, the queen, the jack, the 10"
        " and so on down. There are no trumps."
    )
    yield RuleLine(text, ("T2",))


def _sides(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    sides = [
        words.listed([str(seat + 1) for seat in side])  # as people count seats
        for side in rules.all_sides
    ]
    params = {"count": rules.players, "sides": len(sides), "partners": rules.sides.partners}
    yield RuleLine(_("{count} players, in {sides} sides of {partners}.", **params), ("D4", "W10"))
    if len(sides) > 2:
        seats = ["+".join(str(seat + 1) for seat in side) for side in rules.all_sides]
        text = _(
            "Partners sit as far from each other as can be: counted clockwise, the sides are"
            " {sides}.",
            sides=words.listed(seats),
        )
    elif rules.sides.partners == 2:
        text = _(
            "Partners sit opposite each other: counted clockwise, players {one} play together"
            " against players {other}.",
            one=sides[0],
            other=sides[1],
        )
    else:
        text = _(
            "Every other player is a partner: counted clockwise, players {one} play together"
            " against players {other}.",
            one=sides[0],
            other=sides[1],
        )
    yield RuleLine(text, ("W10",))


def _one_pack(rules: Ruleset, words: Words) -> RuleLine:
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
    return RuleLine(text, clauses)


def _two_packs(rules: Ruleset, words: Words) -> RuleLine:
    _ = words.t
    count, without = len(rules.cards), left_out(rules, words)
    if without and rules.deck.jokers:
        text = _(
            "Two packs of 52 cards without {without}, and with two jokers: {count} cards in all.",
            count=count,
            without=without,
        )
    elif without:
        text = _(
            "Two packs of 52 cards without {without}: {count} cards in all.",
            count=count,
            without=without,
        )
    elif rules.deck.jokers:
        text = _("Two whole packs of 52 cards and two jokers: {count} cards in all.", count=count)
    else:
        text = _("Two whole packs of 52 cards: {count} cards in all.", count=count)
    clauses = ("R-DECK", "D7", "W11") if rules.deck.jokers else ("R-DECK", "W11")
    return RuleLine(text, clauses)


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
    for card, *twin in copies.values():
        if twin:
            parts.append(words.pair(card, "the"))
        else:
            parts.append(
                words.t("one copy {card:of}", card=card) if two_packs else words.the_card(card)
            )
    return words.listed(parts)


def deal(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _, _n = words.t, words.n
    text = _(
        "The first dealer is drawn by lot: everybody draws a card and the lowest deals, the ace"
        " being high. Players who tie for lowest draw again."
    )
    yield RuleLine(text, ("D1",))
    if one_deal(rules):
        text = _("In the next match of the same players, the one to the dealer's left deals.")
    else:
        text = _(
            "After each deal, the player to the dealer's left deals next, also from one match to"
            " the next while the same players go on together."
        )
    yield RuleLine(text, ("D2",))
    text = _(
        "Every player adds to the shuffle; the part of the dealer's right-hand neighbour is the"
        " cut. So nobody can choose the cards, and anybody can check it afterwards."
    )
    yield RuleLine(text, ("D3",))
    text = _n(
        "The cards are dealt one by one, clockwise from the dealer's left: {count} card each.",
        "The cards are dealt one by one, clockwise from the dealer's left: {count} cards each.",
        rules.hand_size,
    )
    yield RuleLine(text, ("D4",))
    if rules.kitty_size:
        text = _n(
            "The card left over stays face down on the table: it is the kitty.",
            "The {count} cards left over stay face down on the table: they are the kitty.",
            rules.kitty_size,
        )
        yield RuleLine(text, ("D5",))
        yield _kitty(rules, words)


_KITTY: Final = {
    Kitty.FIRST_TRICK: N_(
        "Whoever wins the first trick takes the kitty with it and alone looks at it. It goes"
        " with the cards won, not into the hand, and its points count for its taker."
    ),
    Kitty.LAST_TRICK: N_(
        "Whoever wins the last trick takes the kitty with it and alone looks at it. Its"
        " points count for its taker."
    ),
    Kitty.FIRST_HEART: N_(
        "Whoever wins the first trick with a heart in it takes the kitty with it and alone"
        " looks at it; if no heart has been won before, it goes with the last trick. Its"
        " points count for its taker."
    ),
}


def _kitty(rules: Ruleset, words: Words) -> RuleLine:
    kitty = rules.deck.kitty
    text = words.t(_KITTY[kitty])
    clauses = ("D6",) if kitty is Kitty.FIRST_TRICK else ("D6", "W4")
    if rules.deck.packs == 2 and kitty is not Kitty.LAST_TRICK:
        text += " " + words.t("If that trick has to wait for its taker, so has the kitty.")
        clauses = (*clauses, "W11")
    return RuleLine(text, clauses)


def exchange(rules: Ruleset, words: Words) -> Iterator[RuleLine]:
    _ = words.t
    steps = pass_steps(rules)
    if not passes(rules):
        yield RuleLine(_("No cards are passed: play begins at once."), ("P1",))
        return
    yield _given(steps, rules, words)
    if SCATTERED in steps:
        text = _(
            "Where everybody gives one card to each of the others, the first card picked goes to"
            " the neighbour on the left, the next one to the player after that, and so on"
            " clockwise."
        )
        yield RuleLine(text, ("W1",))
    places = [_place(step, rules.players, words) for step in steps]
    clause = _pass_clause(steps, rules)
    if len(places) > 1:
        *others, last = places
        order = _("{first}, then {last}", first=", ".join(others), last=last)
        text = _("The pass changes from deal to deal: {places}.", places=order)
        if _starts_over(steps, rules):
            text += " " + _("Then it starts over.")
        yield RuleLine(text, (clause,))
    elif SCATTERED not in steps:
        if one_deal(rules):
            text = _("The pass goes {where}.", where=places[0])
        else:
            text = _("On every deal the pass goes {where}.", where=places[0])
        yield RuleLine(text, (clause,))


def _given(steps: tuple[int, ...], rules: Ruleset, words: Words) -> RuleLine:
    """How many cards each player gives, where any are passed."""
    _, _n = words.t, words.n
    if not any(step > 0 for step in steps):
        text = _(
            "Before play, each player gives one card to each of the others, unseen by the rest,"
            " and looks at what arrives only after having given."
        )
        return RuleLine(text, ("P1", "W1"))
    text = _n(
        "Before play, each player gives {count} card to another, unseen by the rest, and looks"
        " at what arrives only after having given.",
        "Before play, each player gives {count} cards to another, unseen by the rest, and looks"
        " at what arrives only after having given.",
        rules.passing.count,
    )
    return RuleLine(text, ("P1",))


def _place(step: int, players: int, words: Words) -> str:
    """Where the pass goes, that many seats to the left."""
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


def _pass_clause(steps: tuple[int, ...], rules: Ruleset) -> str:
    if SCATTERED in steps:
        return "W1"
    if steps == (1,):
        return "P2"
    return "P3" if rules.players == 4 and steps == (1, 3, 2, 0) else "R-PASS"


def _starts_over(steps: tuple[int, ...], rules: Ruleset) -> bool:
    end = rules.ending.match_end
    known = end.kind is EndKind.DEALS and rules.ending.ties is Ties.SHARE
    return not known or end.number > len(steps)
