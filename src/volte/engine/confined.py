"""Runs a program with little memory, as a script of its own: `python confined.py MEMORY WORD…`.

It sets limits that hold for itself, and then becomes the program: what a process sets between fork
and exec is unsafe where threads run, and what it sets afterwards comes late.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Final

PROCESSOR_SECONDS: Final = 3600
"""That the process may work in all its life, so that one which runs wild alone comes to an end."""

RESERVE: Final = 8
"""Times its memory that a program may reserve, as compilers and collectors do, and never use."""

COURTESY: Final = 5
"""The `nice` value of the process, so that the server comes first."""


def main() -> None:
    """Becomes the program. Its exit status is 127 where that cannot be started."""
    memory, words = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        _lower(resource.RLIMIT_DATA, memory)
        memory *= RESERVE
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_CPU, PROCESSOR_SECONDS)
    _lower(resource.RLIMIT_CORE, 0)
    os.nice(COURTESY)
    try:
        os.execvp(words[0], words)
    except (OSError, ValueError) as error:
        print(f"{words[0]}: {error}", file=sys.stderr)
        sys.exit(127)


def _lower(kind: int, limit: int) -> None:
    hard = resource.getrlimit(kind)[1]
    limit = min(limit, 2**62 if hard == resource.RLIM_INFINITY else hard)
    resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    main()
