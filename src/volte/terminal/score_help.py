"""What can be typed at a score sheet just now, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from volte.rules import Settlement
from volte.scoresheet import Sheet, asked, lots_due
from volte.words import Words
from volte.words.console import console_sentence

_HEARTS = (4, 6, 3)


def key_lines(words: Words, sheet: Sheet) -> tuple[str, ...]:
    """The lines of the key `?`."""
    params = {
        "names": ", ".join(sheet.names),
        "name": _short(sheet.names[0]),
        "example": example(words, sheet),
        "named": _named(words, sheet),
    }
    told = []
    for name in _names(sheet):
        given = params | {"example": _points(sheet)} if name == "score_keys_points" else params
        told.append(console_sentence(words, name, **given))
    return tuple(told)


def example(words: Words, sheet: Sheet) -> str:
    """A deal as it could be typed: "4 6q 3", the last player left out."""
    queen = asked(sheet.rules).queen
    counts = (*_HEARTS, *[0] * 4)[: len(sheet.names) - 1]
    return " ".join(
        str(count) + words.t("q") * (queen and place == 1) for place, count in enumerate(counts)
    )


def _points(sheet: Sheet) -> str:
    queen = sheet.rules.penalty_total - asked(sheet.rules).hearts
    counts = (*_HEARTS, *[0] * 4)[: len(sheet.names) - 1]
    told = [count + queen * (place == 1) for place, count in enumerate(counts)]
    return f"= {' '.join(map(str, told))}"


def _named(words: Words, sheet: Sheet) -> str:
    due = asked(sheet.rules)
    first, second = _short(sheet.names[0]), _short(sheet.names[1])
    return f"{first} 4 {second} {due.hearts - 4}{words.t('q') * due.queen}"


def _short(name: str) -> str:
    """What is enough of a name, mostly."""
    return name.split()[0].lower()


def _names(sheet: Sheet) -> Iterator[str]:
    due = asked(sheet.rules)
    if sheet.accepted:
        yield from ("score_keys_next", "score_keys_reopen")
    elif not sheet.table.over:
        yield "score_keys_hearts" if due.queen else "score_keys_plain_hearts"
        if due.jack:
            yield "score_keys_jack"
        yield "score_keys_points"
        yield "score_keys_moon" if due.all_tricks else "score_keys_moon_only"
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
