"""Dependencies in `pyproject.toml`, against the imports and the pins of `constraints.txt`."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())
ALWAYS: Final[list[str]] = PROJECT["project"]["dependencies"]
EXTRAS: Final[dict[str, list[str]]] = (
    PROJECT["project"]["optional-dependencies"] | PROJECT["dependency-groups"]
)

OPTIONAL: Final = {
    "bots": ("strong",),
    "console/plot.py": ("plot",),
    "history/review_command.py": ("plot",),
    "kernel": ("strong",),
    "lab/arena": ("cluster", "plot", "strong"),
    "lab/bench": ("strong",),
    "lab/env": ("env", "strong"),
    "lab/picture.py": ("plot",),
    "lab/simulate": ("plot", "strong"),
    "people/passkey_proof.py": ("server",),
    "push": ("server",),
    "say/catalogue.py": ("test",),
    "server/run": ("server",),
    "store": ("server",),
}
"""The extras from which a room or file may import as well, by path."""

IMPORT: Final = re.compile(
    r"""^[ ]*(?:import[ ](\w+)|from[ ](\w+)[\w.]*[ ]import[ ])|import_module\("(\w+)""",
    re.MULTILINE,
)


def test_whatever_is_imported_is_declared() -> None:
    providers = packages_distributions()
    undeclared = []
    for file in sorted((ROOT / "src" / "volte").rglob("*.py")):
        parts = file.relative_to(ROOT / "src" / "volte").parts
        found = OPTIONAL.get(parts[0], OPTIONAL.get("/".join(parts[:2]), ()))
        extras = [each for extra in found for each in EXTRAS[extra]]
        declared = {name_of(each) for each in ALWAYS + extras}
        for module in imported(file) - sys.stdlib_module_names - {"volte"}:
            if declared.isdisjoint(name_of(each) for each in providers.get(module, ())):
                undeclared.append((file.relative_to(ROOT).as_posix(), module))
    assert undeclared == []


PURE: Final = (
    *("anyio", "jinja2", "markupsafe", "python_multipart", "starlette"),
    *(() if sys.version_info >= (3, 13) else ("typing_extensions",)),
)
"""Packages with which a browser makes pages, beside msgspec."""

ALONE: Final = """\
import asyncio

import volte.solo.worker
from volte.bots import make_bot
from volte.conversation.conversation import Conversation
from volte.conversation.ending import ConversationEnded
from volte.conversation.requests import hello_of, read
from volte.referee.codec import encode
from volte.rules import make_ruleset
from volte.say import words_of
from volte.solo.kept import KeptStore
from volte.store import Person
from volte.table import Setup, Someone
from volte.table.commands import Away, Sit, Start
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.wire.messages import Do, Hello, decode_saying

async def main():
    anne, words = Someone("anne", "Anne"), words_of("fr")
    timing = Timing(promise_within=0.0, bot_pace=0.0, trick_pace=0.0)
    lobby = Lobby(KeptStore(), make_bot, timing=timing)
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    table = await lobby.open(Setup("Chez Anne", rules), anne)

    async def send(*messages):
        assert all(decode_saying(encode(each)) == each for each in messages)
        if table.state.matches and not table.state.under_way:
            conversation.end(table.state.match.phase.value)

    async def requests():
        for number, command in enumerate((Sit(0), Start(), Away())):
            asking = encode(Do(str(number), command, table.state.version))
            await conversation.respond(read(asking.decode()))

    hello = hello_of(encode(Hello("h", 1)).decode(), words)
    person = Person("anne", "Anne", "fr", {}, 0.0)
    conversation = Conversation(hello, table, anne, person, words, send, None)
    with conversation:
        await conversation.begin()
        try:
            await conversation.stay(requests())
        except ConversationEnded as end:
            print(end.reason)
    await lobby.close()

asyncio.run(main())
"""


PAGES: Final = """\
import asyncio

from volte.alone.pages import AlonePages
from volte.alone.room import SitePaths
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom

async def main():
    pages = AlonePages(SoloRoom(KeptStore(), "fr"), SitePaths("/fr", "/static/0-fr/"))
    paths = ("/learn/3?card=KC&turn=0", "/puzzle", "/clerk/revoke?rules=coeurs", "/score/new")
    for path in (*paths, "/matches"):
        answer = await pages.respond("GET", path, {})
        assert answer.status == 200, answer
    print("ended")

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("script", "packages"),
    [
        pytest.param(ALONE, ("msgspec",), id="a conversation at a table with bots"),
        pytest.param(PAGES, ("msgspec", *PURE), id="pages made in a browser"),
    ],
)
def test_a_browser_needs_no_more_packages_than_it_has(
    tmp_path: Path, script: str, packages: tuple[str, ...]
) -> None:
    """In a real process that finds nothing else."""
    for package in ("volte", *packages):
        found = Path(str(import_module(package).__file__))
        whole = found.parent if found.name == "__init__.py" else found
        (tmp_path / whole.name).symlink_to(whole)
    ran = subprocess.run(
        [sys.executable, "-S", "-W", "error", "-c", script],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("ended\n", "")


def test_what_the_build_imports_is_declared() -> None:
    needed = {name_of(each) for each in PROJECT["build-system"]["requires"]}
    assert imported(ROOT / "hatch_build.py") - sys.stdlib_module_names == needed


def test_exact_versions_are_within_the_bounds() -> None:
    pins = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if not line.startswith("#")
    )
    exact = {name_of(name): version for name, version in pins.items()}
    for requirement in (*ALWAYS, *(each for extra in EXTRAS.values() for each in extra)):
        if name_of(requirement) != "volte":
            bound = re.fullmatch(r"[\w.-]+(?:\[\w+\])?>=([0-9.]+)(?:; .+)?", requirement)
            assert bound is not None, requirement
            assert numbers(exact[name_of(requirement)]) >= numbers(bound[1]), requirement


def imported(file: Path) -> set[str]:
    """The packages that a file imports, also inside functions."""
    return {found[found.lastindex or 0] for found in IMPORT.finditer(file.read_text())}


def name_of(requirement: str) -> str:
    """The normalised name of a required package."""
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
