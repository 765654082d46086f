"""The `volte` command: its subcommands and options, which call the rooms."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from volte import __version__, cli_admin
from volte.console.command import InOrder, heed_signals, run
from volte.console.parameters import (
    MOST_BUDGET,
    MOST_DECKS,
    MOST_GAMES,
    SEED,
    AtLeast,
    CommaList,
    Count,
    OneOf,
    PositiveNumber,
    Seatings,
    json_option,
    lazily,
    option,
    output_options,
    reader_option,
    record_argument,
    rules_option,
    rules_options,
    screen_options,
    seed_option,
    set_option,
    shared_options,
    sheet_argument,
    usual_options,
    verbosity_option,
    with_strong,
)
from volte.say import N_

Command = Callable[..., object]


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
        return int(context.invoke(cli_admin.serve, visiting=True) or 0)
    return 0


volte.add_command(cli_admin.serve)


@volte.command(
    help=N_(
        "Plays a match: you and bots. Where there is a referee, bots wait for your Enter before"
        " they turn a trick down or cut; in a playroom they wait some seconds."
    )
)
@rules_options
@option(
    "--seats",
    CommaList(blank=False),
    N_("WHO,WHO,…"),
    N_(
        "Who sits at the table, clockwise: me, beginner, casual, strong, or with the extra"
        " “strong” expert; or bots with personality: alice, bruno, chloe, david, emma, felix,"
        " gaelle, hugo, ines, jules, karim, louise; or an engine, by the name that it has from"
        " --engine or in the playroom."
    ),
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar=N_("NAME=COMMAND"),
    help=N_("An outside engine that can sit there by that name; can be given many times."),
)
@option("--name", str, N_("NAME"), N_("What you are called."))
@option("--seed", str, "S", N_("The same seed deals the same cards."))
@option("--record", Path, N_("FILE"), N_("Keeps the record of the match there too."))
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar=N_("[FILE]"),
    help=N_("Goes on with the record of a match, or with the last match you left."),
)
@option(
    "--connect",
    str,
    N_("ADDRESS"),
    N_("Plays with others: the address of a table or of a playroom, as in the browser."),
)
@option("--login", str, N_("LOGIN"), N_("Signs in to your account there; asks its password."))
@click.option(
    "--people",
    is_flag=False,
    flag_value="",
    metavar=N_("[WISH]"),
    help=N_(
        "Plays with anybody there, or with those whom some words look for, such as “salon fr"
        " calm”; without words as you looked for people last."
    ),
)
@verbosity_option
@click.option(
    "--auto-forced", is_flag=True, help=N_("Plays a card by itself when it is the only legal one.")
)
@screen_options
@reader_option
@usual_options
@lazily
def play() -> Command:
    from volte.terminal.playing import play

    return play


@volte.command(help=N_("Lists the presets, or tells the rules of one table."))
@rules_options
@click.option("--clauses", is_flag=True, help=N_("With the clauses by which refusals name rules."))
@click.option("--toml", "as_toml", is_flag=True, help=N_("As a TOML file for --rules."))
@option("--save", Path, N_("FILE"), N_("Writes that TOML file."))
@json_option
@output_options
@lazily
def rules() -> Command:
    from volte.terminal.looking import rules

    return rules


@volte.command(help=N_("Tells what to do when something goes wrong with real cards."))
@click.argument("typed", nargs=-1, metavar=N_("[SITUATION] [PRESET]"))
@rules_options
@json_option
@output_options
@lazily
def clerk() -> Command:
    from volte.scorekeeper.terminal.clerk import clerk

    return clerk


@volte.group(
    cls=InOrder,
    invoke_without_command=True,
    help=N_("Keeps the score for real cards. Without a command: goes on with the open sheet."),
)
@output_options
@click.pass_context
def score(context: click.Context, /, plain: bool, width: int | None) -> None:
    from volte.scorekeeper.terminal.command import go_on

    if context.invoked_subcommand is None:
        go_on(context.obj, plain, width)


@score.command("new", help=N_("Begins a score sheet."))
@rules_option
@set_option
@option("--players", str, N_("NAME,NAME,…"), N_("Who plays, clockwise; else they are asked for."))
@option("--dealer", str, N_("NAME"), N_("Who deals first."))
@option("--stake", str, N_("AMOUNT"), N_("What a stake is worth, such as 0.25."), default="")
@option("--currency", str, N_("NAME"), N_("Of what: EUR, or €."), default="")
@option("--title", str, N_("TITLE"), N_("What the sheet is called."), default="")
@output_options
@lazily
def score_new() -> Command:
    from volte.scorekeeper.terminal.command import new

    return new


@score.command("list", help=N_("Lists the score sheets, the latest first."))
@json_option
@output_options
@lazily
def score_list() -> Command:
    from volte.scorekeeper.terminal.command import listing

    return listing


@score.command("open", help=N_("Goes on with a score sheet."))
@sheet_argument
@output_options
@lazily
def score_open() -> Command:
    from volte.scorekeeper.terminal.command import open_sheet

    return open_sheet


@score.command("show", help=N_("Shows a score sheet, else the latest, or exports it."))
@click.argument("sheet", required=False, metavar=N_("[SHEET]"))
@click.option("--csv", "as_csv", is_flag=True, help=N_("As a table in CSV."))
@json_option
@click.option("--record", "as_record", is_flag=True, help=N_("As text that Volte reads back."))
@option("--save", Path, N_("FILE"), N_("Writes it there."))
@output_options
@lazily
def score_show() -> Command:
    from volte.scorekeeper.terminal.command import show

    return show


@volte.command(help=N_("Shows the record of a match, which “-” takes from standard input."))
@record_argument
@option(
    "--by",
    OneOf("trick", "deal", "all"),
    "trick|deal|all",
    N_("How much at a time."),
    default="trick",
)
@verbosity_option
@output_options
@lazily
def replay() -> Command:
    from volte.terminal.looking import replay

    return replay


@volte.command(
    help=N_(
        "Looks back on a match: what the cards were worth, and which plays cost most. “-” takes its"
        " record from standard input."
    )
)
@record_argument
@option(
    "--seat",
    str,
    N_("NAME|N"),
    N_("Whose choices: a name, or a number from 1; else those of the people at that table."),
)
@option("--chart", Path, N_("FILE"), N_("Draws the match there, as .png or .svg."))
@option(
    "--simulations",
    Count(1, 10**7),
    "N",
    N_("Deals to play out in the head for a choice; else 20,000."),
)
@click.option(
    "--try",
    "again",
    is_flag=True,
    help=N_("Asks what you would do now at what cost most, before it tells the answer."),
)
@json_option
@output_options
@with_strong
def review() -> Command:
    from volte.history.review_command import look_back

    return look_back


@volte.command(
    help=N_(
        "Judges a record, which “-” takes from standard input, by the rules. Says the first fault."
    )
)
@record_argument
@json_option
@usual_options
@lazily
def check() -> Command:
    from volte.terminal.looking import check

    return check


@volte.command(
    help=N_(
        "Proves that the cards of a record, which “-” takes from standard input, were dealt fairly."
    )
)
@record_argument
@json_option
@usual_options
@lazily
def verify() -> Command:
    from volte.terminal.looking import verify

    return verify


@volte.command(help=N_("Teaches the game in ten minutes."))
@option("--step", AtLeast(1), "N", N_("Where to begin."), default="1")
@verbosity_option
@output_options
@lazily
def learn() -> Command:
    from volte.lessons.lesson_command import learn

    return learn


@volte.command(help=N_("Gives puzzles: find the best card. Without options, that of the day."))
@click.option("--daily", is_flag=True, help=N_("The puzzle of the day, the same for everybody."))
@option("--number", AtLeast(1), "N", N_("That puzzle, and on."))
@option(
    "--grade",
    OneOf("1", "2", "3"),
    "1|2|3",
    N_("Those of a grade that you have not solved: easy, medium or hard."),
)
@option("--seed", AtLeast(0), "S", N_("The same number draws the same puzzles."))
@output_options
@lazily
def puzzle() -> Command:
    from volte.lessons.puzzle_command import solve

    return solve


@volte.command(help=N_("Plays many deals between bots, and tells what came of them."))
@rules_options
@option(
    "--seats",
    CommaList(),
    N_("WHO,WHO,…"),
    N_(
        "Who sits at the table, clockwise: random, beginner, casual, strong, expert, or a bot"
        " with personality, such as alice."
    ),
)
@option("--deals", Count(1, MOST_GAMES), "N", N_("How many deals; else 1,000."))
@option("--matches", Count(1, MOST_GAMES), "N", N_("Whole matches instead, and how many."))
@seed_option
@shared_options
@option(
    "--engine",
    OneOf("auto", "kernel", "readable"),
    "auto|kernel|readable",
    N_("What plays: compiled code, the readable engine, or what can."),
    default="auto",
)
@option("--plot", Path, N_("FILE"), N_("Draws the points there, as .png or .svg."))
@option("--records", Path, N_("FOLDER"), N_("Keeps the records of some deals there."))
@option(
    "--keep",
    CommaList(),
    N_("WHICH,…"),
    N_("Which ones: numbers, moon, slam, highest; else these three."),
)
@json_option
@output_options
@with_strong
def simulate() -> Command:
    from volte.lab.simulate.command import simulate

    return simulate


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
@option("--deals", Count(1, MOST_DECKS), "N", N_("How many deals; else 100."))
@option("--matches", Count(1, MOST_DECKS), "N", N_("Whole matches instead, and how many."))
@option(
    "--seatings",
    Seatings(),
    "all|few|N",
    N_("In how many seatings each of them is played."),
    default="all",
)
@click.option("--table", is_flag=True, help=N_("All of them at one table, and not two at a time."))
@option(
    "--movetime",
    Count(1, MOST_BUDGET),
    "MS",
    N_("Milliseconds of a choice, where a player names none."),
)
@option("--simulations", Count(1, MOST_BUDGET), "N", N_("Simulations of a choice instead."))
@seed_option
@option(
    "--until", PositiveNumber(), N_("POINTS"), N_("Ends once the margin is known that closely.")
)
@click.option("--decide", is_flag=True, help=N_("Ends once it is clear who is better."))
@option("--keep", Path, N_("FILE"), N_("Keeps what is played there, and goes on."))
@shared_options
@option("--plot", Path, N_("FILE"), N_("Draws the margins there, as .png or .svg."))
@json_option
@output_options
@with_strong
def arena() -> Command:
    from volte.lab.arena.command import arena

    return arena


@volte.command(help=N_("Measures how fast Volte is on this machine."))
@click.argument("tables", nargs=-1, metavar=N_("[TABLE]…"))
@option("--rounds", AtLeast(1), "N", N_("Rounds; else 9."))
@click.option("--quick", is_flag=True, help=N_("One round: sooner, and less exact."))
@json_option
@output_options
@with_strong
def bench() -> Command:
    from volte.lab.bench.command import bench

    return bench


@volte.command(
    help=N_(
        "Compiles all that strong bots and simulations need, so that nobody waits for it later."
    )
)
@output_options
@with_strong
def warm() -> Command:
    from volte.lab.warm import warm

    return warm


@volte.command(help=N_("Plays for another program, by lines of text (docs/engine-protocol.md)."))
@rules_options
@option("--level", str, N_("LEVEL"), N_("How well it plays; else as it plays best."))
@option("--seed", SEED, "S", N_("The same seed makes the same choices; else 0."), default="0")
@option(
    "--movetime",
    AtLeast(1),
    N_("MS"),
    N_("Milliseconds for a choice, where the other program names none."),
)
@option(
    "--simulations", AtLeast(1), "N", N_("Deals to play out in the head for a choice, likewise.")
)
@option("--threads", str, "N", N_("How many threads share a search; else one."), default="1")
@usual_options
@lazily
def engine() -> Command:
    from volte.lab.engine_command import engine

    return engine


for command in cli_admin.COMMANDS:
    volte.add_command(command)


def main() -> NoReturn:
    """The entry point of the `volte` script."""
    heed_signals()
    sys.exit(run(volte, sys.argv[1:]))
