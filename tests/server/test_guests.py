"""Outside engines on a server: the settings name them, people pick a name, and nothing else is let
through any form, message or program's interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.browsing import Visitor
from kit.engines import example
from kit.sites import Playroom, until
from kit.terminals import Script, Volte, folder, volte

from volte.cards import VolteError
from volte.referee.codec import encode
from volte.rules import make_ruleset
from volte.server.run.room import open_room
from volte.table.commands import Someone, Start
from volte.table.setup import Setup
from volte.table.state import TableState
from volte.table.stored import CommandReply
from volte.web.settings import SettingFault, Settings
from volte.wire.api import NewTable

__all__ = ["folder", "volte"]

SETTINGS = {"engines": (f"lowest={example()}",)}


@pytest.fixture
def visitor(visitor: Visitor) -> Visitor:
    """Somebody who has come in."""
    visitor.come_in()
    return visitor


def passed(state: TableState, seat: int) -> bool:
    """Whether that seat has passed its cards."""
    deal = state.match.deal if state.match is not None else None
    return deal is not None and deal.passes[seat] is not None


def test_people_pick_an_engine_by_its_name_and_it_plays(
    visitor: Visitor, playroom: Playroom
) -> None:
    form = visitor.get("/tables/new")
    assert "a bot, lowest" in form.text
    assert "python" not in form.text
    page = visitor.open_table(seat1="lowest", match_end="deals", match_end_number="1")
    table = playroom.live(page.table)
    assert [seat.level for seat in table.state.seats] == ["", "lowest", "", ""]
    assert "a bot, lowest" in page.text
    assert "engine.py" not in page.text
    host = Someone(table.state.host, "Zoé")

    async def begins() -> CommandReply:
        table.subscribe(host)
        return await table.do(host, Start(), table.state.version)

    assert playroom.do(begins()).refusal is None
    playroom.do(until(lambda: passed(table.state, 1)))
    assert playroom.site.room.lobby.thinking.engines.processes


HOSTILE = ("/bin/sh", "sh -c id", "lowest=sh", "../lowest", "Lowest", "nobody", example())


@pytest.mark.parametrize("level", HOSTILE)
def test_nothing_else_gets_through_the_form_or_the_interface(
    level: str, visitor: Visitor, playroom: Playroom
) -> None:
    lobby = playroom.site.room.lobby
    before = lobby.tables, lobby.thinking.engines.processes
    assert visitor.open_table(seat1=level).status == 422
    setup = Setup("Table", make_ruleset("coeurs"))
    answer = visitor.client.post(
        "/api/tables",
        content=encode(NewTable(setup, (level,))),
        headers={"content-type": "application/json", "x-volte": "1", "origin": playroom.address},
    )
    assert answer.status_code == 422, answer.text
    assert (lobby.tables, lobby.thinking.engines.processes) == before


def test_the_terminal_passes_their_names_on_and_tells_what_the_house_says(
    volte: Volte, playroom: Playroom
) -> None:
    connect = ("play", "--connect", playroom.address, "--name", "Zoé", "--lang", "en")
    seats = ("--rules", "coeurs", "--seats")
    done = volte(*connect, *seats, "me,lowest,casual,casual", answer=Script(["q"]))
    assert (done.status, done.err) == (0, "")
    table = playroom.site.room.lobby.tables[-1]
    assert [seat.level for seat in table.state.seats] == ["", "lowest", "casual", "casual"]
    refused = volte(*connect, *seats, "me,nobody,casual,casual")
    assert refused.status == 1
    assert "There is no player “nobody”" in refused.err
    assert "lowest" in refused.err


def test_a_rated_table_takes_none(visitor: Visitor) -> None:
    page = visitor.open_table(seat1="lowest", rated="on", hints="", preset="dame-de-pique")
    assert page.status == 422
    assert "The only bots allowed in a rated match are Volte’s own" in page.text


@pytest.mark.parametrize(
    ("engines", "reason"),
    [
        ("lowest", "engine_without_name"),
        ("/opt/lowest -x", "engine_without_name"),
        ("casual=/opt/lowest", "engine_name_taken"),
        ("a=x; a=y", "engine_name_taken"),
        ("a='x", "engine_command"),
    ],
)
def test_settings_that_name_no_engine_stop_the_start(engines: str, reason: str) -> None:
    with pytest.raises(SettingFault) as caught:
        Settings.of({"VOLTE_ENGINES": engines})
    assert caught.value.reason == reason


def test_engines_are_named_in_the_file_as_in_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "volte.toml"
    file.write_text('engines = ["one=./a -x, y", "two=./b"]\n')
    settings = Settings.of({}, config=str(file))
    assert settings.engine_commands == {"one": "./a -x, y", "two": "./b"}
    assert Settings.of({"VOLTE_ENGINES": "one=./a -x, y; two=./b;"}) == settings


async def test_an_engine_whose_program_is_not_there_stops_the_start(tmp_path: Path) -> None:
    settings = Settings.of(
        {}, database=f"sqlite:///{tmp_path / 'x.sqlite'}", engines=("a=/opt/no-such-program",)
    )
    with pytest.raises(VolteError) as caught:
        async with open_room(settings):
            pass
    assert caught.value.reason == "engine_program_missing"
