"""Plays a match at a playroom of the Volte that this Python has installed, as a browser would.

`scripts/test` runs it in fresh environments, so it needs only Volte and its dependencies.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import sysconfig
from base64 import b64encode
from http.cookiejar import CookieJar
from importlib.metadata import requires, version
from itertools import count
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from volte.fair import CONTRIBUTION_BYTES, commit_bytes

PATIENCE = 60
"""Seconds for any answer."""

PAGES = ("", "rules/coeurs", "fair", "static/server/live/static/table.js", "wire.json", "healthz")


class Browser:
    """Somebody's browser at the playroom of that address."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))

    def get(self, path: str) -> str:
        with self._opener.open(self._address + path, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
        return text

    def post(self, path: str, **fields: str) -> str:
        """Send the form of a newcomer; returns the address to which it leads.

        It is sent once more, as browsers do, if the playroom first asks for the cookie that it has
        just given.
        """
        headers = {"Origin": self._address.rstrip("/")}
        address, content = self._address + path, urlencode(fields).encode()
        try:
            answer = self._opener.open(Request(address, content, headers), timeout=PATIENCE)
        except HTTPError as error:
            if error.code != 307:
                raise
            again = Request(urljoin(address, error.headers["location"]), content, headers)
            answer = self._opener.open(again, timeout=PATIENCE)
        with answer:
            led: str = answer.geturl()
        return led

    def connect(self, table: str) -> ClientConnection:
        """Connect to a table, as its page does."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)
        return connect(
            self._address.replace("http", "ws", 1) + f"live/{table}",
            origin=Origin(self._address.rstrip("/")),
            additional_headers={"Cookie": cookies},
            open_timeout=PATIENCE,
        )


def play(connection: ClientConnection) -> dict[str, Any]:
    """Play a match with whatever is allowed, one command at a time; returns the last scene."""
    ids = count(1)
    scene: dict[str, Any] = {"phase": "", "number": 0, "may": ()}
    asked, acted = "", 0
    share, shuffle = secrets.token_bytes(CONTRIBUTION_BYTES), 0

    def say(what: str, **fields: Any) -> str:
        name = str(next(ids))
        connection.send(json.dumps({"say": what, "id": name, **fields}))
        return name

    def do(command: dict[str, Any], seen: int) -> str:
        return say("do", command=command, seen=seen)

    say("hello", protocol=1)
    say("prefer", bot_pace=0, trick_pace=0)
    do({"do": "Start"}, 0)
    while scene["phase"] != "ended":
        match message := json.loads(connection.recv(timeout=PATIENCE)):
            case {"happening": {"event": "Committed", "number": shuffle}, "number": seen}:
                digest = b64encode(commit_bytes(shuffle, 0, share)).decode()
                do({"do": "Promise", "number": shuffle, "digest": digest}, seen)
            case {"happening": {"event": "Promised", "seat": 0}, "number": seen}:
                data = b64encode(share).decode()
                do({"do": "Contribute", "number": shuffle, "data": data}, seen)
            case {"say": "scene"}:
                scene = message
            case {"say": "answer", "id": name}:
                assert message["ok"], message
                asked = "" if name == asked else asked
        if not asked and acted < scene["number"] and (command := next_command(scene)):
            acted = scene["number"]
            asked = do(command, acted)
    return scene


def next_command(scene: dict[str, Any]) -> dict[str, Any] | None:
    """The first possible command; None if it is the turn of others."""
    legal = [card["card"] for card in scene.get("hand", ()) if card["legal"]]
    if "Pass" in scene["may"]:
        action = {"action": "Pass", "seat": 0, "cards": legal[: scene["pass_count"]]}
    elif "Play" in scene["may"]:
        action = {"action": "Play", "seat": 0, "card": legal[0]}
    else:
        return {"do": "Next"} if "Next" in scene["may"] else None
    return {"do": "Act", "action": action}


def tell_versions() -> None:
    """Print the versions of Volte's dependencies in this environment."""
    names = [
        re.split(r"[^\w.-]", each)[0] for each in requires("volte") or () if "extra" not in each
    ]
    print(sys.version.split()[0], *(f"{name} {version(name)}" for name in names), sep=", ")


def main() -> None:
    """Start a server, look at its pages, play, and stop it."""
    tell_versions()
    command = shutil.which("volte", path=sysconfig.get_path("scripts"))
    assert command is not None
    server = subprocess.Popen(
        [command, "serve", "--no-open", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "VOLTE_MESSAGES_PER_SECOND": "1000"},  # no person is as quick
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found is not None
        browser = Browser(found.group())
        for path in PAGES:
            print(path or "/", len(browser.get(path)))
        table = browser.post("play", name="Zoé", next="/").rpartition("/")[2]
        with browser.connect(table) as connection:
            print(*(seat["total"] for seat in play(connection)["seats"]))
    finally:
        server.terminate()
        status = server.wait(PATIENCE)
        assert status == 0 or sys.platform == "win32"  # Windows programs cannot see it coming


if __name__ == "__main__":
    main()
