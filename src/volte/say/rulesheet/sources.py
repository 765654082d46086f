"""Where the named tables come from, and what was decided where sources are silent or differ."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

_LINKS: Final = {
    "bicycle_cancellation": (
        "Bicycle",
        "http://www.bicyclecards.com/card-games/rule/cancellation-hearts",
    ),
    "bicycle_omnibus": ("Bicycle", "http://www.bicyclecards.com/card-games/rule/omnibus-hearts"),
    "black_lady": ("Wikipedia, Black lady", "https://en.wikipedia.org/wiki/Black_lady"),
    "black_maria": (
        "Wikipedia, Black Maria",
        "https://en.wikipedia.org/wiki/Black_Maria_(card_game)",
    ),
    "blu_con": ("The Game of Hearts", "http://www.blu-con.com/the-game-of-hearts/"),
    "cancellation": (
        "Wikipedia, Cancellation Hearts",
        "https://en.wikipedia.org/wiki/Cancellation_Hearts",
    ),
    "dodofox": ("Hearts by Dodofox", "https://www.waerfa.com/hearts-by-dodofox"),
    "eliters": ("Eliters", "http://www.eliters.com/games/league/trnyrule.asp?trid=10978"),
    "everything": ("Everything2", "https://everything2.com/user/dogwalker/writeups/Hearts"),
    "gamerules": ("gamerules.com", "https://gamerules.com/rules/black-maria/"),
    "geocities": (
        "GeoCities, TimesSquare",
        "https://geocities.datacellar.net/TimesSquare/2767/hearts.html",
    ),
    "gnome": ("Gnome Hearts", "https://www.jejik.com/gnome-hearts/users/"),
    "goldsmith": ("Jeff Goldsmith", "https://www.jeff-goldsmith.com/games/hearts.html"),
    "hoyle": ("Alan Hoyle", "https://www.alanhoyle.com/hearts-blackmaria.html"),
    "partner": ("Wikipedia, Partner hearts", "https://en.wikipedia.org/wiki/Partner_hearts"),
    "pokerwiner": (
        "pokerwiner.com",
        "http://www.pokerwiner.com/games-of-playing-cards/hearts-1.html",
    ),
    "waits": ("stadte.eu", "https://stadte.eu/the-game-of-hearts.html"),
}
"""The pages by name: what they are called, and where they are."""

_COEURS: Final = N_("A text of the rules as they are played in Quebec.")
_SALON: Final = N_(
    "The rules of an online playroom for blind and sighted players, for three to six."
)

_SOURCES: Final = {
    "coeurs": _COEURS,
    "coeurs-cinq-coups": _COEURS,
    "coeurs-moyenne": _COEURS,
    "coeurs-cagnotte": _COEURS,
    "coeurs-table": _COEURS,
    "dame-de-pique": N_("The leaflet of a Swiss toy library."),
    "salon": _SALON,
    "salon-valet": _SALON,
    "salon-six-deux": _SALON,
    "salon-six-jokers": _SALON,
    "microsoft": N_(
        "The help of the program of 1992 and after, which names the same rules as the leaflet of"
        " the toy library."
    ),
    "simple-hearts": N_(
        "R. F. Foster’s Complete Hoyle of 1897 has the cards left out and the free lead; {blu_con}"
        " has the settling by the average, after as many deals as one likes. Foster names two"
        " other ways of paying, of which settlement=pot is one; on {blu_con} the cards left out"
        " are others."
    ),
    "black-lady": N_(
        "{black_lady} tells what Foster wrote in 1909: three cards to the left, the queen at 13, no"
        " reward for taking everything, which is first mentioned in 1939. The cards left out are"
        " those that the article takes from Morehead, who also knows a kitty for the first trick"
        " instead. Today most tables play with a moon: set moon=others_plus."
    ),
    "omnibus": N_(
        "{bicycle_omnibus} and {everything}: a moon wants all fifteen cards that count, and"
        " {bicycle_omnibus} lowers the score by it. Both name the 10 of diamonds first and the jack"
        " as what others play; {gnome} has the jack first, as most programs do, and so has this"
        " table. For the 10, set jack_points=0 and card_points=TD=-10. At {bicycle_omnibus} the"
        " bonus is part of the 26 points of the moon; here it is counted besides."
    ),
    "spot-hearts": N_(
        "{gnome} alone tells the whole table: the queen at 25, up to 500, a moon that lowers the"
        " score by 129 and a slam by twice that, and the pass across before the one to the right."
        " Others have the queen at 26 ({hoyle}) or 50 ({eliters}), and charge the others for a"
        " moon."
    ),
    "black-maria": N_(
        "{black_maria} after Arnold, and {gamerules}: three players leave out the 2 of clubs, six"
        " the four 2s, and the pass goes to the right. For five the cards left out are those of"
        " Black Lady. This table has no moon; some play with one. Elsewhere three players leave out"
        " the 2 of diamonds."
    ),
    "greek": N_(
        "{pokerwiner} after Arnold: Black Maria’s pass, Black Lady’s points, and 26 points for each"
        " of the others where one player takes them all."
    ),
    "scatter": N_(
        "{geocities}: the shooter chooses, a tie is played on, points may be thrown on the first"
        " trick, and a scatter may take the place of the deal without a pass. Parlett’s Penguin"
        " Book of Card Games has the choice and the tie-breaker too."
    ),
    "exact-hundred": N_(
        "{goldsmith}: exactly 100 falls back to 50, and a moon counts for the shooter only where it"
        " would lose the match otherwise. His rule for 99 and 25 points is left out."
    ),
    "partnership": N_(
        "{partner}: partners sit opposite and add their points, up to 200, and one of them alone"
        " has to shoot the moon. There it costs the other side 52; here it is the worth of the"
        " penalty cards, as in any deal. Parlett, too, wants all the cards in one hand. Where"
        " partners may share them, set moon_by=side."
    ),
    "cancellation": N_(
        "{bicycle_cancellation}: no pass, the eldest hand leads, and the cards left over go to the"
        " first trick; it is best for seven or eight. Parlett gives them to the last trick: set"
        " kitty=last_trick. What a last trick does that cancels is told by {cancellation} alone."
    ),
}
"""What each preset follows, and where others differ, as messages."""

_DECISIONS: Final = {
    "W1": N_(
        "{geocities} has one card for each of the others and no more. Which card goes to whom has"
        " to be said somehow: the order in which they are picked says it."
    ),
    "W2": N_(
        "The lowest club still names the leader, so that nobody has to ask who begins; it is known"
        " then where that card lies."
    ),
    "W3": N_(
        "{waits} knows the rule and says no more. Following suit stays free, as with a forced"
        " queen, and a heart played earlier in the same trick is enough for a discard. Among the"
        " duties of T8 it stands after T3, and before T5 and T6."
    ),
    "W4": N_(
        "The last trick is Parlett’s, the first heart that of {dodofox}. A deal in which nobody has"
        " won a heart must give the kitty to somebody: the last trick does. Where tricks wait, the"
        " kitty waits for whoever takes them."
    ),
    "W5": N_(
        "Sources put bonus cards apart; here each card has its number of points, and what is a"
        " penalty card follows from it. With two packs, equal cards count alike."
    ),
    "W6": N_("{dodofox} takes 3 off. It is treated as the jack of diamonds is."),
    "W7": N_(
        "Lowering the score is the rule of {bicycle_omnibus}, the choice that of Parlett and of"
        " {geocities}, and the way out of a lost match {goldsmith}’s. In a match of one deal the"
        " moon wins whichever way it counted."
    ),
    "W8": N_("{gnome} lowers the score by 26 for a moon and by 52 for all tricks."),
    "W9": N_(
        "{goldsmith} knows only 100, which falls back to 50; half of any limit is the same thing."
        " Playing on after a tie is in {geocities}."
    ),
    "W10": N_(
        "{partner} adds the points of partners. Each seat is given the sum, so that the score"
        " sheet, the end and the stakes need no rule of their own."
    ),
    "W11": N_(
        "{bicycle_cancellation} and {cancellation}. Both cards have the same name for everybody;"
        " where one of them has to be played, either will do."
    ),
}
"""What was decided on the clauses of the wider family, and by whom it is known, as messages."""


def preset_source(words: Language, name: str) -> str:
    """Where the preset of that name comes from, as Markdown. Raises `KeyError`."""
    return words.t(_SOURCES[name], **_linked())


def decision(words: Language, clause: str) -> str:
    """What was decided on that clause, as Markdown; empty where it follows from its source."""
    return words.t(_DECISIONS[clause], **_linked()) if clause in _DECISIONS else ""


def _linked() -> dict[str, str]:
    return {name: f"[{title}]({address})" for name, (title, address) in _LINKS.items()}
