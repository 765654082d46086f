"""Lines of the engine protocol, read from a pipe and written: positions, questions, answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import BinaryIO, Final

from volte.bots import Clock, Estimate, Thought
from volte.cards import HEARTS, Card, CardFault, VolteError, cards_in, mask_of, read_cards
from volte.game import ChooseMoon, DealState, Pass, Phase, Play, SeatAction, Trick
from volte.notation.lines import score_parts, seat_text, written_value
from volte.rules import (
    Direction,
    Kitty,
    Ruleset,
    RulesetFault,
    Score,
    Value,
    options_of,
    ruleset_of,
)
from volte.view import View

PROTOCOL: Final = 1
"""The version of the protocol that this program speaks."""

LONGEST_LINE: Final = 8192
"""Longest line, in bytes; no message is longer."""


class EngineFault(VolteError):
    """A line that cannot be answered, or a program that cannot be used as an engine."""


def read_lines(source: BinaryIO) -> Iterator[str | None]:
    """Yield the lines, stripped, until the end of the input; None for a line that is too long.

    Memory is bounded, whatever is written. Bytes that are not UTF-8 are read as the replacement
    character, which no word contains.
    """
    while chunk := source.readline(LONGEST_LINE + 1):
        if len(chunk) <= LONGEST_LINE or chunk.endswith(b"\n"):
            yield chunk.decode("utf-8", "replace").strip().lstrip("\ufeff")
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = source.readline(LONGEST_LINE + 1)
        yield None


# The match


def rules_line(rules: Ruleset) -> str:
    """Every option of a ruleset, so that nobody needs to know a preset. Raises `EngineFault`."""
    options = options_of(rules)
    if not _make(options, rules):
        raise EngineFault("rules_have_no_name")
    pairs = (f"{name}={written_value(value)}" for name, value in options.items())
    return f"rules {' '.join(pairs)}"


def _make(options: Mapping[str, Value], rules: Ruleset) -> bool:
    """Whether those options make exactly those rules."""
    try:
        return ruleset_of(options) == rules
    except RulesetFault:
        return False


# Positions


def position_lines(view: View) -> list[str]:
    """The whole position, from `match` on. During a deal, later positions only add lines."""
    state, seat = view.state, view.seat
    lines = [f"match seat {seat_text(seat)}"]
    if state.pot or any(state.net):
        pot = f" pot {state.pot}" if state.pot else ""
        lines.append(f"stakes {_words(state.net)}{pot}")
    lines += map(score_line, state.deals)
    if state.phase in (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING):
        lines += _deal(view, seat)
    return lines


def score_line(scored: Score) -> str:
    """A deal as a line of the score sheet."""
    return f"score {_words(score_parts(scored))}"


def _deal(view: View, seat: int) -> Iterator[str]:
    deal = view.deal
    passed = "" if deal.direction is Direction.HOLD else "pass "
    yield (
        f"deal number {deal.number} dealer {seat_text(deal.dealer)} {passed}{deal.direction}"
        f" hand {_words(cards_in(_dealt(view, seat)))}"
    )
    if deal.passes[seat]:
        yield f"pass {_words(deal.passes[seat] or ())}"
    if deal.transfers:
        yield f"receive {_words(received(view))}"
    if view.state.phase is not Phase.PASSING:
        opening = f" {deal.opening}" if deal.opening is not None else ""
        leader = deal.leader if not deal.tricks else deal.tricks[0].leader
        yield f"lead {seat_text(leader)}{opening}"
    yield from _plays(deal, seat)
    if moon_is_open(view):
        yield f"moon {seat_text(seat)}"


def received(view: View) -> tuple[Card, ...]:
    """Cards passed to the seat; in a scatter, first the card of its left-hand neighbour (W1)."""
    deal, seat = view.deal, view.seat
    players = deal.rules.players
    to_us = (each for each in deal.transfers if each.taker == seat)
    by_giver = sorted(to_us, key=lambda each: (each.giver - seat) % players)
    return tuple(card for each in by_giver for card in each.cards or ())


def moon_is_open(view: View) -> bool:
    """Whether the seat has to say how its moon counts (W7), with a referee or without."""
    return view.state.shooter is not None and view.state.shooter == view.seat


def _dealt(view: View, seat: int) -> int:
    """Mask of the hand as it was dealt."""
    deal = view.deal
    hand = view.hand.mask
    for _, player, card in _played(deal):
        if player == seat:
            hand |= card.bit
    if deal.transfers:
        hand = hand & ~view.got().mask | mask_of(deal.passes[seat] or ())
    return hand


def _plays(deal: DealState, seat: int) -> Iterator[str]:
    players, ours = deal.rules.players, deal.kitty_taker == seat
    after = _tricks_before_kitty(deal.rules, deal.tricks) * players if ours else 0
    for place, player, card in _played(deal):
        yield f"play {seat_text(player)} {card}"
        if place + 1 == after:
            yield f"kitty {_words(cards_in(deal.kitty))}"


def _tricks_before_kitty(rules: Ruleset, tricks: Sequence[Trick]) -> int:
    """Number of tricks gathered when the kitty was taken (D6, W4)."""
    kitty, hearts = rules.deck.kitty, False
    for number, trick in enumerate(tricks, start=1):
        hearts = hearts or bool(mask_of(trick.cards) & HEARTS)
        taken = kitty is Kitty.FIRST_TRICK or (kitty is Kitty.FIRST_HEART and hearts)
        if taken and trick.winner is not None:
            return number
    return len(tricks)


def _played(deal: DealState) -> Iterator[tuple[int, int, Card]]:
    """Place from the first lead on, seat and card of every play of the deal."""
    piles = [(trick.leader, trick.cards) for trick in deal.tricks]
    place = 0
    for leader, cards in (*piles, (deal.leader, deal.trick)):
        for order, card in enumerate(cards):
            yield place, (leader + order) % deal.rules.players, card
            place += 1


# Questions and answers


def go_line(view: View, clock: Clock) -> str:
    """The line that asks for a choice and lists the legal ones."""
    words = ["go"]
    if clock.milliseconds is not None:
        words.append(f"movetime {clock.milliseconds}")
    if clock.simulations is not None:
        words.append(f"simulations {clock.simulations}")
    words.append(f"event {view.state.version}")
    return " ".join([*words, legal_words(view)])


def legal_words(view: View) -> str:
    """The legal choices: `play` and cards; `pass`, a count and the hand; `moon` and two words."""
    if moon_is_open(view):
        return "moon plus minus"
    if view.state.phase is Phase.PASSING:
        return f"pass {view.deal.pass_size} {_words(view.hand)}"
    return f"play {_words(view.legal)}"


def thought_lines(thought: Thought) -> list[str]:
    """A whole answer: estimates, counts of what was searched, and the choice."""
    info = (
        f"info worlds {thought.worlds} simulations {thought.simulations}"
        f" milliseconds {thought.milliseconds:.0f}"
    )
    return [*map(_estimate, thought.estimates), info, f"choose {_action(thought.action)}"]


def _estimate(estimate: Estimate) -> str:
    numbers = f"points {estimate.points:.3f} margin {estimate.margin:.3f}"
    error = f" error {estimate.error:.3f}" if estimate.error is not None else ""
    return f"estimate {_action(estimate.action)} {numbers}{error}"


def _action(action: SeatAction) -> str:
    match action:
        case Play():
            return f"play {action.card}"
        case Pass():
            return f"pass {_words(action.cards)}"
        case ChooseMoon():
            return "moon minus" if action.minus else "moon plus"
    raise TypeError(f"no bot chooses {action}")


def _words(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


_NUMBER: Final = re.compile("[0-9]{1,20}")
_SIGNED: Final = re.compile(r"[-+−]?[0-9]{1,6}")
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")

MOST_SAID: Final = 10.0**12
"""Largest number taken from an outside program; larger ones are capped."""


class Malformed(Exception):
    """The line is not written as such lines are."""


class LineWords:
    """The words of a line after the first, taken one by one."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._place = 0

    @property
    def left(self) -> int:
        return len(self._words) - self._place

    @property
    def next(self) -> str:
        """The word that comes next; empty at the end."""
        return self._words[self._place] if self.left else ""

    def take(self) -> str:
        if not self.left:
            raise Malformed
        self._place += 1
        return self._words[self._place - 1]

    def accept(self, word: str) -> bool:
        """Take the next word if it is this one; returns whether it was."""
        found = self.next == word
        self._place += found
        return found

    def rest(self) -> list[str]:
        words, self._place = self._words[self._place :], len(self._words)
        return words

    def end(self) -> None:
        if self.left:
            raise Malformed

    def number(self, least: int, most: int) -> int:
        """A whole number. Raises `EngineFault` where it is out of range."""
        word = self.take()
        if not _NUMBER.fullmatch(word):
            raise Malformed
        if not least <= int(word) <= most:
            raise EngineFault("number_out_of_range", value=word, least=least, most=most)
        return int(word)

    def signed(self) -> int:
        word = self.take()
        if not _SIGNED.fullmatch(word):
            raise Malformed
        return int(word.replace("−", "-"))

    def decimal(self) -> float:
        """A decimal number in any usual notation; one that is too large is capped."""
        word = self.take()
        if not _DECIMAL.fullmatch(word):
            raise Malformed
        return max(-MOST_SAID, min(float(word), MOST_SAID))

    def seat(self, players: int) -> int:
        """A seat, counted from 1 in the line and from 0 in the result."""
        word = self.take()
        if not _NUMBER.fullmatch(word):
            raise Malformed
        if not 1 <= int(word) <= players:
            raise EngineFault("seat_unknown", seat=word, players=players)
        return int(word) - 1

    def minus(self) -> bool:
        """The sign of a moon: True for `minus`, False for `plus`."""
        word = self.take()
        if word not in ("plus", "minus"):
            raise Malformed
        return word == "minus"

    def card(self) -> Card:
        return card_of(self.take())

    def cards(self) -> tuple[Card, ...]:
        """All remaining cards, at least one. Raises `EngineFault`."""
        if not self.left:
            raise Malformed
        try:
            return read_cards(" ".join(self.rest()))
        except CardFault as fault:
            raise EngineFault(fault.reason, **fault.params) from None


@lru_cache(1024)
def card_of(word: str) -> Card:
    """The card that the word names. Raises `EngineFault`."""
    try:
        return Card(word)
    except CardFault as fault:
        raise EngineFault(fault.reason, **fault.params) from None


Choice = Play | Pass | ChooseMoon
"""An action that an engine can be asked for."""

ESTIMATED: Final = ("points", "margin", "error")
INFORMED: Final = ("worlds", "simulations", "milliseconds")
"""Names of the numbers in lines of `estimate` and `info`."""


def read_choice(words: LineWords, seat: int) -> Choice:
    """Read `play QS`, `pass QS AS KS` or `moon minus` as an action of the seat.

    Raises `Malformed`.
    """
    action = _read_action(words, seat)
    words.end()
    return action


def _read_action(words: LineWords, seat: int) -> Choice:
    kind, cards = words.take(), []
    if kind == "moon":
        return ChooseMoon(seat, words.minus())
    while words.left and words.next not in ESTIMATED:
        try:
            cards.append(words.card())
        except EngineFault:
            raise Malformed from None
    if kind == "play" and len(cards) == 1:
        return Play(seat, cards[0])
    if kind == "pass" and cards:
        return Pass(seat, tuple(cards))
    raise Malformed


def read_estimate(words: LineWords, seat: int) -> Estimate:
    """Read `play QS points 3.2 margin -1.0 error 0.3`. Raises `Malformed`."""
    action = _read_action(words, seat)
    numbers = _numbers(words, ESTIMATED)
    if "points" not in numbers or "margin" not in numbers:
        raise Malformed
    return Estimate(action, numbers["points"], numbers["margin"], numbers.get("error"))


def read_info(words: LineWords) -> tuple[int, int]:
    """Read `worlds 10 simulations 500`: worlds and simulations. Raises `Malformed`."""
    numbers = _numbers(words, INFORMED)
    return int(numbers.get("worlds", 0)), int(numbers.get("simulations", 0))


def _numbers(words: LineWords, known: Collection[str]) -> dict[str, float]:
    """Numbers behind known names, up to the end of the line or to `string` and its text.

    Other programs may say more: an unknown name and what follows it, up to a known one, is skipped.
    """
    numbers = {}
    while words.left and (name := words.take()) != "string":
        if name in known:
            numbers[name] = words.decimal()
    return numbers
