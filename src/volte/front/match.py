"""Rules to choose, and a match that goes on as it is played: a `Driver` whose seats nobody owns."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from types import MappingProxyType

from volte.bots import NAMES
from volte.cards import Card, CardSet, CopiedWhole, NoSuchSeat, VolteError, WrongType, read_cards
from volte.cards.fault import shown
from volte.fair import House
from volte.files import replace_file
from volte.front.error import IllegalMove, unlawful
from volte.game import (
    Chance,
    Driver,
    HouseAction,
    MatchStarted,
    MatchState,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    ProvedChance,
)
from volte.game.decide import still_to_consent
from volte.notation import RecordFault, format_record, load_record, parse_record
from volte.notation.reader import master_of
from volte.notation.record import all_revealed
from volte.referee import ENGINE, Action, Event, SeatAction
from volte.referee.codec import read_action
from volte.referee.engine import legal_actions
from volte.rules import PRESETS, Ruleset, Score, Value, make_ruleset, ruleset_named
from volte.view import View, project
from volte.view.picture import as_text, headline


def ruleset(rules: Ruleset | str | os.PathLike[str] | None = None, /, **options: Value) -> Ruleset:
    """The rules of a preset, or of a file, with options changed.

    Args:
        rules: the name of a preset, one of `presets`, or a TOML file as `volte rules --save` writes
            it; without it, what that many players usually play.
        options: by the names in docs/rules/options.md, such as `players=5` or
            `queen_discard="free"`.

    Raises `VolteError` for an unknown name or value, for rules that cannot be played, and for a
    file that cannot be read.

    >>> ruleset("coeurs", players=6).hand_size
    8
    >>> ruleset("coeurs", players=6)
    ruleset('coeurs', players=6)
    """
    return ruleset_named(rules, options)


presets: Mapping[str, Ruleset] = MappingProxyType({name: make_ruleset(name) for name in PRESETS})
"""The rules of every preset, each for its usual number of players."""


def chosen_rules(rules: Ruleset | str | os.PathLike[str] | None, players: int | None) -> Ruleset:
    if isinstance(rules, Ruleset):
        return rules
    return ruleset_named(rules, {} if players is None else {"players": players})


def begun(rules: Ruleset, people: Sequence[Player]) -> list[MatchStarted]:
    """The log of a new match. Raises `VolteError` unless every seat has a player."""
    if len(people) != rules.players:
        raise VolteError("sides_differ", sides=len(people), players=rules.players)
    return [MatchStarted(rules, tuple(people))]


def fresh_seed() -> int:
    """A random seed, short enough to be typed again."""
    return secrets.randbelow(10**9)


class Match(CopiedWhole):
    """A match that goes on as you play it. The house deals by itself.

    Seats are numbers from 0, clockwise. A `Match` shows all cards: give a player the view
    `match.view(seat)` instead, which has only the cards that the seat knows.

    `print(match)` shows the public part, and no hand. Two matches are equal if their logs are
    equal. A copy, also by `pickle`, goes on with the same deals; `read(match.record())` is equal
    too, and is dealt on if it is given a seed.

    >>> from volte import hint
    >>> match = Match("coeurs", players=5, seed=1)
    >>> match.turn, match.legal
    (0, CardSet('S: Q6 H: A53 D: Q C: KT92'))
    >>> match.do(hint(match.view(0)).action)
    (Passed(seat=0, cards=(Card('KC'), Card('QD'), Card('QS'))),)
    """

    def __init__(
        self,
        rules: Ruleset | str | os.PathLike[str] | None = None,
        *,
        players: int | Sequence[str] | None = None,
        seed: int | None = None,
    ) -> None:
        """A new match, dealt and waiting for the first seat.

        Args:
            rules: a ruleset, or a preset or TOML file by its name; the usual rules for that many
                players if left out.
            players: their number, or their names from seat 0 on.
            seed: 0 to 2⁶⁴ - 1; the same seed deals the same cards. Without one a new seed is drawn.

        Raises `VolteError` for rules that cannot be played, and for too few or too many names.
        """
        if players is None or isinstance(players, int | Integral):
            chosen = chosen_rules(rules, None if players is None else int(players))
            people = [Player(name) for name in NAMES[: chosen.players]]
        else:
            if not all(isinstance(name, str) for name in players):
                raise WrongType.of("players", Sequence[str], players)
            chosen = chosen_rules(rules, len(players))
            people = [Player(name, person=True) for name in players]
        seed = fresh_seed() if seed is None else seed
        self._begin(begun(chosen, people), PlainChance(seed), seed)

    def _begin(
        self,
        log: Sequence[Event],
        chance: Chance,
        seed: int | None = None,
        master: bytes | None = None,
    ) -> None:
        self.seed = seed  # seed of the deals; None if they do not come from a seed
        self._driver = Driver(log, (), chance, engine=ENGINE)
        self._master = master
        self._deal_on()

    @classmethod
    def of(
        cls,
        log: Sequence[Event],
        chance: Chance,
        seed: int | None = None,
        master: bytes | None = None,
    ) -> Match:
        """The match of a log, dealt on by a house.

        Args:
            log: whole actions with all their events, `MatchStarted` first.
            chance: the house.
            seed: the seed of the house, if it deals by one.
            master: secret of a house that proves its shuffles; `record` writes it until the end.
        """
        match = cls.__new__(cls)
        match._begin(log, chance, seed, master)
        return match

    def _deal_on(self) -> None:
        """Let the house act until a seat has to."""
        while not self.to_act and self._driver.step():
            pass

    # Where it stands

    @property
    def rules(self) -> Ruleset:
        """The rules of this match, with all options filled in."""
        return self.state.rules

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, from seat 0 on."""
        return self.state.players

    @property
    def state(self) -> MatchState:
        """The whole state as the engine has it, all hands included."""
        return self._driver.state

    @property
    def log(self) -> tuple[Event, ...]:
        """Everything that has happened, from `MatchStarted` on."""
        return tuple(self._driver.log)

    @property
    def phase(self) -> Phase:
        """The stage of the match: `passing`, `playing`, `choosing`; `ended` in the end."""
        return self.state.phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have to act: during the pass, all that have not passed yet."""
        return still_to_consent(self.state) or ENGINE.to_act(self.state)

    @property
    def turn(self) -> int | None:
        """The first seat that has to act; None once the match is over."""
        return next(iter(self.to_act), None)

    @property
    def legal(self) -> CardSet:
        """The cards that `turn` may play, or choose its pass from; secret from the other seats."""
        if self.turn is None:
            return CardSet()
        view = self.view(self.turn)
        return view.hand if self.phase is Phase.PASSING else view.legal

    @property
    def actions(self) -> tuple[SeatAction, ...]:
        """Every action open to `turn`, each a `Play`, a `Pass` or another one for `do`."""
        return () if self.turn is None else legal_actions(self.state, self.turn)

    @property
    def points(self) -> tuple[int, ...]:
        """Points that each seat has taken in the present deal so far."""
        deal = self.state.deal
        if deal is None:
            return (0,) * self.rules.players
        return tuple(deal.rules.points_in(deal.captured(seat)) for seat in range(len(deal.hands)))

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score sheet: the scores of every deal that is over."""
        return self.state.deals

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat in the deals that are over."""
        return self.state.totals

    @property
    def over(self) -> bool:
        """Whether the match has been played to its end."""
        return self.phase is Phase.ENDED

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none before the end."""
        return self.state.winners

    @property
    def ranking(self) -> tuple[int, ...]:
        """The seats from the lowest total to the highest; equal ones by their number."""
        return tuple(sorted(range(self.rules.players), key=self.totals.__getitem__))

    def view(self, seat: int | None) -> View:
        """The match as a seat sees it: its own hand, the table, and conclusions from them.

        Args:
            seat: None for an onlooker, who holds no cards.

        Raises `NoSuchSeat`, which is an `IndexError`, for a seat that the table does not have.
        """
        return View(seat, project(self.state, seat))

    # Playing

    def play(self, card: Card | str | Play) -> tuple[Event, ...]:
        """Play a card for the seat whose turn it is, and return the events that follow.

        Args:
            card: a card, or its text, such as `QS`, `10d` or `♥A`. A `Play` names the seat as well.

        Raises `IllegalMove`.
        """
        if isinstance(card, Play):
            return self.do(card)
        with unlawful():
            named = card if isinstance(card, Card) else Card(card)
            return self.do(Play(self.turn or 0, named))  # seat 0 is refused where nobody may act

    def pass_cards(self, *cards: Card | str, seat: int | None = None) -> tuple[Event, ...]:
        """Pass cards, and return the events that follow.

        Args:
            cards: cards, or their texts, such as `QS AS KH`.
            seat: the seat that passes; `turn` if left out.

        Raises `IllegalMove`.
        """
        with unlawful():
            giver = seat if seat is not None else self.turn or 0
            NoSuchSeat.check(giver, self.rules.players)
            return self.do(Pass(giver, cards_of(cards)))

    def do(self, action: Action) -> tuple[Event, ...]:
        """Take any action: `Play`, `Pass`, `Claim(seat)`, `ChooseMoon(seat, minus)`, and the others
        of `volte.game`; at a refereed table those of `volte.referee` as well.

        Returns the events that it has caused, the next deal among them. Actions of the house (deal,
        draw lots) are refused if the house has done them by itself.

        Raises `IllegalMove`.
        """
        taken = read_action(action)
        if taken is None:
            raise IllegalMove("no_action", text=shown(action))
        before = len(self._driver.log)
        refusal = self._driver.submit(taken)
        if refusal is not None:
            seat = getattr(taken, "seat", None)
            known = seat if seat in range(self.rules.players) else None
            raise IllegalMove.refused(refusal, self.view(known))
        self._deal_on()
        return tuple(self._driver.log[before:])

    # As text

    def record(self) -> str:
        """The match as a record, the text of docs/records.md, which `read` reads back."""
        return format_record(self._driver.log, None if all_revealed(self.state) else self._master)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, in place of an old one. Raises `VolteError`."""
        try:
            replace_file(Path(path), self.record().encode())
        except OSError as error:
            why = error.strerror or str(error)
            raise RecordFault("record_not_saved", path=str(path), why=why) from None

    def show(self, *, reveal: bool = False) -> str:
        """The match as everybody sees it, as text.

        Args:
            reveal: whether to show all hands as well.
        """
        if reveal:
            return as_text(self.state, range(self.rules.players))
        return str(self.view(None))

    def __str__(self) -> str:
        return self.show()

    def _repr_html_(self) -> str:
        """HTML of the public view, for notebooks."""
        return self.view(None)._repr_html_()

    def __repr__(self) -> str:
        return f"<Match of {headline(self.state)}, {len(self._driver.log)} events>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._driver.log == other._driver.log


def read(source: str | bytes | os.PathLike[str], *, seed: int | None = None) -> Match:
    """Read the match of a record, up to the end of its text; the rules judge every line.

    Args:
        source: a path, or the text itself, which has more than one line or none.
        seed: seed of further deals. Without it there are none, unless the record has the master of
            the house that has dealt so far.

    Raises `VolteError`, with the line of the first thing that is wrong.
    """
    if isinstance(source, bytes) or (isinstance(source, str) and ("\n" in source or not source)):
        record = parse_record(source)
    else:
        record = load_record(Path(source))
    # Without the master, a match with proofs is read as any other, but not dealt on
    master = master_of(record) if record.master is not None else None
    if master is not None:
        return Match.of(record.log, ProvedChance(House(master)), master=master)
    if seed is not None and record.state.proof is None:
        return Match.of(record.log, PlainChance(seed), seed)
    return Match.of(record.log, _NoHouse())


class _NoHouse:
    """The house of a match that is not dealt on."""

    def act(self, _: MatchState) -> HouseAction | None:
        return None


def cards_of(cards: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Cards, or texts that name one card or several. Raises `CardFault`."""
    if isinstance(cards, str):
        return read_cards(cards)
    return tuple(
        each for card in cards for each in ((card,) if isinstance(card, Card) else read_cards(card))
    )
