"""Whole matches told to every kind of listener, and the sentences of events by themselves.

VOLTE_REMAKE_GOLDENS=1 writes the goldens anew from the records.
"""

from __future__ import annotations

import re
from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from kit import OF_SEEDS, SOME_TABLES, dealt, few, play, seeds, take, wider_rulesets
from kit import refereed as refereeing
from kit.sentences import (
    ENGLISH,
    FRENCH,
    NAMES_OF_SEATS,
    golden,
    heard,
    match_log,
    seen,
    sights,
    story,
)

from volte.bots import Hint, Reason
from volte.cards import CARDS, PACK_SIZE, Card, read_cards
from volte.game import (
    DealerDrawn,
    DealScored,
    Dealt,
    Exchanged,
    KittyTaken,
    LotsDrawn,
    MatchEnded,
    MatchStarted,
    Pass,
    Passed,
    Play,
    Played,
    Player,
    PlayStarted,
    Settled,
    TrickTaken,
    UndoAsked,
)
from volte.notation import load_record
from volte.referee import Event, visible
from volte.rules import Ruleset, Value, make_ruleset
from volte.say import Verbosity, Words
from volte.say.deal import PASSED_NEXT, next_deal
from volte.say.narration import tell_each
from volte.say.outcome import mean_of
from volte.view import View

HERE = Path(__file__).parent
RECORDS = HERE.parent / "referee" / "goldens"
ALL_WORDS = {"fr": FRENCH, "en": ENGLISH}
NAMED = {
    lang: {words.card(card): card for card in CARDS[:PACK_SIZE]}
    for lang, words in ALL_WORDS.items()
}
CARD_NAME = {
    lang: re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")
    for lang, names in NAMED.items()
}
IN_EVENTS = re.compile(r"""Card\(['"](\w+)""")  # two equal cards are called the same (W11)


# Whole deals, as they stand in their goldens


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize(
    ("match", "verbosity"),
    [("coeurs", Verbosity.FULL), ("dame-de-pique", Verbosity.NORMAL)],
)
def test_a_deal_is_told_with_the_keys_asked_in_the_middle(
    match: str, verbosity: Verbosity, lang: str
) -> None:
    words, lines, view = Words(lang), list[str](), None
    record = load_record(HERE / "goldens" / f"{match}.volte")
    for each in story(record.log, 0, words, verbosity):
        lines += each.lines
        view = each.after
        if isinstance(each.event, TrickTaken) and view.deal.trick_number == 4:
            for answer in (words.turn, words.hand, words.last_trick, words.points_taken):
                lines += ["", *answer(view)]
            lines.append("")
    assert view is not None
    lines += ["", *words.scores(view), "", *words.score_sheet(view), ""]
    golden(HERE / "goldens" / f"{match}.{lang}.txt", "\n".join(lines))


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("match", sorted(path.stem for path in RECORDS.glob("*.volte")))
def test_a_refereed_deal_is_told(match: str, lang: str) -> None:
    words, lines, view = Words(lang), list[str](), None
    for each in story(load_record(RECORDS / f"{match}.volte").log, 0, words, Verbosity.FULL):
        view = each.after
        lines += each.lines
    assert view is not None
    lines += ["", *words.scores(view), "", *words.score_sheet(view), ""]
    golden(HERE / "goldens" / f"refereed-{match}.{lang}.txt", "\n".join(lines))


# Whole matches: no fault, no gap, and no secret


def shown_in(event: Event) -> set[Card]:
    return {Card(text) for text in IN_EVENTS.findall(repr(event))}


def short_rules(preset: str, players: int) -> Ruleset:
    shorter: dict[str, Value] = {} if preset.startswith(OF_SEEDS) else {"match_end": "deals:2"}
    return make_ruleset(preset, {"players": players, **shorter})


LISTENERS = [
    (preset, players, seat)
    for place, (preset, players) in enumerate(SOME_TABLES)
    for seat in few(((None, 0, 2)[place % 3],), (None, 0, 2))
]
"""A spectator, a person and a bot of each table; in the gate one of them, by turns."""


@pytest.mark.parametrize(("preset", "players", "seat"), LISTENERS)
def test_a_whole_match_is_told_without_a_gap_or_a_secret(
    preset: str, players: int, seat: int | None
) -> None:
    log = match_log(short_rules(preset, players), seed=players, restless=seat is not None)
    known: set[Card] = set()
    for event, before, after in sights(log, seat):
        shown = shown_in(event)
        drawn = isinstance(event, DealerDrawn | LotsDrawn)
        if isinstance(event, Dealt):
            known = shown
        elif not drawn:
            known |= shown
        for lang, words in ALL_WORDS.items():
            lines_of_each = (words.tell(before, event, after, verbosity) for verbosity in Verbosity)
            for line in {line for lines in lines_of_each for line in lines}:
                assert line, event
                point = isinstance(event, Settled) and lang == "en"  # of a mean (M5)
                assert not re.search(r"[{}]|None|  " + r"|\d\.\d" * (not point), line), line
                assert line[0] == line[0].upper(), line
                mentioned = {NAMED[lang][name] for name in CARD_NAME[lang].findall(line)}
                assert mentioned <= (shown if drawn else known), (event, line)


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_what_is_heard_alike_is_the_same_as_if_it_were_made_for_each_verbosity(
    preset: str, players: int
) -> None:
    before = None
    log = match_log(short_rules(preset, players), seed=players, restless=True)
    for event in map(visible, log, repeat(1)):
        after = before.see(event) if before is not None else View.of(1, [event])
        apart = {each: ENGLISH.tell(before, event, after, each) for each in Verbosity}
        assert tell_each(ENGLISH, before, event, after) == apart
        before = after


def test_W11_a_trick_that_waits_is_heard_alike_too() -> None:
    hands = ("C: K S: Q", "C: 5 D: 9", "C': 5 D': 9", "C': K S': Q", "C: 9 H: 2", "C': 9 H': 2")
    state = play(dealt("cancellation", *hands), "KC 5C 5C' KC' 9C")
    view = seen(state)
    for event in take(state, Play(5, Card("9C'"))).events:
        before, view = view, view.see(event)
        apart = {each: ENGLISH.tell(before, event, view, each) for each in Verbosity}
        assert tell_each(ENGLISH, before, event, view) == apart


def test_the_more_verbose_tells_no_fewer_lines() -> None:
    log = match_log(make_ruleset("salon-valet"), seed=1)
    lines = [
        sum(len(each.lines) for each in story(log, 1, ENGLISH, verbosity))
        for verbosity in (Verbosity.BRIEF, Verbosity.NORMAL, Verbosity.FULL)
    ]
    assert lines == sorted(set(lines))


@pytest.mark.parametrize("verbosity", list(Verbosity))
def test_what_everybody_must_hear_is_never_left_out(verbosity: Verbosity) -> None:
    must = Dealt | Played | TrickTaken | DealScored | Settled | MatchEnded | UndoAsked
    log = match_log(make_ruleset("coeurs-moyenne", {"players": 7}), seed=4, restless=True)
    for each in story(log, 3, FRENCH, verbosity):
        assert each.lines or not isinstance(each.event, must)
        if isinstance(each.event, Settled):
            assert re.match("La moyenne des totaux est d.*: vous [0-9,]+ au-d", each.lines[0])


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ((66, 59, 23, 34), "is 45.5: A 20.5 above; B 13.5 above; C 22.5 below; D 11.5 below."),
        ((8, 9, 9, 0), "is 6.5: A 1.5 above; B 2.5 above; C 2.5 above; D 6.5 below."),
        ((26, 26, 26), "is 26: A exactly average; B exactly average; C exactly average."),
        ((21, 21, 21, 21, 21, 21, 4), "is about 18.57: A 2.43 above; B 2.43 above;"),
    ],
)
def test_M5_the_mean_is_told_and_how_far_everybody_is_from_it(
    totals: tuple[int, ...], told: str
) -> None:
    rules, names = make_ruleset("coeurs-moyenne"), dict(enumerate("ABCDEFG"[: len(totals)]))
    (line,) = mean_of(ENGLISH, rules, totals, names)
    assert line.startswith(f"The average total {told}")
    assert mean_of(ENGLISH, make_ruleset("coeurs"), totals, names) == ()


@pytest.mark.parametrize("players", [3, 5, 7])
def test_a_disorderly_refereed_match_is_told_in_both_languages(players: int) -> None:
    log = match_log(make_ruleset("coeurs-table", {"players": players}), players, restless=True)
    for words in ALL_WORDS.values():
        for each in story(log, 0, words, Verbosity.NORMAL):
            assert each.lines or not isinstance(each.event, TrickTaken)


@settings(max_examples=max(1, settings().max_examples // 10))
@given(wider_rulesets(most_cards=24), seeds)
def test_any_table_of_the_wider_family_is_told_and_answered(rules: Ruleset, seed: int) -> None:
    log = match_log(rules, seed, restless=bool(seed % 2))
    for words in ALL_WORDS.values():
        for seat in (0, None):
            for each in story(log, seat, words, tuple(Verbosity)[seed % 3]):
                view = each.after
                answers = words.scores(view), words.turn(view), words.last_trick(view)
                cards = words.hand(view), words.points_taken(view), words.table(view)
                for line in (*each.lines, *sum((*answers, *cards), ())):
                    assert line
                    assert not re.search(r"[{}]|None|  ", line), line


@pytest.mark.parametrize("preset", ["coeurs", "dame-de-pique"])
def test_a_lead_is_told_once_and_a_ready_bot_not_at_all(preset: str) -> None:
    others = [
        each.lines
        for each in story(match_log(make_ruleset(preset), seed=1), 2, ENGLISH, Verbosity.NORMAL)
        if (isinstance(each.event, PlayStarted) and each.event.leader != 2)
        or (isinstance(each.event, Passed) and each.event.seat != 2)
    ]
    assert others
    assert not any(others)


def test_D6_only_its_taker_is_told_the_kitty() -> None:
    log = match_log(make_ruleset("coeurs", {"players": 5}), seed=2)
    taken = next(event for event in log if isinstance(event, KittyTaken))
    for seat in range(5):
        for each in story(log, seat, ENGLISH, Verbosity.FULL):
            if isinstance(each.event, KittyTaken):
                named = CARD_NAME["en"].findall(" ".join(each.lines))
                assert bool(named) == (visible(taken, seat) == taken)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_I3_a_revoke_is_told_to_nobody_before_it_is_claimed(seat: int | None) -> None:
    """Whether somebody revokes or has no card of the suit, the others hear the same."""
    able, void = (
        refereeing.play(refereeing.dealt("C: A2", "S: 3 H: 3", f"{suit}: 3 H: 2"), "AC 3S")
        for suit in "CD"
    )
    for verbosity in Verbosity:
        lines = {
            heard(state, Play(2, Card("2H")), seat, ENGLISH, verbosity) for state in (able, void)
        }
        assert len(lines) == 1


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seat", [0, 2, None])
def test_D2_P3_what_is_said_of_the_next_deal_comes_true(players: int, seat: int | None) -> None:
    rules = make_ruleset("salon", {"players": players, "match_end": "deals:6"})
    following, deals = "", 0
    for each in story(match_log(rules, 1), seat, ENGLISH, Verbosity.NORMAL):
        if isinstance(each.event, DealScored):
            following = next_deal(ENGLISH, each.after)
        if isinstance(each.event, Dealt) and following:
            assert ("You deal" if each.event.dealer == seat else "deals") in following
            assert following.endswith(PASSED_NEXT[each.event.direction])
            deals += 1
        held = following.endswith("No cards are passed.")
        assert not (isinstance(each.event, Exchanged) and held)
    assert deals == 5


def test_P2_where_nothing_is_ever_passed_nothing_is_said_of_it() -> None:
    rules = make_ruleset("coeurs-cinq-coups", {"pass_count": 0})
    log = story(match_log(rules, 1), 0, FRENCH, Verbosity.NORMAL)
    over = next(each.after for each in log if isinstance(each.event, DealScored))
    assert next_deal(FRENCH, over) in (
        "La prochaine donne est à vous.",
        *(f"Prochain donneur\u00a0: {name}." for name in NAMES_OF_SEATS[1:4]),
    )


# Sentences by themselves


def test_M6_W10_who_plays_with_whom_and_the_pot_are_told_at_the_start() -> None:
    def opening(rules: Ruleset, seat: int | None, words: Words, pot: int = 0) -> str:
        names = "NESWXY"[: rules.players]
        started = MatchStarted(rules, tuple(map(Player, names)), pot)
        return words.tell(None, started, View.of(seat, [started]))[-1]

    pot = opening(make_ruleset("coeurs-cagnotte"), 0, FRENCH, 25)
    assert pot == "Il reste 25 mises dans la cagnotte de la partie précédente."
    four = make_ruleset("partnership")
    assert opening(four, 0, ENGLISH) == "You play with S; E and W play together."
    assert opening(four, None, ENGLISH) == "N and S play together; E and W play together."
    removed: dict[str, Value] = {"pass_cycle": ["left"], "removed": ["2C", "2D", "2S", "2H"]}
    six = make_ruleset("partnership", {"players": 6, "partners": 3, **removed})
    assert opening(six, 1, FRENCH) == "Vous jouez avec W et Y\u00a0; S, X et N jouent ensemble."


@pytest.mark.parametrize(
    ("kitty", "line"),
    [
        ("first_heart", "2 cards are left over: they go with the first trick that has a heart."),
        ("last_trick", "2 cards are left over: they go with the last trick."),
    ],
)
def test_W4_the_kitty_says_whom_it_goes_with(kitty: str, line: str) -> None:
    rules = make_ruleset("coeurs", {"players": 5, "kitty": kitty})
    events = story(match_log(rules, 1), 0, ENGLISH, Verbosity.NORMAL)
    assert line in next(each.lines for each in events if isinstance(each.event, Dealt))


def test_W1_a_hint_says_who_gets_which_card() -> None:
    hands = ("C: 23 H: 2", "D: 23 H: 3", "S: 23 H: 4")
    scatter = dealt("coeurs", *hands, pass_count=1, pass_cycle=["scatter"])
    hint = ENGLISH.hint(Hint(Pass(1, read_cards("3D 2D")), Reason.PASS_DANGER), seen(scatter, 1))
    assert hint.startswith("Pass the 3 of diamonds to S and the 2 of diamonds to N: ")
