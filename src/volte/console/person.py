"""A person's seat at the terminal: hears what happens, asks for cards, answers the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import Final

from volte import game
from volte.bots import Hint, chosen_moon, hint
from volte.bots.advice import advise
from volte.cards import CardSet, VolteError, in_first_pack
from volte.console.keys import (
    Key,
    RefereeKey,
    act_of,
    awaited,
    key_lines,
    key_of,
    minus_of,
    referee_key_of,
    refereed,
)
from volte.console.terminal import KIND_NAMES, KINDS, Console, Dialogue, Kind, Quit
from volte.extras import strong_installed
from volte.referee import Accept, Cut, Event, RefereedMatch, SeatAction, TurnDown
from volte.rules import Direction, Settlement
from volte.say import N_, Verbosity, Words
from volte.say.answers import tricks
from volte.say.outcome import moon_asked
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.texts.remarks import remark
from volte.say.typed import read_choice
from volte.say.verbosity import CHANGED
from volte.view import View

REFEREED: Final = N_(
    "This table has a referee: nothing stops a wrong card, and the others may object. Type ? for"
    " the keys."
)


@dataclass
class PlayStyle:
    """A person's choices: how much they are told, and whether forced cards are played."""

    verbosity: Verbosity = Verbosity.NORMAL  # a key changes it
    # whether the only legal card is played without asking; with a referee, only the last card of
    # the hand, as a referee's table does not tell which cards are legal
    auto_forced: bool = False


class Witness(Dialogue):
    """Tells a match at the terminal as a seat sees it, or an onlooker if `seat` is None."""

    def __init__(
        self, seat: int | None, words: Words, console: Console, manner: PlayStyle | None = None
    ) -> None:
        super().__init__(words, console)
        self.seat = seat
        self.manner = manner or PlayStyle()
        self._view: View | None = None

    @property
    def view(self) -> View:
        """The match so far; it must have begun."""
        assert self._view is not None
        return self._view

    def tell(self, events: Sequence[Event]) -> None:
        """Say what has happened. A match that is already under way is only summed up."""
        if self._view is None and len(events) > 1:
            self._view = View.of(self.seat, events)
            self._sum_up()
            return
        for event in events:
            self._see(event)

    def _see(self, event: Event) -> None:
        before = self._view
        self._view = before.see(event) if before is not None else View.of(self.seat, [event])
        lines = self.words.tell(before, event, self.view, self.manner.verbosity)
        self.console.tell(KINDS.get(type(event).__name__, Kind.TABLE), *lines)
        self._tell_remark(event)
        several = isinstance(event, game.DealScored) and len(self.view.state.deals) > 1
        if several and not self.console.plain:  # listeners have just been told the new scores
            self.console.say(*self.words.score_sheet(self.view, self.console.table_width))

    @property
    def _levels(self) -> Sequence[str]:
        """The level of each seat's bot; empty if remarks are not wanted."""
        return (
            () if self.manner.verbosity.little else [each.level for each in self.view.state.players]
        )

    def _tell_remark(self, event: Event) -> None:
        """Tell the remark that a bot with character makes about an event, if any."""
        state = self.view.state
        said = remark(self.words, event, state, self._levels)
        if said is not None:
            name = state.players[said.seat].name
            line = self.words.t("{name}: {line}", name=name, line=said.line)
            self.console.tell(Kind.TALK, line)

    def _sum_up(self) -> None:
        state = self.view.state
        if state.deal is not None and state.shooter is not None:
            message = N_("The match goes on: deal {deal} is played, and a moon is to be counted.")
            self.say(message, deal=state.deal.number)
            self.console.say(*self.words.turn(self.view))
        elif state.deal is None or state.phase not in (game.Phase.PASSING, game.Phase.PLAYING):
            self.say(N_("The match goes on; the cards are about to be dealt."))
        elif state.phase is game.Phase.PASSING:
            message = N_("The match goes on: deal {deal}, before the pass is over.")
            self.say(message, deal=state.deal.number)
        else:
            message = N_("The match goes on: deal {deal}, trick {trick}.")
            self.say(message, deal=state.deal.number, trick=state.deal.trick_number)
            self.console.say(*self.words.table(self.view))
            if refereed(self.view) is not None:
                self.console.say(*self.words.turn(self.view))


class TerminalPlayer(Witness):
    """A person who plays: the owner of a seat for `volte.game.Driver`.

    Anything may be typed; a line that is no answer gets a sentence, and the question comes again.
    Raises `Quit` when the person leaves.
    """

    def __init__(
        self, seat: int, words: Words, console: Console, manner: PlayStyle | None = None
    ) -> None:
        super().__init__(seat, words, console, manner)
        self._me = seat
        self._introduced = -1
        self._keys_told = False
        self._early: game.Play | None = None

    def tell(self, events: Sequence[Event]) -> None:
        """Say what has happened, and wait between two deals."""
        resumed = self._view is None and len(events) > 1
        super().tell(events)
        scored = any(isinstance(event, game.DealScored | game.Settled) for event in events)
        has_cut = isinstance(self.view.state, RefereedMatch)  # cutting has been the wait already
        if scored and not resumed and not has_cut and self.view.state.phase is game.Phase.DEALING:
            self._rest()

    def ask(self) -> SeatAction:
        """Ask the person until they type an action, and return it."""
        state = self.view.state
        if self._me in game.still_to_consent(state):
            return game.AnswerUndo(self._me, self.agree(N_("Do you allow it, yes or no?")))
        if self.plays_itself:
            self.say(N_("Only one card may be played."))
            return game.Play(self._me, next(iter(self._forced)))
        if self.chooses:
            if self._introduced < 0:  # they come back in the middle of the choice
                self.console.say(*moon_asked(self.words, self.view))
            self._introduced = self.view.state.version
        elif awaited(self.view, self._me) is None:
            self._introduce()
        while True:
            action = self._answer(self._prompt())
            if action is not None:
                self.console.history.leave()
                return action

    @property
    def chooses(self) -> bool:
        """Whether the person has to say how a moon counts (W7)."""
        return self._view is not None and self.view.state.shooter == self._me

    @property
    def plays_itself(self) -> bool:
        """Whether only one card can be played, and the person does not want to be asked then."""
        return self.manner.auto_forced and len(set(map(in_first_pack, self._forced))) == 1

    @property
    def _forced(self) -> CardSet:
        """The cards to play from; with one card, or two equal ones, there is no choice."""
        view = self.view
        return view.legal if refereed(view) is None or not view.my_turn else view.hand

    @property
    def must_act(self) -> bool:
        """Whether the deal waits for the person: for cards, or for another act with a referee."""
        return self.view.my_turn or awaited(self.view, self._me) is not None

    @property
    def waited_for(self) -> bool:
        """Whether the others, at a refereed table, let the person act first: before another
        player turns a trick down or cuts (I4, I6).
        """
        match = refereed(self.view)
        if match is None or match.shooter is not None:
            return False
        if awaited(self.view, self._me) is not None:
            return False
        return match.lying.full if match.reckoned is None else not match.last

    def before_others(self) -> SeatAction | None:
        """Ask for the person's action before others turn down or cut; None if they may go on."""
        match = refereed(self.view)
        assert match is not None
        full = match.reckoned is None
        question = (
            N_("The trick is {player:of}: Enter to have it turned down?")
            if full
            else N_("Enter to let {player} cut for the next deal?")
        )
        player = match.players[match.lying.turner if full else match.cutter]
        prompt = self.words.t(question, player=player)
        while line := self.line(prompt):
            action = self._typed(line)
            if isinstance(action, game.Play) and full:  # as soon as the trick is turned down
                self._early = action
                return None
            if action is not None:
                return action
        return None

    def lead_out_of_turn(self) -> game.Play | None:
        """The card that was typed before the leader has led, returned once (I2)."""
        early, self._early = self._early, None
        return early

    def refused(self, refusal: game.Refusal) -> None:
        self.console.say(self.words.refusal(refusal, self.view))

    def agree(self, question: str, **params: object) -> bool:
        """Whether the person says yes."""
        while True:
            line = self.ask_line(question, **params)
            answer = False if key_of(line) is Key.QUIT else self.words.yes_or_no(line)
            if answer is not None:
                return answer
            self.say(N_("Please answer yes or no."))

    def again(self, match: game.MatchState) -> bool:
        """Whether the person wants another match after that one."""
        if match.rules.stakes.settlement is Settlement.POT and match.pot:
            pot = self.words.stakes(match.pot)
            return self.agree(N_("The pot of {pot} waits. Another match, yes or no?"), pot=pot)
        return self.agree(N_("Another match, yes or no?"))

    def _introduce(self) -> None:
        """Tell the hand, once for every question."""
        if self._introduced != self.view.state.version:
            self._introduced = self.view.state.version
            if not self.manner.verbosity.little:
                self.console.say(*self._hand())

    def _hand(self) -> tuple[str, ...]:
        """The hand; for listeners only its playable cards, as each one takes time to hear."""
        following = self.view.state.phase is game.Phase.PLAYING and bool(self.view.deal.trick)
        following = following and refereed(self.view) is None
        return self.words.hand(self.view, playable=following and self.console.plain)

    def _prompt(self) -> str:
        view = self.view
        if self.chooses:
            prompt = self.words.t("Minus (M) or plus (+)?")
        elif view.state.phase is game.Phase.PASSING:
            prompt = self._pass_prompt()
        elif act := awaited(view, self._me):
            prompt = self.words.t(_WAITING[type(act)])
        else:
            prompt = self.words.t(N_("Your card?") if view.deal.trick else N_("Your lead?"))
        if not self._keys_told:
            self._keys_told = True
            self.say(N_("Type ? for the keys."))
        return prompt

    def _pass_prompt(self) -> str:
        state, deal = self.view.state, self.view.deal
        count, players = deal.pass_size, len(state.players)
        if deal.direction is Direction.SCATTER:
            others = [state.players[(self._me + step) % players] for step in range(1, players)]
            return self.words.t(
                "Your {count} cards, in this order: {players:to}?", count=count, players=others
            )
        player = state.players[deal.direction.target(self._me, players)]
        question = (
            N_("Your card {player:to}?") if count == 1 else N_("Your {count} cards {player:to}?")
        )
        return self.words.t(question, count=count, player=player)

    def _rest(self) -> None:
        while line := self.ask_line(N_("Enter for the next deal?")):
            if not self._press(key_of(line)):
                self.say(N_("No card is wanted now: press Enter for the next deal, or type a key."))

    def _answer(self, prompt: str) -> SeatAction | None:
        """Ask for one line, and answer it if it is a key; return its action, if it is one."""
        line = self.line(prompt)
        act = awaited(self.view, self._me)
        return act if act is not None and not line else self._typed(line)

    def _typed(self, line: str) -> SeatAction | None:
        """Answer a typed line if it is a key, or complain; return its action, if it is one."""
        key = key_of(line)
        if self.chooses:
            return self._moon(line)
        if isinstance(self.view.state, RefereedMatch):
            referee_key, about = referee_key_of(line)
            claim = referee_key is RefereeKey.REVOKE  # goes on to be refused if it is too late
            if referee_key is not None and (claim or refereed(self.view) is not None):
                return self._ruled(referee_key, about)
        if key is Key.CLAIM:
            return game.Claim(self._me)
        if key is Key.UNDO:
            return game.AskUndo(self._me)
        if self._press(key):
            return None
        if not line:
            self.say(N_("Type a card, its place in your hand (.3), or ? for the keys."))
            return None
        match = refereed(self.view)
        if match is not None and match.reckoned is not None:
            self.say(N_("No card is wanted now: press Enter to go on, or type a key."))
            return None
        if line.isdecimal():
            self.say(N_("For a place in your hand, type a dot first: .{number}"), number=line)
            return None
        try:
            cards = read_choice(self.words.lang, line, self.view)
        except VolteError as fault:
            self.complain(fault)
            return None
        if self.view.state.phase is game.Phase.PASSING:
            return game.Pass(self._me, cards)
        return game.Play(self._me, cards[0])

    def unasked(self, key: Key | int | None) -> game.SeatAction | None:
        """The action of a key when the person has nothing to do; None for one that only asks."""
        if key is Key.CLAIM:
            return game.Claim(self._me)
        if key is Key.UNDO and self.view.state.phase is game.Phase.PASSING:
            return game.TakeBackPass(self._me)
        return game.AskUndo(self._me) if key is Key.UNDO else None

    def _moon(self, line: str) -> game.ChooseMoon | None:
        minus = minus_of(line)
        if minus is not None:
            return game.ChooseMoon(self._me, minus)
        if not self._press(key_of(line)):
            self.say(N_("Type minus to take it off your own points, or plus to put it on others."))
        return None

    def _ruled(self, key: RefereeKey, about: str) -> SeatAction | None:
        """Answer a key of refereed tables; return its action, if it has one."""
        if key is RefereeKey.TRICKS:
            self.console.say(*tricks(self.words, self.view))
            return None
        try:
            return act_of(key, about, self.view, self._me)
        except VolteError as fault:
            self.complain(fault)
            return None

    def _press(self, key: Key | int | None) -> bool:
        """Answer a key; False if it cannot be answered now, or is no key."""
        words, view = self.words, self.view
        match key:
            case int():
                lines: tuple[str, ...] = words.table_card(view, key)
            case Key.TABLE:
                lines = words.table(view)
            case Key.SCORES:
                lines = words.scores(view)
            case Key.TURN:
                lines = words.turn(view)
            case Key.HAND:
                lines = words.hand(view)
            case Key.LAST:
                lines = words.last_trick(view)
            case Key.POINTS:
                lines = words.points_taken(view)
            case Key.SHEET:
                lines = words.score_sheet(view, self.console.table_width)
            case Key.RULES:
                lines = (format_sheet(rule_sheet(view.state.rules, words), words),)
            case Key.VERBOSITY:
                self.manner.verbosity = self.manner.verbosity.following
                lines = (words.t(CHANGED[self.manner.verbosity]),)
            case Key.KEYS:
                lines = key_lines(words, view.state.rules)
            case Key.HINT if self.chooses:
                choice = chosen_moon(view)
                lines = (words.moon_hint(view, choice),) if choice is not None else ()
            case Key.HINT if view.my_turn:
                lines = (words.hint(self._advice(), view),)
            case Key.BEFORE | Key.AFTER | Key.KIND:
                lines = self._looked_back(key)
            case Key.QUIT:
                raise Quit
            case _:
                return False
        self.console.say(*lines)
        return True

    def _looked_back(self, key: Key) -> tuple[str, ...]:
        """The message before or after; or the name of the kind that is looked back on from now."""
        history = self.console.history
        if key is Key.KIND:
            return (self.words.t(KIND_NAMES[history.choose()]),)
        if key is Key.BEFORE:
            return history.step(forward=False) or (self.words.t("Nothing was told before that."),)
        return history.step(forward=True) or (self.words.t("Nothing has been told after that."),)

    def _advice(self) -> Hint:
        """The hint on the pass or the play."""
        return advice(self.view)


_WAITING: Final[Mapping[type, str]] = {
    TurnDown: N_("The trick is yours: Enter to turn it down?"),
    Cut: N_("Enter to cut for the next deal?"),
    Accept: N_("Enter to accept the scores?"),
}
"""Prompts for the actions that the others can wait for."""


def advice(view: View) -> Hint:
    """The hint for a seat that has to pass or to play: the choice of `expert`.

    Until its compiled code is there, it is the choice of `casual`, so that nobody waits. Bots do
    not notice that a hint was asked for: those that need the code wait for it as always.
    """
    if strong_installed():
        from volte.bots.search import CODE  # here, as NumPy takes a while to come
        from volte.kernel import ready, unavailable

        if not all(ready(name) or unavailable(name) for name in CODE):
            fetching(CODE)
            return hint(view)
    return advise(view)


@cache
def fetching(names: tuple[str, ...]) -> Thread:
    """Fetch compiled code in the background, in a thread that ends with the program."""
    from volte.kernel import KernelFault
    from volte.kernel.startup import code

    def fetch() -> None:
        for name in names:
            with suppress(KernelFault):
                code(name)

    thread = Thread(target=fetch, daemon=True)
    thread.start()
    return thread
