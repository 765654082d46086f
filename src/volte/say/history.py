"""Where the game comes from, and what players call things."""

from __future__ import annotations

from typing import Final, NamedTuple

from volte.say.language import N_, Language

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
    """A thing at the table.

    Attributes:
        names: what players call it, as a message: French has its own.
        meaning: as a message too.
    """

    names: str
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
