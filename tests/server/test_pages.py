"""The pages: whole, in two languages, safe, and of use without a script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from kit import Page, Playroom, Visitor, open_playroom
from kit.requests import FOUND
from kit.spoken import EVERY

from volte.forms.fields import Choice
from volte.forms.preferences import PREFERENCES
from volte.forms.settings import LABELS, VALUES
from volte.people.store import Accounts
from volte.rules import PRESETS
from volte.say.faults import AT_TABLES, FAULTS, REFUSALS, SERVING
from volte.say.rulesheet.options import OPTION_VALUES
from volte.say.texts.trials import SCRIPTS
from volte.server.trials import Trial, Trials
from volte.table import TableState
from volte.talk.service import BOUND
from volte.web.assets import CLIENT, KEYS, ROOMS, static
from volte.web.joined import JOINED
from volte.web.page import TEMPLATES

ANYBODY: Final = (
    *("/", "/lobby", "/rules", "/rules/coeurs", "/rules/salon?players=6"),
    *("/help", "/history", "/fair", "/accessibility", "/learn", "/learn/1", "/learn/9"),
    *("/puzzle", "/puzzle/1", "/puzzle/all"),
)
KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
KNOWN: Final = ("/me", "/tables/new", "/tables/new?preset=coeurs-cagnotte")


def state_of(playroom: Playroom, page: Page) -> TableState:
    return playroom.live(page.table).state


# Every page


@pytest.mark.parametrize("lang", EVERY)
def test_every_page_is_whole(playroom: Playroom, lang: str) -> None:
    with Visitor(playroom.address, lang) as visitor:
        for path in (*ANYBODY, *KNOWN):
            page = visitor.get(path)
            assert page.wrong == [], path
            assert page.all("html", lang=lang)
        visitor.come_in()
        played = visitor.post("/play")
        for path in (*ANYBODY, *KNOWN, f"/tables/{played.table}"):
            page = visitor.get(path)
            assert (page.status, page.wrong) == (200, []), path
            assert page.all("html", lang=lang)
        for path in (f"/tables/{played.table}/setup", "/tables/nowhere"):
            assert visitor.get(path).wrong == [], path


def test_pages_obey_the_content_policy_and_have_no_script_of_their_own(visitor: Visitor) -> None:
    visitor.come_in()
    page = visitor.post("/play")
    policy = page.answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    scripts = [found["src"] for found in page.all("script")]
    names = ("connection.js", "table.js")
    assert scripts == [static(f"server/live/static/{name}", "en") for name in names]


def test_the_one_live_region_is_polite_and_empty_at_load(visitor: Visitor) -> None:
    """A region that is not empty is read with the page, and announces nothing."""
    visitor.come_in()
    page = visitor.post("/play")
    spoken = [found for _, found in page.elements if found.get("aria-live") == "polite"]
    assert [found["id"] for found in spoken] == ["live"]
    assert re.search(r'<div id="live"[^>]*></div>', page.answer.text)
    assert page.all("div", role="log")[0]["aria-live"] == "off"


def test_static_files_are_there(visitor: Visitor) -> None:
    elsewhere = {each for modules in JOINED.values() for each in modules}
    names = {path.relative_to(ROOMS).as_posix() for path in ROOMS.rglob("static/*")}
    for path in map(Path, sorted(names - elsewhere)):
        address = f"/static/{path}"
        answer = visitor.client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(KINDS[path.suffix])
        assert answer.headers["cache-control"] == "no-cache"
        seen = {"if-none-match": answer.headers["etag"]}
        assert visitor.client.get(address, headers=seen).status_code == 304


def test_every_preset_has_its_rule_sheet(visitor: Visitor) -> None:
    linked = {found["href"] for found in visitor.get("/rules").all("a")}
    for name in PRESETS:
        assert f"/rules/{name}" in linked
        page = visitor.get(f"/rules/{name}")
        assert (page.status, page.wrong) == (200, [])
    assert visitor.get("/rules/nothing").status == 404


# Sentences


def test_no_template_says_anything_by_itself() -> None:
    """All text is marked for the catalogue, or else it would be in one language only."""
    names = TEMPLATES.list_templates()
    assert TEMPLATES.loader is not None
    assert len(names) == len([*ROOMS.glob("*/templates/*.html")])  # no folder hides another's
    for name in names:
        source, _, _ = TEMPLATES.loader.get_source(TEMPLATES, name)
        kept = [
            text
            for _, kind, text in TEMPLATES.lex(source)
            if kind == "data" and not re.fullmatch(r"\s*", text)
        ]
        bare = re.sub(r"<[^>]*>", " ", "\0".join(kept)).replace("\0", " ")
        said = re.sub(r"<[^<>]*$|^[^<>]*>|[a-z-]+=\S*|&\w+;", " ", bare)
        assert set(re.findall(r"[A-Z][a-z]{2,}", said)) <= {"Volte"}, (name, said)


def test_a_paragraph_that_gets_the_focus_is_named_by_its_words() -> None:
    """Orca says the words of others twice: "Kept. Kept."; see `told` in fields.html."""
    found = [
        (path.name, tag)
        for path in ROOMS.glob("*/templates/*.html")
        for tag in re.findall(r"<p[ >][^\n]*autofocus.*", path.read_text(encoding="utf-8"))
    ]
    assert [name for name, tag in found if 'aria-label="' not in tag] == []
    assert [name for name, _ in found] == ["fields.html"]


def test_every_list_but_the_hand_is_of_fields_links_and_buttons() -> None:
    """Readers go through those by arrows, and press them by Space, in browse mode too; a card of
    the hand is pressed by any click.
    """
    rooms = [*ROOMS.rglob("static/*.js"), *ROOMS.rglob("templates/*.html")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in rooms)
    roles = set(re.findall(r"""\brole(?:="|: "|", ")(\w+)""", source))
    made = {"menu", "menuitem", "radio", "radiogroup", "slider", "tab", "tablist", "tree", "grid"}
    assert roles & {*made, "listbox", "option", "button", "checkbox"} == {"listbox", "option"}


def test_no_sentence_is_kept_that_nobody_says() -> None:
    """Only those looked up by a reason; others go when the source marks them no more."""
    rooms = [path for path in ROOMS.rglob("*.py") if "faults" not in path.parts]
    source = "\n".join(path.read_text(encoding="utf-8") for path in rooms)
    said = set(re.findall(r"""["'](\w+)["']""", source))
    said |= {f"{reason}_for_good" for reason in BOUND.values()}
    registers = (SERVING, FAULTS, REFUSALS, AT_TABLES)
    assert [name for register in registers for name in register if name not in said] == []


def test_every_setting_has_its_words_and_no_others() -> None:
    assert set(LABELS) == set(PREFERENCES)
    choices = (each for each in PREFERENCES.values() if isinstance(each, Choice))
    values = {each.name: set(each.values) for each in choices if each.name != "lang"}
    assert {name: set(meanings) for name, meanings in VALUES.items()} == values


def test_the_script_says_what_it_was_given_and_all_of_it() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in ROOMS.rglob("static/*.js"))
    used = set(re.findall(r'say\(\s*"(\w+)"', source))
    assert used <= CLIENT.keys() | KEYS.keys()
    begun = ("click_", "tap_", *re.findall(r"`(\w+_)\$\{", source))
    ended = tuple(re.findall(r"\}(_\w+)`", source))
    quoted = set(re.findall(r'"(\w+)"', source)) | set(re.findall(r"\b(\w+):", source))
    unused = [name for name in CLIENT if name not in quoted and not name.startswith(begun)]
    assert [name for name in unused if not name.endswith(ended)] == []


def test_every_choice_of_an_option_has_a_meaning() -> None:
    from volte.rules import OPTIONS

    for name, meanings in OPTION_VALUES.items():
        if name != "match_end":
            assert tuple(meanings) == OPTIONS[name].values, name


# Coming in


def test_a_guest_comes_in_by_one_step_and_is_known_when_coming_back(visitor: Visitor) -> None:
    assert "Hello" not in visitor.get("/").text
    page = visitor.come_in("  Zoé   B. ")
    assert page.all("h1")
    assert "Hello Zoé B." in page.text
    assert "Hello Zoé B." in visitor.get("/").text


def test_one_button_makes_the_guest_and_a_table_that_begins(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/play", {"name": "Zoé"})
    assert page.status == 200
    state = state_of(playroom, page)
    assert state.seats[0].name == "Zoé"
    assert [bool(seat.level) for seat in state.seats] == [False, True, True, True]
    assert not state.under_way  # the page begins it, once it can add to the shuffle
    assert "data-begin" in page.all("div", id="table")[0]
    again = visitor.get(f"/tables/{page.table}")
    assert "data-begin" not in again.all("div", id="table")[0]


def test_whoever_says_no_name_is_a_guest(playroom: Playroom, visitor: Visitor) -> None:
    state = state_of(playroom, visitor.post("/play", {"name": " "}))
    assert state.seats[0].name == "Guest"


def test_after_the_name_one_is_where_one_wanted_to_be(visitor: Visitor) -> None:
    page = visitor.get("/matches?game=coeurs")
    following = page.all("button", name="next")[0]["value"]
    assert following == "/matches?game=coeurs"
    page = visitor.post("/guest", {"name": "Zoé", "next": following})
    assert page.answer.url.path == "/matches"
    assert page.answer.url.query == b"game=coeurs"


# Language and settings


def test_the_language_is_kept_with_the_person_and_with_the_browser(playroom: Playroom) -> None:
    with Visitor(playroom.address, "en") as visitor:
        page = visitor.post("/language", {"lang": "fr", "next": "/rules"})
        assert page.all("html", lang="fr")
        assert page.answer.url.path == "/rules"
        visitor.come_in()
        visitor.post("/language", {"lang": "en", "next": "/"})
        visitor.client.cookies.delete("volte_lang")
        visitor.client.headers["accept-language"] = "fr"
        assert visitor.get("/").all("html", lang="en")
        assert visitor.post("/language", {"lang": "de", "next": "/"}).status == 422


def test_a_page_offers_the_other_language_as_the_country_of_the_browser_speaks_it(
    playroom: Playroom,
) -> None:
    for accepted, lang, offered in (
        ("en-CA, fr-CA;q=0.5", "en", "fr-CA"),
        ("en, fr;q=0.5, fr-CA;q=0.3", "en", "fr"),
        ("en", "en", "fr"),
        ("fr-CA, en;q=0.3", "fr-CA", "en"),
        ("fr, fr-CA;q=0.3", "fr", "en"),
    ):
        with Visitor(playroom.address) as visitor:
            visitor.client.headers["accept-language"] = accepted
            page = visitor.get("/")
            assert page.all("html", lang=lang)
            assert [each["value"] for each in page.all("button", name="lang")] == [offered]


def test_settings_are_kept(visitor: Visitor) -> None:
    visitor.come_in()
    chosen = visitor.get("/me").fields("settings-form") | {
        "lang": "fr",
        "verbosity": "full",
        "bot_pace": "250",
        "trick_pace": "0",
        "speech": "on",
    }
    del chosen["keys"]
    page = visitor.post("/me", chosen)
    assert page.all("p", autofocus="")
    for again in (page, visitor.get("/me")):
        assert again.all("html", lang="fr")
        assert again.value("bot_pace") == "250"
        assert again.value("trick_pace") == "0"
        assert again.all("option", value="full")[0].get("selected") == ""
        assert "checked" in again.all("input", name="speech")[0]
        assert "checked" not in again.all("input", name="keys")[0]
    quiet = visitor.post("/me", chosen | {"lang": "en"}, **{"x-volte": "1"})
    assert quiet.answer.json()["bot_pace"] == 250


def chosen_of(page: Page, name: str) -> str:
    """The chosen option of a list."""
    [*_, value] = page.fields("settings-form")[name]
    return str(value)


def test_what_changes_at_the_table_is_kept_by_itself(visitor: Visitor) -> None:
    """How much is announced, and the measured rate of the person's reader."""
    visitor.come_in()
    visitor.post("/me", visitor.get("/me").fields("settings-form") | {"bot_pace": "250"})
    assert visitor.post("/me/verbosity", {"verbosity": "terse"}).status == 204
    page = visitor.get("/me")
    assert (chosen_of(page, "verbosity"), page.value("bot_pace")) == ("terse", "250")
    for wrong in ({"verbosity": "loud"}, {}):
        assert visitor.post("/me/verbosity", wrong).status == 422
    assert chosen_of(visitor.get("/me"), "verbosity") == "terse"
    assert page.value("reader_rate") == ""  # not known
    assert visitor.post("/me/reader_rate", {"reader_rate": "312"}).status == 204
    assert visitor.post("/me/reader_rate", {"reader_rate": "9"}).status == 422
    assert visitor.get("/me").value("reader_rate") == "312"


def test_a_form_that_is_older_than_a_setting_leaves_it_as_it_is(visitor: Visitor) -> None:
    visitor.come_in()
    visitor.post("/me/verbosity", {"verbosity": "brief"})
    older = visitor.get("/me").fields("settings-form")
    for newer in ("verbosity", "key_verbosity", "lang"):
        del older[newer]
    page = visitor.post("/me", older | {"bot_pace": "250"})
    assert page.all("p", autofocus="")
    assert (chosen_of(page, "verbosity"), page.value("bot_pace")) == ("brief", "250")
    assert page.value("key_verbosity") == "W"


def test_a_new_key_gives_way_to_what_its_letter_does_already(visitor: Visitor) -> None:
    visitor.come_in()
    older = visitor.get("/me").fields("settings-form") | {"key_repeat": "w"}
    del older["key_verbosity"]
    page = visitor.post("/me", older)
    assert page.all("p", autofocus="")
    assert (page.value("key_repeat"), page.value("key_verbosity")) == ("W", "J")
    assert "<kbd>J</kbd>" in visitor.get("/help").answer.text


def test_wrong_settings_are_told_and_nothing_typed_is_lost(visitor: Visitor) -> None:
    visitor.come_in()
    typed = {"verbosity": "loud", "bot_pace": "quick", "trick_pace": "99999999", "key_turn": "c"}
    page = visitor.post("/me", visitor.get("/me").fields("settings-form") | typed)
    assert page.status == 422
    assert page.wrong == []
    assert page.value("bot_pace") == "quick"
    assert page.value("trick_pace") == "99999999"
    assert len(page.all("p", **{"class": "fault"})) == len(typed)
    assert {f"#{name}" for name in typed} <= {found["href"] for found in page.all("a")}


def test_a_key_that_is_taken_is_named_with_what_has_it(visitor: Visitor) -> None:
    visitor.come_in()
    fields = visitor.get("/me").fields("settings-form") | {"key_turn": "C"}
    quiet = visitor.post("/me", fields, **{"x-volte": "1"})
    told = "The key C is already used for “Cards on the table”: choose another for “Whose turn”."
    assert quiet.answer.json() == {"wrong": {"key_turn": told}}


# Refusals


def test_what_is_not_there_has_a_page_with_a_sentence(visitor: Visitor) -> None:
    for path in ("/nothing", "/tables/nothing", "/rules/nothing", "/matches/nothing/record"):
        visitor.come_in()
        page = visitor.get(path)
        assert page.status == 404, path
        assert page.wrong == []
        assert page.all("p", id="reason")
        assert "There is nothing here" in page.text
        for way in ("/", "/puzzle", "/score"):  # pages that are there
            assert page.all("a", href=way), way
            assert visitor.get(way).status == 200


def test_every_form_carries_the_token(visitor: Visitor) -> None:
    visitor.come_in()
    played = visitor.post("/play")
    for path in ("/", "/me", "/tables/new", f"/tables/{played.table}", "/rules"):
        page = visitor.get(path)
        tokens = page.all("input", name="csrf")
        assert len(tokens) == len(page.all("form", method="post"))
        assert all(
            re.fullmatch(r"[0-9a-f]{64}\.[0-9a-f]{16}\..{16}", found["value"]) for found in tokens
        )


def test_a_session_that_is_over_leads_to_the_name(visitor: Visitor) -> None:
    visitor.come_in()
    opened = visitor.open_table()
    visitor.client.cookies["volte"] = "A" * 43
    for path, status in ((f"/tables/{opened.table}", 200), ("/me", 401), ("/", 200)):
        page = visitor.get(path)
        assert (page.status, page.wrong) == (status, [])
        assert page.all("input", name="name")
        assert "Your session has ended" in page.text
    visitor.client.cookies.clear()
    assert "session" not in visitor.get("/me").text  # somebody who has never been here


def test_whoever_is_forgotten_on_a_device_is_nobody_there(visitor: Visitor) -> None:
    visitor.come_in()
    page = visitor.post("/logout")
    assert page.all("input", name="name")


# Volunteers' reports


def kept(playroom: Playroom) -> list[Trial]:
    return playroom.do(playroom.site.room.store[Trials].latest())


def test_a_volunteer_without_a_name_sends_what_they_found(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/accessibility", FOUND)
    assert page.wrong == []
    assert page.all("p", autofocus="")
    trial = kept(playroom)[0]
    assert (trial.browser, trial.reader) == (FOUND["browser"], FOUND["reader"])
    assert (trial.script, trial.outcome, trial.lang) == ("keys", "failed", "en")
    assert trial.remarks == "Nothing was heard after <b>S</b>."


def test_moderators_read_what_was_found(playroom: Playroom, visitor: Visitor) -> None:
    visitor.post("/accessibility", FOUND)
    visitor.come_in("Ana")
    person = visitor.client.get("/api/me").json()["person"]
    playroom.do(playroom.site.room.store[Accounts].put_role(person, "moderator"))
    page = visitor.get("/moderation/trials")
    assert (page.status, page.wrong) == (200, [])
    assert "Nothing was heard after <b>S</b>." in page.text  # as a text, and no element
    assert "NVDA 2025.1" in page.text


def test_whoever_sends_too_much_is_told_to_wait_and_keeps_what_they_typed(tmp_path: Path) -> None:
    with (
        open_playroom(tmp_path, reports_per_hour=2) as playroom,
        Visitor(playroom.address) as volunteer,
    ):
        for _ in range(2):
            assert volunteer.post("/accessibility", FOUND).status == 200
        page = volunteer.post("/accessibility", FOUND)
        assert page.status == 429
        assert "You are going too fast" in page.text
        assert page.fields("trial")["browser"] == FOUND["browser"]
        assert len(kept(playroom)) == 2


@pytest.mark.parametrize(("lang", "none"), [("en", "could not be tried"), ("fr", "pas pu être")])
def test_the_page_says_what_was_not_tried_and_has_every_script(
    playroom: Playroom, lang: str, none: str
) -> None:
    with Visitor(playroom.address, lang) as visitor:
        page = visitor.get("/accessibility")
    assert page.wrong == []
    assert none in page.text
    for reader in ("NVDA", "JAWS", "VoiceOver", "TalkBack"):
        assert reader in page.text
    for script in SCRIPTS:
        assert page.all("h3", id=f"script-{script}")
