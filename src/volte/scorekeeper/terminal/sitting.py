"""A score sheet kept at the terminal: a question for each deal, and commands at any time.

Each entry is on the disk before it is answered, so nothing is lost by leaving or a crash.
"""

from __future__ import annotations

from datetime import date
from typing import Final

import msgspec

from volte.cards import VolteError
from volte.console.habits import told_once
from volte.console.terminal import Console, Dialogue, Quit, TerminalFault, command_line
from volte.say import N_, Words
from volte.say.faults import shown_path
from volte.say.keys import bare
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.scores import labels, row_line, won
from volte.scorekeeper import model
from volte.scorekeeper.clerk.clerk import arising, asks_for_all, find, format_answer
from volte.scorekeeper.telling import stakes
from volte.scorekeeper.telling.sheet import (
    SheetTelling,
    after_row,
    chart_lines,
    next_deal,
    rules_title,
    scores,
    sheet_lines,
    standing_lines,
    typed,
    whose_deal,
)
from volte.scorekeeper.terminal.entry import DealReader, Instead, completed
from volte.scorekeeper.terminal.keys import (
    G_MOVED,
    ScoreKey,
    Verb,
    example,
    key_lines,
    verb_of,
)
from volte.sheet import Purpose, RowKind, SheetRow

_NOTHING: Final = frozenset(("0", "none", "-", "rien", "aucune", "non", "no"))


class SheetSitting(Dialogue):
    """A person keeps the sheet of a file, and the sheets of the matches that follow."""

    def __init__(
        self, words: Words, console: Console, shelf: model.SheetShelf, file: model.SheetFile
    ) -> None:
        super().__init__(words, console)
        self.file = file  # the present sheet
        self._shelf = shelf
        self._help_told = False

    @property
    def sheet(self) -> model.Sheet:
        return self.file.sheet

    def run(self, new: bool = False) -> None:
        """Keep the sheet until the person leaves. Raises `Quit`, or `KeyboardInterrupt`.

        Args:
            new: whether the sheet has just been begun.
        """
        try:
            if isinstance(model.next_act(self.sheet, self.file.house), model.Unseal):
                self.file.draw_lots()  # reveals the secret: the program had been stopped before it
            self._introduce(new)
            while True:
                self._heed(self.line(self._question()))
        except (Quit, KeyboardInterrupt):
            self._goodbye()
            raise
        finally:
            self.file.close()

    # The introduction

    def _introduce(self, new: bool) -> None:
        sheet, words = self.sheet, self.words
        names, rules = words.listed(sheet.names), rules_title(words, sheet.rules)
        if new:
            self.say(N_("A new sheet: {names}. Rules: {rules}."), names=names, rules=rules)
        else:
            self.console.say(sheet_title(words, sheet))
        self.console.say(*filter(None, [stakes.stake_sentence(self._telling)]))
        if sheet.opening_pot:
            self.say(
                N_("In the pot from the last match: {stakes}."),
                stakes=stakes.amount(self._telling, sheet.opening_pot),
            )
        if self.file.recovered is not None:
            self.say(
                N_(
                    "The end of the file is damaged and was left out; entries kept: {entries}."
                    " Check that the last deal is there."
                ),
                entries=self.file.recovered.entries,
            )
        if new and sheet.first_dealer is None:
            self._first_dealer()
        elif sheet.table.rows:
            self.say(N_("Deals so far: {deals}."), deals=len(sheet.table.deals))
            self.console.say(*scores(self._telling))
            self.console.say(*self._what_is_due())

    def _first_dealer(self) -> None:
        """Ask who deals first; it may be left open. Raises `Quit`."""
        while line := self.ask_line(
            N_(
                "Who deals first? Type a name, or “lots” to draw lots, or press Enter to decide "
                "later:"
            )
        ):
            verb, rest = verb_of(line)
            key = ScoreKey.of(line)
            try:
                if key is ScoreKey.QUIT:
                    raise Quit
                if key is ScoreKey.KEYS:
                    raise TerminalFault("score_no_dealer")
                if verb is Verb.LOTS:
                    self._lots(rest)
                else:
                    self._name_dealer(rest if verb is Verb.DEALER else line)
            except VolteError as fault:
                self.complain(fault)
            else:
                return

    def _question(self) -> str:
        sheet, words = self.sheet, self.words
        if not self._help_told:
            self._help_told = True
            self.say(N_("Type ? for help."))
        if sheet.accepted:
            return words.t(
                "The match is settled. Type “next” for another match, or type Q to leave:"
            )
        if not sheet.table.over:
            return words.t("{deal} Who took what?", deal=next_deal(self._telling))
        return words.t(
            N_("The match is over. Type “lots” to draw lots:")
            if sheet.table.due
            else N_("The match is over. Type “accept” when everybody agrees, or a correction:")
        )

    def _goodbye(self) -> None:
        path = self.file.path
        name = path.stem if path.parent == self._shelf.folder else str(path)
        command = command_line("score", "open", name)
        self.say(
            N_("Everything is saved in {path}. To go on: {command}"),
            path=shown_path(str(path)),
            command=command,
        )

    # A line

    def _heed(self, line: str) -> None:
        """Carry out a line. Raises `Quit`."""
        while True:
            try:
                key = ScoreKey.of(line)
                if bare(line) == "g" and told_once("score g"):
                    return self.say(G_MOVED)
                if key is not None:
                    return self._press(key)
                if not line:
                    raise TerminalFault(
                        "score_empty", example=example(self.words, self.sheet.rules)
                    )
                return self._command(line)
            except Instead as instead:
                line = instead.line
            except VolteError as fault:
                return self.complain(fault)

    def _press(self, key: ScoreKey) -> None:
        words, sheet, width = self.words, self.sheet, self.console.table_width
        match key:
            case ScoreKey.SCORES:
                self.console.say(*scores(self._telling))
            case ScoreKey.SHEET:
                self.console.say(*sheet_lines(self._telling, width))
            case ScoreKey.NEEDS:
                self.console.say(*standing_lines(self._telling))
            case ScoreKey.TURN:
                self.console.say(*whose_deal(self._telling))
            case ScoreKey.CHART:
                self.console.say(*chart_lines(self._telling, width))
            case ScoreKey.STAKES:
                self.console.say(*stakes.stakes_lines(self._telling))
            case ScoreKey.RULES:
                rules = rule_sheet(sheet.rules, words, real_cards=True)
                self.console.say(format_sheet(rules, words))
            case ScoreKey.PROOF:
                self.console.say(*stakes.proof_lines(words, model.prove(sheet)))
            case ScoreKey.KEYS:
                self.console.say(*key_lines(words, sheet))
            case ScoreKey.UNDO:
                self._undo()
            case ScoreKey.ACCEPT:
                self.file.do(model.Settle())
                self.say(
                    N_("Everybody agrees: the match is settled, and nothing more can be changed.")
                )
            case ScoreKey.REOPEN:
                self.file.do(model.Reopen())
                self.say(N_("The sheet is open again."))
            case ScoreKey.NEXT:
                self._next()
            case ScoreKey.QUIT:
                raise Quit

    def _command(self, line: str) -> None:
        verb, rest = verb_of(line)
        match verb:
            case Verb.FIX:
                self._fix(rest, said=line.split()[0])
            case Verb.STRIKE:
                self._correct(self._row(rest), None)
            case Verb.DEALER:
                self._name_dealer(rest)
            case Verb.LOTS:
                self._lots(rest)
            case Verb.CLERK:
                self._ask_clerk(rest.strip("? \u00a0"))
            case Verb.STAKE | Verb.TITLE | Verb.NAME:
                self._amend(verb, rest)
            case _:  # a report of a deal
                self._enter(line)

    @property
    def _telling(self) -> SheetTelling:
        return SheetTelling(self.words, self.sheet)

    @property
    def _reader(self) -> DealReader:
        return DealReader(self.sheet.rules, self.sheet.names, self.words)

    # Deals

    def _enter(self, line: str) -> None:
        self.file.do(model.Enter(self._deal(line)))
        self._tell_row(self.sheet.table.rows[-1])
        self._aftermath()

    def _deal(self, line: str) -> model.DealReport:
        """Read a deal, and ask for missing parts. Raises `Instead`, and a `VolteError`."""
        deal = self._reader.deal(line)
        return completed(deal, self.sheet, self._reader, self.words, self.line)

    def _fix(self, text: str, said: str) -> None:
        label, _, line = text.partition(" ")
        line, _, remark = line.partition("#")
        row = self._row(label)
        if not line.strip():
            raise TerminalFault("score_fix_what", example=example(self.words, self.sheet.rules))
        try:
            self._correct(row, line, remark)
        except TerminalFault as fault:
            if fault.reason == "score_points_not_hearts":  # the hint must correct, not enter a deal
                fault.params["typed"] = f"{said} {label} {fault.params['typed']}"
            raise

    def _correct(self, row: SheetRow, line: str | None, remark: str = "") -> None:
        deal = None if line is None else self._deal(line)
        revoked = isinstance(deal, model.StoppedDeal) and bool(deal.revoked)
        late = revoked and model.too_late(self.sheet, row.line)
        self.file.do(model.Correct(row.line, deal, *self._reader.remark(remark)))
        self._tell_row(self.sheet.table.rows[row.line - 1])
        self.say(N_("Corrected; the earlier entry is kept."))
        if late:
            self.say(N_("It is too late to claim a revoke in that deal, but the revoke is noted."))
        self._aftermath()

    def _row(self, label: str) -> SheetRow:
        """The row of a label, such as `2` or `m1`. Raises `TerminalFault`."""
        called = labels(self.sheet.table)
        wanted = label.strip().upper()
        if not called:
            raise TerminalFault("score_no_deal_yet")
        if not wanted:
            raise TerminalFault("score_fix_what", example=example(self.words, self.sheet.rules))
        if wanted not in called:
            raise TerminalFault("score_no_such_deal", text=label, labels=", ".join(called))
        return self.sheet.table.rows[called.index(wanted)]

    def _undo(self) -> None:
        before = self.sheet
        self.file.do(model.Undo())
        (number,) = set(self.sheet.undone) - set(before.undone)
        self._tell_undone(before, before.entries[number - 1])
        self._aftermath()

    def _tell_undone(self, before: model.Sheet, entry: model.Entry) -> None:
        words, names = self.words, before.names
        match entry:
            case model.Enter():
                line = typed(words, names, before.lines[-1].report)
                self.say(N_("Undone: {typed}"), typed=line)
            case model.Correct():
                line = typed(words, names, self.sheet.lines[entry.line - 1].report)
                self.say(N_("The correction has been undone. Back to: {typed}"), typed=line)
            case model.NameFirstDealer():
                self.say(N_("The choice of who deals first has been undone."))
            case model.Amend():
                self.say(N_("The last change of names, title or stake has been undone."))

    def _tell_row(self, row: SheetRow) -> None:
        self.console.say(row_line(self._telling, row))

    def _aftermath(self) -> None:
        """Print the results of a change: totals, pot, winners, lots or payments due."""
        table = self.sheet.table
        if table.rows and table.rows[-1].kind is not RowKind.MISDEAL:
            self.console.say(*after_row(self._telling))
            self.console.say(*stakes.pot_lines(self._telling))
        if table.over:
            self.console.say(*won(self._telling))
        self.console.say(*self._what_is_due())

    def _what_is_due(self) -> tuple[str, ...]:
        """The lots that must be drawn; or, at the end, who pays whom."""
        if self.sheet.table.due:
            return (stakes.lots_wanted(self._telling),)
        return stakes.stakes_lines(self._telling) if self.sheet.table.over else ()

    # The first dealer, and lots

    def _name_dealer(self, text: str) -> None:
        seat = self._reader.one_seat(text)
        self.file.do(model.NameFirstDealer(seat))
        self.say(N_("{name} deals first."), name=self.sheet.names[seat])

    def _lots(self, text: str) -> None:
        """Draw the lots that are due by a seal; or enter lots drawn with cards, given as text."""
        if text:
            rounds = self._reader.rounds(text, model.lots_due(self.sheet))
            self._tell_drawn(self.file.do(model.Draw(rounds)))
            return
        lots = model.lots_due(self.sheet)
        if lots:
            self.console.say(stakes.lots_for(self._telling, lots[0]))
        if not lots or model.open_seal(self.sheet) is None:  # refused if no lots are due
            self.file.do(model.seal(self.sheet, self.file.house))
        sealed = model.open_seal(self.sheet)
        assert sealed is not None
        self.say(N_("The draw has been sealed: {digest}"), digest=sealed.digest.hex())
        self._shares()
        self._tell_drawn(*self.file.draw_lots())
        self.say(N_("The secret has been revealed; “proof” checks everything."))

    def _shares(self) -> None:
        """Let players add words to the chance. Raises `Quit`."""
        while line := self.ask_line(
            N_(
                "Anyone can add a word to the draw: type a name and any word (anne blue). Press "
                "Enter to draw:"
            )
        ):
            if ScoreKey.of(line) is ScoreKey.QUIT:
                raise Quit
            name, _, word = line.partition(" ")
            try:
                seat = self._reader.one_seat(name)
                if not word.strip():
                    raise TerminalFault("score_share_how")
                self.file.do(model.Share(seat, word.strip().encode()))
            except VolteError as fault:
                self.complain(fault)
            else:
                self.say(N_("{name} has added a word to the draw."), name=self.sheet.names[seat])

    def _tell_drawn(self, *entries: model.Entry) -> None:
        for entry in entries:
            if isinstance(entry, model.Drawn):
                self.console.say(*stakes.drawn_lines(self._telling, entry))
                if entry.purpose is not Purpose.DEALER:
                    self.console.say(*self._what_is_due())

    # The head, and the next match

    def _amend(self, verb: Verb, text: str) -> None:
        sheet = self.sheet
        if verb is Verb.STAKE:
            if not text:
                raise TerminalFault("score_no_stake")
            stake, currency = ("", "") if text in _NOTHING else stakes.stake_and_currency(text)
            self.file.do(model.Amend(stake=stake, currency=currency or sheet.currency))
            sentence = stakes.stake_sentence(self._telling)
            self.console.say(sentence or self.words.t("You are not playing for money."))
        elif verb is Verb.TITLE:
            if not text:
                raise TerminalFault("score_title_what")
            self.file.do(model.Amend(title=text))
            self.say(N_("The sheet is called {title}."), title=self.sheet.title)
        else:
            self._rename(text)

    def _rename(self, text: str) -> None:
        old, _, new = text.partition(" ")
        if not new.strip():
            raise TerminalFault("score_name_how", name=self.sheet.names[0])
        names = list(self.sheet.names)
        names[self._reader.one_seat(old)] = new
        self.file.do(model.Amend(names=model.names_typed(names, self.sheet.names)))
        self.say(N_("Players: {names}."), names=self.words.listed(self.sheet.names))

    def _next(self) -> None:
        """Begin a new sheet for the same people; the deal passes on to the left (D2)."""
        old = self.sheet
        if not old.accepted:
            raise TerminalFault("score_not_settled")
        again = msgspec.structs.replace(model.next_match(old), date=date.today().isoformat())
        file = self._shelf.new(again)
        self.file.close()
        self.file = file
        self._introduce(new=True)

    def _ask_clerk(self, situation: str) -> None:
        """Print the clerk's answer on a situation by the rules of this sheet, or their names."""
        words, rules = self.words, self.sheet.rules
        if not asks_for_all(situation):
            found = find(situation, words)
            self.console.say(format_answer(found, found.rules(rules), words))
        else:
            names = [each.called(words) for _, group in arising(rules) for each in group]
            self.say(
                N_(
                    "What happened? Type “what now revoke”, or “what now” and one of these:"
                    " {names}. The full list: {command}"
                ),
                names=", ".join(names),
                command=command_line("clerk"),
            )

    # Faults

    def complain(self, fault: VolteError) -> None:
        if fault.reason in ("not_text", "line_too_long"):
            fault = TerminalFault("score_not_text")
        super().complain(fault)


def sheet_title(words: Words, sheet: model.Sheet) -> str:
    """The title, players and rules of a sheet, in a sentence."""
    return words.t(
        "{title}: {names}. Rules: {rules}.",
        title=sheet.title or words.t("Score sheet"),
        names=words.listed(sheet.names),
        rules=rules_title(words, sheet.rules),
    )
