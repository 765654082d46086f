"""Outside programs at our tables: programs that play, and programs that fail in every way."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from kit import SOME_TABLES, because, dealt, rulesets, seeds, view_of
from kit.bots import table
from kit.engines import engine, example, python, volte

from volte.bots import Bot, Casual, Clock, Thinker, make_bot
from volte.cards import Card
from volte.engine import EngineFault, Forfeit, Outside
from volte.game import Driver, Play
from volte.rules import Points, Ruleset, make_ruleset
from volte.say import Words
from volte.view import View

SOON = Clock(milliseconds=20)
"""A time after which a silent program is late; one that answers has 10 more seconds."""


def played(rules: Ruleset, bots: Sequence[Bot], seed: int, deals: int = 1) -> Driver:
    """The first deals of a match between those bots."""
    driver = table(rules, bots, seed, Clock(simulations=1))
    while len(driver.state.deals) < deals and driver.step():
        pass
    return driver


def position() -> View:
    """Seat 0 leads from three cards."""
    return view_of(dealt("coeurs", "S: A2 H: 3", "S: K3 H: 4", "C: 2 H: 25"), 0)


def outside(command: str, **limits: float) -> Outside:
    """The program as a bot that is patient for ten seconds by default."""
    return Outside(command, **{"hello": 10.0, "patience": 10.0, "grace": 10.0, **limits})  # type: ignore[arg-type]


# Programs that play


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_the_example_plays_every_preset(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    with outside(example()) as lowest:
        bots: list[Bot] = [lowest, *(Casual() for _ in range(players - 1))]
        played(rules, bots, players, deals=2)
        assert lowest.forfeits == []
        assert lowest.identity == {"name": "Lowest"}


@given(rulesets(), seeds)
@settings(max_examples=settings().max_examples // 5)
def test_the_example_plays_any_table(rules: Ruleset, seed: int) -> None:
    with outside(example()) as lowest:
        bots: list[Bot] = [lowest, *(Casual() for _ in range(rules.players - 1))]
        end = played(rules, bots[seed % 3 :] + bots[: seed % 3], seed, deals=1000).state
        assert end.deals
        assert lowest.forfeits == []


@pytest.mark.parametrize("level", ["beginner", "casual"])
@pytest.mark.parametrize(
    ("preset", "players"),
    [
        *(pytest.param(*each, marks=pytest.mark.full) for each in [("coeurs", 5), ("salon", 3)]),
        ("salon-six-jokers", 6),
    ],
)
def test_our_engine_chooses_in_a_process_as_it_does_in_ours(
    level: str, preset: str, players: int
) -> None:
    rules = make_ruleset(preset, {"players": players})
    others: list[Bot] = [Casual() for _ in range(players - 1)]
    expected = played(rules, [make_bot(level, 5), *others], 3, deals=2).log
    with outside(volte("--level", level, "--seed", "5")) as program:
        assert played(rules, [program, *others], 3, deals=2).log == expected
        assert program.forfeits == []
        assert program.identity["level"] == level


def test_one_program_may_sit_at_every_seat() -> None:
    with outside(volte("--level", "casual")) as program:
        rules = make_ruleset("microsoft")
        log = played(rules, [program] * 4, 1).log
        assert log == played(rules, [Casual()] * 4, 1).log
        assert program.forfeits == []


def test_estimates_are_read() -> None:
    lines = (
        "estimate play AS points 3.5 margin -1.25 error 0.5",
        "estimate play 2S points 4 margin 2 error 0.25",
        "info worlds 10 simulations 500 milliseconds 12 depth 3",
        "choose play AS",
    )
    with outside(engine(f"print(*{lines!r}, sep=chr(10), flush=True)")) as bot:
        assert isinstance(bot, Thinker)
        thought = bot.think(position(), Clock())
    assert thought.action == Play(0, Card("AS"))
    best, second = thought.estimates
    assert (best.action, best.points, best.margin, best.error) == (thought.action, 3.5, -1.25, 0.5)
    assert second.action == Play(0, Card("2S"))
    assert (thought.worlds, thought.simulations) == (10, 500)


def test_words_that_we_do_not_know_are_left_out() -> None:
    say = "print('depth 3\\n\\n# a thought\\nchoose play 2S', flush=True)"
    with outside(engine(say)) as bot:
        assert bot.choose(position(), Clock()) == Play(0, Card("2S"))
        assert bot.forfeits == []


@pytest.mark.parametrize(
    ("info", "worlds", "simulations"),
    [
        ("", 0, 0),
        ("string thinking hard, worlds 7", 0, 0),
        ("worlds 2 string simulations many", 2, 0),
        ("depth 3 score cp 1 worlds 5", 5, 0),
        ("worlds 5 pv 2C 3C simulations 12 nps 4000000000 hashfull", 5, 12),
        ("simulations 99999999999999999999", 0, 10**12),
        (f"worlds {'9' * 5000} simulations 2.5e3", 10**12, 2500),
    ],
)
def test_what_others_say_in_info_is_skipped(info: str, worlds: int, simulations: int) -> None:
    say = f"print('info {info}', 'choose play 2S', sep=chr(10), flush=True)"
    with outside(engine(say)) as bot:
        thought = bot.think(position(), Clock())
        assert bot.forfeits == []
    assert (thought.action, thought.estimates) == (Play(0, Card("2S")), ())
    assert (thought.worlds, thought.simulations) == (worlds, simulations)


def test_estimates_may_say_more_and_count_as_other_programs_do() -> None:
    say = "estimate play AS points 1e-05 depth 3 margin -2.7182818284590451 error 1E30 pv 2C 3C"
    with outside(engine(f"print({say!r}, 'choose play AS', sep=chr(10), flush=True)")) as bot:
        (estimate,) = bot.think(position(), Clock()).estimates
    assert (estimate.points, estimate.margin, estimate.error) == (1e-05, -2.718281828459045, 1e12)


DOUBLING = """
import sys
again, doubled = "", False
for line in sys.stdin:
    word, *rest = line.split()
    if again and word.startswith({when!r}):
        print(again, flush=True)
        again, doubled = "", True
    if word == "volte":
        print("ready", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        kind, *cards = rest[rest.index("event") + 2:]
        if kind == "pass":
            cards = cards[1 : int(cards[0]) + 1]
        else:
            cards = cards[-1:]
        answer = " ".join(["choose", kind, *cards])
        print(answer, flush=True)
        if not doubled:
            again = answer
"""
"""Program that repeats its first answer, as soon as a line begins with `when`."""


@pytest.mark.parametrize(("when", "forfeits"), [("", []), ("go", ["illegal"])])
def test_an_answer_too_many_does_not_put_a_program_out_of_step(
    when: str, forfeits: list[str]
) -> None:
    rules = make_ruleset("microsoft")
    with outside(python(DOUBLING.format(when=when))) as bot:
        played(rules, [bot, Casual(), Casual(), Casual()], 1)
        assert [forfeit.reason for forfeit in bot.forfeits] == forfeits


# Programs that fail


FAILURES = [
    ("died", "sys.exit(3)"),
    ("died", "__import__('os').close(1); sys.stdin.read()"),
    ("late", "sys.stdin.read()"),
    ("late", "print('choose play AS', end='', flush=True); sys.stdin.read()"),
    ("garbled", "print('choose', flush=True)"),
    ("garbled", "print('choose play', flush=True)"),
    ("garbled", "print('choose play AS 2S', flush=True)"),
    ("garbled", "print('choose claim', flush=True)"),
    ("garbled", "print('choose play ' + 'Q' * 5000, flush=True)"),
    ("garbled", "print('estimate play AS points many', flush=True)"),
    ("garbled", "print('info worlds many', flush=True)"),
    ("garbled", "sys.stdout.buffer.write(bytes(range(256)) * 4000); sys.stdin.read()"),
    ("late", "print('x' * 1_000_000, flush=True); sys.stdin.read()"),
    ("garbled", "[print('hm') for _ in range(100_000)]"),
    ("refused", "print('error tired I shall not play.', flush=True)"),
    ("illegal", "print('choose play QS', flush=True)"),
    ("illegal", "print('choose pass AS', flush=True)"),
    ("late", "[print('x' * 999, file=sys.stderr) for _ in range(9999)]; sys.stdin.read()"),
]


@pytest.mark.parametrize(("why", "go"), FAILURES, ids=range(len(FAILURES)))
def test_a_program_that_fails_is_stood_in_for_and_started_again(why: str, go: str) -> None:
    limits = {"grace": 0.05} if why == "late" else {}
    view = position()
    with outside(engine(go), **limits) as bot:
        for _ in range(2):
            assert bot.choose(view, SOON) == Casual().choose(view, SOON)
        assert [forfeit.reason for forfeit in bot.forfeits] == [why, why]
        assert all(forfeit.deal == 1 for forfeit in bot.forfeits)


def test_what_a_dead_program_said_last_is_kept() -> None:
    with outside(engine("sys.exit('no tables left')")) as bot:
        bot.choose(position(), SOON)
        assert bot.forfeits == [Forfeit("died", 1, "no tables left")]


def test_a_program_that_is_killed_is_started_again() -> None:
    """A real program is killed by the system: between choices, and while one is waited for."""
    view = position()
    with outside(volte("--level", "casual")) as bot:
        assert bot.choose(view, SOON) == Casual().choose(view, SOON)
        first = bot.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert bot.choose(view, SOON) == Casual().choose(view, SOON)
        assert [forfeit.reason for forfeit in bot.forfeits] == ["died"]
        bot.choose(view, SOON)
        assert bot.pid not in (None, first)
        assert len(bot.forfeits) == 1


def test_a_program_that_kills_itself_while_it_thinks_is_dead() -> None:
    with outside(engine("os.kill(os.getpid(), 9)").replace("import sys", "import os, sys")) as bot:
        bot.choose(position(), SOON)
        assert [forfeit.reason for forfeit in bot.forfeits] == ["died"]


def test_a_match_goes_on_though_a_program_fails_now_and_then() -> None:
    """It dies at every seventh choice, and the stand-in makes the forfeited choices."""
    source = """
        count = globals().get("count", 0) + 1
        cards = line.split()[line.split().index("play") + 1:] if "play" in line else []
        if count == 7 or not cards: sys.exit(1)
        print("choose play", cards[0], flush=True)
    """
    rules = make_ruleset("microsoft", {"match_end": "deals:1"})
    with outside(engine(source.strip())) as bot:
        end = played(rules, [bot, Casual(), Casual(), Casual()], 1).state
        assert len(end.deals) == 1
        assert {forfeit.reason for forfeit in bot.forfeits} == {"died"}
        assert len(bot.forfeits) == 2  # the pass, and the seventh card


def test_the_stand_in_can_be_chosen() -> None:
    view, lowest = position(), Lowest()
    with Outside(engine("sys.exit()"), stand_in=lowest) as bot:
        assert bot.choose(view, SOON) == lowest.choose(view, SOON)


class Lowest:
    def choose(self, view: View, clock: Clock) -> Play:
        return Play(0, next(iter(view.legal)))


def test_who_fails_again_and_again_is_given_up() -> None:
    with outside(engine("print('choose play QS', flush=True)"), most_in_a_row=3) as bot:
        for _ in range(2):
            bot.choose(position(), SOON)
        with pytest.raises(EngineFault) as caught:
            bot.choose(position(), SOON)
        assert len(bot.forfeits) == 3
    assert caught.value.reason == "program_gives_up"
    assert Words("en").fault(caught.value) == (
        "The program Test keeps failing. Forfeits in a row: 3. The last one: illegal (choose"
        " play QS). Check the program, or leave it out."
    )


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "command_unreadable"),
        ("'", "command_unreadable"),
        ("/nowhere/engine", "program_not_started"),
        ("a\0b", "program_not_started"),
        (os.devnull, "program_not_started"),
    ],
)
def test_what_cannot_be_started_is_a_fault(command: str, why: str) -> None:
    with outside(command) as bot, pytest.raises(EngineFault) as caught:
        bot.choose(position(), SOON)
    assert caught.value.reason == why
    assert Words("en").fault(caught.value).endswith(".")


HELLOS = [
    (
        "died",
        "program_ended",
        "print('Loading', file=sys.stderr); print('No book', file=sys.stderr); sys.exit(3)",
        "ended before it was ready, with exit status 3; its last line was “No book”.",
    ),
    (
        "late",
        "program_late",
        "sys.stdin.read()",
        "was not ready within 0.1 seconds; its last line was “–”.",
    ),
    (
        "refused",
        "program_not_ready",
        "print('error what? I speak nothing.', flush=True); sys.stdin.read()",
        "is not ready: it answered “error what? I speak nothing.”.",
    ),
    (
        "garbled",
        "program_not_ready",
        "sys.stdout.buffer.write(bytes(10_000_000)); print('\\n' * 2000, flush=True)",
        "is not ready: it answered “",
    ),
]


@pytest.mark.parametrize(("why", "fault", "source", "sentence"), HELLOS)
def test_a_program_that_never_gets_ready_cannot_be_begun_with(
    why: str, fault: str, source: str, sentence: str
) -> None:
    limits = {"hello": 0.1} if why == "late" else {}
    with outside(python(f"import sys; {source}"), **limits) as bot:
        with pytest.raises(EngineFault) as caught:
            bot.start(make_ruleset("coeurs"))
        assert caught.value.reason == fault
        assert sentence in Words("en").fault(caught.value)
        bot.choose(position(), SOON)
        assert [forfeit.reason for forfeit in bot.forfeits] == [why]


@pytest.mark.parametrize(
    "points",
    [
        Points(((Card("JD"), -3), (Card("QS"), 13))),  # a jack that no option makes
        Points(((Card("QS"), 13), (Card("2C"), 5))),  # in another order
    ],
)
def test_rules_that_have_no_name_cannot_be_told(points: Points) -> None:
    rules = make_ruleset("coeurs", {"players": 3})
    state = played(replace(rules, points=points), [Casual()] * 3, 1, deals=0).state
    assert state.deal is None
    with outside(example()) as bot, pytest.raises(EngineFault, check=because("rules_have_no_name")):
        bot.start(replace(rules, points=points))


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    """The child keeps a lock for ever, and is not asked to end."""
    fcntl = pytest.importorskip("fcntl")
    held = tmp_path / "held"
    child = f"""
import fcntl, signal
file = open({str(held)!r}, "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("choose play AS", flush=True)
signal.pause()
"""
    go = f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}])"
    with outside(engine(go)) as bot:
        assert bot.choose(position(), SOON) == Play(0, Card("AS"))
        assert bot.forfeits == []
    with held.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits until it is dead


def test_a_program_that_is_forgotten_ends() -> None:
    bot = outside(volte("--level", "casual"))
    bot.choose(position(), SOON)
    number = bot.pid
    assert number is not None
    del bot
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_closing_twice_is_closing() -> None:
    bot = outside(example())
    bot.close()
    bot.choose(position(), SOON)
    bot.close()
    bot.close()
    assert bot.pid is None
