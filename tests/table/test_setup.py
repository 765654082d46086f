"""Setups of a table that are allowed, and faults of others."""

from __future__ import annotations

import dataclasses
from math import inf, nan
from typing import Any

import pytest
from kit.reasons import because
from kit.tables import ANNE, RATED, Table, setup
from msgspec.structs import replace

from volte import bots, table
from volte.cards import VolteError
from volte.game import Refusal
from volte.rules import make_ruleset
from volte.say.levels import LEVEL_WORDS
from volte.table import Access, OpenSeats, Setup, check_setup
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.setup import check_planned, game_of
from volte.table.stored import listing_of, read_summary


@pytest.mark.parametrize(
    ("reason", "wrong", "fine"),
    [
        ("bad_table_name", {"name": ["", "x" * 41, "two\nlines", " Anne", "Anne "]}, ["Chez Zoé"]),
        ("clock_out_of_range", {"clock": [-1, 1, 4, 3601]}, [0, 5, 3600]),
        ("grace_out_of_range", {"grace": [-1, 601]}, [None, 0, 600]),
        ("planned_out_of_range", {"planned": [-1.0, inf, nan]}, [None, 0.0, 1.8e9]),
    ],
)
def test_a_name_can_be_shown_and_times_are_neither_too_short_nor_too_long(
    reason: str, wrong: dict[str, list[Any]], fine: list[Any]
) -> None:
    ((field, values),) = wrong.items()
    for value in values:
        with pytest.raises(VolteError, check=because(reason)):
            table.open_table(setup(**{field: value}), ANNE)
    for value in fine:
        check_setup(setup(**{field: value}))


def test_every_level_has_its_words() -> None:
    assert tuple(bots.LEVELS) == tuple(LEVEL_WORDS)


def test_a_setup_from_before_there_was_the_setting_opens_free_seats_alone() -> None:
    assert Setup("Chez Anne", setup().rules).open_seats is OpenSeats.FREE


def test_the_preset_that_the_host_chose_goes_with_the_rules_and_changes_nothing() -> None:
    at = Table(setup("dame-de-pique", match_end="limit:100"), seat=0)
    named = setup("microsoft", match_end="limit:100")
    assert at.do(ANNE, cmd.Change(named)) == (hap.Changed(named),)
    at.do(ANNE, cmd.Start())
    assert at.match.rules.preset == "microsoft"
    assert read_summary(listing_of("t", at.state, "")).preset == "microsoft"
    assert game_of(at.match.rules) == "dame-de-pique"
    other = Setup("Ici", dataclasses.replace(named.rules, preset="x" * 9))
    assert at.refused(ANNE, cmd.Change(other)) == "under_way"
    with pytest.raises(VolteError, check=because("rules_without_options")):
        check_setup(other)
    check_setup(Setup("Ici", dataclasses.replace(named.rules, name="Chez Anne")))
    for name in (" Anne", "x" * 41, "two\nlines"):
        with pytest.raises(VolteError, check=because("bad_name")):
            check_setup(Setup("Ici", dataclasses.replace(named.rules, name=name)))


def test_whoever_has_not_seen_the_setup_as_it_is_does_not_change_it() -> None:
    at = Table()
    seen = at.state.version
    at.do(ANNE, cmd.Change(setup(name="Once")))
    refused = at.decide(ANNE, cmd.Change(setup(name="Twice")), seen)
    assert (type(refused), at.state.setup.name) == (Refusal, "Once")
    at.do(ANNE, cmd.Change(setup(name="Twice")))
    assert at.state.setup.name == "Twice"


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("rated_with_hints", {"hints": True}),
        ("rated_with_own_rules", {"rules": make_ruleset("coeurs", {"queen_points": 13})}),
    ],
)
def test_a_rated_table_has_no_hints_and_the_rules_of_a_game(
    reason: str, changes: dict[str, object]
) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        check_setup(replace(RATED, **changes))
    assert Table().refused(ANNE, cmd.Change(replace(RATED, **changes))) == reason


def test_it_may_have_any_number_of_players_that_its_game_has() -> None:
    for players in (3, 5, 7):
        check_setup(replace(RATED, rules=make_ruleset("coeurs", {"players": players})))


def test_a_table_is_planned_for_the_next_fortnight() -> None:
    now, day = 1.8e9, 86_400.0
    for planned in (None, now, now + 14 * day):
        check_planned(setup(planned=planned), now)
    for planned in (now - 1, now + 14 * day + 1):
        with pytest.raises(VolteError, check=because("planned_out_of_range")):
            check_planned(setup(planned=planned), now)


@pytest.mark.parametrize(
    "changes",
    [
        *({"access": access} for access in Access if access is not Access.PUBLIC),
        {"rated": True, "hints": False},
        {"planned": 1.8e9},
    ],
)
def test_a_meeting_table_is_in_the_lobby_for_now_and_without_rating(
    changes: dict[str, Any],
) -> None:
    check_setup(setup(meeting=True))
    with pytest.raises(VolteError, check=because("meeting_not_plain")):
        check_setup(setup(meeting=True, **changes))
