"""What can be set about a server: by options of `volte serve`, or in its environment.

Every setting `some_name` is also the variable `VOLTE_SOME_NAME`; an option counts for more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import platformdirs

from volte.cards import Fault

PREFIX: Final = "VOLTE_"
ORIGIN: Final = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


class SettingFault(Fault):
    """A setting that cannot be."""


class Settings(msgspec.Struct, frozen=True):
    """One server.

    Attributes:
        host: the address to listen at; 0.0.0.0 and :: mean all of this machine's.
        port: 0 lets the system choose.
        database: where everything is kept, as in `Store.open`; empty for a file in the user's
            data folder.
        origins: as browsers name them (https://volte.example), where the server stands behind
            another one; empty: whatever address a browser has asked for.
        forwarded_from: addresses of the servers in front, whose X-Forwarded headers are believed.
        promise_within: seconds that people's programs have to promise their bytes, and again to
            tell them (D3).
        grace: seconds after which a bot plays for somebody whose connection is lost.
        turn_down: seconds that a full trick lies, with a referee, before a bot turns it down (I4).
        cut: seconds for claiming a revoke before a bot cuts or accepts the last deal (I6).
        session_days: after which somebody who has not come back is forgotten.
        sockets_per_address: connections to tables at a time.
        messages_per_second: of one connection, in the long run; for a moment ten times as many.
        requests_per_minute: of one address, new connections to tables as well.
        guests_per_hour: new people from one address.
        tables_per_hour: opened by one person.
        tries_per_hour: at the password of one table, from one address.
        patience: seconds in which a client must take what it is sent, and say `Hello`.
    """

    host: str = "127.0.0.1"
    port: int = 8150
    database: str = ""
    origins: tuple[str, ...] = ()
    forwarded_from: tuple[str, ...] = ("127.0.0.1", "::1")
    promise_within: float = 5
    grace: float = 10
    turn_down: float = 4
    cut: float = 20
    session_days: int = 400
    sockets_per_address: int = 100
    messages_per_second: int = 10
    requests_per_minute: int = 1200
    guests_per_hour: int = 60
    tables_per_hour: int = 60
    tries_per_hour: int = 20
    patience: float = 20

    @classmethod
    def of(cls, environ: Mapping[str, str], **options: Any) -> Settings:
        """The settings of an environment; options that are None leave them as they are.

        Raises `SettingFault`.
        """
        given: dict[str, Any] = {}
        for field in msgspec.structs.fields(cls):
            name = PREFIX + field.name.upper()
            text = environ.get(name)
            if not text:
                continue
            several = isinstance(field.default, tuple)
            value = text.replace(",", " ").split() if several else text
            try:
                given[field.name] = msgspec.convert(value, field.type, strict=False)
            except msgspec.ValidationError:
                raise SettingFault("bad_setting", name=name, text=text) from None
        given |= {name: value for name, value in options.items() if value is not None}
        settings = cls(**given)
        settings._check()
        return settings

    def _check(self) -> None:
        if not 0 <= self.port < 2**16:
            raise SettingFault("bad_port", port=str(self.port))
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise SettingFault("bad_origin", text=origin)
        for field in msgspec.structs.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and field.name != "port" and not 0 < value < 10**9:
                raise SettingFault("bad_setting", name=PREFIX + field.name.upper(), text=str(value))

    @property
    def database_url(self) -> str:
        """Where everything is kept. Raises `SettingFault` for whoever has no home."""
        if self.database:
            return self.database
        try:
            folder = platformdirs.user_data_path("volte", appauthor=False)
        except RuntimeError:
            raise SettingFault("no_home") from None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingFault(
                "no_data_folder", path=str(folder), why=error.strerror or str(error)
            ) from None
        return f"sqlite:///{folder / 'playroom.sqlite'}"
