"""`volte.Match`: a match is played card by card, refused in sentences, and told as text."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import pytest
from kit.front import on_by_chance

import volte
from volte import game, referee
from volte.fair import House
from volte.game import (
    AskUndo,
    Exchanged,
    MatchStarted,
    Phase,
    Player,
    PlayTakenBack,
    ProvedChance,
)
from volte.notation import format_record
from volte.rules import make_ruleset

NAMES: Final = ("Anne", "Jean", "Zoé")


def playing(rules: str = "coeurs", players: int = 5, seed: int = 1) -> volte.Match:
    """A match whose first trick is about to begin."""
    match = volte.Match(rules, players=players, seed=seed)
    while match.phase is Phase.PASSING:
        seat = match.to_act[0]
        match.do(volte.hint(match.view(seat)).action)
    return match


# Rules and players


def test_without_anything_four_play_dame_de_pique() -> None:
    match = volte.Match()
    assert match.rules == make_ruleset("dame-de-pique")
    assert [player.name for player in match.players] == ["Alice", "Bruno", "Chloé", "David"]
    assert match.to_act == (0, 1, 2, 3)


def test_names_say_how_many_play() -> None:
    match = volte.Match(players=NAMES)
    assert match.rules == make_ruleset("salon", {"players": 3})
    assert [(player.name, player.person) for player in match.players] == [
        (name, True) for name in NAMES
    ]


def test_a_ruleset_plays_as_it_is() -> None:
    rules = volte.ruleset("coeurs", players=3, queen_discard="free")
    assert volte.Match(rules, players=NAMES).rules == rules


def test_there_is_a_name_for_every_seat() -> None:
    sentence = r"^One table needs 4 players, not 3: name one for each seat\.$"
    with pytest.raises(volte.VolteError, match=sentence):
        volte.Match(volte.presets["coeurs"], players=NAMES)


def test_what_cannot_be_played_is_said_in_either_language() -> None:
    for cannot in (lambda: volte.Match("whist"), lambda: volte.ruleset("whist")):
        with pytest.raises(volte.VolteError) as caught:
            cannot()
        assert caught.value.reason == "no_such_preset"
        assert str(caught.value).startswith("There is no preset “whist”: choose one of coeurs, ")
        assert caught.value.say("fr").startswith("Le jeu «\xa0whist")
        for again in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
            assert str(again) == str(caught.value)


def test_the_same_seed_deals_the_same() -> None:
    assert volte.Match(seed=1) == volte.Match(seed=1) != volte.Match(seed=2)
    drawn = volte.Match()
    assert volte.Match(seed=drawn.seed) == drawn


def test_a_seed_is_a_number() -> None:
    with pytest.raises(volte.VolteError, match=r"^A seed must be a whole number"):
        volte.Match(seed=-1)


# Playing


def test_P1_cards_are_passed_by_text_or_by_card_in_any_order_of_seats() -> None:
    match = volte.Match(seed=1)
    for seat in (2, 0, 3):
        match.pass_cards(*list(match.view(seat).hand)[:3], seat=seat)
    assert match.turn == 1
    text = " ".join(map(str, list(match.legal)[:3]))
    events = match.pass_cards(text)
    assert any(isinstance(event, Exchanged) for event in events)
    assert match.phase is Phase.PLAYING


def test_a_card_is_played_as_a_card_a_text_or_a_play() -> None:
    one, two, three = playing(), playing(), playing()
    card, seat = max(one.legal), one.turn
    assert seat is not None
    assert one.play(card) == two.play(str(card)) == three.play(volte.Play(seat, card))
    assert one == two == three


def test_the_house_deals_by_itself() -> None:
    match = playing("dame-de-pique", 4)
    while not match.scores:
        match.play(min(match.legal))
    assert match.phase is Phase.PASSING
    assert match.state.deal is not None
    assert match.state.deal.number == 2
    assert match.totals == match.scores[0].points
    assert match.points == (0, 0, 0, 0)


def test_a_match_is_played_to_its_end() -> None:
    match = playing("coeurs", 4, seed=3)
    while not match.over:
        match.play(max(match.legal))
    assert match.turn is None
    assert not match.to_act
    assert not match.actions
    assert not match.legal
    assert match.ranking[0] in match.winners
    assert sum(match.points) == match.state.rules.penalty_total
    assert match.totals == match.scores[0].points


def test_C2_an_undo_is_an_action_as_any_other() -> None:
    match = playing()
    seat = match.turn
    assert seat is not None
    match.play(min(match.legal))
    events = match.do(AskUndo(seat))
    assert isinstance(events[-1], PlayTakenBack)
    assert match.turn == seat


# Refusals


def test_T1_a_revoke_is_refused_with_its_clause_and_the_legal_cards() -> None:
    match = playing()
    match.play("KD" if volte.Card("KD") in match.legal else min(match.legal))
    while match.turn is not None:
        view, led = match.view(match.turn), match.view(None).deal.led
        others = [card for card in view.hand if card not in match.legal]
        if others and led is not None:
            break
        match.play(min(match.legal))
    before = match.log
    with pytest.raises(volte.IllegalMove) as caught:
        match.play(others[0])
    assert match.log == before
    fault = caught.value
    assert (fault.clause, fault.legal) == ("T1", match.legal)
    assert str(fault).startswith("Everybody must follow suit: ")
    assert str(fault).endswith(" (T1)")
    assert "You may play the" in str(fault)
    assert fault.say("fr").startswith("Il faut fournir")


def test_what_is_no_card_is_no_move() -> None:
    match = playing()
    with pytest.raises(volte.IllegalMove, match=r"^“XX” is not a card"):
        match.play("XX")
    with pytest.raises(volte.IllegalMove, match="twice"):
        match.pass_cards("QS QS KS")


def test_P1_the_number_of_cards_is_said() -> None:
    match = volte.Match(seed=1)
    with pytest.raises(volte.IllegalMove, match=r"Pass exactly 3 cards, not 1\. \(P1\)"):
        match.pass_cards(min(match.legal))


def test_T2_out_of_turn_is_refused() -> None:
    match = playing()
    assert match.turn is not None
    other = (match.turn + 1) % 5
    with pytest.raises(volte.IllegalMove, match=r"^It is .*’s turn\. \(T2\)$|turn"):
        match.play(volte.Play(other, min(match.view(other).hand)))


def test_a_match_that_is_over_takes_nothing() -> None:
    match = volte.play(*["casual"] * 4, seed=1, deals=1)
    with pytest.raises(volte.IllegalMove, match="You cannot play a card now"):
        match.play("QS")


@pytest.mark.parametrize("irregularities", ["enforced", "refereed"])
@pytest.mark.parametrize("passing", [0, 3])
def test_every_action_there_is_is_taken_or_refused_in_a_sentence(
    irregularities: str, passing: int
) -> None:
    rules = volte.ruleset("coeurs", irregularities=irregularities, pass_count=passing)
    assert {*map(type, ACTIONS)} == {*get_args(referee.Action)}
    refused: list[volte.IllegalMove] = []
    for action in ACTIONS:
        match = volte.Match(rules, seed=1)
        before = match.log
        try:
            events = match.do(action)
        except volte.IllegalMove as illegal:
            refused.append(illegal)
            events = ()
        assert match.log == before + events
    assert all(move.refusal is not None for move in refused)
    for sentence in [move.say(lang) for move in refused for lang in ("en", "fr")]:
        assert re.fullmatch(r"\w.+ .+\.( \(\w\d\))?", sentence)


ACTIONS: Final[Sequence[referee.Action]] = (
    game.Pass(0, tuple(map(volte.Card, ("QS", "AS", "KS")))),
    game.TakeBackPass(0),
    game.Play(0, volte.Card("QS")),
    game.Claim(0),
    game.ChooseMoon(0, minus=True),
    game.AskUndo(0),
    game.AnswerUndo(0, allow=True),
    game.Commit(1, bytes(32)),
    game.Promise(0, bytes(32)),
    game.Contribute(0, b"chance"),
    game.Reveal(1, bytes(32)),
    game.DrawDealer(()),
    game.NameDealer(0),
    game.DealCards(()),
    game.DrawLots(()),
    referee.TakeBack(0),
    referee.Object(0, 1),
    referee.TurnDown(0),
    referee.ClaimRevoke(0, 1, 1),
    referee.Cut(0),
    referee.Accept(0),
    referee.DeclareMisdeal(referee.Misdeal.EXPOSED),
    referee.DealByHand(((),) * 4),
    referee.MixTricks(0),
)


def test_what_the_house_says_of_real_cards_is_taken_at_a_refereed_table() -> None:
    rules = volte.ruleset("coeurs", irregularities="refereed", pass_count=0)
    match = volte.Match(rules, seed=1)
    exposed, *_, dealt = match.do(referee.DeclareMisdeal(referee.Misdeal.EXPOSED))
    assert isinstance(exposed, referee.Misdealt)
    assert isinstance(dealt, game.PlayStarted)
    while max(match.state.current_deal.won) < 2:
        match.do(match.actions[0])
    seat = match.state.current_deal.won.index(2)
    mixed, *_ = match.do(referee.MixTricks(seat))
    assert mixed == referee.TricksMixed(seat)


@pytest.mark.parametrize("action", [None, "QS", ACTIONS, game.Play(99, volte.Card("QS"))])
def test_what_is_no_action_is_refused_as_such(action: Any) -> None:
    with pytest.raises(
        volte.IllegalMove, match="is not an action: use one of the classes of volte"
    ):
        volte.Match(seed=1).do(action)


def test_a_card_in_an_action_may_be_its_text_and_a_seat_a_number_of_numpy() -> None:
    one, other = playing(), playing()
    card, seat = max(one.legal), one.turn
    loose: Any = volte.Play(np.int64(seat), str(card))  # type: ignore[arg-type]
    assert one.do(loose) == other.play(card)


def test_there_are_only_so_many_seats() -> None:
    match = volte.Match(seed=1)
    for seat in (-1, 4):
        with pytest.raises(IndexError, match=r"^There is no seat (−1|4): choose "):
            match.view(seat)
    with pytest.raises(volte.IllegalMove, match="There is no seat 10"):
        match.do(volte.Claim(9))


# As text


def test_a_record_is_written_and_read(tmp_path: Path) -> None:
    match = on_by_chance(volte.Match("salon", seed=3), 40, seed=1)
    match.save(tmp_path / "evening.volte")
    for source in (tmp_path / "evening.volte", str(tmp_path / "evening.volte"), match.record()):
        assert volte.read(source) == match
    assert volte.read(match.record().encode()) == match


def test_a_record_is_dealt_on_from_a_seed() -> None:
    match = volte.play(*["casual"] * 4, seed=1, deals=1)
    log = [MatchStarted(volte.ruleset("dame-de-pique"), match.players), *match.log[1:-1]]
    stopped = format_record(log)
    assert volte.read(stopped).turn is None
    assert volte.read(stopped, seed=5).turn == 0
    assert volte.read(stopped, seed=5) == volte.read(stopped, seed=5)


def test_D3_a_proved_match_goes_on_by_its_master() -> None:
    house = House.from_seed(1)
    rules = volte.ruleset("dame-de-pique", match_end="deals:2")
    log = [MatchStarted(rules, tuple(map(Player, "ABCD")))]
    match = volte.Match.of(log, ProvedChance(house), master=house.master)
    again = volte.read(match.record())
    assert again.turn == 0
    on_by_chance(again, 10**6, seed=1)
    assert again.over
    assert "Master" not in again.record()
    assert volte.read(again.record()) == again
    other = match.record().replace(house.master.hex(), bytes(32).hex())
    with pytest.raises(volte.VolteError, match="another match"):
        volte.read(other)
    without = re.sub("Master: .*\n", "", match.record())
    stopped = on_by_chance(volte.read(without, seed=1), 10**6, seed=1)
    assert stopped.turn is None
    assert not stopped.over


def test_what_is_wrong_with_a_record_is_said_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(volte.VolteError, match=r"^Line 2: there is no preset “whist”"):
        volte.read("Volte record 1\nRules: whist\n")
    with pytest.raises(volte.VolteError, match=r"^Cannot read .*nothing\.volte: No such file"):
        volte.read(tmp_path / "nothing.volte")


def test_what_cannot_be_saved_is_said(tmp_path: Path) -> None:
    with pytest.raises(volte.VolteError, match=r"^Cannot save .*: Not a file"):
        volte.Match(seed=1).save(tmp_path)


def test_it_says_how_it_stands() -> None:
    match = playing()
    match.play("2C")
    assert repr(match).startswith("<Match of coeurs, 5 players: deal 1, trick 1 of 10, ")
    assert str(match).splitlines() == [
        "coeurs, 5 players: deal 1, trick 1 of 10",
        "seat  name   total  deal  cards  table  state",
        "0     Alice      0     0      9  2C",
        "1     Bruno      0     0     10         to act",
        "2     Chloé      0     0     10",
        "3     David      0     0     10",
        "4     Emma       0     0     10",
    ]
    assert match.show() == str(match)
    hands = match.show(reveal=True).splitlines()[-5:]
    for seat, line in enumerate(hands):
        assert line == f"hand of seat {seat}: {match.view(seat).hand}"


# Moons that their shooter counts


def test_W7_a_moon_is_counted_as_its_shooter_chooses() -> None:
    rules = volte.ruleset("scatter", match_end="deals:1")
    for seed in range(400):
        match = on_by_chance(volte.Match(rules, seed=seed), 10**6, seed=seed, until=Phase.CHOOSING)
        if match.phase is Phase.CHOOSING:
            break
    else:
        pytest.skip("nobody has shot the moon by chance")
    assert match.turn is not None
    advice = volte.hint(match.view(match.turn))
    assert isinstance(advice.action, volte.ChooseMoon)
    assert not advice.cards
    assert str(advice).startswith("Better: ")
    match.do(advice.action)
    assert match.over
