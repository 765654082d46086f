"""How a language names cards and people, and puts them into sentences: French and English."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from volte.cards import Card, Joker, Rank, Suit
from volte.names import on_one_line


@dataclass(frozen=True)
class Vocabulary:
    """What the cards are called in one language."""

    ranks: Mapping[Rank, str]  # in full, as said before "of spades"
    several: Mapping[Rank, str]  # ranks in the plural
    two: str  # the number
    letters: Mapping[Rank, str]  # of the ranks, as printed on cards
    suits: Mapping[Suit, str]  # as said after the rank
    jokers: Mapping[Joker, str]  # in full
    conjunctions: tuple[str, str]  # "and", "or"
    nameless: str  # a player without a name

    # What people type, without accents
    rank_words: Mapping[Rank, Sequence[str]]
    suit_words: Mapping[Suit, Sequence[str]]
    joker_words: Mapping[Joker, Sequence[str]]
    loose_suits: Mapping[Suit, Sequence[str]]  # only where the hand leaves no other meaning


class Grammar(Protocol):
    """One language.

    A form is what stands after the colon in a message. Cards take `` (the bare name), `the`,
    `of`, `rank` and `short`; names of people take ``, `of` and `to`.

    Cards of two packs are called the same; a pair of them is told as one thing (W11).
    """

    @property
    def vocabulary(self) -> Vocabulary: ...

    def card(self, card: Card, form: str = "") -> str: ...

    def pair(self, card: Card, form: str = "") -> str: ...

    def name(self, name: str, form: str = "") -> str: ...


_PIPS: Final = {rank: str(int(rank)) for rank in Rank if rank <= Rank.TEN}


class _Naming:
    """The naming of cards and people that English and French share."""

    vocabulary: Vocabulary

    def _bare(self, card: Card, of: str) -> str:
        words = self.vocabulary
        if card.joker is not None:
            return words.jokers[card.joker]
        assert card.rank is not None
        assert card.suit is not None
        return f"{words.ranks[card.rank]} {of} {words.suits[card.suit]}"

    def _both(self, card: Card, of: str) -> str:
        words = self.vocabulary
        assert card.rank is not None
        assert card.suit is not None
        return f"{words.two} {words.several[card.rank]} {of} {words.suits[card.suit]}"

    def _both_ranks(self, card: Card) -> str:
        assert card.rank is not None
        return f"{self.vocabulary.two} {self.vocabulary.several[card.rank]}"

    def _short(self, card: Card) -> str:
        if card.rank is None or card.suit is None:
            name = self._bare(card, "")
            return name[0].upper() + name[1:]
        return self.vocabulary.letters[card.rank] + card.suit.symbol

    def _rank(self, card: Card) -> str:
        if card.rank is None:
            return self._bare(card, "")
        return self.vocabulary.ranks[card.rank]

    def _shown(self, name: str) -> str:
        """The name on one line, without what cannot be seen."""
        return on_one_line(name) or self.vocabulary.nameless


class English(_Naming):
    vocabulary = Vocabulary(
        ranks={
            **_PIPS,
            Rank.JACK: "jack",
            Rank.QUEEN: "queen",
            Rank.KING: "king",
            Rank.ACE: "ace",
        },
        several={
            **{rank: f"{pip}s" for rank, pip in _PIPS.items()},
            Rank.JACK: "jacks",
            Rank.QUEEN: "queens",
            Rank.KING: "kings",
            Rank.ACE: "aces",
        },
        two="two",
        letters={**_PIPS, Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"},
        suits={
            Suit.CLUBS: "clubs",
            Suit.DIAMONDS: "diamonds",
            Suit.SPADES: "spades",
            Suit.HEARTS: "hearts",
        },
        jokers={Joker.RED: "red joker", Joker.BLACK: "black joker"},
        conjunctions=("and", "or"),
        nameless="a player without a name",
        rank_words={
            Rank.TWO: ["two", "deuce"],
            Rank.THREE: ["three", "trey"],
            Rank.FOUR: ["four"],
            Rank.FIVE: ["five"],
            Rank.SIX: ["six"],
            Rank.SEVEN: ["seven"],
            Rank.EIGHT: ["eight"],
            Rank.NINE: ["nine"],
            Rank.TEN: ["ten", "t"],
            Rank.JACK: ["knave"],
        },
        suit_words={
            Suit.CLUBS: ["c", "club"],
            Suit.DIAMONDS: ["d", "diamond"],
            Suit.SPADES: ["s", "spade"],
            Suit.HEARTS: ["h", "heart"],
        },
        joker_words={
            Joker.RED: ["rj", "jr", "joker", "jokerred"],
            Joker.BLACK: ["bj", "jb", "joker", "jokerblack"],
        },
        loose_suits={},
    )

    def card(self, card: Card, form: str = "") -> str:
        """The card in that form; "of" is "of the queen of spades"."""
        match form:
            case "short":
                return self._short(card)
            case "rank":
                return self._rank(card)
            case "the":
                return f"the {self._bare(card, 'of')}"
            case "of":
                return f"of the {self._bare(card, 'of')}"
        return self._bare(card, "of")

    def pair(self, card: Card, form: str = "") -> str:
        """That card and its equal: "two queens of spades", "the two queens of spades"."""
        match form:
            case "short":
                return f"{self._short(card)} {self._short(card)}"
            case "rank":
                return self._both_ranks(card)
            case "the":
                return f"the {self._both(card, 'of')}"
            case "of":
                return f"of the {self._both(card, 'of')}"
        return self._both(card, "of")

    def name(self, name: str, form: str = "") -> str:
        """A person in that form; "of" is the possessive."""
        name = self._shown(name)
        match form:
            case "of":
                return f"{name}'s"
            case "to":
                return f"to {name}"
        return name


class French(_Naming):
    vocabulary = Vocabulary(
        ranks={
            **_PIPS,
            Rank.JACK: "valet",
            Rank.QUEEN: "dame",
            Rank.KING: "roi",
            Rank.ACE: "as",
        },
        several={
            **_PIPS,
            Rank.JACK: "valets",
            Rank.QUEEN: "dames",
            Rank.KING: "rois",
            Rank.ACE: "as",
        },
        two="deux",
        letters={**_PIPS, Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R", Rank.ACE: "A"},
        suits={
            Suit.CLUBS: "trèfle",
            Suit.DIAMONDS: "carreau",
            Suit.SPADES: "pique",
            Suit.HEARTS: "cœur",
        },
        jokers={Joker.RED: "joker rouge", Joker.BLACK: "joker noir"},
        conjunctions=("et", "ou"),
        nameless="une personne sans nom",
        rank_words={
            Rank.TWO: ["deux"],
            Rank.THREE: ["trois"],
            Rank.FOUR: ["quatre"],
            Rank.FIVE: ["cinq"],
            Rank.SIX: ["six"],
            Rank.SEVEN: ["sept"],
            Rank.EIGHT: ["huit"],
            Rank.NINE: ["neuf"],
            Rank.TEN: ["dix"],
            Rank.QUEEN: ["reine"],
        },
        suit_words={
            Suit.CLUBS: ["t", "tr", "trefles"],
            Suit.DIAMONDS: ["k", "ca", "carreaux"],
            Suit.SPADES: ["p", "pi", "piques"],
            Suit.HEARTS: ["c", "co", "coeurs"],
        },
        joker_words={
            Joker.RED: ["jr", "joker", "rougejoker"],
            Joker.BLACK: ["jn", "nj", "joker", "noirjoker"],
        },
        loose_suits={Suit.DIAMONDS: ["c"]},
    )

    def card(self, card: Card, form: str = "") -> str:
        """The card in that form; "of" is "de la dame de pique", "du roi de cœur"."""
        bare = self._bare(card, "de")
        match form:
            case "short":
                return self._short(card)
            case "rank":
                return self._rank(card)
            case "the":
                return _ARTICLES.get(card.rank, "le ") + bare
            case "of":
                return _PARTITIVES.get(card.rank, "du ") + bare
        return bare

    def pair(self, card: Card, form: str = "") -> str:
        """That card and its equal: "deux dames de pique", "les deux dames de pique"."""
        match form:
            case "short":
                return f"{self._short(card)} {self._short(card)}"
            case "rank":
                return self._both_ranks(card)
            case "the":
                return f"les {self._both(card, 'de')}"
            case "of":
                return f"des {self._both(card, 'de')}"
        return self._both(card, "de")

    def name(self, name: str, form: str = "") -> str:
        """A person in that form: "d’Anne", "de Paul", "du chat", "au chat"."""
        name = self._shown(name)
        match form:
            case "of":
                return _contracted("de ", name, {"le ": "du ", "les ": "des "})
            case "to":
                return _contracted("à ", name, {"le ": "au ", "les ": "aux "})
        return name


_ARTICLES: Final[Mapping[Rank | None, str]] = {Rank.QUEEN: "la ", Rank.ACE: "l’"}
_PARTITIVES: Final[Mapping[Rank | None, str]] = {Rank.QUEEN: "de la ", Rank.ACE: "de l’"}


def _contracted(preposition: str, name: str, articles: Mapping[str, str]) -> str:
    # Only a small letter makes an article: "le chat" is one, "Le Corbusier" keeps his.
    for article, contraction in articles.items():
        if name.startswith(article):
            return contraction + name[len(article) :]
    if preposition == "de " and elides(name):
        return f"d’{name}"
    return preposition + name


def elides(name: str) -> bool:
    """Whether "de" loses its vowel before a French name: Anne, Élise, Hélène, Yves.

    >>> [elides(name) for name in ("Anne", "Œdipe", "Hélène", "Hans", "Yves", "Yann", "Paul")]
    [True, True, True, False, True, False, False]
    """
    letters = plain(name)
    if len(letters) == 1:  # a letter keeps its name apart: "de A", as in "de A à Z"
        return False
    if letters.startswith("h"):
        # Mute where French names begin so; aspirated in Hans, Harry, Heidi, Hugh, Homer.
        mute = ("he", "hi", "hy", "hon", "hor", "hubert", "hugo", "hugue", "hadrien")
        aspirated = ("hei", "hea", "helg", "helm", "hermann", "hill")
        return letters.startswith(mute) and not letters.startswith(aspirated)
    if letters.startswith("y"):
        return letters[1] not in "aeiou"
    return letters[:1] in set("aeiou") and not letters.startswith(("oua", "oui", "ui"))


def plain(text: str) -> str:
    """Small letters without accents, œ and æ written out, apostrophes straight."""
    text = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("’", "'")
    letters = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


GRAMMARS: Final[Mapping[str, Grammar]] = {"fr": French(), "en": English()}
