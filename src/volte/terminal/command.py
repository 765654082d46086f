"""The command line in the language of whoever types: help, and one sentence for all misuse."""

from __future__ import annotations

import copy
import os
import re
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any, Final

import click

from volte.cards import CardFault, Fault
from volte.terminal.console import Left, Misuse, TerminalFault
from volte.words.catalogue import LANGUAGES, N_, catalogue, system_language

FAILURE: Final = 1
MISUSE: Final = 2
INTERRUPTED: Final = 130

WIDEST_HELP: Final = 80

Callback = Callable[[click.Context, click.Parameter, Any], Any]

_HEADINGS: Final = (N_("Usage:"), N_("Options:"), N_("Commands:"))


class Formatter(click.HelpFormatter):
    """Help with its headings in the language `lang`."""

    lang = "en"

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        prefix = prefix or catalogue(self.lang).gettext("Usage:") + " "
        super().write_usage(prog, args, prefix)

    def write_heading(self, heading: str) -> None:
        self.write(catalogue(self.lang).gettext(f"{heading}:") + "\n")


class Context(click.Context):
    """A context whose `obj` is the language of whoever typed the command."""

    def make_formatter(self) -> click.HelpFormatter:
        formatter = Formatter(max_width=WIDEST_HELP)
        formatter.lang = self.obj
        return formatter


class InOrder(click.Group):
    """A group whose help lists the commands in the order in which they were written."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def one_of(*choices: str) -> Callback:
    """The callback of an option that takes one word out of a few."""

    def judge(_: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is not None and value not in choices:
            values = ", ".join(choices)
            raise Misuse("no_such_choice", option=parameter.opts[0], value=value, values=values)
        return value

    return judge


def at_least(least: int) -> Callback:
    """The callback of an option that takes a whole number, not too small."""

    def judge(_: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is None:
            return None
        if not value.isdecimal() or int(value) < least:
            raise Misuse("no_such_number", option=parameter.opts[0], value=value, least=least)
        return int(value)

    return judge


def run(command: click.Command, args: Sequence[str]) -> int:
    """Runs the command in the language that is asked for; whatever goes wrong is one sentence.

    Returns the exit status: 0, 1 for a failure, 2 for misuse, 130 after Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = _told(command, args, asked_language(args))
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on: `volte rules | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    return status


def _told(command: click.Command, args: Sequence[str], lang: str) -> int:
    try:
        chosen = spoken(command, catalogue(lang).gettext)
        status = chosen.main(list(args), "volte", standalone_mode=False, obj=lang)
    except click.UsageError as error:
        return _complain(lang, _misuse(error, args))
    except Left as left:
        return INTERRUPTED if left.interrupted else 0
    except (KeyboardInterrupt, click.Abort):
        _complain(lang, TerminalFault("interrupted"))
        return INTERRUPTED
    except Fault as fault:
        return _complain(lang, fault)
    return int(status or 0)


def _complain(lang: str, fault: Fault) -> int:
    """Says what is wrong, in one sentence; the exit status."""
    from volte.rules import RulesetFault
    from volte.words import Words

    print(Words(lang).fault(fault), file=sys.stderr)
    return MISUSE if isinstance(fault, Misuse | RulesetFault | CardFault) else FAILURE


def asked_language(args: Sequence[str]) -> str:
    """The last `--lang` among the arguments, or the language of the system."""
    asked = re.findall(r"(?:^|\0)--lang[=\0](\w+)(?=\0|$)", "\0".join(args))
    known = [lang for lang in asked if lang in LANGUAGES]
    return known[-1] if known else system_language(os.environ)


def spoken(command: click.Command, translate: Callable[[str], str]) -> click.Command:
    """The command with its help in another language."""
    told = copy.copy(command)
    told.context_class = Context
    told.options_metavar = translate(N_("[OPTIONS]"))
    told.help = told.help and translate(told.help)
    told.params = [_spoken_parameter(each, translate) for each in command.params]
    if isinstance(told, click.Group):
        told.subcommand_metavar = translate(N_("COMMAND"))
        told.commands = {name: spoken(each, translate) for name, each in told.commands.items()}
    return told


def _spoken_parameter(
    parameter: click.Parameter, translate: Callable[[str], str]
) -> click.Parameter:
    told = copy.copy(parameter)
    if isinstance(told, click.Option):
        told.help = told.help and translate(told.help)
    told.metavar = told.metavar and translate(told.metavar)
    return told


def _misuse(error: click.UsageError, args: Sequence[str]) -> Misuse:
    """Click's complaint as one of ours."""
    path = error.ctx.command_path if error.ctx is not None else "volte"
    match error:
        case click.NoSuchOption():
            return Misuse("no_such_switch", option=error.option_name, command=path)
        case click.BadOptionUsage():
            unwanted = any(word.startswith(f"{error.option_name}=") for word in args)
            reason = "option_takes_no_value" if unwanted else "option_needs_value"
            return Misuse(reason, option=error.option_name)
        case click.MissingParameter():
            return Misuse("argument_missing", command=path)
    # What is left is a word too many, or no command; Click says it in brackets or quotes.
    said = re.search(r"[('‘](.*)[)'’]", error.format_message())
    reason = "argument_extra" if error.ctx and error.ctx.parent else "no_such_command"
    return Misuse(reason, command=path, extra=said[1] if said else "")
