"""Whole matches told to every kind of listener: no fault, no gap, and no secret."""

from __future__ import annotations

import re
from itertools import repeat

import pytest
from kit.deals import dealt, play
from kit.rulesets import OF_SEEDS, TABLES
from words.story import match_log, sights, story

from volte.cards import CARDS, PACK_SIZE, Card
from volte.game import (
    DealerDrawn,
    DealScored,
    Dealt,
    KittyTaken,
    LotsDrawn,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Player,
    PlayStarted,
    Settled,
    TrickTaken,
    UndoAsked,
)
from volte.referee import Event, visible
from volte.rules import Value, make_ruleset
from volte.say import Verbosity, Words
from volte.say.narration import tell_each
from volte.view import View

ALL_WORDS = {lang: Words(lang) for lang in ("fr", "en")}
NAMED = {
    lang: {words.card(card): card for card in CARDS[:PACK_SIZE]}
    for lang, words in ALL_WORDS.items()
}
CARD_NAME = {
    lang: re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")
    for lang, names in NAMED.items()
}
IN_EVENTS = re.compile(r"""Card\(['"](\w+)""")  # two equal cards are called the same (W11)


def shown_in(event: Event) -> set[Card]:
    return {Card(text) for text in IN_EVENTS.findall(repr(event))}


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("seat", [0, 2, None])
def test_a_whole_match_is_told_without_a_gap_or_a_secret(
    preset: str, players: int, seat: int | None
) -> None:
    shorter: dict[str, Value] = {} if preset.startswith(OF_SEEDS) else {"match_end": "deals:2"}
    rules = make_ruleset(preset, {"players": players, **shorter})
    log = match_log(rules, seed=players, restless=seat is not None)
    seen: set[Card] = set()
    for event, before, after in sights(log, seat):
        shown = shown_in(event)
        drawn = isinstance(event, DealerDrawn | LotsDrawn)
        if isinstance(event, Dealt):
            seen = shown
        elif not drawn:
            seen |= shown
        for lang, words in ALL_WORDS.items():
            told = (words.tell(before, event, after, verbosity) for verbosity in Verbosity)
            for line in {line for lines in told for line in lines}:
                assert line, event
                assert not re.search(r"[{}]|None|\d\.\d|  ", line), line
                assert line[0] == line[0].upper(), line
                mentioned = {NAMED[lang][name] for name in CARD_NAME[lang].findall(line)}
                assert mentioned <= (shown if drawn else seen), (event, line)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_is_heard_alike_is_the_same_as_if_it_were_made_for_each_verbosity(
    preset: str, players: int
) -> None:
    shorter: dict[str, Value] = {} if preset.startswith(OF_SEEDS) else {"match_end": "deals:2"}
    rules = make_ruleset(preset, {"players": players, **shorter})
    words, before = ALL_WORDS["en"], None
    for event in map(visible, match_log(rules, seed=players, restless=True), repeat(1)):
        after = before.see(event) if before is not None else View.of(1, [event])
        told = {each: words.tell(before, event, after, each) for each in Verbosity}
        assert tell_each(words, before, event, after) == told
        before = after


def test_the_more_verbose_tells_no_fewer_lines() -> None:
    log = match_log(make_ruleset("salon-valet"), seed=1)
    lines = [
        sum(len(heard.lines) for heard in story(log, 1, ALL_WORDS["en"], verbosity))
        for verbosity in (Verbosity.BRIEF, Verbosity.NORMAL, Verbosity.FULL)
    ]
    assert lines == sorted(set(lines))


@pytest.mark.parametrize("verbosity", list(Verbosity))
def test_what_everybody_must_hear_is_never_left_out(verbosity: Verbosity) -> None:
    must = Dealt | Played | TrickTaken | DealScored | Settled | MatchEnded | UndoAsked
    log = match_log(make_ruleset("coeurs-moyenne", {"players": 7}), seed=4, restless=True)
    for heard in story(log, 3, ALL_WORDS["fr"], verbosity):
        assert heard.lines or not isinstance(heard.event, must)


# Sentences by themselves


def hear(lang: str, event: Event, state_after: View, before: View | None = None) -> str:
    return " ".join(ALL_WORDS[lang].tell(before, event, state_after))


def view_of(preset: str, seat: int | None = 0, *hands: str) -> View:
    state = dealt(preset, *(hands or ("S: A3", "S: K2", "C: 2 H: 2")))
    return View(seat, state)


@pytest.mark.parametrize(
    ("seat", "french", "english"),
    [
        (
            0,
            "La volte\u00a0! Vous avez ramassé toutes les cartes à points.",
            "You have shot the moon: you took every penalty card!",
        ),
        (
            1,
            "La volte\u00a0! N a ramassé toutes les cartes à points.",
            "N has shot the moon, and took every penalty card!",
        ),
    ],
)
def test_S3_the_moon_is_told_as_what_it_is(seat: int, french: str, english: str) -> None:
    view = view_of("coeurs", seat)
    event = DealScored((0, 25, 25), moon=0)
    assert hear("fr", event, view.see(event)).startswith(french)
    assert hear("en", event, view.see(event)).startswith(english)


def test_S4_a_slam_is_no_volte() -> None:
    view = view_of("salon", 1, "S: A3 C: 2", "S: K2 H: 3", "C: 3 H: 24")
    event = DealScored((-26, 26, 26), slam=0)
    told = hear("fr", event, view.see(event))
    assert told.startswith("Grand chelem\u00a0! N a fait toutes les levées.")
    assert "N −26" in told


@pytest.mark.parametrize(
    ("seat", "french", "english"),
    [
        (
            None,
            "N et S gagnent ensemble avec 40 points.",
            "N and S share the win with 40 points.",
        ),
        (
            2,
            "Vous et N gagnez ensemble avec 40 points\u00a0!",
            "You and N share the win with 40 points!",
        ),
    ],
)
def test_E2_a_shared_win(seat: int | None, french: str, english: str) -> None:
    event = MatchEnded((40, 100, 40), (0, 2))
    view = view_of("dame-de-pique", seat, "C: 2 S: A", "S: K2", "H: 24")
    assert hear("fr", event, view) == french
    assert hear("en", event, view) == english


def test_M6_the_pot_that_nobody_takes_stays() -> None:
    view = view_of("coeurs-cagnotte", 1)
    event = Settled((20, 4, 1), (0, 0, 0), 25)
    assert hear("fr", event, view) == (
        "À la cagnotte\u00a0: vous payez 4 mises\u00a0; S paie 1 mise\u00a0; N paie 20 mises."
        " Personne ne prend la cagnotte\u00a0: elle reste, à 25 mises."
    )


def test_M6_the_pot_of_the_match_before_is_told() -> None:
    event = MatchStarted(make_ruleset("coeurs-cagnotte"), tuple(map(Player, "NESW")), 25)
    told = hear("fr", event, View.of(0, [event]))
    assert told.endswith("La cagnotte garde 25 mises de la partie d’avant.")


@pytest.mark.parametrize("preset", ["coeurs", "dame-de-pique"])
def test_a_lead_is_told_once_and_a_ready_bot_not_at_all(preset: str) -> None:
    log = match_log(make_ruleset(preset), seed=1)
    others = [
        heard
        for heard in story(log, 2, ALL_WORDS["en"], Verbosity.NORMAL)
        if isinstance(heard.event, PlayStarted | Passed) and 2 not in seats_of(heard.event)
    ]
    assert others
    assert not any(heard.lines for heard in others)


def seats_of(event: PlayStarted | Passed) -> tuple[int, ...]:
    return (event.leader,) if isinstance(event, PlayStarted) else (event.seat,)


def test_M2_lots_give_what_is_left_over_and_no_win() -> None:
    lots = LotsDrawn((((1, Card("KS")), (2, Card("7S"))),), (1, 2))
    start = MatchStarted(make_ruleset("coeurs-cagnotte"), tuple(map(Player, "ABCD")))
    view = View.of(None, [start])
    told = ALL_WORDS["en"].tell(view, lots, view)
    assert told[-1] == "B draws the highest card, and receives what is left over."


def test_T4_hearts_are_broken_once() -> None:
    state = dealt("dame-de-pique", "C: 2 H: 5", "S: 4 H: 4", "C: 4 H: 3")
    view = View(2, play(state, "2C"))
    event = Played(1, Card("4H"))
    assert "Les cœurs sont ouverts." in ALL_WORDS["fr"].tell(view, event, view.see(event))


def test_D6_only_its_taker_is_told_the_kitty() -> None:
    log = match_log(make_ruleset("coeurs", {"players": 5}), seed=2)
    taken = next(event for event in log if isinstance(event, KittyTaken))
    for seat in range(5):
        for heard in story(log, seat, ALL_WORDS["en"], Verbosity.FULL):
            if isinstance(heard.event, KittyTaken):
                named = CARD_NAME["en"].findall(" ".join(heard.lines))
                assert bool(named) == (visible(taken, seat) == taken)
