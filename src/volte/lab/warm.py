"""`volte warm`: compile the kernel beforehand, as in an image for containers."""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from time import perf_counter

from volte import kernel
from volte.console.progress import progress_on
from volte.console.terminal import Console
from volte.kernel.layout import KernelFault
from volte.kernel.startup import NOTICE, code
from volte.say import Words
from volte.say.faults import shown_path
from volte.say.measures import decimal, duration


def warm(lang: str, width: int | None, plain: bool) -> None:
    """Compile every entry point that is not in the cache, and say where the cache is.

    Raises `KernelFault` if there is no compiler, or no folder for the cache.
    """
    console, words = Console.here(width, plain), Words(lang)
    begun = perf_counter()
    code("stepping.first_refused")  # the quickest to compile: raises the reason if nothing can be
    from volte.kernel.compiler import ENTRIES, cache

    folder = cache()
    if folder is None:
        raise KernelFault("nowhere_to_cache")
    with NOTICE.awaited():  # parts that entry points share are compiled on import
        for module in iter_modules(kernel.__path__):
            import_module(f"{kernel.__name__}.{module.name}")
    with progress_on(sys.stderr, words, console.plain) as progress:
        for done, name in enumerate(ENTRIES, start=1):
            code(name)
            progress(done, len(ENTRIES))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    console.say(
        words.t(
            "Everything has been compiled: {size} MB in {path}; it took {time}.",
            size=decimal(words, size / 1e6, 0),
            path=shown_path(str(folder)),
            time=duration(words, perf_counter() - begun),
        )
    )
