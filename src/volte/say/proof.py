"""What is told of the verifiable shuffle, to those who want to hear it all (D3)."""

from __future__ import annotations

from collections.abc import Iterator

from volte.game import Committed, Contributed, Revealed
from volte.say.language import N_
from volte.say.telling import Telling

SHOWN = 8
"""Hexadecimal digits of a commitment that are read out."""


def told(telling: Telling, event: Committed | Contributed | Revealed) -> Iterator[str]:
    match event:
        case Committed():
            yield telling.t(
                "Shuffle {number} is settled in secret; its seal begins with {digest}.",
                number=event.number,
                digest=event.digest.hex()[:SHOWN],
            )
        case Contributed(data=None):
            own = N_("You add nothing to the shuffle.")
            yield telling.by(event.seat, own, N_("{player} adds nothing to the shuffle."))
        case Contributed():
            own = N_("You add to the shuffle.")
            yield telling.by(event.seat, own, N_("{player} adds to the shuffle."))
        case Revealed():
            yield telling.t(
                "The secret of shuffle {number} is out: anybody can check it now.",
                number=event.number,
            )
