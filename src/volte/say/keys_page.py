"""The table of keys in the pages about the playroom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.say.keys import DIGITS, ON_PAGE, SEATS, Key, Keys
from volte.say.language import N_
from volte.say.texts import table as sentences
from volte.say.words import Words

PAGES: Final = {"en": "playroom.md", "fr": "playroom.fr.md"}
BEGIN: Final = "<!-- made by scripts/docs: begin -->\n"
END: Final = "<!-- made by scripts/docs: end -->\n"
HEADS: Final = (N_("on the page"), N_("at the terminal"), N_("does"))


def with_keys(page: str, lang: str) -> str:
    """The text of a page with the table of keys as it is now."""
    words = Words(lang)
    rows = [HEADS, *_rows(words)]
    cells = [[words.sentence(words.t(cell)) if cell else "" for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |\n" for row in cells]
    before, _, rest = page.partition(BEGIN)
    rest = rest.partition(END)[2]
    return "".join((before, BEGIN, lines[0], "|---|---|---|\n", *lines[1:], END, rest))


def _rows(words: Words) -> Iterator[tuple[str, str, str]]:
    """Yield what is pressed on the page, what is typed at the terminal, and its effect."""
    yield "`1`", "`1`", DIGITS
    yield words.t("Shift and {keys}", keys="`1`"), "`11`", SEATS
    yield "`.`", "", sentences("settings_page")["keys_do"]["type"]
    for key in Key:
        if key.sort is Keys.REPLAY:
            continue
        typed = f"`{key.letter}`" if key.letter else ""
        page = typed if key.sort in ON_PAGE else ""
        if key.single is not None:
            page = words.t("Shift and {keys}", keys=f"`{key.single.letter}`")
        yield page, typed, key.effect
