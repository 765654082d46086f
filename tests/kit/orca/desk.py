"""A private desktop for a screen reader: an invisible screen, a bus, Orca and a browser.

Everything lives in a temporary home, so that several desks can run side by side, and the processes
of a desk, and no others, are found by that home and ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import Final, Self, TypeVar

from kit.orca.voice import Voice

Found = TypeVar("Found")

PATIENCE: Final = 60
"""Limit for a program to start or to end, in seconds."""
PAUSE: Final = 0.03
STILL: Final = 0.4
"""Silence without work, after which the reader has finished speaking, in seconds."""
LONGEST: Final = 90
"""Limit for the reader to finish speaking, in seconds."""
SPEECHLESS: Final = 6
"""Time to wait for the first word of an answer, in seconds."""

PROGRAMS: Final = (
    *("orca", "Xvfb", "xdotool", "openbox", "dbus-daemon", "chromium"),
    "/usr/libexec/at-spi-bus-launcher",
)
BROWSER: Final = (
    *("chromium", "--force-renderer-accessibility", "--no-sandbox", "--disable-gpu"),
    *("--disable-quic", "--no-first-run", "--no-default-browser-check", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-breakpad"),
    *("--disable-domain-reliability", "--password-store=basic", "--test-type"),
    *("--disable-features=Translate,OptimizationHints,MediaRouter", "--ozone-platform=x11"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1200,820"),
)
ACCESSIBLE: Final = """\
[org/gnome/desktop/interface]
toolkit-accessibility=true
[org/gnome/desktop/a11y/applications]
screen-reader-enabled=true
"""


ZONE: Final = "UTC"
"""Time zone of the desk."""

VERSION: Final = "43."
"""Version of Orca whose words are in the goldens; other versions word them differently."""


@cache
def missing() -> str:
    """The programs that a desk needs and this machine lacks; empty if it has all."""
    lacks = [program for program in PROGRAMS if shutil.which(program) is None]
    if "orca" not in lacks:
        asked = subprocess.run(("orca", "--version"), capture_output=True, text=True, check=False)
        if not asked.stdout.startswith(VERSION):
            lacks.append(f"Orca {VERSION}x in place of {asked.stdout.strip()}")
    return ", ".join(lacks)


class Desk:
    """Orca while the context lasts, with one page at a time before it.

    Args:
        lang: of Orca and of the browser.
        letters: letters that the voice speaks in a second; many, as tests wait for every word.
        reads: whether Orca reads out every new page, as it usually does. Nobody can foretell at
            which moment a key stops it: words can be counted, but not compared with a golden.
    """

    def __init__(self, lang: str, letters: float = 400, reads: bool = False) -> None:
        self.lang = lang
        self._reads = reads
        self.home = Path(tempfile.mkdtemp(prefix="desk-"))
        self.voice = Voice(self.home, letters)
        self._programs: list[tuple[str, subprocess.Popen[bytes]]] = []
        self._environ = self._furnish()

    def __enter__(self) -> Self:
        self.voice.__enter__()
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end(self._inhabitants())
        self.voice.__exit__()
        shutil.rmtree(self.home, ignore_errors=True)

    def _furnish(self) -> dict[str, str]:
        """Make the home, and return the environment of the programs in it."""
        folders = {
            "HOME": self.home,
            "XDG_RUNTIME_DIR": self.home / "run",
            "XDG_CONFIG_HOME": self.home / "config",
            "XDG_DATA_HOME": self.home / "data",
            "XDG_CACHE_HOME": self.home / "cache",
        }
        settings = folders["XDG_CONFIG_HOME"] / "glib-2.0/settings"
        orca = folders["XDG_DATA_HOME"] / "orca"
        programs = self.home / "bin"
        for folder in (*folders.values(), settings, orca, programs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (settings / "keyfile").write_text(ACCESSIBLE)
        (orca / "user-settings.conf").write_text(json.dumps(self._profile()))
        # Orca looks for other Orcas of the same user, and gives way to them: it must find none.
        (programs / "pgrep").symlink_to("/bin/false")
        return {name: str(folder) for name, folder in folders.items()} | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "TZ": ZONE,
            "LANGUAGE": self.lang,
            "GSETTINGS_BACKEND": "keyfile",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.home / 'bus'}",
            "SPEECHD_ADDRESS": self.voice.address,
        }

    def _profile(self) -> dict[str, object]:
        settings = {
            "profile": ["Default", "default"],
            "enableSpeech": True,
            "enableKeyEcho": False,
            "speechServerFactory": "speechdispatcherfactory",
            "enableBraille": False,
            "enableSound": False,
            "sayAllOnLoad": self._reads,
        }
        general = settings | {"startingProfile": ["Default", "default"]}
        profiles = {"default": settings}
        return {"general": general, "profiles": profiles, "pronunciations": {}, "keybindings": {}}

    def _begin(self) -> None:
        self._environ["DISPLAY"] = self._screen()
        bus = self._environ["DBUS_SESSION_BUS_ADDRESS"]
        self._start("dbus-daemon", "--session", "--nofork", f"--address={bus}")
        wait("the bus", (self.home / "bus").exists)
        self._start("openbox")
        self._start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
        self._start("orca")
        wait("Orca's first words", lambda: self.voice.said)
        self.settle()

    def _screen(self) -> str:
        """Start a screen; return its name, which it chooses itself."""
        reading, writing = os.pipe()
        size = ("-screen", "0", "1280x900x24")
        self._start("Xvfb", "-displayfd", str(writing), *size, "-nolisten", "tcp", keep=writing)
        os.close(writing)
        with open(reading) as pipe:
            return f":{pipe.readline().strip()}"

    def _start(self, *command: str, keep: int | None = None) -> None:
        program = Path(command[0]).name
        with open(self.home / f"{program}.log", "a") as log:
            started = subprocess.Popen(
                command,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=() if keep is None else (keep,),
            )
        self._programs.append((program, started))

    # The processes

    def _inhabitants(self, program: str = "") -> list[int]:
        """The processes of one program, or of all, with the processes that they have started.

        They are in the session of the program; processes started by the bus are only known by
        their home.
        """
        sessions = [each.pid for name, each in self._programs if program in ("", name)]
        home = f"HOME={self.home}\0".encode()
        return [
            pid
            for pid in map(int, filter(str.isdecimal, os.listdir("/proc")))
            if (_session(pid) in sessions or (not program and home in _proc(pid, "environ")))
            and _alive(pid)
        ]

    def _end(self, pids: list[int]) -> None:
        for number, seconds in ((signal.SIGTERM, 3), (signal.SIGKILL, PATIENCE)):
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            with contextlib.suppress(TimeoutError):
                wait("the end", lambda: not any(map(_alive, pids)), seconds)
                break
        for _, program in self._programs:
            if not _alive(program.pid):
                program.wait(PATIENCE)

    # Reading

    def open(self, address: str) -> None:
        """Open a page in a new window, close the last one, and listen to the end."""
        self._end(self._inhabitants("chromium"))
        folder = self.home / "chromium"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "Default").mkdir(parents=True)
        languages = {"accept_languages": self.lang, "selected_languages": self.lang}
        preferences = {"intl": languages, "translate": {"enabled": False}}
        (folder / "Default/Preferences").write_text(json.dumps(preferences))
        said = len(self.voice.said)
        more = (f"--lang={self.lang}", f"--user-data-dir={folder}", f"--app={address}")
        self._start(*BROWSER, *more)
        self._tool("windowactivate", wait("a window", self._windows)[-1])
        wait("the page's first words", lambda: len(self.voice.said) > said)
        self.settle(1.5)

    def _windows(self) -> list[str]:
        return self._tool("search", "--onlyvisible", "--class", "chromium").split()

    def press(self, key: str) -> None:
        """Press a key, by its name for xdotool, without waiting."""
        self._tool("key", "--clearmodifiers", key)

    def type(self, text: str) -> None:
        self._tool("type", "--delay", "60", text)

    def _tool(self, *arguments: str) -> str:
        done = subprocess.run(
            ("xdotool", *arguments), env=self._environ, capture_output=True, text=True, timeout=30
        )
        return done.stdout

    def settle(self, still: float = STILL) -> None:
        """Listen until Orca and the browser rest for a while. Raises `TimeoutError`."""
        workers = [pid for program in ("orca", "chromium") for pid in self._inhabitants(program)]
        deadline = monotonic() + LONGEST
        rested = monotonic()
        while monotonic() - max(rested, self.voice.stirred) < still:
            if monotonic() > deadline:
                raise TimeoutError("silence")
            sleep(PAUSE)
            if any(map(_works, workers)) or not self.voice.silent:
                rested = monotonic()

    def hear(self, since: int) -> bool:
        """Wait until the voice has more than `since` texts; return whether it has."""
        try:
            wait("a word", lambda: len(self.voice.said) > since, SPEECHLESS)
        except TimeoutError:
            return False
        return True


def wait(what: str, sought: Callable[[], Found], seconds: float = PATIENCE) -> Found:
    """Wait until `sought` returns something true, and return it. Raises `TimeoutError`."""
    deadline = monotonic() + seconds
    while not (found := sought()):
        if monotonic() > deadline:
            raise TimeoutError(what)
        sleep(PAUSE)
    return found


def _proc(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""  # the process has ended, or belongs to another user


def _stat(pid: int) -> list[bytes]:
    """The fields of a process in `stat`, after its name: state, parent, group, session..."""
    return _proc(pid, "stat").rpartition(b")")[2].split()


def _session(pid: int) -> int:
    return int((_stat(pid) or [b"", b"", b"", b"0"])[3])


def _alive(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], [b"Z"])


def _works(pid: int) -> bool:
    """Whether a process is running, or ready to run on a busy machine."""
    return _stat(pid)[:1] == [b"R"]
