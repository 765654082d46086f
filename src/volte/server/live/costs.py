"""What a client's messages cost, so that everybody can have a budget of the server's time.

One unit is a thousandth of a second of the one loop that serves all tables. The figures were
measured with a server on SQLite on one of two shared cores (processor time of the server, over
hundreds of messages of most kinds; 20 hints and 5 sayings), and rounded up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.wire.messages import Ask, Asking, Do, Heard, Hello, Mute, Prefer, Question, Report, Speak

READING: Final = 0.05
"""A message of any kind, even one that cannot be read."""


DOING: Final[dict[type[Asking], float]] = {
    Hello: 3.0,  # session, person and table are looked up
    Do: 1.0,  # judged, and kept
    Prefer: 1.5,  # looked up, changed and kept
    Heard: 0.1,
    Speak: 3.0,  # looked up and kept; telling it is reckoned to those who are told
    Mute: 1.5,
    Report: 3.0,
}
"""What a message costs beside reading and answering it."""


ASKING: Final = {
    Question.RULES: 0.5,  # where the sheet is not remembered
    Question.CARDS: 4.0,  # a line as long as may be, of the shortest names
    Question.HINT: 10.0,  # 1.5 on the loop; the rest stands for the process that thinks of it
}
"""What a question costs, likewise. All others cost next to nothing."""


TELLING: Final = 0.03


PER_BYTE: Final = 0.05 / 1000
"""A message of the server's, and what is in it: made, encoded and sent."""


def cost_of(asking: Asking) -> float:
    """What has to be paid for before it is done."""
    if isinstance(asking, Ask):
        return READING + ASKING.get(asking.what, 0.0)
    return READING + DOING[type(asking)]


def cost_of_telling(texts: Sequence[bytes]) -> float:
    """What has been paid for after it was sent: scenes, answers, all that is missed and made up."""
    return TELLING * len(texts) + PER_BYTE * sum(map(len, texts))
