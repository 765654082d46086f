"""Characters play in their style, and otherwise as their level does."""

from __future__ import annotations

import pytest
from kit.deals import dealt, first_deal, play, view_of
from kit.stanzas import rest_of_pack
from msgspec.structs import replace

from volte.bots import CHARACTERS, COMPANY, Clock, company_of, compiled, make_bot
from volte.bots.characters import HazyView
from volte.bots.levels import SEARCHING
from volte.cards import QUEEN, Card, CardSet
from volte.game import MatchState, Pass, Play
from volte.rules import Score
from volte.say.levels import ABOUTS, STYLES
from volte.say.texts.remarks import LINES


def passed(who: str, hand: str) -> CardSet:
    """Return the cards that a bot passes, at a table of four with a whole pack."""
    state = first_deal("coeurs", (hand, *rest_of_pack(hand)), options={"pass_count": 3})
    action = make_bot(who).choose(view_of(state, 0), Clock())
    assert isinstance(action, Pass)
    return CardSet(action.cards)


def played(who: str, state: MatchState, seed: int = 0) -> Card:
    """Return the card that a bot plays for the seat whose turn it is."""
    seat = state.current_deal.turn
    action = make_bot(who, seed).choose(view_of(state, seat), Clock())
    assert isinstance(action, Play)
    return action.card


def test_there_are_a_dozen_and_everybody_has_words() -> None:
    assert len(CHARACTERS) == 12
    for words in (STYLES, ABOUTS, *(LINES[name] for name in ("queen_taken", "moon", "won"))):
        assert words.keys() == CHARACTERS.keys()
    assert {each.level for each in CHARACTERS.values()} == {"beginner", "casual", "strong"}


def test_none_has_a_compiled_twin_and_those_that_search_think_apart() -> None:
    for key, each in CHARACTERS.items():
        assert compiled(key) is None
        assert (key in SEARCHING) == (each.level == "strong")


def test_a_newcomer_meets_three_and_others_those_of_their_level() -> None:
    assert len({CHARACTERS[key].name for key in COMPANY[:3]}) == 3
    for level in ("beginner", "casual", "strong"):
        assert {CHARACTERS[key].level for key in company_of(level, 3)} == {level}
        assert len(set(company_of(level, 9))) == 9


HAND = "S: Q J H: 642 D: 8753 C: A642"


def test_the_keeper_of_spades_passes_none() -> None:
    assert QUEEN in passed("casual", HAND)
    assert not passed("david", HAND) & CardSet("S: Q J")


def test_who_likes_to_discard_passes_the_shortest_suit() -> None:
    assert CardSet("D: 8 3") <= passed("gaelle", "S: 865432 H: 42 D: 83 C: 542")


def test_the_cautious_leads_no_heart_and_her_friend_does() -> None:
    state = dealt("coeurs", "H: 23 C: K D: K", "H: 45 C: A D: A", "H: 67 C: 2 D: 2")
    assert played("alice", state).suit is not Card("2H").suit
    assert played("louise", state, seed=1).suit is Card("2H").suit


def test_the_hunter_leads_below_the_queen() -> None:
    state = dealt("coeurs", "S: 98 D: 32", "S: Q4 D: K4", "S: 56 D: A5")
    assert played("chloe", state) < QUEEN


def test_the_forgetful_takes_old_cards_for_hidden() -> None:
    state = play(dealt("coeurs", "C: 258 H: 2", "C: 369 H: 3", "C: 47T H: 4"), "2C 3C 4C")
    view = view_of(state, 2)
    assert HazyView.of_view(view, 1).unseen == view.unseen  # there is but one trick
    view = view_of(play(state, "7C 5C 6C"), 2)
    assert HazyView.of_view(view, 1).unseen == view.unseen | CardSet("C: 32").mask


@pytest.mark.parametrize("key", [key for key, each in CHARACTERS.items() if each.manner.slips])
def test_the_seed_of_who_slips_matters(key: str) -> None:
    state = dealt("coeurs", "C: 23456789", "D: 23456789", "H: 23456789")
    assert len({played(key, state, seed) for seed in range(20)}) > 1


@pytest.mark.parametrize(("totals", "gives"), [((0, 9, 9), True), ((9, 0, 9), False)])
def test_no_friend_of_leaders_gives_to_whoever_leads(totals: tuple[int, ...], gives: bool) -> None:
    state = play(dealt("coeurs", "D: A C: 2", "D: 2 C: 3", "S: 3 H: 5"), "AD 2D")
    state = replace(state, deals=(Score(totals),))
    assert (played("hugo", state) == Card("5H")) is gives
