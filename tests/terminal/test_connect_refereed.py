"""Refereed tables of a playroom, from the terminal: acts at any moment, and waits for others."""

from __future__ import annotations

import re

from kit import PACK, Playroom
from kit.terminals import Guest, Stubborn, match_log, wait_for

from volte.cards import read_cards
from volte.game import MatchEnded
from volte.referee import Accepted, DealCut, Event, Objected, RevokeClaimed, TakenBack
from volte.rules import make_ruleset

CARDS = read_cards("C: 65432 H: 5432")
TINY = make_ruleset(
    "coeurs-table",
    {
        "players": 3,
        "removed": [str(card) for card in PACK if card not in CARDS],
        "kitty": "none",
        "pass_count": 0,
        "pass_cycle": ["left"],
        "match_end": "deals:3",
    },
)
"""Three deals of three tricks, in which everybody leads first once."""


SETTINGS = {"turn_down": 0.05, "cut": 5}


def acted(log: list[Event], *kinds: type) -> list[Event]:
    return [event for event in log if isinstance(event, kinds)]


def test_I4_I6_a_match_is_played_turned_down_cut_and_accepted(
    playroom: Playroom, anne: Guest
) -> None:
    table = anne.open("casual", "casual", rules=TINY)
    anne.sit(table, Stubborn(), begin=True)
    anne.leaves()
    assert anne.said.startswith("This table leaves mistakes to a referee: ")
    log = match_log(playroom, table)
    assert len(acted(log, DealCut)) == 2
    assert len(acted(log, Accepted)) == 3
    assert isinstance(acted(log, MatchEnded)[0], MatchEnded)
    asked = re.findall(r"^Press Enter to (?:let \w+ )?cut for the next deal\.", anne.said, re.M)
    assert len(asked) >= 2  # a question comes again when somebody has done something meanwhile
    assert "Press Enter to accept the scores." in anne.said
    assert "no longer" not in anne.said


def test_I9_a_claim_is_made_before_the_cut(playroom: Playroom, anne: Guest) -> None:
    class Suspicious(Stubborn):
        def __call__(self, heard: str) -> str:
            if "cut for the next deal." in heard and "You claim" not in anne.said:
                return "v alice 1"
            return super().__call__(heard)

    table = anne.open("casual", "casual", rules=TINY)
    anne.sit(table, Suspicious(), begin=True)
    anne.leaves()
    claims = [each for each in match_log(playroom, table) if isinstance(each, RevokeClaimed)]
    assert [each.clause for each in claims if each.seat == 0] == [""]
    assert "You claim that Alice revoked in trick 1. That was a mistake; it costs" in anne.said


def test_I2_a_card_typed_out_of_turn_is_asked_back(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    def she_opens() -> bool:
        """Whether Anne is to lead, and nobody has played in this deal: no claim can end it."""
        text = anne.said.rpartition("It is your lead.\n")[2]
        return text.endswith("Your lead?\n") and not re.search(r" the \w+ of \w+$", text, re.M)

    class Host(Stubborn):
        """Waits with her first lead of a deal until Paul has played before her, and objects."""

        objected = False

        def __call__(self, heard: str) -> str:
            if she_opens() and not self.objected:
                anne.hears(", out of turn$")
                self.objected = True
                return "o paul"
            return super().__call__(heard)

    class Hasty(Stubborn):
        """Plays a card as soon as they have heard of the deal that Anne is to open, once."""

        seen = 0
        hasty = False

        def __call__(self, _: str) -> str:
            printed = ""

            def asked() -> bool:
                nonlocal printed
                printed = paul.said
                return bool(re.search(r"[?.] \Z", printed[self.seen :]))

            def may() -> bool:
                deals = [len(re.findall(r"^Deal \d+: ", x, re.M)) for x in (printed, anne.said)]
                return deals[0] == deals[1] and she_opens()

            wait_for(
                lambda: asked() or (not self.hasty and may()),
                lambda: anne.said + "\n=====\n" + paul.said,
            )
            heard, self.seen = printed[self.seen :], len(printed)
            if heard.endswith(" "):
                return super().__call__(heard)
            self.hasty = True
            return ".1"

    table = anne.open("", "casual", rules=TINY)
    paul.sit(table, Hasty(), at_terminal=True)
    paul.hears("You sit down")
    anne.sit(table, Host(), begin=True)
    anne.hears("^You object to")
    paul.hears("You take the .* back")
    log = match_log(playroom, table)
    (objected,) = acted(log, Objected)
    assert (getattr(objected, "clause", None), getattr(objected, "against", None)) == ("I2", 1)
    (back,) = acted(log, TakenBack)
    assert getattr(back, "clause", None) == "I2"
    assert ", before your turn" in paul.said
    for guest in (anne, paul):
        guest.leaves()
