"""Settings of a server: from options of `volte serve`, its environment, or a file.

Every setting `some_name` is also the variable `VOLTE_SOME_NAME`, and a line of the TOML file that
`--config` or `VOLTE_CONFIG` names. An option counts for most, the file for least.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec
import platformdirs

from volte.cards import VolteError
from volte.engine import named_engines
from volte.say import N_
from volte.store.backup import check_whole
from volte.table.engines import EngineTerms

PREFIX: Final = "VOLTE_"
CONFIG: Final = "VOLTE_CONFIG"
OTHERS: Final = {CONFIG, "VOLTE_WORKERS", "VOLTE_KERNEL"}  # variables that are no settings
TESTS: Final = "VOLTE_TEST_"  # prefix of variables for tests
ALIKE: Final = 0.85  # similarity (0 to 1) from which an unknown variable counts as a misspelling

UNKNOWN: Final = N_("There is no setting {name}, so this does nothing.")
ORIGIN: Final = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
ALONE: Final = "main"  # the name of a node that has none
NODE: Final = re.compile(r"[a-z0-9-]{1,32}")
PUSH_KEY: Final = re.compile(r"([A-Za-z0-9_-]{43}=?)?")
PUSH_CONTACT: Final = re.compile(r"(mailto:[!-~]+@[!-~]+|https://[!-~]+)?")
BASE_PATH: Final = re.compile(r"(/[A-Za-z0-9_-]+)*")

MIN_SETTING: Final = 1e-9
"""Least value of a setting whose default is not 0; others may be 0."""

SECRETS: Final = re.compile("token|secret|password|private|pepper")  # settings that are never shown


class SettingFault(VolteError):
    """A setting with an impossible value, or one that does not exist."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of one server."""

    host: str = "127.0.0.1"  # to listen at; 0.0.0.0 and :: mean all addresses of this machine
    port: int = 8150  # 0 lets the system choose
    database: str = ""  # as in `Store.open`; empty for a file in the user's data folder
    # Origins as browsers see them (https://volte.example), if a proxy stands before the server;
    # empty: the address that a browser has asked for
    origins: tuple[str, ...] = ()
    base_path: str = ""  # such as /games/volte, if other sites share the host
    forwarded_from: tuple[str, ...] = ("127.0.0.1", "::1")  # whose X-Forwarded headers are believed
    promise_within: float = 5  # seconds to commit to the bytes of a shuffle, and to tell them (D3)
    # Seconds after which a bot plays for somebody whose connection is lost, unless the table has
    # a setting of its own
    grace: float = 30
    turn_down: float = 4  # seconds that a full trick lies before a bot turns it down (I4)
    cut: float = 20  # seconds for claiming a revoke before a bot cuts or accepts the last deal (I6)
    assembling: float = 90  # seconds to come to a table of an evening, until a bot plays there
    conducting: float = 2  # seconds between two looks at the evenings that go on
    rated_hours: float = 24  # until a rated match that nobody comes back to is broken off
    # Seconds between two looks at what is to be given up, ended or forgotten because of its age
    second_look: float = 600
    session_days: int = 400  # days without use after which a session ends
    sockets_per_address: int = 100  # connections to tables at a time
    sockets_per_person: int = 8  # connections of one person at a time, at all tables together
    messages_per_second: int = 10  # of a connection, in the long run; ten times as many at once
    # Thousandths of the server's time that one person, or address, may ask for at tables, in the
    # long run; at once as much as in ten seconds
    work_per_person: int = 60
    work_per_address: int = 250
    requests_per_minute: int = 1200  # of one address, including new connections to tables
    guests_per_hour: int = 60  # new people from one address
    tables_per_hour: int = 60  # opened by one person
    tries_per_hour: int = 20  # at the password of one table, from one address
    sign_ins_per_hour: int = 60  # passwords tried from one address, and as many recovery codes
    # Passwords tried at one login, from all addresses; known devices, recovery codes and passkeys
    # are not counted
    tries_per_login: int = 100
    breached: str = ""  # path of a file of passwords that nobody may choose, one a line
    sayings_per_minute: int = 30  # what one person may say at tables
    reports_per_hour: int = 20  # to the moderators by one person; trials from one address
    talk_days: int = 30  # days after which talk at tables is deleted
    passkeys_per_hour: int = 120  # asked for at one address or known device
    push_private_key: str = ""  # in base64url, as `volte push-keys` makes it; empty for no messages
    # Where push services reach whoever looks after the server; empty: the first https origin
    push_contact: str = ""
    push_test_hosts: tuple[str, ...] = ()  # HOST:PORT of push services in the house, for tests
    node: str = ""  # its name among those that share a PostgreSQL; empty for a server that is alone
    thinkers: int = 0  # processes for bots that search; 0: one less than this machine has cores
    luck: bool = True  # whether luck in matches is worked out, in a process that comes and goes
    # Outside engines that people may seat at tables, each as NAME=COMMAND
    engines: tuple[str, ...] = ()
    engine_seconds: float = 1  # that an engine may think about a choice
    engine_memory: int = 1024  # MiB for each process of an engine
    engine_processes: int = 8  # at a time; an engine has a process for each of its seats
    patience: float = 20  # seconds in which a client must read its messages, and send `Hello`
    drain: float = 0  # seconds between the request to stop, when /readyz says no, and the goodbye
    log: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"  # this, and what is worse
    access_log: bool = False  # whether every request is logged, at the level info
    metrics_from: tuple[str, ...] = ("127.0.0.1", "::1")  # addresses that may read /metrics
    metrics_token: str = ""  # bearer token that lets a client read /metrics, too; empty for none

    @classmethod
    def of(
        cls, environ: Mapping[str, str], *, config: str | None = None, **options: Any
    ) -> Settings:
        """The settings of an environment; options that are None do not count.

        Args:
            config: the path of a TOML file, in place of the one that `VOLTE_CONFIG` names.

        Raises `SettingFault`.
        """
        return chosen(environ, config=config, **options).settings

    def check(self) -> None:
        """Raise `SettingFault` for an impossible value."""
        if not 0 <= self.port < 2**16:
            raise SettingFault("bad_port", port=str(self.port))
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise SettingFault("bad_origin", text=origin)
        if not BASE_PATH.fullmatch(self.base_path):
            raise SettingFault("bad_base_path", text=self.base_path)
        if not NODE.fullmatch(self.node_name):
            raise SettingFault("bad_node", text=self.node)
        if not PUSH_KEY.fullmatch(self.push_private_key):
            raise SettingFault("bad_push_key")
        if not PUSH_CONTACT.fullmatch(self.push_contact):
            raise SettingFault("bad_push_contact", text=self.push_contact)
        try:
            _ = self.engine_commands
        except VolteError as fault:
            raise SettingFault(fault.reason, **fault.params) from None
        for field in msgspec.structs.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            least = 0 if field.default == 0 else MIN_SETTING
            if field.name != "port" and not least <= value < 10**9:
                raise SettingFault("bad_setting", name=PREFIX + field.name.upper(), text=str(value))

    @property
    def node_name(self) -> str:
        """Name of this node among others; `main` for a server that is alone."""
        return self.node or ALONE

    @property
    def engine_commands(self) -> dict[str, str]:
        """The command of each engine, by its name. Raises `VolteError`."""
        return named_engines(self.engines)

    @property
    def engine_terms(self) -> EngineTerms:
        return EngineTerms(self.engine_seconds, self.engine_memory, self.engine_processes)

    @property
    def database_url(self) -> str:
        """URL of the database. Raises `SettingFault` if there is no home or data folder for it."""
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


class Chosen(NamedTuple):
    """Settings, and the source of each: `option`, `environment`, `file` or `default`."""

    settings: Settings
    sources: Mapping[str, str]
    unknown: tuple[str, ...]  # `VOLTE_…` variables that are no settings

    def shown(self) -> dict[str, tuple[str, str]]:
        """Each setting's value, written as in TOML without secrets, and its source; by name."""
        values = msgspec.structs.asdict(self.settings)
        return {name: (_shown(name, value), self.sources[name]) for name, value in values.items()}

    def check_database(self) -> None:
        """Raise `VolteError` if SQLite's file is damaged."""
        check_whole(self.settings.database_url)


def chosen(environ: Mapping[str, str], *, config: str | None = None, **options: Any) -> Chosen:
    """The settings and their sources. See `Settings.of`."""
    path = config or environ.get(CONFIG, "")
    by_source = {
        "option": {name: value for name, value in options.items() if value is not None},
        "environment": _in_environment(environ),
        "file": _in_file(Path(path).expanduser()) if path else {},
    }
    if any("workers" in named for named in by_source.values()):
        raise SettingFault("no_workers")
    given: dict[str, Any] = {}
    sources = dict.fromkeys(FIELDS, "default")
    for source in ("file", "environment", "option"):
        given |= by_source[source]
        sources |= dict.fromkeys(by_source[source], source)
    settings = Settings(**given)
    settings.check()
    return Chosen(settings, sources, _unknown(environ))


FIELDS: Final = {field.name: field for field in msgspec.structs.fields(Settings)}


def _in_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"workers": ""} if environ.get(f"{PREFIX}WORKERS") else {}
    for name in FIELDS:
        variable = PREFIX + name.upper()
        text = environ.get(variable)
        if not text:
            continue
        try:
            found[name] = _value(name, text, strict=False)
        except msgspec.ValidationError:
            raise SettingFault("bad_setting", name=variable, text=text) from None
    return found


def _unknown(environ: Mapping[str, str]) -> tuple[str, ...]:
    """`VOLTE_…` variables that are no settings. Raises `SettingFault` for a likely misspelling."""
    known = {PREFIX + name.upper() for name in FIELDS} | OTHERS
    found = []
    for name in sorted(environ.keys() - known):
        if name.startswith(PREFIX) and not name.startswith(TESTS) and environ[name]:
            for near in get_close_matches(name, known, 1, ALIKE):
                raise SettingFault("no_such_variable", name=name, near=near)
            found.append(name)
    return tuple(found)


def _in_file(path: Path) -> dict[str, Any]:
    """Settings of a TOML file. Raises `SettingFault`, with the line if that is known."""
    try:
        content = path.read_text(encoding="utf-8")
        values = tomllib.loads(content)
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingFault("config_not_read", path=str(path), why=why) from None
    except ValueError as error:  # no UTF-8, or no TOML
        raise SettingFault("config_not_toml", path=str(path), why=str(error)) from None
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name == "workers":
            raise SettingFault("no_workers")
        at = _line(content, name)
        if name not in FIELDS:
            near = get_close_matches(name, FIELDS, 1, 0)[0]
            raise SettingFault("no_such_setting", path=str(path), at=at, name=name, near=near)
        try:
            found[name] = _value(name, value, strict=True)
            Settings(**{name: found[name]}).check()
        except (msgspec.ValidationError, SettingFault):
            text = "…" if SECRETS.search(name) else str(value)
            raise SettingFault(
                "bad_setting_in_file", path=str(path), at=at, name=name, text=text
            ) from None
    return found


def _value(name: str, value: object, *, strict: bool) -> object:
    """Convert a setting to its type. Raises `msgspec.ValidationError`."""
    field = FIELDS[name]
    if name == "engines" and isinstance(value, str):  # commands have spaces and commas
        value = [command.strip() for command in value.split(";") if command.strip()]
    elif isinstance(field.default, tuple) and isinstance(value, str):
        value = value.replace(",", " ").split()
    converted: object = msgspec.convert(value, field.type, strict=strict)
    return converted


def _line(text: str, name: str) -> int:
    """Number of the line of a TOML text that sets a name."""
    key = re.compile(rf"""\s*\[?\s*["']?{re.escape(name)}\b""")
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if key.match(line)), 1)


def _shown(name: str, value: object) -> str:
    if SECRETS.search(name) and value:
        return '"…"'
    if isinstance(value, str):
        value = re.sub(r"(?<=://)([^/@:]*):[^/@]*(?=@)", r"\1:…", value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return msgspec.json.encode(value).decode()
