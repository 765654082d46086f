"""What can be typed at a score sheet just now, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import JACK, QUEEN, Card
from volte.rules import Settlement
from volte.say import N_, Words
from volte.scorekeeper.model import Asked, Sheet, asked, lots_due

_HEARTS = (4, 6, 3)

POINTS_LINE = N_("Points instead, the last one left out: {example}")
"""Its example is in points, that of the others in hearts."""


def key_lines(words: Words, sheet: Sheet) -> tuple[str, ...]:
    """The lines of the key `?`."""
    cards = _named_cards(asked(sheet.rules))
    params = {
        "names": ", ".join(sheet.names),
        "name": _short(sheet.names[0]),
        "example": example(words, sheet),
        "named": _named(words, sheet),
        "card": "".join(words.short(card) for card in cards[:1]),
        "cards": cards,
    }
    told = []
    for line in _messages(sheet):
        given = params | {"example": _points(sheet)} if line == POINTS_LINE else params
        told.append(words.t(line, **given))
    return tuple(told)


def example(words: Words, sheet: Sheet) -> str:
    """A deal as it could be typed: "4 6q 3", the last player left out."""
    due = asked(sheet.rules)
    queens = next((each.copies for each in due.cards if each.card is QUEEN), 0)
    counts = _hearts(due, len(due.sides))
    return " ".join(
        str(count) + words.p("letter of the queen", "q") * (place in (1, 2)[:queens])
        for place, count in enumerate(counts)
    )


def _hearts(due: Asked, groups: int) -> tuple[int, ...]:
    """Hearts that could have been taken, the last player, or side, left out."""
    if groups == 2:
        return due.hearts // 3, due.hearts - due.hearts // 3
    if due.ranked:
        return (*(due.hearts // part for part in (3, 2, 10)), *[0] * groups)[: groups - 1]
    return (*_HEARTS, *[0] * groups)[: groups - 1]


def _points(sheet: Sheet) -> str:
    due = asked(sheet.rules)
    rest = due.total - due.hearts
    counts = _hearts(due, len(due.sides))
    told = [count + rest * (place == 1) for place, count in enumerate(counts)]
    return f"= {' '.join(map(str, told))}"


def _named(words: Words, sheet: Sheet) -> str:
    due = asked(sheet.rules)
    first, second = _short(sheet.names[0]), _short(sheet.names[1])
    few = due.hearts // 3
    queens = any(each.card is QUEEN for each in due.cards)
    letter = words.p("letter of the queen", "q") if queens else ""
    return f"{first} {few} {second} {due.hearts - few}{letter}"


def _short(name: str) -> str:
    """What is enough of a name, mostly."""
    return name.split()[0].lower()


def _messages(sheet: Sheet) -> Iterator[str]:
    due = asked(sheet.rules)
    if sheet.accepted:
        yield from (
            N_("“next”: another match, with the same players and the pot."),
            N_("“reopen”: something must be changed after all."),
        )
    elif not sheet.table.over:
        kinds = [each.card for each in due.cards]
        yield (
            N_(
                "Hearts in the order {names}, q behind those of whoever took the queen, the last"
                " one left out: {example}. Or by name, those with none left out: {named}."
            )
            if QUEEN in kinds
            else N_(
                "Hearts in the order {names}, the last one left out: {example}. Or by name:"
                " {named}."
            )
        )
        yield from _wider_messages(due)
        if JACK in kinds:
            yield N_("j behind the hearts of whoever took the jack of diamonds.")
        yield POINTS_LINE
        yield (
            N_("“moon {name}”, or m and the place: everything. “slam {name}” likewise.")
            if due.all_tricks
            else N_("“moon {name}”, or m and the place: that player took everything.")
        )
        yield from (
            N_("“revoke {name}”, “mixed {name}”: the deal is stopped (I5, I7)."),
            N_(
                "“misdeal exposed” for a card that was seen, “misdeal count” for too many or too"
                " few (I1)."
            ),
            N_("“missing 2h” behind a deal: cards that the pack lacks (I8)."),
        )
    if not sheet.accepted:
        if sheet.table.over and not sheet.table.due:
            yield N_("“accept”: everybody accepts the settlement. “next”: another match.")
        if sheet.table.rows:
            yield N_(
                "“fix 2” and a deal: what deal 2 should be; why may follow, “# {name}: counted"
                " again”. “fix m1” for the first misdeal. “strike 2” takes it out."
            )
        yield N_("U: takes the last entry back.")
        if sheet.table.due:
            yield N_(
                "“lots” draws the lots that are due; “lots anne ks, bruno 2h” if you drew them with"
                " cards."
            )
        elif lots_due(sheet):
            yield N_("“dealer {name}”: who dealt first. “lots” draws lots for it.")
    yield from (
        N_(
            "S: the scores. F: the whole sheet. N: who leads, and what the others need. G: the"
            " chart."
        ),
        N_("T: whose deal it is. E: stakes, and who pays whom. R: the rules."),
    )
    if sheet.seals:
        yield N_("“proof”: checks the lots that were drawn.")
    if not sheet.accepted and sheet.rules.stakes.settlement is not Settlement.NONE:
        yield N_("“stake 0.25 EUR”, “title …”, “name {name} …”: changes the head of the sheet.")
    yield from (
        N_("“what now revoke”: what to do when somebody has revoked, and so on."),
        N_("Q: leaves the sheet; every entry is saved already."),
    )


def _wider_messages(due: Asked) -> Iterator[str]:
    """What only the wider family counts."""
    if due.ranked:
        yield N_(
            "Hearts count their rank here, jack 11 to ace 14: type the sum of each player’s hearts."
        )
    if due.partners:
        yield N_("A number for each side will do, in the order of its first players.")
    if any(each.copies > 1 for each in due.cards):
        yield N_(
            "Two packs: each q or j stands for one of the two; behind one number both may stand."
        )
    if _named_cards(due):
        yield N_(
            "“{card} {name}” behind the hearts, and so on for the other cards that count: {cards}."
        )
    if due.trickless:
        yield N_("“no trick {name}” behind a deal: whoever took none; or “nobody”.")
    if due.way:
        yield N_("“minus” or “plus” behind a moon: as its shooter chooses.")


def _named_cards(due: Asked) -> tuple[Card, ...]:
    """The cards that are told by name."""
    return tuple(each.card for each in due.others if each.card not in (QUEEN, JACK))
