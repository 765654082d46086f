"""Accounts, made and used by the forms of the pages."""

from __future__ import annotations

import re
from typing import Final

from kit.browsing import Page, Visitor
from kit.sites import Playroom

from volte.people.store import Account, Accounts

WORDS: Final = "lune rousse à midi"
OTHER: Final = "neuf pommes vertes"
CODE: Final = re.compile(r"<code>([\w-]+)</code>")
LOGINS = iter(f"login {number}" for number in range(10**6))


def sign_up(visitor: Visitor, password: str = WORDS) -> tuple[str, list[str]]:
    """Make an account for the visitor; return its login, and the recovery codes shown."""
    login = next(LOGINS)
    page = visitor.post("/account", {"login": login, "password": password})
    assert (page.status, page.wrong) == (200, [])
    return login, CODE.findall(page.answer.text)


def sign_in(visitor: Visitor, login: str, password: str = WORDS, following: str = "/me") -> Page:
    fields = {"login": login, "password": password, "next": following}
    return visitor.post("/signin", fields)


def token(visitor: Visitor) -> str:
    return visitor.client.cookies["volte"]


def account(playroom: Playroom, login: str) -> Account:
    found = playroom.do(playroom.site.room.store[Accounts].by_login(login))
    assert found is not None
    return found


def refused(page: Page, field: str, status: int = 422) -> bool:
    """Whether the form is shown again, with a fault beside that field and at its head."""
    faulty = page.all("p", id=f"{field}-fault")
    return (
        page.status == status
        and page.wrong == []
        and bool(faulty)
        and "autofocus" in str(page.all("div", id="faults"))
    )
