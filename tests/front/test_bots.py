"""`volte.play` and `volte.hint`: levels, bots and functions play, and advice says why."""

from __future__ import annotations

from typing import Any

import pytest

import volte


def lowest(view: volte.View) -> volte.Card | list[volte.Card]:
    """Plays its lowest card, and passes its first ones."""
    return min(view.legal) if view.legal else list(view.hand)[: view.deal.pass_size]


def in_words(view: volte.View) -> str:
    """Answer with the text of the lowest card, or of the first cards."""
    answer = lowest(view)
    return str(answer) if isinstance(answer, volte.Card) else " ".join(map(str, answer))


class Lowest:
    """A bot that plays as `lowest` does, with a clock."""

    def choose(self, view: volte.View, clock: volte.Clock) -> volte.Play | volte.Pass:
        assert view.seat is not None
        answer = lowest(view)
        if isinstance(answer, volte.Card):
            return volte.Play(view.seat, answer)
        return volte.Pass(view.seat, tuple(answer))


def test_functions_texts_and_bots_play_alike() -> None:
    matches = [volte.play(bot, *["casual"] * 3, seed=1, deals=2) for bot in (lowest, in_words)]
    bot = Lowest()
    for each in (bot, lambda view: bot.choose(view, volte.Clock())):
        matches.append(volte.play(each, *["casual"] * 3, seed=1, deals=2))
    assert matches[0].over
    assert len(matches[0].scores) == 2
    assert all(match == matches[0] for match in matches)


def test_as_many_play_as_there_are_bots() -> None:
    match = volte.play(*["casual"] * 3, seed=1, deals=1)
    assert match.rules == volte.ruleset("salon", players=3, match_end="deals:1")
    assert [player.level for player in match.players] == ["casual"] * 3


def test_a_match_of_bots_is_a_match() -> None:
    match = volte.play(*["casual"] * 5, rules="coeurs", seed=2)
    assert volte.read(match.record()) == match
    assert match.seed == 2
    assert volte.play(*["casual"] * 5, rules="coeurs", seed=2) == match
    assert volte.play(*["casual"] * 5, rules="coeurs").seed is not None


def test_I1_bots_play_at_a_refereed_table() -> None:
    assert volte.play(*["casual"] * 4, rules="coeurs-table", seed=1).over


def test_a_bot_that_plays_what_it_may_not_is_told_why() -> None:
    def queen(view: volte.View) -> Any:
        return "QS" if view.legal else lowest(view)

    with pytest.raises(volte.IllegalMove, match=r"^You do not hold the queen"):
        volte.play(queen, *["casual"] * 3, seed=1)


@pytest.mark.parametrize("answer", [None, 7, "", "2C 3C", "XX"])
def test_a_function_that_answers_nonsense_is_told_what_is_wanted(answer: Any) -> None:
    def nonsense(view: volte.View) -> Any:
        return answer if view.legal else lowest(view)

    with pytest.raises(volte.IllegalMove, match=r"^The bot in seat 0 answered |is not a card"):
        volte.play(nonsense, *["casual"] * 3, seed=1)


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^“bots” has the wrong type: "):
        volte.play(7, *["casual"] * 3)  # type: ignore[arg-type]
    with pytest.raises(volte.VolteError, match=r"^There is no player “genius”"):
        volte.play("genius", *["casual"] * 3)


@pytest.mark.parametrize("bots", [0, 1, 11])
def test_there_is_a_bot_for_every_seat(bots: int) -> None:
    with pytest.raises(volte.VolteError, match=f"^The game is for 3 to 7 players, not {bots}"):
        volte.play(*["casual"] * bots)
    with pytest.raises(volte.VolteError, match=f"^One table needs 4 players, not {bots}"):
        volte.play(*["casual"] * bots, rules=volte.presets["coeurs"])


# Advice


def test_advice_is_a_sentence_in_either_language() -> None:
    match = volte.Match("coeurs", seed=1)
    advice = volte.hint(match.view(0))
    assert str(advice).startswith("Pass the ")
    assert advice.say("fr").startswith("Passez ")
    assert repr(advice) == f"<Advice: {advice}>"
    assert advice.cards <= match.legal
    match.do(advice.action)
    while match.turn is not None:
        advice = volte.hint(match.view(match.turn))
        assert advice.cards <= match.legal
        match.do(advice.action)
    assert match.over


def test_whoever_is_not_asked_gets_no_advice() -> None:
    match = volte.Match("coeurs", seed=1)
    match.do(volte.hint(match.view(0)).action)
    with pytest.raises(volte.IllegalMove):
        volte.hint(match.view(0))
    while match.phase == "passing":
        match.do(volte.hint(match.view(match.to_act[0])).action)
    assert match.turn is not None
    with pytest.raises(volte.IllegalMove, match=r"turn\. \(T2\)"):
        volte.hint(match.view((match.turn + 1) % 4))
    with pytest.raises(volte.IllegalMove):
        volte.hint(match.view(None))
