"""The `volte` command: options in, rooms called."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from volte import __version__, cli_admin
from volte.console.command import InOrder, at_least, heed_signals, one_of, run
from volte.console.usual import (
    FILE,
    json_option,
    reader_option,
    record_argument,
    rules_option,
    rules_options,
    screen_options,
    set_option,
    sheet_argument,
    usual_options,
    verbosity_option,
)
from volte.say import N_


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    help=N_(
        "Hearts, les Cœurs and la Dame de pique. Without a command: the playroom in your browser,"
        " like “volte serve”."
    ),
)
@click.version_option(
    __version__, message="volte %(version)s", help=N_("Tells the version of Volte.")
)
@usual_options
@click.pass_context
def volte(context: click.Context) -> int:
    if context.invoked_subcommand is None:
        return int(context.invoke(serve, visiting=True) or 0)
    return 0


@volte.command(help=N_("Opens the playroom: tables in the browser, for you and whoever you like."))
@click.option(
    "--host",
    metavar=N_("ADDRESS"),
    help=N_("Where to listen; 0.0.0.0 lets the others in your house come in."),
)
@click.option("--port", callback=at_least(0), metavar="N", help=N_("Else 8150; 0 for any."))
@click.option(
    "--database",
    metavar="URL",
    help=N_("Where everything is kept: sqlite:///FILE or postgresql://…; else in your folder."),
)
@click.option(
    "--node",
    metavar=N_("NAME"),
    help=N_("What this server is called among several on one PostgreSQL; else main."),
)
@click.option("--workers", hidden=True)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help=N_("The address that browsers know, where another server stands in front."),
)
@click.option("--open/--no-open", "browser", default=None, help=N_("Opens the browser, or not."))
@click.option(
    "--config", metavar=N_("FILE"), help=N_("A TOML file with settings; options count for more.")
)
@click.option(
    "--check", is_flag=True, help=N_("Tells which settings count, and where they come from.")
)
@usual_options
@click.pass_obj
def serve(lang: str, /, check: bool, **options: Any) -> int:
    if check:
        return cli_admin.show_settings(lang, **options)
    from volte.server.run.serving import serve

    return serve(lang, **options)


@volte.command(
    help=N_(
        "Plays a match: you and bots. Where there is a referee, bots wait for your Enter before"
        " they turn a trick down or cut; in a playroom they wait some seconds."
    )
)
@rules_options
@click.option(
    "--seats",
    metavar=N_("WHO,WHO,…"),
    help=N_("Who sits at the table, clockwise: me, beginner, casual, strong, expert."),
)
@click.option("--name", metavar=N_("NAME"), help=N_("What you are called."))
@click.option("--seed", metavar="S", help=N_("The same seed deals the same cards."))
@click.option(
    "--record", type=FILE, metavar=N_("FILE"), help=N_("Keeps the record of the match there too.")
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar=N_("[FILE]"),
    help=N_("Goes on with the record of a match, or with the last match you left."),
)
@click.option(
    "--connect",
    metavar=N_("ADDRESS"),
    help=N_("Plays with others: the address of a table or of a playroom, as in the browser."),
)
@click.option(
    "--login", metavar=N_("LOGIN"), help=N_("Signs in to your account there; asks its password.")
)
@verbosity_option
@click.option(
    "--auto-forced", is_flag=True, help=N_("Plays a card by itself when it is the only legal one.")
)
@screen_options
@reader_option
@usual_options
@click.pass_obj
def play(lang: str, /, **options: Any) -> int:
    from volte.terminal.playing import play

    return play(lang, **options)


@volte.command(help=N_("Lists the presets, or tells the rules of one table."))
@rules_options
@click.option("--clauses", is_flag=True, help=N_("With the clauses by which refusals name rules."))
@click.option("--toml", "as_toml", is_flag=True, help=N_("As a TOML file for --rules."))
@click.option("--save", type=FILE, metavar=N_("FILE"), help=N_("Writes that TOML file."))
@json_option
@screen_options
@usual_options
@click.pass_obj
def rules(lang: str, /, **options: Any) -> None:
    from volte.terminal.looking import rules

    rules(lang, **options)


@volte.command(help=N_("Tells what to do when something goes wrong with real cards."))
@click.argument("situation", required=False, metavar=N_("[SITUATION]"))
@click.argument("preset", required=False, metavar=N_("[PRESET]"))
@rules_options
@json_option
@screen_options
@usual_options
@click.pass_obj
def clerk(lang: str, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.clerk import clerk

    clerk(lang, **options)


@volte.group(
    cls=InOrder,
    invoke_without_command=True,
    help=N_("Keeps the score for real cards. Without a command: goes on with the open sheet."),
)
@screen_options
@usual_options
@click.pass_context
def score(context: click.Context, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.command import go_on

    if context.invoked_subcommand is None:
        go_on(context.obj, **options)


@score.command("new", help=N_("Begins a score sheet."))
@rules_option
@set_option
@click.option(
    "--players",
    metavar=N_("NAME,NAME,…"),
    help=N_("Who plays, clockwise; else they are asked for."),
)
@click.option("--dealer", metavar=N_("NAME"), help=N_("Who deals first."))
@click.option(
    "--stake", default="", metavar=N_("AMOUNT"), help=N_("What a stake is worth, such as 0.25.")
)
@click.option("--currency", default="", metavar=N_("NAME"), help=N_("Of what: EUR, or €."))
@click.option("--title", default="", metavar=N_("TITLE"), help=N_("What the sheet is called."))
@screen_options
@usual_options
@click.pass_obj
def score_new(lang: str, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.command import new

    new(lang, **options)


@score.command("list", help=N_("Lists the score sheets, the latest first."))
@json_option
@screen_options
@usual_options
@click.pass_obj
def score_list(lang: str, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.command import listing

    listing(lang, **options)


@score.command("open", help=N_("Goes on with a score sheet."))
@sheet_argument
@screen_options
@usual_options
@click.pass_obj
def score_open(lang: str, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.command import open_sheet

    open_sheet(lang, **options)


@score.command("show", help=N_("Shows a score sheet, else the latest, or exports it."))
@click.argument("sheet", required=False, metavar=N_("[SHEET]"))
@click.option("--csv", "as_csv", is_flag=True, help=N_("As a table in CSV."))
@json_option
@click.option("--record", "as_record", is_flag=True, help=N_("As text that Volte reads back."))
@click.option("--save", type=FILE, metavar=N_("FILE"), help=N_("Writes it there."))
@screen_options
@usual_options
@click.pass_obj
def score_show(lang: str, /, **options: Any) -> None:
    from volte.scorekeeper.terminal.command import show

    show(lang, **options)


@volte.command(help=N_("Shows the record of a match, which “-” takes from standard input."))
@record_argument
@click.option(
    "--by",
    callback=one_of("trick", "deal", "all"),
    metavar="trick|deal|all",
    default="trick",
    help=N_("How much at a time."),
)
@verbosity_option
@screen_options
@usual_options
@click.pass_obj
def replay(lang: str, /, **options: Any) -> None:
    from volte.terminal.looking import replay

    replay(lang, **options)


@volte.command(
    help=N_(
        "Looks back on a match: what the cards were worth, and which plays cost most. “-” takes its"
        " record from standard input."
    )
)
@record_argument
@click.option(
    "--seat",
    metavar=N_("NAME|N"),
    help=N_("Whose choices: a name, or a number from 1; else those of the people at that table."),
)
@click.option(
    "--chart", type=FILE, metavar=N_("FILE"), help=N_("Draws the match there, as .png or .svg.")
)
@click.option(
    "--simulations",
    metavar="N",
    help=N_("Deals to play out in the head for a choice; else 20,000."),
)
@json_option
@screen_options
@usual_options
@click.pass_obj
def review(lang: str, /, **options: Any) -> None:
    from volte.history.review_command import look_back

    look_back(lang, **options)


@volte.command(
    help=N_(
        "Judges a record, which “-” takes from standard input, by the rules. Says the first fault."
    )
)
@record_argument
@json_option
@usual_options
@click.pass_obj
def check(lang: str, /, **options: Any) -> int:
    from volte.terminal.looking import check

    return check(lang, **options)


@volte.command(
    help=N_(
        "Proves that the cards of a record, which “-” takes from standard input, were dealt fairly."
    )
)
@record_argument
@json_option
@usual_options
@click.pass_obj
def verify(lang: str, /, **options: Any) -> int:
    from volte.terminal.looking import verify

    return verify(lang, **options)


@volte.command(help=N_("Teaches the game in ten minutes."))
@click.option("--step", callback=at_least(1), default="1", metavar="N", help=N_("Where to begin."))
@verbosity_option
@screen_options
@usual_options
@click.pass_obj
def learn(lang: str, /, plain: bool, **options: Any) -> None:
    from volte.console.symbols import words_for
    from volte.lessons.lesson_command import run_lesson

    run_lesson(words_for(lang, plain), plain=plain, **options)


@volte.command(help=N_("Gives puzzles: find the best card. Without options, that of the day."))
@click.option("--daily", is_flag=True, help=N_("The puzzle of the day, the same for everybody."))
@click.option("--number", callback=at_least(1), metavar="N", help=N_("That puzzle, and on."))
@click.option(
    "--grade",
    callback=one_of("1", "2", "3"),
    metavar="1|2|3",
    help=N_("Those of a grade that you have not solved: easy, medium or hard."),
)
@click.option(
    "--seed", callback=at_least(0), metavar="S", help=N_("The same number draws the same puzzles.")
)
@screen_options
@usual_options
@click.pass_obj
def puzzle(lang: str, /, **options: Any) -> None:
    from volte.lessons.puzzle_sitting import solve

    solve(lang, **options)


@volte.command(help=N_("Plays many deals between bots, and tells what came of them."))
@rules_options
@click.option(
    "--seats",
    metavar=N_("WHO,WHO,…"),
    help=N_("Who sits at the table, clockwise: random, beginner, casual, strong, expert."),
)
@click.option("--deals", metavar="N", help=N_("How many deals; else 1,000."))
@click.option("--matches", metavar="N", help=N_("Whole matches instead, and how many."))
@click.option("--seed", metavar="S", help=N_("The same number deals the same cards."))
@click.option("--processes", metavar="N", help=N_("How many share the work; else all cores."))
@click.option(
    "--cluster", metavar=N_("ADDRESS"), help=N_("Shares the work over a Dask cluster instead.")
)
@click.option(
    "--engine",
    callback=one_of("auto", "kernel", "readable"),
    metavar="auto|kernel|readable",
    default="auto",
    help=N_("What plays: compiled code, the readable engine, or what can."),
)
@click.option(
    "--plot", type=FILE, metavar=N_("FILE"), help=N_("Draws the points there, as .png or .svg.")
)
@click.option(
    "--records", type=FILE, metavar=N_("FOLDER"), help=N_("Keeps the records of some deals there.")
)
@click.option(
    "--keep",
    metavar=N_("WHICH,…"),
    help=N_("Which ones: numbers, moon, slam, highest; else these three."),
)
@json_option
@screen_options
@usual_options
@click.pass_obj
def simulate(lang: str, /, **options: Any) -> None:
    from volte.lab.simulate.command import simulate

    simulate(lang, **options)


@volte.command(help=N_("Tells who plays better: every deal is played in many seatings."))
@click.argument("levels", nargs=-1, metavar=N_("PLAYER…"))
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar=N_("[NAME=]COMMAND"),
    help=N_("An outside engine plays along; can be given many times."),
)
@rules_options
@click.option("--deals", metavar="N", help=N_("How many deals; else 100."))
@click.option("--matches", metavar="N", help=N_("Whole matches instead, and how many."))
@click.option(
    "--seatings",
    metavar="all|few|N",
    default="all",
    help=N_("In how many seatings each of them is played."),
)
@click.option("--table", is_flag=True, help=N_("All of them at one table, and not two at a time."))
@click.option(
    "--movetime", metavar="MS", help=N_("Milliseconds of a choice, where a player names none.")
)
@click.option("--simulations", metavar="N", help=N_("Simulations of a choice instead."))
@click.option("--seed", metavar="S", help=N_("The same number deals the same cards."))
@click.option(
    "--until", metavar=N_("POINTS"), help=N_("Ends once the margin is known that closely.")
)
@click.option("--decide", is_flag=True, help=N_("Ends once it is clear who is better."))
@click.option(
    "--keep", type=FILE, metavar=N_("FILE"), help=N_("Keeps what is played there, and goes on.")
)
@click.option("--processes", metavar="N", help=N_("How many share the work; else all cores."))
@click.option(
    "--cluster", metavar=N_("ADDRESS"), help=N_("Shares the work over a Dask cluster instead.")
)
@click.option(
    "--plot", type=FILE, metavar=N_("FILE"), help=N_("Draws the margins there, as .png or .svg.")
)
@json_option
@screen_options
@usual_options
@click.pass_obj
def arena(lang: str, /, **options: Any) -> int:
    from volte.lab.arena.command import arena

    return arena(lang, **options)


@volte.command(help=N_("Measures how fast Volte is on this machine, beside its peers."))
@click.argument("tables", nargs=-1, metavar=N_("[TABLE]…"))
@click.option("--rounds", callback=at_least(1), metavar="N", help=N_("Rounds; else 9."))
@click.option("--quick", is_flag=True, help=N_("One round: sooner, and less exact."))
@json_option
@screen_options
@usual_options
@click.pass_obj
def bench(lang: str, /, **options: Any) -> None:
    from volte.lab.bench.command import bench

    bench(lang, **options)


@volte.command(help=N_("Plays for another program, by lines of text (docs/engine-protocol.md)."))
@rules_options
@click.option("--level", metavar=N_("LEVEL"), help=N_("How well it plays; else as it plays best."))
@click.option("--seed", metavar="S", help=N_("The same seed makes the same choices; else 0."))
@click.option(
    "--movetime",
    callback=at_least(1),
    metavar=N_("MS"),
    help=N_("Milliseconds for a choice, where the other program names none."),
)
@click.option(
    "--simulations",
    callback=at_least(1),
    metavar="N",
    help=N_("Deals to play out in the head for a choice, likewise."),
)
@click.option("--threads", metavar="N", help=N_("How many threads share a search; else one."))
@usual_options
def engine(**options: Any) -> None:
    from volte.lab.engine_command import engine

    engine(**options)


for command in cli_admin.COMMANDS:
    volte.add_command(command)


def main() -> NoReturn:
    """The entry point of the `volte` script."""
    heed_signals()
    sys.exit(run(volte, sys.argv[1:]))
