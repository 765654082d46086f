"""The form in which somebody sets a table up: from fields to a `Setup`, and back.

What was typed is kept as it is, so that a form with something wrong in it comes back whole, with
a sentence at the field.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from volte.bots import CHARACTERS, OFFERED
from volte.cards import Card, VolteError, twin
from volte.names import LONGEST_NAME, clean_name, on_one_line
from volte.rules import (
    DEFAULT,
    OPTIONS,
    PRESETS,
    Ruleset,
    Value,
    described,
    make_ruleset,
    options_of,
    preset,
    ruleset_of,
)
from volte.say import N_, Words
from volte.say.texts import table
from volte.table import Access, OpenSeats, Setup, Watching
from volte.table.setup import LONGEST_CLOCK, LONGEST_GRACE, Talk, check_setup
from volte.web.fields import (
    CHOICE,
    WHOLE,
    Amount,
    Clash,
    NotTaken,
    Wrong,
    applied,
    read_shown,
    signed,
)

SEATS: Final = 10  # the most seats that a table can have
CYCLE_PLACES: Final = 6  # deals whose pass can be chosen one by one; then the cycle starts over

SHORTEST_PASSWORD: Final = 4
LONGEST_PASSWORD: Final = 100
USUAL_LEVELS: Final = ("",) * SEATS
"""Levels of the bots at a new table: none, as it is for people."""

Kind = TypeVar("Kind", bound=StrEnum)

SENTENCES: Final = table("forms")
"""Sentences of the form. Its `faults` replace those that name an option as on a command line."""

NUMBERS: Final = ("hearts_from_trick", "queen_points", "no_tricks")
"""Options that are typed as numbers."""


FIELDS: Final = (
    *("name", "preset", "filled", "access", "password", "watching", "clock", "hints", "rated"),
    *("talk", "open_seats", "grace"),
    *(name for name in OPTIONS if name != "pass_cycle"),
    "match_end_number",
)
"""Fields that occur once in the form; the pass cycle and the seats have several."""


def table_of(words: Words, host: str) -> str:
    """The first name of a host's table; the host's own name if that gets too long."""
    called = on_one_line(words.t("{name}’s table", name=host))
    return called if len(called) <= LONGEST_NAME else host


@dataclass(frozen=True)
class TableForm:
    """The form of a table: its fields as they were typed."""

    fields: Mapping[str, str]  # texts of `FIELDS`
    cycle: tuple[str, ...] = ()  # pass directions, deal after deal; empty for a place left open
    levels: tuple[str, ...] = USUAL_LEVELS  # bot wanted at each seat; empty for none
    password_kept: bool = False  # whether an empty password keeps the one there is
    shown: Mapping[str, str] = field(default_factory=dict)  # the `texts` shown at first

    @classmethod
    def new(cls, words: Words, host: str, name: str = DEFAULT) -> TableForm:
        """The form of a new table. Raises `RulesetFault` for an unknown preset."""
        setup = Setup(table_of(words, host), make_ruleset(name))
        return cls.of(words, setup)

    @classmethod
    def of(cls, words: Words, setup: Setup, password_kept: bool = False) -> TableForm:
        """The form that describes a table."""
        cycle, rules = _rule_fields(words, setup.rules)
        fields = {
            "name": setup.name,
            **rules,
            "access": str(setup.access),
            "password": "",
            "watching": str(setup.watching),
            "clock": str(setup.clock),
            "hints": "on" if setup.hints or setup.rated else "",
            "rated": "on" if setup.rated else "",
            "talk": str(setup.talk),
            "open_seats": str(setup.open_seats),
            "grace": "" if setup.grace is None else str(setup.grace),
        }
        form = cls(fields, cycle, password_kept=password_kept)
        return replace(form, shown=form.texts)

    @classmethod
    def typed(cls, form: Any, password_kept: bool = False) -> TableForm:
        """The form as somebody has sent it."""
        fields = {name: str(form.get(name, "")) for name in FIELDS}
        cycle = tuple(map(str, form.getlist("pass_cycle")))
        levels = tuple(str(form.get(f"seat{place}", "")) for place in range(1, SEATS))
        return cls(fields, cycle, ("", *levels), password_kept, read_shown(form))

    @property
    def texts(self) -> dict[str, str]:
        """Texts to compare with those of a stored table, by field; the cycle is one text."""
        named = {name: self.fields[name] for name in FIELDS if name not in ("password", "filled")}
        return named | {"pass_cycle": " ".join(filter(None, self.cycle))}

    def upon(self, stored: TableForm) -> TableForm:
        """Form of the stored table, and over it what was changed in this one. Raises `Clash`."""
        try:
            texts = applied(self.texts, self.shown, stored.texts)
        except Clash as clash:
            if "preset" in clash.theirs:  # it brings all the other rules along
                theirs = {name: text for name, text in clash.theirs.items() if name not in OPTIONS}
                raise Clash(theirs, clash.fields, clash.stored) from None
            raise
        return replace(self, password_kept=stored.password_kept)._saying(texts)

    def again(self, problem: NotTaken | None) -> TableForm:
        """Form to show again; after a clash, with the texts that are stored by now."""
        if isinstance(problem, Clash):
            return replace(self, shown=problem.stored)._saying(problem.fields)
        return self

    def _saying(self, texts: Mapping[str, str]) -> TableForm:
        said = {name: text for name, text in texts.items() if name != "pass_cycle"}
        filled = {"filled": f"{texts['preset']} {texts['players']}"}
        cycle = tuple(texts["pass_cycle"].split())
        return replace(self, fields={**self.fields, **said, **filled}, cycle=cycle)

    def caught_up(self, words: Words) -> TableForm:
        """Fill in the rules anew if another game was chosen after they were filled in.

        If only the number of players is another, changes by hand stay. Raises `Wrong`.
        """
        game, _, players = self.fields["filled"].partition(" ")
        if game not in PRESETS or not players.isdecimal():
            return self
        if game != self.fields["preset"]:
            return self.with_preset(words)
        if players == self.fields["players"]:
            return self
        changed = self._changed(words, PRESETS[game].settings(int(players)))
        try:
            rules = make_ruleset(game, {"players": self.fields["players"], **changed})
        except VolteError as fault:
            raise Wrong(_field_of(fault), fault) from None
        return self._filled_in(words, rules)

    def with_preset(self, words: Words) -> TableForm:
        """Fill in the rules of the preset chosen. Raises `Wrong`."""
        try:
            chosen = preset(self.fields["preset"])
        except VolteError as fault:
            raise Wrong("preset", fault) from None
        players = self.fields["players"]
        fits = players.isdecimal() and int(players) in chosen.players
        rules = make_ruleset(chosen.name, {"players": int(players)} if fits else {})
        return self._filled_in(words, rules)

    def _changed(self, words: Words, before: Mapping[str, Value]) -> dict[str, Value]:
        """The options that differ from `before`: somebody has changed them by hand."""
        typed = {name: self._option(words, name) for name in OPTIONS if name != "players"}
        return {
            name: value
            for name, value in typed.items()
            if OPTIONS[name].read(value) != OPTIONS[name].read(before[name])
        }

    def _filled_in(self, words: Words, rules: Ruleset) -> TableForm:
        cycle, fields = _rule_fields(words, rules)
        return replace(self, fields={**self.fields, **fields}, cycle=cycle)

    def rules(self, words: Words) -> Ruleset:
        """The rules chosen. Raises `Wrong`."""
        settings = {name: self._option(words, name) for name in OPTIONS}
        preset = self.fields["preset"]
        try:
            return ruleset_of(settings, preset if preset in PRESETS else "")
        except VolteError as fault:
            raise Wrong(_field_of(fault), fault) from None

    def setup(self, words: Words) -> Setup:
        """The table that the form describes. Raises `Wrong`."""
        rules = self.rules(words)
        access = self._choice("access", Access)
        length = len(self.fields["password"])
        kept = access != Access.PASSWORD or (self.password_kept and not length)
        if not kept and not SHORTEST_PASSWORD <= length <= LONGEST_PASSWORD:
            raise Wrong(
                "password",
                N_("A password has {least} to {most} characters."),
                least=SHORTEST_PASSWORD,
                most=LONGEST_PASSWORD,
            )
        clock = self._number("clock", 0, LONGEST_CLOCK)
        grace = self._number("grace", 0, LONGEST_GRACE) if self.fields["grace"].strip() else None
        rated = bool(self.fields["rated"])
        try:
            setup = Setup(
                rules=rules,
                access=access,
                watching=self._choice("watching", Watching),
                clock=clock,
                hints=bool(self.fields["hints"]) and not rated,
                rated=rated,
                talk=self._choice("talk", Talk),
                open_seats=self._choice("open_seats", OpenSeats),
                grace=grace,
                name=clean_name(self.fields["name"], reason="bad_table_name"),  # is told last
            )
            check_setup(setup)
        except VolteError as fault:
            raise Wrong(_field_of(fault), fault) from None
        return setup

    def asked(self, players: int, engines: Collection[str] = ()) -> tuple[str, ...]:
        """Levels of the bots for the seats after the host's; empty for a free seat.

        Args:
            engines: names of outside engines that can be seated as well.
        """
        others = self.levels[1:players]
        for place, level in enumerate(others, start=1):
            if level and level not in (*OFFERED, *CHARACTERS, *engines):
                raise Wrong(f"seat{place}", CHOICE)
            if level in engines and self.fields["rated"]:
                raise Wrong(f"seat{place}", VolteError("rated_own_bots"))
        return others + ("",) * (players - 1 - len(others))

    @property
    def password(self) -> str:
        """The password that was typed; empty for a table that has none."""
        return self.fields["password"] if self.fields["access"] == Access.PASSWORD else ""

    def _choice(self, name: str, kind: type[Kind]) -> Kind:
        try:
            return kind(self.fields[name])
        except ValueError:
            raise Wrong(name, CHOICE) from None

    def _number(self, name: str, least: int, most: int) -> int:
        return Amount(name, least=least, most=most).read(self.fields[name])

    def _option(self, words: Words, name: str) -> Value:
        match name:
            case "removed":
                return self._removed(words)
            case "card_points":
                return self._card_points(words)
            case "pass_cycle":
                return self._cycle()
            case "match_end":
                kind = self.fields[name]
                if kind not in ("deals", "limit"):
                    raise Wrong(name, CHOICE)
                number = self._number("match_end_number", 1, 10**9 - 1)
                return f"{kind}:{number}"
        if name in RANGES:
            return self._number(name, *RANGES[name])
        value = self.fields[name]
        try:
            OPTIONS[name].read(value)
        except (ValueError, KeyError, TypeError):
            raise Wrong(name, CHOICE) from None
        return value

    def _removed(self, words: Words) -> list[str]:
        """Read the cards left out: a list with commas, or words with spaces.

        Of two packs, a card that is named twice is left out of both, and one with a quote mark of
        the second alone.
        """
        cards: list[str] = []
        for name in listed(self.fields["removed"]):
            card = self._card(words, "removed", name.rstrip("'’"))
            again = card.text in cards and self.fields["packs"] == "2"
            second = again or name.endswith(("'", "’"))
            cards.append((twin(card) if second else card).text)
        return cards

    def _card_points(self, words: Words) -> list[str]:
        """Read cards and their points, such as `K♠ = 10`, with commas between them."""
        told: list[str] = []
        for part in re.split(r"[,;]", self.fields["card_points"]):
            name, equals, number = map(str.strip, part.partition("="))
            if not name and not equals:
                continue
            if not name or not WHOLE.fullmatch(number):
                raise Wrong(
                    "card_points",
                    N_(
                        "Write each card, an equals sign and what it counts, such as K♠ = 10, and a"
                        " comma before the next one."
                    ),
                )
            card = self._card(words, "card_points", name)
            told.append(f"{card}={number.replace('−', '-')}")
        try:
            OPTIONS["card_points"].read(told)
        except (ValueError, VolteError):
            raise Wrong(
                "card_points",
                N_(
                    "Each card can be named once, and neither the queen of spades nor the jack of"
                    " diamonds: they have fields of their own."
                ),
            ) from None
        return told

    def _card(self, words: Words, field: str, text: str) -> Card:
        try:
            return words.read_card(text.strip())
        except VolteError as fault:
            raise Wrong(field, fault) from None

    def _cycle(self) -> list[str]:
        chosen = [direction for direction in self.cycle if direction]
        for direction in chosen:
            if direction not in OPTIONS["pass_cycle"].values:
                raise Wrong("pass_cycle", CHOICE)
        return chosen


def _rule_fields(words: Words, rules: Ruleset) -> tuple[tuple[str, ...], dict[str, str]]:
    """The pass directions, and the texts of the other fields that describe these rules."""
    fields = {}
    for name, value in options_of(rules).items():
        fields[name] = str(value).lower() if isinstance(value, bool) else str(value)
    removed = rules.deck.removed
    alone = [card for card in removed if card.pack and twin(card) not in removed]
    fields["removed"] = ", ".join(words.short(card) + "'" * (card in alone) for card in removed)
    fields["card_points"] = _counted(words, rules)
    fields["preset"] = described(rules)[0]
    fields["filled"] = f"{fields['preset']} {fields['players']}"  # the game that the fields are of
    fields["match_end"] = str(rules.ending.match_end.kind)
    fields["match_end_number"] = str(rules.ending.match_end.number)
    del fields["pass_cycle"]
    return tuple(map(str, rules.passing.cycle)), fields


def _counted(words: Words, rules: Ruleset) -> str:
    """Cards without an option of their own and their points, as they are typed."""
    told = OPTIONS["card_points"].get(rules)
    assert isinstance(told, list)
    pairs = (text.split("=") for text in told)
    return ", ".join(f"{words.short(Card(card))} = {signed(int(count))}" for card, count in pairs)


def listed(text: str) -> list[str]:
    """The parts of a list with commas between them; without commas, its words."""
    parts = re.split(r"[,;]", text) if re.search(r"[,;]", text) else text.split()
    return [part.strip() for part in parts if part.strip()]


def _field_of(fault: VolteError) -> str:
    return fault.field or str(fault.params.get("option", "players"))
