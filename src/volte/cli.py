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
        "Play Hearts, les Cœurs and la Dame de pique. Without a command, opens the playroom in"
        " your browser, like “volte serve”."
    ),
)
@click.version_option(
    __version__, message="volte %(version)s", help=N_("Show the version of Volte.")
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
        "Play a match with bots. With a referee, bots wait for you to press Enter before they "
        "turn a trick face down or cut; in a playroom they wait a few seconds."
    )
)
@rules_options
@option(
    "--seats",
    CommaList(blank=False),
    N_("WHO,WHO,…"),
    N_(
        "Who sits at the table, clockwise: me, beginner, casual, strong or, with the extra "
        "“strong”, expert; or bots with personality: alice, bruno, chloe, david, emma, felix, "
        "gaelle, hugo, ines, jules, karim, louise; or an engine, by the name given to it with "
        "--engine or in the playroom."
    ),
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar=N_("NAME=COMMAND"),
    help=N_("Add a bot program that can sit at the table under the name you give; repeatable."),
)
@option("--name", str, N_("NAME"), N_("Your name."))
@option("--seed", str, "S", N_("The same seed deals the same cards."))
@option("--record", Path, N_("FILE"), N_("Also save the match to this file."))
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar=N_("[FILE]"),
    help=N_("Resume a saved match, or the last one you left."),
)
@option(
    "--connect",
    str,
    N_("ADDRESS"),
    N_("Play with others, at the address of a table or a playroom, as in the browser."),
)
@option(
    "--login",
    str,
    N_("LOGIN"),
    N_("Sign in to your account in the playroom. You are asked for the password."),
)
@click.option(
    "--people",
    is_flag=False,
    flag_value="",
    metavar=N_("[WISH]"),
    help=N_(
        "Find people to play with in that playroom; words such as “salon fr calm” narrow the "
        "search. Without words, repeat your last search."
    ),
)
@verbosity_option
@click.option(
    "--auto-forced", is_flag=True, help=N_("Play a card for you when it is the only one allowed.")
)
@screen_options
@reader_option
@usual_options
@lazily
def play() -> Command:
    from volte.terminal.playing import play

    return play


@volte.command(help=N_("List the games, or show the rules of one."))
@rules_options
@click.option("--clauses", is_flag=True, help=N_("Show the number of each rule."))
@click.option("--toml", "as_toml", is_flag=True, help=N_("Print a TOML file for --rules."))
@option("--save", Path, N_("FILE"), N_("Write the TOML file for --rules."))
@json_option
@output_options
@lazily
def rules() -> Command:
    from volte.terminal.looking import rules

    return rules


@volte.command(help=N_("Look up what to do when something goes wrong in a game with real cards."))
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
    help=N_(
        "Keep score for a game played with real cards. Without a command, continue the open sheet."
    ),
)
@output_options
@click.pass_context
def score(context: click.Context, /, plain: bool, width: int | None) -> None:
    from volte.scorekeeper.terminal.command import go_on

    if context.invoked_subcommand is None:
        go_on(context.obj, plain, width)


@score.command("new", help=N_("Start a score sheet."))
@rules_option
@set_option
@option(
    "--players",
    str,
    N_("NAME,NAME,…"),
    N_("Who plays, clockwise; if you leave this out, Volte asks."),
)
@option("--dealer", str, N_("NAME"), N_("Who deals first."))
@option("--stake", str, N_("AMOUNT"), N_("What a stake is worth, such as 0.25."), default="")
@option("--currency", str, N_("NAME"), N_("The currency: EUR, or €."), default="")
@option("--title", str, N_("TITLE"), N_("The title of the sheet."), default="")
@output_options
@lazily
def score_new() -> Command:
    from volte.scorekeeper.terminal.command import new

    return new


@score.command("list", help=N_("List the score sheets, latest first."))
@json_option
@output_options
@lazily
def score_list() -> Command:
    from volte.scorekeeper.terminal.command import listing

    return listing


@score.command("open", help=N_("Continue a score sheet."))
@sheet_argument
@output_options
@lazily
def score_open() -> Command:
    from volte.scorekeeper.terminal.command import open_sheet

    return open_sheet


@score.command("show", help=N_("Show or export a score sheet; by default the latest."))
@click.argument("sheet", required=False, metavar=N_("[SHEET]"))
@click.option("--csv", "as_csv", is_flag=True, help=N_("Export a CSV table."))
@json_option
@click.option(
    "--record", "as_record", is_flag=True, help=N_("Export text that Volte can read again.")
)
@option("--save", Path, N_("FILE"), N_("Write the sheet to this file."))
@output_options
@lazily
def score_show() -> Command:
    from volte.scorekeeper.terminal.command import show

    return show


@volte.command(help=N_("Replay a saved match; “-” reads it from standard input."))
@record_argument
@option(
    "--by",
    OneOf("trick", "deal", "all"),
    "trick|deal|all",
    N_("How much to show at a time."),
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
        "Review a match: what your cards were worth, and which plays cost you most. “-” reads"
        " it from standard input."
    )
)
@record_argument
@option(
    "--seat",
    str,
    N_("NAME|N"),
    N_(
        "Whose choices to review: a name, or a number from 1. By default, those of all the people"
        " at the table."
    ),
)
@option("--chart", Path, N_("FILE"), N_("Save a picture of the match in this .png or .svg file."))
@option(
    "--simulations",
    Count(1, 10**7),
    "N",
    N_("How many deals the bot thinks through for each choice; default: 20,000."),
)
@click.option(
    "--try",
    "again",
    is_flag=True,
    help=N_("Quiz you on your costliest choices before showing the answers."),
)
@json_option
@output_options
@with_strong
def review() -> Command:
    from volte.history.review_command import look_back

    return look_back


@volte.command(
    help=N_(
        "Check that a saved match follows the rules, and show the first mistake; “-” reads it"
        " from standard input."
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
        "Prove that the cards of a saved match were dealt fairly; “-” reads it from standard input."
    )
)
@record_argument
@option("--of", Path, N_("FILE"), N_("Also check that its cards are those of this match."))
@json_option
@usual_options
@lazily
def verify() -> Command:
    from volte.terminal.looking import verify

    return verify


@volte.command(help=N_("Learn the game in ten minutes."))
@option("--step", AtLeast(1), "N", N_("Where to begin."), default="1")
@verbosity_option
@output_options
@lazily
def learn() -> Command:
    from volte.lessons.lesson_command import learn

    return learn


@volte.command(
    help=N_("Solve puzzles: find the best card. Without options, the puzzle of the day.")
)
@click.option("--daily", is_flag=True, help=N_("The puzzle of the day, the same for everybody."))
@option("--number", AtLeast(1), "N", N_("Start from this puzzle."))
@option(
    "--grade",
    OneOf("1", "2", "3"),
    "1|2|3",
    N_("Puzzles of this grade (easy, medium or hard) that you have not solved yet."),
)
@option("--seed", AtLeast(0), "S", N_("The same number gives the same puzzles."))
@output_options
@lazily
def puzzle() -> Command:
    from volte.lessons.puzzle_command import solve

    return solve


@volte.command(help=N_("Let bots play many deals, and sum up the results."))
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
@option("--deals", Count(1, MOST_GAMES), "N", N_("How many deals; default: 1,000."))
@option("--matches", Count(1, MOST_GAMES), "N", N_("Play this many whole matches instead."))
@seed_option
@shared_options
@option(
    "--engine",
    OneOf("auto", "kernel", "readable"),
    "auto|kernel|readable",
    N_(
        "What plays the deals: compiled code, the readable engine in plain Python, or the faster "
        "of the two that can play these rules."
    ),
    default="auto",
)
@option("--plot", Path, N_("FILE"), N_("Draw the points in this .png or .svg file."))
@option("--records", Path, N_("FOLDER"), N_("Save some of the deals in this folder."))
@option(
    "--keep",
    CommaList(),
    N_("WHICH,…"),
    N_(
        "Which deals to save: numbers, or the words moon, slam and highest; by default, all "
        "three words."
    ),
)
@json_option
@output_options
@with_strong
def simulate() -> Command:
    from volte.lab.simulate.command import simulate

    return simulate


@volte.command(
    help=N_("Find out who plays better: every deal is replayed with the players in other seats.")
)
@click.argument("levels", nargs=-1, metavar=N_("PLAYER…"))
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar=N_("[NAME=]COMMAND"),
    help=N_("Add a bot program to the players; repeatable."),
)
@rules_options
@option("--deals", Count(1, MOST_DECKS), "N", N_("How many deals; default: 100."))
@option("--matches", Count(1, MOST_DECKS), "N", N_("Play this many whole matches instead."))
@option(
    "--seatings",
    Seatings(),
    "all|few|N",
    N_("How many seatings to play each deal in."),
    default="all",
)
@click.option("--table", is_flag=True, help=N_("Seat all players at one table, not two at a time."))
@option(
    "--movetime",
    Count(1, MOST_BUDGET),
    "MS",
    N_("Milliseconds per choice, unless a player sets its own."),
)
@option(
    "--simulations",
    Count(1, MOST_BUDGET),
    "N",
    N_("Simulations per choice, instead of milliseconds."),
)
@seed_option
@option(
    "--until",
    PositiveNumber(),
    N_("POINTS"),
    N_("Stop when the difference is known to within this many points."),
)
@click.option("--decide", is_flag=True, help=N_("Stop when it is clear who is better."))
@option("--keep", Path, N_("FILE"), N_("Save the deals in this file, and continue from it."))
@shared_options
@option("--plot", Path, N_("FILE"), N_("Draw the margins in this .png or .svg file."))
@json_option
@output_options
@with_strong
def arena() -> Command:
    from volte.lab.arena.command import arena

    return arena


@volte.command(help=N_("Measure how fast Volte is on this machine."))
@click.argument("tables", nargs=-1, metavar=N_("[TABLE]…"))
@option("--rounds", AtLeast(1), "N", N_("How many rounds; default: 9."))
@click.option("--quick", is_flag=True, help=N_("A single round: faster, but less exact."))
@json_option
@output_options
@with_strong
def bench() -> Command:
    from volte.lab.bench.command import bench

    return bench


@volte.command(
    help=N_(
        "Compile what strong bots and simulations need, so that nobody has to wait for it later."
    )
)
@output_options
@with_strong
def warm() -> Command:
    from volte.lab.warm import warm

    return warm


@volte.command(
    help=N_("Play for another program, by exchanging lines of text (docs/engine-protocol.md).")
)
@rules_options
@option("--level", str, N_("LEVEL"), N_("The level; by default the strongest."))
@option("--seed", SEED, "S", N_("The same seed gives the same choices; default: 0."), default="0")
@option(
    "--movetime",
    AtLeast(1),
    N_("MS"),
    N_("Milliseconds per choice, unless the other program sets them."),
)
@option(
    "--simulations",
    AtLeast(1),
    "N",
    N_("Simulations per choice, unless the other program sets them."),
)
@option("--threads", str, "N", N_("How many threads share a search; default: one."), default="1")
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
