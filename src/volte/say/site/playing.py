"""Choosing and playing cards, and what is asked once more before it is done."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

CLIENT: Final = {
    "play_card": N_("Play: {card}"),
    "choose_card": N_("Choose: {card}"),
    "put_back": N_("Put back: {card}"),
    "to_pass": N_("{card}, to pass"),
    "barred": N_("may not be played now"),
    "chosen": N_("{count} chosen."),
    "raised_tap": N_("Raised: {card}. Tap it again to play it."),
    "raised_button": N_("Raised: {card}. The button below your hand plays it."),
    "sure_claim": N_("End the deal now?"),
    "about_claim": N_(
        "If no card can change a score any more, the rest is played by itself. Otherwise nothing "
        "happens, and you play on."
    ),
    "yes_claim": N_("End the deal"),
    "no_claim": N_("Play on"),
    "sure_stand": N_("Leave your seat?"),
    "about_stand": N_(
        "A bot sits down there and plays your cards. You can take the seat again, as long as "
        "nobody else has."
    ),
    "about_stand_free": N_("The seat is free for anybody then."),
    "no_stand": N_("Stay"),
    "about_close": N_("Everybody has to leave, and a match that goes on is never finished."),
    "no_close": N_("Keep it open"),
}
