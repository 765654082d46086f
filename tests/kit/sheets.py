"""Sheets from short text, for the tests of the score-keeper."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from volte.cards import JACK, QUEEN, read_cards, twin
from volte.fair import House
from volte.referee.actions import Misdeal
from volte.rules import (
    OPTIONS,
    PRESETS,
    Draw,
    MoonBy,
    Ruleset,
    Value,
    make_ruleset,
    minus_is_open,
    read_setting,
)
from volte.rules import score as scored_by
from volte.scorekeeper import model
from volte.scorekeeper.model.pack import hearts_of
from volte.sheet import Took

NAMES = (
    *("Anne", "Bruno", "Chloé", "David", "Emma"),
    *("Farid", "Gilles", "Hélène", "Inès", "Jean"),
)
EXPOSED = model.LostDeal(Misdeal.EXPOSED)


def rules_of(table: str, **settings: Value) -> Ruleset:
    """The rules of `coeurs players=5`, or of a preset and its settings."""
    preset, *options = table.split()
    return make_ruleset(preset, dict(map(read_setting, options)) | settings)


def open_sheet(rules: Ruleset, **head: object) -> model.Sheet:
    """A sheet of Anne, Bruno and the others."""
    return done(None, model.Open(rules, NAMES[: rules.players], **head))  # type: ignore[arg-type]


def sheet_of(preset: str, *told: model.DealReport, **settings: Value) -> model.Sheet:
    """A sheet by those rules, with all those deals entered."""
    return enter(open_sheet(rules_of(preset, **settings)), *told)


def done(sheet: model.Sheet | None, *acts: model.Act) -> model.Sheet:
    """The sheet after acts that are not refused."""
    for act in acts:
        outcome = model.decide(sheet, act)
        assert not isinstance(outcome, model.SheetFault), outcome
        sheet = model.evolve(sheet, outcome)
    assert sheet is not None
    return sheet


def enter(sheet: model.Sheet, *told: model.DealReport) -> model.Sheet:
    return done(sheet, *map(model.Enter, told))


def refused(sheet: model.Sheet | None, act: model.Act) -> model.SheetFault:
    """The fault for which the act is refused."""
    outcome = model.decide(sheet, act)
    assert isinstance(outcome, model.SheetFault)
    return outcome


def why(fault: model.SheetFault) -> str:
    """The reason, and the figures that it names: `hearts_left_out given=3 due=13`."""
    figures = (
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in fault.params.items()
    )
    return " ".join((fault.reason, *figures))


def hearts(text: str, queen: int | None = None, **others: int) -> model.Taken:
    """Hearts taken, as in `3 4 6 -`; seats from 0."""
    return model.Taken(_numbers(text), queen, others.get("jack"), others.get("slam"))


def points(text: str, **others: int) -> model.Counted:
    """Points, as in `0 25 25 -`."""
    return model.Counted(_numbers(text), others.get("jack"), others.get("slam"))


def revoked(*seats: int) -> model.StoppedDeal:
    return model.StoppedDeal(revoked=seats)


def _numbers(text: str) -> tuple[int | None, ...]:
    return tuple(None if word == "-" else int(word) for word in text.split())


def score(sheet: model.Sheet) -> tuple[int, ...]:
    """The points of the last line."""
    return sheet.table.rows[-1].points


HOUSE: Final = House.from_seed("lots")


def drawing(sheet: model.Sheet) -> model.Sheet:
    """The sheet after all lots that were due."""
    while (act := model.next_act(sheet, HOUSE)) is not None:
        sheet = done(sheet, act)
    return sheet


def lots(text: str) -> tuple[Draw, ...]:
    """Rounds of lots, as in `0 KS, 1 4D / 0 2C, 1 3C`."""
    rounds = []
    for part in text.split("/"):
        drawn = (word.split() for word in part.split(","))
        rounds.append(tuple((int(seat), read_cards(card)[0]) for seat, card in drawn))
    return tuple(rounds)


# Random sheets

tables = st.sampled_from(
    [(name, players) for name, preset in PRESETS.items() for players in preset.players]
)
seeds = st.integers(0, 2**32)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Rules that differ in everything that matters to a sheet."""
    name, players = draw(tables)
    settings: dict[str, Value] = {
        "players": players,
        "settlement": draw(st.sampled_from(("none", "difference", "average", "pot"))),
        "match_end": draw(st.sampled_from(("deals:1", "deals:3", "deals:5", "limit:60"))),
        "jack_points": draw(st.sampled_from((0, -10))),
        "queen_points": draw(st.sampled_from((0, 12, 13))),
        "moon": draw(st.sampled_from(OPTIONS["moon"].values)),
        "slam": draw(st.sampled_from(OPTIONS["slam"].values)),
        "no_tricks": draw(st.sampled_from((0, 0, -5))),
        "at_limit": draw(st.sampled_from(OPTIONS["at_limit"].values)),
        "ties": draw(st.sampled_from(OPTIONS["ties"].values)),
    }
    return make_ruleset(name, settings)


def random_report(rules: Ruleset, rng: random.Random) -> model.DealReport:
    """A possible deal, with moons and slams more often than in life."""
    seats = range(rules.players)
    kind = rng.random()
    if kind < 0.08:
        return model.LostDeal(rng.choice(list(Misdeal)))
    if kind < 0.2:
        guilty = rng.sample(seats, rng.randint(1, rules.players))
        return model.StoppedDeal(tuple(guilty), tuple(rng.sample(seats, rng.randint(0, 1))))
    takers = rng.sample(seats, rng.randint(1, rules.players))
    won, tricks = [0] * rules.players, [0] * rules.players
    for card in rules.cards:
        won[rng.choice(takers)] |= card.bit
    for seat in takers:
        tricks[seat] = 1
    return taken_of(rules, won, tricks, minus=rng.random() < 0.5)


def taken_of(
    rules: Ruleset, won: Sequence[int], tricks: Sequence[int], minus: bool = False
) -> model.Taken:
    """Cards won, as people count them, with only the figures that they are asked for.

    Args:
        tricks: number of tricks of each seat.
        minus: the shooter's choice for a moon.
    """
    due, hearts = model.needs_of(rules), hearts_of(rules)
    takers = {
        each.card: tuple(
            seat for seat, pile in enumerate(won) for card in (each.card, twin(each.card))
            if pile & card.bit & rules.counting_mask
        )
        for each in due.cards
    }  # fmt: skip
    scored = scored_by(rules, won, tricks)
    every = [seat for seat, count in enumerate(tricks) if count]
    slam = max(every, key=lambda seat: tricks[seat])
    made = {*every} <= {*(rules.side(slam) if rules.moon.by is MoonBy.SIDE else (slam,))}
    chosen = due.way and minus_is_open(rules, scored) is not None
    return model.Taken(
        tuple(sum(worth for card, worth in hearts.items() if card.bit & pile) for pile in won),
        takers[QUEEN][0] if due.queen else None,
        takers[JACK][0] if due.jack else None,
        slam if due.all_tricks and made else None,
        (),
        tuple(Took(card, takers[card]) for card in takers if not due.has_field(card)),
        tuple(seat for seat, count in enumerate(tricks) if not count) if due.trickless else None,
        minus if chosen else None,
    )


@st.composite
def sheets(draw: st.DrawFn, most: int = 8) -> model.Sheet:
    """Any sheet: entered, corrected, taken back, lots drawn."""
    rules, rng = draw(rulesets()), random.Random(draw(seeds))
    sheet = open_sheet(rules, stake="0.25", currency="EUR")
    for _ in range(rng.randint(0, most)):
        outcome = model.decide(sheet, random_act(sheet, rng))
        if not isinstance(outcome, model.SheetFault):
            sheet = model.evolve(sheet, outcome)
    return sheet


def random_act(sheet: model.Sheet, rng: random.Random) -> model.Act:
    """A possible act, though it may be refused."""
    kind = rng.random()
    if kind < 0.25 and (act := model.next_act(sheet, HOUSE)) is not None:
        return act
    if kind > 0.9:
        return model.Undo()
    told = random_report(sheet.rules, rng)
    if kind < 0.35 and sheet.lines:
        return model.Correct(
            rng.randint(1, len(sheet.lines)), told, by="Anne", why="faux, vraiment"
        )
    return model.Enter(told)
