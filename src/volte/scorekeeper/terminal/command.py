"""`volte score`: the score-keeper for real cards, from options to a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from volte.cards import VolteError
from volte.console.files import try_file, write
from volte.console.keys import WHICH_NUMBER, key_of
from volte.console.options import chosen_rules, print_json, words_for
from volte.console.terminal import Console, Dialogue, Misuse, Quit, TerminalFault
from volte.rules import PRESETS, Ruleset, Settlement, described
from volte.say import N_
from volte.say.faults import shown_path
from volte.say.keys import Key
from volte.say.scores import won
from volte.scorekeeper import model
from volte.scorekeeper.telling.sheet import SheetTelling, sheet_lines
from volte.scorekeeper.telling.stakes import (
    currency_of,
    stake_and_currency,
    stake_sentence,
    stakes_lines,
)
from volte.scorekeeper.terminal.entry import DealReader
from volte.scorekeeper.terminal.sitting import SheetSitting, sheet_title

_STATES: Final = {"playing": N_("under way"), "over": N_("over"), "accepted": N_("settled")}


def go_on(lang: str, plain: bool = False, width: int | None = None) -> None:
    """Go on with the open sheet; ask which one if there are several. Raises `Quit`."""
    desk = Desk(lang, plain, width)
    sheets = [(each, each.summary) for each in desk.shelf.listed()]
    found = [each for each, known in sheets if known is not None and known.state != "accepted"]
    if not found:
        desk.say(N_("No sheet is open: here is a new one."))
    listed = desk.choose(found) if len(found) > 1 else found[0] if found else None
    if listed is None:
        desk.begin(desk.asked_for())
    else:
        desk.keep(model.SheetFile.open(listed.path))


def new(
    lang: str,
    rules: str | None = None,
    settings: Sequence[str] = (),
    players: str | None = None,
    stake: str = "",
    currency: str = "",
    title: str = "",
    dealer: str | None = None,
    plain: bool = False,
    width: int | None = None,
) -> None:
    """Begin a sheet; ask for the players if they are not named. Raises `Quit`."""
    desk = Desk(lang, plain, width)
    names = _names(players or "")
    if len(names) < 2:
        desk.begin(desk.asked_for(rules, settings, players, stake, currency, title), dealer)
        return
    ruleset = chosen_rules(rules, settings, None, len(names))
    desk.begin(_opening(ruleset, names, stake, currency, title), dealer)


def listing(lang: str, as_json: bool, plain: bool, width: int | None) -> None:
    """Print the list of all sheets, the latest first."""
    desk = Desk(lang, plain, width)
    found = desk.shelf.listed()
    if as_json:
        print_json([_as_listed(each) for each in found])
    elif not found:
        desk.say(N_("There are no sheets yet: “volte score new” begins one."))
    else:
        desk.console.say(*map(desk.sheet_line, found))


def open_sheet(lang: str, sheet: str, plain: bool, width: int | None) -> None:
    """Go on with a sheet, given by its name or its file. Raises `Quit`."""
    desk = Desk(lang, plain, width)
    desk.keep(model.SheetFile.open(desk.found(sheet)))


def show(
    lang: str,
    sheet: str | None,
    as_csv: bool,
    as_json: bool,
    as_record: bool,
    save: Path | None,
    plain: bool,
    width: int | None,
) -> None:
    """Print or save a sheet, the latest unless one is named, in words or for other programs."""
    desk = Desk(lang, plain, width)
    if as_csv + as_json + as_record > 1:
        raise Misuse("score_one_form")
    shown = desk.read(sheet)
    if as_csv:
        text = model.to_csv(shown)
    elif as_json:
        text = model.to_json(shown).decode()
    elif as_record:
        text = model.to_record(shown)
    else:
        text = "\n".join(desk.in_words(shown))
    text = text.rstrip("\n")
    if save is not None:
        try_file(save)
        write(save, f"{text}\n".encode())
        desk.say(N_("Saved: {path}"), path=shown_path(str(save)))
    elif as_csv or as_json or as_record:
        print(text)
    else:
        desk.console.say(text)


class Desk(Dialogue):
    """A person at the terminal, and the sheets on this machine."""

    def __init__(self, lang: str, plain: bool, width: int | None) -> None:
        console = Console.here(width, plain)
        super().__init__(words_for(lang, console.plain), console)
        self.shelf = model.SheetShelf()

    # Existing sheets

    def keep(self, file: model.SheetFile, new: bool = False) -> None:
        """Let the person write on a sheet until they leave. Raises `Quit`."""
        SheetSitting(self.words, self.console, self.shelf, file).run(new)

    def choose(self, found: Sequence[model.ShelvedSheet]) -> model.ShelvedSheet | None:
        """Ask for one of the sheets; None for a new one. Raises `Quit`."""
        self.say(N_("Several sheets are open:"))
        for number, each in enumerate(found, start=1):
            self.console.say(f"{number}. {self.sheet_line(each)}")
        while True:
            line = self.ask_line(
                N_(
                    "Which sheet, 1 to {most}? Press Enter for the first, or type “new” for a "
                    "new one:"
                ),
                most=len(found),
            )
            if not line:
                return found[0]
            if line.casefold() in ("new", "nouvelle"):
                return None
            if line.isdecimal() and 1 <= int(line) <= len(found):
                return found[int(line) - 1]
            self.say(WHICH_NUMBER, least=1, most=len(found))

    def found(self, name: str) -> Path:
        """Find the file of a sheet by a path or the beginning of its name. Raises `VolteError`."""
        if "\0" not in name and Path(name).is_file():
            return Path(name)
        paths = [each.path for each in self.shelf.listed()]
        exact = [path for path in paths if path.stem == name]
        likely = exact or [path for path in paths if name and path.stem.startswith(name)]
        if not likely:
            raise TerminalFault("score_no_such_sheet", name=name)
        if len(likely) > 1:
            sheets = ", ".join(path.stem for path in likely)
            raise TerminalFault("score_two_sheets", name=name, sheets=sheets)
        return likely[0]

    def read(self, name: str | None) -> model.Sheet:
        """Read a sheet to look at, also one exported as a record. Raises a `VolteError`."""
        if name is None:
            listed = [each for each in self.shelf.listed() if each.summary is not None]
            if not listed:
                raise TerminalFault("score_no_sheets")
            return model.read_sheet(listed[0].path)
        return model.read_sheet(self.found(name))

    def sheet_line(self, listed: model.ShelvedSheet) -> str:
        """A line of the list of sheets."""
        summary = listed.summary
        if summary is None:
            assert listed.fault is not None
            return self.words.fault(listed.fault)
        pairs = zip(summary.names, summary.totals, strict=True)
        counts = [f"{name} {self.words.number(total)}" for name, total in pairs]
        totals = self.words.t("Totals: {totals}.", totals=self.words.t("; ").join(counts))
        return self.words.t(
            N_("{id} “{title}” ({state}): {names}. {totals}")
            if summary.title
            else N_("{id} ({state}): {names}. {totals}"),
            id=listed.path.stem,
            title=summary.title,
            state=self.words.t(_STATES[summary.state]),
            names=", ".join(summary.names),
            totals=totals if summary.deals else "",
        ).rstrip()

    def in_words(self, sheet: model.Sheet) -> list[str]:
        """A sheet from head to foot, as lines."""
        telling = SheetTelling(self.words, sheet)
        lines = [sheet_title(self.words, sheet), *filter(None, [stake_sentence(telling)])]
        lines += sheet_lines(telling, self.console.table_width)
        if sheet.table.over:
            lines += won(telling)
        if sheet.rules.stakes.settlement is not Settlement.NONE:
            lines += stakes_lines(telling)
        return lines

    # New sheets

    def begin(self, opening: model.Open, dealer: str | None = None) -> None:
        """Begin a sheet and let the person write on it. Raises `Quit` and `VolteError`."""
        seat = None
        if dealer is not None:
            seat = DealReader(opening.rules, opening.names, self.words).one_seat(dealer)
        file = self.shelf.new(opening)
        if seat is not None:
            file.do(model.NameFirstDealer(seat))
        self.keep(file, new=True)

    def asked_for(
        self,
        rules: str | None = None,
        settings: Sequence[str] = (),
        players: str | None = None,
        stake: str = "",
        currency: str = "",
        title: str = "",
    ) -> model.Open:
        """Ask for the players of a new sheet, and for its rules and stake if they are not given."""
        if rules is not None or settings or players:
            chosen_rules(rules, settings, players)  # wrong options are reported before any question
        while True:
            line = self.ask_line(N_("Who is playing, clockwise? Names, separated by commas:"))
            names = _names(line)
            try:
                ruleset = self._rules(rules, settings, players, len(names))
                money = stake or self._stake(ruleset)
                return _opening(ruleset, names, money, currency, title)
            except VolteError as fault:
                self.complain(fault)

    def _rules(
        self, rules: str | None, settings: Sequence[str], players: str | None, count: int
    ) -> Ruleset:
        if rules is not None or settings or players:
            return chosen_rules(rules, settings, players, count)
        usual, _ = described(chosen_rules(None, (), str(count)))
        presets = [preset.name for preset in PRESETS.values() if count in preset.players]
        while True:
            line = self.ask_line(
                N_("Which rules? Press Enter for {preset}, or type one of {presets}:"),
                preset=usual,
                presets=", ".join(presets),
            )
            try:
                return chosen_rules(line or usual, (), None, count)
            except VolteError as fault:
                self.complain(fault)

    def _stake(self, rules: Ruleset) -> str:
        if rules.stakes.settlement is Settlement.NONE:
            return ""
        example = self.words.t("0.25 EUR")
        while True:
            line = self.ask_line(
                N_(
                    "How much is one stake worth ({example}, for example)? Press Enter if you "
                    "are not playing for money:"
                ),
                example=example,
            )
            amount, currency = stake_and_currency(line)
            names = tuple(map(str, range(rules.players)))
            judged = model.decide(None, model.Open(rules, names, stake=amount, currency=currency))
            if not isinstance(judged, model.SheetFault):
                return line
            self.complain(judged)

    def line(self, prompt: str) -> str:
        while True:
            try:
                line = self.console.ask(prompt)
            except TerminalFault:
                self.say(N_("Volte could not read that: type ? to see what you can type."))
            else:
                if key_of(line) is Key.QUIT:
                    raise Quit
                return line


def _names(text: str) -> tuple[str, ...]:
    """Names from a text with commas; none from a number, which `--players` may also be."""
    if text.strip().isdecimal():
        return ()
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def _opening(
    rules: Ruleset, names: tuple[str, ...], stake: str, currency: str, title: str
) -> model.Open:
    amount, its_currency = stake_and_currency(stake) if stake else ("", "")
    named = currency_of(currency) if currency else its_currency
    return model.Open(
        rules, model.names_typed(names), title, amount, named, date=date.today().isoformat()
    )


def _as_listed(listed: model.ShelvedSheet) -> dict[str, object]:
    """A sheet as `--json` lists it; for a damaged one only name, path and time."""
    updated = datetime.fromtimestamp(listed.updated, UTC).isoformat(timespec="seconds")
    found = {"id": listed.path.stem, "path": str(listed.path), "updated": updated}
    if listed.summary is None:
        return {**found, "state": "damaged"}
    known = asdict(listed.summary)
    totals = zip(known.pop("names"), known.pop("totals"), strict=True)
    return {**found, **known, "players": [{"name": name, "total": total} for name, total in totals]}
