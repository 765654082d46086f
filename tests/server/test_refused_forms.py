"""A form that is refused comes back, filled in, to whoever filled it in; and is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, Final

import pytest
from kit import Page, Playroom, Visitor, open_playroom
from kit.accounts import OTHER, WORDS, sign_in, sign_up
from kit.days import later
from kit.sheet_pages import begin
from kit.visits import Visit
from starlette.routing import Match, Route

from volte.people import account
from volte.people.account_form import Form
from volte.people.sessions import Sessions
from volte.server.app import make_app
from volte.store import Unavailable
from volte.web.refilled import SECRETS, refilled
from volte.web.security import csrf_of
from volte.web.work import WorkQueue

TYPED: Final = "Zwölf “Boxkämpfer” & <b>"
SECRET: Final = "zwölf geheime wörter"


@pytest.fixture
def anne(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as visitor:
        visitor.come_in("Anne")
        yield visitor


@pytest.fixture
def login(anne: Visitor) -> str:
    return sign_up(anne)[0]


def stale(csrf: str) -> str:
    """The token of another session of the same person."""
    _, mark, once = csrf.split(".")
    return f"{'0' * 64}.{mark}.{once}"


def reason(page: Page) -> str:
    """The reason for which a form was refused, from the one element that says so."""
    (found,) = [each for _, each in page.elements if each.get("id") == "reason"]
    return found["data-reason"]


def refused_form(page: Page, action: str) -> dict[str, Any]:
    """The form that came back."""
    assert page.wrong == []
    forms = [fields for goes, fields in page.forms() if goes == action]
    assert forms, (action, page.text)
    return next((each for each in forms if TYPED in map(str, each.values())), forms[0])


# Every form of the site


NOT_HERE: Final = {
    *("/guest", "/recover"),  # forms of nobody have no session that could be another one
    *(
        "/me/helped",
        "/me/reader_rate",
        "/me/verbosity",
        "/tables/preview",
        "/studies/{study}/talk",
    ),  # scripts alone send these
    *("/account/passkeys/challenge", "/account/passkeys/options"),
    # Only after a match, a report, a decision, a passkey or a link; they come back like the others
    *("/matches/{match}/review", "/moderation/reports/{report}", "/device/{token}"),
    *("/moderation/measures/{measure}/lift", "/me/talk", "/me/talk/read"),
    *("/account/passkeys/{key}/name", "/account/passkeys/{key}/remove"),
    *("/score/{sheet}/lines/{line:number}", "/deals"),
    *("/deals/{board}/named", "/deals/{board}/end", "/deals/sets/new"),
    *(f"/deals/sets/{{set}}/{form}" for form in ("play", "edit", "end", "report")),
    "/meet",  # a button of the form of "/play"
    # Only at a full table, for a planned one, and after a match with people
    *("/tables/{table}/another", "/tables/{table}/remind", "/meet/apart"),
    "/friends/invited/{by}",  # of an invitation
    *("/studies", "/studies/{study}/do"),  # after a match
    "/me/push/forget",  # of the settings, where the server has keys
}


def pages_with_forms(anne: Visitor, guest: Visitor) -> Iterator[tuple[Visitor, str]]:
    """Pages on which all forms stand that can be sent by somebody with an account, or a guest."""
    paths = [
        "/",
        "/me",
        "/me/data",
        "/me/data/delete",
        "/me/sessions",
        "/me/notifications",
        "/friends",
        "/learn/9",
        "/deals/today",
    ]
    paths += ["/account/name", "/account/login", "/account/password", "/account/codes"]
    paths += [
        "/account/passkeys",
        "/accessibility",
        "/signin",
        "/score",
        "/score/new",
        "/clubs/new",
    ]
    paths += ["/tables/new", f"/tables/{anne.open_table(access='public').table}/setup"]
    paths += [f"/tables/{guest.open_table(access='password', password='sesame').table}"]
    sheet = begin(anne)
    club = anne.post("/clubs/new", {"name": "Club"}).answer.url.path
    fields = anne.get(f"{club}/evenings/new").fields("evening-form")
    evening = anne.post(f"{club}/evenings/new", fields | {"date": later(0)}).answer.url.path
    invitation = next(each for each in anne.get(club).all("input") if "readonly" in each)["value"]
    yield guest, "/account"
    yield guest, "/" + invitation.split("/", 3)[3]
    guest.post("/" + invitation.split("/", 3)[3])
    paths += [sheet, f"{sheet}/head", club, f"{club}/edit", f"{club}/evenings/new"]
    paths += [evening, f"{evening}/edit"]
    yield from ((anne, path) for path in paths)


def filled_in(page: Page, fields: dict[str, Any]) -> dict[str, Any]:
    """The texts that a person would send after typing into every text field."""
    kinds = {each.get("name"): each.get("type", "text") for each in page.all("input")}
    areas = {each["name"] for each in page.all("textarea")}
    typed = {
        name: SECRET if name in SECRETS else TYPED
        for name in fields
        if kinds.get(name) in ("text", "password") or name in areas
    }
    return fields | typed


def test_every_form_comes_back_as_it_was_filled_in(
    playroom: Playroom, anne: Visitor, login: str, visit: Visit
) -> None:
    routes = [each for each in make_app(playroom.site.room).routes if isinstance(each, Route)]
    posted = {
        each.path for each in routes if "POST" in (each.methods or ()) and "/api/" not in each.path
    }
    met = set()
    for visitor, address in pages_with_forms(anne, visit("Bert")):
        page = visitor.get(address)
        assert page.status == 200, address
        for action, fields in page.forms():
            scope = {"type": "http", "method": "POST", "path": action}
            route = next(each.path for each in routes if each.matches(scope)[0] is Match.FULL)
            if route in met:
                continue
            met.add(route)
            sent = filled_in(page, fields)
            came = {"referer": str(page.answer.url)}
            back = visitor.post(action, sent | {"csrf": stale(fields["csrf"])}, **came)
            assert (back.status, reason(back)) == (403, "csrf"), address
            form = refused_form(back, action)
            kept = {name: text for name, text in sent.items() if name not in {*SECRETS, "csrf"}}
            assert {name: form.get(name) for name in kept} == kept, address
            assert form["csrf"].split(".")[0] == csrf_of(visitor.client.cookies["volte"])
            assert form["csrf"].split(".")[1:] == fields["csrf"].split(".")[1:]
            assert SECRET not in back.answer.text
    assert posted - met == NOT_HERE


def test_the_names_of_secrets_are_all_known() -> None:
    """Passwords and codes, as templates and forms have them."""

    forms = [each for each in vars(account).values() if isinstance(each, Form)]
    secret = {
        field.name
        for form in forms
        for field in form.fields
        if field.secret or field.autocomplete == "one-time-code"
    }
    assert secret == set(SECRETS)


LINE: Final = """
<form method="post" action="/x"><input type="hidden" name="of" value="{0}">
<input name="a" value="{1}"></form>
"""


def test_the_one_of_several_forms_is_filled_in_that_was_sent() -> None:
    page = "".join(LINE.format(number, "") for number in "123")
    after = LINE.format(1, "") + LINE.format(2, "&quot;&amp;&lt;") + LINE.format(3, "")
    assert refilled(page, "/x", {"of": ("2",), "a": ('"&<',)}) == after
    assert refilled(page, "/y", {}) is None
    assert refilled(page, "/x", {"of": ("4",)}) is None


def test_what_has_no_field_on_the_page_is_kept_all_the_same() -> None:
    page = '<form method="post" action="/x"><button name="do" value="a">A</button></form>'
    filled = refilled(page, "/x", {"a": ("1", "2"), "do": ("b",), "csrf": ("c",), "code": ("d",)})
    hidden = '<input type="hidden" name="a" value="1"><input type="hidden" name="a" value="2">'
    assert filled == page.replace("<button", hidden + "<button")


# Whose form it is


def test_a_session_that_was_renewed_in_another_tab(anne: Visitor, login: str) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED, "about": "At eight.\nYes"}
    assert sign_in(anne, login).status == 200
    page = anne.post("/clubs/new", form)
    assert (page.status, reason(page)) == (403, "csrf")
    again = refused_form(page, "/clubs/new")
    assert (again["name"], again["about"].split()) == (TYPED, ["At", "eight.", "Yes"])
    assert anne.post("/clubs/new", again).answer.url.path.startswith("/clubs/")
    assert anne.get("/clubs").text.count("Boxkämpfer") == 1


def test_the_form_of_somebody_else_comes_empty(anne: Visitor) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    anne.post("/logout")
    anne.come_in("Bert")
    page = anne.post("/clubs/new", form)
    assert (page.status, reason(page)) == (403, "csrf")
    assert page.fields("club-form")["name"] == ""
    assert "Boxkämpfer" not in page.answer.text


@pytest.mark.parametrize("origin", ["", "http://evil.example"])
def test_a_form_that_no_page_of_ours_has_sent_comes_empty(anne: Visitor, origin: str) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    form["csrf"] = stale(form["csrf"])
    headers = {"origin": origin} if origin else {}
    page = Page(anne.client.post("/clubs/new", data=form, headers=headers))
    assert page.status == 403
    assert "Boxkämpfer" not in page.answer.text


def test_a_browser_that_says_the_form_is_ours_by_another_header(anne: Visitor) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    form["csrf"] = stale(form["csrf"])
    headers = {"sec-fetch-site": "same-origin"}
    page = Page(anne.client.post("/clubs/new", data=form, headers=headers))
    assert page.fields("club-form")["name"] == TYPED


def test_a_session_that_is_over_is_taken_up_by_signing_in(anne: Visitor, login: str) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    anne.post("/logout")
    page = anne.post("/clubs/new", form)
    assert (page.status, page.wrong, reason(page)) == (401, [], "no_session")
    fields = page.fields("account-form")
    wrong = anne.post("/signin", fields | {"login": login, "password": OTHER})
    assert wrong.status == 422
    page = anne.post("/signin", wrong.fields("account-form") | {"login": login, "password": WORDS})
    assert (page.status, page.wrong, reason(page)) == (200, [], "signed_in")
    assert anne.get("/clubs").text.count("Boxkämpfer") == 0
    again = refused_form(page, "/clubs/new")
    assert again["name"] == TYPED
    assert anne.post("/clubs/new", again).status == 200
    assert anne.get("/clubs").text.count("Boxkämpfer") == 1


def test_whoever_else_signs_in_then_finds_an_empty_form(
    anne: Visitor, login: str, visit: Visit
) -> None:
    other = sign_up(visit("Bert"))[0]
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    anne.post("/logout")
    fields = anne.post("/clubs/new", form).fields("account-form")
    page = anne.post("/signin", fields | {"login": other, "password": WORDS})
    assert page.answer.url.path == "/clubs/new"
    assert page.fields("club-form")["name"] == ""


MADE_UP: Final = ("{", "[]", '{"path":7}', '{"path":"//x","mark":"","once":"","fields":{}}')


def test_what_is_carried_along_while_somebody_signs_in_may_be_made_up(
    anne: Visitor, login: str
) -> None:
    fields = {"login": login, "password": WORDS, "next": "/me"}
    for carried in MADE_UP:
        page = anne.post("/signin", fields | {"carried": carried})
        assert (page.status, page.answer.url.path) == (200, "/me"), carried


ELSEWHERE: Final = (
    *("http://[", "x", "http://evil.example/clubs/new", "{0}", "{0}/me/", "{0}/%00", "{0}/a?b#c"),
    *(
        "{0}/static/web/static/cards.svg",
        "{0}/node/x/clubs/new",
        "{0}//evil.example",
        "{0}/clubs/%zz",
    ),
)


def test_from_whatever_page_a_form_says_that_it_came(playroom: Playroom, anne: Visitor) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}
    form["csrf"] = stale(form["csrf"])
    for referer in ELSEWHERE:
        page = anne.post("/clubs/new", form, referer=referer.format(playroom.address))
        assert (page.status, reason(page), page.wrong) == (403, "csrf", []), referer
        assert page.fields("club-form")["name"] == TYPED, referer


def test_a_page_that_never_ends_is_not_waited_for(anne: Visitor) -> None:
    club = anne.post("/clubs/new", {"name": "Club"}).answer.url.path
    fields = anne.get(f"{club}/evenings/new").fields("evening-form")
    evening = anne.post(f"{club}/evenings/new", fields | {"date": later(0)}).answer.url
    form = anne.get(f"{evening.path}/edit").fields("evening-form") | {"name": TYPED}
    form["csrf"] = stale(form["csrf"])
    came = {"referer": f"{evening.copy_with(query=None)}/changes"}
    accepted = {"accept": "text/html, text/event-stream"}
    page = anne.post(f"{evening.path}/edit", form, **came, **accepted)
    assert page.fields("evening-form")["name"] == TYPED


# Reasons to refuse


def texts(form: dict[str, Any], names: Iterable[str]) -> dict[str, list[str]]:
    """The texts sent of each field."""
    return {name: [*form[name]] if isinstance(form[name], list) else [form[name]] for name in names}


def test_a_server_that_is_busy_gives_the_form_back(playroom: Playroom, anne: Visitor) -> None:
    form = anne.get("/tables/new").fields("table-form") | {"do": "open", "name": TYPED}
    form |= {"access": "password", "password": SECRET}
    passwords, full = playroom.site.room.passwords, WorkQueue("full", at_once=1)

    async def fill() -> None:
        full._served["somewhere"] = monotonic()
        for number in range(full._most):
            full._queue.put((f"elsewhere {number}", ""), asyncio.get_running_loop().create_future())

    playroom.do(fill())
    usual, passwords._work = passwords._work, full
    try:
        page = anne.post("/tables", form)
    finally:
        passwords._work = usual
    assert int(page.answer.headers["retry-after"]) > 0
    assert (page.status, page.wrong, reason(page)) == (503, [], "busy")
    again = refused_form(page, "/tables")
    assert SECRET not in page.answer.text
    assert page.all("input", type="password", id="password")
    kept = form.keys() - {"csrf", "password"}
    assert texts(again, kept) == texts(form, kept)
    assert anne.post("/tables", again | {"password": SECRET}).table


def test_whoever_asks_too_often_loses_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("limited")
    with (
        open_playroom(folder, tables_per_hour=1, requests_per_minute=40) as playroom,
        Visitor(playroom.address) as anne,
    ):
        anne.come_in("Anne")
        form = anne.get("/clubs/new").fields("club-form") | {"about": "At eight."}
        assert anne.post("/clubs/new", form | {"name": "First"}).status == 200
        page = anne.post("/clubs/new", form | {"name": TYPED})
        assert (page.status, reason(page)) == (429, "too_many")
        assert page.answer.headers["retry-after"]
        assert page.fields("club-form")["name"] == TYPED
        while (page := Page(anne.client.get("/rules"))).status == 200:
            pass
        assert page.status == 429
        origin = {"origin": playroom.address}
        page = Page(anne.client.post("/clubs/new", data=form | {"name": TYPED}, headers=origin))
        assert (page.status, page.wrong, reason(page)) == (429, [], "too_many")
        again = refused_form(page, "/clubs/new")
        assert {name: again[name] for name in ("name", "about")} == {
            "name": TYPED,
            "about": "At eight.",
        }
        assert again["csrf"] == form["csrf"]


def test_a_store_that_cannot_be_used_gives_the_form_back_unseen(
    playroom: Playroom, anne: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can look up whose session it is: the token alone says that it is the same."""
    form = anne.get("/clubs/new").fields("club-form") | {"name": TYPED}

    async def gone(self: Sessions, token: str) -> None:
        raise Unavailable("gone")

    with monkeypatch.context() as trouble:
        trouble.setattr(Sessions, "person", gone)
        page = Page(anne.client.post("/clubs/new", data=form, headers={"origin": playroom.address}))
        strange = {**form, "csrf": stale(form["csrf"])}
        other = anne.client.post("/clubs/new", data=strange, headers={"origin": playroom.address})
        looked = anne.get("/clubs?done=left")
    assert (page.status, page.wrong, reason(page)) == (503, [], "unavailable")
    assert (looked.status, looked.wrong, reason(looked)) == (503, [], "unavailable")
    assert looked.all("a", href="/clubs?done=left")  # to try it again
    assert (other.status_code, "Boxkämpfer" in other.text) == (503, False)
    again = refused_form(page, "/clubs/new")
    assert (again["name"], again["csrf"]) == (TYPED, form["csrf"])
    assert anne.post("/clubs/new", again).answer.url.path.startswith("/clubs/")


# Nothing is done twice


def twice(visitor: Visitor, path: str, form: dict[str, Any]) -> tuple[str, str]:
    """The two addresses to which a form leads when it is sent twice."""
    first, second = (visitor.post(path, form).answer.url for _ in range(2))
    return str(first.path), str(second.path)


def test_a_form_that_is_sent_again_makes_nothing_twice(anne: Visitor) -> None:
    form = anne.get("/clubs/new").fields("club-form") | {"name": "Club"}
    club, same = twice(anne, "/clubs/new", form)
    assert club == same
    other = anne.post("/clubs/new", form | {"name": "Another"}).answer.url.path
    assert other != club  # it is another form, though it came from the same page
    form = anne.get(f"{club}/evenings/new").fields("evening-form") | {"date": later(0)}
    evening, same = twice(anne, f"{club}/evenings/new", form)
    assert (evening, anne.get(club).answer.text.count(evening)) == (same, 1)
    form = anne.get("/tables/new").fields("table-form") | {"do": "open"}
    table, same = twice(anne, "/tables", form)
    assert table == same
    form = anne.get("/score/new").fields("table-form") | {"do": "open"}
    form |= {f"seat{seat}": name for seat, name in enumerate(("Anne", "Jean", "Zoé", "Luc"))}
    sheet, same = twice(anne, "/score/new", form)
    assert sheet == same
    assert anne.get("/score").answer.text.count(f'{sheet}"') == 1


def test_a_key_of_a_form_is_that_of_one_person(anne: Visitor, visit: Visit) -> None:
    """Somebody else who knows the key of a page makes something of their own by it."""
    form = anne.get("/clubs/new").fields("club-form") | {"name": "Club"}
    bert = visit("Bert")
    once = form["csrf"].rpartition(".")[2]
    own = bert.get("/clubs/new").fields("club-form")["csrf"].rpartition(".")[0]
    first = anne.post("/clubs/new", form).answer.url.path
    assert bert.post("/clubs/new", form | {"csrf": f"{own}.{once}"}).answer.url.path != first
