"""Laws of friendship and of invitations, for any rows about any people."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from volte.friends.circle import (
    AFTER_NO,
    LASTING,
    Circle,
    LastInvitation,
    Stance,
    circle_of,
    invitation_refusal,
)

PEOPLE = ("anne", "bert", "cara", "dora")

pairs = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)).filter(
    lambda each: each[0] != each[1]
)
answers = st.dictionaries(pairs, st.booleans())  # whether the first agrees to the second
mutes = st.frozensets(pairs)
hidden = st.frozensets(pairs)

Answers = Mapping[tuple[str, str], bool]
Pairs = frozenset[tuple[str, str]]


def seen(
    person: str, answers: Answers, muted: Pairs = frozenset(), hidden: Pairs = frozenset()
) -> Circle:
    """The circle of a person, where these answers are stored."""
    own = [
        Stance(True, two, two.title(), agrees, (one, two) in hidden, 1.0, False)
        for (one, two), agrees in answers.items()
        if one == person
    ]
    theirs = [
        Stance(False, one, one.title(), agrees, False, 2.0, (person, one) in muted)
        for (one, two), agrees in answers.items()
        if two == person
    ]
    return circle_of([*own, *theirs])


def ids(circle: Circle) -> dict[str, set[str]]:
    return {
        name: {each.id for each in getattr(circle, name)} for name in ("friends", "asked", "asking")
    }


@given(answers, mutes)
def test_two_people_are_friends_for_both_or_for_neither_and_just_where_both_agree(
    answers: Answers, muted: Pairs
) -> None:
    circles = {person: seen(person, answers, muted) for person in PEOPLE}
    for one in PEOPLE:
        for two in PEOPLE:
            both = bool(answers.get((one, two)) and answers.get((two, one)))
            assert (circles[one].friend(two) is not None) == both
            assert (circles[two].friend(one) is not None) == both


@given(answers, mutes, hidden)
def test_nobody_learns_from_their_circle_that_they_are_declined_muted_or_that_somebody_hides(
    answers: Answers, muted: Pairs, hidden: Pairs
) -> None:
    for person in PEOPLE:
        known = {pair: yes for pair, yes in answers.items() if yes or pair[1] != person}
        own_mutes = frozenset(pair for pair in muted if pair[0] == person)
        own_hidden = frozenset(pair for pair in hidden if pair[0] == person)
        assert seen(person, answers, muted, hidden) == seen(person, known, own_mutes, own_hidden)


@given(answers, mutes)
def test_an_asking_reaches_just_who_has_neither_answered_nor_muted_the_asker(
    answers: Answers, muted: Pairs
) -> None:
    for one in PEOPLE:
        for two in PEOPLE:
            asks = answers.get((one, two)) is True
            reaches = asks and (two, one) not in answers and (two, one) not in muted
            assert (one in ids(seen(two, answers, muted))["asking"]) == reaches
            friends = asks and answers.get((two, one)) is True
            assert (two in ids(seen(one, answers, muted))["asked"]) == (asks and not friends)


times = st.floats(0, 10_000, allow_nan=False)


@given(times, times, st.booleans())
def test_one_invitation_of_a_friend_is_open_at_a_time(
    at: float, later: float, goes_on: bool
) -> None:
    now = at + later
    refused = invitation_refusal(LastInvitation("t", at), now, goes_on) == "invited_already"
    assert refused == (now < at + LASTING and goes_on)


@given(times, times, times, st.booleans())
def test_nobody_is_invited_again_within_ten_minutes_after_a_no_and_after_a_yes_at_once(
    at: float, answer: float, later: float, yes: bool
) -> None:
    answered = at + answer
    refusal = invitation_refusal(LastInvitation("t", at, answered, yes), answered + later)
    soon = answered + later < answered + AFTER_NO
    assert refusal == ("invited_too_soon" if soon and not yes else "")


def test_a_friend_is_found_by_name_whatever_its_case() -> None:
    circle = seen("anne", {("anne", "bert"): True, ("bert", "anne"): True})
    assert [each.id for each in circle.named(" BERT ")] == ["bert"]
    assert circle.named("cara") == ()
