"""The way to a first result, for each kind of user: makes the tables of docs/install.md.

    python benchmarks/from_nothing.py [--write] [WHO...]

WHO is one of `player`, `terminal`, `programmer`, `researcher`, `server`, `contributor` and
`extras`; all by default, as `--write` wants. Each begins in an empty folder with an empty home, and
with PATH alone in the environment. The wheel is built from this checkout, the rest comes from pip's
index; `contributor` clones the last commit. A step ends with the result that it is meant for: a
server when its page has answered. Pip's log tells how long it looked for packages and fetched them.
Megabytes are those of the folder on the disk, bytecode included, without pip and setuptools, as in
`scripts/test installs`. PostgreSQL and the system's packages for tests are there.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import Final, NamedTuple
from urllib.request import urlopen

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, whose server.py would hide theirs
sys.path.insert(1, str(ROOT))

from kit.blocks import blocks  # noqa: E402
from kit.postgres import Cluster  # noqa: E402

from benchmarks.machine import described  # noqa: E402
from benchmarks.written import put  # noqa: E402

SOURCES: Final = (
    "benchmarks/from_nothing.py",
    "pyproject.toml",
    "constraints.txt",
    "scripts/setup",
)

SYSTEM: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE: Final = 1500
"""Seconds for any step."""

ANSWERS: Final = "\n".join([".1 .2 .3", "", *(f".{place}" for place in range(1, 14)), "no", ""])
"""Answers of a player who tries one card after another to the end of one match."""

STARTED: Final = r"http://\S+/"
"""Pattern of the address that a server prints."""


class Step(NamedTuple):
    """A command line of the docs, with the result to expect."""

    typed: str  # {wheel}, {source} and {database} stand for values that differ everywhere
    result: str  # the result, in words
    shows: str = ""  # a regular expression for its output by then
    serves: bool = False  # whether it is a server, which then answers with its first page
    answers: str = ""  # its standard input


VENV: Final = Step("python3 -m venv .venv && . .venv/bin/activate", "an environment")


def pip(extras: str = "") -> Step:
    wheel = f'"{{wheel}}[{extras}]"' if extras else "{wheel}"
    return Step(f"pip install {wheel}", "Volte is installed", "Successfully installed .*volte-")


class Beginner(NamedTuple):
    """A newcomer with nothing installed."""

    name: str  # in a sentence
    steps: tuple[Step, ...]
    writes: Mapping[str, str] = {}  # the files that they have to write


def bot() -> str:
    """The bot of docs/your-bot.md and its match, as a file."""
    text = "\n".join(block.text for block in blocks(ROOT / "docs/your-bot.md")[:2])
    return "".join(
        f"print({example.source.strip()})\n" if example.want else example.source
        for example in doctest.DocTestParser().get_examples(text)
    )


def episodes() -> str:
    """The first episodes at many tables, of docs/environments.md."""
    found = (block.text for block in blocks(ROOT / "docs/environments.md"))
    return next(text for text in found if "VectorEnv" in text)


def beginners() -> dict[str, Beginner]:
    """The beginners by their names on the command line."""
    serve = "volte serve --no-open --port 0"
    play = "volte play --rules dame-de-pique --seats me,beginner,beginner,beginner"
    page = "the home page is there"
    return {
        "player": Beginner(
            "plays in the browser", (VENV, pip(), Step(serve, page, STARTED, serves=True))
        ),
        "terminal": Beginner(
            "plays at the terminal",
            (
                VENV,
                pip(),
                Step(play, "a match is played to its end", "Another match", answers=ANSWERS * 500),
            ),
        ),
        "programmer": Beginner(
            "writes a bot",
            (VENV, pip(), Step("python bot.py", "it has played ten deals", r"\(\d+, \d+, ")),
            {"bot.py": bot()},
        ),
        "researcher": Beginner(
            "studies the game",
            (
                VENV,
                pip("env,plot"),
                Step(
                    "volte simulate --deals 1e5 --plot points.svg",
                    "100,000 deals, compiled first, and a picture",
                    "100,000",
                ),
                Step("volte arena casual beginner", "who plays better", "casual"),
                Step("python episodes.py", "100,000 steps of a thousand tables"),
            ),
            {"episodes.py": episodes()},
        ),
        "server": Beginner(
            "runs a server",
            (
                VENV,
                pip("server,strong"),
                Step(
                    f"{serve} --database {{database}}",
                    "PostgreSQL is prepared, and the home page is there",
                    STARTED,
                    serves=True,
                ),
            ),
        ),
        "contributor": Beginner(
            "contributes",
            (
                Step("git clone {source} .", "the source"),
                Step("scripts/play --no-open --port 0", page, STARTED, serves=True),
                Step(
                    "scripts/test lint", "what tests want is installed, and one suite", "1 passed"
                ),
            ),
        ),
    }


def processor() -> float:
    """Processor seconds of all ended programs that this one has begun."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Taken(NamedTuple):
    """Cost of one step."""

    seconds: float = 0
    fetching: float = 0  # seconds until pip had fetched all packages
    processor: float = 0  # processor seconds of all programs together
    fetched: float = 0  # megabytes


def in_figures(taken: Taken) -> str:
    """Seconds, as cells of a row."""
    figures = taken.seconds, taken.fetching, taken.processor
    return " | ".join(f"{each:.{int(each < 10)}f}" if each else "" for each in figures)


class Nothing:
    """An empty folder, an empty home, and an environment that has PATH alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "here"
        self.folder.mkdir()
        (folder / "home").mkdir()
        self._log = folder / "pip.log"
        self._path = f"{self.folder / '.venv/bin'}:{SYSTEM}"  # an activated environment first
        self._home = str(folder / "home")

    def do(self, step: Step, real: Mapping[str, str]) -> Taken:
        """Run a command line and wait for its result."""
        self._log.unlink(missing_ok=True)
        environ = {"PATH": self._path, "HOME": self._home, "PIP_LOG": str(self._log)}
        shown = ""
        with tempfile.TemporaryFile("w+") as answers:
            answers.write(step.answers)
            answers.seek(0)
            used, begun = processor(), perf_counter()
            process = subprocess.Popen(
                ["timeout", str(PATIENCE), "bash", "-c", step.typed.format(**real)],
                stdin=answers,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environ,
                cwd=self.folder,
            )
        assert process.stdout is not None
        for line in process.stdout:
            shown += line
            if step.serves and (found := re.search(step.shows, line)):
                with urlopen(found[0], timeout=PATIENCE) as answer:
                    assert b"</html>" in answer.read()
                break
        else:
            process.wait()
        seconds = perf_counter() - begun
        process.terminate()  # a server that runs
        process.communicate()
        if (process.returncode and not step.serves) or not re.search(step.shows, shown):
            sys.exit(f"{step.typed}: {process.returncode}\n{shown[-2000:]}")
        fetching, fetched = self._fetching()
        return Taken(seconds, fetching, processor() - used, fetched)

    def _fetching(self) -> tuple[float, float]:
        """Seconds until pip had fetched all packages, for all its runs; and megabytes fetched."""
        if not self._log.exists():
            return 0, 0
        seconds = megabytes = 0.0
        for line in self._log.read_text(encoding="utf-8").splitlines():
            clock, _, text = line.partition(" ")
            if text.startswith("Using pip "):
                begun = datetime.fromisoformat(clock)
            elif text.startswith("Installing collected packages"):
                seconds += (datetime.fromisoformat(clock) - begun).total_seconds()
            elif found := re.search(r"Downloading \S+ \(([\d.]+) ([kM])B\)", text):
                megabytes += float(found[1]) / (1000 if found[2] == "k" else 1)
        return seconds, megabytes

    def size(self) -> float:
        """Megabytes of the folder, as `scripts/test installs` counts them."""
        without = ("pip", "pip-*", "setuptools*", "pkg_resources")
        command = ["du", "-sk", *(f"--exclude={each}" for each in without), str(self.folder)]
        counted = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return int(counted.split()[0]) / 1024

    def packages(self) -> int:
        """Number of installed packages, without pip and setuptools."""
        names = [
            each.name for each in self.folder.glob(".venv/lib/python3*/site-packages/*.dist-info")
        ]
        return sum(not name.startswith(("pip-", "setuptools-")) for name in names)


class Room:
    """The wheel of this checkout, a temporary PostgreSQL, and one empty folder after another."""

    def __init__(self, folder: Path, cluster: Cluster | None) -> None:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = folder.glob("*.whl")
        self._folder = folder
        self._real = {"wheel": str(wheel), "source": shlex.quote(str(ROOT))}
        if cluster is not None:
            self._real["database"] = shlex.quote(cluster.url())

    def rows(self, beginner: Beginner) -> Iterator[str]:
        """A line for each step, and one for all."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            nothing = Nothing(Path(folder))
            for name, text in beginner.writes.items():
                (nothing.folder / name).write_text(text, encoding="utf-8")
            written = sum(
                bool(line.strip())
                for text in beginner.writes.values()
                for line in text.splitlines()
            )
            takings = list[Taken]()
            for step in beginner.steps:
                print(f"{beginner.name}: {step.typed}", file=sys.stderr)
                takings.append(nothing.do(step, self._real))
                typed = step.typed.format(wheel="WHEEL", source="…", database="postgresql://…")
                done = in_figures(takings[-1])
                yield f"| {beginner.name} | `{typed}` | {step.result} | {done} | | |"
            whole = Taken(*map(sum, zip(*takings, strict=True)))
            size = f"{nothing.size():.0f}"
            yield f"| **{beginner.name}** | | in all | {in_figures(whole)} | {size} | {written} |"

    def extras(self) -> Iterator[str]:
        """A line for each extra alone, the lightest first."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        found = {extra: self._installed(extra) for extra in ("", *project["optional-dependencies"])}
        none = found.pop("")
        yield f"| none | {none[0]} | {none[1]:.0f} | {none[2]:.1f} |"
        for extra, (packages, size, fetched) in sorted(found.items(), key=lambda each: each[1][1]):
            more = (f"+{packages - none[0]}", f"+{size - none[1]:.0f}", f"+{fetched - none[2]:.1f}")
            yield f"| `{extra}` | {' | '.join(more)} |"

    def _installed(self, extra: str) -> tuple[int, float, float]:
        """Number of packages, megabytes on the disk, and megabytes fetched."""
        print(f"extra: {extra or 'none'}", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            nothing = Nothing(Path(folder))
            nothing.do(VENV, self._real)
            taken = nothing.do(pip(extra), self._real)
            return nothing.packages(), nothing.size(), taken.fetched


def tables(names: list[str], room: Room) -> Iterator[str]:
    """Lines of the page, with the measured tables."""
    known = beginners()
    python = subprocess.run(
        ["python3", "--version"],
        env={"PATH": SYSTEM},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.strip()
    yield f"{python} on {described()}:"
    yield ""
    yield "| who | types | until | s | fetching | processor | MB | lines written |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in names:
        if name in known:
            yield from room.rows(known[name])
    load = os.getloadavg()[2]
    yield from ("", f"Load meanwhile, the mean of a quarter of an hour: {load:.0f}.")
    if "extras" in names:
        yield from ("", "| extra | packages | MB on disk | MB fetched |", "|---|---|---|---|")
        yield from room.extras()


def main() -> None:
    everybody = [*beginners(), "extras"]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("who", nargs="*", metavar="WHO", help=", ".join(everybody))
    parser.add_argument("--write", action="store_true", help="into docs/install.md")
    options = parser.parse_args()
    names = options.who or everybody
    if unknown := {*names} - {*everybody}:
        parser.error(f"nobody here is called {' or '.join(unknown)}")
    if options.write and options.who:
        parser.error("--write wants everybody")
    cluster = Cluster() if "server" in names else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = "\n".join(tables(names, Room(Path(folder), cluster)))
    finally:
        if cluster is not None:
            cluster.remove()
    print(found)
    if options.write:
        put("docs/install.md", found, *SOURCES)


if __name__ == "__main__":
    main()
