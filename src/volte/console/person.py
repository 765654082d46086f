"""A person's seat at the terminal: hears what happens, asks for cards, answers the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cache
from threading import Thread
from typing import ClassVar, Final

from volte import game
from volte.bots import Hint, chosen_moon, hint
from volte.bots.advice import advise
from volte.cards import CardSet, VolteError, in_first_pack
from volte.console.habits import told_once
from volte.console.keys import (
    ACTING,
    act_key_of,
    act_of,
    awaited,
    key_lines,
    key_of,
    minus_of,
    refereed,
)
from volte.console.terminal import KIND_NAMES, Console, Kind, Quit
from volte.console.witness import PlayStyle, Witness
from volte.extras import strong_installed
from volte.names import meant
from volte.referee import Accept, Cut, Event, RefereedMatch, SeatAction, TurnDown, decide
from volte.rules import Direction, Settlement
from volte.say import N_, Words
from volte.say.answers import seat, tricks, who
from volte.say.keys import MOVED, OF_COMPANY, Key, Keys, bare, keys_of
from volte.say.outcome import moon_asked
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.rulesheet.vocabulary import explained
from volte.say.typed import read_choice
from volte.say.verbosity import CHANGED
from volte.view import View, settled

REFEREED: Final = N_(
    "This table leaves mistakes to a referee: nothing stops you from playing a wrong card, but "
    "the others can object. Type ? for the keys."
)


class Rematch(StrEnum):
    """The match that a person wants after one that is over."""

    NONE = "none"
    OTHER_CARDS = "other_cards"
    SAME_CARDS = "same_cards"  # the same cards again, everybody one seat on


class TerminalPlayer(Witness):
    """A person who plays: the owner of a seat for `volte.game.Driver`.

    Anything may be typed; a line that is no answer gets a sentence, and the question comes again.
    Raises `Quit` when the person leaves.
    """

    place: ClassVar[str] = "table"  # where letters have moved

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
            return game.AnswerUndo(
                self._me, self.agree(N_("May the card be taken back, yes or no?"))
            )
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
    def moved(self) -> Mapping[Key, str]:
        """The letters that meant something else here once, with a sentence that is told once."""
        keys = [Key.REPEAT, Key.WHY]
        if self._view is not None and isinstance(self.view.state, RefereedMatch):
            keys.append(Key.SITUATION)
        if self.chooses:
            keys.append(Key.TALK)
        return {key: MOVED[key] for key in keys}

    def has_moved(self, line: str) -> bool:
        """Whether the line is a letter that has moved; tell so, once."""
        key = Key.of(line)
        if key is None or bare(line) != key.value[0]:
            return False
        message = self.moved.get(key)
        if message is None or not told_once(f"{self.place} {key.value[0]}"):
            return False
        self.say(message)
        return True

    def line(self, prompt: str) -> str:
        while self.has_moved(line := super().line(prompt)):
            pass
        return line

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
            N_("The trick is {player:of}: press Enter to turn it face down.")
            if full
            else N_("Press Enter to let {player} cut for the next deal.")
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
        return self._yes_no_or(question, "", **params) is True

    def _yes_no_or(self, question: str, word: str, **params: object) -> bool | str:
        """Whether the person says yes or no, or that word."""
        while True:
            line = self.ask_line(question, **params)
            if word and meant(line, [word]) == word:
                return word
            key, answer = key_of(line), self.words.yes_or_no(line)
            if answer is None and key in _ANSWERS:
                answer = _ANSWERS[key]
            if answer is not None:
                return answer
            if self._view is None or not self._press(key):
                self.say(N_("Please answer yes or no."))

    def again(self, match: game.MatchState, *, same: bool = False) -> Rematch:
        """The match that the person wants after that one.

        Args:
            same: whether the same cards may be dealt again.
        """
        if same:
            self.tell_same()
        word = self.same if same else ""
        if match.rules.stakes.settlement is Settlement.POT and match.pot:
            pot = self.words.stakes(match.pot)
            question = N_("A pot of {pot} is waiting. Another match, yes or no?")
            answer = self._yes_no_or(question, word, pot=pot)
        else:
            answer = self._yes_no_or(N_("Another match, yes or no?"), word)
        if isinstance(answer, str):
            return Rematch.SAME_CARDS
        return Rematch.OTHER_CARDS if answer else Rematch.NONE

    @property
    def same(self) -> str:
        """The word by which the person asks for the same cards again."""
        return self.words.p("answer", "same")

    def tell_same(self) -> None:
        """Say how the same cards are asked for."""
        self.say(N_("“{word}”: the same cards, everybody one seat on."), word=self.same)

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
            prompt = self.words.t("Minus (−) or plus (+)?")
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
            N_("Which card do you pass {player:to}?")
            if count == 1
            else N_("Which {count} cards do you pass {player:to}?")
        )
        return self.words.t(question, count=count, player=player)

    def _rest(self) -> None:
        while line := self.ask_line(N_("Press Enter for the next deal.")):
            if not self._press(key_of(line)):
                self.say(
                    N_(
                        "No card is needed now: press Enter for the next deal, or type ? "
                        "for the keys."
                    )
                )

    def _answer(self, prompt: str) -> SeatAction | None:
        """Ask for one line, and answer it if it is a key; return its action, if it is one."""
        line = self.line(prompt)
        act = awaited(self.view, self._me)
        return act if act is not None and not line else self._typed(line)

    def _typed(self, line: str) -> SeatAction | None:
        """Answer a typed line if it is a key, or complain; return its action, if it is one."""
        key = key_of(line)
        if self.chooses and (minus := minus_of(line)) is not None:
            return game.ChooseMoon(self._me, minus)
        act_key, about = act_key_of(line)
        if act_key is not None:
            return self._act(act_key, about)
        if key is Key.CLAIM:
            return self.claim()
        if self._press(key):
            return None
        if self.chooses:
            self.say(
                N_(
                    "Type minus to take the points off your own total, or plus to add them to the"
                    " others’."
                )
            )
            return None
        if not line:
            self.say(N_("Type a card, its place in your hand (.3), or ? for the keys."))
            return None
        match = refereed(self.view)
        if match is not None and match.reckoned is not None:
            self.say(N_("No card is needed now: press Enter to go on, or type ? for the keys."))
            return None
        if line.isdecimal():
            self.say(
                N_("To choose a card by its place in your hand, type a dot first: .{number}"),
                number=line,
            )
            return None
        words = self.words
        try:
            cards = read_choice(words.lang, line, self.view)
        except VolteError as fault:
            told = explained(words, self.view.state.rules, line)
            self.console.say(*(told or (words.fault(fault),)))
            return None
        if self.view.state.phase is game.Phase.PASSING:
            return game.Pass(self._me, cards)
        return game.Play(self._me, cards[0])

    def claim(self) -> game.Claim | None:
        """The claim of the rest of the deal, once the person is sure; None if they are not."""
        playing = self.view.state.phase is game.Phase.PLAYING
        if playing and not isinstance(self.view.state, RefereedMatch):
            self.say(N_("If no card can change the scores any more, the rest is played for you."))
            if not self.agree(N_("End the deal now, yes or no?")):
                return None
        return game.Claim(self._me)

    def _act(self, key: Key, about: str) -> SeatAction | None:
        """The action of a key; None for a fault in what is named, which is told."""
        try:
            return act_of(key, about, self.view, self._me)
        except VolteError as fault:
            self.complain(fault)
            return None

    def _press(self, key: Key | int | None) -> bool:
        """Answer a key; False if it cannot be answered now, or is no key."""
        if key is Key.QUIT:
            raise Quit
        lines = self._answer_to(key)
        if lines and isinstance(key, Key) and key.sort is not Keys.HEARING:
            self.console.history.last = lines
        self.console.say(*lines)
        return bool(lines)

    def _answer_to(self, key: Key | int | None) -> tuple[str, ...]:
        """The answer to a key; () if it is none, or none that only asks."""
        words = self.words
        match key:
            case None:
                return ()
            case Key() if key.sort is Keys.HEARING:
                return self._looked_back(key)
            case Key.VERBOSITY:
                self.manner.verbosity = self.manner.verbosity.following
                return (words.t(CHANGED[self.manner.verbosity]),)
            case Key.KEYS:
                return self._help()
        view = self.view
        match key:
            case int() if key > 0:
                return words.table_card(view, key)
            case int():
                players = view.state.rules.players
                return seat(words, view, ((view.seat or 0) - key - 1) % max(players, -key))
            case Key.TABLE:
                return words.table(view)
            case Key.SCORES:
                return words.scores(view)
            case Key.TURN:
                return words.turn(view)
            case Key.SITUATION:
                return (*words.turn(view), *words.situation(view))
            case Key.HAND:
                return words.hand(view)
            case Key.LAST:
                return words.last_trick(view)
            case Key.TRICKS:
                return tricks(words, view)
            case Key.POINTS:
                return words.points_taken(view)
            case Key.SHEET:
                return words.score_sheet(view, self.console.table_width)
            case Key.RULES:
                return (format_sheet(rule_sheet(view.state.rules, words), words),)
            case Key.WHO:
                return who(words, view)
            case Key.HINT:
                return self._hint()
            case Key() if key in ACTING or key is Key.CLAIM:
                return self._why_not(key)
        return self._elsewhere(key)

    def _why_not(self, key: Key) -> tuple[str, ...]:
        """The reason why the act of a key is refused; () if it may be done."""
        playing = self.view.state.phase is game.Phase.PLAYING
        if key is Key.CLAIM and playing:
            return ()
        try:
            act = game.Claim(self._me) if key is Key.CLAIM else act_of(key, "", self.view, self._me)
        except VolteError as fault:
            return (self.words.fault(fault),)
        outcome = decide(self.view.state, act)
        if not isinstance(outcome, game.Refusal):
            return ()
        return (self.words.refusal(outcome, self.view),)

    def _help(self) -> tuple[str, ...]:
        """The keys that can be typed here, a line each."""
        return key_lines(self.words, self.view.state.rules, claims=settled(self.view))

    def _hint(self) -> tuple[str, ...]:
        """The hint; or why there is none now."""
        view = self.view
        choice = chosen_moon(view) if self.chooses else None
        if choice is not None:
            return (self.words.moon_hint(view, choice),)
        if not view.my_turn:
            return (self.words.why("no_hint_now"),)
        return (self.words.hint(self._advice(), view),)

    def _elsewhere(self, key: Key | int) -> tuple[str, ...]:
        """The answer to a key that means nothing at this table; () for one that acts."""
        if key is Key.WHY:
            return (self.words.t(MOVED[key]),)
        if key in _OF_PLAYROOMS:
            return (
                self.words.t("Nobody else can come to this table: that only works in a playroom."),
            )
        return ()

    def _looked_back(self, key: Key) -> tuple[str, ...]:
        """The message before or after; or the name of the kind that is looked back on from now."""
        history, t = self.console.history, self.words.t
        match key:
            case Key.REPEAT:
                return history.last or (t("Nothing has been said yet."),)
            case Key.KIND:
                return (t(KIND_NAMES[history.choose()]),)
            case Key.SILENCE if history.kind is Kind.EVERYTHING:
                return (t("Choose a kind of message first, with Y."),)
            case Key.SILENCE:
                done = N_("{name}: silenced") if history.mute() else N_("{name}: announced again")
                return (t(done, name=t(KIND_NAMES[history.kind])),)
            case Key.BEFORE | Key.OLDEST:
                found = history.step(forward=False, to_end=key is Key.OLDEST)
                return found or (t("There is nothing before that."),)
        found = history.step(forward=True, to_end=key is Key.LATEST)
        return found or (t("There is nothing after that."),)

    def _advice(self) -> Hint:
        """The hint on the pass or the play."""
        return advice(self.view)


_OF_PLAYROOMS: Final = frozenset((*keys_of(Keys.PLAYROOM), *OF_COMPANY))

_ANSWERS: Final[Mapping[Key | int | None, bool]] = {
    Key.ACCEPT: True,
    Key.TURN_DOWN: False,
    Key.QUIT: False,
}
"""Keys that answer a question for yes or no."""

_WAITING: Final[Mapping[type, str]] = {
    TurnDown: N_("The trick is yours: press Enter to turn it face down."),
    Cut: N_("Press Enter to cut for the next deal."),
    Accept: N_("Press Enter to accept the scores."),
}
"""Prompts for the actions that the others can wait for."""


def advice(view: View, beside: game.Pass | None = None) -> Hint:
    """The hint for a seat that has to pass or to play: the choice of `expert`.

    Args:
        beside: a pass of which the cost is wanted in any case.

    Until its compiled code is there, it is the choice of `casual`, so that nobody waits. Bots do
    not notice that a hint was asked for: those that need the code wait for it as always.
    """
    if strong_installed():
        from volte.bots.search import CODE  # here, as NumPy takes a while to come
        from volte.kernel import ready, unavailable

        if not all(ready(name) or unavailable(name) for name in CODE):
            fetching(CODE)
            return hint(view)
    return advise(view, beside=beside)


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
