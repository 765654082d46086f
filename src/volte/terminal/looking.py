"""`volte rules`, `replay`, `check` and `verify`: commands that look at things without play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from volte import game
from volte.cards import Card
from volte.console.files import write
from volte.console.habits import told_once
from volte.console.keys import called
from volte.console.options import STDIN, chosen_rules, given, print_json, words_for
from volte.console.person import advice
from volte.console.terminal import Console, Misuse, Quit, TerminalFault, command_line
from volte.console.witness import PlayStyle, Witness
from volte.fair import Verdict
from volte.names import isolated
from volte.notation import CardsDiffer, RecordFault, compare_cards, parse_record, prove_record
from volte.referee import Event
from volte.rules import PRESETS, format_ruleset, options_of
from volte.say import N_, Verbosity, Words
from volte.say.faults import shown_path
from volte.say.keys import Key
from volte.say.narration import passed_openly
from volte.say.rulesheet.options import preset_summary, preset_title
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.telling import spoken_order
from volte.say.verbosity import CHANGED
from volte.scorekeeper.model import is_sheet, parse_sheet, prove
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
    """Print the presets, or the rules asked for as a sheet, TOML or JSON."""
    console, words = Console.here(width, plain), Words(lang)
    if rules is None and not settings and players is None:
        for option, value in (("--clauses", clauses), ("--toml", as_toml), ("--save", save)):
            if value:
                raise Misuse("needs_rules", option=option)
        presets = [
            PresetAnswer(
                name, preset_title(words, name), sorted(each.players), preset_summary(words, name)
            )
            for name, each in PRESETS.items()
        ]
        if as_json:
            print_json(presets)
        else:
            console.say(*_preset_lines(presets, words))
        return
    chosen = chosen_rules(rules, settings, players)
    if save is not None:
        write(save, format_ruleset(chosen).encode())
    if as_json:
        print_json(options_of(chosen))
    elif as_toml:
        console.say(format_ruleset(chosen).rstrip())
    elif save is None:
        named = [isolated(chosen.name), ""] if chosen.name else []
        console.say(*named, format_sheet(rule_sheet(chosen, words), words, clauses=clauses))


class PresetAnswer(msgspec.Struct):
    """A preset, as `--json` lists it."""

    name: str
    title: str
    players: list[int]  # numbers of players that it is made for
    summary: str


def _preset_lines(presets: Sequence[PresetAnswer], words: Words) -> Iterator[str]:
    for preset in presets:
        least, most = preset.players[0], preset.players[-1]
        yield words.t(
            "{preset} ({players} players): {title}. {summary}",
            preset=preset.name,
            players=least if least == most else f"{least}–{most}",
            title=preset.title,
            summary=preset.summary,
        )
    command = command_line("rules", "--rules", "coeurs")
    yield words.t("The rules of one of these games: {command}", command=command)


def replay(
    lang: str, file: Path, by: str, width: int | None, plain: bool, verbosity: Verbosity | None
) -> None:
    """Tell a match on record, all hands open. Raises `Quit` when the person has seen enough."""
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    record = parse_record(given(file))
    witness = OpenWitness(None, words, console, PlayStyle(verbosity or Verbosity.NORMAL))
    stop = {"trick": game.TrickTaken, "deal": game.DealScored}.get(by if file != STDIN else "all")
    waiting, chosen = False, dict[int, list[int]]()
    for number, event in enumerate(record.log, start=1):
        if waiting and isinstance(event, game.Committed | game.Dealt | game.Played):
            if by == "deal":
                witness.pause(N_("Press Enter for the next deal, or type Q to stop."))
            else:
                text = N_(
                    "Press Enter for the next trick, or type Q to stop. To find out why "
                    "somebody played a card, type J and their name."
                )
                witness.pause(text, record.log, chosen)
            waiting, chosen = False, {}
        if isinstance(event, game.Played | game.Passed):
            chosen.setdefault(event.seat, []).append(number)
        waiting = waiting or (stop is not None and isinstance(event, stop))
        witness.tell([event])
    if not record.finished:
        console.say(words.t("The file stops here; the match is not over."))


W_MOVED: Final = N_(
    "W now changes how much you hear. To find out why somebody played a card, type J and their "
    "name."
)

NONE: Final[Mapping[int, Sequence[int]]] = {}


class OpenWitness(Witness):
    """A reader of a record, who sees all hands and passes."""

    def _see(self, event: Event) -> None:
        super()._see(event)
        match event:
            case game.Dealt():
                for player, hand in zip(self.view.state.players, event.hands, strict=True):
                    cards = self._in_order(hand or ())
                    self.say(N_("{player} holds {cards}."), player=player, cards=cards)
                if event.kitty:
                    self.say(N_("The kitty: {cards}."), cards=self._in_order(event.kitty))
            case game.Exchanged():
                players = self.view.state.players
                self.console.say(*passed_openly(self.words, event, players))

    def pause(
        self, question: str, log: Sequence[Event] = (), chosen: Mapping[int, Sequence[int]] = NONE
    ) -> None:
        """Wait for Enter; until then explain choices on request. Raises `Quit`.

        Args:
            chosen: numbers (from 1) of the events that can be asked about, by seat.
        """
        while line := self.ask_line(question):
            word, _, name = line.partition(" ")
            key = Key.of(word)
            if key is Key.QUIT and not name:
                raise Quit
            if key is Key.VERBOSITY:
                self._told_less(name)
                continue
            if key is not Key.WHY or not chosen:
                return
            players = tuple(player.name for player in self.view.state.players)
            found = called(name, dict(enumerate(players)))
            if len(found) != 1:
                self.complain(TerminalFault("nobody_called", name=name, players=players))
            for number in chosen.get(found[0], ()) if len(found) == 1 else ():
                self._explain(log, number)

    def _told_less(self, name: str) -> None:
        """Change how much is told; the first time, say that the letter once asked for reasons."""
        if told_once("replay w") or name:
            self.say(W_MOVED)
            return
        self.manner.verbosity = self.manner.verbosity.following
        self.say(CHANGED[self.manner.verbosity])

    def _explain(self, log: Sequence[Event], number: int) -> None:
        """Compare the play or pass of an event with the hint for it."""
        from volte.history.moments import before  # here, as these imports take a while
        from volte.history.turning import OUT_OF_TURN, explained, view_of

        state, event = before(log, number)
        assert isinstance(event, game.Played | game.Passed)
        view = view_of(state, event.seat)
        done: game.Play | game.Pass
        if isinstance(event, game.Passed):
            done = game.Pass(event.seat, event.cards or ())
        else:
            done = game.Play(event.seat, event.card)
            if done.card not in view.legal:
                self.say(OUT_OF_TURN)
                return
        hint = advice(view, done if isinstance(done, game.Pass) else None)
        self.console.say(*explained(self.words, view, None, done, hint))

    def _in_order(self, cards: Sequence[Card]) -> str:
        return self.words.cards(spoken_order(cards))


class CheckAnswer(msgspec.Struct):
    """The JSON answer of `volte check`."""

    lawful: bool
    finished: bool | msgspec.UnsetType = msgspec.UNSET
    # the first fault, and its line
    line: int | msgspec.UnsetType = msgspec.UNSET
    fault: str | msgspec.UnsetType = msgspec.UNSET


def check(lang: str, file: Path, as_json: bool) -> int:
    """Say whether a record or a score sheet is lawful, or its first fault; 1 if it is not."""
    console, words = Console.here(), Words(lang)
    try:
        text = given(file)
        finished = parse_sheet(text).table.over if is_sheet(text) else parse_record(text).finished
    except RecordFault as fault:
        if not as_json:
            raise
        print_json(CheckAnswer(False, line=fault.line, fault=words.fault(fault)))
        return 1
    if as_json:
        print_json(CheckAnswer(True, finished))
    else:
        lawful = (
            N_("{path}: a whole match, played by the rules.")
            if finished
            else N_("{path}: an unfinished match, played by the rules.")
        )
        path = words.t("The text") if file == STDIN else shown_path(str(file))
        console.say(words.t(lawful, path=path))
    return 0


class ProofAnswer(msgspec.Struct, kw_only=True):
    """The JSON answer of `volte verify` about a deal, or about lots, by their number."""

    deal: int | msgspec.UnsetType = msgspec.UNSET
    lots: int | msgspec.UnsetType = msgspec.UNSET
    verdict: Verdict | None


class CardsAnswer(msgspec.Struct, kw_only=True):
    """The JSON answer of `volte verify --of` about the cards of both matches."""

    same: bool
    fault: str | msgspec.UnsetType = msgspec.UNSET


def verify(lang: str, file: Path, of: Path | None, as_json: bool) -> int:
    """Say of every deal of a record, or of all lots of a sheet, whether they are proved.

    Returns 1 if one is not, or if there are none to prove; where another match is given, also if
    the cards are not those of that match.
    """
    console, words = Console.here(), Words(lang)
    text = given(file)
    answers: list[ProofAnswer | CardsAnswer] = []
    proved = True
    if of is not None:
        fault = compare_cards(parse_record(text), parse_record(given(of)))
        told = _cards_told(words, fault)
        proved = fault is None
        answers.append(CardsAnswer(same=proved, fault=msgspec.UNSET if proved else told))
    if is_sheet(text):
        lots = prove(parse_sheet(text))
        proofs = [ProofAnswer(lots=each.number, verdict=each.verdict) for each in lots]
        lines = proof_lines(words, lots)
    else:
        record = parse_record(text)
        deals, sealed = prove_record(record), record.state.cards is not None
        verdicts = VERDICTS | ({Verdict.PROVED: PROVED_GIVEN} if sealed else {})
        proofs = [ProofAnswer(deal=each.number, verdict=each.verdict) for each in deals]
        lines = tuple(words.t(verdicts[each.verdict], number=each.number) for each in deals)
        lines = lines or (words.t("This match was dealt without seals: nothing can be proved."),)
    if as_json:
        print_json([*proofs, *answers])
    else:
        console.say(*lines, *([told] if of is not None else ()))
    return (
        0
        if proved and proofs and all(each.verdict in (Verdict.PROVED, None) for each in proofs)
        else 1
    )


def _cards_told(words: Words, fault: CardsDiffer | None) -> str:
    if fault is None:
        return words.t("Every deal has the cards of the other match, at the same seats.")
    return words.t(CARDS[fault.reason], number=fault.deal, seat=fault.seat + 1)


CARDS: Final = {
    "not_given": N_("The cards of this match were shuffled for it, not taken from another."),
    "unfinished": N_("The other match is not over, so its cards cannot be compared."),
    "deals": N_("This match does not have as many deals as the other one."),
    "dealer": N_("Deal {number}: check failed! Another seat deals than in the other match."),
    "hand": N_("Deal {number}: check failed! Seat {seat} has other cards than in the other match."),
    "kitty": N_("Deal {number}: check failed! Other cards are left over than in the other match."),
}
"""Sentences of `volte verify --of`, by the reason of a `CardsDiffer`."""

PROVED_GIVEN: Final = N_("Deal {number} is proved: its cards were sealed before it began.")
"""The sentence of `volte verify` about a proved deal whose cards were given: they are known to have
been fixed, but not to have been drawn by chance."""

VERDICTS: Final = {
    Verdict.PROVED: N_("Deal {number}: proved fair. The cards match the seal."),
    Verdict.NUMBER_SKIPPED: N_(
        "Deal {number}: not proved fair, because the seal before it is missing."
    ),
    Verdict.REVEAL_MISSING: N_(
        "Deal {number}: not proved fair, because its secret was never revealed."
    ),
    Verdict.COMMITMENT_BROKEN: N_(
        "Deal {number}: check failed! The secret does not match its seal."
    ),
    Verdict.PROMISE_BROKEN: N_(
        "Deal {number}: check failed! A player’s share does not match its seal."
    ),
    Verdict.ORDER_WRONG: N_(
        "Deal {number}: check failed! These are not the cards that were shuffled."
    ),
    Verdict.LOT_WRONG: N_("Deal {number}: check failed! This is not the draw that took place."),
    None: N_("Deal {number}: not over yet, so its secret has not been revealed."),
}
"""Sentences of `volte verify` about a deal."""
