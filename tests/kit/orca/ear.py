"""Somebody who plays by ear: what they press, and what they hear at it, taken down in chapters."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from kit.orca.desk import Desk, wait

from volte.cards import BY_BIT
from volte.say import Words

GOLDENS: Final = Path(__file__).parents[2] / "page/orca/goldens"
WORDS: Final = {
    (lang, key): word
    for line in Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
    for key, *both in [re.split(r" +\| ", line)]
    for lang, word in zip(("fr", "en"), both, strict=True)
}
"""What Orca or the page says, by language and by what is meant."""

PATIENCE: Final = 30
"""Seconds for the others to play."""
UNTOLD: Final = 10
"""Seconds after which what has come to pass will not be told any more."""

LOADING: Final = {
    "fr": r"Chromium cadre\.|Chargement .*|La page possède .*|.* document web\.",
    "en": r"Chromium frame\.?|Loading\..*|Finished loading .*|Page has .*|.* document web\.?",
}
"""How Orca tells that a page is coming: it does so in any order, and now and then not at all."""

HAND: Final = re.compile(
    r"Votre main( Liste à \d+ éléments|\.)|Liste à \d+ éléments\."
    r"|Your hand( List with \d+ items|\.)|List with \d+ items\."
)
"""How Orca names the hand where the focus comes into it."""

LINK: Final = re.compile(r".* (lien|link)\.")
"""How Orca names a link, such as those at the head of a page."""

Said = list[str]
"""The sentences of one text."""


@dataclass
class Chapter:
    """Part of what was heard, which has a golden of its own."""

    name: str
    steps: list[tuple[str, list[Said]]] = field(default_factory=list)


class Ear:
    """At a desk; each step ends when there is nothing more to hear.

    Attributes:
        heard: every sentence so far, without its stop.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.chapters: list[Chapter] = []
        self.heard: list[str] = []
        self._heard = len(desk.voice.said)

    def chapter(self, name: str) -> None:
        """What comes now is another part of it."""
        self._take_down("")
        self.chapters.append(Chapter(name))

    def open(self, address: str, what: str, word: str = "") -> None:
        """Opens a page, and listens until it says that word by itself, if one is named."""
        self._hear(f"({what})", lambda: self.desk.open(address), word)

    def word(self, key: str) -> str:
        """What `words.txt` has in the language of the desk, or else that word itself."""
        return WORDS.get((self.desk.lang, key), key)

    def press(self, *keys: str) -> str:
        """Presses one key after the other, each of which must be answered; the last answer."""
        heard = ""
        for key in keys:
            self.desk.press(key)
            heard = self._answer(key)
        return heard

    def seek(self, key: str, word: str, most: int = 30) -> None:
        """Presses a key until a word (see `word`) is heard."""
        for _ in range(most):
            if self.word(word) in self.press(key):
                return
        raise AssertionError(f"{word} is not heard with {key}")

    def type(self, text: str) -> None:
        """Types letters, which nobody reads out."""
        self.desk.type(text)
        self.desk.settle()
        self._take_down(f'"{text}"')

    def until(self, key: str, what: str, true: Callable[[], object], word: str) -> str:
        """Presses a key, and listens until something has come to pass and is told in that word."""

        def come_to_pass() -> None:
            self.desk.press(key)
            wait(what, true, PATIENCE)

        return self._hear(f"{key} ({what})", come_to_pass, word)

    def pass_over(self, key: str, word: str) -> None:
        """Presses a key, of whose answer only that word is certain; it is not taken down.

        So it is where what has the focus gives way, or another page comes: what Orca still says of
        the old one depends on which of both is quicker.
        """
        self.desk.press(key)
        wait(word, lambda: self.word(word) in self._news(), PATIENCE)
        self.desk.settle(1.5)
        self._take_down("")

    def listen(self, what: str, come_to_pass: Callable[[], object], word: str) -> str:
        """Has something come to pass without a key, and listens until it is told in that word."""
        return self._hear(f"({what})", come_to_pass, word)

    def _hear(self, step: str, come_to_pass: Callable[[], object], word: str) -> str:
        come_to_pass()
        with contextlib.suppress(TimeoutError):  # it is missing from what is taken down, then
            wait(word, lambda: self.word(word) in self._news(), UNTOLD)
        self.desk.settle()
        return self._take_down(step)

    def _news(self) -> str:
        return " ".join(each.text for each in self.desk.voice.said[self._heard :])

    def _answer(self, step: str) -> str:
        if not self.desk.hear(self._heard):
            self._take_down(step)
            return ""
        self.desk.settle()
        return self._take_down(step)

    def _take_down(self, step: str) -> str:
        """Writes down what has been heard since the last step."""
        said = self.desk.voice.said[self._heard :]
        self._heard += len(said)
        loading = LOADING[self.desk.lang]
        cards = cards_of(self.desk.lang)
        modes = {self.word(mode) for mode in ("browse mode", "focus mode")}
        # On a new page Orca may leave a mode and come back to it, or stay in it.
        new_page = any(re.fullmatch(loading, each.text) for each in said)
        there_and_back = new_page and modes <= {each.text for each in said}
        texts = [
            each.text + (f" [cut after “{each.heard}”]" if each.cut else "")
            for before, each in pairwise([None, *said])
            if each and not re.fullmatch(loading, each.text)
            if each.text != self.word("unselected")  # said, or not, of a card that leaves the hand
            if not (there_and_back and each.text in modes)
            if not before or each.text != before.text or each.text not in cards
        ]
        said_now = [sentences(text) for text in texts]
        found = [sentence for text in said_now for sentence in text]
        self.heard += [each.rstrip(".") for each in found]
        if self.chapters and step:
            self.chapters[-1].steps.append((step, said_now))
            print(f"> {step}", *found, sep="\n")  # for whoever looks into a test that has failed
        return " ".join(found)


@cache
def cards_of(lang: str) -> frozenset[str]:
    """What is spoken where the focus comes to a card.

    Orca speaks it twice where the card before it leaves the hand so soon that its place is taken
    before Orca has looked: it takes the one for the other, and the focus for a new one.
    """
    return frozenset(f"{Words(lang).card(each)}." for each in BY_BIT.values())


def sentences(text: str) -> list[str]:
    """One by one: into how many messages the page has put them depends on how soon they came."""
    return [each for each in re.split(r"(?<=[.!?…])\s+", text) if each]


def text_of(chapter: Chapter, golden: str) -> str:
    """As it stands in its golden: the key, and below it what was heard; `-` for nothing.

    On a busy machine the browser hands two messages over as one, the later one first: in which
    order whole texts came at one step, and the two messages of one, is left as the golden has it.
    In which order they are written is held by `announcements/`. Nor does it matter whether the
    hand is named once more where the focus comes into it from a button that has just gone, nor how
    many links at its head Orca reads of a page that comes before the page itself speaks.
    """
    blocks = golden.rstrip("\n").split("\n\n")
    blocks += [""] * (len(chapter.steps) - len(blocks))
    text = []
    for (step, said), block in zip(chapter.steps, blocks, strict=False):
        lines = block.split("\n")[1:]
        same = composes(said, lines) or composes(unnamed(said), lines)
        if step.startswith("("):
            same = same or composes(without_links(said), *without_links([lines]))
        heard = lines if same else [each for text in said for each in text]
        text.append("\n".join((f"> {step}", *(heard or ["-"]))))
    return "\n\n".join(text) + "\n"


def unnamed(said: list[Said]) -> list[Said]:
    """The same without the name of the hand.

    An empty hand has the focus itself until cards are dealt: if Orca looks at it only then, it says
    the card between the name and the number of cards, and once more as the focus comes to it.
    """
    found = [[each for each in text if not HAND.fullmatch(each)] for text in said]
    return said if found == said else [text for text, _ in groupby(filter(None, found))]


def without_links(said: list[Said]) -> list[Said]:
    return [[each for each in text if not LINK.fullmatch(each)] for text in said]


def composes(said: list[Said], lines: Said) -> bool:
    """Whether texts make up these lines, in some order; one of them may be two messages."""
    texts = tuple(map(tuple, said))
    glued = (
        (*texts[:place], text[:cut], text[cut:], *texts[place + 1 :])
        for place, text in enumerate(texts)
        for cut in range(1, len(text))
    )
    return any(_ordered(parts, tuple(lines)) for parts in (texts, *glued))


def _ordered(texts: tuple[tuple[str, ...], ...], lines: tuple[str, ...]) -> bool:
    """Whether whole texts make up these lines, in some order."""

    @cache  # equal texts would be tried in every order, which takes for ever
    def rest(left: tuple[tuple[str, ...], ...], place: int) -> bool:
        if not left:
            return place == len(lines)
        return any(
            lines[place : place + len(text)] == text
            and rest(_without(left, text), place + len(text))
            for text in dict.fromkeys(left)
        )

    return rest(tuple(sorted(texts)), 0)


def _without(
    texts: tuple[tuple[str, ...], ...], text: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    place = texts.index(text)
    return texts[:place] + texts[place + 1 :]


def compare(ear: Ear) -> None:
    """Holds what was heard against the goldens; VOLTE_REMAKE_GOLDENS=1 writes them anew."""
    for chapter in ear.chapters:
        path = GOLDENS / f"{ear.desk.lang}-{chapter.name}.txt"
        golden = path.read_text(encoding="utf-8") if path.exists() else ""
        text = text_of(chapter, golden)
        if os.environ.get("VOLTE_REMAKE_GOLDENS"):
            path.write_text(text, encoding="utf-8")
        else:
            assert text == golden, path.name
