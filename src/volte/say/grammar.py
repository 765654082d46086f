"""Grammar of French and English: names of cards and people, as they stand in sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from volte.cards import Card, Joker, Rank, Suit
from volte.names import on_one_line, plain
from volte.say.catalogue import chain


@dataclass(frozen=True)
class Vocabulary:
    """Words of one language for cards, and the few others that its grammar needs."""

    ranks: Mapping[Rank, str]  # in full, as said before "of spades"
    several: Mapping[Rank, str]  # ranks in the plural
    two: str  # the number
    of: str  # between rank and suit
    letters: Mapping[Rank, str]  # of the ranks, as printed on cards
    suits: Mapping[Suit, str]  # as said after the rank
    jokers: Mapping[Joker, str]  # in full
    both: Mapping[str, str]  # by form: the words before two equal cards
    conjunctions: tuple[str, str]  # "and", "or"
    nameless: str  # a player without a name

    # What people type, without accents
    rank_words: Mapping[Rank, Sequence[str]]
    suit_words: Mapping[Suit, Sequence[str]]
    joker_words: Mapping[Joker, Sequence[str]]
    loose_suits: Mapping[Suit, Sequence[str]]  # only where the hand leaves no other meaning


class Grammar(ABC):
    """The grammar of one language.

    A form is the word after the colon in a message. Cards take `` (the bare name), `the`,
    `of`, `rank` and `short`; names of people take ``, `of`, `to` and `that`.

    Equal cards of two packs have one name; a pair of them is named together (W11).
    """

    vocabulary: ClassVar[Vocabulary]

    def card(self, card: Card, form: str = "") -> str:
        """A card in that form: "of the queen of spades", "de la dame de pique"."""
        words = self.vocabulary
        if form == "short" and card.rank is not None and card.suit is not None:
            return words.letters[card.rank] + card.suit.symbol
        rank = self.ranked(card, form)
        if form == "short":
            return rank[0].upper() + rank[1:]
        return rank if form == "rank" else self.of_suit(rank, card.suit)

    def ranked(self, card: Card, form: str = "", two: bool = False) -> str:
        """A card, or a pair of equal ones, without its suit: "la dame", "the two queens"."""
        words = self.vocabulary
        if card.rank is None:
            assert card.joker is not None
            return self._article(card, form) + words.jokers[card.joker]
        if two:
            return f"{words.both.get(form, '')}{words.two} {words.several[card.rank]}"
        return self._article(card, form) + words.ranks[card.rank]

    def of_suit(self, ranks: str, suit: Suit | None) -> str:
        """Cards named by their ranks, and their suit; jokers have none."""
        words = self.vocabulary
        return ranks if suit is None else f"{ranks} {words.of} {words.suits[suit]}"

    def pair(self, card: Card, form: str = "") -> str:
        """A card and its equal: "two queens of spades", "les deux dames de pique"."""
        if form == "short":
            return " ".join([self.card(card, form)] * 2)
        ranks = self.ranked(card, form, two=True)
        return ranks if form == "rank" else self.of_suit(ranks, card.suit)

    @abstractmethod
    def _article(self, card: Card, form: str) -> str:
        """Words before a card in the forms `the` and `of`; empty for its bare name."""

    @abstractmethod
    def name(self, name: str, form: str = "") -> str:
        """The name of somebody in that form."""

    @abstractmethod
    def without(self, names: Sequence[str]) -> str:
        """Names after "has no" or « n’a plus », of what somebody does not have."""

    @abstractmethod
    def singular(self, amount: int | Fraction) -> bool:
        """Whether an amount, 0 or more, takes the singular."""

    def _visible(self, name: str) -> str:
        """The name on one line, without invisible signs."""
        return on_one_line(name) or self.vocabulary.nameless


_PIPS: Final = {rank: str(int(rank)) for rank in Rank if rank <= Rank.TEN}


class English(Grammar):
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
        of="of",
        letters={**_PIPS, Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"},
        suits={
            Suit.CLUBS: "clubs",
            Suit.DIAMONDS: "diamonds",
            Suit.SPADES: "spades",
            Suit.HEARTS: "hearts",
        },
        jokers={Joker.RED: "red joker", Joker.BLACK: "black joker"},
        both={"the": "the ", "of": "of the "},
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

    def _article(self, card: Card, form: str) -> str:
        return self.vocabulary.both.get(form, "")

    def name(self, name: str, form: str = "") -> str:
        """A person in that form; "of" is the possessive."""
        name = self._visible(name)
        match form:
            case "of":
                return f"{name}’s"
            case "to":
                return f"to {name}"
        return name

    def without(self, names: Sequence[str]) -> str:
        """Names: "clubs", "clubs, diamonds or hearts"."""
        *others, last = names
        return f"{', '.join(others)} or {last}" if others else last

    def singular(self, amount: int | Fraction) -> bool:
        return amount == 1


class French(Grammar):
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
        of="de",
        letters={**_PIPS, Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R", Rank.ACE: "A"},
        suits={
            Suit.CLUBS: "trèfle",
            Suit.DIAMONDS: "carreau",
            Suit.SPADES: "pique",
            Suit.HEARTS: "cœur",
        },
        jokers={Joker.RED: "joker rouge", Joker.BLACK: "joker noir"},
        both={"the": "les ", "of": "des "},
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

    def _article(self, card: Card, form: str) -> str:
        match form, card.rank:
            case "the", Rank.QUEEN:
                return "la "
            case "the", Rank.ACE:
                return "l’"
            case "the", _:
                return "le "
            case "of", Rank.QUEEN:
                return "de la "
            case "of", Rank.ACE:
                return "de l’"
            case "of", _:
                return "du "
        return ""

    def name(self, name: str, form: str = "") -> str:
        """A person in that form: "d’Anne", "de Paul", "du chat", "au chat", "qu’Anne"."""
        name = self._visible(name)
        match form:
            case "of":
                return _contracted("de ", name, {"le ": "du ", "les ": "des "})
            case "to":
                return _contracted("à ", name, {"le ": "au ", "les ": "aux "})
            case "that":
                return _contracted("que ", name, {})
        return name

    def without(self, names: Sequence[str]) -> str:
        """Names: « de trèfle », « ni trèfle ni carreau »."""
        return " ".join(f"ni {name}" for name in names) if len(names) > 1 else f"de {names[0]}"

    def singular(self, amount: int | Fraction) -> bool:
        return amount < 2  # « 1,5 point »


def _contracted(preposition: str, name: str, articles: Mapping[str, str]) -> str:
    # Only a small letter makes an article: "le chat" is one, "Le Corbusier" keeps his.
    for article, contraction in articles.items():
        if name.startswith(article):
            return contraction + name[len(article) :]
    if preposition in ("de ", "que ") and elides(name):
        return f"{preposition[:-2]}’{name}"
    return preposition + name


def elides(name: str) -> bool:
    """Whether "de" or "que" loses its vowel before a French name: Anne, Élise, Hélène, Yves.

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


GRAMMARS: Final[Mapping[str, Grammar]] = {"fr": French(), "en": English()}


def grammar_of(lang: str) -> Grammar:
    """The grammar of a language: the first of its chain that has one."""
    return next(GRAMMARS[each] for each in chain(lang) if each in GRAMMARS)
