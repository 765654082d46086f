"""A match that is over, as a real screen reader tells it again, and the proof of its deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kit import Player, keep, open_playroom, played
from kit.browser.backdrops import AT, badly_played, review
from kit.orca.desk import ZONE, Desk
from kit.orca.ear import Ear, compare
from kit.orca.lone import Lone
from kit.orca.playroom import Guest
from kit.studying import Attendee, begin, sat

from volte.game import Event, Play
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Someone, Watching

pytestmark = pytest.mark.full


def match() -> list[Event]:
    return played(make_ruleset("microsoft", {"match_end": "deals:2"}), 3)


@contextmanager
def looking_back(folder: Path, lang: str, page: str) -> Iterator[Ear]:
    """Somebody by ear, on a page of a match that they could have watched."""
    with open_playroom(folder) as playroom, Guest(playroom, lang) as guest, Desk(lang) as desk:
        store, somebody = playroom.site.room.store, Someone("somebody", "Zoé")
        row = playroom.do(keep(store, somebody, match(), watching=Watching.AFTERWARDS))
        ear = Ear(desk)
        guest.open(ear, f"/matches/{row.id}/{page}", page)
        yield ear


def test_a_match_is_heard_again(tmp_path: Path, lang: str) -> None:
    with looking_back(tmp_path, lang, "replay") as ear:
        listen_to_the_replay(ear)


def listen_to_the_replay(ear: Ear) -> None:
    """By the keys of the slider, and by buttons."""
    ear.seek("h", "what is going on")
    ear.chapter("replay")
    ear.seek("Tab", "step")
    ear.press("Right", "Right", "Right", "Next", "Next", "Prior", "End", "Home")
    ear.seek("Tab", "card on")
    ear.press("Return", "Return", "Tab", "Return")
    compare(ear)


def test_a_review_together_is_heard(tmp_path: Path, lang: str) -> None:
    """Anne leads; Zoé follows, then leads and tries a card."""
    with open_playroom(tmp_path) as playroom, Guest(playroom, lang) as guest, Desk(lang) as desk:

        async def begun() -> Attendee:
            anne = await Player.come(playroom.address, "Anne")
            row = await sat(playroom.site, anne, watching=Watching.AFTERWARDS)
            return await Attendee.come(anne, await begin(anne, row.id))

        anne, ear = playroom.do(begun()), Ear(desk)

        def does(what: str, **fields: Any) -> Callable[[], str]:
            return lambda: playroom.do(anne.do(what, **fields))

        guest.open(ear, f"/studies/{anne.study}", "a review", word="Anne leads")
        ear.seek("h", "what is going on")
        ear.chapter("study")
        ear.listen("Anne goes to a step", does("lead", deal=1, step=2), "Anne plays")
        ear.listen("Anne tries a line", does("try", deal=1, step=2), "a line")
        ear.listen("Anne goes back", does("back"), "back to match")
        ear.listen("Zoé is to lead", does("hand", to=guest.person), "Zoé leads")
        ear.seek("Tab", "step")
        ear.press("Right", "Left")
        ear.seek("Tab", "line begin")
        ear.pass_over("Return", "choose a card")
        ear.press("Tab", "Tab")
        playroom.do(anne.leave())
        compare(ear)


def test_the_proof_of_the_deals_is_heard(tmp_path: Path, lang: str) -> None:
    with looking_back(tmp_path, lang, "proof") as ear:
        listen_to_the_proof(ear)


def listen_to_the_proof(ear: Ear) -> None:
    ear.seek("Tab", "check")
    ear.chapter("proof")
    ear.press("Return", "Tab", "Return")
    compare(ear)


def test_my_matches_are_heard(tmp_path: Path, lang: str) -> None:
    with (
        open_playroom(tmp_path) as playroom,
        Guest(playroom, lang, zone=ZONE) as guest,
        Desk(lang) as desk,
    ):
        zoe = Someone(guest.person, guest.name)
        playroom.do(keep(playroom.site.room.store, zoe, match(), at=AT))
        listen_to_my_matches(guest, Ear(desk))


def listen_to_my_matches(guest: Guest | Lone, ear: Ear) -> None:
    """From the list to a result, and on to where it is told again."""
    ear.chapter("matches")
    guest.open(ear, "/matches")
    ear.press("h", "h", *["Down"] * 4)
    ear.seek("Tab", "result of")
    ear.turn("Return", "match on")
    ear.press("Down", "Down", "t", *["Down"] * 3)
    ear.reach("h", "ways back")
    ear.reach("Tab", "look again")
    ear.turn("Return", "match on")
    ear.press("Down")
    compare(ear)


def test_a_costly_choice_is_tried_again(tmp_path: Path, lang: str) -> None:
    """From the list to the first choice; a card, its answer, and the choice after it."""
    with open_playroom(tmp_path) as playroom, Guest(playroom, lang) as guest, Desk(lang) as desk:
        ear, zoe = Ear(desk), Someone(guest.person, guest.name)
        best = badly_played()[1].costly[0].weighed[0].action
        assert isinstance(best, Play)
        match = playroom.do(keep(playroom.site.room.store, zoe, badly_played()[0])).id
        review(playroom, match, zoe.id)
        guest.open(ear, f"/matches/{match}/review", "review")
        ear.chapter("review")
        ear.press("h", "h", "h")
        ear.pass_over("plus", "choice 1")
        ear.press("h", "h")
        ear.seek("Tab", "hand")
        ear.press("Return", "Tab", "Return")
        ear.seek("Right", Words(lang).card(best.card))
        ear.press("Return", "Tab")
        ear.pass_over("plus", "choice 2")
        compare(ear)
