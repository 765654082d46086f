"""Sessions at a terminal, replayed from text files.

A transcript is its own script. A line that begins with `$` is a command, which is run; a line that
begins with `>` is typed to it. Other lines are the output: printed text, complaints behind `!`, and
in brackets an exit status that is not 0. Besides `volte` there are `write FILE TEXT`, `copy FILE`
out of tests, `change FILE PATTERN TEXT`, and `show FILE`, where a star may stand for a part of the
name. PLAYROOM is the address of a server without earlier guests, TABLE the table there that was
named last. Lines that begin with `#` are for the reader. VOLTE_REMAKE_GOLDENS=1 runs all the
commands, and writes their output anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from contextlib import ExitStack, chdir
from datetime import date
from pathlib import Path
from typing import Final

from kit.sites import open_playroom
from kit.terminals import ROOT, Script, Volte

TABLE: Final = re.compile(r"(?<=/tables/)[\w-]{12,}")
TRANSCRIPTS: Final = ROOT / "tests" / "terminal" / "transcripts"


def replay(name: str, volte: Volte, folder: Path) -> None:
    """Compare a transcript with the output of its commands now, in that folder.

    Args:
        name: such as `table.fr`, which ends with the language.
    """
    path = TRANSCRIPTS / f"{name}.txt"
    # A path of the same length everywhere, since it is in lines that are wrapped
    home = folder / "home".ljust(29 - len(str(folder)), "_")
    os.environ |= {"LC_ALL": f"{name.rpartition('.')[2]}.UTF-8", "XDG_DATA_HOME": str(home)}
    before, text = path.read_text(encoding="utf-8"), ""
    with ExitStack() as stack:
        site = "PLAYROOM" in before and stack.enter_context(open_playroom(folder)).address
        stack.enter_context(chdir(folder))
        for part in re.split(r"^(?=[$#])", before, flags=re.MULTILINE):
            step = part.partition("\n")[0]
            text += f"{step}\n" * bool(step)
            if step.startswith("$"):
                table = (TABLE.findall(text) or [""])[-1]
                command = step.replace("PLAYROOM", str(site)).replace("TABLE", table)
                text += f"{outcome(command, re.findall('^> ?(.*)', part, re.MULTILINE), volte)}\n"
    text = text.rstrip("\n").replace(str(home), "HOME").replace(str(site), "PLAYROOM") + "\n"
    text = re.sub(r"(?<=/invited/)\w+", "CODE", TABLE.sub("TABLE", text))
    text = re.sub(rf"{date.today()}-\d{{6}}(-\d+)?", "SHEET", text)
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def outcome(step: str, typed: list[str], volte: Volte) -> str:
    """The output of a command. Misuse must be answered in one sentence, and nothing else."""
    match shlex.split(step)[1:]:
        case ["write", name, text]:
            Path(name).write_bytes(text.encode().decode("unicode-escape").encode())
            return ""
        case ["copy", name]:
            shutil.copy(ROOT / "tests" / name, ".")
            return ""
        case ["change", name, pattern, text]:
            changed, times = re.subn(pattern, text, Path(name).read_text(encoding="utf-8"))
            assert times == 1
            Path(name).write_text(changed, encoding="utf-8")
            return ""
        case ["show", pattern]:
            (path,) = Path().rglob(pattern)
            return path.read_text(encoding="utf-8").rstrip("\n") + "\n"
    script = Script(typed)
    status, out, err = volte(*shlex.split(step)[2:], answer=script)
    assert err.count("\n") <= 1
    assert status < 2 or (err and not out), f"{step}: {out}"
    text, replies = "", script.replies[: len(typed)]
    for reply, line in zip(replies, typed, strict=True):  # each of them must be asked for
        text += f"{reply}> {line}".rstrip() + "\n"
    text += out[len("".join(replies)) :]
    return text + f"! {err}" * bool(err) + f"[{status}]\n" * bool(status)
