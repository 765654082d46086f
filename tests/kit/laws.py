"""Laws worked by hand, in text files: a title with its clause, and below it the examples.

Laws are parted by empty lines. Text behind a semicolon is for the reader. `check_law` checks laws
of positions, acts and facts; `tests/game/laws.txt` says how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from kit import refereed
from kit.deals import SEATS, first_deal, stacked, view_of

from volte import game, referee
from volte.cards import Card, CardSet, Suit, read_cards
from volte.game import MatchState
from volte.referee import Action, RefereedMatch
from volte.rules import PRESETS, Draw, Score, Value, read_setting
from volte.view import KITTY, settled


def read_laws(path: Path) -> dict[str, list[str]]:
    """The examples of each law, by its title."""
    lines = [line.partition(";")[0].strip() for line in path.read_text("utf-8").splitlines()]
    blocks = [block.strip().split("\n") for block in "\n".join(lines).split("\n\n")]
    return {title: examples for title, *examples in blocks if title}


def cells(line: str, sign: str = "|") -> list[str]:
    """The parts of a line, where `-` stands for nothing."""
    return ["" if cell.strip() == "-" else cell.strip() for cell in line.split(sign)]


def preset_and_settings(cell: str) -> tuple[str, dict[str, str]]:
    """`coeurs moon=off` as a name and options."""
    name, *settings = cell.split()
    return name, dict(map(read_setting, settings))


def read_score(text: str) -> Score:
    """Read a score: `0 25 25 25 moon 0`, or `-3 0 0 moon 0 minus trickless 1 2`."""
    facts = dict(re.findall("([a-z]+)([0-9 ]*)", text))
    return Score(
        numbers(re.sub("[a-z].*", "", text)),
        moon=int(facts["moon"]) if "moon" in facts else None,
        slam=int(facts["slam"]) if "slam" in facts else None,
        minus="minus" in facts,
        trickless=numbers(facts.get("trickless", "")),
    )


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.replace(",", " ").split()))


# Positions


def table_of(line: str) -> MatchState:
    """`coeurs moon=off people=NE pot=3 | C: A | C: 2 | C: 3 | kitty H: 2`, dealt.

    See `kit.deals.dealt`, and for `refereed coeurs | …` that of `kit.refereed`; there `missing 5S`
    may name cards that are missing from the pack and from every hand.
    """
    setting, *piles = cells(line)
    preset, settings = preset_and_settings(setting.removeprefix("refereed "))
    people, pot = tuple(map(seat_of, settings.pop("people", ""))), int(settings.pop("pot", 0))
    missing, kitty = taken_out(piles, "missing"), taken_out(piles, "kitty")
    options: dict[str, Value] = {**settings}
    if missing:
        seats = len(piles)
        table = refereed.waiting(
            *piles, kitty, missing, preset=preset, players=seats, options=options
        )
        return refereed.after(table, refereed.by_hand(*piles, kitty=kitty))
    if setting.startswith("refereed "):
        return refereed.dealt(*piles, preset=preset, kitty=kitty, pot=pot, options=options)
    return first_deal(preset, piles, kitty, options, people, pot)


def taken_out(piles: list[str], word: str) -> str:
    """Take the pile that begins with that word out of the piles; the others are hands."""
    found = next((pile for pile in piles if pile.startswith(word)), "")
    if found:
        piles.remove(found)
    return found.removeprefix(word)


ACTS: Final[dict[str, Callable[..., Action]]] = {
    "undo": game.AskUndo,
    "allow": lambda seat: game.AnswerUndo(seat, allow=True),
    "deny": lambda seat: game.AnswerUndo(seat, allow=False),
    "unpass": game.TakeBackPass,
    "claim": game.Claim,
    "object": referee.Object,
    "revoke": referee.ClaimRevoke,
    "back": referee.TakeBack,
    "turn": referee.TurnDown,
    "cut": referee.Cut,
    "accept": referee.Accept,
    "mix": referee.MixTricks,
}


def actions(state: MatchState, text: str) -> Iterator[Action]:
    """Actions of a text: `AS KS` are played by their holders; in `object N E`, a word takes seats.

    Seats may be letters or numbers. A trick is turned down by its taker, where nobody is named.
    """
    word, _, more = text.strip().partition(" ")
    rest = more.split()
    if rest[:1] == ["plays"]:
        yield game.Play(seat_of(word), Card(rest[1]))
    elif word == "pass":
        yield game.Pass(seat_of(rest[0]), read_cards(" ".join(rest[1:])))
    elif word == "moon":
        yield game.ChooseMoon(seat_of(rest[0]), minus=rest[1] == "minus")
    elif word == "misdeal":
        yield referee.DeclareMisdeal(referee.Misdeal(rest[0]))
    elif word == "lots":
        yield game.DrawLots(tuple(map(draw, more.split("/"))))
    elif word == "deal":
        yield stacked(state, more.split("/"))
    elif word == "hands":
        yield refereed.by_hand(*more.split("/"))
    elif word == "turn" and not rest:
        assert isinstance(state, RefereedMatch)
        yield referee.TurnDown(state.lying.turner)
    elif word in ACTS:
        yield ACTS[word](*map(seat_of, rest))
    else:
        yield from (game.Play(refereed.holder(state, card), card) for card in read_cards(text))


def draw(text: str) -> Draw:
    """Read one round of lots: in `01 4C KD` seat 0 draws the 4C, and seat 1 the KD."""
    seats, *drawn = text.split()
    return tuple(zip(map(seat_of, seats), map(Card, drawn), strict=True))


def seat_of(text: str) -> int:
    return SEATS.index(text) if text in SEATS else int(text)


# Laws


class Moment(NamedTuple):
    """A state, and the events that the last act has brought about."""

    state: MatchState
    events: tuple[referee.Event, ...] = ()


def check_law(lines: list[str]) -> None:
    """Deal the tables, do the acts, and compare the facts with the outcome."""
    for line in lines:
        acts, *facts = cells(line)
        if acts.partition(" ")[0] in (*PRESETS, "refereed"):
            table = above = Moment(table_of(line))
            continue
        *done, last = acts.removeprefix("+").split(",")
        now = above if acts.startswith("+") else table
        if last.strip().startswith("x "):
            above = after(now, *done)
            (action,) = actions(above.state, last.replace("x ", "", 1))
            check_refusal(refereed.refused(above.state, action), *facts)
            continue
        above = after(now, *done, last)
        for fact in facts:
            if fact.startswith("as "):
                same = after(table, *fact.removeprefix("as ").replace("-", "").split(","))
                assert above.state.deal == same.state.deal
            else:
                check_fact(fact, above)


def after(now: Moment, *acts: str) -> Moment:
    """The moment after those acts."""
    for act in acts:
        for action in actions(now.state, act):
            _, _, events, state = refereed.take(now.state, action)
            now = Moment(state, events)
    return now


def check_refusal(refusal: game.Refusal, why: str, *facts: str) -> None:
    """Compare a refusal with `not_in_hand P1`, and with facts such as `legal=S:K3 card=AS`."""
    assert f"{refusal.reason} {refusal.clause}".strip() == why
    for name, value in (each.split("=") for fact in facts for each in fact.split()):
        held = CardSet(refusal.legal) if name == "legal" else refusal.params[name]
        check_value(held, value)


def check_fact(fact: str, now: Moment) -> None:
    """Check a fact on the state, `turn=1 won=0,2`, the last events, a seat's view, or the score."""
    state, events = now
    word, *rest = fact.split()
    seat = int(word[-1]) if word[-1].isdigit() else None
    if word == "scores":
        assert state.deals[-1] == read_score(" ".join(rest))
    elif word == "reckons":
        assert isinstance(state, RefereedMatch)
        assert state.reckoned == read_score(" ".join(rest))
    elif word == "events":
        assert [type(each).__name__ for each in events] == rest
    elif word[0].isupper() or word.startswith("shown"):
        if word.startswith("shown"):
            word, *rest = rest
            events = tuple(referee.visible(event, seat) for event in events)
        check_values([next(each for each in events if type(each).__name__ == word)], rest)
    elif word == "deal":
        check_values([state.deal, state.current_deal.rules], rest)
    elif word.startswith("sees"):
        check_values([view_of(state, seat)], rest)
    else:
        check_values([state, state.deal, *state.deals[-1:], state.rules], fact.split())


MASKS: Final = ("hands", "held", "taken", "captured", "kitty")
"""Values that are sets of cards, as masks."""

SPECIAL: Final[dict[str, Callable[..., object]]] = {
    "acts": referee.to_act,
    "asks": game.still_to_consent,
    "may": lambda state, seat: len(referee.legal_actions(state, seat)),
    "deals": lambda state: len(state.deals),
    "plays": lambda state: CardSet(game.legal_cards(state.current_deal)),
    "choices": lambda state, seat: tuple(
        map(attrgetter("minus"), referee.legal_actions(state, seat))
    ),
    "unseen_kitty": lambda view: (
        CardSet(view.possible[KITTY]) if KITTY in view.possible else "seen"
    ),
    "settled": settled,
}


def check_values(things: list[Any], facts: list[str]) -> None:
    """Check each `name=value` on the first thing with that name; `name1=value` is of seat 1."""
    for name, value in (fact.split("=") for fact in facts):
        bare = name.rstrip("0123456789")
        seat = [int(name.removeprefix(bare))] if name != bare else []
        if bare in SPECIAL:
            held = SPECIAL[bare](things[0], *seat)
        else:
            held = next(getattr(thing, bare) for thing in things if hasattr(thing, bare))
            held = held(*seat) if callable(held) else held[seat[0]] if seat else held
        check_value(CardSet(held) if bare in MASKS and isinstance(held, int) else held, value)


def check_value(held: object, value: str) -> None:
    if isinstance(held, CardSet):
        assert held == CardSet("" if value == "-" else value)
    else:
        assert written(held) == value


def written(value: object) -> str:
    """A value as it stands in a law."""
    if value in (None, (), ""):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(written, value))
    if isinstance(value, game.Transfer):
        return f"{value.giver}>{value.taker}:{written(value.cards)}"
    return value.letter if isinstance(value, Suit) else str(getattr(value, "card", value))
