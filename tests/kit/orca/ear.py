"""A person who plays by ear: their keys, and the sentences they hear, recorded in chapters."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Container
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
"""(language, meaning) → words of Orca or of the page."""

PATIENCE: Final = 30
"""Limit for the others to play, in seconds."""
UNTOLD: Final = 30
"""Time to wait until an event is told, in seconds."""

LOADING: Final = {
    "fr": r".* cadre\.|Chargement .*|La page possède .*|.* document web\.",
    "en": r".* frame\.?|Loading\..*|Finished loading .*|Page has .*|.* document web\.?",
}
"""Announcements of Orca that a page is loading: they come in any order, or not at all."""

HAND: Final = re.compile(
    r"Votre main( Liste à \d+ éléments|\.)|Liste à \d+ éléments?\.|Vous n’avez pas de cartes\."
    r"|Your hand( List with \d+ items|\.)|List with \d+ items?\.|You hold no cards\."
)
"""Names of the hand that Orca says when the focus enters it, and what it says of an empty one."""

ADDRESS: Final = re.compile(r"http://[\d.:]+/\S+")
"""Addresses of the playroom, with a port and an id of their own."""

LINK: Final = re.compile(r".* (lien|link)\.")
"""Names of links that Orca says, such as the links at the head of a page."""

Said = list[str]
"""The sentences of one text."""


@dataclass
class Chapter:
    """A part of the recording, with a golden of its own."""

    name: str
    steps: list[tuple[str, list[Said]]] = field(default_factory=list)


class Ear:
    """A listener at a desk; each step ends when there is nothing more to hear.

    Args:
        swaps: whether pages take each other's place, as without a server.

    Attributes:
        heard: every sentence so far, without its full stop.
    """

    def __init__(self, desk: Desk, swaps: bool = False) -> None:
        self.desk = desk
        self.swaps = swaps
        self.chapters: list[Chapter] = []
        self.heard: list[str] = []
        self._heard = len(desk.voice.said)

    def chapter(self, name: str) -> None:
        """Begin a new chapter."""
        self._take_down("")
        self.chapters.append(Chapter(name))

    def open(self, address: str, what: str = "", word: str = "") -> None:
        """Open a page, and listen, if a word is given until the page says it by itself.

        Without `what` the step is not recorded.
        """
        self._hear(f"({what})" if what else "", lambda: self.desk.open(address), word)

    def top(self, what: str) -> None:
        """Go to the top of a page, and hear it as if the page had just been opened."""
        self.desk.press("ctrl+Home")
        self._answer(f"({what})")

    def turn(self, key: str, word: str) -> str:
        """Press a key that leads to another page, and hear its heading, in which the word is.

        A page that takes the place of another says it by itself; on a fresh one it is asked for.
        """
        if self.swaps:
            return self._hear("h", lambda: self.desk.press(key), word)
        self.pass_over(key, word)
        return self.press("h")

    def word(self, key: str) -> str:
        """The entry of `words.txt` in the language of the desk; without one the key itself."""
        return WORDS.get((self.desk.lang, key), key)

    def press(self, *keys: str) -> str:
        """Press keys one after the other, and wait for each answer; return the last one."""
        heard = ""
        for key in keys:
            self.desk.press(key)
            heard = self._answer(key)
        return heard

    def seek(self, key: str, word: str, most: int = 30) -> None:
        """Press a key repeatedly until a word (see `word`) is heard."""
        for _ in range(most):
            if self.word(word) in self.press(key):
                return
        raise AssertionError(f"{word} is not heard with {key}")

    def reach(self, key: str, word: str, most: int = 30) -> None:
        """Press a key until a word is heard, and record only that, where pages differ before it."""
        for _ in range(most):
            self.desk.press(key)
            if self.desk.hear(self._heard):
                self.desk.settle()
            if self.word(word) in self._news():
                self._take_down(key)
                return
            self._take_down("")
        raise AssertionError(f"{word} is not heard with {key}")

    def type(self, text: str) -> None:
        """Type letters, which are not read out."""
        self.desk.type(text)
        self.desk.settle()
        self._take_down(f'"{text}"')

    def until(self, key: str, what: str, true: Callable[[], object] | None, word: str) -> str:
        """Press a key, wait until `true` holds, where it is given, and until the word is heard."""

        def come_to_pass() -> None:
            self.desk.press(key)
            wait(what, true or (lambda: self._told(word)), PATIENCE)

        return self._hear(f"{key} ({what})", come_to_pass, word)

    def pass_over(self, key: str, word: str) -> None:
        """Press a key, and wait for a word in its answer; the answer is not recorded.

        For keys after which the focused element goes away, or another page comes: the words that
        Orca still says about the old one depend on which is quicker.
        """
        self.desk.press(key)
        wait(word, lambda: self.word(word) in self._news(), PATIENCE)
        self.desk.settle(1.5)
        self._take_down("")

    def listen(self, what: str, come_to_pass: Callable[[], object], word: str) -> str:
        """Make something happen without a key, and listen until the word is heard."""
        return self._hear(f"({what})", come_to_pass, word)

    def _hear(self, step: str, come_to_pass: Callable[[], object], word: str) -> str:
        come_to_pass()
        with contextlib.suppress(TimeoutError):  # the recording will show that it is missing
            wait(word, lambda: self._told(word), UNTOLD)
        self.desk.settle()
        return self._take_down(step)

    def _told(self, words: str) -> bool:
        """Whether words, or several joined by " + ", have been heard since the last step."""
        return all(self.word(word) in self._news() for word in words.split(" + "))

    def _news(self) -> str:
        return " ".join(each.text for each in self.desk.voice.said[self._heard :])

    def _answer(self, step: str) -> str:
        if not self.desk.hear(self._heard):
            self._take_down(step)
            return ""
        self.desk.settle()
        return self._take_down(step)

    def _take_down(self, step: str) -> str:
        """Record the texts heard since the last step, and return them."""
        said = self.desk.voice.said[self._heard :]
        self._heard += len(said)
        loading = LOADING[self.desk.lang]
        cards = cards_of(self.desk.lang)
        modes = {self.word(mode) for mode in ("browse mode", "focus mode")}
        # On a new page Orca may leave a mode and come back to it, or just stay in it.
        new_page = any(re.fullmatch(loading, each.text) for each in said)
        there_and_back = new_page and modes <= {each.text for each in said}
        texts = [
            ADDRESS.sub("http://…", each.text)
            + (f" [cut after “{each.heard}”]" if each.cut else "")
            for before, each in pairwise([None, *said])
            if each and not re.fullmatch(loading, each.text)
            if each.text != self.word("unselected")  # may be said of a card that leaves the hand
            if not (there_and_back and each.text in modes)
            if not before or each.text != before.text or each.text not in cards
        ]
        said_now = without_second_reasons([sentences(text) for text in texts], cards)
        found = [sentence for text in said_now for sentence in text]
        self.heard += [each.rstrip(".") for each in found]
        if self.chapters and step:
            self.chapters[-1].steps.append((step, said_now))
            print(f"> {step}", *found, sep="\n")  # helps to understand a test that has failed
        return " ".join(found)


@cache
def cards_of(lang: str) -> frozenset[str]:
    """The texts that Orca speaks when the focus comes to a card.

    Orca speaks a card twice if the card before it leaves the hand so soon that its place is taken
    before Orca has looked: it mistakes one card for the other, and the focus for a new one.
    """
    return frozenset(f"{Words(lang).card(each)}." for each in BY_BIT.values())


def sentences(text: str) -> list[str]:
    """Split a text into sentences: the page joins them into messages by how soon they come."""
    return [each for each in re.split(r"(?<=[.!?…])\s+", text) if each]


def without_second_reasons(said: list[Said], cards: Container[str]) -> list[Said]:
    """The texts without one that is the same as that before it, after a card.

    Orca says with a card why it may not be played, and once more if it learns only then that the
    reason has changed, as on a busy machine.
    """
    return [
        text
        for place, text in enumerate(said)
        if place < 2 or text != said[place - 1] or said[place - 2][-1] not in cards
    ]


def text_of(chapter: Chapter, golden: str) -> str:
    """The text of a chapter for its golden: each key, and below it the sentences; `-` for none.

    On a busy machine the browser hands over two messages as one, the later one first. So the order
    of whole texts within a step, and of two messages in one text, is taken from the golden; the
    tests of `announcements/` check the order in which they are written. Also ignored are a second
    name of the hand when the focus enters it from a button that has just gone, and the number of
    links at its head that Orca reads before a new page itself speaks.
    """
    blocks = golden.rstrip("\n").split("\n\n")
    blocks += [""] * (len(chapter.steps) - len(blocks))
    text = []
    for (step, said), block in zip(chapter.steps, blocks, strict=False):
        lines = [line for line in block.split("\n")[1:] if line != "-"]
        same = composes(said, lines) or composes(unnamed(said), lines)
        if "(" in step:
            same = same or composes(without_links(said), *without_links([lines]))
        heard = lines if same else [each for text in said for each in text]
        text.append("\n".join((f"> {step}", *(heard or ["-"]))))
    return "\n\n".join(text) + "\n"


def unnamed(said: list[Said]) -> list[Said]:
    """The texts without the name of the hand.

    An empty hand has the focus itself until cards are dealt: if Orca looks at it only then, it says
    the card between the name and the number of cards, and again when the focus comes to the card.
    """
    found = [[each for each in text if not HAND.fullmatch(each)] for text in said]
    return said if found == said else [text for text, _ in groupby(filter(None, found))]


def without_links(said: list[Said]) -> list[Said]:
    return [[each for each in text if not LINK.fullmatch(each)] for text in said]


def composes(said: list[Said], lines: Said) -> bool:
    """Whether the texts, in some order, make up the lines; one text may be two messages."""
    texts = tuple(map(tuple, said))
    glued = (
        (*texts[:place], text[:cut], text[cut:], *texts[place + 1 :])
        for place, text in enumerate(texts)
        for cut in range(1, len(text))
    )
    return any(_ordered(parts, tuple(lines)) for parts in (texts, *glued))


def _ordered(texts: tuple[tuple[str, ...], ...], lines: tuple[str, ...]) -> bool:
    """Whether the whole texts, in some order, make up the lines."""

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
    """Compare the recording with the goldens; VOLTE_REMAKE_GOLDENS=1 writes them anew."""
    for chapter in ear.chapters:
        path = GOLDENS / f"{ear.desk.lang}-{chapter.name}.txt"
        golden = path.read_text(encoding="utf-8") if path.exists() else ""
        text = text_of(chapter, golden)
        if os.environ.get("VOLTE_REMAKE_GOLDENS"):
            path.write_text(text, encoding="utf-8")
        else:
            assert text == golden, path.name
