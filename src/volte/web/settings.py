"""What can be set about a server: by options of `volte serve`, in its environment, or in a file.

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
TESTS: Final = "VOLTE_TEST_"  # before the names of variables for tests
ALIKE: Final = 0.85  # how much an unknown variable is like a setting that is meant, of 1

UNKNOWN: Final = N_("There is no setting {name}: it has no effect.")
ORIGIN: Final = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
ALONE: Final = "main"  # the name of a node that has none
NODE: Final = re.compile(r"[a-z0-9-]{1,32}")
BASE_PATH: Final = re.compile(r"(/[A-Za-z0-9_-]+)*")

MIN_SETTING: Final = 1e-9
"""The smallest number that is not 0; 0 is for settings whose default it is."""

SECRETS: Final = re.compile("token|secret|password|private|pepper")  # settings that are never shown


class SettingFault(VolteError):
    """A setting that has a value which it cannot have."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of one server."""

    host: str = "127.0.0.1"  # to listen at; 0.0.0.0 and :: mean all addresses of this machine
    port: int = 8150  # 0 lets the system choose
    database: str = ""  # as in `Store.open`; empty for a file in the user's data folder
    # As browsers name them (https://volte.example), where the server stands behind another one;
    # empty: whatever address a browser has asked for
    origins: tuple[str, ...] = ()
    base_path: str = ""  # such as /games/volte, where other things share the host
    forwarded_from: tuple[str, ...] = ("127.0.0.1", "::1")  # whose X-Forwarded headers are believed
    promise_within: float = 5  # seconds to promise the bytes of a shuffle, and to tell them (D3)
    # Seconds after which a bot plays for somebody whose connection is lost, at tables that do not
    # say how long
    grace: float = 30
    turn_down: float = 4  # seconds that a full trick lies before a bot turns it down (I4)
    cut: float = 20  # seconds for claiming a revoke before a bot cuts or accepts the last deal (I6)
    assembling: float = 90  # seconds to come to a table of an evening, until a bot plays there
    conducting: float = 2  # seconds between two looks at the evenings that go on
    rated_hours: float = 24  # after which a rated match to which nobody comes back is broken off
    # Between two looks at what is given up, ended or forgotten for good because of its time
    second_look: float = 600
    session_days: int = 400  # after which somebody who has not come back is forgotten
    sockets_per_address: int = 100  # connections to tables at a time
    sockets_per_person: int = 8  # the same of one person, at all tables together
    messages_per_second: int = 10  # of a connection, in the long run; ten times as many at once
    # Thousandths of the server's time that one person, or address, may ask for at tables, in the
    # long run; at once as much as in ten seconds
    work_per_person: int = 60
    work_per_address: int = 250
    requests_per_minute: int = 1200  # of one address, new connections to tables as well
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
    talk_days: int = 30  # after which what was said at tables is forgotten
    passkeys_per_hour: int = 120  # asked for at one address or known device
    node: str = ""  # its name among those that share a PostgreSQL; empty for a server that is alone
    thinkers: int = 0  # processes for bots that search; 0: one less than this machine has cores
    # Others' programs that people may seat at tables, by the names of NAME=COMMAND
    engines: tuple[str, ...] = ()
    engine_seconds: float = 1  # that one may think about a choice
    engine_memory: int = 1024  # MiB that every process of theirs may have
    engine_processes: int = 8  # at a time: one for every seat that an engine has
    patience: float = 20  # seconds in which a client must take what it is sent, and say `Hello`
    drain: float = 0  # seconds between the word to stop, when /readyz says no, and the goodbye
    log: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"  # this, and what is worse
    access_log: bool = False  # whether every request is logged, at the level info
    metrics_from: tuple[str, ...] = ("127.0.0.1", "::1")  # addresses that may read /metrics
    metrics_token: str = ""  # who sends it as a bearer token may, too; empty for nobody

    @classmethod
    def of(
        cls, environ: Mapping[str, str], *, config: str | None = None, **options: Any
    ) -> Settings:
        """The settings of an environment; options that are None leave them as they are.

        Args:
            config: the path of a TOML file, in place of the one that `VOLTE_CONFIG` names.

        Raises `SettingFault`.
        """
        return chosen(environ, config=config, **options).settings

    def check(self) -> None:
        """Raises `SettingFault` for what cannot be."""
        if not 0 <= self.port < 2**16:
            raise SettingFault("bad_port", port=str(self.port))
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise SettingFault("bad_origin", text=origin)
        if not BASE_PATH.fullmatch(self.base_path):
            raise SettingFault("bad_base_path", text=self.base_path)
        if not NODE.fullmatch(self.node_name):
            raise SettingFault("bad_node", text=self.node)
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
        """What other nodes would know this one as."""
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


class Chosen(NamedTuple):
    """Settings, and where each comes from: `option`, `environment`, `file` or `default`."""

    settings: Settings
    sources: Mapping[str, str]
    unknown: tuple[str, ...]  # variables that look like settings, and are none

    def shown(self) -> dict[str, tuple[str, str]]:
        """By name, the value as it may be shown, in the words of TOML, and its source."""
        values = msgspec.structs.asdict(self.settings)
        return {name: (_shown(name, value), self.sources[name]) for name, value in values.items()}

    def check_database(self) -> None:
        """Raises `VolteError` where SQLite's file is damaged."""
        check_whole(self.settings.database_url)


def chosen(environ: Mapping[str, str], *, config: str | None = None, **options: Any) -> Chosen:
    """The settings, and where they come from. See `Settings.of`."""
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
    """The variables that are no settings. Raises `SettingFault` where one is meant."""
    known = {PREFIX + name.upper() for name in FIELDS} | OTHERS
    found = []
    for name in sorted(environ.keys() - known):
        if name.startswith(PREFIX) and not name.startswith(TESTS) and environ[name]:
            for near in get_close_matches(name, known, 1, ALIKE):
                raise SettingFault("no_such_variable", name=name, near=near)
            found.append(name)
    return tuple(found)


def _in_file(path: Path) -> dict[str, Any]:
    """What a TOML file says. Raises `SettingFault`, with the line where that is known."""
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingFault("config_not_read", path=str(path), why=why) from None
    except ValueError as error:  # no UTF-8, or no TOML
        raise SettingFault("config_not_toml", path=str(path), why=str(error)) from None
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name == "workers":
            raise SettingFault("no_workers")
        at = _line(text, name)
        if name not in FIELDS:
            near = get_close_matches(name, FIELDS, 1, 0)[0]
            raise SettingFault("no_such_setting", path=str(path), at=at, name=name, near=near)
        try:
            found[name] = _value(name, value, strict=True)
            Settings(**{name: found[name]}).check()
        except (msgspec.ValidationError, SettingFault):
            raise SettingFault(
                "bad_setting_in_file", path=str(path), at=at, name=name, text=str(value)
            ) from None
    return found


def _value(name: str, value: object, *, strict: bool) -> object:
    """Raises `msgspec.ValidationError`."""
    field = FIELDS[name]
    if name == "engines" and isinstance(value, str):  # commands have spaces and commas
        value = [command.strip() for command in value.split(";") if command.strip()]
    elif isinstance(field.default, tuple) and isinstance(value, str):
        value = value.replace(",", " ").split()
    converted: object = msgspec.convert(value, field.type, strict=strict)
    return converted


def _line(text: str, name: str) -> int:
    """The line on which a name of a TOML text is set."""
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
