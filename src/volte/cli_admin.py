"""The commands for whoever looks after a server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click

from volte.console.command import InOrder
from volte.console.usual import FILE, json_option, together, usual_options
from volte.say import N_

database_option = click.option(
    "--database",
    metavar="URL",
    help=N_("Where everything is kept: sqlite:///FILE or postgresql://…; else in your folder."),
)
config_option = click.option(
    "--config", metavar=N_("FILE"), help=N_("A TOML file with settings; options count for more.")
)
force_option = click.option(
    "--force", is_flag=True, help=N_("Also where a file is already there, which is lost.")
)


def url_of(config: str | None, database: str | None) -> str:
    """Where everything is kept, as for `volte serve`. Raises `Fault`."""
    from volte.web.settings import Settings

    return Settings.of(os.environ, config=config, database=database).database_url


@click.command(help=N_("Copies all that is kept into one file, while the server runs on."))
@click.argument("file", type=FILE, metavar=N_("FILE"))
@database_option
@config_option
@force_option
@usual_options
@click.pass_obj
def backup(lang: str, /, file: Path, database: str | None, config: str | None, force: bool) -> int:
    from volte.terminal.backup import backup

    return backup(lang, file, url_of(config, database), force=force)


@click.command(help=N_("Puts a copy in the place of all that is kept. The server must not run."))
@click.argument("file", type=FILE, metavar=N_("FILE"))
@database_option
@config_option
@usual_options
@click.pass_obj
def restore(lang: str, /, file: Path, database: str | None, config: str | None) -> int:
    from volte.terminal.backup import restore

    return restore(lang, file, url_of(config, database))


def show_settings(lang: str, /, config: str | None, **options: Any) -> int:
    """Tells which settings `volte serve` would have, and where each comes from."""
    from volte.console.settings import tell_settings
    from volte.web.settings import FIELDS, chosen

    given = {name: value for name, value in options.items() if name in FIELDS}
    given["origins"] = tuple(options.get("origins") or ()) or None
    tell_settings(lang, chosen(os.environ, config=config, **given).shown())
    return 0


def _look_after_people(
    lang: str, work: str, config: str | None, database: str | None, **told: Any
) -> int:
    from volte.people import command as people

    return people.run(lang, url_of(config, database), work, **told)


@click.command(help=N_("Works all results and ratings out anew. The server must not run."))
@click.option("--yes", is_flag=True, help=N_("Does it: those from before are lost."))
@database_option
@config_option
@usual_options
@click.pass_obj
def reckon(lang: str, /, yes: bool, database: str | None, config: str | None) -> int:
    from volte.history.reckoner import reckon_anew
    from volte.terminal.reckoning import reckon

    return reckon(lang, url_of(config, database), reckon_anew, yes=yes)


login_argument = click.argument("login", required=False, default="", metavar=N_("LOGIN"))
people_options = together(database_option, config_option, usual_options)


@click.group(cls=InOrder, help=N_("Looks after the accounts of a playroom, also while it runs."))
@usual_options
def people() -> None:
    pass


@people.command("list", help=N_("Lists accounts, or those with a text in their login or name."))
@click.argument("text", required=False, default="", metavar=N_("[TEXT]"))
@json_option
@people_options
@click.pass_obj
def people_list(lang: str, /, **told: Any) -> int:
    return _look_after_people(lang, "listing", **told)


@people.command("codes", help=N_("Makes new recovery codes for somebody who has none left."))
@login_argument
@people_options
@click.pass_obj
def people_codes(lang: str, /, **told: Any) -> int:
    return _look_after_people(lang, "codes", **told)


@people.command("role", help=N_("Lets somebody moderate or administer, or no longer: none."))
@login_argument
@click.argument("role", required=False, default="", metavar="moderator|administrator|none")
@people_options
@click.pass_obj
def people_role(lang: str, /, **told: Any) -> int:
    return _look_after_people(lang, "role", **told)


@people.command("sessions", help=N_("Lists where somebody is signed in, or signs them out."))
@login_argument
@click.option("--end", is_flag=True, help=N_("Signs them out everywhere."))
@people_options
@click.pass_obj
def people_sessions(lang: str, /, **told: Any) -> int:
    return _look_after_people(lang, "sessions", **told)


@people.command("delete", help=N_("Forgets somebody for good; their matches stay."))
@login_argument
@click.option("--yes", is_flag=True, help=N_("Does it: there is no way back."))
@people_options
@click.pass_obj
def people_delete(lang: str, /, **told: Any) -> int:
    return _look_after_people(lang, "delete", **told)


COMMANDS: Final[tuple[click.Command, ...]] = (backup, restore, reckon, people)
"""In the order in which help lists them, after all others."""
