"""`volte review --try`: costly choices to try again at the terminal, before the answers."""

from __future__ import annotations

from typing import Final

from volte.console.keys import key_of
from volte.console.quiz import QuizPlayer
from volte.console.terminal import Console, Quit
from volte.game import Phase
from volte.history import turning
from volte.history.moments import before
from volte.history.review import LookedBack, answer, heading, where
from volte.history.turning import Turning
from volte.say import N_, Words
from volte.say.keys import Key
from volte.say.telling import Telling


def try_again(words: Words, console: Console, looked: LookedBack) -> None:
    """Ask again about the costliest choices of the seat reviewed. Raises `Quit`."""
    [seat] = looked.seats
    costly = looked.review.costliest(seat)
    console.say(heading(words, looked) + ".")
    if not costly:
        console.say(words.t("Nothing you did cost much."))
        return
    console.say(words.t("Would you do the same again? Try it before you see the answer."))
    try:
        for place, judged in enumerate(costly, start=1):
            which = words.t("Choice {place} of {most}", place=place, most=len(costly))
            console.say("", f"{which}.")
            moment = Turning(before(looked.log, judged.number)[0], judged)
            over = judged.deal <= len(looked.state.deals)
            ChoicePlayer(moment, over, words, console, place > 1).tries(place == len(costly))
    except Quit:
        console.say(
            words.t("You have left the review. Without --try, you get all the answers at once.")
        )
        raise


class ChoicePlayer(QuizPlayer):
    """A person who tries one of their costly choices again.

    Args:
        over: whether the deal is over, so that the other hands may be shown.
    """

    keys = (
        N_("Enter alone, or I: the answer."),
        N_("Q: leave the review."),
    )

    def __init__(
        self, moment: Turning, over: bool, words: Words, console: Console, keys_told: bool
    ) -> None:
        super().__init__(moment.judged.view, words, console, keys_told)
        self._moment = moment
        self._over = over

    def tries(self, last: bool) -> None:
        """Ask until the best choice is found or the answer is wanted, and tell it. Raises `Quit`.

        Args:
            last: whether no other choice comes after it.
        """
        judged = self._moment.judged
        telling = Telling(self.words, self.view)
        self.console.say(where(telling, judged), *turning.status(self.words, self.view))
        self._introduce()
        while (line := self.line(self._prompt())) and key_of(line) is not Key.HINT:
            if self._verdict(line) == "right":
                break
        self.console.say(*answer(telling, judged))
        if self._over:
            self.console.say(*turning.held(self.words, self._moment.state, judged.seat))
        while line := self.ask_line(DONE if last else NEXT):
            self._verdict(line)

    def _verdict(self, line: str) -> str:
        """Print the verdict on a typed line; `right`, `wrong`, `refused`, or empty for none."""
        action = self._chosen(line)
        if action is None:
            return ""
        kind, lines = turning.verdict(self.words, self._moment.judged, action)
        self.console.say(*lines)
        return kind

    def _prompt(self) -> str:
        passing = self.view.state.phase is Phase.PASSING
        return self._asked(
            N_("Which cards are best to pass? Press Enter for the answer.")
            if passing
            else N_("Which card is best? Press Enter for the answer.")
        )


NEXT: Final = N_(
    "Press Enter for the next choice, or type Q to leave. Type a card to hear what it would "
    "have cost."
)
DONE: Final = N_(
    "That was the last choice: press Enter to leave. Type a card to hear what it would have cost."
)
