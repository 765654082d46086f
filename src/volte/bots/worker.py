"""A process in which bots think: questions come in by its standard input, answers go out.

    python -m volte.bots.worker

Each message is preceded by its length, in four bytes. `READY` comes first, once the compiled code
has been fetched. A review reports its progress now and then, before its findings. The process
ends when its input does, even in the middle of a thought: so it never outlives its server.
It needs bots, and the kernel where it is installed; nothing of tables, stores or servers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

from volte.bots.apart import (
    LENGTH,
    READY,
    BotAnswer,
    LuckQuestion,
    ReviewQuestion,
    thought_of,
    unpack,
)
from volte.bots.levels import make_bot
from volte.extras import strong_installed
from volte.game.codec import encode

COURTESY: Final = 5
"""The `nice` value of the process, so that the server comes first."""


def main() -> None:
    """Answer questions until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed goes to standard error
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    _compile()
    _send(answers, READY)
    while True:
        answer(questions.get(), lambda each: _send(answers, encode(each)))


def answer(question: bytes, send: Callable[[BotAnswer], None]) -> None:
    """Send a bot's choice or advice, the progress and findings of a review, or luck."""
    try:
        unpacked = unpack(question)
        if isinstance(unpacked, ReviewQuestion):
            from volte.bots.reviewing import findings  # here, as NumPy takes a while to come

            found = findings(unpacked, lambda percent: send(BotAnswer(percent=percent)))
            send(BotAnswer(found=found))
        elif isinstance(unpacked, LuckQuestion):
            from volte.bots.reviewing import luck_of

            send(BotAnswer(deals=luck_of(unpacked.log)))
        else:
            send(thought_of(unpacked, make_bot))
    except Exception as error:
        send(BotAnswer(failed=type(error).__name__))


def _compile() -> None:
    """Fetch the compiled code that levels need; without it they play as `casual`."""
    if not strong_installed():
        return
    from volte.bots.search import CODE
    from volte.kernel import warm_up

    warm_up(*CODE).join()


def _listen(source: BinaryIO, questions: SimpleQueue[bytes]) -> None:
    """Read questions while a bot thinks, and end the process at the end of the input."""
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
    """Read exactly `length` bytes; none if the input ends before."""
    data = read(length)
    return data if len(data) == length else b""


def _send(answers: BinaryIO, data: bytes) -> None:
    try:
        answers.write(LENGTH.pack(len(data)) + data)
        answers.flush()
    except OSError:  # the other side is gone
        os._exit(0)


if __name__ == "__main__":
    main()
