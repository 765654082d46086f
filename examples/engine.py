"""An engine for Volte's protocol (docs/engine-protocol.md) that plays the lowest card it may.

    volte arena casual --engine "python examples/engine.py"

It needs nothing but Python. A better one would also read the lines that tell the position.
"""

import sys


def height(card: str) -> int:
    """Height of a rank, from 0 for a two to 12 for an ace; jokers are below everything."""
    return "23456789TJQKA".find(card[0])


def choice(words: list[str]) -> str:
    """The answer to `go … pass COUNT CARD…` or `go … play CARD…`."""
    if "pass" in words:
        count, *hand = words[words.index("pass") + 1 :]
        return " ".join(["pass", *sorted(hand, key=height)[-int(count) :]])
    return f"play {min(words[words.index('play') + 1 :], key=height)}"


for line in sys.stdin:
    match line.split():
        case ["volte", *_]:
            print("volte 1\nid name Lowest\nready", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["go", *words]:
            print("choose", choice(words), flush=True)
        case ["quit"]:
            break
