"""How the cards are dealt so that nobody can choose them, for somebody who plays (D3)."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

Section = tuple[str, tuple[str, ...]]
"""A heading, and the paragraphs below it."""


def fairness_page(words: Language) -> tuple[Section, ...]:
    """The page that explains fair dealing, section by section."""
    return tuple(
        (words.t(heading), tuple(words.t(paragraph) for paragraph in paragraphs))
        for heading, paragraphs in _SECTIONS
    )


_SECTIONS: Final[tuple[Section, ...]] = (
    (
        N_("Nobody chooses the cards"),
        (
            N_(
                "Around a table, everybody watches the hands of whoever deals. A machine has no"
                " hands to watch, so Volte deals in a way that anybody can check afterwards."
                " Neither the house nor a player can choose what you are dealt, and you need not"
                " take our word for it."
            ),
        ),
    ),
    (
        N_("How a deal is shuffled"),
        (
            N_(
                "First, the house draws a secret and shows its seal: a short text that nobody can"
                " make fit another secret, and that gives nothing of it away. From then on the"
                " house cannot change its mind. Nor can it throw away a deal that it dislikes: the"
                " seals are numbered, and each one holds the one before."
            ),
            N_(
                "Then every player adds some chance, as one cuts the cards. You have nothing to do:"
                " your own program, such as the page in your browser, draws a long number at"
                " random, your share. It shows only the seal of it at first. Once everybody's seal"
                " is on the table, all the shares are told. So nobody can wait for those of"
                " the others and then pick one that suits."
            ),
            N_(
                "The secret and the shares together settle where every card goes, by a recipe that"
                " is public. A single share drawn at random is enough: when the house sealed its"
                " secret, it could not know what your share would make of it. The shares of"
                " the bots are under the seal of the house, so it cannot try others either."
            ),
        ),
    ),
    (
        N_("What is told, and when"),
        (
            N_(
                "Seals and shares are told before the deal, and everybody at the table may know"
                " them. The secret stays closed as long as the deal is played, for it would give"
                " every hand away. It is told when the cards are cut for the next deal, and that"
                " of the last deal once the match is over. From then on, anybody can shuffle"
                " again and see the same cards come out."
            ),
        ),
    ),
    (
        N_("When somebody is late"),
        (
            N_(
                "The table waits a few seconds for each player's share, then deals without it. That"
                " is written in the record, and the shuffle is as fair as before if another"
                " person's share is in it."
            ),
            N_(
                "Somebody in league with the house could be late on purpose, once all the other"
                " shares are told, and so choose between the deal with that share and the deal"
                " without it. That would show. And if the record says that you were late, and you"
                " were not, do not trust that table."
            ),
        ),
    ),
    (
        N_("How to check"),
        (
            N_(
                "At the table, the part “Fair dealing” lets your own browser shuffle a deal again"
                " as soon as the next one is cut. After the match the page “Check the deals” does"
                " so with all of them; you find it at the end of the match, and under “My matches”."
            ),
            N_(
                "If you would rather trust no page of ours, download the record of the match: a"
                " text with every card, every seal and every secret. On your own machine,"
                " “volte verify RECORD” shuffles every deal again and says whether it is proved."
                " It asks this server for nothing. The check itself is a page of Python that can be"
                " read in a few minutes, and the recipe is published for whoever would rather"
                " write their own."
            ),
            N_(
                "While you play, you can read each other the beginning of a seal: if it is the same"
                " for everybody, everybody is shown the same deal."
            ),
        ),
    ),
    (
        N_("What it does not prove"),
        (
            N_(
                "The machine that deals knows the cards, like a dealer who could look at them. That"
                " it shows them to nobody is for those who run it to see to, and no calculation"
                " can prove it. What is proved is that nobody chose them."
            ),
        ),
    ),
)
