"""What a command answers."""

from collections.abc import Callable
from typing import NamedTuple


class Told(NamedTuple):
    """An exit status, and what was said."""

    status: int
    out: str
    err: str


Command = Callable[..., Told]
