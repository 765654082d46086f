"""Input for `volte simulate`, `arena` and `review`, and a check of their documentation."""

from __future__ import annotations

from pathlib import Path

from kit.terminals import ROOT

from volte.bots import BotOwner, Casual
from volte.game import Driver, MatchStarted, PlainChance, Player
from volte.notation import format_record
from volte.rules import make_ruleset


def undocumented(answer: object, command: str) -> set[str]:
    """The keys of a JSON answer that the page of the command does not name."""
    page = (ROOT / "docs" / f"{command}.md").read_text(encoding="utf-8")
    return {key for key in _keys(answer) if f"`{key}`" not in page and f'"{key}"' not in page}


def _keys(answer: object) -> set[str]:
    """Every key of the answer, without keys that are names of players, options and so on."""
    if isinstance(answer, list):
        return set().union(*map(_keys, answer))
    if not isinstance(answer, dict):
        return set()
    named = {"rules", "times", "players", "directions", "forfeits"}
    below = (
        _keys([*value.values()] if name in named and isinstance(value, dict) else value)
        for name, value in answer.items()
    )
    return set(answer).union(*below)


def written(folder: Path, people: str = "Anne", deals: int = 1) -> str:
    """Write the record of a match in which all play as `casual` does; return its path."""
    rules = make_ruleset("microsoft", {"match_end": f"deals:{deals}"})
    owners = [BotOwner(Casual(), seat) for seat in range(4)]
    names = ("Anne", "Luc", "Zoé", "Yves")
    players = tuple(Player(name, person=name in people.split()) for name in names)
    driver = Driver([MatchStarted(rules, players)], owners, PlainChance(7))
    driver.run()
    path = folder / "match.volte"
    path.write_text(format_record(driver.log), encoding="utf-8")
    return str(path)
