"""Sentences of the catalogues: some drawn for a reader, their marks counted, those that changed.

    python benchmarks/words.py draw fr --seed cloche [--count 200]
    python benchmarks/words.py count benchmarks/words/*.txt
    python benchmarks/words.py changed REVISION [--list]

A reader of `draw` sees sentences without their source, in an order by chance, with a name, a card
or a number in their places as far as these can be guessed, and writes `natural`, `odd` or `wrong`
before each, and the reason behind it.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from string import Formatter
from typing import Final, NamedTuple

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from volte.cards import Card, Suit
from volte.game import Player
from volte.say import Words

ROOT: Final = Path(__file__).resolve().parent.parent
CATALOGUE: Final = "src/volte/say/locale/{}/LC_MESSAGES/volte.po"
MARKS: Final = ("natural", "odd", "wrong")

WHERE: Final = {
    "say/rulesheet": "rules of a game",
    "say/faults": "error",
    "say/texts/faults": "error",
    "say/texts/refusals": "refused at the table",
    "say/texts/script": "the table's page: button or announcement",
    "say/texts/server": "answer of a server",
    "say/texts/reasons": "why a card is good",
    "say/texts/options": "meaning of an option",
    "say/texts/settings": "settings",
    "say/texts": "page or form",
    "say": "said at the table",
    "table": "said at the table",
    "lessons": "lesson or puzzle",
    "scorekeeper": "score sheet for real cards",
    "terminal": "terminal",
    "console": "terminal",
    "cli": "help of a command",
    "lab": "report of a simulation",
}
"""Places in which a sentence stands, by the beginning of its source; else a page."""

CARDS: Final = (Card("QS"), Card("AH"), Card("7C"))
KNOWN: Final[dict[str, object]] = {
    "card": CARDS[0],
    "queen": CARDS[0],
    "lowest_club": Card("2C"),
    "cards": CARDS[1:],
    "suit": Suit.HEARTS,
    "suits": (Suit.CLUBS, Suit.HEARTS),
    "names": "Anne, Paul",
    "players": 4,
    "count": 3,
    "number": 3,
    "trick": 5,
    "tricks": 13,
    "points": 13,
    "total": 26,
    "limit": 100,
    "seconds": 20,
    "minutes": 5,
    "rules": "La Dame de pique",
    "preset": "La Dame de pique",
    "game": "La Dame de pique",
    "date": "30/11/2026",
    "time": "20:30",
    "path": "anne.volte",
    "file": "anne.volte",
}
PEOPLE: Final = (
    {"player", "name", "who", "host", "winner", "taker", "left", "right", "across"}
    | {"does", "theirs", "bot", "dealer", "cutter", "giver", "partner", "other"}
)  # fmt: skip


class Values(dict[str, object]):
    """Values for places: people, cards and numbers by name, else the name of the place."""

    def __init__(self, seed: str) -> None:
        super().__init__(KNOWN)
        self._person = Player(Random(seed).choice(("Anne", "Paul", "Émile", "Luc")))

    def __missing__(self, place: str) -> object:
        return self._person if place in PEOPLE else f"‹{place}›"


class Sentence(NamedTuple):
    """One form of a message, as it stands in the catalogue."""

    source: str
    context: str | None
    id: str
    text: str
    one: bool = False  # whether it is the form for a single thing


def read(lang: str, revision: str = "") -> list[Message]:
    """The messages of a language at a revision; English ones have no text of their own."""
    path = CATALOGUE.format({"en": "fr", "fr-CA": "fr_CA"}.get(lang, lang))
    if revision:
        command = ["git", "show", f"{revision}:{path}"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout
    else:
        found = (ROOT / path).read_bytes()
    return [message for message in read_po(io.BytesIO(found)) if message.id]


def sentences(lang: str, revision: str = "") -> list[Sentence]:
    """Every sentence of a language, those in two forms twice."""
    found = []
    for message in read(lang, revision):
        ids, texts = (
            (each,) if isinstance(each, str) else tuple(each or ())
            for each in (message.id, message.string)
        )
        source = message.locations[0][0].removeprefix("src/volte/")
        for number, id in enumerate(ids):
            text = id if lang == "en" else texts[number]
            one = len(ids) > 1 and not number
            found.append(Sentence(source, message.context, id, text, one))
    return found


def filled(words: Words, each: Sentence) -> str:
    """A sentence with something in its places, where their forms allow it."""
    text, values = each.text, Values(each.text)
    if each.source.startswith("history/"):  # given there with their articles
        values["cards"] = words.format_field(CARDS[1:], "the")
    if each.one:
        values |= {name: 1 for name, value in KNOWN.items() if isinstance(value, int)}
    try:
        return "".join(
            before if place is None else before + words.format_field(values[place], form or "")
            for before, place, form, _ in Formatter().parse(text)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return re.sub(r"\{(\w+)[^}]*\}", r"‹\1›", text)


def draw(lang: str, seed: str, count: int) -> None:
    words = Words(lang)
    chosen = sentences(lang)
    Random(f"{seed} {lang}").shuffle(chosen)
    for number, each in enumerate(chosen[:count], 1):
        where = next((told for start, told in WHERE.items() if each.source.startswith(start)), "")
        context = f"; meaning: {each.context}" if each.context else ""
        print(f"{number} [{where or 'page'}{context}] {filled(words, each)}")


def count(paths: list[Path]) -> None:
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        marks = Counter(line.split(maxsplit=1)[0] for line in lines if line.startswith(MARKS))
        total = marks.total()
        told = ", ".join(f"{marks[mark]} {mark}" for mark in MARKS)
        print(f"{path.name}: {total} sentences, {told}: {marks['natural'] / total:.1%} natural")


def pairs(lang: str, revision: str) -> Iterator[tuple[Sentence | None, Sentence | None]]:
    """Pair sentences of a revision with those of today; None where one is new or has gone."""
    before, after = sentences(lang, revision), sentences(lang)
    for source in sorted({each.source for each in (*before, *after)}):
        old = [each for each in before if each.source == source]
        new = [each for each in after if each.source == source]
        blocks = SequenceMatcher(None, [each.id for each in old], [each.id for each in new], False)
        for kind, a, b, c, d in blocks.get_opcodes():
            if kind == "equal":
                yield from zip(old[a:b], new[c:d], strict=True)
                continue
            left = new[c:d]
            for each in old[a:b]:
                like = max(left, key=lambda other: _likeness(each, other), default=None)
                if like is not None and _likeness(each, like) > 0.3:
                    left.remove(like)
                else:
                    like = None
                yield each, like
            yield from ((None, each) for each in left)


def _likeness(one: Sentence, other: Sentence) -> float:
    return max(
        SequenceMatcher(None, a, b).ratio() for a, b in ((one.id, other.id), (one.text, other.text))
    )


def kind_of(before: str, after: str) -> str:
    """In what a sentence differs from the one that it takes the place of."""

    def letters(text: str) -> str:
        return re.sub(r"[\W_]", "", text)

    chains = re.compile(r"\b(whoever|which|those|that|qui|que|dont|celui|celle|lequel)\b", re.I)
    terms = re.compile(
        r"\b(levées?|plis?|feuilles? de \w+|signs?|signes?|mesures?|measures?)\b", re.I
    )
    if letters(before) == letters(after):
        return "punctuation"
    if re.search(r"\([A-Z]\d", before) and not re.search(r"\([A-Z]\d", after):
        return "number of a rule"
    if {*map(str.lower, terms.findall(before))} != {*map(str.lower, terms.findall(after))}:
        return "another term"
    if len(chains.findall(after)) < len(chains.findall(before)):
        return "fewer relative clauses"
    words = len(before.split()), len(after.split())
    return "shorter" if words[1] < words[0] else "longer" if words[1] > words[0] else "other words"


def changed(revision: str, listed: bool) -> None:
    for lang in ("en", "fr", "fr-CA"):
        kinds: Counter[str] = Counter()
        try:
            found = list(pairs(lang, revision))
        except IndexError:
            found = [(None, each) for each in sentences(lang)]
        for before, after in found:
            if before and after and before.text == after.text:
                continue
            if before and after:
                kind = kind_of(before.text, after.text)
            else:
                kind = "new" if after else "gone"
            kinds[kind] += 1
            if listed:
                print(f"{lang} {(after or before).source} [{kind}]")  # type: ignore[union-attr]
                print(f"  - {before.text}" if before else "  -")
                print(f"  + {after.text}" if after else "  +")
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
        print(f"{lang}: {kinds.total()} of {len(found)}: {told}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("lang", choices=("en", "fr", "fr-CA"))
    drawing.add_argument("--seed", required=True)
    drawing.add_argument("--count", type=int, default=200)
    counting = commands.add_parser("count")
    counting.add_argument("paths", type=Path, nargs="+")
    changing = commands.add_parser("changed")
    changing.add_argument("revision")
    changing.add_argument("--list", action="store_true")
    given = parser.parse_args()
    match given.command:
        case "draw":
            draw(given.lang, given.seed, given.count)
        case "count":
            count(given.paths)
        case _:
            changed(given.revision, given.list)


if __name__ == "__main__":
    main()
