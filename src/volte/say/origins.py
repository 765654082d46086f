"""Where the game comes from, told from the three rule texts that Volte is built on."""

from __future__ import annotations

from typing import Final

from volte.say.fairness import Section
from volte.say.language import N_, Language


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
