"""Run a program with little memory, as a script of its own: `python confined.py MEMORY WORD…`.

The limits are set in this process, which then becomes the program: limits set between fork and
exec are unsafe where threads run, and limits set afterwards come late.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Final

PROCESSOR_SECONDS: Final = 3600
"""Processor seconds in the whole life of the process, so that a runaway program comes to an end."""

RESERVE: Final = 8
"""Address space that the program may reserve, in multiples of its memory: compilers and collectors
reserve much that they never use."""

COURTESY: Final = 5
"""`nice` value of the process, so that the server comes first."""


def main() -> None:
    """Become the program. Exits with status 127 if the program cannot be started."""
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
