"""Sounds: each for its own news, from its own place and under its own setting, never the only sign.

They are listened to twice: by the notes and sides that real audio nodes are given at a table, and
by the waves that come of them, which a context works out without playing them.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any, Final

import pytest
from kit.browser.means import Mouse, do_what_is_due
from kit.browser.players import Browse, Player, scripts

from volte.forms.settings import settings_of
from volte.people.settings_shown import SENTENCES
from volte.store import Person
from volte.web.assets import static

SOUNDS: Final = scripts(__file__).replace('"/static/', f'"{static("", "en")}')

CARD: Final[dict[str, Any]] = {"event": "Played", "seat": 1, "card": "3C"}
NEWS: Final[dict[str, list[dict[str, Any]]]] = {
    "card": [CARD],
    "lead": [{"event": "TrickHeld"}, CARD],
    "queen": [CARD | {"card": "QS"}],
    "broken": [CARD | {"card": "3H"}, {"event": "scene", "broken": True}],
    "turn": [{"event": "scene", "may": ["Play"]}],
    "mine": [{"event": "TrickTaken", "seat": 0}],
    "theirs": [{"event": "TrickTaken", "seat": 1}],
    "deal": [{"event": "DealScored", "points": [26, 0, 0, 0], "moon": None, "slam": None}],
    "moon": [{"event": "DealScored", "points": [0, 26, 26, 26], "moon": 0, "slam": None}],
    "match": [{"event": "MatchEnded", "totals": [0, 0, 0, 0], "winners": [0]}],
    "coming": [{"event": "CameBack", "seat": 1}],
    "going": [{"event": "StoodIn", "seat": 1, "why": "connection"}],
}
WITH_A_CARD: Final = ("queen", "broken")
SETTINGS: Final = {
    "sound_cards": {"card", "lead", "queen", "broken"},
    "sound_turn": {"turn"},
    "sound_tricks": {"mine", "theirs"},
    "sound_ends": {"deal", "moon", "match"},
    "sound_people": {"coming", "going"},
}


def heard(
    somebody: Player,
    *happenings: dict[str, Any],
    hidden: bool = False,
    scenery: dict[str, Any] | None = None,
    **chosen: Any,
) -> set[str]:
    names: list[str] = somebody.page.evaluate(
        f"{SOUNDS}.hear", [happenings, chosen, hidden, scenery]
    )
    return set(names)


def struck(somebody: Player) -> list[dict[str, float]]:
    """Notes that the page has struck for its last sound."""
    notes: list[dict[str, float]] = somebody.page.evaluate("window.struck")
    return notes


def sides(somebody: Player) -> list[float]:
    """The sides from which the sounds came that were heard last."""
    places: list[float] = somebody.page.evaluate("window.sides")
    return [round(place, 3) for place in places]


def sound(
    somebody: Player, name: str, steps: int | None = None, count: int = 0, loudness: float = 0.4
) -> dict[str, Any]:
    waves: dict[str, Any] = somebody.page.evaluate(
        f"{SOUNDS}.sound", [name, loudness, steps, count]
    )
    return waves


def ears(browse: Browse, *scripts: str, **settings: Any) -> Player:
    """Somebody whose sounds are taken down; no other browser has these scripts."""
    somebody = browse(own=True)
    for script in (f"{SOUNDS}.listen()", *scripts):
        somebody.context.add_init_script(script)
    return somebody.come_in(**settings)


@pytest.fixture(scope="module")
def listener(module_browse: Browse) -> Player:
    somebody = ears(module_browse)
    somebody.sit_down(somebody.open_table("microsoft"))
    somebody.page.mouse.click(1, 1)
    return somebody


def test_everything_has_its_own_sound(listener: Player) -> None:
    for name, happenings in NEWS.items():
        besides = {"card"} if name in WITH_A_CARD else set()
        assert heard(listener, *happenings) == {name} | besides


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_silences_its_own_sounds_and_no_others(listener: Player, setting: str) -> None:
    chosen: dict[str, Any] = {setting: False}
    for name, happenings in NEWS.items():
        sounding = heard(listener, *happenings, **chosen)
        assert (name in sounding) is (name not in SETTINGS[setting])


def test_a_burst_of_cards_is_heard_once(listener: Player) -> None:
    assert heard(listener, *[CARD] * 20) == {"card"}
    assert len(sides(listener)) == 1


def test_what_is_caught_up_with_is_not_heard(listener: Player) -> None:
    every = [each for happenings in NEWS.values() for each in happenings]
    old = [news | {"fresh": False} for news in every if news["event"] != "scene"]
    assert heard(listener, *old, {"event": "scene", "broken": True}) == set()


def test_a_page_that_nobody_sees_tells_only_your_turn_and_who_comes(
    listener: Player,
) -> None:
    every = [each for happenings in NEWS.values() for each in happenings]
    assert heard(listener, *every, hidden=True) == {"turn", "coming"}


def test_a_table_that_is_ready_is_heard_where_nobody_looks(listener: Player) -> None:
    ready = {"event": "scene", "next_table": "/tables/x"}
    assert heard(listener, ready, hidden=True) == {"turn"}


def test_the_queen_has_her_sound_only_where_she_counts(listener: Player) -> None:
    for card in ("QS", "QS'"):
        assert "queen" in heard(listener, CARD | {"card": card})
    assert heard(listener, CARD | {"card": "QS"}, table=[["2H", 1]]) == {"card"}


# The notes


def test_every_sound_can_be_heard_and_none_is_like_another(listener: Player) -> None:
    waves = {name: sound(listener, name) for name in NEWS}
    for wave in waves.values():
        assert wave["left"] > 1
        assert wave["left"] == pytest.approx(wave["right"], rel=0.001)
    for one, other in combinations(waves, 2):
        apart = [
            abs(pitch - other_pitch) > 2 or abs(loud - other_loud) > 0.5 * max(loud, other_loud)
            for (pitch, loud), (other_pitch, other_loud) in zip(
                waves[one]["shape"], waves[other]["shape"], strict=True
            )
            if max(loud, other_loud) > 0.01
        ]
        assert sum(apart) >= len(apart) / 3, (one, other)


def test_quiet_is_quieter_and_silent_is_silent(listener: Player) -> None:
    every = [each for happenings in NEWS.values() for each in happenings]
    assert heard(listener, *every, sounds="off") == set()
    assert sides(listener) == []
    loudness = listener.page.evaluate(
        f"import('{static('web/static/cues.js')}').then((it) => it.LOUDNESS)"
    )
    usual, quiet = (
        sound(listener, "card", loudness=loudness[each])["left"] for each in ("on", "quiet")
    )
    assert 0 < quiet < usual / 4
    assert {loudness["on"], loudness["names"]} == {0.4}
    assert heard(listener, CARD, sounds="quiet") == {"card"}


def test_settings_from_before_there_was_a_volume_mean_what_they_meant(listener: Player) -> None:
    before = {"sound_cards": False, "sound_turn": True}
    chosen = settings_of(Person("zoe", "Zoé", "en", before, 0))
    assert chosen["sounds"] == "on"
    assert heard(listener, CARD, *NEWS["turn"], **chosen) == {"turn"}


# The places


@pytest.mark.parametrize("count", range(2, 11))
def test_everybody_is_heard_from_a_place_of_their_own(listener: Player, count: int) -> None:
    """Oneself in the middle, and deeper; the others from left to right, in the order of play."""
    own = 1
    scenery = {"seat": own, "seats": [{}] * count}
    places = []
    for steps in range(count):
        seat = (own + steps) % count
        assert heard(listener, CARD | {"seat": seat}, scenery=scenery) == {"card"}
        (side,) = sides(listener)
        deeper = {note["deeper"] < 0 for note in struck(listener)}
        assert deeper == {steps == 0}
        places.append(side)
    assert places[0] == 0
    others = places[1:]
    assert all(one < other for one, other in pairwise(others))
    assert others == [-side if side else 0 for side in reversed(others)]
    if count > 2:
        assert others[0] == -0.9


def test_what_is_panned_is_heard_on_that_side(listener: Player) -> None:
    left, across, right = (sound(listener, "card", steps, 4) for steps in (1, 2, 3))
    assert left["left"] > 30 * left["right"] > 0
    assert right["right"] > 30 * right["left"] > 0
    assert across["left"] == pytest.approx(across["right"], rel=0.001)


def test_whoever_watches_hears_from_the_place_of_seat_0(listener: Player) -> None:
    places = []
    for seat in range(4):
        heard(listener, CARD | {"seat": seat}, scenery={"seat": None})
        places += sides(listener)
    assert places == [0, -0.9, 0, 0.9]


def test_what_happens_to_somebody_is_heard_from_their_place(listener: Player) -> None:
    for name in ("lead", "queen", "broken", "theirs", "coming", "going"):
        heard(listener, *NEWS[name])
        assert set(sides(listener)) == {-0.9}, name
    for name in ("turn", "mine", "deal", "moon", "match"):
        heard(listener, *NEWS[name])
        assert sides(listener) == [0], name


# In place of names


def test_in_place_of_names_every_card_of_a_burst_is_heard_apart(listener: Player) -> None:
    cards = [CARD | {"seat": seat} for seat in (1, 2, 3)]
    assert heard(listener, *cards, sounds="names") == {"card"}
    assert sides(listener) == [-0.9, 0, 0.9]
    begun = [note["when"] for note in struck(listener)][::2]
    assert all(later - sooner > 0.2 for sooner, later in pairwise(begun))


TERSE: Final = """
window.WebSocket = class extends WebSocket {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", (message) => {
            if (message.data === "") return;
            const content = JSON.parse(message.data);
            if (content.happening?.event !== "Played" || !content.told) return;
            content.told = { ...content.told, terse: [`terse ${content.happening.seat}`] };
            Object.defineProperty(message, "data", { value: JSON.stringify(content) });
        });
    }
};
"""
"""Tells plays in words without names that no other sentence has, so that they can be told apart."""


@pytest.mark.full
def test_names_are_left_out_of_plays_that_are_heard(browse: Browse) -> None:
    somebody = ears(browse, TERSE, sounds="names")
    play_some_tricks(somebody)
    somebody.wait("() => /terse 1.*takes?/.test(window.watched.said.join(' '))")


@pytest.mark.parametrize(
    "silent", [{"sounds": "on"}, {"sounds": "off"}, {"sound_cards": False}, {"hidden": True}]
)
def test_names_stay_where_cards_are_not_heard(listener: Player, silent: dict[str, Any]) -> None:
    for chosen, nameless in (({}, True), (silent, False)):
        heard(listener, **{"sounds": "names", **chosen})
        assert listener.page.evaluate("window.naming") is nameless


def test_a_card_that_would_be_heard_too_late_is_told_with_its_name(listener: Player) -> None:
    heard(listener, *[CARD] * 6, sounds="names")
    assert listener.page.evaluate("window.naming") is True
    heard(listener, *[CARD] * 40, sounds="names")
    assert listener.page.evaluate("window.naming") is False
    assert len(sides(listener)) == 10


# At the table, and on the page of settings


def play_some_tricks(somebody: Player, acts: int = 4) -> None:
    somebody.begin("microsoft")
    for _ in range(acts):
        do_what_is_due(somebody, Mouse(), somebody.due())
    somebody.due()


def test_nothing_breaks_where_there_is_no_sound(browse: Browse) -> None:
    somebody = browse("fr", own=True)
    somebody.context.add_init_script("window.AudioContext = undefined;")
    play_some_tricks(somebody.come_in(sounds="names"), acts=2)


@pytest.mark.full
def test_tricks_are_heard_and_what_is_heard_is_told_too(browse: Browse) -> None:
    somebody = ears(browse)
    play_some_tricks(somebody)
    sounds = somebody.page.evaluate(
        f"import('{static('web/static/cues.js')}').then((it) => it.SOUNDS)"
    )
    pitches = {name: {pitch for pitch, *_ in sounds[name]["notes"]} for name in sounds}
    for either in (("turn",), ("card", "lead"), ("mine", "theirs")):
        while not any(pitches[name] <= pitched(somebody) for name in either):
            do_what_is_due(somebody, Mouse(), "Play")
            assert somebody.due() == "Play", either
    for sign in (" of clubs", "Your turn", "take"):
        somebody.hears(sign)


def pitched(somebody: Player) -> set[float]:
    """The pitches of all notes that have been heard."""
    return {note["pitch"] for note in struck(somebody)}


@pytest.mark.full
def test_every_sound_is_described_and_heard_by_keys_beside_its_setting(browse: Browse) -> None:
    somebody = ears(browse)
    somebody.go_to("/me")
    page = somebody.page
    sounds = page.evaluate(f"import('{static('web/static/cues.js')}').then((it) => it.SOUNDS)")
    assert set(SENTENCES["cues"]) == {*sounds, "places"}
    summary = page.locator(".cues > summary")
    summary.focus()
    page.keyboard.press("Enter")
    rows = page.locator(".cues li")
    assert rows.count() == len(SENTENCES["cues"])
    for name, row in zip(SENTENCES["cues"], rows.all(), strict=True):
        titled = row.locator("strong").inner_text()
        page.keyboard.press("Tab")
        button = row.get_by_role("button", name=f"Hear it {titled}", exact=True)
        assert button.evaluate("(button) => button === document.activeElement")
        page.evaluate("() => { window.struck.length = window.sides.length = 0; }")
        page.keyboard.press("Enter")
        somebody.wait("() => window.struck.length > 0")
        pitches = [note["pitch"] for note in struck(somebody)]
        if name == "places":
            assert sides(somebody) == [-0.9, 0, 0.9]
        else:
            assert pitches == [pitch for pitch, *_ in sounds[name]["notes"]]
