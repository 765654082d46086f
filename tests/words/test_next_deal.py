"""What is said of the next deal while one is over: who deals (D2), and the pass (P2, P3)."""

from __future__ import annotations

import pytest
from words.story import match_log, story

from volte.game import Dealt, Exchanged
from volte.game.events import DealScored
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.say.passing import PASSED_NEXT, next_deal


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seat", [0, 2, None])
def test_D2_P3_what_is_said_of_the_next_deal_comes_true(players: int, seat: int | None) -> None:
    words = Words("en")
    rules = make_ruleset("salon", {"players": players, "match_end": "deals:6"})
    said = ""
    heard = 0
    for each in story(match_log(rules, 1), seat, words, Verbosity.NORMAL):
        if isinstance(each.event, DealScored):
            said = next_deal(words, each.after)
        if isinstance(each.event, Dealt) and said:
            dealer = "You deal" if each.event.dealer == seat else "deals"
            assert dealer in said
            assert said.endswith(PASSED_NEXT[each.event.direction])
            heard += 1
        assert not (isinstance(each.event, Exchanged) and said.endswith("No card is passed."))
    assert heard == 5


def test_P2_where_nothing_is_ever_passed_nothing_is_said_of_it() -> None:
    rules = make_ruleset("coeurs-cinq-coups", {"pass_count": 0})
    log = story(match_log(rules, 1), 0, Words("fr"), Verbosity.NORMAL)
    over = next(each.after for each in log if isinstance(each.event, DealScored))
    assert next_deal(Words("fr"), over) in (
        "C’est à vous de donner ensuite.",
        *(f"Prochain donneur\u00a0: {name}." for name in ("Anne", "Luc", "Hélène")),
    )
