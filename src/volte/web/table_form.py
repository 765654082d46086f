"""The forms in which rules are chosen and a table is set up: from fields to a `Setup`, and back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self

from volte.bots import CHARACTERS, COMPANY, OFFERED
from volte.cards import Card, VolteError, twin
from volte.forms.fields import (
    CHOICE,
    WHOLE,
    Amount,
    Choice,
    Clash,
    Field,
    FilledForm,
    Several,
    Switch,
    Wrong,
    declared,
    listed,
    signed,
)
from volte.forms.game import table_of
from volte.names import clean_name
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
from volte.table.setup import (
    LEAST_CLOCK,
    LONGEST_CLOCK,
    LONGEST_GRACE,
    Talk,
    check_setup,
)
from volte.web.table_time import NOW, TIME_FIELDS, planned_for, time_values

SEATS: Final = 10  # the most seats that a table can have
CYCLE_PLACES: Final = 6  # deals whose pass can be chosen one by one; then the cycle starts over
SEAT_FIELDS: Final = tuple(f"seat{place}" for place in range(1, SEATS))
"""Fields for the bots wanted at a new table: one for each seat but the host's."""

BY_HAND: Final = "own"
"""In place of who plays, or of a pace: fields under "More" say it."""

COMPANIES: Final = {"friends": Access.LINK, "anybody": Access.PUBLIC, "bots": Access.PRIVATE}
"""Companies at a table, each with the access that it brings along."""

PACES: Final = {"calm": "0", "brisk": str(LEAST_CLOCK)}
"""Paces, with the clock of each as it is typed."""

SHORTEST_PASSWORD: Final = 4
LONGEST_PASSWORD: Final = 100

SENTENCES: Final = table("forms")
"""Sentences of the form."""

NUMBERS: Final = ("hearts_from_trick", "queen_points", "no_tricks")
"""Options that are typed as numbers."""


# Fields


def rule_fields(words: Words) -> dict[str, Field]:
    """The fields of rules; cards are typed in the language of the words."""
    return declared(
        Field("preset", meant=lambda name: name if name in PRESETS else ""),
        Field("filled", compared=False),  # the game and the number of players of the other fields
        *(_option_field(words, name) for name in OPTIONS),
        Amount("match_end_number", least=1, most=10**9 - 1),
    )


def table_fields(words: Words) -> dict[str, Field]:
    """The fields of a table and its rules."""
    return rule_fields(words) | declared(
        _shortcut("who", COMPANIES),
        _shortcut("pace", PACES),
        Field("stood", compared=False),  # `who` and `pace` as the form showed them
        *TIME_FIELDS,
        Field("guest", meant=lambda name: name.strip() and clean_name(name), compared=False),
        *(Field(name, compared=False) for name in SEAT_FIELDS),
        Choice("access", values=tuple(Access)),
        Field("password", meant=str, secret=True, compared=False),
        Field("name", meant=partial(clean_name, reason="bad_table_name")),
        Choice("watching", values=tuple(Watching)),
        Choice("open_seats", values=tuple(OpenSeats)),
        Choice("talk", values=tuple(Talk)),
        Amount("clock", most=LONGEST_CLOCK),
        Amount("grace", most=LONGEST_GRACE, optional=True),
        Switch("hints"),
        Switch("rated"),
    )


def _shortcut(name: str, values: Iterable[str]) -> Field:
    """A field that stands for several others."""
    every = (*values, BY_HAND)
    return Choice(name, meant=lambda text: text or BY_HAND, values=every, compared=False)


def _option_field(words: Words, name: str) -> Field:
    option = OPTIONS[name]
    match name:
        case "removed":
            return Field(name, meant=partial(_cards, words), written=partial(_short, words))
        case "card_points":
            return Field(name, meant=partial(_counted, words), written=partial(_counts, words))
        case "pass_cycle":
            return Several(name, values=option.values)
        case "match_end":
            return Choice(name, values=("deals", "limit"))
    if name in NUMBERS:
        return Amount(name, least=option.least, most=option.most)
    return Field(name, meant=partial(_allowed, name), written=_text)


def _allowed(name: str, text: str) -> str:
    """The text, if the option takes it. Raises `Wrong`."""
    try:
        OPTIONS[name].read(text)
    except (ValueError, KeyError, TypeError):
        raise Wrong(name, CHOICE) from None
    return text


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cards(words: Words, text: str) -> list[Card]:
    """Read cards: a list with commas, or words with spaces. One with a quote mark is of the second
    pack."""
    names = listed(text)
    cards = [words.read_card(name.rstrip("'’")) for name in names]
    return [
        twin(card) if name.endswith(("'", "’")) else card
        for name, card in zip(names, cards, strict=True)
    ]


def _short(words: Words, cards: Sequence[Card]) -> str:
    """Cards as they are typed; of a card and its twin, both without a quote mark."""
    alone = [card for card in cards if card.pack and twin(card) not in cards]
    return ", ".join(words.short(card) + "'" * (card in alone) for card in cards)


def _counted(words: Words, text: str) -> list[str]:
    """Read cards and their points, such as `K♠ = 10`, with commas between them."""
    pairs: list[str] = []
    for part in re.split(r"[,;]", text):
        name, equals, number = map(str.strip, part.partition("="))
        if not name and not equals:
            continue
        if not name or not WHOLE.fullmatch(number):
            raise Wrong(
                "card_points",
                N_(
                    "Write each card, an equals sign and its points, such as K♠ = 10, with a"
                    " comma before the next one."
                ),
            )
        pairs.append(f"{words.read_card(name)}={number.replace('−', '-')}")
    try:
        OPTIONS["card_points"].read(pairs)
    except (ValueError, VolteError):
        raise Wrong(
            "card_points",
            N_(
                "Name each card only once, and leave out the queen of spades and the jack of"
                " diamonds: they have fields of their own."
            ),
        ) from None
    return pairs


def _counts(words: Words, pairs: Sequence[str]) -> str:
    """Cards and their points, as they are typed."""
    split = (text.split("=") for text in pairs)
    return ", ".join(f"{words.short(Card(card))} = {signed(int(count))}" for card, count in split)


# Values


def rule_values(rules: Ruleset) -> dict[str, Any]:
    """The values of `rule_fields` for a ruleset."""
    end, game = rules.ending.match_end, described(rules)[0]
    return options_of(rules) | {
        "removed": rules.deck.removed,
        "match_end": end.kind,
        "match_end_number": end.number,
        "preset": game,
        "filled": f"{game} {rules.players}",
    }


def table_values(setup: Setup, zone: str = "") -> dict[str, Any]:
    """The values of `table_fields` for a table.

    Args:
        zone: the time zone in which its time is shown.
    """
    own = {name: getattr(setup, name) for name in OWN}
    short = _shortcuts({"access": setup.access, "clock": str(setup.clock)})
    time = time_values(setup.planned, zone)
    return rule_values(setup.rules) | own | short | time | {"hints": setup.hints or setup.rated}


OWN: Final = (
    *("name", "access", "watching", "clock", "hints", "rated", "talk", "open_seats", "grace"),
)
"""Fields of the form, and of a `Setup`, beside the rules."""


def new_setup(words: Words, host: str, game: str = DEFAULT, players: int | None = None) -> Setup:
    """The setup of a new table, for friends. Raises `RulesetFault` for an unknown preset.

    Args:
        host: the host's name; empty where it is not known yet.
        players: their number; None for the first for which the preset is made.
    """
    rules = make_ruleset(game, {"players": players} if players else {})
    return Setup(table_of(words, host) if host else "", rules, Access.LINK)


@dataclass(frozen=True)
class RulesForm(FilledForm):
    """A form with the fields of rules, and maybe others."""

    def caught_up(self) -> Self:
        """Fill in the rules anew if another game was chosen after they were filled in.

        If only the number of players is another, changes by hand stay. Raises `Wrong`.
        """
        game, _, players = self["filled"].partition(" ")
        if game not in PRESETS or not players.isdecimal():
            return self
        if game != self["preset"]:
            return self.with_preset()
        if players == self["players"]:
            return self
        before = PRESETS[game].settings(int(players))
        names = (name for name in RULES if name != "players")
        changed = {
            name: value
            for name, value in _settings(self.read(names=names)).items()
            if OPTIONS[name].read(value) != OPTIONS[name].read(before[name])
        }
        try:
            rules = make_ruleset(game, {"players": self["players"], **changed})
        except VolteError as fault:
            raise Wrong(_field_of(fault), fault) from None
        return self._filled_in(rules)

    def with_preset(self) -> Self:
        """Fill in the rules of the preset chosen. Raises `Wrong`."""
        try:
            chosen = preset(self["preset"])
        except VolteError as fault:
            raise Wrong("preset", fault) from None
        players = _number(self["players"])
        rules = make_ruleset(chosen.name, {"players": players} if players in chosen.players else {})
        return self._filled_in(rules)

    def _filled_in(self, rules: Ruleset) -> Self:
        texts = {name: self.kinds[name].shown(value) for name, value in rule_values(rules).items()}
        return replace(self, fields={**self.fields, **texts})

    def rules(self) -> Ruleset:
        """The rules chosen. Raises `Wrong`."""
        return _ruleset(self.read(names=(*RULES, "preset")))


RULES: Final = (*OPTIONS, "match_end_number")
"""Fields that make a ruleset together."""


def _ruleset(values: Mapping[str, Any]) -> Ruleset:
    """The ruleset of the form's values. Raises `Wrong`."""
    try:
        return ruleset_of(_settings(values), values["preset"])
    except VolteError as fault:
        raise Wrong(_field_of(fault), fault) from None


def _settings(values: Mapping[str, Any]) -> dict[str, Value]:
    """Options as they stand in a file, from the form's values.

    Of two packs, a card that is named twice is left out of both.
    """
    removed: list[Card] = []
    for card in values["removed"]:
        again = card in removed and not card.pack and values["packs"] == "2"
        removed.append(twin(card) if again else card)
    return {name: values[name] for name in OPTIONS if name in values} | {
        "removed": [card.text for card in removed],
        "match_end": f"{values['match_end']}:{values['match_end_number']}",
    }


@dataclass(frozen=True)
class TableForm(RulesForm):
    """The form of a table."""

    table: Setup | None = None  # of a table that is open already

    def at(self, setup: Setup) -> Self:
        """The form at a table that is open already."""
        return replace(self, table=setup)

    @property
    def password_kept(self) -> bool:
        """Whether an empty password keeps the one there is."""
        return self.table is not None and self.table.access is Access.PASSWORD

    def of_guest(self, words: Words) -> Self:
        """The form of somebody without a name; a table without one is called after them.

        Raises `Wrong`.
        """
        name = self.kinds["guest"].read(self["guest"]) or words.t("Guest")
        if self["name"].strip():
            return self
        return replace(self, fields={**self.fields, "name": table_of(words, name)})

    def spelled_out(self) -> Self:
        """The form with all that a newly chosen company or pace brings along.

        What was changed by hand as well stays.
        """
        stood = self["stood"].split()
        fields = dict(self.fields)
        for name, brought in (("who", _company), ("pace", _pace)):
            chosen = self[name]
            before = next((brought(each) for each in stood if brought(each)), {})
            after = brought(chosen) if chosen not in stood else {}
            fields |= {
                key: text
                for key, text in after.items()
                if not before or self[key].strip() == before[key]
            }
        unknown = {
            name: self[name]
            for name, values in (("who", COMPANIES), ("pace", PACES))
            if self[name] not in ("", BY_HAND, *values)
        }
        if self["when"] == NOW:  # whatever is proposed beside it
            fields |= {"date": "", "time": ""}
        return replace(self, fields=fields | _shortcuts(fields) | unknown)

    def upon(self, values: Mapping[str, Any]) -> Self:
        cycle = " ".join(self["pass_cycle"].split())  # without places left open
        form = replace(self, fields={**self.fields, "pass_cycle": cycle})
        try:
            after = super(TableForm, form).upon(values)
        except Clash as clash:
            theirs = clash.theirs
            if "preset" in theirs:  # it brings all the other rules along
                theirs = {name: text for name, text in theirs.items() if name not in OPTIONS}
            raise Clash(theirs, _as_filled(clash.fields), clash.stored) from None
        return replace(after, fields=_as_filled(after.fields))

    def setup(self, now: float) -> Setup:
        """The table that the form describes. Raises `Wrong`.

        Args:
            now: the present time, in seconds since 1970.
        """
        values = self.read(partial(self._faults, now))
        own = {name: values[name] for name in OWN}
        own["hints"] &= not own["rated"]
        own["planned"] = self.planned(now)
        own["meeting"] = self.table is not None and self.table.meeting
        try:
            setup = Setup(rules=_ruleset(values), **own)
            check_setup(setup)
        except VolteError as fault:
            raise Wrong(_field_of(fault), fault) from None
        return setup

    def planned(self, now: float) -> float | None:
        """The time for which the table is planned, in seconds since 1970; None for now.

        Raises `Wrong`.
        """
        planned = planned_for(self, self.table.planned if self.table is not None else None, now)
        if planned is not None and self["who"] == "bots":
            raise Wrong(
                "when",
                N_(
                    "With bots alone, the match begins at once: choose “Now”, or say who else "
                    "may come."
                ),
            )
        return planned

    def _faults(self, now: float, values: Mapping[str, Any]) -> Iterator[Wrong]:
        """Faults that lie in several fields together."""
        yield from self._password_fault(values)
        try:
            self.planned(now)
        except Wrong as wrong:
            yield wrong

    def _password_fault(self, values: Mapping[str, Any]) -> Iterator[Wrong]:
        length = len(self["password"])
        kept = values.get("access") != Access.PASSWORD or (self.password_kept and not length)
        if not kept and not SHORTEST_PASSWORD <= length <= LONGEST_PASSWORD:
            yield Wrong(
                "password",
                N_("A password must have {least} to {most} characters."),
                least=SHORTEST_PASSWORD,
                most=LONGEST_PASSWORD,
            )

    def asked(self, players: int, engines: Collection[str] = ()) -> tuple[str, ...]:
        """Levels of the bots for the seats after the host's; empty for a free seat.

        Args:
            engines: names of outside engines that can be seated as well.
        """
        names = SEAT_FIELDS[: players - 1]
        for name in names:
            if self[name] not in ("", *OFFERED, *CHARACTERS, *engines):
                raise Wrong(name, CHOICE)
            if self[name] in engines and self["rated"]:
                raise Wrong(name, VolteError("rated_own_bots"))
        return tuple(map(self.__getitem__, names))

    @property
    def password(self) -> str:
        """The password that was typed; empty for a table that has none."""
        return self["password"] if self["access"] == Access.PASSWORD else ""


def _as_filled(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts with the game, the company and the pace of which they are filled in."""
    return {**texts, "filled": f"{texts['preset']} {texts['players']}", **_shortcuts(texts)}


def _number(players: str) -> int:
    """A number of players; 0 if the text is none that a table can have."""
    return int(players) if players.isdecimal() and len(players) < 3 else 0


def _company(who: str) -> dict[str, str]:
    """The texts of the fields that a company brings along; none if it is none."""
    if who not in COMPANIES:
        return {}
    levels = COMPANY if who == "bots" else ("",) * len(SEAT_FIELDS)
    return {"access": COMPANIES[who], **dict(zip(SEAT_FIELDS, levels, strict=True))}


def _pace(pace: str) -> dict[str, str]:
    return {"clock": PACES[pace]} if pace in PACES else {}


def _shortcuts(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of the fields that stand for others, from those of the others."""
    access = texts.get("access", "")
    seats = SEAT_FIELDS[: max(1, _number(texts.get("players", "")) - 1)]
    who = next((who for who, each in COMPANIES.items() if each == access), BY_HAND)
    if who == "bots" and not all(texts.get(name) for name in seats):
        who = BY_HAND
    clock = texts.get("clock", "").strip()
    pace = next((pace for pace, each in PACES.items() if each == clock), BY_HAND)
    return {"who": who, "pace": pace, "stood": f"{who} {pace}"}


def _field_of(fault: VolteError) -> str:
    return fault.field or str(fault.params.get("option", "players"))
