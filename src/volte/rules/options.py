"""Options by name: the same names and values on the command line, in files and in records."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from volte.cards import JACK, QUEEN, Card, CardFault, Unchanging, read_cards
from volte.rules import groups
from volte.rules.groups import Points
from volte.rules.ruleset import Ruleset
from volte.rules.validity import MOST_POINTS, RulesetFault

Value = str | int | bool | list[str]
"""An option as it stands in a file: a word, a number, a boolean, or a list of words."""

Read = Callable[[Value], Any]
Write = Callable[[Any], Value]


@dataclass(frozen=True)
class Option(Unchanging):
    """One option of a ruleset, by the name that people type."""

    name: str  # as people type it
    # The field of `Ruleset` that holds it, empty where the ruleset itself does; `table` for an
    # option read off the penalty table
    group: str
    field: str  # the field there, or the card in the penalty table, or empty
    named: tuple[str, ...]  # allowed values; empty for a number
    read: Read  # from a `Value`, or its text, to what the field holds; raises `ValueError`
    write: Write = str  # the way back
    least: int = 0  # of a number
    most: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _option, (self.name,)

    @property
    def values(self) -> tuple[str, ...]:
        """Allowed values, to show to people."""
        return self.named or (f"{self.least}–{self.most}",)

    def get(self, rules: Ruleset) -> Value:
        """The option's value in that ruleset."""
        if self.group == "table":
            return self.write(rules.points)
        owner = getattr(rules, self.group) if self.group else rules
        return self.write(getattr(owner, self.field))


_NUMBER: Final = re.compile(r"[-−+]?[0-9]+")
_QUOTED: Final = re.compile(r"""^(["'])(.*)\1$""")  # 2D' has a quote mark of its own


def _integer(text: str) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    return int(text.replace("−", "-"))


def _number(allowed: Container[int]) -> Read:
    def read(value: Value) -> int:
        number = _integer(str(value))
        if isinstance(value, bool | list) or number not in allowed:
            raise ValueError(value)
        return number

    return read


def _truth(value: Value) -> bool:
    return {"true": True, "false": False}[str(value).lower()]


def _words(value: Value) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(word) for word in value]
    words = [word.strip() for word in str(value).strip("[] ").replace(";", ",").split(",")]
    return [_QUOTED.sub(r"\2", word) for word in words if word]


def _cards(value: Value) -> tuple[Card, ...]:
    if value == "none":
        return ()
    try:
        return tuple(sorted(read_cards(" ".join(_words(value)))))
    except CardFault as fault:
        raise RulesetFault(fault.reason, **fault.params).at("removed") from None


def _cycle(value: Value) -> tuple[groups.Direction, ...]:
    return tuple(groups.Direction(word) for word in _words(value))


def _end(value: Value) -> groups.MatchEnd:
    kind, _, number = str(value).partition(":")
    return groups.MatchEnd(groups.EndKind(kind.strip()), _integer(number))


class HeartPoints(StrEnum):
    """Points of each heart: one (S1), or its rank, jack 11 to ace 14 (W5)."""

    ONE = "one"
    RANK = "rank"

    @property
    def table(self) -> Mapping[Card, int]:
        """Points of each heart by this scale."""
        return _HEARTS_BY_RANK if self is HeartPoints.RANK else groups.HEART_POINTS

    @classmethod
    def nearest(cls, points: Points) -> HeartPoints:
        """The scale by which most hearts of the table count; `ONE` in a tie."""
        return max(
            cls,
            key=lambda scale: sum(points.of(card) == worth for card, worth in scale.table.items()),
        )


_HEARTS_BY_RANK: Final = {card: int(card.rank or 0) for card in groups.HEART_POINTS}


def _counted(value: Value) -> dict[Card, int]:
    """`["KS=10", "AS=7"]` as cards and points. The queen and the jack have their own options."""
    if value == "none":
        return {}
    table: dict[Card, int] = {}
    for word in " ".join(_words(value)).split():
        name, _, number = word.partition("=")
        cards = _cards([name])
        if len(cards) != 1 or {*cards} & {*table, QUEEN, JACK} or cards[0].pack:
            raise ValueError(word)
        table[cards[0]] = _integer(number)
    return table


def _other_cards(points: Points) -> Value:
    """Entries of the penalty table that no other option expresses, such as `KS=10`."""
    usual = HeartPoints.nearest(points).table
    cards = sorted({*usual, *(card for card, _ in points.table)} - {QUEEN, JACK})
    return [f"{card}={points.of(card)}" for card in cards if points.of(card) != usual.get(card, 0)]


def _list(items: Any) -> list[str]:
    return [str(item) for item in items]


def _int(name: str, group: str, field: str, least: int, most: int, write: Write = int) -> Option:
    return Option(name, group, field, (), _number(range(least, most + 1)), write, least, most)


def _enum(name: str, group: str, field: str, kind: type[StrEnum]) -> Option:
    return Option(name, group, field, _values(kind), lambda value: kind(str(value)))


def _values(kind: type[StrEnum]) -> tuple[str, ...]:
    return tuple(str(member) for member in kind)


def _scale(value: Value) -> HeartPoints:
    return HeartPoints(str(value))


def _scale_of(points: Points) -> Value:
    return str(HeartPoints.nearest(points))


def _worth(card: Card) -> Write:
    return lambda points: points.of(card)


OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        Option("players", "deck", "players", (), _number(range(100)), int, 3, 10),
        Option("packs", "deck", "packs", ("1", "2"), _number((1, 2)), int),
        Option("removed", "deck", "removed", ('["2D", "2S"]',), _cards, _list),
        _enum("kitty", "deck", "kitty", groups.Kitty),
        Option("jokers", "deck", "jokers", ("0", "2"), _number((0, 2)), int),
        _int("pass_count", "passing", "count", 0, 4),
        Option("pass_cycle", "passing", "cycle", _values(groups.Direction), _cycle, _list),
        _enum("opening", "play", "opening", groups.Opening),
        _enum("first_trick_points", "play", "first_trick_points", groups.FirstTrickPoints),
        _enum("hearts_lead", "play", "hearts_lead", groups.HeartsLead),
        Option(
            "queen_breaks_hearts", "play", "queen_breaks_hearts", ("false", "true"), _truth, bool
        ),
        _int("hearts_from_trick", "play", "hearts_from_trick", 1, 18),
        _enum("queen_play", "play", "queen_play", groups.QueenPlay),
        _enum("queen_discard", "play", "queen_discard", groups.QueenDiscard),
        Option("heart_points", "table", "", _values(HeartPoints), _scale, _scale_of),
        _int("queen_points", "table", "", 0, MOST_POINTS, _worth(QUEEN)),
        Option("jack_points", "table", "", ("0", "-5", "-10"), _number((0, -5, -10)), _worth(JACK)),
        Option("card_points", "table", "", ('["KS=10", "AS=7"]',), _counted, _other_cards),
        _int("no_tricks", "points", "no_tricks", -MOST_POINTS, 0),
        _enum("moon", "moon", "moon", groups.MoonRule),
        Option("moon_needs_jack", "moon", "needs_jack", ("false", "true"), _truth, bool),
        _enum("moon_by", "moon", "by", groups.MoonBy),
        _enum("slam", "moon", "slam", groups.SlamRule),
        Option("match_end", "ending", "match_end", ("deals:N", "limit:N"), _end),
        _enum("at_limit", "ending", "at_limit", groups.AtLimit),
        _enum("ties", "ending", "ties", groups.Ties),
        Option("partners", "sides", "partners", ("1", "2", "3"), _number((1, 2, 3)), int),
        _enum("settlement", "stakes", "settlement", groups.Settlement),
        _enum("irregularities", "", "irregularities", groups.Irregularities),
    )
}
"""Every option, in the order in which rule sheets and files list them."""

_GROUPS: Final[Mapping[str, Callable[..., Any]]] = {
    each.name: each.default_factory for each in fields(Ruleset) if callable(each.default_factory)
}


def ruleset_of(settings: Mapping[str, Value], preset: str = "") -> Ruleset:
    """The ruleset with those options, and the defaults of `Ruleset` for the rest.

    Args:
        preset: the name of the preset that was chosen.

    Raises `RulesetFault` for an unknown option, a value that it does not take, and a
    combination that cannot be played.
    """
    of_group: dict[str, dict[str, Any]] = {name: {} for name in _GROUPS}
    own: dict[str, Any] = {}
    of_table: dict[str, Any] = {}
    for name, value in settings.items():
        parsed = parse_setting(name, value)
        option = OPTIONS[name]
        if option.group == "table":
            of_table[name] = parsed
        else:
            of_group.get(option.group, own)[option.field] = parsed
    of_group["points"]["table"] = _table(of_table)
    made = {name: group(**of_group[name]) for name, group in _GROUPS.items()}
    return Ruleset(**made, **own, preset=preset)


def _table(options: Mapping[str, Any]) -> tuple[tuple[Card, int], ...]:
    """The penalty table that those options make; a missing option has its usual value."""
    usual = Points()
    scale = options.get("heart_points", HeartPoints.nearest(usual))
    table = dict(scale.table)
    table[QUEEN] = options.get("queen_points", usual.of(QUEEN))
    table[JACK] = options.get("jack_points", usual.of(JACK))
    table |= options.get("card_points", {})
    return tuple(sorted((card, worth) for card, worth in table.items() if worth))


def parse_setting(name: str, value: Value) -> Any:
    """Value for the option's field, read from a file's value. Raises `RulesetFault`."""
    option = OPTIONS.get(name)
    if option is None:
        raise RulesetFault("no_such_option", option=name, options=tuple(OPTIONS))
    try:
        return option.read(value)
    except RulesetFault:
        raise
    except (ValueError, KeyError, TypeError):
        raise RulesetFault(
            "no_such_value", option=name, value=value, values=option.values
        ) from None


def value_of(name: str, text: str) -> Value:
    """Value of an option as it stands in a file, read from a text. Raises `RulesetFault`."""
    option, held = OPTIONS[name], parse_setting(name, text)
    return option.write(Points(_table({name: held})) if option.group == "table" else held)


def options_of(rules: Ruleset) -> dict[str, Value]:
    """Every option of a ruleset by name; `ruleset_of` makes the same ruleset again."""
    return {name: option.get(rules) for name, option in OPTIONS.items()}


def read_setting(text: str) -> tuple[str, str]:
    """`queen_discard=free` as name and value. Raises `RulesetFault`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise RulesetFault("not_a_setting", text=text)
    return name.strip(), value.strip()


def _option(name: str) -> Option:
    return OPTIONS[name]
