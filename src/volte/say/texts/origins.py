"""Where the game comes from, and what players call things."""

from __future__ import annotations

from typing import Final, NamedTuple

from volte.say.language import N_, Language
from volte.say.texts.fairness import Section

_HISTORY: Final = (
    N_(
        "In most card games one wants tricks; here one flees them. The idea is old. Reversis, in"
        " which the fewest tricks and points won, is mentioned in France in 1601 and had probably"
        " come from Italy. Courts and salons played it for two centuries. Whoever took everything"
        " “made the reversis” and beat the whole table: our moon is as old as that."
    ),
    N_(
        "Polignac, the French game of the four jacks, is another forebear. Every jack taken costs"
        " a point, and the jack of spades two. The game is older than its name, which it owes to an"
        " unpopular minister of 1830; the black card that everybody wants to be rid of was there"
        " already."
    ),
    N_(
        "Hearts as such appears in the United States about 1880, with thirteen penalty cards, the"
        " hearts, and no other. The queen of spades joined them in the first years of the"
        " twentieth century, and Black Lady, as that game was called, soon overtook the older one."
        " Passing cards and shooting the moon came with the decades that followed, and at some"
        " tables a jack of diamonds that it pays to take."
    ),
    N_(
        "The computer made the game known to everybody: from 1992 on, Hearts came with Windows,"
        " first to show that machines could play together over a network, and millions of people"
        " learnt it from three players made of software."
    ),
    N_(
        "Les Cœurs, as Quebec plays it, has kept older habits: one deal or five, stakes, a kitty, a"
        " queen that must go at the first chance. La Dame de pique, as it is lent out by toy"
        " libraries in French-speaking Switzerland, and played in online rooms where blind and"
        " sighted people meet, goes to a hundred points. Volte plays them all."
    ),
)

_MOON: Final = N_(
    "Taking every penalty card has many names. English shoots the moon. Quebec says “le contrôle”;"
    " elsewhere it is “la volte”, the about-turn, because the points turn round and fall on the"
    " others, or “le chelem”. Some say “le grand chelem”, which at other tables means taking every"
    " trick: in Volte, “volte” is the moon and “grand chelem” the slam. The prettiest name is"
    " “déménager à la cloche de bois”, to do a moonlight flit: to carry everything off at night,"
    " under a bell that does not ring, and to leave the bill to the others."
)


class Term(NamedTuple):
    """A word of the game; both fields are messages."""

    names: str  # what players call it, which differs by language
    meaning: str


VOCABULARY: Final = (
    Term(N_("a match"), N_("all the deals until somebody wins")),
    Term(N_("a deal"), N_("one distribution of the cards and its tricks")),
    Term(N_("a trick"), N_("one card from each player")),
    Term(N_("the eldest hand"), N_("the player to the dealer's left")),
    Term(N_("to lead"), N_("to play the first card of a trick")),
    Term(N_("to follow suit"), N_("to play a card of the suit led")),
    Term(N_("to discard"), N_("to play another suit because one has none of the suit led")),
    Term(N_("to be void"), N_("to have no card of a suit")),
    Term(N_("the queen of spades, the black lady"), N_("the most expensive card")),
    Term(
        N_("a penalty card"), N_("a card that costs points: every heart, and the queen of spades")
    ),
    Term(N_("to break hearts"), N_("to play the first heart of a deal")),
    Term(N_("to shoot the moon"), N_("to take every penalty card")),
    Term(N_("a slam"), N_("taking every trick")),
    Term(N_("the kitty"), N_("the cards left over by the deal")),
    Term(N_("the pass"), N_("the exchange of cards before play")),
    Term(N_("a scatter"), N_("a pass of one card to each of the others")),
    Term(N_("a side"), N_("partners, who score together")),
    Term(N_("a partner"), N_("a player of the same side")),
    Term(N_("to cancel"), N_("of two equal cards in a trick: to keep each other from taking it")),
    Term(N_("a waiting trick"), N_("one that nobody has taken, which goes with the next")),
    Term(N_("a revoke"), N_("breaking a duty to follow suit, or to discard the queen")),
    Term(N_("a misdeal"), N_("a faulty deal, which passes to the next dealer")),
    Term(N_("a stake"), N_("what one point is worth when something is played for")),
    Term(N_("the pot"), N_("the stakes that lie on the table")),
    Term(N_("the score sheet"), N_("where every deal and the running totals are noted")),
)


def history(words: Language) -> tuple[str, ...]:
    """Where the game comes from, paragraph by paragraph."""
    return tuple(words.t(paragraph) for paragraph in _HISTORY)


def names_of_the_moon(words: Language) -> str:
    """What players call taking every penalty card, in one paragraph."""
    return words.t(_MOON)


def origins_page(words: Language) -> tuple[Section, ...]:
    """The history of the game, section by section."""
    return tuple(
        (words.t(heading), tuple(words.t(paragraph) for paragraph in paragraphs))
        for heading, paragraphs in _SECTIONS
    )


_SECTIONS: Final[tuple[Section, ...]] = (
    (
        N_("A French family"),
        (
            N_(
                "Most card games reward whoever takes tricks. This one turns that round: one tries"
                " to take none, or at least none that cost. It was not the first to do so. Its"
                " elders are French, and were called Reversi and Polignac."
            ),
        ),
    ),
    (
        N_("Hearts, around 1880"),
        (
            N_(
                "Towards the end of the nineteenth century a child of that family had a great time"
                " of it in the United States, under the name of Hearts. Around 1880 the cards of"
                " that one suit were all that counted against whoever took them."
            ),
            N_(
                "Then the queen of spades joined them, who alone costs about as much as all the"
                " hearts together. The game became sharper, and in French it took her name, La Dame"
                " de pique."
            ),
        ),
    ),
    (
        N_("A word for turning the tables"),
        (
            N_(
                "Whoever takes every heart and the queen as well scores nothing, and the others"
                " pay for all of it. In English that is shooting the moon. In Quebec it is called a"
                " contrôle, among players online a chelem, and in Switzerland a volte, which is a"
                " turning right round; of such a player one also says there that they have moved"
                " out by night and left the rent unpaid. This playroom is called after that volte."
            ),
        ),
    ),
    (
        N_("One game, many tables"),
        (
            N_(
                "Les Cœurs is how the game is told in Quebec: for three to seven people, often in"
                " a single deal and for stakes. The queen counts 12 there, three cards always go to"
                " the left, and whoever holds her must throw her at the first chance. The rules for"
                " what goes wrong at a real table, from the misdeal to the revoke, come from there"
                " too."
            ),
            N_(
                "La Dame de pique, as a Swiss toy library tells it, is for four. The pass turns"
                " from deal to deal, the 2 of clubs opens, hearts wait until they are broken, the"
                " queen counts 13, and the first total of 100 ends the match."
            ),
            N_(
                "In 1995 Microsoft began to deliver the game with every Windows, and it went round"
                " the world once more. From the playrooms of the internet come tables for three to"
                " six, the slam that beats even the moon, and the jack of diamonds who takes ten"
                " points away."
            ),
        ),
    ),
    (
        N_("By ear"),
        (
            N_(
                "One of those playrooms was made for blind and sighted people together. There, a"
                " key says which cards lie on the table, a digit names one of them, others tell the"
                " scores and whose turn it is. Those keys, C, 1 to 6, S and T, work here just as"
                " they do there."
            ),
        ),
    ),
)
