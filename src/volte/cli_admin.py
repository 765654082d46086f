"""The commands for administrators of a server."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from volte.console.command import InOrder
from volte.console.parameters import (
    AtLeast,
    config_option,
    database_option,
    json_option,
    option,
    together,
    usual_options,
)
from volte.say import N_

if TYPE_CHECKING:
    from volte.people.command import Registrar

    Task = Callable[[Registrar], Awaitable[None]]

force_option = click.option(
    "--force", is_flag=True, help=N_("Overwrite a file that already exists.")
)


NO_PUSH_KEYS: Final = N_(
    "There is no key for notifying people whose browser is closed: “volte push-keys” makes one."
)


@click.command(help=N_("Open the playroom: tables in the browser, for you and your friends."))
@option(
    "--host",
    str,
    N_("ADDRESS"),
    N_("The address to listen on; 0.0.0.0 lets others in your home join."),
)
@option("--port", AtLeast(0), "N", N_("Default: 8150; 0 for any free port."))
@database_option
@option(
    "--node",
    str,
    N_("NAME"),
    N_("The name of this server when several share one PostgreSQL; default: main."),
)
@click.option("--workers", hidden=True)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help=N_("The address that browsers use, when another server stands in front of this one."),
)
@click.option("--open/--no-open", "browser", default=None, help=N_("Whether to open the browser."))
@config_option
@click.option(
    "--check", is_flag=True, help=N_("Show the settings in force, and where they come from.")
)
@usual_options
@click.pass_obj
def serve(
    lang: str,
    /,
    host: str | None,
    port: int | None,
    database: str | None,
    node: str | None,
    workers: str | None,
    origins: tuple[str, ...],
    browser: bool | None,
    config: str | None,
    check: bool,
    visiting: bool = False,
) -> int:
    if check:
        from volte.console.options import tell_settings
        from volte.push.sender import keys_of
        from volte.say import Words
        from volte.web.settings import UNKNOWN, chosen

        settings = chosen(
            os.environ,
            config=config,
            host=host,
            port=port,
            database=database,
            origins=origins or None,
            node=node,
            workers=workers,
        )
        tell_settings(lang, settings.shown())
        for name in settings.unknown:
            print(Words(lang).t(UNKNOWN, name=name), file=sys.stderr)
        settings.check_database()
        if keys_of(settings.settings) is None:
            print(Words(lang).t(NO_PUSH_KEYS), file=sys.stderr)
        return 0
    gc.disable()  # modules are no garbage, and looking for some takes a tenth of a second
    from volte.server.run.serving import serve

    gc.enable()
    return serve(lang, host, port, database, origins, browser, config, node, workers, visiting)


def url_of(config: str | None, database: str | None) -> str:
    """Find the database that `volte serve` would take. Raises `VolteError`."""
    from volte.web.settings import Settings

    return Settings.of(os.environ, config=config, database=database).database_url


@click.command(
    help=N_(
        "Make a folder for any web host, so that people can play alone in their browsers: no"
        " server, nothing to install."
    )
)
@click.argument("folder", type=Path, metavar=N_("FOLDER"))
@option(
    "--runtime",
    Path,
    N_("FOLDER"),
    N_("The folder of the npm package pyodide and of the msgspec wheel for it."),
    required=True,
)
@option("--base", str, N_("/PATH"), N_("The path of the folder on its host; default: none."))
@option(
    "--playroom",
    str,
    "URL",
    N_(
        "The address of a playroom for playing with others, to be shown on the pages; default:"
        " none."
    ),
)
@usual_options
@click.pass_obj
def export_site(
    lang: str, /, folder: Path, runtime: Path, base: str | None, playroom: str | None
) -> int:
    from volte.site.command import export_site

    return export_site(lang, folder, runtime, base or "", playroom or "")


@click.command(help=N_("Back up all data to one file while the server runs."))
@click.argument("file", type=Path, metavar=N_("FILE"))
@database_option
@config_option
@force_option
@usual_options
@click.pass_obj
def backup(lang: str, /, file: Path, database: str | None, config: str | None, force: bool) -> int:
    from volte.terminal.upkeep import backup

    return backup(lang, file, url_of(config, database), force=force)


@click.command(help=N_("Replace all data with a backup. The server must not be running."))
@click.argument("file", type=Path, metavar=N_("FILE"))
@database_option
@config_option
@usual_options
@click.pass_obj
def restore(lang: str, /, file: Path, database: str | None, config: str | None) -> int:
    from volte.terminal.upkeep import restore

    return restore(lang, file, url_of(config, database))


@click.command(
    help=N_("Work out all results, ratings and luck again. The server must not be running.")
)
@click.option("--yes", is_flag=True, help=N_("Confirm: the old results will be lost."))
@database_option
@config_option
@usual_options
@click.pass_obj
def reckon(lang: str, /, yes: bool, database: str | None, config: str | None) -> int:
    from volte.history.reckoner import reckon_anew
    from volte.terminal.upkeep import reckon

    return reckon(lang, url_of(config, database), reckon_anew, yes=yes)


def _named(context: click.Context, _: click.Parameter, login: str) -> str:
    """The callback of a login that must be given. Raises `PeopleFault`."""
    if not login:
        from volte.people.command import PeopleFault

        raise PeopleFault("login_missing", command=context.command_path)
    return login


login_argument = click.argument(
    "login", required=False, default="", callback=_named, metavar=N_("LOGIN")
)


def looks_after(task: Callable[..., Task]) -> Callable[..., int]:
    """The callback of a command about accounts, with the options for the database added."""

    @wraps(task)
    def call(database: str | None, config: str | None, **options: Any) -> int:
        from volte.people.command import run
        from volte.server.run.room import PARTS

        lang = click.get_current_context().obj
        return run(lang, url_of(config, database), PARTS, task(**options))

    return together(database_option, config_option, usual_options)(call)


@click.group(cls=InOrder, help=N_("Manage the accounts of a playroom, even while it is running."))
@usual_options
def people() -> None:
    pass


@people.command(
    "list", help=N_("List accounts; with some text, those whose username or name contains it.")
)
@click.argument("text", required=False, default="", metavar=N_("[TEXT]"))
@json_option
@looks_after
def people_list(text: str, as_json: bool) -> Task:
    return lambda registrar: registrar.listing(text, as_json)


@people.command("codes", help=N_("Create new recovery codes for somebody who has none left."))
@login_argument
@looks_after
def people_codes(login: str) -> Task:
    return lambda registrar: registrar.codes(login)


@people.command(
    "role", help=N_("Make somebody a moderator or an administrator; “none” takes that role away.")
)
@login_argument
@click.argument("role", required=False, default="", metavar="moderator|administrator|none")
@looks_after
def people_role(login: str, role: str) -> Task:
    return lambda registrar: registrar.role(login, role)


@people.command("sessions", help=N_("Show where somebody is signed in, or sign them out."))
@login_argument
@click.option("--end", is_flag=True, help=N_("Sign this person out everywhere."))
@looks_after
def people_sessions(login: str, end: bool) -> Task:
    return lambda registrar: registrar.sessions(login, end)


@people.command("delete", help=N_("Delete somebody’s account for good; their matches stay."))
@login_argument
@click.option("--yes", is_flag=True, help=N_("Confirm: this cannot be undone."))
@looks_after
def people_delete(login: str, yes: bool) -> Task:
    return lambda registrar: registrar.delete(login, yes)


@click.command(
    help=N_(
        "Make the key for notifying people whose browser is closed: a line for the server’s "
        "settings."
    )
)
@usual_options
@click.pass_obj
def push_keys(lang: str, /) -> int:
    from volte.extras import missing
    from volte.say import Words

    try:
        from volte.push.keys import new_private_key
    except ImportError:
        raise missing("server") from None
    print(f'# {Words(lang).t(NEW_PUSH_KEYS)}\npush_private_key = "{new_private_key()}"')
    return 0


NEW_PUSH_KEYS: Final = N_(
    "Keep this key secret, never change it, and use the same one on every node: see docs/serve.md."
)

COMMANDS: Final[tuple[click.Command, ...]] = (
    *(backup, restore, reckon, people, push_keys),
    export_site,
)
"""The commands in help's order, after all others except `serve`, which comes first."""
