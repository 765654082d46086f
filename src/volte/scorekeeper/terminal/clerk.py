"""`volte clerk`: advice when something has gone wrong at a table with real cards."""

from __future__ import annotations

from collections.abc import Sequence

from volte.console.options import chosen_rules, print_json
from volte.console.terminal import Console, Misuse, command_line
from volte.names import meant
from volte.rules import PRESETS, Ruleset, make_ruleset
from volte.say import N_, Words
from volte.scorekeeper.clerk.clerk import (
    NUMBERS,
    SITUATIONS,
    Situation,
    arising,
    asks_for_all,
    elsewhere,
    find,
    format_answer,
    known,
    near,
    not_arising,
    question,
    rules_played,
)


def clerk(
    lang: str,
    typed: Sequence[str],
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    as_json: bool,
    width: int | None,
    plain: bool,
) -> None:
    """Print the list of situations, or the answer on one, for the rules. Raises `VolteError`."""
    console, words = Console.here(width, plain), Words(lang)
    situation, preset = _apart(typed)
    if preset is not None and rules is not None:
        raise Misuse("not_together", option=preset, other="--rules")
    named = preset or rules
    chosen = None
    if named is not None or settings or players is not None:
        chosen = chosen_rules(named, settings, players)
    if asks_for_all(situation):
        _list(words, console, chosen or make_ruleset(), as_json)
    else:
        _answer(words, console, find(situation, words), chosen, as_json)


def _apart(typed: Sequence[str]) -> tuple[str, str | None]:
    """Split the words of a situation from a preset or file of rules that may follow them."""
    *before, last = typed or ("",)
    situation = " ".join(before)
    all_of_it = " ".join(typed)
    if meant(last, PRESETS) in PRESETS or (known(situation) and not known(all_of_it)):
        return situation, last
    return all_of_it, None


def _list(words: Words, console: Console, rules: Ruleset, as_json: bool) -> None:
    if as_json:
        groups = [(words.t(title), group) for title, group in arising(rules)]
        print_json(
            [
                {"group": title, "situations": [_about(words, each) for each in group]}
                for title, group in groups
            ]
        )
        return
    console.say(rules_played(words, rules))
    rest = N_("What cannot happen in this game"), not_arising(rules)
    for title, group in (*arising(rules), rest):
        if not group:
            continue
        console.say("", words.t(title))
        for each in group:
            line = words.t(
                "{number}. {name}: {happened}.",
                number=NUMBERS[each.name],
                name=each.called(words),
                happened=each.happened(words),
            )
            console.say(line)
    command = command_line("clerk", SITUATIONS["revoke"].called(words))
    message = words.t(
        "To see what to do, give the name or number of what happened: {command}", command=command
    )
    console.say("", message)


def _answer(
    words: Words, console: Console, situation: Situation, chosen: Ruleset | None, as_json: bool
) -> None:
    rules = situation.rules(chosen)
    if as_json:
        ruling = situation.answer(rules, words)
        cases = [case._asdict() for case in ruling.cases]
        print_json({**_about(words, situation), **ruling._asdict(), "cases": cases})
        return
    if chosen is not None and rules != chosen:
        console.say(elsewhere(words), "")
    console.say(format_answer(situation, rules, words))
    close = [each.called(words) for each in near(situation, rules)]
    if close:
        console.say("", words.t("See also: {names}.", names=", ".join(close)))


def _about(words: Words, situation: Situation) -> dict[str, str]:
    return {"name": situation.name, "question": question(words, situation)}
