"""Passwords: rules for choosing one, and checks whether one is right.

Neither an answer nor its time tells whether a login exists.
"""

from __future__ import annotations

import unicodedata
from functools import cache, partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from volte.cards import VolteError
from volte.people.sessions import Cookies, become, known_device
from volte.people.store import Account, Accounts, folded
from volte.store import Conflict, Person
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.settings import SettingFault
from volte.web.visit import Visit

log = get_logger("volte.server")

LEAST, MOST = 8, 200  # characters of a password, after NFKC
SHORTEST_LOGIN, LONGEST_LOGIN = 2, 64


class AccountFault(VolteError):
    """A fault in a form about an account; `field` is the form's field that is wrong."""

    def __init__(self, reason: str, /, field: str, **params: object) -> None:
        super().__init__(reason, **params)
        self.field = field


def normal(text: str) -> str:
    """A password in the form (NFKC) in which it is counted and hashed, equal for all keyboards."""
    return unicodedata.normalize("NFKC", text)


def read_login(text: str) -> str:
    """A new login as it is stored. Raises `AccountFault`."""
    login = folded(" ".join(text.split()))
    if not (SHORTEST_LOGIN <= len(login) <= LONGEST_LOGIN and login.isprintable()):
        raise AccountFault("bad_login", "login", least=SHORTEST_LOGIN, most=LONGEST_LOGIN)
    return login


def login_to_find(text: str) -> str:
    """A login typed for signing in, in the form in which it would be stored."""
    return folded(" ".join(text.split()))[:LONGEST_LOGIN]


def check_password(visit: Visit, text: str, *own: str, field: str = "password") -> str:
    """A password that may be chosen, in the form to hash. Raises `AccountFault`.

    Args:
        own: texts that others know about the person and that it must not be: login and name.
    """
    password = normal(text)
    if not LEAST <= len(password) <= MOST:
        raise AccountFault("password_length", field, least=LEAST, most=MOST)
    plain = folded(password)
    if plain in {folded(each) for each in own}:
        raise AccountFault("password_own", field)
    known = plain in COMMON or plain in breached(room_of(visit).settings.breached)
    if known or len(set(plain)) < 3:
        raise AccountFault("password_common", field)
    return password


async def account_of(visit: Visit, login: str, text: str) -> Account:
    """The account with that login and password; see `signed_in`.

    An unknown login takes the same work. Raises `AccountFault`, and `Refused` for somebody who
    tries too often.
    """
    room, login = room_of(visit), login_to_find(login)
    account = await room.store[Accounts].by_login(login)
    person = account.person if account is not None else ""
    here = f"{visit.address} {login}"
    device = await known_device(visit, person)
    if device:
        await room.limits.spend("device", device)
    else:
        await room.limits.spend("sign_in", visit.address, login=login, wrong=here)
    sure = await _matches(visit, account, text)
    if sure is None:
        log.warning("sign_in_failed", person=person)
        raise AccountFault("wrong_login", "password")
    room.limits.passed(*(("device", device) if device else ("wrong", here)))
    return sure


async def signed_in(visit: Visit, login: str, text: str) -> tuple[Person, Cookies]:
    """Make the owner of a login and password the visitor: the person, and the cookies, which have
    still to be given. Raises `AccountFault` and `Refused`."""
    account = await account_of(visit, login, text)
    person = await owner_of(visit, account)
    try:
        sure = partial(room_of(visit).store[Accounts].sure, account)
        cookies = await become(visit, person, sure, known=True)
    except Conflict:
        raise AccountFault("wrong_login", "password") from None
    log.info("signed_in", person=person.id)
    return person, cookies


async def owner_of(visit: Visit, account: Account) -> Person:
    """The owner of an account. Raises `Refused` 410 where they have just been deleted."""
    person = await room_of(visit).store.person(account.person)
    if person is None:
        raise Refused(410, "person_gone")
    return person


async def has_password(visit: Visit) -> bool:
    return await own_account(visit) is not None


async def own_account(visit: Visit) -> Account | None:
    """The account of the visitor; None for a guest, and without a session."""
    person = visit.person
    return None if person is None else await room_of(visit).store[Accounts].account(person.id)


async def sure_by_password(visit: Visit, text: str) -> Account | None:
    """The account of the visitor, if the password is right; else None. Raises `Refused` 429."""
    room, account = room_of(visit), await own_account(visit)
    key = f"sure {account.person if account is not None else visit.address}"
    await room.limits.spend("wrong", key)
    sure = await _matches(visit, account, text)
    if sure is not None:
        room.limits.passed("wrong", key)
    return sure


async def _matches(visit: Visit, account: Account | None, text: str) -> Account | None:
    """The account, if the password is right; else None. Without an account the work is the same."""
    room, whose = room_of(visit), visit.whose
    nobody = await room.passwords.nobody(whose)
    stored = nobody if account is None else account.password
    right = await room.passwords.verify(stored, normal(text), whose)
    if account is None or not right:
        return None
    if not room.passwords.outdated(stored):
        return account
    hashed = await room.passwords.hash(normal(text), whose)
    try:
        await room.store[Accounts].rehash(account, hashed)
    except Conflict:
        return None
    return replace(account, password=hashed)


_PASSWORDS: Final = """
12345678 123456789 1234567890 12345678910 0123456789 87654321 987654321 9876543210 123123123
12341234 11223344 1122334455 12344321 147258369 159357456 789456123 456789123 123654789 741852963
963852741 123456123 123456654321 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx
q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertz123
qwertzuiop azertyui azertyuiop azerty123 azerty1234 azerty12345 123456azerty 123azerty qsdfghjklm
asdfghjkl asdfghjk asdf1234 asdfasdf zxcvbnm123 zxcvbnm1 wxcvbn123 aqwzsxedc abcd1234 abcdefgh
abcdefghi abcdefghij abc12345 abc123456 a1b2c3d4 aa123456 a123456789 a1234567 1234abcd 12345qwert
123456789a 1234567a password password1 password2 password12 password123 password1234 password!
passw0rd p@ssw0rd p@ssword pass1234 passwort motdepasse motdepasse1 motdepasse123 mot2passe
monmotdepasse changeme changeme123 changezmoi letmein1 letmein123 welcome1 welcome123 bienvenue
bienvenue1 bienvenue123 administrator administrateur admin123 admin1234 admin12345 adminadmin
rootroot root1234 testtest test1234 test12345 guest1234 default1 secret123 iloveyou iloveyou1
iloveyou2 jetaime1 jetaime123 jetaimee jetaimemonamour monamour monamour1 mylove123 princess
princess1 princesse princesse1 sunshine sunshine1 soleil123 sunflower superman superman1 batman123
spiderman starwars pokemon1 pokemon123 football football1 baseball basketball footballer
liverpool liverpool1 chelsea1 arsenal1 marseille marseille13 olympique barcelona juventus
michael1 michelle jennifer jonathan nicolas1 nicolas123 alexandre alexandra caroline christine
catherine charlotte charlotte1 isabelle valentin valentine vanessa1 stephanie sebastien
elizabeth victoria maximilian benjamin guillaume dominique frederic francois veronique
chocolat chocolat1 chocolate chouchou doudou123 loulou123 coucou123 coucoucou computer ordinateur
internet internet1 whatever trustno1 dragon123 monkey123 mustang1 shadow123 master123 killer123
hello123 bonjour1 bonjour123 bonjour12 summer2024 summer2025 summer2026 winter2024 winter2025
winter2026 spring2025 spring2026 soleil2025 vacances vacances1 juillet14 liberte1 liberte123
france98 france2018 paris2024 america1 canada123 montreal blink182 metallica nirvana1 samsung1
samsung123 google123 facebook facebook1 linkedin youtube1 naruto123 minecraft minecraft1
babygirl babygirl1 butterfly papillon cheeseburger cinderella snoopy123 scoobydoo doudoune
hearts123 heartsgame queenofspades damedepique dame2pique jeudecartes jeuxdecartes cartesajouer
coeurs123 atoutcoeur volte123 voltevolte shootthemoon leschelem grandchelem
"""
COMMON: Final = frozenset(_PASSWORDS.split())
"""Passwords that people and programs try first, folded: those of eight characters and more among
the most common of published lists, English and French, and words of this game. The setting
`breached` can name a file with more."""


@cache
def breached(path: str) -> frozenset[str]:
    """The passwords of a file, one a line; none where no file is named. Raises `SettingFault`."""
    if not path:
        return frozenset()
    try:
        with Path(path).expanduser().open(encoding="utf-8", errors="replace") as lines:
            return frozenset(folded(line.rstrip("\r\n")) for line in lines)
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SettingFault("breached_not_read", path=path, why=why) from None
