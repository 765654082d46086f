"""`volte people`: commands about accounts, on the database itself, also while the server runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Any, Final

import msgspec

from volte.cards import VolteError
from volte.console.terminal import harmless
from volte.people.store import MOST_LISTED, Account, Accounts, code_key, folded, new_codes
from volte.say import N_, Words
from volte.say.formats import moment_text
from volte.store import Unavailable
from volte.store.part import Part
from volte.store.store import Store

_ROLES: Final = {
    "": N_("player"),
    "moderator": N_("moderator"),
    "administrator": N_("administrator"),
}
ROLES: Final = {"moderator": "moderator", "administrator": "administrator", "none": ""}


class PeopleFault(VolteError):
    """A command about accounts that cannot be carried out."""


def run(
    lang: str, url: str, parts: Iterable[type[Part]], work: Callable[[Registrar], Awaitable[None]]
) -> int:
    """Do one piece of work with the database at an address, and return the exit status.

    Raises `VolteError`.

    Args:
        parts: all parts of the store, as each may have data to forget about a person.
    """

    async def do() -> None:
        async with await Store.open(url, parts) as store:
            await work(Registrar(Words(lang), store))

    try:
        asyncio.run(do())
    except Unavailable:
        raise PeopleFault("database_away") from None
    return 0


class Registrar:
    """The commands of `volte people`; each prints what it has done."""

    def __init__(self, words: Words, store: Store) -> None:
        self._words = words
        self._store = store

    def say(self, message: str, /, **params: Any) -> None:
        print(harmless(self._words.t(message, **params)))

    async def listing(self, text: str, as_json: bool) -> None:
        found = await self._store[Accounts].known(folded(text))
        if as_json:
            rows = [msgspec.structs.asdict(each) for each in found]
            print(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for each in found:
            self.say(
                N_("{login}: {name}, {role}, account created {made}, last visit {used}."),
                login=each.login,
                name=each.name,
                role=self._words.t(_ROLES[each.role]),
                made=self._when(each.made),
                used=self._when(each.used),
            )
        if not found:
            self.say(
                N_("No account has “{text}” in its username or name.")
                if text
                else N_("There are no accounts yet."),
                text=text,
            )
        if len(found) == MOST_LISTED:
            self.say(N_("There may be more accounts: type part of a username to find them."))

    async def codes(self, login: str) -> None:
        account = await self._account(login)
        codes = new_codes()
        keys = [code_key(account.person, code) for code in codes]
        await self._store[Accounts].put_codes(account.person, keys)
        self.say(
            N_("New recovery codes for {login}; the old ones no longer work:"),
            login=account.login,
        )
        for code in codes:
            print(code)
        self.say(N_("To choose a new password, use one of these codes at the address /recover."))

    async def role(self, login: str, role: str) -> None:
        account = await self._account(login)
        if role:
            if role not in ROLES:
                raise PeopleFault("no_such_role", text=role)
            await self._store[Accounts].put_role(account.person, ROLES[role])
            await self._store.bus.publish("person", account.person)
        present = self._words.t(_ROLES[await self._store[Accounts].role(account.person)])
        self.say(N_("{login} has this role: {role}."), login=account.login, role=present)

    async def sessions(self, login: str, end: bool) -> None:
        account = await self._account(login)
        if end:
            await self._sign_out(account)
            return
        found = await self._store[Accounts].sessions(account.person)
        for each in found:
            agent = each.agent.strip("/").replace("/", ", ")
            self.say(
                N_("{device}, since {begun}, last used {used}."),
                device=agent or self._words.t("unknown device"),
                begun=self._when(each.begun),
                used=self._when(each.used),
            )
        if not found:
            self.say(N_("{login} is not signed in anywhere."), login=account.login)

    async def _sign_out(self, account: Account) -> None:
        ended = await self._store[Accounts].end_sessions(account.person)
        await self._store.bus.publish("sessions", account.person)
        self.say(
            N_("{login} has been signed out everywhere. Devices signed out: {count}."),
            login=account.login,
            count=len(ended),
        )

    async def delete(self, login: str, yes: bool) -> None:
        account = await self._account(login)
        if not yes:
            raise PeopleFault("delete_unsure", player=account.login)
        await self._sign_out(account)
        await self._store.forget(account.person)
        await self._store.bus.publish("person", account.person)
        self.say(N_("The data of {login} has been deleted for good."), login=account.login)

    async def _account(self, login: str) -> Account:
        account = await self._store[Accounts].by_login(folded(" ".join(login.split())))
        if account is None:
            raise PeopleFault("no_such_login", text=login)
        return account

    def _when(self, seconds: float) -> str:
        if not seconds:
            return self._words.t("never")
        moment = datetime.fromtimestamp(seconds).astimezone()
        return moment_text(self._words.lang, moment)
