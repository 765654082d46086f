"""A refereed table in words: every ruling, who is waited for, and what stays untold (I1–I9).

VOLTE_REMAKE_GOLDENS=1 writes the goldens anew from the records of `tests/referee`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kit.refereed import after, dealt, play, refused, turned
from words.story import heard, match_log, seen, story

from volte.cards import CARDS, Card, read_cards
from volte.game import AskUndo, ChooseMoon, Claim, Play, TrickTaken
from volte.notation import load_record
from volte.referee import (
    Accept,
    Action,
    ClaimRevoke,
    Cut,
    DeclareMisdeal,
    Misdeal,
    MixTricks,
    Object,
    RefereedMatch,
    TakeBack,
    TurnDown,
)
from volte.rules import Value, make_ruleset
from volte.say import Verbosity, Words
from volte.say.answers import tricks

FR, EN = Words("fr"), Words("en")
RECORDS = Path(__file__).parents[1] / "referee" / "goldens"
GOLDENS = Path(__file__).parent / "goldens"


def told(state: RefereedMatch, action: Action, seat: int, words: Words = EN) -> str:
    """What that seat is told of a refusal."""
    return words.refusal(refused(state, action), seen(state, seat))


# Whole deals


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("match", sorted(path.stem for path in RECORDS.glob("*.volte")))
def test_a_refereed_deal_is_told_as_it_stands_in_its_golden(match: str, lang: str) -> None:
    words, lines, view = Words(lang), list[str](), None
    for each in story(load_record(RECORDS / f"{match}.volte").log, 0, words, Verbosity.FULL):
        view = each.after
        lines += each.lines
    assert view is not None
    text = "\n".join([*lines, "", *words.scores(view), "", *words.score_sheet(view)]) + "\n"
    golden = GOLDENS / f"refereed-{match}.{lang}.txt"
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("seat", [0, 1, None])
def test_I3_a_revoke_is_told_to_nobody_before_it_is_claimed(seat: int | None) -> None:
    """Whether somebody revokes or has no card of the suit, the others hear the same."""
    able = play(dealt("C: A2", "S: 3 H: 3", "C: 3 H: 2"), "AC")
    void = play(dealt("C: A2", "S: 3 H: 3", "D: 3 H: 2"), "AC")
    for verbosity in Verbosity:
        lines = {
            heard(play(state, "3S"), Play(2, Card("2H")), seat, EN, verbosity)
            for state in (able, void)
        }
        assert len(lines) == 1


def test_I3_whoever_is_to_follow_is_not_told_what_to_do() -> None:
    state = dealt("C: A2", "S: 3 H: 3", "C: 3 H: 2")
    assert heard(state, Play(0, Card("AC")), 1) == "N leads the ace of clubs"


# Out of turn


def test_I2_a_card_out_of_turn_is_told_as_one_and_lies_on_the_table() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC")
    assert heard(state, Play(2, Card("4C")), 0) == "S: the 4 of clubs, out of turn"
    own = "Vous\u00a0: le 4 de trèfle, hors de votre tour"
    assert heard(state, Play(2, Card("4C")), 2, FR) == own
    state = play(state, "4C")
    assert EN.table(seen(state, 0)) == (
        "You: the ace of clubs",
        "S: the 4 of clubs, out of turn",
    )
    assert FR.table_card(seen(state, 0), 2) == ("S\u00a0: le 4 de trèfle, hors de son tour",)
    assert EN.turn(seen(state, 0)) == ("It is E's turn, in trick 1 of 2.",)


def test_I2_a_lead_out_of_turn_is_told_as_a_lead() -> None:
    state = dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2")
    assert heard(state, Play(1, Card("3C")), 0) == "E leads the 3 of clubs, out of turn"


def test_I2_once_the_last_card_lies_nothing_is_out_of_turn_any_more() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 4C 3C")
    assert EN.table(seen(state, 0))[1] == "S: the 4 of clubs"


def test_I2_a_card_asked_back_returns_with_what_followed_it() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "3C 4C")
    assert heard(state, Object(0, 1), 0, EN, Verbosity.FULL) == (
        "You object to E's 3 of clubs. It was played out of turn. (I2) E takes the 3 of clubs"
        " back. (I2) What was played after it goes back too: S, the 4 of clubs."
    )
    assert heard(state, Object(0, 1), 1, FR, Verbosity.BRIEF) == (
        "N conteste votre 3 de trèfle. Vous reprenez le 3 de trèfle."
        " Ce qui a été joué ensuite revient aussi\u00a0: S, le 4 de trèfle."
    )


# Objections and revokes


def test_I3_an_objection_names_the_duty() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H")
    assert heard(state, Object(2, 1), 0) == (
        "S objects to E's 3 of hearts. The suit led must be followed: clubs."
        " E takes the 3 of hearts back."
    )
    assert heard(state, Object(2, 1), 1, FR) == (
        "S conteste votre 3 de cœur. Il faut fournir la couleur demandée\u00a0: trèfle."
        " Vous reprenez le 3 de cœur. Jouez une autre carte, selon les règles."
    )
    back = after(state, Object(2, 1))
    assert EN.turn(seen(back, 1)) == (
        "It is your turn, in trick 1 of 2.",
        "You have taken a card back: play another, as the rules allow.",
    )
    assert told(back, Play(1, Card("3H")), 1).startswith("The suit led must be followed: clubs.")


def test_I3_a_mistaken_objection_changes_nothing() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3C")
    assert heard(state, Object(0, 1), 2) == (
        "N objects to E's 3 of clubs. Nothing is wrong with it: it stays."
    )


def test_I4_a_revoke_put_right_in_time() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 4C")
    assert EN.turn(seen(state, 0)) == ("The trick is full: you may turn it down.",)
    assert FR.turn(seen(state, 1)) == ("La levée est complète\u00a0: c’est à N de la retourner.",)
    assert heard(state, TakeBack(1), 0) == "E puts a revoke right, and takes the 3 of hearts back."
    assert heard(state, TakeBack(1), 1).startswith(
        "You put your revoke right, and take the 3 of hearts back."
    )
    assert told(state, TakeBack(2), 2) == "You have no revoke to put right in this trick."


def test_I5_a_revoke_claimed_stops_the_deal_and_is_told_with_who_and_why() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 4C")
    claim = ClaimRevoke(2, 1, 1)
    assert heard(state, claim, 0) == (
        "S claims that E revoked in trick 1. It is so: the suit led was in the hand."
        " The deal stops at once. E pays for the whole deal."
        " Points of deal 1, not yet final: you 0; E 2; S 0."
        " A revoke can be claimed until S cuts for the next deal."
    )
    assert heard(state, claim, 1, FR, Verbosity.BRIEF) == (
        "S dénonce une renonce de votre part, à la levée 1."
        " C’est vrai\u00a0: la couleur demandée était dans la main. La manche s’arrête aussitôt."
        " Vous payez toute la manche."
        " Points de la manche 1, encore provisoires\u00a0: vous 2\u00a0; S 0\u00a0; N 0."
    )
    assert "The deal stops at once. (I5)" in heard(state, claim, 0, EN, Verbosity.FULL)


def test_I5_two_offenders_each_pay() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 2H")
    state = after(state, ClaimRevoke(0, 1, 1))
    second = ClaimRevoke(0, 2, 1)
    assert "E and S each pay for the whole deal." in heard(state, second, 0)
    assert "You and S: each of you pays for the whole deal." in heard(state, second, 1)
    assert "The deal stops" not in heard(state, second, 0)


def test_I6_the_same_offender_pays_once() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 4C")
    state = after(state, ClaimRevoke(2, 1, 1))
    assert heard(state, ClaimRevoke(0, 1, 1), 0).endswith("That deal is paid for already.")


def test_I6_the_scores_are_provisional_until_the_cut() -> None:
    state = turned(turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3C 4C"), "2C 3H 2H")
    assert state.reckoned is not None
    assert EN.scores(seen(state, 0)) == (
        "No deal has been scored yet.",
        "Points of deal 1, not yet final: you 2; E 0; S 0.",
    )
    assert EN.score_sheet(seen(state, 0))[-1] == "Deal 1. Not yet final."
    assert EN.turn(seen(state, 2)) == ("The deal is over: you are to cut for the next one.",)
    assert told(state, Cut(0), 0) == "It is for S to cut."
    assert heard(state, Cut(2), 0).startswith("S cuts the cards. Deal 1 stands.")
    late = after(state, Cut(2))
    assert told(late, ClaimRevoke(0, 1, 1), 0).startswith("No revoke can be claimed now")


def test_I6_after_the_last_deal_everybody_accepts() -> None:
    one_deal = dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2", options={"match_end": "deals:1"})
    state = turned(turned(one_deal, "AC 3C 4C"), "2C 3H 2H")
    assert EN.turn(seen(state, 1)) == (
        "The last deal is over: you are to accept the scores.",
        "Still to accept the scores: S and N.",
    )
    state = after(state, Accept(1))
    assert FR.turn(seen(state, 1)) == ("N’ont pas encore accepté les points\u00a0: S et N.",)
    assert told(state, Accept(1), 1, FR) == "Vous avez déjà accepté les points."
    assert heard(state, Accept(0), 0) == "You accept the scores."
    assert heard(state, Accept(0), 1) == ""  # a bot always does


def test_S3_a_moon_is_told_when_it_is_reckoned_and_not_again() -> None:
    hands = ("S: AQ H: A", "S: 2 H: 2 C: 2", "S: 3 H: 3 C: 3")
    state = dealt(*hands, options={"moon": "others_plus"})
    state = turned(turned(state, "AS 2S 3S"), "AH 2H 3H")
    last = play(state, "QS 2C 3C")
    assert heard(last, TurnDown(0), 1).count("N has shot the moon") == 1
    assert "moon" not in heard(after(last, TurnDown(0)), Cut(2), 1)


def test_I7_mixed_tricks() -> None:
    first = turned(dealt("C: AK2", "C: 35 H: 3", "C: 46 H: 2"), "AC 3C 4C")
    assert told(first, MixTricks(0), 1) == (
        "Whoever has taken fewer than 2 tricks in this deal cannot have mixed them."
    )
    state = turned(first, "KC 5C 6C")
    assert heard(state, MixTricks(0), 1).startswith(
        "N's tricks are mixed: no revoke can be proved by them. The deal stops at once."
        " N pays for the whole deal."
    )
    assert heard(state, MixTricks(0), 0, FR).startswith("Vos levées sont mêlées")
    assert "The deal stops at once. (I7)" in heard(state, MixTricks(0), 1, EN, Verbosity.FULL)


def test_I9_a_revoke_of_ones_own_is_announced() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 4C")
    announced = ClaimRevoke(1, 1, 1)
    assert heard(state, announced, 0).startswith(
        "E announces a revoke of their own, in trick 1. It is so: the suit led was in the hand."
        " The deal stops at once. E pays for the whole deal."
    )
    assert heard(state, announced, 1, FR).startswith(
        "Vous annoncez une renonce de votre part, à la levée 1. C’est vrai"
    )
    assert "mistaken, and costs nothing" in heard(state, ClaimRevoke(2, 2, 1), 2)


def test_I9_a_mistaken_claim_costs_nothing() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3C 4C")
    assert heard(state, ClaimRevoke(0, 1, 1), 0) == (
        "You claim that E revoked in trick 1. That is mistaken, and costs nothing."
    )
    assert told(state, ClaimRevoke(0, 1, 2), 0) == "There has been no trick 2 in this deal."
    assert told(play(state, "2C"), ClaimRevoke(0, 1, 2), 0) == (
        "Trick 2 is not turned down yet: object to the card, or put your own right."
    )


@pytest.mark.parametrize(
    ("why", "line"),
    [
        (Misdeal.EXPOSED, "Misdeal: S has shown a card while dealing. You deal instead."),
        (
            Misdeal.COUNT,
            "Misdeal: S has dealt too many cards to one and too few to another. You deal instead.",
        ),
    ],
)
def test_I1_a_misdeal_passes_the_deal_on(why: Misdeal, line: str) -> None:
    state = dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2")
    assert heard(state, DeclareMisdeal(why), 0) == line
    assert heard(state, DeclareMisdeal(why), 2, FR).endswith("La donne passe à N.")


# The wider family


def test_W7_a_moon_is_chosen_after_it_is_reckoned_and_before_the_cut() -> None:
    hands = ("H: A2", "C: 2 H: 3", "C: 3 H: 4")
    state = turned(dealt(*hands, options={"moon": "shooter_chooses"}), "AH 3H 4H")
    last = play(state, "2H 2C 3C")
    assert heard(last, TurnDown(0), 1) == (
        "N takes the trick: 1 point. N has shot the moon, and took every penalty card!"
        " Points of deal 1, not yet final: you 4; S 4; N 0. N chooses how it counts."
    )
    over = after(last, TurnDown(0))
    assert FR.turn(seen(over, 1)) == ("C’est à N de choisir comment compte la volte.",)
    assert told(over, Cut(2), 2) == "N is to choose first how the moon counts."
    assert EN.refusal(refused(over, Cut(2))) == "Seat 1 is to choose first how the moon counts."
    assert heard(over, ChooseMoon(0, minus=True), 1) == (
        "N takes the 4 points off. Points of deal 1, not yet final: you 0; S 0; N −4."
        " A revoke can be claimed until S cuts for the next deal."
    )
    assert heard(after(over, ChooseMoon(0, minus=True)), Cut(2), 1, FR).startswith(
        "S coupe les cartes. La manche 1 est acquise."
    )


def test_W11_a_trick_that_cancels_is_turned_down_by_whoever_led_it() -> None:
    hands = ("C: K D: 2", "C': K D: 3", "C: 5 D: 4", "C': 5 D: 5", "C: 9 D: 6", "C': 9 H: 2")
    dealt_out = {card for hand in hands for card in read_cards(hand)}
    removed = [card.text for card in CARDS if card not in dealt_out and card.joker is None]
    options: dict[str, Value] = {"packs": 2, "removed": removed}
    state = play(dealt(*hands, options=options), "KC KC' 5C 5C' 9C 9C'")
    assert EN.turn(seen(state, 0)) == (
        "The cards of the trick cancel each other: you may turn it down.",
    )
    assert FR.turn(seen(state, 1)) == (
        "Les cartes de la levée s’annulent\u00a0: c’est à N de la retourner.",
    )
    assert heard(state, TurnDown(0), 1) == (
        "The cards cancel each other, and wait for the next trick. N leads again."
    )
    assert tricks(EN, seen(after(state, TurnDown(0)), 1))[0].startswith(
        "Trick 1, held: N, the king"
    )


# What else is refused


@pytest.mark.parametrize("seat", [0, 1])
def test_C1_C2_nothing_is_claimed_or_undone_with_a_referee(seat: int) -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC")
    assert "every card is played" in told(state, Claim(seat), seat)
    assert "no card is taken back at will" in told(state, AskUndo(seat), seat)


def test_I4_a_trick_waits_for_its_winner() -> None:
    state = play(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3C 4C")
    assert told(state, Play(1, Card("3H")), 1) == "N is to turn the trick down first."
    assert told(state, TurnDown(1), 1, FR) == "C’est à N de retourner la levée."
    assert EN.refusal(refused(state, TurnDown(1))) == "It is for seat 1 to turn the trick down."


def test_a_referee_does_not_tell_the_hand_again() -> None:
    state = dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2")
    assert told(state, Play(0, Card("3H")), 0) == "You do not hold the 3 of hearts."


def test_S7_the_sheet_says_which_deal_was_stopped() -> None:
    state = turned(dealt("C: A2", "C: 3 H: 3", "C: 4 H: 2"), "AC 3H 4C")
    state = after(state, ClaimRevoke(2, 1, 1), Cut(2))
    assert EN.score_sheet(seen(state, 1))[-1] == "Deal 1. Revoke: you (I5)."


@pytest.mark.parametrize("players", [3, 5, 7])
def test_a_disorderly_match_is_told_in_both_languages(players: int) -> None:
    log = match_log(make_ruleset("coeurs-table", {"players": players}), players, restless=True)
    for words in (FR, EN):
        for each in story(log, 0, words, Verbosity.NORMAL):
            assert each.lines or not isinstance(each.event, TrickTaken)
