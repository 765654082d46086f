"""What is heard around a match: who comes and goes, what everybody waits for, and clocks."""

from __future__ import annotations

import pytest
from kit.tables import ANNE, BRUNO, CLEO, Table, setup, started
from referee.refereeing import after, play, turned
from referee.refereeing import dealt as refereed
from rulesets import dealt
from rulesets import play as play_lawfully

from volte import game, table
from volte.game import AskUndo, Phase, Refusal, legal_actions, to_act
from volte.referee import Accept, RefereedMatch, visible
from volte.say import Words
from volte.table import Happening, Setup, Someone, Why
from volte.table import commands as cmd
from volte.table.telling import clock_words, named, status, tell_room
from volte.view import View, project

EN = Words("en")
EVERYBODY = frozenset({ANNE.id, BRUNO.id, CLEO.id})


def heard(at: Table, outcome: tuple[Happening, ...] | Refusal, *listeners: Someone) -> list[str]:
    """What those people hear of it, in English, each all of it."""
    lines: dict[str, list[str]] = {who.id: [] for who in listeners}
    assert not isinstance(outcome, Refusal), outcome
    for happening in outcome:
        before = at.state
        at.take((happening,))
        for who in listeners:
            lines[who.id] += tell_room(EN, before, happening, at.state, who.id)
    return [" ".join(said) for said in lines.values()]


def all_hear(at: Table, who: Someone, command: cmd.Command) -> list[str]:
    """What Anne, Bruno and Cléo hear of what somebody does."""
    return heard(at, at.decide(who, command), ANNE, BRUNO, CLEO)


def said(at: Table, who: Someone, ready: tuple[str, ...] = (), words: Words = EN) -> str:
    """What somebody is told is going on."""
    seat, view = at.state.seat_of(who.id), None
    if at.state.match is not None:
        view = View.of(seat, [visible(event, seat) for event in at.match_log()])
    return status(words, at.state, view, seat, EVERYBODY, ready, who.id)


# Who comes and goes


def test_sitting_down_and_getting_up() -> None:
    at = Table()
    assert all_hear(at, ANNE, cmd.Sit(0))[:2] == ["You sit down.", "Anne sits down."]
    assert all_hear(at, ANNE, cmd.SeatBot(1, "casual"))[0] == "Alice sits down: a bot, casual."
    assert all_hear(at, BRUNO, cmd.Sit(1))[:2] == [
        "Bruno takes Alice's place.",
        "You take Alice's place.",
    ]
    assert all_hear(at, BRUNO, cmd.Stand())[:2] == [
        "Bruno leaves the seat.",
        "You no longer have a seat.",
    ]


def test_opening_a_table() -> None:
    (opened,) = table.open_table(setup(), ANNE)
    state = table.fold([opened])
    assert tell_room(EN, None, opened, state, ANNE.id) == ("You open the table.",)
    assert tell_room(EN, None, opened, state, BRUNO.id) == ("Anne opens the table.",)


def test_in_a_match_a_bot_plays_on() -> None:
    at = started()
    assert all_hear(at, BRUNO, cmd.Stand())[0] == ("Bruno leaves the seat. David, a bot, plays on.")


def test_being_sent_away() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    assert all_hear(at, ANNE, cmd.Remove(1, bar=True)) == [
        "Bruno leaves the seat. You have sent Bruno away for good.",
        "You no longer have a seat."
        " The host has sent you away: you cannot come back to this table.",
        "Bruno leaves the seat. The host has sent Bruno away for good.",
    ]


def test_seats_that_change_places() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    assert all_hear(at, ANNE, cmd.Swap(0, 1)) == [
        "You change places with Bruno.",
        "You change places with Anne.",
        "Bruno and Anne change places.",
    ]
    assert all_hear(at, ANNE, cmd.Swap(2, 0))[1] == "You move to another seat."
    assert all_hear(at, ANNE, cmd.Swap(2, 3))[0] == "Bruno moves to another seat."
    assert all_hear(at, ANNE, cmd.Swap(0, 2)) == ["", "", ""]


def test_another_host() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    assert all_hear(at, ANNE, cmd.HandOver(1))[:2] == [
        "Bruno is the host now.",
        "You are the host now.",
    ]


@pytest.mark.parametrize(
    ("why", "own", "others"),
    [
        (
            Why.CONNECTION,
            "Your connection is lost; a bot plays for you until you are back.",
            "The connection to Bruno is lost; a bot plays there meanwhile.",
        ),
        (
            Why.CLOCK,
            "Your time is up; a bot plays for you until you do something.",
            "The time is up for Bruno; a bot plays there meanwhile.",
        ),
        (
            Why.HOST,
            "At the host's wish a bot plays for you until you do something.",
            "At the host's wish a bot plays for Bruno.",
        ),
        (
            Why.OWN,
            "A bot plays for you until you are back.",
            "Bruno is away for a while; a bot plays there meanwhile.",
        ),
    ],
)
def test_a_bot_that_stands_in_is_told_to_everybody(why: Why, own: str, others: str) -> None:
    at = started()
    told = heard(at, table.stand_in(at.state, 1, why), CLEO, BRUNO)
    assert told == [others, own]
    assert all_hear(at, BRUNO, cmd.Back())[:2] == ["Bruno is back.", "You play yourself again."]


def test_the_host_who_lets_a_bot_play_is_spoken_to() -> None:
    at = started()
    assert all_hear(at, ANNE, cmd.Replace(1))[0] == "You let a bot play for Bruno."


def test_pauses() -> None:
    at = started()
    assert all_hear(at, BRUNO, cmd.Pause())[:2] == [
        "Bruno pauses the match.",
        "You pause the match.",
    ]
    assert all_hear(at, ANNE, cmd.Unpause())[:2] == [
        "You let the match go on.",
        "Anne lets the match go on.",
    ]
    assert heard(at, table.pause_empty(at.state), ANNE) == ["Nobody is here: the match waits."]
    assert heard(at, table.resume_present(at.state), ANNE) == ["The match goes on."]


def test_a_host_without_a_seat_is_spoken_to_as_well() -> None:
    at = started(people=(BRUNO,))
    assert all_hear(at, ANNE, cmd.Pause())[:2] == ["You pause the match.", "Anne pauses the match."]


def test_clocks() -> None:
    at = started(setup(clock=60))
    at.play_until(Phase.PASSING)
    assert all_hear(at, BRUNO, cmd.MoreTime())[:2] == [
        "Bruno has 180 seconds more.",
        "You have 180 seconds more.",
    ]
    assert all_hear(at, BRUNO, cmd.AcceptClock(True))[:2] == [
        "Bruno agrees to the short clock.",
        "You agree to the short clock.",
    ]
    assert all_hear(at, BRUNO, cmd.AcceptClock(False))[:2] == [
        "The short clock no longer binds Bruno.",
        "The short clock no longer binds you.",
    ]
    assert clock_words(EN, 10) == "You have 10 seconds left. You can ask for more time."
    assert clock_words(EN, 1).startswith("You have 1 second left.")


def test_a_table_set_up_differently_says_what_has_changed() -> None:
    at = Table(seat=0)
    other = Setup("Club", setup("salon", players=5).rules, clock=40, hints=False)
    assert all_hear(at, ANNE, cmd.Change(other))[1] == (
        "The table is set up differently. It is called “Club” now. It has 5 seats now."
        " Other rules are played: look at them before the match."
        " There are 40 seconds for each choice. There are no hints any more."
    )
    back = Setup("Club", other.rules)
    assert all_hear(at, ANNE, cmd.Change(back))[1] == (
        "The table is set up differently. There is no clock any more. Hints may be asked for."
    )
    kept = {
        90: "When a connection is lost, the seat is kept for 90 seconds.",
        0: "When a connection is lost, a bot plays at once.",
        None: "When a connection is lost, the seat is kept as long as is usual here.",
    }
    for grace, line in kept.items():
        now = Setup("Club", other.rules, grace=grace)
        assert all_hear(at, ANNE, cmd.Change(now))[1] == f"The table is set up differently. {line}"


def test_events_of_the_match_are_told_elsewhere() -> None:
    at = Table(seat=0)
    bots = len([seat for seat in at.state.seats if seat.free])
    outcome = at.decide(ANNE, cmd.Start())
    assert not isinstance(outcome, Refusal)
    at.take(outcome[:bots])
    assert heard(at, outcome[bots:], ANNE) == [""]


def test_a_closed_table() -> None:
    at = Table(seat=0)
    assert all_hear(at, ANNE, cmd.Close())[1] == "The table is closed."
    assert said(at, BRUNO) == "The table is closed."


# What is going on


def test_before_a_match_the_host_is_waited_for() -> None:
    at = Table(seat=0)
    assert said(at, ANNE) == "You can begin the match; bots take the free seats."
    assert said(at, BRUNO) == "It is for Anne to begin the match. 3 seats are free."
    at.do(BRUNO, cmd.Sit(1))
    assert said(at, BRUNO) == "It is for Anne to begin the match."
    at.do(ANNE, cmd.SeatBot(2, "casual"))
    at.do(ANNE, cmd.SeatBot(3, "casual"))
    assert said(at, ANNE) == "You can begin the match."


def test_a_match_from_the_lots_to_its_end() -> None:
    at = started(setup(match_end="deals:2"))
    assert said(at, ANNE) == "The first dealer is being drawn."
    at.play_until(Phase.DEALING)
    assert said(at, CLEO) == "The cards are being shuffled."
    at.play_until(Phase.PASSING)
    taker = at.match.rules.direction(1).target(0, 4)
    name = at.state.seats[taker].name
    assert said(at, ANNE) == f"Choose {at.match.rules.passing.count} cards to pass to {name}."
    at.do(ANNE, cmd.Act(legal_actions(at.match, 0)[0]))
    assert said(at, ANNE) == "Still choosing cards to pass: Bruno, Alice and Chloé."
    at.play_until(Phase.PLAYING)
    (turn,) = to_act(at.match)
    for who in (ANNE, BRUNO):
        own = at.state.seat_of(who.id) == turn
        name = at.state.seats[turn].name
        assert said(at, who) == ("It is your turn to lead." if own else f"It is {name}'s turn.")
    while not at.state.between_deals:
        at.step()
    assert said(at, ANNE) == "The next deal waits for you."
    assert said(at, ANNE, ready=(ANNE.id,)) == "The next deal waits for Bruno."
    assert said(at, CLEO) == "The next deal waits for Anne and Bruno."
    assert said(at, ANNE, ready=(ANNE.id, BRUNO.id)) == "The next deal is about to begin."
    at.play_on()
    assert said(at, ANNE).endswith("You can begin another match.")
    assert said(at, BRUNO).endswith("It is for Anne to begin another match.")
    winner = at.match.players[at.match.winners[0]].name
    if len(at.match.winners) == 1:
        assert said(at, CLEO).startswith(f"{winner} wins the match with")


def test_whoever_has_won_hears_it_while_the_seat_is_theirs() -> None:
    at = Table(setup("coeurs-moyenne", players=3))
    for seat, who in enumerate((ANNE, BRUNO, CLEO)):
        at.do(who, cmd.Sit(seat))
    at.do(ANNE, cmd.Start())
    at.play_on()
    while len(at.match.winners) > 1:
        at.do(ANNE, cmd.Start())
        at.play_on()
    winner = at.match.winners[0]
    who = at.person(winner)
    assert said(at, who).startswith("You win the match with")
    at.do(ANNE, cmd.Swap(winner, (winner + 1) % 3))
    assert said(at, who).startswith(f"{who.name} wins the match with")


def test_a_pause_says_whose_it_is() -> None:
    at = started()
    at.do(BRUNO, cmd.Pause())
    assert said(at, ANNE) == "Bruno has paused the match."
    assert said(at, BRUNO) == "You have paused the match."
    at.do(BRUNO, cmd.Unpause())
    at.take(table.pause_empty(at.state))
    assert said(at, ANNE) == "The match waits until somebody is here again."


def test_who_is_not_there_is_said_to_be_gone_until_a_bot_plays() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    while to_act(at.match) != (1,):
        at.step()
    view = View.of(0, [visible(event, 0) for event in at.match_log()])
    assert status(EN, at.state, view, 0, {ANNE.id}) == (
        "It is Bruno's turn; the connection is lost, and a bot plays soon."
    )
    at.take(table.stand_in(at.state, 1, Why.CONNECTION))
    assert status(EN, at.state, view, 0, {ANNE.id}) == "It is Bruno's turn."
    assert said(at, BRUNO).endswith("A bot plays for you.")


def test_C2_an_undo_is_put_to_those_who_must_allow_it() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    while to_act(at.match) != (0,):
        at.step()
    (play, *_) = legal_actions(at.match, 0)
    at.do(ANNE, cmd.Act(play))
    at.do(ANNE, cmd.Act(AskUndo(0)))
    assert isinstance(play, game.Play)
    assert said(at, BRUNO) == f"Anne asks to take {EN.the_card(play.card)} back: do you allow it?"
    assert said(at, ANNE) == "You have asked to take a card back. Still to answer: Bruno."
    assert said(at, CLEO) == "Anne has asked to take a card back. Still to answer: Bruno."


def test_where_nobody_may_watch_no_more_is_said_than_that_a_match_is_played() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    assert status(EN, at.state, None, None, EVERYBODY) == "A match is being played."


def test_whoever_has_taken_over_a_seat_is_called_by_their_own_name() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    at.let_sit(CLEO, 2)
    view = View.of(0, [visible(event, 0) for event in at.match_log()])
    assert [player.name for player in named(view, at.state).state.players] == [
        "Anne",
        "Bruno",
        "Cléo",
        "Chloé",
    ]
    at.do(ANNE, cmd.Close())


def test_names_are_shown_harmless() -> None:
    at = Table(seat=0)
    at.do(Someone("p-x", "Zo\n\x1bé"), cmd.Sit(1))
    outcome = at.decide(ANNE, cmd.Remove(1))
    assert heard(at, outcome, ANNE) == ["Zo é leaves the seat."]


# With a referee


def waited_for(state: RefereedMatch, seat: int, words: Words = EN) -> str:
    """What Anne at seat 0 or Bruno at seat 1 is told the match waits for."""
    who = (ANNE, BRUNO)[seat]
    view = View(seat, project(state, seat))
    return status(words, started().state, view, seat, EVERYBODY, (), who.id)


def test_I4_a_full_trick_waits_for_whoever_has_won_it() -> None:
    state = play(refereed("C: A2", "C: 3 H: 3", "C: 4 H: 2", "C: 5 H: 4"), "AC 3C 4C 5C")
    assert waited_for(state, 0) == "The trick is full: you may turn it down."
    assert waited_for(state, 1) == "The trick is full: Anne is to turn it down."
    assert waited_for(state, 1, Words("fr")).endswith("c’est à Anne de la retourner.")


def test_I6_a_deal_that_is_over_waits_for_the_cut_or_for_everybody() -> None:
    hands = ("C: A2", "C: 3 H: 3", "C: 4 H: 2", "C: 5 H: 4")
    over = turned(turned(refereed(*hands), "AC 3C 4C 5C"), "2C 3H 2H 4H")
    names = [seat.name for seat in started().state.seats]
    assert waited_for(over, 0) == f"The deal is over: {names[3]} is to cut for the next one."
    one_deal = refereed(*hands, options={"match_end": "deals:1"})
    last = turned(turned(one_deal, "AC 3C 4C 5C"), "2C 3H 2H 4H")
    assert waited_for(last, 1) == "The last deal is over: you are to accept the scores."
    assert waited_for(after(last, Accept(1)), 1).startswith("Still to accept the scores: Anne")


# The wider family


def waiting(state: game.MatchState, seat: int, words: Words = EN) -> str:
    """What Anne at seat 0 or Bruno at seat 1 is told of such a match at their table."""
    who = (ANNE, BRUNO)[seat]
    view = View(seat, project(state, seat))
    return status(words, started().state, view, seat, EVERYBODY, (), who.id)


def test_W1_a_scatter_is_chosen_in_the_order_of_the_seats() -> None:
    hands = ("C: 234", "C: 567", "H: 234", "H: 567")
    state = dealt("coeurs", *hands, pass_count=3, pass_cycle=["scatter"])
    assert waiting(state, 0) == (
        "Choose one card for each of the others, in this order: Bruno, Alice and Chloé."
    )
    assert waiting(state, 1, Words("fr")).endswith("dans cet ordre\u00a0: Alice, Chloé et Anne.")


def test_W7_a_moon_waits_for_whoever_chooses() -> None:
    hands = ("H: A2", "C: 2 H: 3", "C: 3 H: 4", "C: 4 H: 5")
    state = dealt("coeurs", *hands, moon="shooter_chooses")
    state = play_lawfully(state, "AH 3H 4H 5H 2H 2C 3C 4C")
    assert waiting(state, 0) == "You are to choose how your moon counts."
    assert waiting(state, 1, Words("fr")) == "C’est à Anne de choisir comment compte la volte."
    judged = refereed(*hands, options={"moon": "shooter_chooses"})
    over = turned(turned(judged, "AH 3H 4H 5H"), "2H 2C 3C 4C")
    assert waited_for(over, 0) == "You are to choose how your moon counts."
    assert waited_for(over, 1) == "Anne is to choose how the moon counts."


def test_W10_a_side_wins_together() -> None:
    state = dealt("partnership", "C: 2", "S: 2", "D: 2", "H: 2", match_end="deals:1")
    state = play_lawfully(state, "2C 2S 2D 2H")
    assert waiting(state, 0).startswith("N and S win the match with 0 points.")
