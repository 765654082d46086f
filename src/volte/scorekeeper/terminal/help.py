"""What can be typed at a score sheet just now, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import JACK, QUEEN, Card
from volte.rules import Settlement
from volte.say import Words
from volte.say.console import console_sentence
from volte.scorekeeper.model import DealNeeds, Sheet, lots_due, needs_of

_HEARTS = (4, 6, 3)


def key_lines(words: Words, sheet: Sheet) -> tuple[str, ...]:
    """The lines of the key `?`."""
    cards = _named_cards(needs_of(sheet.rules))
    params = {
        "names": ", ".join(sheet.names),
        "name": _short(sheet.names[0]),
        "example": example(words, sheet),
        "named": _named(words, sheet),
        "card": "".join(words.short(card) for card in cards[:1]),
        "cards": cards,
    }
    told = []
    for name in _names(sheet):
        given = params | {"example": _points(sheet)} if name == "score_keys_points" else params
        told.append(console_sentence(words, name, **given))
    return tuple(told)


def example(words: Words, sheet: Sheet) -> str:
    """A deal as it could be typed: "4 6q 3", the last player left out."""
    needs = needs_of(sheet.rules)
    queens = next((each.copies for each in needs.cards if each.card is QUEEN), 0)
    counts = _hearts(needs, len(needs.sides))
    return " ".join(
        str(count) + words.t("q") * (place in (1, 2)[:queens]) for place, count in enumerate(counts)
    )


def _hearts(needs: DealNeeds, groups: int) -> tuple[int, ...]:
    """Hearts that could have been taken, the last player, or side, left out."""
    if groups == 2:
        return needs.hearts // 3, needs.hearts - needs.hearts // 3
    if needs.ranked:
        return (*(needs.hearts // part for part in (3, 2, 10)), *[0] * groups)[: groups - 1]
    return (*_HEARTS, *[0] * groups)[: groups - 1]


def _points(sheet: Sheet) -> str:
    needs = needs_of(sheet.rules)
    rest = needs.total - needs.hearts
    counts = _hearts(needs, len(needs.sides))
    points = [count + rest * (place == 1) for place, count in enumerate(counts)]
    return f"= {' '.join(map(str, points))}"


def _named(words: Words, sheet: Sheet) -> str:
    needs = needs_of(sheet.rules)
    first, second = _short(sheet.names[0]), _short(sheet.names[1])
    few, queens = needs.hearts // 3, [each for each in needs.cards if each.card is QUEEN]
    return f"{first} {few} {second} {needs.hearts - few}{words.t('q') * bool(queens)}"


def _short(name: str) -> str:
    """The first word of a name, which mostly is enough of it."""
    return name.split()[0].lower()


def _names(sheet: Sheet) -> Iterator[str]:
    needs = needs_of(sheet.rules)
    if sheet.accepted:
        yield from ("score_keys_next", "score_keys_reopen")
    elif not sheet.table.over:
        kinds = [each.card for each in needs.cards]
        yield "score_keys_hearts" if QUEEN in kinds else "score_keys_plain_hearts"
        yield from _wider_names(needs)
        if JACK in kinds:
            yield "score_keys_jack"
        yield "score_keys_points"
        yield "score_keys_moon" if needs.all_tricks else "score_keys_moon_only"
        yield from ("score_keys_stopped", "score_keys_misdeal", "score_keys_missing")
    if not sheet.accepted:
        if sheet.table.over and not sheet.table.due:
            yield "score_keys_accept"
        if sheet.table.rows:
            yield "score_keys_fix"
        yield "score_keys_undo"
        if sheet.table.due:
            yield "score_keys_lots"
        elif lots_due(sheet):
            yield "score_keys_dealer"
    yield from ("score_keys_looks", "score_keys_turn")
    if sheet.seals:
        yield "score_keys_proof"
    if not sheet.accepted and sheet.rules.stakes.settlement is not Settlement.NONE:
        yield "score_keys_head"
    yield from ("score_keys_clerk", "score_keys_quit")


def _wider_names(needs: DealNeeds) -> Iterator[str]:
    """What only the wider family counts."""
    if needs.ranked:
        yield "score_keys_ranked"
    if needs.partners:
        yield "score_keys_sides"
    if any(each.copies > 1 for each in needs.cards):
        yield "score_keys_packs"
    if _named_cards(needs):
        yield "score_keys_cards"
    if needs.trickless:
        yield "score_keys_no_trick"
    if needs.way:
        yield "score_keys_way"


def _named_cards(needs: DealNeeds) -> tuple[Card, ...]:
    """The cards that are told by name."""
    return tuple(each.card for each in needs.others if each.card not in (QUEEN, JACK))
