"""The command line in the user's language: help, and one sentence for each mistake."""

from __future__ import annotations

import copy
import errno
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from io import StringIO, TextIOWrapper
from types import FrameType
from typing import Final, TextIO

import click

from volte.cards import CardFault, VolteError
from volte.console.compiling import compiling_told
from volte.console.terminal import (
    READABLY,
    Misuse,
    Quit,
    TerminalFault,
    Terminated,
    harmless,
    signal_of,
)
from volte.say.catalogue import N_, catalogue, language_of, system_language

FAILURE: Final = 1
MISUSE: Final = 2
SIGNALLED: Final = 128

WIDEST_HELP: Final = 80

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
    """A context whose `obj` is the language of the person at the terminal."""

    def make_formatter(self) -> click.HelpFormatter:
        formatter = Formatter(max_width=WIDEST_HELP)
        formatter.lang = self.obj
        return formatter


class InOrder(click.Group):
    """A group whose help lists the commands in the order in which they were written."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def run(command: click.Command, args: Sequence[str]) -> int:
    """Run the command in the language that is asked for; every error becomes one sentence.

    Returns the exit status: 0, 1 for a failure, 2 for misuse, 130 after Ctrl-C (128 and the number
    of the signal).
    """
    sys.stdout = sys.stdout or StringIO()  # None if the program was started with it closed
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=READABLY)
    lang = asked_language(args)
    try:
        status = _status_of(command, args, lang)
        sys.stdout.flush()
    except OSError as error:
        # If the reader is gone (`volte rules | head`, a terminal that is closed), say nothing.
        if error.errno not in (errno.EPIPE, errno.EIO):
            _complain(lang, TerminalFault("system_refuses", why=error.strerror or str(error)))
        _hush(sys.stdout)
        return FAILURE
    return status


def _hush(stream: TextIO) -> None:
    """Send further output nowhere, so that the program ends without another error."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def heed_signals() -> None:
    """Let a closing terminal or a stopping system end the program as Ctrl-C does."""
    for number in _ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup
            signal.signal(number, _stop)


_ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def _stop(number: int, _: FrameType | None) -> None:
    for other in _ENDING:  # a shell sends a signal again that its terminal has sent
        signal.signal(other, signal.SIG_IGN)
    raise Terminated(number)


def _status_of(command: click.Command, args: Sequence[str], lang: str) -> int:
    try:
        chosen = spoken(command, catalogue(lang).gettext)
        with compiling_told(lang, "--plain" in args):
            status = chosen.main(list(args), "volte", standalone_mode=False, obj=lang)
    except click.UsageError as error:
        return _complain(lang, _misuse(error, args))
    except Quit as gone:
        return SIGNALLED + gone.signal if gone.signal else 0
    except (KeyboardInterrupt, click.Abort) as gone:
        _complain(lang, TerminalFault("interrupted"))
        return SIGNALLED + signal_of(gone.__cause__ or gone)
    except VolteError as fault:
        if fault.reason == "level_needs_extra":
            from volte.extras import missing

            fault = missing(str(fault.params["extra"]))
        return _complain(lang, fault)
    return int(status or 0)


def _complain(lang: str, fault: VolteError) -> int:
    """Print the sentence about a fault; return the exit status."""
    from volte.names import NameFault
    from volte.rules import RulesetFault
    from volte.say import Words

    try:
        print(harmless(Words(lang).fault(fault)), file=sys.stderr, flush=True)
    except OSError:
        _hush(sys.stderr)
    return MISUSE if isinstance(fault, Misuse | NameFault | RulesetFault | CardFault) else FAILURE


def asked_language(args: Sequence[str]) -> str:
    """The last `--lang` among the arguments, or the language of the system."""
    named = re.findall(r"(?:^|\0)--lang[=\0]([^\0]+)", "\0".join(args))
    known = list(filter(None, map(language_of, named)))
    return known[-1] if known else system_language(os.environ)


def spoken(command: click.Command, translate: Callable[[str], str]) -> click.Command:
    """The command with its help in another language."""
    translated = copy.copy(command)
    translated.context_class = Context
    translated.options_metavar = translate(N_("[OPTIONS]"))
    translated.help = translated.help and translate(translated.help)
    translated.params = [copy.copy(each) for each in command.params]
    for each in translated.params:
        if isinstance(each, click.Option):
            each.help = each.help and translate(each.help)
        each.metavar = each.metavar and translate(each.metavar)
    if isinstance(translated, click.Group):
        translated.subcommand_metavar = translate(N_("COMMAND"))
        translated.commands = {
            name: spoken(each, translate) for name, each in translated.commands.items()
        }
    return translated


def _misuse(error: click.UsageError, args: Sequence[str]) -> Misuse:
    """The error of Click as a `Misuse`."""
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
    # Left are a word too many, or an unknown command; Click puts it in brackets or quotes.
    quoted = re.search(r"[('‘](.*)[)'’]", error.format_message())
    reason = "argument_extra" if error.ctx and error.ctx.parent else "no_such_command"
    return Misuse(reason, command=path, extra=quoted[1] if quoted else "")
