"""A process in which bots think: questions come in by its standard input, answers go out.

    python -m volte.bots.worker

Before each of them stands its length, in four bytes. `READY` comes first, once the compiled code is
there. The process ends when its input does, be it in the middle of a thought: so it never outlives
whoever asks. It needs bots and kernel, and nothing of tables, stores or servers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

from volte.bots.apart import LENGTH, READY, Came, pack_answer, thought_of, unpack
from volte.bots.levels import make_bot
from volte.kernel import KernelFault

COURTESY: Final = 5
"""How much the process stands back for others, such as the one that people wait for (`nice`)."""


def main() -> None:
    """Answers until the input ends."""
    answers = _own_output()
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    _compile()
    _say(answers, READY)
    while True:
        _say(answers, answer(questions.get()))


def answer(question: bytes) -> bytes:
    """What a bot chooses, or advises."""
    try:
        asked = unpack(question)
    except Exception as error:
        return pack_answer(Came(failed=type(error).__name__))
    return pack_answer(thought_of(asked, make_bot))


def _own_output() -> BinaryIO:
    """Where answers go; whatever else is printed is no answer, and goes where errors do."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _compile() -> None:
    """Fetches what the levels need; without it they play as `casual`."""
    from volte.bots.search import CODE
    from volte.kernel.startup import code

    for name in CODE:
        with suppress(KernelFault):
            code(name)


def _listen(source: BinaryIO, questions: SimpleQueue[bytes]) -> None:
    """Takes what comes while a bot thinks, and ends the process when nothing more can."""
    try:
        while head := _exactly(source.read, LENGTH.size):
            [length] = LENGTH.unpack(head)
            question = _exactly(source.read, length)
            if not question:
                break
            questions.put(question)
    finally:
        os._exit(0)


def _exactly(read: Callable[[int], bytes], length: int) -> bytes:
    """So many bytes; none where the input has ended before."""
    data = read(length)
    return data if len(data) == length else b""


def _say(answers: BinaryIO, data: bytes) -> None:
    try:
        answers.write(LENGTH.pack(len(data)) + data)
        answers.flush()
    except OSError:  # nobody hears it any more
        os._exit(0)


if __name__ == "__main__":
    main()
