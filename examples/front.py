"""An evening of Hearts in a program: rules, a match card by card, bots, advice, a record.

    python examples/front.py

The same seed prints the same lines.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import volte


def careful(view: volte.View) -> volte.Card | list[volte.Card]:
    """Plays its lowest card, and passes as `casual` would."""
    if not view.legal:
        return list(volte.hint(view).cards)
    return min(view.legal, key=lambda card: card.rank or 0)


def evening(seed: int) -> volte.Match:
    """A match of three, in which every seat follows its advice."""
    rules = volte.ruleset("coeurs", players=3, queen_discard="free")
    match = volte.Match(rules, players=["Anne", "Jean", "Zoé"], seed=seed)
    while match.turn is not None:
        match.do(volte.hint(match.view(match.turn)).action)
    return match


def refused(match: volte.Match) -> str:
    """The reason why nobody can play a card any more."""
    try:
        match.play("QS")
    except volte.IllegalMove as fault:
        return f"{fault} / {fault.say('fr')}"
    return "accepted"


def main() -> None:
    match = evening(seed=7)
    print(match)
    print(refused(match))
    with TemporaryDirectory() as folder:
        match.save(Path(folder) / "evening.volte")
        print(volte.read(Path(folder) / "evening.volte") == match)
    bots = volte.play(careful, "casual", "beginner", "casual", seed=7, deals=4)
    names = [bots.players[seat].name for seat in bots.ranking]
    print(f"{bots.totals}: {', '.join(names)}")


if __name__ == "__main__":
    main()
