"""What is said of news that come in all manners: the parts that speak, by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest
from kit.browser.line import Line
from kit.browser.players import Browse
from kit.sites import House
from playwright.sync_api import Browser

from volte.say import Words
from volte.table import Happening
from volte.web.assets import client_sentences, static
from volte.web.preferences import USUAL

WORDS: Final = client_sentences(Words("en"))
NO_BREAK_SPACE: Final = "\u00a0"

BEGIN: Final = """async ([words, settings]) => {
    document.body.replaceChildren();
    for (const id of ["table", "log", "live"]) {
        document.body.append(Object.assign(document.createElement("div"), { id }));
    }
    Object.assign(document.getElementById("table").dataset, { words, settings, lang: "en" });
    const { Announcer } = await import("/static/announcer.js");
    const { Listening } = await import("/static/listening.js");
    const region = document.getElementById("live");
    window.said = [];
    const notify = region.ariaNotify;
    region.ariaNotify &&= (text, about) => {
        window.said.push(text);
        window.priority = about.priority;
        notify.call(region, text, about);
    };
    new MutationObserver(() => window.said.push(region.lastElementChild.textContent)).observe(
        region, { childList: true });
    window.announcer = new Announcer(region, "en");
    window.listening = new Listening(window.announcer);
    window.listening.suit();
    await import("/static/voice.js");
}""".replace("/static/", static("", "en"))

VOICE: Final = """() => {
    window.spoken = [];
    window.Spoken = class extends EventTarget {
        constructor(text) { super(); this.text = text; }
    };
    const voices = [
        { lang: "fr-FR", localService: true },
        { lang: "en-GB", localService: false, name: "far" },
        { lang: "en-US", localService: true, name: "near" },
    ];
    const synthesis = {
        queue: [],
        resume() {},
        cancel() {
            for (const each of this.queue.splice(0)) each.dispatchEvent(new Event("error"));
            window.spoken.push("(cut)");
        },
        getVoices: () => voices,
        speak(each) {
            this.queue.push(each);
            window.spoken.push(`${each.voice.name} ${each.rate}: ${each.text}`);
        },
        end() { this.queue.shift()?.dispatchEvent(new Event("end")); },
    };
    window.SpeechSynthesisUtterance = window.Spoken;
    Object.defineProperty(window, "speechSynthesis", { value: synthesis });
}"""


class Ears:
    """Somebody at a table of four, at seat 0, with bots; their time is the test's."""

    def __init__(self, browser: Browser, house: House, outlet: str) -> None:
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.notified = outlet == "notifications"
        if not self.notified:
            self.page.add_init_script("delete Element.prototype.ariaNotify")
        self._address = f"{house.address}/fair"
        self.page.clock.install(time=0)
        self.page.goto(self._address)
        self.page.clock.pause_at(1000)  # for good, on whatever page
        self._number = 0

    def come_anew(self) -> None:
        """Has heard nothing yet."""
        self.page.evaluate("localStorage.clear()")
        self.page.goto(self._address)
        self._number = 0

    def load(self, **settings: Any) -> None:
        """Has the page, but not the table yet; once."""
        chosen = {**USUAL, **settings}
        self.page.evaluate("localStorage.setItem('volte said again', 'yes')")
        self.page.evaluate(BEGIN, [json.dumps(WORDS), json.dumps(chosen)])

    def begin(self, **settings: Any) -> None:
        """Is at the table, and the page has been read; once."""
        self.load(**settings)
        self.paint()
        self.wait(1300)

    def alike(self, line: str) -> str:
        """A message that is said right after the same one."""
        return line if self.notified else f"{line}{NO_BREAK_SPACE}"

    @property
    def said(self) -> list[str]:
        """All that has been said since this was asked last."""
        found: list[str] = self.page.evaluate("window.said.splice(0)")
        return found

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    def see(self, event: str, *lines: str, fresh: bool = True, **fields: Any) -> None:
        self._number += 1
        news = {
            "number": self._number,
            "happening": {"event": event} | fields,
            "lines": lines,
            "fresh": fresh,
        }
        self.page.evaluate("(news) => window.listening.see(news)", news)

    def paint(self, turn: int | None = None, may: str = "", **fields: Any) -> None:
        seats = [{"name": name, "state": "bot"} for name in ("Zoé", "Alice", "Bruno", "Chloé")]
        scene = {"seat": 0, "deal": 1, "hand": [], "status": "The status.", "phase": "playing"}
        scene |= {"turn": turn, "may": may.split(), "seats": seats} | fields
        self.page.evaluate("(scene) => window.listening.paint(scene)", scene)
        self.wait(200)

    def play(self, seat: int, line: str, then: int | None = None, may: str = "") -> None:
        """A card is played, and it is another's turn."""
        self.see("Played", line, seat=seat)
        self.paint(then, may)

    def do(self, what: str) -> None:
        """Calls a method of the page's `listening` or `announcer`."""
        self.page.evaluate(f"window.{what}")

    def look(self, *, away: bool) -> None:
        """Looks at the page, or away from it."""
        self.page.evaluate(
            """(hidden) => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            away,
        )
        self.wait(200)


@pytest.fixture(scope="module", params=["notifications", "live region"])
def somebody(browser: Browser, house: House, request: pytest.FixtureRequest) -> Iterator[Ears]:
    opened = Ears(browser, house, request.param)
    yield opened
    opened.context.close()


@pytest.fixture
def ears(somebody: Ears) -> Ears:
    somebody.come_anew()
    return somebody


# News


def test_every_channel_is_of_happenings_and_has_a_setting(ears: Ears) -> None:
    channels = ears.page.evaluate("async () => (await import('/static/announcer.js')).CHANNELS")
    assert channels.keys() < {kind.__name__ for kind in get_args(Happening)}
    assert {f"say_{channel}" for channel in channels.values()} <= USUAL.keys()


def test_the_plays_of_bots_are_one_message_and_end_with_my_turn(ears: Ears) -> None:
    ears.begin()
    for seat in (1, 2):
        ears.play(seat, f"Bot {seat}", then=seat + 1)
        ears.wait(800)
        assert ears.said == []
    ears.play(3, "Bot 3", then=0, may="Play")
    assert ears.said == ["Bot 1. Bot 2. Bot 3. Your turn."]


def test_my_own_play_and_who_takes_the_trick_are_said_at_once(ears: Ears) -> None:
    ears.begin()
    ears.play(0, "You", then=1)
    assert ears.said == ["You."]
    ears.wait(800)
    ears.play(1, "Bot 1", then=2)
    ears.wait(800)
    ears.see("Played", "Bot 2", seat=2)
    ears.see("TrickTaken", "Bot 1 takes it.", seat=1)
    ears.paint(1)
    assert ears.said == ["Bot 1. Bot 2. Bot 1 takes it."]


def test_slow_bots_are_not_waited_for(ears: Ears) -> None:
    ears.begin(bot_pace=3000)
    ears.play(1, "Bot 1", then=2)
    ears.wait(300)
    assert ears.said == ["Bot 1."]


def test_news_do_not_wait_for_long(ears: Ears) -> None:
    ears.begin(bot_pace=1000)
    for seat in (1, 2, 3, 1, 2):
        ears.play(seat, f"Bot {seat}", then=seat % 3 + 1)
        ears.wait(1000)
    assert ears.said == ["Bot 1. Bot 2. Bot 3."]


def test_messages_are_not_written_close_together(ears: Ears) -> None:
    ears.begin()
    ears.play(0, "You", then=1)
    ears.wait(50)
    ears.see("TrickTaken", "Bot 1 takes it.", seat=1)
    ears.paint(1)
    assert ears.said == ["You."]
    ears.wait(400)
    assert ears.said == ["Bot 1 takes it."]


def test_the_first_message_waits_until_the_page_has_been_read(ears: Ears) -> None:
    ears.begin()
    ears.do("announcer.arrive()")
    ears.see("MatchStarted", "At the table.")
    ears.paint()
    ears.wait(500)
    ears.see("Dealt", "Pass three.")
    ears.paint(may="Pass")
    assert ears.said == []
    ears.wait(700)
    assert ears.said == ["At the table. Pass three."]


def test_what_was_asked_is_not_said_once_it_is_done(ears: Ears) -> None:
    ears.begin()
    ears.play(0, "You", then=1)
    assert ears.said == ["You."]
    ears.play(3, "Bot 3", then=0, may="Play")
    ears.play(0, "You again", then=1)  # before the next message may be written
    ears.wait(2000)
    assert ears.said == ["Bot 3. You again."]


def test_whatever_follows_a_trick_takes_no_card_from_what_is_said(ears: Ears) -> None:
    """The kitty, the jack, cards that cancel, a trick that is held: all told, and in order."""
    ears.begin()
    ears.look(away=True)
    told = []
    for trick in (1, 2, 3):
        for seat in (1, 2):
            told.append(f"Card {trick} of {seat}.")
            ears.play(seat, told[-1])
        for event in ("TrickTaken", "KittyTaken"):
            told.append(f"{event} {trick}.")
            ears.see(event, told[-1], seat=1)
    ears.paint(1)
    ears.look(away=False)
    ears.wait(500)
    assert ears.said == [" ".join([*told, "The status."])]


# What a key cuts


def hear_two(ears: Ears) -> None:
    """A message of two sentences, of four words each: of so many, a reader says 240 a minute.

    Before it, they may speak a card, of four words as well.
    """
    ears.begin(reader_rate=240)
    ears.see("TrickTaken", "Alice takes the trick.", "Bruno has twelve points.", seat=1)
    ears.paint(1)
    assert ears.said == ["Alice takes the trick. Bruno has twelve points."]


def test_what_a_key_cuts_is_said_again_once_when_the_keys_rest(ears: Ears) -> None:
    hear_two(ears)
    ears.wait(300)
    ears.page.keyboard.press("ArrowRight")
    ears.wait(700)
    ears.page.keyboard.press("ArrowRight")
    ears.wait(700)
    assert ears.said == []
    ears.wait(300)
    assert ears.said == [ears.alike("Alice takes the trick. Bruno has twelve points.")]
    ears.page.keyboard.press("ArrowRight")
    ears.wait(5000)
    assert ears.said == []


def test_why_something_is_said_again_is_told_once(ears: Ears) -> None:
    ears.begin()
    ears.page.evaluate("localStorage.clear()")
    for line, why in (
        ("Alice takes the trick.", [WORDS["why_again"]]),
        ("You take the trick.", []),
    ):
        ears.see("TrickTaken", line, seat=1)
        ears.paint(1)
        ears.wait(500)
        assert ears.said == [line]
        ears.page.keyboard.press("ArrowRight")
        ears.wait(1000)
        assert ears.said == [" ".join([line, *why]) if why else ears.alike(line)]


def test_only_what_had_not_been_spoken_is_said_again(ears: Ears) -> None:
    hear_two(ears)
    ears.wait(2000)
    ears.page.keyboard.press("ArrowRight")
    ears.wait(1000)
    assert ears.said == ["Bruno has twelve points."]
    ears.wait(3000)
    ears.page.keyboard.press("ArrowRight")
    ears.wait(1000)
    assert ears.said == []


def test_what_was_cut_goes_before_what_is_new(ears: Ears) -> None:
    hear_two(ears)
    ears.page.keyboard.press("ArrowRight")
    ears.play(1, "Bot 1", then=0, may="Play")
    ears.wait(1000)
    assert ears.said == [
        "Alice takes the trick. Bruno has twelve points. Bot 1. Your turn.",
    ]


def test_what_is_no_longer_asked_is_not_said_again(ears: Ears) -> None:
    ears.begin(reader_rate=100)
    ears.play(3, "Bot 3", then=0, may="Play")
    assert ears.said == ["Bot 3. Your turn."]
    ears.page.keyboard.press("Enter")
    ears.play(0, "You", then=1)
    ears.wait(1500)
    assert ears.said == ["Bot 3. You."]


@pytest.mark.parametrize("key", ["Control", "Shift"])
def test_control_silences_on_purpose_and_shift_cuts_nothing(ears: Ears, key: str) -> None:
    hear_two(ears)
    ears.page.keyboard.press(key)
    ears.wait(3000)
    assert ears.said == []


def test_who_does_not_want_to_hear_it_again_does_not(ears: Ears) -> None:
    ears.begin(say_again=False)
    ears.see("TrickTaken", "Alice takes the trick.", seat=1)
    ears.paint(1)
    ears.said.clear()
    ears.page.keyboard.press("ArrowRight")
    ears.wait(3000)
    assert ears.said == []


def test_my_turn_and_a_refusal_go_first_where_the_browser_can_say_so(ears: Ears) -> None:
    ears.begin()

    def heard(priority: str) -> bool:
        ears.wait(1000)
        found: object = ears.page.evaluate("window.priority")
        return found == (priority if ears.notified else None)

    ears.play(1, "Bot 1", then=0, may="Play")
    assert heard("high")
    ears.play(0, "You", then=1)
    assert heard("normal")
    ears.do("announcer.answer(['Not now.'], 'answer', true)")
    assert heard("high")
    ears.do("announcer.answer(['Two cards.'])")
    assert heard("normal")


def test_the_history_holds_what_was_said_and_later(ears: Ears) -> None:
    """Orca takes a line that stands there first for the message, which it then leaves out."""
    ears.begin(say_tricks=False)
    ears.see("Played", "Bot 1.", seat=1)
    ears.see("TrickTaken", "Bot 1 takes it.", seat=1)
    ears.paint(1)
    assert ears.said == ["Bot 1."]
    assert ears.page.inner_text("#log") == ""
    ears.wait(1000)
    assert ears.page.inner_text("#log").split("\n\n") == ["Bot 1.", "Bot 1 takes it."]


def test_my_turn_is_told_once_and_not_after_what_has_told_it(ears: Ears) -> None:
    ears.begin()
    ears.see("PlayStarted", "It is for you to lead.", leader=0)
    ears.paint(0, "Play")
    ears.wait(2000)
    ears.paint(0, "Play")
    ears.wait(2000)
    assert ears.said == ["It is for you to lead."]


def test_the_end_of_a_deal_is_a_message_of_its_own(ears: Ears) -> None:
    ears.begin()
    ears.see("Played", "Bot 1", seat=1)
    ears.see("TrickTaken", "Bot 1 takes it.", seat=1)
    ears.see("DealScored", "The moon!", "Points.")
    ears.see("MatchEnded", "You win.")
    ears.see("Settled", "You receive 75 stakes.")
    ears.paint()
    ears.wait(1000)
    assert ears.said == [
        "Bot 1. Bot 1 takes it.",
        "The moon! Points. You win. You receive 75 stakes.",
    ]


def test_what_plays_itself_after_a_claim_is_not_told_card_by_card(ears: Ears) -> None:
    ears.begin()
    ears.see("Claimed", "Bot 1 claims.", seat=1)
    ears.see("Played", "Bot 1", seat=1)
    ears.see("TrickTaken", "Bot 1 takes it.", seat=1)
    ears.see("DealScored", "Points.")
    ears.paint(may="Next")
    ears.wait(1000)
    assert ears.said == ["Bot 1 claims.", "Points. The status."]
    ears.play(0, "You", then=1)
    assert ears.said == ["You."]


def test_who_is_asked_for_an_undo_hears_the_question_alone(ears: Ears) -> None:
    ears.begin(say_plays=False)
    ears.see("UndoAsked", "Alice asks.", seat=1)
    ears.paint(0, "AnswerUndo Play")
    assert ears.said == ["The status."]


# Channels


@pytest.mark.parametrize(
    ("channel", "event"),
    [
        ("plays", "Played"),
        ("tricks", "TrickTaken"),
        ("pass", "Passed"),
        ("scores", "DealScored"),
        ("people", "StoodIn"),
        ("clock", "TimeGiven"),
    ],
)
def test_a_channel_can_be_silent(ears: Ears, channel: str, event: str) -> None:
    ears.begin(**{f"say_{channel}": False})
    ears.see(event, "Somebody else.", seat=1)
    ears.paint(1)
    ears.wait(3000)
    assert ears.said == []
    assert ears.page.inner_text("#log") == "Somebody else."
    ears.see(event, "Myself.", seat=0)
    ears.paint(0, "Play")
    own = ["Myself."] if channel in ("people", "clock") else []
    assert ears.said == [" ".join([*own, "Your turn."])]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_short_clock_is_told_where_that_is_wanted(ears: Ears, wanted: bool) -> None:
    ears.begin(say_clock=wanted)
    ears.do("listening.warn(['Seconds left: 10'])")
    ears.wait(1000)
    assert ears.said == (["Seconds left: 10."] if wanted else [])


# Answers


def test_answers_come_first_and_news_are_not_lost(ears: Ears) -> None:
    ears.begin()
    ears.play(1, "Bot 1", then=2)
    ears.do("announcer.answer(['No card.'])")
    assert ears.said == ["No card."]
    ears.wait(1300)
    assert ears.said == ["Bot 1."]


def test_the_same_is_said_again(ears: Ears) -> None:
    ears.begin()
    for _ in range(3):
        ears.do("announcer.answer(['No card.'])")
        ears.wait(300)
    assert ears.said == ["No card.", ears.alike("No card."), "No card."]


# Review


def test_messages_can_be_gone_through(ears: Ears) -> None:
    ears.begin()
    steps = {"e": "repeat", "b": "before", "n": "after"}

    def press(key: str) -> str:
        ears.do(f"listening.{steps[key]}()")
        ears.wait(300)
        (said,) = ears.said
        return said.removesuffix(NO_BREAK_SPACE)

    assert press("e") == press("b") == WORDS["nothing_said"]
    for trick in ("One.", "Two.", "Three."):
        ears.see("TrickTaken", trick, seat=1)
        ears.paint(1)
        ears.wait(500)
    assert ears.said == ["One.", "Two.", "Three."]
    assert [press(key) for key in "ebeb"] == ["Three.", "Two.", "Two.", "One."]
    assert press("b") == WORDS["nothing_before"]
    assert press("e") == "One."
    ears.see("TrickTaken", "Four.", seat=1)
    ears.paint(1)
    ears.wait(500)
    assert ears.said == ["Four."]
    assert [press(key) for key in "enn"] == ["Four.", "Two.", "Three."]
    assert [press(key) for key in "nn"] == ["Four.", WORDS["nothing_after"]]
    ears.do("announcer.answer(['An answer.'])")
    ears.wait(300)
    assert ears.said == ["An answer."]
    assert [press(key) for key in "ebb"] == ["An answer.", "Four.", "Three."]


def reviewed(ears: Ears, *steps: str) -> list[str]:
    """What is said at each of these steps."""
    heard = []
    for step in steps:
        ears.do(f"listening.{step}()")
        ears.wait(300)
        heard += [line.removesuffix(NO_BREAK_SPACE) for line in ears.said]
    return heard


def test_messages_can_be_gone_through_by_kind(ears: Ears) -> None:
    ears.begin()
    for event, line in (
        *(("Played", "Bot 1"), ("TrickTaken", "One."), ("StoodIn", "Away.")),
        *(("DealScored", "Scores."), ("Dealt", "Deal 2.")),
    ):
        ears.see(event, line, seat=1)
    ears.do("listening.hear('Bot 2: hello')")
    ears.paint(1)
    ears.wait(1500)
    assert ears.said == ["Bot 1. One. Away.", "Scores. Deal 2. Bot 2: hello."]
    kinds = {"plays": ["Bot 1. One."], "points": ["Scores."], "talk": ["Bot 2: hello."]}
    for kind, lines in kinds.items():
        assert reviewed(ears, "kind") == [WORDS[f"kind_{kind}"].rstrip(".") + "."]
        assert reviewed(ears, "before", "before") == [*lines, WORDS["nothing_before"]]
        assert reviewed(ears, "repeat", "after") == [*lines, WORDS["nothing_after"]]
    assert reviewed(ears, "kind", "before", "before") == ["The table.", "Deal 2.", "Away."]
    ears.see("StoodIn", "Back.", seat=1)
    ears.paint(1)
    ears.wait(1500)
    assert ears.said == ["Back."]  # and it takes nobody away who goes through older ones
    assert reviewed(ears, "after", "after") == ["Deal 2.", "Back."]
    assert reviewed(ears, "kind", "before", "before") == [
        "Everything.",
        "Back.",
        "Scores. Deal 2. Bot 2: hello.",
    ]


def test_a_kind_that_is_silenced_says_so_when_it_is_read(ears: Ears) -> None:
    ears.begin(say_plays=False, say_tricks=False, say_pass=False, say_talk=False)
    ears.see("StoodIn", "Away.", seat=1)
    ears.see("Played", "Bot 1", seat=1)  # before what is heard has been said
    ears.see("CameBack", "Back.", seat=1)
    ears.paint(2)
    ears.do("listening.hear('Bot 2: hello')")
    ears.wait(1500)
    assert ears.said == ["Away. Back."]
    assert reviewed(ears, "kind", "before") == ["Plays: silenced.", "Silenced: Bot 1."]
    assert reviewed(ears, "kind", "before") == ["Points.", WORDS["nothing_said"]]
    assert reviewed(ears, "kind", "before") == ["Talk: silenced.", "Silenced: Bot 2: hello."]
    assert reviewed(ears, "repeat") == ["Silenced: Bot 2: hello."]
    told = ["The table.", "Everything.", "Silenced: Bot 2: hello.", "Away. Silenced: Bot 1. Back."]
    assert reviewed(ears, "kind", "kind", "before", "before") == told


def test_buttons_do_what_the_keys_do(ears: Ears) -> None:
    ears.begin(key_repeat="x")
    ears.see("TrickTaken", "One.", seat=1)
    ears.paint(1)
    ears.wait(500)
    button = ears.page.get_by_role("button", name=WORDS["does_repeat"], exact=True)
    assert button.get_attribute("aria-keyshortcuts") == "X"
    button.click()
    ears.wait(500)
    assert ears.said == ["One.", ears.alike("One.")]


def test_what_was_caught_up_with_can_be_gone_through(ears: Ears) -> None:
    ears.begin()
    ears.see("Played", "Bot 1", seat=1, fresh=False)
    ears.paint(2)
    ears.wait(1000)
    assert ears.said == []
    ears.do("listening.repeat()")
    assert ears.said == ["Bot 1."]


# Who does not listen


def test_a_hidden_page_is_silent_and_tells_briefly_what_has_happened(ears: Ears) -> None:
    ears.begin()
    ears.look(away=True)
    ears.play(1, "Bot 1", then=0, may="Play")
    ears.wait(3000)
    assert ears.said == []
    ears.look(away=False)
    assert ears.said == ["Bot 1. The status."]
    ears.look(away=True)
    for number in range(20):
        ears.see("StoodIn", f"Event {number}.", seat=1)
    ears.paint(1)
    ears.look(away=False)
    ears.wait(500)
    assert ears.said == [f"{WORDS['missed']} The status."]
    ears.do("listening.before()")
    ears.wait(500)
    assert ears.said[0].startswith("Event 0. Event 1.")


def test_a_page_that_was_opened_out_of_sight_is_silent(ears: Ears) -> None:
    ears.look(away=True)
    ears.begin()
    ears.play(1, "Bot 1", then=0, may="Play")
    ears.wait(3000)
    assert ears.said == []
    ears.look(away=False)
    assert ears.said == ["Bot 1. The status."]


def test_a_short_loss_of_the_connection_is_silent(ears: Ears) -> None:
    ears.begin()
    ears.do("listening.lose()")
    ears.wait(1000)
    ears.do("listening.comeBack()")
    ears.paint(1)
    ears.wait(3000)
    assert ears.said == []


def test_a_lost_connection_is_told_and_then_what_was_missed(ears: Ears) -> None:
    ears.begin()
    ears.do("listening.lose()")
    ears.wait(2000)
    assert ears.said == [WORDS["lost"]]
    ears.do("listening.lose()")  # another attempt has failed
    ears.wait(5000)
    ears.do("listening.comeBack()")
    ears.see("Played", "Bot 1", seat=1, fresh=False)
    ears.paint(2)
    assert ears.said == [f"{WORDS['back']} Bot 1. The status."]


def test_a_table_that_is_reached_at_last_is_heard(ears: Ears) -> None:
    ears.load()
    ears.do("listening.lose()")
    ears.wait(2000)
    assert ears.said == [WORDS["lost"]]
    ears.paint(0, "Play")
    ears.wait(1300)
    assert ears.said == [f"{WORDS['back']} The status."]
    ears.play(0, "You", then=1)
    assert ears.said == ["You."]


def test_a_line_that_is_cut_and_mended_is_told_at_a_real_table(
    browse: Browse, house: House
) -> None:
    with Line(house.address) as line:
        player = browse("en", at=line.address)
        player.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
        player.come_in()
        player.begin("coeurs")
        player.due()
        line.cut()
        player.wait("(lost) => window.watched.said.at(-1) === lost", WORDS["lost"])
        line.mend()
        status = "Choose 3 cards to pass to Alice."
        player.wait("(status) => window.watched.said.at(-1).endsWith(status)", status)
        told = player.said[player.said.index(WORDS["lost"]) + 1 :]
        assert " ".join(told) == f"{WORDS['back']} {status}"  # and not that it waits


# The page's own voice


def test_the_voice_speaks_sentence_by_sentence_and_is_cut_by_answers(ears: Ears) -> None:
    ears.page.evaluate(VOICE)
    ears.begin(speech=True, speech_rate=150)
    ears.see("TrickTaken", "One. Two", seat=1)
    ears.paint(1)
    assert ears.page.evaluate("window.spoken.splice(0)") == ["near 1.5: One.", "near 1.5: Two."]
    ears.see("TrickTaken", "Three", seat=1)
    ears.paint(1)
    ears.wait(1000)
    assert ears.page.evaluate("window.spoken") == []  # it waits for its turn, not in the voice
    ears.do("announcer.answer(['An answer'])")
    assert ears.page.evaluate("window.spoken.splice(0)") == ["(cut)", "near 1.5: An answer."]
    ears.wait(500)
    ears.do("speechSynthesis.end()")
    assert ears.page.evaluate("window.spoken.splice(0)") == ["near 1.5: Three."]


def test_a_voice_that_has_got_stuck_is_not_waited_for(ears: Ears) -> None:
    ears.page.evaluate(VOICE)
    ears.begin(speech=True)
    for line in ("One", "Two"):
        ears.see("TrickTaken", line, seat=1)
        ears.paint(1)
    assert ears.said == ["One."]
    ears.wait(21_000)
    assert ears.said == ["Two."]
