"""Nobody waits for compiled code, and nothing about its cache can hurt."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Final

import click
import pytest
from kit.rights import within_permissions
from kit.strategies import few

from volte.console.command import run
from volte.kernel import startup
from volte.kernel.startup import MOST_FOLDERS, CompileNotice, cache_folder

SOURCE: Final = Path(startup.__file__).parents[2]

FETCH: Final = """
    from volte.kernel.startup import code
    function = code("stepping.first_refused")
    print(sum(function.stats.cache_hits.values()))
"""
"""Program that fetches the quickest compiled code, and prints how much was in the cache."""

needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else"
)
posix = pytest.mark.skipif(os.name != "posix", reason="permissions as on POSIX")


def start(program: str, before: Sequence[str] = (), **environment: str) -> subprocess.Popen[str]:
    """Start a fresh Python that knows of no cache but the environment's.

    Args:
        before: begin of the command that runs it.
    """
    ours = ("HOME", "NUMBA", "VOLTE", "XDG", "PYTHONPATH", "LOCALAPPDATA")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env = {"PYTHONPATH": str(SOURCE), **env, **environment}
    command = [*before, sys.executable, "-X", "faulthandler", "-c", dedent(program)]
    return subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


ONCE: Final = "Compiling the kernel, which is needed only once: it usually takes 10 to 30 seconds."
EACH_TIME: Final = (
    "Compiling the kernel: it usually takes 10 to 30 seconds. It cannot be kept, as its folder is"
    " full, damaged, or not yours alone: name another one in NUMBA_CACHE_DIR."
)


def told(process: subprocess.Popen[str], *notices: str) -> str:
    """The output of a program; it must end well, with exactly those lines on standard error."""
    out, err = process.communicate()
    assert (process.returncode, err.splitlines()) == (0, [*notices])
    return out.strip()


# What is imported


@pytest.mark.parametrize(
    "name", few([".kernel", ".cli"], ["", ".kernel", ".kernel.batch", ".bots", ".cli", ".say"])
)
def test_no_import_waits_for_the_compiler(name: str) -> None:
    program = f"""
        import sys, volte{name}
        print(*sorted({{"numba", "llvmlite"}} & set(sys.modules)))
    """
    assert told(start(program)) == ""


def test_without_Numba_the_package_still_comes_and_says_what_is_wrong(tmp_path: Path) -> None:
    broken = tmp_path / "numba"
    broken.mkdir()
    (broken / "__init__.py").write_text('raise ImportError("no wheel for this machine")')
    program = """
        import volte.kernel as kernel
        from volte.kernel.startup import code
        kernel.warm_up().join()
        assert not kernel.ready()
        for _ in range(2):
            try:
                code("playing.deals_to_end")
            except kernel.KernelFault as fault:
                print(fault.reason, fault.params["why"])
    """
    said = "kernel_unavailable ImportError: no wheel for this machine"
    path = os.pathsep.join((str(tmp_path), str(SOURCE)))
    assert told(start(program, PYTHONPATH=path)).splitlines() == [said, said]


# In the background


@pytest.mark.full
def test_what_is_warmed_up_is_ready_and_the_same_for_every_thread(tmp_path: Path) -> None:
    program = """
        from concurrent.futures import ThreadPoolExecutor
        from volte.kernel import ready, warm_up
        from volte.kernel.startup import code
        assert not ready("stepping.count_plays")
        thread = warm_up("stepping.count_plays")
        with ThreadPoolExecutor(8) as pool:
            functions = set(pool.map(code, ["stepping.count_plays"] * 8))
        thread.join()
        print(ready("stepping.count_plays"), ready("stepping.step"), len(functions))
    """
    assert told(start(program, XDG_CACHE_HOME=str(tmp_path)), ONCE) == "True False 1"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
@pytest.mark.full
@pytest.mark.parametrize("seconds", [0, 0.5])
def test_a_fork_while_it_is_compiled_gets_code_as_well(seconds: float, tmp_path: Path) -> None:
    program = f"""
        import os, time, warnings
        warnings.simplefilter("ignore")  # Python warns of forks with threads
        from volte.kernel import warm_up
        from volte.kernel.startup import code
        warm_up("stepping.count_plays")
        time.sleep({seconds})
        child = os.fork()
        code("stepping.count_plays")
        if child:
            print(os.waitpid(child, 0)[1])
    """
    assert told(start(program, XDG_CACHE_HOME=str(tmp_path))) == "0"


@pytest.mark.parametrize("seconds", few([0], [0, 0.5, 1.2]))
def test_a_program_may_end_while_code_is_compiled(seconds: float, tmp_path: Path) -> None:
    program = f"""
        import time
        from volte.kernel import warm_up
        warm_up("stepping.count_plays", "stepping.step")
        time.sleep({seconds})
    """
    assert told(start(program, XDG_CACHE_HOME=str(tmp_path))) == ""


@pytest.mark.full
def test_at_the_end_of_a_program_nothing_is_compiled_any_more(tmp_path: Path) -> None:
    """LLVM calls back into Python, which must not be gone by then."""
    program = """
        import atexit, threading, time
        calls = []
        begun = threading.Event()

        @atexit.register  # what is registered first is done last
        def count_calls():
            before = len(calls)
            time.sleep(0.5)
            print(len(calls) - before)

        def call():
            calls.append(time.monotonic())
            if len(calls) > 500:
                begun.set()

        import volte.kernel.compiler  # whose callback comes first
        from llvmlite.binding.ffi import register_lock_callback
        from volte.kernel import warm_up
        register_lock_callback(call, lambda: None)
        warm_up("stepping.count_plays", "stepping.step")
        begun.wait()
    """
    assert told(start(program, XDG_CACHE_HOME=str(tmp_path))) == "0"


# The cache at work


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache into which code was compiled for the first time."""
    folder = tmp_path_factory.mktemp("compiled")
    assert told(start(FETCH, XDG_CACHE_HOME=str(folder), LOCALAPPDATA=str(folder)), ONCE) == "0"
    return folder


def test_code_is_compiled_once(compiled: Path) -> None:
    place = {"XDG_CACHE_HOME": str(compiled), "LOCALAPPDATA": str(compiled)}
    assert told(start(FETCH, **place)) == "1"


@pytest.mark.full
def test_two_processes_may_start_at_once(tmp_path: Path) -> None:
    both = [start(FETCH, XDG_CACHE_HOME=str(tmp_path)) for _ in range(2)]
    said = [process.communicate() for process in both]
    first = "0\n", f"{ONCE}\n"
    assert first in said
    assert {*said} <= {first, ("1\n", "")}  # one may find the other's
    assert told(start(FETCH, XDG_CACHE_HOME=str(tmp_path))) == "1"


@pytest.mark.full
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_spoilt_file_is_compiled_anew(kind: str, compiled: Path, tmp_path: Path) -> None:
    place = {"XDG_CACHE_HOME": str(shutil.copytree(compiled, tmp_path / "spoilt"))}
    assert told(start(FETCH, **place)) == "1"
    spoilt = list(tmp_path.rglob(f"*.{kind}"))
    assert spoilt
    for path in spoilt:
        path.write_bytes(path.read_bytes()[:-100])
    said = [(EACH_TIME,), (ONCE,), ()]  # the first removes the folder
    assert [told(start(FETCH, **place), *each) for each in said] == ["0", "0", "1"]


@pytest.mark.full
@posix
def test_a_full_disk_does_not_hurt(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
    full = start(limit + dedent(FETCH), XDG_CACHE_HOME=str(tmp_path))
    assert told(full, ONCE, EACH_TIME) == "0"
    assert told(start(FETCH, XDG_CACHE_HOME=str(tmp_path)), ONCE) == "0"


@pytest.mark.full
def test_without_a_place_for_it_code_is_compiled_every_time(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    place = {"XDG_CACHE_HOME": str(file), "LOCALAPPDATA": str(file), "HOME": str(file)}
    for _ in range(few(1, 2)):
        assert told(start(FETCH, **place), EACH_TIME) == "0"
    assert not file.read_bytes()


# Notices to those who wait


def test_each_thing_is_told_once_and_only_while_somebody_waits(
    caplog: pytest.LogCaptureFixture,
) -> None:
    notice = CompileNotice(logging.getLogger("kernel of a test"))

    def said() -> list[str]:
        sentences = caplog.messages[:]
        caplog.clear()
        return sentences

    notice.compiling(True)  # in the background
    assert said() == []
    with notice.awaited():
        assert said() == [ONCE]
        notice.compiling(True)
        notice.compiling(None)
    with notice.awaited():
        assert said() == []
        notice.compiling(False)  # as the disk was full
        assert said() == [EACH_TIME]


@pytest.mark.parametrize(("option", "clear"), [("--plain", ""), ("--json", "\r\x1b[K")])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_command_says_it_on_a_terminal_in_the_language_of_whoever_waits(
    option: str, clear: str, is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice, screen = CompileNotice(logging.getLogger("volte.kernel")), StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", screen)

    def wait() -> None:
        notice.compiling(True)
        with notice.awaited():
            print("done")

    free = {"ignore_unknown_options": True, "allow_extra_args": True}
    command = click.Command("wait", callback=wait, context_settings=free)
    assert run(command, ["--lang=fr", option]) == 0
    lines = [f"{clear}Compilation du noyau, "] if is_terminal else []
    assert [line.partition("une fois")[0] for line in screen.getvalue().split("\n")[:-1]] == lines


# Folders that are trusted


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_a_folder_of_our_own_is_made_and_found_again(base: Path) -> None:
    folder = cache_folder("one")
    assert folder is not None
    assert folder.parent == base
    assert cache_folder("one") == folder != cache_folder("another")


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755, 0o720])
def test_a_folder_that_others_may_enter_is_not_trusted(mode: int, base: Path) -> None:
    folder = cache_folder("one")
    assert folder is not None
    folder.chmod(mode)
    assert cache_folder("one") is None


@posix
@pytest.mark.parametrize(("mode", "trusted"), [(0o777, False), (0o1777, True), (0o755, True)])
def test_a_folder_that_others_may_replace_is_not_trusted(
    mode: int, trusted: bool, base: Path
) -> None:
    base.chmod(mode)
    assert (cache_folder("one") is not None) == trusted


@posix
def test_a_link_is_not_trusted(base: Path) -> None:
    folder = cache_folder("one")
    assert folder is not None
    elsewhere = folder.rename(base / "elsewhere")
    folder.symlink_to(elsewhere)
    assert cache_folder("one") is None


@needs_root
def test_a_folder_of_somebody_else_is_not_trusted(base: Path) -> None:
    folder = cache_folder("one")
    assert folder is not None
    os.chown(folder, 12345, 12345)
    assert cache_folder("one") is None


@posix
@pytest.mark.parametrize("place", few(["HOME"], ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"]))
def test_nobody_writes_where_they_may_not(place: str, tmp_path: Path) -> None:
    program = """
        from volte.kernel.startup import cache_folder
        print(cache_folder("one"))
    """
    tmp_path.chmod(0o555)
    assert told(start(program, within_permissions(), **{place: str(tmp_path)})) == "None"
    assert not list(tmp_path.iterdir())


@needs_root
def test_without_a_home_nothing_is_left_where_the_program_was_started(tmp_path: Path) -> None:
    program = f"""
        import os
        from volte.kernel.startup import cache_folder
        os.chdir({str(tmp_path)!r})
        os.setuid(12345)
        print(cache_folder("one"))
    """
    tmp_path.chmod(0o1777)
    assert told(start(program)) == "None"
    assert not list(tmp_path.iterdir())


# Its name, and its neighbours


def copied(folder: Path) -> ModuleType:
    """The module of caches, beside a copy of the source that it digests."""
    for room in ("cards", "fair", "kernel"):
        shutil.copytree(SOURCE / "volte" / room, folder / room)
    spec = importlib.util.spec_from_file_location("copied", folder / "kernel" / "startup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("source", ["kernel/play.py", "cards/card.py", "fair/chance.py"])
def test_other_source_has_another_folder(source: str, tmp_path: Path, base: Path) -> None:
    module = copied(tmp_path / "copy")
    before = module.cache_folder("one")
    assert module.cache_folder("one") == before
    with (tmp_path / "copy" / source).open("a") as file:
        file.write("\n")
    assert module.cache_folder("one") != before


def test_of_old_folders_those_last_used_are_kept(base: Path) -> None:
    old = [base / f"kernel-{number:016x}" for number in range(MOST_FOLDERS + 3)]
    for age, folder in enumerate(old):
        (folder / "kernel_x").mkdir(parents=True)
        (folder / "kernel_x" / "code.nbc").touch()
        os.utime(folder, (1000.0 - age, 1000.0 - age))
    strange = [base / name for name in ("kernel-mine", "kernel-0000000000000000.bak", "other")]
    for folder in strange:
        folder.mkdir()
    fresh = cache_folder("one")
    assert fresh is not None
    assert set(base.iterdir()) == {fresh, *old[: MOST_FOLDERS - 1], *strange}
    assert cache_folder("one") == fresh
    assert set(base.iterdir()) == {fresh, *old[: MOST_FOLDERS - 1], *strange}


# Compiled beforehand

WARM: Final = """
    import sys
    from volte.cli import main
    sys.argv[1:] = ["warm", "--lang", "en"]
    main()
"""


@pytest.mark.full
def test_volte_warm_compiles_everything_and_says_where_it_is(tmp_path: Path) -> None:
    said = told(start(WARM, XDG_CACHE_HOME=str(tmp_path), LOCALAPPDATA=str(tmp_path)))
    found = re.fullmatch(
        r"Everything has been compiled: (\d+) MB in (\S+); it took [\d.]+ \w+\.", said
    )
    assert found is not None
    assert int(found[1]) > 0
    compiled = {file.name.partition(".")[0] for file in Path(found[2]).rglob("*.nbi")}
    assert compiled >= {"endgame", "features", "playing", "playouts", "random", "worlds"}


def test_volte_warm_compiles_nothing_that_it_cannot_keep() -> None:
    out, err = start(WARM, NUMBA_DISABLE_JIT="1").communicate()
    assert out == ""
    assert err.startswith("Nothing was compiled: there is no folder that only you")
