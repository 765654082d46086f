"""Hints at the terminal: what `expert` advises, once the code is there that it thinks with."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from threading import Thread

from volte.bots import Hint, hint
from volte.view import View


def advice(view: View) -> Hint:
    """For a seat that has to pass or to play.

    As long as the code has not come, this is what `casual` would do, at once. Bots never notice
    that a hint was asked for: those that need the code themselves wait for it as they always do.
    """
    from volte.bots.search import CODE, advise
    from volte.kernel import ready, unavailable

    if all(ready(name) or unavailable(name) for name in CODE):
        return advise(view)
    fetching(CODE)
    return hint(view)


@cache
def fetching(names: tuple[str, ...]) -> Thread:
    """Has compiled code fetched in the background, by a thread that ends with the program."""
    thread = Thread(target=_fetch, args=(names,), daemon=True)
    thread.start()
    return thread


def _fetch(names: tuple[str, ...]) -> None:
    from volte.kernel import KernelFault
    from volte.kernel.startup import code

    for name in names:
        with suppress(KernelFault):
            code(name)
