"""Names that people really have, wherever they can be typed; and texts that are no names."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit import Guest, Playroom, Visitor, Volte, environment, open_playroom, post_json, serving
from kit.names import CYRILLIC, NOTHING_TO_SEE, PILED, REAL, UNFIT
from kit.sheet_pages import filled_form
from kit.terminals import folder as folder_of_cli
from kit.terminals import volte as volte_here

from volte.notation import load_record
from volte.scorekeeper.model import read_sheet
from volte.table import commands as cmd

folder, volte = folder_of_cli, volte_here
BLANKS = "  Anne\u00a0 \u3000Marie "


@pytest.fixture(scope="module")
def playroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playroom]:
    with open_playroom(tmp_path_factory.mktemp("playroom")) as playroom:
        yield playroom


@pytest.fixture
def anne(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as visitor:
        visitor.come_in("Anne")
        yield visitor


def recorded_name(folder: Path) -> str:
    """The name of the person who plays the match under way in a folder."""
    (path,) = (folder / "volte" / "under-way").glob("*.volte")
    return load_record(path).state.players[0].name


# The server


async def test_the_server_takes_real_names_and_no_others(playroom: Playroom) -> None:
    for name in REAL.values():
        reply = await post_json(playroom.address, "/api/guest", {"name": f" {name} "})
        assert (reply.status, reply.json["name"]) == (200, name)
    folded = await post_json(playroom.address, "/api/guest", {"name": BLANKS})
    assert folded.json["name"] == "Anne Marie"
    for text in NOTHING_TO_SEE.values():
        reply = await post_json(playroom.address, "/api/guest", {"name": text})
        assert (reply.status, reply.json["reason"]) == (422, "bad_name"), ascii(text)
        assert not reply.cookie
    for sign, text in UNFIT.items():
        reply = await post_json(playroom.address, "/api/guest", {"name": text})
        assert (reply.status, reply.json["reason"]) == (422, "bad_sign")
        assert sign in reply.json["line"]


async def test_a_guest_who_looks_like_another_is_told_apart_at_the_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        anne = await Guest.come(site.address, "Anne")
        other = await Guest.come(site.address, CYRILLIC)
        table = await anne.open_table(levels=())
        await anne.join(table)
        await other.join(table)
        await other.do(cmd.Sit(1))
        await anne.until(lambda: anne.state is not None and anne.state.seats[1].name)
        assert anne.state is not None
        assert [seat.name for seat in anne.state.seats[:2]] == ["Anne", f"{CYRILLIC} 2"]
        await anne.leave()
        await other.leave()


@pytest.mark.parametrize("path", ["/clubs/new", "/tables"])
def test_clubs_and_tables_have_such_names_too(anne: Visitor, path: str) -> None:
    form = anne.get("/tables/new").fields("table-form") if path == "/tables" else {"about": ""}
    fields = form | {"name": REAL["Persian, with a non-joiner"], "do": "open"}
    assert anne.post(path, fields).status == 200
    for text in (NOTHING_TO_SEE["Hangul filler"], UNFIT["U+E000"]):
        page = anne.post(path, fields | {"name": text})
        assert page.status == 422
        assert page.all("input", name="name")[0]["aria-invalid"] == "true"


def test_the_pages_of_a_score_sheet_take_real_names(anne: Visitor) -> None:
    name = REAL["Hindi, with a joiner"]
    page = anne.post("/score/new", filled_form(anne, "coeurs-moyenne", seat1=f" {name} "))
    assert (page.status, name in page.text) == (200, True)
    for wrong in (CYRILLIC, PILED, NOTHING_TO_SEE["Braille blank"]):
        page = anne.post("/score/new", filled_form(anne, "coeurs-moyenne", seat1=wrong))
        assert page.status == 422
        assert page.all("input", name="seat1")[0]["aria-invalid"] == "true"


# The terminal


@pytest.mark.parametrize("name", [REAL["a family"], REAL["Sinhala, with a joiner"]])
def test_the_command_takes_real_names(name: str, tmp_path: Path) -> None:
    play = [sys.executable, "-m", "volte", "play", "--plain", "--seed", "1", "--name"]
    done = subprocess.run(
        [*play, f" {name} "],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(tmp_path) | {"LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(tmp_path)},
        timeout=60,
    )
    assert b"Deal 1" in done.stdout, done.stderr
    assert recorded_name(tmp_path) == name


def test_the_terminal_folds_blanks_as_the_server_does(volte: Volte, folder: Path) -> None:
    volte("play", "--lang", "en", "--plain", "--seed", "1", "--name", BLANKS)
    assert recorded_name(folder) == "Anne Marie"


@pytest.mark.parametrize("text", [*NOTHING_TO_SEE.values()], ids=NOTHING_TO_SEE)
def test_the_command_refuses_what_nobody_sees(text: str, volte: Volte) -> None:
    result = volte("play", "--lang", "en", "--name", text)
    assert (result.status, result.out) == (2, "")
    assert "at least one of them visible" in result.err


@pytest.mark.parametrize("sign", UNFIT)
def test_the_command_says_which_sign_does_not_go(sign: str, volte: Volte) -> None:
    result = volte("play", "--lang", "fr", "--name", UNFIT[sign])
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"Le caractère {sign} ")


def test_a_bot_is_not_called_like_the_person(volte: Volte, folder: Path) -> None:
    volte("play", "--lang", "en", "--plain", "--seed", "1", "--name", "\u0410lice")
    (path,) = (folder / "volte" / "under-way").glob("*.volte")
    assert "Alice" not in [player.name for player in load_record(path).state.players]


# Score sheets


def players(*names: str) -> tuple[str, ...]:
    return ("score", "new", "--lang", "en", "--rules", "coeurs-moyenne", "--players", *names)


@pytest.mark.parametrize("name", REAL.values(), ids=REAL)
def test_a_score_sheet_takes_real_names(name: str, volte: Volte, folder: Path) -> None:
    volte(*players(f" {name} ,Bruno,Chloé,David"))
    (path,) = (folder / "volte" / "sheets").glob("*.volte-sheet")
    assert read_sheet(path).names[0] == name


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (UNFIT["U+E000"], "Player 2: The character U+E000"),
        (PILED, "Player 2: A letter can have at most 4 accents"),
        (NOTHING_TO_SEE["marks alone"], "Player 2: A name must have"),
        (CYRILLIC, "or have names that look alike"),
    ],
)
def test_a_score_sheet_says_which_name_does_not_go(name: str, says: str, volte: Volte) -> None:
    result = volte(*players(f"Anne,{name},Chloé,David"))
    assert result.status != 0
    assert says in result.err
