"""Standings of a board: of very many tries, and where plays parted."""

from __future__ import annotations

import msgspec
import pytest
from kit.matches import played

from volte.boards import shown
from volte.boards.board import TriedDeal, Try, tried_deal
from volte.boards.shown import MOST_SHOWN, parted, standings_of
from volte.boards.store import NamedTry
from volte.game import Played, PlayTakenBack, TrickTaken
from volte.rules import make_ruleset
from volte.say import Words


def tried(number: int) -> NamedTry:
    deal = TriedDeal(number // 2, False, (), ((1, "2C"),))
    found = msgspec.to_builtins(deal)
    each = Try(
        *(f"t{number}", "board", f"p{number}", False, 1, 0.0, float(number), "", found, False)
    )
    return NamedTry(each, deal, "")


def test_only_tries_that_are_shown_are_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of them would hold up everybody else at this node."""
    tries, parted, compared = [*map(tried, range(2000))], shown.parted, list[object]()

    def counted(*given: object) -> str:
        compared.append(given)
        return parted(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(shown, "parted", counted)
    own = tries[1999].tried
    (group,) = standings_of(Words("en"), tries, own, own.person).groups
    assert len(group.rows) == MOST_SHOWN + 1
    assert group.more == 2000 - MOST_SHOWN - 1
    assert [each.place for each in group.rows[:4]] == ["1", "1", "3", "3"]
    assert (group.rows[-1].own, group.rows[-1].place) == (True, "1,999")
    assert len(compared) <= MOST_SHOWN


def test_a_tied_place_is_told_as_shared() -> None:
    tries = [*map(tried, (0, 2, 3, 4, 6))]  # 0, 1, 1, 2 and 3 points
    told = [standings_of(Words("en"), tries, each.tried, each.tried.person).told for each in tries]
    assert [each.partition("average. ")[2] for each in told] == [
        "Your place: 1 of 5.",
        *["Your place: 2 of 5, shared with 1 other."] * 2,
        "Your place: 4 of 5.",
        "Your place: 5 of 5.",
    ]
    alike = [*map(tried, (2, 3)), NamedTry(tried(4).tried, tried(2).played, "")]
    shared = standings_of(Words("en"), alike, alike[0].tried, alike[0].tried.person).told
    assert shared.endswith("Your place: 1 of 3, shared with 2 others.")


def test_equal_cards_of_two_packs_are_the_same_play() -> None:
    mine, theirs, other = (
        TriedDeal(0, False, (f"QS{pack}",), ((1, f"2C{pack}"), (2, last)))
        for pack, last in (("", "3C"), ("'", "3C'"), ("'", "4C'"))
    )
    words = Words("en")
    assert parted(words, mine, theirs) == "Played exactly as you did."
    told = "Trick 2: played the 4 of clubs, you the 3 of clubs."
    assert parted(words, mine, other) == told


def test_tricks_are_counted_right_after_a_card_that_ended_one_was_taken_back() -> None:
    log = played(make_ruleset("salon", {"match_end": "deals:1"}), 3)
    end = next(place for place, each in enumerate(log) if isinstance(each, TrickTaken))
    last = log[end - 1]
    assert isinstance(last, Played)
    undone = [*log[: end + 1], PlayTakenBack(last.seat, last.card), *log[end - 1 :]]
    for seat in range(4):
        found, again = (tried_deal(some, "zoe", "zoe", seat) for some in (log, undone))
        assert found is not None
        assert found == again
        assert [trick for trick, _ in found.played.plays] == [*range(1, 14)]
