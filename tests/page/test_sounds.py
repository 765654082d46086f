"""Sounds: each for its own news and under its own setting, few at a time, never the only sign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from page.means import Mouse, do_what_is_due
from page.players import Player
from playwright.sync_api import Browser
from server.visiting import House

LISTENING: Final = """
window.struck = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) {
    if (this.context.state === "running") window.struck.push(this.frequency.value);
    return start.call(this, when);
};
"""
"""Every note that is struck, as its pitch."""

HEAR: Final = """async ([happenings, chosen, hidden]) => {
    const { Sounds, SOUNDS } = await import("/static/sounds.js");
    const { settings } = await import("/static/page.js");
    const usual = { ...settings };
    Object.assign(settings, chosen);
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    const sounds = new Sounds();
    document.body.click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const scene = { seat: 0, may: [], deal: 1, phase: "playing", hand: [], asked: "" };
    sounds.paint(scene);
    window.struck.length = 0;
    for (const happening of happenings) {
        if (happening.event === "turn") sounds.paint({ ...scene, may: ["Play"] });
        else sounds.see({ number: 1, lines: [], fresh: true, ...happening, happening });
    }
    const pitches = JSON.stringify([...window.struck]);
    Object.assign(settings, usual);
    delete document.hidden;
    return Object.keys(SOUNDS).filter((name) =>
        pitches.includes(JSON.stringify(SOUNDS[name].notes.map(([pitch]) => pitch)).slice(1, -1)));
}"""
"""The names of the sounds that some happenings make."""

NEWS: Final[dict[str, dict[str, Any]]] = {
    "card": {"event": "Played", "seat": 1, "card": "QS"},
    "turn": {"event": "turn"},
    "mine": {"event": "TrickTaken", "seat": 0},
    "theirs": {"event": "TrickTaken", "seat": 1},
    "deal": {"event": "DealScored", "points": [26, 0, 0, 0], "moon": None, "slam": None},
    "moon": {"event": "DealScored", "points": [0, 26, 26, 26], "moon": 0, "slam": None},
    "match": {"event": "MatchEnded", "totals": [0, 0, 0, 0], "winners": [0]},
    "coming": {"event": "CameBack", "seat": 1},
    "going": {"event": "StoodIn", "seat": 1, "why": "connection"},
}
SETTINGS: Final = {
    "sound_cards": {"card"},
    "sound_turn": {"turn"},
    "sound_tricks": {"mine", "theirs"},
    "sound_ends": {"deal", "moon", "match"},
    "sound_people": {"coming", "going"},
}


def heard(
    somebody: Player,
    *happenings: dict[str, Any],
    hidden: bool = False,
    **chosen: bool,
) -> list[str]:
    names: list[str] = somebody.page.evaluate(HEAR, [happenings, chosen, hidden])
    return names


@pytest.fixture(scope="module")
def listener(browser: Browser, house: House) -> Iterator[Player]:
    somebody = Player(browser, house)
    somebody.context.add_init_script(LISTENING)
    somebody.come_in("Zoé")
    somebody.sit_down(somebody.open_table("microsoft"))
    somebody.page.mouse.click(1, 1)
    yield somebody
    somebody.close()


def test_everything_has_its_own_sound(listener: Player) -> None:
    for name, happening in NEWS.items():
        assert heard(listener, happening) == [name]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_silences_its_own_sounds_and_no_others(listener: Player, setting: str) -> None:
    sounding = heard(listener, *NEWS.values(), **{setting: False})
    assert set(sounding) == set(NEWS) - SETTINGS[setting]


def test_a_burst_of_cards_is_heard_once(listener: Player) -> None:
    heard(listener, *[NEWS["card"]] * 20)
    assert len(listener.page.evaluate("window.struck")) == 1


def test_what_is_caught_up_with_is_not_heard(listener: Player) -> None:
    old = [news | {"fresh": False} for name, news in NEWS.items() if name != "turn"]
    assert heard(listener, *old) == []


def test_a_page_that_nobody_sees_tells_only_that_it_is_your_turn(listener: Player) -> None:
    assert heard(listener, *NEWS.values(), hidden=True) == ["turn"]


def play_some_tricks(somebody: Player) -> None:
    somebody.begin("microsoft")
    for _ in range(4):
        do_what_is_due(somebody, Mouse(), somebody.due())
    somebody.due()


def test_nothing_breaks_where_there_is_no_sound(player: Player) -> None:
    player.context.add_init_script("window.AudioContext = undefined;")
    player.come_in("Zoé")
    play_some_tricks(player)
    player.assert_content()


def test_tricks_are_heard_and_what_is_heard_is_told_too(browser: Browser, house: House) -> None:
    somebody = Player(browser, house)
    somebody.context.add_init_script(LISTENING)
    somebody.come_in("Zoé")
    play_some_tricks(somebody)
    somebody.wait("() => window.watched.said.some((line) => line.includes('Your turn'))")
    struck = set(somebody.page.evaluate("window.struck"))
    sounds = somebody.page.evaluate("import('/static/sounds.js').then(({ SOUNDS }) => SOUNDS)")
    pitches = {name: {pitch for pitch, *_ in sounds[name]["notes"]} for name in sounds}
    assert pitches["card"] | pitches["turn"] <= struck
    assert pitches["mine"] <= struck or pitches["theirs"] <= struck
    told = " ".join(somebody.said)
    for sign in (" of clubs", "Your turn", "take"):
        assert sign in told
    somebody.assert_content()
    somebody.close()
