"""Remarks of characters are few, and follow from what everybody has seen."""

from __future__ import annotations

from functools import cache

from kit.bots import table

from volte.bots import make_bot
from volte.game import DealScored
from volte.referee import Event, visible
from volte.rules import make_ruleset
from volte.say import Words
from volte.say.texts.remarks import LINES, Remark, remark
from volte.view import View

WHO = ("alice", "bruno", "chloe", "felix")


@cache
def log() -> tuple[Event, ...]:
    """A match of the characters in `WHO`."""
    driver = table(make_ruleset("dame-de-pique"), [make_bot(who, 1) for who in WHO], 3)
    driver.run()
    return tuple(driver.log)


def seen_by_all() -> list[Event]:
    """The events of the match as an onlooker sees them."""
    return [visible(event, None) for event in log()]


def heard(seat: int | None, lang: str = "en", levels: tuple[str, ...] = WHO) -> list[Remark | None]:
    """Remarks that a seat hears, event by event; seat None is an onlooker."""
    view, words, said = View.of(seat, [log()[0]]), Words(lang), list[Remark | None]()
    for event in log()[1:]:
        seen = visible(event, seat)
        view = view.see(seen)
        said.append(remark(words, seen, view.state, levels))
    return said


def test_everybody_hears_the_same_each_in_their_language() -> None:
    said = heard(None)
    assert any(said)
    assert all(heard(seat) == said for seat in range(4))
    french = heard(0, "fr")
    assert [each and each.seat for each in french] == [each and each.seat for each in said]
    assert all(one != other for one, other in zip(french, said, strict=True) if one)


def test_each_speaks_in_their_own_voice() -> None:
    for each in filter(None, heard(None)):
        own = {lines[WHO[each.seat]] for lines in LINES.values()}
        assert each.line in own


def test_little_is_said_and_nothing_by_a_plain_bot_or_a_person() -> None:
    deals = [event for event in log() if isinstance(event, DealScored)]
    moons = sum(score.moon is not None for score in View.of(None, seen_by_all()).state.deals)
    assert 0 < sum(map(bool, heard(None))) <= len(deals) + moons + 1
    assert not any(heard(None, levels=("casual", "", "strong", "beginner")))
