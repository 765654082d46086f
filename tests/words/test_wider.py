"""What is told of the wider family: scatters, sides, choices, two packs, falls, ties (W1–W11)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from kit.deals import after, dealt, play, refused, take
from kit.strategies import seeds, wider_rulesets
from words.story import heard, match_log, seen, story

from volte.bots import Hint, Reason
from volte.cards import Card, read_cards
from volte.game import (
    ChooseMoon,
    DealScored,
    Dealt,
    MatchEnded,
    MatchStarted,
    MatchState,
    Pass,
    Play,
    Player,
    evolve,
)
from volte.rules import Ruleset, make_ruleset
from volte.say import Verbosity, Words
from volte.say.narration import tell_each
from volte.say.outcome import moon_choices
from volte.view import View

FR, EN = Words("fr"), Words("en")


def of_event(event: DealScored | MatchEnded, view: View, words: Words = EN) -> str:
    return " ".join(words.tell(view, event, view.see(event)))


# The pass


def scattered() -> MatchState:
    hands = ("C: 23 H: 2", "D: 23 H: 3", "S: 23 H: 4")
    return dealt("coeurs", *hands, pass_count=1, pass_cycle=["scatter"])


def test_W1_a_scatter_is_asked_for_in_the_order_of_the_seats() -> None:
    state = scattered()
    assert EN.turn(seen(state)) == (
        "Choose one card for each of the others, in this order: E and S.",
        "Still choosing cards to pass: E and S.",
    )
    assert FR.turn(seen(state, 1))[0] == (
        "Choisissez une carte pour chacun des autres, dans cet ordre\u00a0: S et N."
    )


def test_W1_everybody_hears_who_got_which_card_and_gave_which() -> None:
    state = scattered()
    assert heard(state, Pass(0, read_cards("3C 2H")), 0) == (
        "You pass the 3 of clubs to E and the 2 of hearts to S."
    )
    state = after(state, Pass(0, read_cards("3C 2H")), Pass(1, read_cards("3D 2D")))
    last = Pass(2, read_cards("2S 3S"))
    assert "You get the 2 of diamonds from E and the 2 of spades from S." in heard(state, last, 0)
    assert "Vous recevez le 3 de pique de S et le 3 de trèfle de N." in heard(state, last, 1, FR)
    assert heard(state, last, None).startswith("The cards are passed.")


def test_W1_too_few_cards_are_one_for_each_of_the_others() -> None:
    state = scattered()
    refusal = refused(state, Pass(0, read_cards("3C")))
    assert EN.refusal(refusal, seen(state)) == (
        "Give 2 cards, one to each of the others in turn, not 1."
    )


def test_W1_a_hint_says_who_gets_which_card() -> None:
    hint = Hint(Pass(1, read_cards("3D 2D")), Reason.PASS_DANGER)
    told = EN.hint(hint, seen(scattered(), 1))
    assert told.startswith("Pass the 3 of diamonds to S and the 2 of diamonds to N: ")


# Play


def test_W2_whoever_holds_the_lowest_club_hears_that_any_club_will_do() -> None:
    hands = ("C: 34", "C: 2A", "H: 2 C: 5")
    state = dealt("dame-de-pique", *hands, opening="any_club", pass_count=1, pass_cycle=["left"])
    state = after(state, Pass(0, read_cards("3C")), Pass(1, read_cards("AC")))
    told = heard(state, Pass(2, read_cards("2H")), 1)
    assert told.endswith("You hold the 2 of clubs: it is for you to lead, with any club.")
    state = after(state, Pass(2, read_cards("5C")))
    refusal = refused(
        dealt("dame-de-pique", "S: 2 C: 3", "S: 3 C: 4", "H: 2 S: 4", opening="any_club"),
        Play(0, Card("2S")),
    )
    assert EN.refusal(refusal) == "A club opens the deal. You may play the 3 of clubs."


def test_W3_the_queen_waits_for_hearts() -> None:
    state = dealt("coeurs", "S: Q C: 2", "S: 3 C: 3", "H: 2 S: 4", queen_play="once_broken")
    assert FR.refusal(refused(state, Play(0, Card("QS"))), seen(state)) == (
        "La dame de pique ne peut être ni entamée ni défaussée tant que les cœurs ne sont pas"
        " ouverts. Vous pouvez jouer le 2 de trèfle."
    )
    state = play(
        dealt("coeurs", "C: 2 S: 2", "C: 3 S: 3", "H: 2 S: Q", queen_play="once_broken"), "2C 3C"
    )
    assert "Hearts are broken." in heard(state, Play(2, Card("2H")), 0)


@pytest.mark.parametrize(
    ("kitty", "told"),
    [
        ("first_heart", "2 cards are left over: they go with the first trick that has a heart."),
        ("last_trick", "2 cards are left over: they go with the last trick."),
    ],
)
def test_W4_the_kitty_says_whom_it_goes_with(kitty: str, told: str) -> None:
    rules = make_ruleset("coeurs", {"players": 5, "kitty": kitty})
    heard_of = story(match_log(rules, 1), 0, EN, Verbosity.NORMAL)
    assert told in next(each.lines for each in heard_of if isinstance(each.event, Dealt))


# Points


def test_W5_hearts_that_count_their_rank_are_told_with_their_points() -> None:
    state = dealt("spot-hearts", "C: 2 H: A", "C: 3 H: 2", "C: 4 H: K")
    assert EN.points_taken(seen(state))[-1] == "Still out: 3 hearts (29 points)."
    state = play(state, "2C 3C 4C")
    assert heard(play(state, "KH AH"), Play(1, Card("2H")), 1).startswith("You: the 2 of hearts")
    assert "N takes the trick: 29 points." in heard(play(state, "KH AH"), Play(1, Card("2H")), 1)


def test_W6_who_took_no_trick_hears_what_that_counts() -> None:
    view = seen(dealt("coeurs", "S: A", "S: 2", "H: 2", no_tricks=-5, match_end="deals:2"))
    event = DealScored((2, -5, 13), trickless=(1,))
    assert of_event(event, view) == (
        "E took no trick: −5 points. Points of deal 1: you 2; E −5; S 13."
    )
    both = DealScored((-5, -5, 13), trickless=(0, 1))
    assert of_event(both, view, FR).startswith(
        "Sans aucune levée\u00a0: vous et E, −5 points pour chacun."
    )


# The moon


def moon(limit: int = 50) -> MatchState:
    """N is about to take all that counts, and will choose how that counts."""
    hands, end = ("H: A2", "C: 2 H: 3", "C: 3 H: 4"), f"limit:{limit}"
    state = dealt("coeurs", *hands, moon="shooter_chooses", match_end=end)
    return play(state, "AH 3H 4H 2H 2C")


def test_W7_the_shooter_is_told_what_either_choice_does() -> None:
    last = Play(2, Card("3C"))
    state = after(moon(), last)
    told = heard(moon(), last, 0)
    assert told.endswith(
        "You have shot the moon: you took every penalty card! You choose how it counts."
        " Minus: 4 points off your own points. Totals then: you −4; E 0; S 0."
        " Plus: 4 points for each of the others. Totals then: you 0; E 4; S 4."
    )
    told = heard(moon(), last, 1, FR)
    assert told.endswith(
        "La volte\u00a0! N a ramassé toutes les cartes à points. N choisit comment cela compte."
    )
    assert EN.turn(seen(state)) == ("You are to choose how your moon counts.",)
    assert EN.turn(seen(state, 1)) == ("N is to choose how the moon counts.",)
    refusal = refused(state, ChooseMoon(1, minus=True))
    assert FR.refusal(refusal, seen(state, 1)) == "Vous n’avez pas de volte à compter maintenant."


def test_W7_the_choice_is_told_and_the_moon_not_again() -> None:
    state = after(moon(), Play(2, Card("3C")))
    assert heard(state, ChooseMoon(0, minus=True), 1) == (
        "N takes the 4 points off. Points of deal 1: you 0; S 0; N −4."
    )
    assert heard(state, ChooseMoon(0, minus=False), 0, FR) == (
        "Vous mettez 4 points sur le compte des autres."
        " Points de la manche 1\u00a0: vous 0\u00a0; E 4\u00a0; S 4."
    )


def test_W7_a_choice_that_ends_the_match_says_who_wins() -> None:
    state = after(moon(limit=4), Play(2, Card("3C")))
    minus, plus = moon_choices(EN, seen(state))
    assert "ends the match" not in minus
    assert plus.endswith("Totals then: you 0; E 4; S 4. That ends the match, and you win it.")


def test_W7_a_moon_that_would_lose_the_match_says_why_it_is_taken_off() -> None:
    view = seen(dealt("coeurs", "S: A", "S: 2", "H: 2", moon="plus_unless_lost"))
    told = of_event(DealScored((-13, 0, 0), moon=0, minus=True), view)
    assert "On the others it would lose the match: so it is taken off instead." in told


def test_W7_a_moon_that_needs_the_jack_took_every_card_that_counts() -> None:
    hands = ("S: A D: J", "S: 23", "H: 23")
    view = seen(dealt("coeurs", *hands, moon_needs_jack=True, jack_points=-10))
    told = of_event(DealScored((-10, 2, 2), moon=0), view)
    assert told.startswith("You have shot the moon: you took every card that counts!")


def test_W8_a_double_slam_says_so() -> None:
    view = seen(dealt("coeurs", "S: A", "S: 2", "H: 2", slam="double"))
    told = of_event(DealScored((0, 2, 2), slam=0), view)
    assert told.startswith("A slam! You have taken every trick. It counts double.")


# The end


def test_W9_a_total_of_exactly_the_limit_is_told_as_it_falls() -> None:
    state = dealt("dame-de-pique", "C: 2", "S: 2", "H: 2", at_limit="halves")
    view = seen(evolve(state, DealScored((90, 20, 3))))
    event = DealScored((10, 0, 16))
    assert of_event(event, view).endswith(
        "You: exactly 100, which falls back to 50. Totals: you 50; E 20; S 19."
    )
    assert "Vous\u00a0: exactement 100, qui retombent à 50." in of_event(event, view, FR)
    assert EN.scores(view.see(event)) == ("Totals: you 50; E 20; S 19.",)


def test_W9_equal_lowest_totals_play_on() -> None:
    view = seen(dealt("coeurs", "C: 2", "S: 2", "H: 2", ties="play_on"))
    assert of_event(DealScored((0, 0, 1)), view).endswith(
        "The lowest totals are equal: another deal is played."
    )
    assert "another deal" not in of_event(DealScored((0, 1, 1)), view)


# Sides


def partners() -> MatchState:
    hands = ("C: 2 S: A", "C: 3 S: K", "C: 4 S: Q", "C: A H: 2")
    return dealt("partnership", *hands, moon_by="side")


def test_W10_everybody_hears_at_the_start_who_plays_with_whom() -> None:
    started = MatchStarted(make_ruleset("partnership"), tuple(map(Player, "NESW")))
    told = {seat: EN.tell(None, started, View.of(seat, [started]))[-1] for seat in (0, None)}
    assert told[0] == "You play with S; E and W play together."
    assert told[None] == "N and S play together; E and W play together."
    six = make_ruleset(
        "partnership",
        {"players": 6, "partners": 3, "pass_cycle": ["left"], "removed": ["2C", "2D", "2S", "2H"]},
    )
    started = MatchStarted(six, tuple(map(Player, "NESWXY")))
    assert FR.tell(None, started, View.of(1, [started]))[-1] == (
        "Vous jouez avec W et Y\u00a0; S, X et N jouent ensemble."
    )


def test_W10_a_side_has_one_score() -> None:
    state = evolve(partners(), DealScored((3, 11, 3, 11)))
    view = seen(state, 1)
    assert EN.scores(view) == ("Totals: you and W 11; S and N 3.",)
    told = of_event(DealScored((0, 14, 0, 14)), view, FR)
    assert told == (
        "Points de la manche 2\u00a0: vous et W 14\u00a0; S et N 0."
        " Totaux\u00a0: vous et W 25\u00a0; S et N 3."
    )


def test_W10_what_partners_have_taken_is_told_by_seat_and_together() -> None:
    state = play(partners(), "2C 3C 4C AC 2H AS KS QS")
    assert EN.points_taken(seen(state)) == (
        "W: 14 points, queen of spades and 2 of hearts.",
        "Nothing that counts is still out.",
    )
    hands = ("C: 4 H: 2", "C: 2 S: 3", "C: 3 H: 4", "D: Q H: 3")
    state = dealt("partnership", *hands, opening="eldest", first_trick_points="allowed")
    state = play(state, "4C 2C 3C 3H 2H 3S 4H QD")
    assert EN.points_taken(seen(state))[:3] == (
        "You: 1 point, 3 of hearts.",
        "S: 2 points, 4 of hearts and 2 of hearts.",
        "You and S together: 3 points.",
    )


def test_W10_a_side_wins_and_shoots_the_moon_together() -> None:
    view = seen(partners(), 2)
    won = MatchEnded((40, 100, 40, 100), (0, 2))
    assert of_event(won, view) == "You and N win the match with 40 points!"
    assert of_event(won, seen(partners(), 1)) == "S and N win the match with 40 points."
    assert of_event(won, view, FR) == "Vous et N gagnez la partie avec 40 points\u00a0!"
    event = DealScored((0, 26, 0, 26), moon=0)
    assert of_event(event, view).startswith(
        "The moon is shot! Together you and N took every penalty card."
    )
    assert of_event(event, seen(partners(), 1), FR).startswith(
        "La volte\u00a0! S et N ont ramassé ensemble toutes les cartes à points."
    )


# Two packs

SIX = ("C: K S: Q", "C: 5 D: 9", "C': 5 D': 9", "C': K S': Q", "C: 9 H: 2", "C': 9 H': 2")
"""All clubs cancel in the first trick; N leads both."""


def two_packs() -> MatchState:
    return dealt("cancellation", *SIX)


def test_W11_equal_cards_are_told_as_they_cancel_and_the_trick_as_it_waits() -> None:
    state = play(two_packs(), "KC 5C")
    assert heard(state, Play(2, Card("5C'")), 0) == (
        "S: the 5 of clubs The two 5s of clubs cancel each other."
    )
    state = play(state, "5C' KC' 9C")
    last = Play(5, Card("9C'"))
    assert heard(state, last, 0) == (
        "Y: the 9 of clubs The two 9s of clubs cancel each other."
        " The cards cancel each other, and wait for the next trick. You lead again."
    )
    assert heard(state, last, 1, FR).endswith(
        "Les cartes s’annulent, et attendent la levée suivante. N entame encore."
    )
    assert heard(state, last, 0, EN, Verbosity.BRIEF) == (
        "Y: 9 of clubs Nobody takes the trick. You lead again."
    )


def test_W11_a_trick_that_waits_is_told_at_each_verbosity() -> None:
    state = play(two_packs(), "KC 5C 5C' KC' 9C")
    view = seen(state)
    for event in take(state, Play(5, Card("9C'"))).events:
        before, view = view, view.see(event)
        told = {each: EN.tell(before, event, view, each) for each in Verbosity}
        assert tell_each(EN, before, event, view) == told


def test_W11_whoever_takes_the_next_trick_takes_what_waited() -> None:
    hands = tuple(f"{hand} D: {card}" for hand, card in zip(SIX, "234567", strict=True))
    state = play(dealt("cancellation", *hands), "KC 5C 5C' KC' 9C 9C'")
    assert EN.turn(seen(state))[-1] == "6 cards wait for whoever takes this trick."
    assert (
        EN.last_trick(seen(state))[0] == "The cards of the last trick wait for the next: 0 points."
    )
    state = play(state, "2D 9D 9D' 5D 6D")
    told = heard(state, Play(5, Card("7D")), 0)
    assert told == "Y: the 7 of diamonds Y takes the trick, and 6 cards that waited."
    state = play(state, "7D")
    assert EN.last_trick(seen(state))[0] == (
        "The last trick went to Y, with 6 cards that waited: 0 points."
    )


def test_W11_a_last_trick_that_cancels_says_why_it_goes_to_its_leader() -> None:
    state = play(two_packs(), "KC 5C 5C' KC' 9C 9C' QS 9D 9D'")
    assert "The two queens of spades cancel each other." in heard(state, Play(3, Card("QS'")), 0)
    state = play(state, "QS' 2H")
    told = heard(state, Play(5, Card("2H'")), 0)
    assert (
        "The cards cancel each other: the last trick goes to whoever led it."
        " You take the trick, and 6 cards that waited: 28 points." in told
    )


def test_W11_both_queens_in_a_trick_of_another_suit_are_told() -> None:
    hands = ("C: K", "S: Q", "S': Q", "C: 2", "C: 3", "C: 4")
    state = play(dealt("cancellation", *hands), "KC QS")
    assert heard(state, Play(2, Card("QS'")), 3, FR).startswith(
        "S\u00a0: la dame de pique Les deux dames de pique sont dans cette levée."
    )


def test_W11_two_equal_cards_of_a_hand_are_told_together() -> None:
    hands = ("S: QT S': Q H: 2", "C: 2345", "C': 2345", "C: 6789", "C': 6789", "D: 2345")
    state = dealt("cancellation", *hands)
    assert EN.hand(seen(state)) == (
        "Spades: two queens\u00a0(.1, .2), 10\u00a0(.3)",
        "Hearts: 2\u00a0(.4)",
    )
    assert FR.hand(seen(state), places=False)[0] == "Pique\u00a0: deux dames, 10"
    assert FR.hand_order(seen(state)) == read_cards("QS QS' TS 2H")
    assert EN.refusal(refused(state, Play(0, Card("AC"))), seen(state)) == (
        "You do not hold the ace of clubs."
        " You may play the queen of spades, the 10 of spades or the 2 of hearts."
    )
    assert EN.points_taken(seen(state))[-1] == "Still out: the two queens of spades and 1 heart."


def test_W11_what_waits_is_neither_taken_nor_still_out() -> None:
    hands = tuple(f"{hand} D: {card}" for hand, card in zip(SIX, "234567", strict=True))
    state = play(dealt("cancellation", *hands), "QS 9D 9D' QS' 2H 2H'")
    assert EN.points_taken(seen(state)) == (
        "Nobody has taken a card that counts.",
        "Waiting for whoever takes the next trick: the two queens of spades and the two 2s of"
        " hearts.",
        "Nothing that counts is still out.",
    )
    assert FR.last_trick(seen(state))[0] == (
        "Les cartes de la dernière levée attendent la suivante\u00a0: 28 points."
    )


def test_W11_what_is_typed_means_the_card_that_the_hand_has() -> None:
    assert FR.read_card("dame de pique", read_cards("2C QS'")) is Card("QS'")
    assert FR.read_card("dame de pique", read_cards("QS QS'")) is Card("QS")
    assert EN.read_card("qs", read_cards("2C")) is Card("QS")
    assert FR.read_card("10c", read_cards("TD' 2C")) is Card("TD'")


# Any table


@settings(max_examples=settings().max_examples // 10)
@given(wider_rulesets(most_cards=24), seeds)
def test_any_table_of_the_wider_family_is_told_and_answered(rules: Ruleset, seed: int) -> None:
    log = match_log(rules, seed, restless=bool(seed % 2))
    for words in (FR, EN):
        for seat in (0, None):
            for each in story(log, seat, words, tuple(Verbosity)[seed % 3]):
                view = each.after
                answers = words.scores(view), words.turn(view), words.last_trick(view)
                kept = words.hand(view), words.points_taken(view), words.table(view)
                for line in (*each.lines, *sum((*answers, *kept), ())):
                    assert line
                    assert not re.search(r"[{}]|None|  ", line), line
