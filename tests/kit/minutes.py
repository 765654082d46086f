"""Minutes of a table in text files: the steps of people there, and their results.

    # Of two who want one seat the second is told
    match
    given until playing, Cléo Sit 2
    Denis Sit 2
      refused seat_wanted

After its name a case begins with `table` (Anne is its host, at seat 0), `match` (Anne and Bruno
play with bots), `dealt` or `refereed` (they have cards, from short text if it follows), each with
a preset and settings, if any. Then the lines are carried out in order; a comma parts the steps of a
line. Below a line stand its results: happenings, a refusal, or, after `hear`, the sentences that
those people hear. A line with `given` must not be refused, and its results are not written. At the
end the match must be a lawful record, and each seat must know what it may, and no more.

    Anne Remove 1 bar=true      a command, or an action in the match, by its fields; `lawful`: the
                                first lawful action
    Anne for 1 TakeBack         an action for another seat
    p-2="le chat" Sit 1         somebody else, by id and name
    note, late Anne Next        a command by one who has seen nothing since the note, or after
                                `note 1` what is still to come
    lay 0 4C KC                 a card each from that seat on, clockwise
    bot 2 Play 5C               an action of the bot at that seat
    house stand_in 1 clock      an act of the house; without one, its next chance; `all`: as many
                                as it can
    until passing               play on until a phase, a kind of happening, or a true attribute
                                (see `show`)
    play 20, turn Anne          play so many steps; or until one of these is to choose a card
    hear en Anne Bruno          from now on write what these people hear
    status Anne ready=anne      the status that she is told
    seats, show state.host      the players at the seats; an attribute of the table
    go Bruno, come Bruno        they lose their connection, or are there again, as all are at first
    now 7                       the clock, in seconds since the beginning
    next, turns, seconds        the next step of the table itself, and its time; the turns of the
                                seats; the time that each has
    decided 2                   the bot there has chosen; `notice 2 ClaimRevoke 1 1`: has noticed
    hesitates 2 1.5             the bot hesitates, as a multiple of the pace
    pace Anne 1 2 true          her pace of play; `hears Anne 7`: she listens until then
    timing turn_down=8          fields of `Timing`

VOLTE_REMAKE_GOLDENS=1 carries all of it out, and writes the results anew.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

import msgspec
import pytest
from kit.tables import ANNE, BRUNO, CLEO, DENIS, STRANGER, Table, dealt, setup, started
from msgspec.structs import replace

from volte import game, referee, table
from volte.cards import Card
from volte.game import Refusal
from volte.game.codec import read_card
from volte.rules import Ruleset
from volte.say import Words
from volte.table import Happening, Setup, Someone, Why, pacing, steps
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.pacing import Pace, Presence, RevokeNoticed, TableContext, Timing, next_step
from volte.table.status import status
from volte.table.telling import tell_room
from volte.table.turns import SeatTurn, current_turns
from volte.view import View

NOW: Final = 1000.0
"""Time at which a case begins, in seconds of `time.monotonic`."""

TIMING: Final = Timing(grace=10, bot_pace=1, trick_pace=3)
SECRETS: Final = {"-": None, "…": bytes(32)}
STEPS: Final = {
    "come_back": pacing.ComeBack,
    "pause_empty": pacing.PauseEmpty,
    "resume_present": pacing.Resume,
    "play_forced": pacing.PlayForced,
    "settle_asker": pacing.SettleAsker,
    "drop_asker": pacing.DropAsker,
    "fill": pacing.BeginMatch,
    "begin_anew": pacing.BeginAnew,
    "lapse_anew": pacing.LapseAnew,
}
"""Name in the cases → a step of the house itself."""

PEOPLE: Final = {who.name: who for who in (ANNE, BRUNO, CLEO, DENIS, STRANGER)}
FOLDER: Final = Path(__file__).parents[1] / "table" / "minutes"


def cases() -> list[pytest.ParameterSet]:
    """All cases, as parameters: file and text."""
    return [
        pytest.param(path, text, id=f"{path.stem}: {text.splitlines()[0].strip('# ')}")
        for path in sorted(FOLDER.glob("*.txt"))
        for text in path.read_text(encoding="utf-8").strip().split("\n\n")
    ]


def replay(path: Path, text: str) -> None:
    """Carry out a case, and compare its results with the text, or remake them."""
    lines = [line for line in text.splitlines() if not line.startswith("  ")]
    opening = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    minutes = Minutes(lines[opening])
    now = lines[: opening + 1]
    for line in lines[opening + 1 :]:
        now += [line, *(f"  {each}" for each in minutes.line(line))]
    minutes.at.check_record()
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        whole = path.read_text(encoding="utf-8").replace(text, "\n".join(now))
        path.write_text(whole, encoding="utf-8")
    else:
        assert "\n".join(now) == text


def setting_of(words: list[str]) -> Setup:
    """A setup: a preset, fields of a `Setup`, and options of the rules, `clock=60`."""
    presets = [word for word in words if "=" not in word]
    return setup(*presets, **settings_of(words))


def settings_of(words: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = dict(word.split("=", 1) for word in words if "=" in word)
    for field in msgspec.structs.fields(Setup):
        if field.name in settings:
            settings[field.name] = msgspec.convert(settings[field.name], field.type, strict=False)
    return settings


def opened(line: str) -> Table:
    """The table at the beginning of a case."""
    kind, *words = shlex.split(line)
    if kind in ("dealt", "refereed"):
        options = {"irregularities": "refereed" if kind == "refereed" else "enforced"}
        hands = [hand for word in words if "=" not in word for hand in word.split(" | ")]
        return dealt(*hands, **options | settings_of(words))
    setting = setting_of(words)
    return started(setting) if kind == "match" else Table(setting, seat=0)


class Minutes:
    """A table, and the state of a case: listeners, clock, presence, decisions of bots."""

    def __init__(self, opening: str) -> None:
        self.at = opened(opening)
        self.noted = 0
        self.words = Words("en")
        self.listeners: list[Someone] = []
        self.now = NOW
        self.timing = TIMING
        self.presence = Presence(NOW)
        for who in (ANNE, BRUNO, CLEO):
            self.presence.come(who.id)
        self.turns: dict[int, SeatTurn] = {}
        self.decided: dict[int, float] = {}
        self.hesitations: dict[int, float] = {}
        self.noticed: RevokeNoticed | None = None

    def line(self, line: str) -> list[str]:
        """Carry out a line, and return its results as lines."""
        given = line.startswith("given ")
        came: list[str] = []
        for step in line.removeprefix("given ").split(", "):
            self.presence.attend(self.at.state, self.now)
            self.turns = current_turns(self.at.state, self.turns, self.now)
            answer = self.step(step)
            if isinstance(answer, Refusal):
                assert not given, (step, answer)
                params = [f"{name}={value}" for name, value in sorted(answer.params.items())]
                came.append(
                    " ".join(filter(None, ["refused", answer.reason, answer.clause, *params]))
                )
            elif answer and isinstance(answer[0], str):
                came += answer
            elif answer and self.listeners and not given:
                came += self.heard(answer)
            else:
                came += [shown(each) for each in self.at.take(answer)]
            for each in answer if isinstance(answer, tuple) else ():
                if isinstance(each, hap.Sat):
                    self.presence.sat = self.now
                if isinstance(each, hap.StoodIn):
                    self.presence.came.discard(self.at.state.seats[each.seat].person)
        return [] if given else came

    def step(self, step: str) -> Any:
        """Carry out a step: happenings that are still to be taken, a refusal, or lines."""
        at = self.at
        match shlex.split(step):
            case ["note", *more]:
                self.noted = at.state.version + sum(map(int, more))
            case ["late", who, *words]:
                return at.decide(self.person(who), self.command(who, words), self.noted)
            case ["lay", first, *cards]:
                for seat, card in enumerate(cards, int(first)):
                    at.act(game.Play(seat % len(at.state.seats), Card(card)))
            case ["bot", seat, *words]:
                return table.decide_bot(at.state, self.action(int(seat), words))
            case ["house", *words]:
                return self.house(words)
            case ["until", what]:
                self.until(what)
            case ["play", steps]:
                at.play_on(int(steps))
            case ["turn", *people]:
                self.turn(people)
            case ["hear", lang, *people]:
                self.words, self.listeners = Words(lang), [self.person(who) for who in people]
            case ["status", who, *words]:
                return [self.status(self.person(who), **dict(each.split("=") for each in words))]
            case ["go", *people]:
                for who in people:
                    self.presence.go(self.person(who).id, self.now)
            case ["come", *people]:
                for who in people:
                    self.presence.come(self.person(who).id)
            case ["now", seconds]:
                self.now = NOW + float(seconds)
            case ["timing", *words]:
                self.timing = built(Timing, words)
            case ["pace", who, *words]:
                self.presence.paces[self.person(who).id] = built(Pace, words)
            case ["hears", who, seconds]:
                pace = self.presence.paces[self.person(who).id]
                pace = replace(pace, hears_until=NOW + float(seconds))
                self.presence.paces[self.person(who).id] = pace
            case ["decided", seat]:
                self.decided = {int(seat): self.now}
            case ["hesitates", seat, part]:
                self.hesitations[int(seat)] = float(part)
            case ["notice", seat, *words]:
                self.noticed = RevokeNoticed(self.action(int(seat), words), self.now)
            case ["next"]:
                return [self.next()]
            case ["turns"]:
                turns = sorted(self.turns.items())
                return [", ".join(f"{seat} {turn.kind}" for seat, turn in turns) or "-"]
            case ["seconds"]:
                seats = range(len(at.state.seats))
                return [shown(tuple(table.seconds_for(at.state, seat) for seat in seats))]
            case ["seats"]:
                return [", ".join(map(seat_text, at.state.seats))]
            case ["show", path]:
                return [shown(self.found(path))]
            case [who, *words]:
                return at.decide(
                    self.person(who), self.command(who, words), here=self.presence.here
                )
        return ()

    def person(self, who: str) -> Someone:
        """A person by name; or by `id=name`, who then is present."""
        id, _, name = who.partition("=")
        if name and id not in self.presence.here:
            self.presence.come(id)
        return Someone(id, name, invited=True) if name else PEOPLE[who]

    def command(self, who: str, words: list[str]) -> cmd.Command:
        seat = self.at.state.seat_of(self.person(who).id) or 0
        if words[0] == "for":
            seat, words = int(words[1]), words[2:]
        if words[0] == "Change":
            return cmd.Change(setting_of(words[1:]))
        kind = getattr(cmd, words[0], None)
        return built(kind, words[1:]) if kind else cmd.Act(self.action(seat, words))

    def action(self, seat: int, words: list[str]) -> Any:
        """An action of a seat."""
        if words == ["lawful"]:
            return referee.legal_actions(self.at.match, seat)[0]
        kind = getattr(referee, words[0], None) or getattr(game, words[0])
        return built(kind, [seat, *words[1:]])

    def house(self, words: list[str]) -> Any:
        match words:
            case []:
                return table.decide_house(self.at.state, self.at.chance())
            case ["all"]:
                bots = [place for place, seat in enumerate(self.at.state.seats) if seat.bot]
                return steps.acts_of_house(self.at.house, self.at.state, bots)
            case ["close_table"]:
                return steps.close_table(self.at.state)
            case ["stand_in", seat, why]:
                return table.outcome_of(self.at.state, pacing.StandIn(int(seat), Why(why)))
            case [name, *words] if name in STEPS:
                return table.outcome_of(self.at.state, STEPS[name](*map(int, words)))
            case [kind, *words]:
                return table.decide_house(self.at.state, built(getattr(game, kind), words))

    def until(self, what: str) -> None:
        if what in game.Phase.__members__.values():
            self.at.play_until(game.Phase(what))
        elif what[0].isupper():
            since = len(self.at.log)
            while not any(type(each).__name__ == what for each in self.at.log[since:]):
                assert self.at.step()
        else:
            while not self.found(what):
                assert self.at.step()

    def turn(self, people: list[str]) -> None:
        self.at.play_until(game.Phase.PLAYING)
        while True:
            (seat,) = game.to_act(self.at.match)
            choices = game.legal_actions(self.at.match, seat)
            if self.at.state.seats[seat].name in people and len(choices) > 1:
                return
            assert self.at.step()

    def found(self, path: str) -> Any:
        """An attribute of the table, `state.seats.2.bot`; with `not.`, its opposite."""
        value: Any = self.at
        for name in path.removeprefix("not.").split("."):
            value = value[int(name)] if name.isdecimal() else getattr(value, name)
        return not value if path.startswith("not.") else value

    def heard(self, outcome: tuple[Happening, ...]) -> Iterator[str]:
        """Take happenings, and give the sentences that each listener hears."""
        lines: dict[str, list[str]] = {who.name: [] for who in self.listeners}
        for happening in outcome:
            before = self.at.state
            self.at.take((happening,))
            for who in self.listeners:
                lines[who.name] += tell_room(self.words, before, happening, self.at.state, who.id)
        for name, each in lines.items():
            yield f"{name}: {' '.join(each) or '-'}"

    def status(self, who: Someone, ready: str = "") -> str:
        seat, view, here = self.at.state.seat_of(who.id), None, self.presence.here
        if self.at.state.match is not None:
            view = View.of(seat, [referee.visible(each, seat) for each in self.at.match_log()])
        return status(self.words, self.at.state, view, seat, here, ready.split(","), who.id)

    def next(self) -> str:
        """The next step of the table itself, and its time."""
        context = TableContext(
            self.presence, self.turns, self.decided, self.noticed, self.hesitations
        )
        scheduled = next_step(self.at.state, context, self.timing)
        if scheduled is None:
            return "-"
        when = f"+{scheduled.at - NOW:g}" if scheduled.at else "at once"
        return f"{when} {shown(scheduled.step)}"


def built(kind: Any, words: list[Any]) -> Any:
    """A command or an action from its fields, in order or by name."""
    types = get_type_hints(kind)  # without the limits of the wire: a table must bear any value
    values = dict(zip(types, (word for word in words if "=" not in str(word)), strict=False))
    values |= dict(word.split("=") for word in words if "=" in str(word))
    for name, value in values.items():
        value = value.split() if get_origin(types[name]) is tuple else SECRETS.get(value, value)
        values[name] = msgspec.convert(value, types[name], strict=False, dec_hook=read_card)
    return kind(**values)


def seat_text(seat: table.Seat) -> str:
    """The player of a seat, with notes such as the level or a stand-in."""
    notes = [seat.level] * bool(seat.level)
    notes += [f"stood in: {seat.stand_in}"] * (seat.stand_in is not None)
    notes += [f"{seat.asker_name} asks"] * bool(seat.asker)
    notes += ["accepts clock"] * seat.accepts_clock
    return " ".join([seat.name or "-", *(f"({note})" for note in notes)])


def shown(value: object) -> str:
    """A happening by its name and fields; secrets are left out, long values shortened."""
    match value:
        case Setup():
            return value.name
        case Ruleset():
            return value.preset
        case game.Player():
            return value.name + (f" ({value.level})" if value.level else "")
        case Card() | str():
            return str(value) or "-"
        case tuple():
            return "[" + ", ".join(map(shown, value)) + "]"
        case frozenset():
            return "{" + ", ".join(sorted(map(shown, value))) + "}"
        case bytes():
            return "…"
        case None:
            return "-"
        case msgspec.Struct():
            fields = (getattr(value, name) for name in value.__struct_fields__)
            return " ".join([type(value).__name__, *map(shown, fields)])
    return str(value)
