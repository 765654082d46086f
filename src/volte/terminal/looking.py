"""`volte rules`, `replay`, `check` and `verify`: what can be looked at without playing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from volte.cards import Card
from volte.console.keys import Key, key_of
from volte.console.options import STDIN, chosen_rules, given
from volte.console.person import Manner, Witness
from volte.console.symbols import words_for
from volte.console.terminal import Console, Left, Misuse, TerminalFault, command_line
from volte.fair import Verdict
from volte.game import (
    Committed,
    DealScored,
    Dealt,
    Exchanged,
    Played,
    TrickTaken,
)
from volte.notation import DealProof, RecordFault, parse_record, prove_record
from volte.referee import Event
from volte.rules import PRESETS, format_ruleset, options_of, save_ruleset
from volte.say import N_, Verbosity, Words
from volte.say.faults import shown_path
from volte.say.narration import passed_openly
from volte.say.rulesheet.options import preset_summary, preset_title
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.telling import spoken_order
from volte.scorekeeper.model import LotsProof, is_sheet, parse_sheet, prove
from volte.scorekeeper.telling.stakes import proof_lines


def rules(
    lang: str,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    clauses: bool,
    as_toml: bool,
    save: Path | None,
    as_json: bool,
    width: int | None,
    plain: bool,
) -> None:
    """The presets; or, when some rules are asked for, those, as a sheet, TOML or JSON."""
    console, words = Console.here(width, plain), Words(lang)
    if rules is None and not settings and players is None:
        for option, given in (("--clauses", clauses), ("--toml", as_toml), ("--save", save)):
            if given:
                raise Misuse("needs_rules", option=option)
        _presets(words, console, as_json)
        return
    chosen = chosen_rules(rules, settings, players)
    if save is not None:
        save_ruleset(chosen, save)
    if as_json:
        _print_json(options_of(chosen))
    elif as_toml:
        console.say(format_ruleset(chosen).rstrip())
    elif save is None:
        console.say(format_sheet(rule_sheet(chosen, words), words, clauses=clauses))


def _presets(words: Words, console: Console, as_json: bool) -> None:
    if as_json:
        told = [
            {
                "name": preset.name,
                "title": preset_title(words, preset.name),
                "players": sorted(preset.players),
                "summary": preset_summary(words, preset.name),
            }
            for preset in PRESETS.values()
        ]
        _print_json(told)
        return
    for preset in PRESETS.values():
        console.say(
            words.t(
                "{preset} ({players} players): {title}. {summary}",
                preset=preset.name,
                players=_numbers(preset.players),
                title=preset_title(words, preset.name),
                summary=preset_summary(words, preset.name),
            )
        )
    console.say(
        words.t(
            "The rules of one of them: {command}",
            command=command_line("rules", "--rules", "coeurs"),
        )
    )


def _numbers(players: Sequence[int]) -> str:
    least, most = min(players), max(players)
    return str(least) if least == most else f"{least}–{most}"


def replay(
    lang: str, file: Path, by: str, width: int | None, plain: bool, verbosity: str | None
) -> None:
    """Tells a match on record, all hands open. Raises `Left` when the person has seen enough."""
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    record = parse_record(given(file))
    witness = Reader(None, words, console, Manner(Verbosity(verbosity or Verbosity.NORMAL)))
    stop = {"trick": TrickTaken, "deal": DealScored}.get(by if file != STDIN else "all")
    waiting = False
    for event in record.log:
        if waiting and isinstance(event, Committed | Dealt | Played):
            _wait(console, words, by)
            waiting = False
        waiting = waiting or (stop is not None and isinstance(event, stop))
        witness.tell([event])
    if not record.finished:
        console.say(words.t("Here the record stops; the match is not over."))


class Reader(Witness):
    """Somebody who reads a record, and sees what nobody at the table could."""

    def _see(self, event: Event) -> None:
        super()._see(event)
        match event:
            case Dealt():
                for player, hand in zip(self.view.state.players, event.hands, strict=True):
                    self.say(
                        N_("{player} holds {cards}."), player=player, cards=self._told(hand or ())
                    )
                if event.kitty:
                    self.say(N_("The kitty: {cards}."), cards=self._told(event.kitty))
            case Exchanged():
                players = self.view.state.players
                self.console.say(*passed_openly(self.words, event, players))

    def _told(self, cards: Sequence[Card]) -> str:
        return self.words.cards(spoken_order(cards))


def _wait(console: Console, words: Words, by: str) -> None:
    """Lets the person read on, or stop. Raises `Left`."""
    while True:
        try:
            deal, trick = (
                N_("Enter for the next deal, Q to stop?"),
                N_("Enter for the next trick, Q to stop?"),
            )
            if key_of(console.ask(words.t(deal if by == "deal" else trick))) is Key.QUIT:
                raise Left
        except TerminalFault as fault:
            console.say(words.fault(fault))
        else:
            return


def check(lang: str, file: Path, as_json: bool) -> int:
    """Says whether a record, or a score sheet, is lawful, or its first fault; 1 where it is not."""
    console, words = Console.here(), Words(lang)
    try:
        text = given(file)
        finished = parse_sheet(text).table.over if is_sheet(text) else parse_record(text).finished
    except RecordFault as fault:
        if not as_json:
            raise
        told = words.fault(fault)
        _print_json({"lawful": False, "line": fault.line, "fault": told})
        return 1
    if as_json:
        _print_json({"lawful": True, "finished": finished})
    else:
        lawful = (
            N_("{path}: a lawful record of a whole match.")
            if finished
            else N_("{path}: a lawful record of a match that is not over.")
        )
        path = words.t("The text") if file == STDIN else shown_path(str(file))
        console.say(words.t(lawful, path=path))
    return 0


def verify(lang: str, file: Path, as_json: bool) -> int:
    """Says of every deal, or all lots of a sheet, whether they are proved.

    Returns 1 where one is not, or where nothing is.
    """
    console, words = Console.here(), Words(lang)
    text = given(file)
    if is_sheet(text):
        what, lots = "lots", prove(parse_sheet(text))
        proofs: Sequence[DealProof | LotsProof] = lots
        lines = proof_lines(words, lots)
    else:
        what, deals = "deal", prove_record(parse_record(text))
        proofs = deals
        lines = tuple(words.t(VERDICTS[each.verdict], number=each.number) for each in deals)
        lines = lines or (
            words.t("This match was dealt without commitments: nothing can be proved."),
        )
    if as_json:
        _print_json(
            [
                {what: proof.number, "verdict": proof.verdict.value if proof.verdict else None}
                for proof in proofs
            ]
        )
    else:
        for line in lines:
            console.say(line)
    proved = [proof.verdict in (Verdict.PROVED, None) for proof in proofs]
    return 0 if proved and all(proved) else 1


def _print_json(answer: Any) -> None:
    print(json.dumps(answer, ensure_ascii=False, indent=2))


VERDICTS: Final = {
    Verdict.PROVED: N_("Deal {number}: proved, dealt as promised before the cards were known."),
    Verdict.NUMBER_SKIPPED: N_("Deal {number}: not proved, the commitment before it is missing."),
    Verdict.REVEAL_MISSING: N_("Deal {number}: not proved, its secret was never told."),
    Verdict.COMMITMENT_BROKEN: N_("Deal {number}: false! The secret is not the one promised."),
    Verdict.PROMISE_BROKEN: N_("Deal {number}: false! A player's bytes are not those promised."),
    Verdict.ORDER_WRONG: N_("Deal {number}: false! These are not the cards that were shuffled."),
    Verdict.LOT_WRONG: N_("Deal {number}: false! These are not the lots that were drawn."),
    None: N_("Deal {number}: not over yet, its secret is still kept."),
}
"""What `volte verify` says of a deal."""
