"""`volte clerk`: what to do when something has gone wrong around a table of real cards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from volte.console.options import chosen_rules
from volte.console.terminal import Console, Misuse, command_line
from volte.rules import PRESETS, Ruleset, make_ruleset
from volte.say import Words
from volte.scorekeeper.clerk.clerk import (
    NUMBERS,
    Situation,
    arising,
    elsewhere,
    find,
    format_answer,
    near,
    not_arising,
    question,
    rules_played,
)
from volte.scorekeeper.clerk.texts import Ruling


def clerk(
    lang: str,
    situation: str | None,
    preset: str | None,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    as_json: bool,
    width: int | None,
    plain: bool,
) -> None:
    """The situations; or one of them, for the rules asked for. Raises `Fault`."""
    console, words = Console.here(width, plain), Words(lang)
    if situation in PRESETS and preset is None:  # `volte clerk coeurs`
        situation, preset = None, situation
    if preset is not None and rules is not None:
        raise Misuse("not_together", option=preset, other="--rules")
    named = preset or rules
    asked = None
    if named is not None or settings or players is not None:
        asked = chosen_rules(named, settings, players)
    if situation is None:
        _list(words, console, asked or make_ruleset(), as_json)
    else:
        _answer(words, console, find(situation), asked, as_json)


def _list(words: Words, console: Console, rules: Ruleset, as_json: bool) -> None:
    if as_json:
        told = [
            {"group": words.t(title), "situations": [_brief(words, each) for each in group]}
            for title, group in arising(rules)
        ]
        _print_json(told)
        return
    console.say(rules_played(words, rules))
    rest = words.t("What cannot happen in this game"), not_arising(rules)
    for title, group in (*((words.t(title), group) for title, group in arising(rules)), rest):
        if group:
            console.say("", title, *(_line(words, each) for each in group))
    console.say(
        "",
        words.t(
            "What to do in one of them, by its name or number: {command}",
            command=command_line("clerk", "revoke"),
        ),
    )


def _line(words: Words, situation: Situation) -> str:
    return words.t(
        "{number}. {name}: {happened}.",
        number=NUMBERS[situation.name],
        name=situation.name,
        happened=situation.happened(words),
    )


def _answer(
    words: Words, console: Console, situation: Situation, asked: Ruleset | None, as_json: bool
) -> None:
    rules = situation.rules(asked)
    if as_json:
        told = situation.answer(rules, words)
        _print_json({**_brief(words, situation), **_answer_json(told)})
        return
    if asked is not None and rules != asked:
        console.say(elsewhere(words), "")
    console.say(format_answer(situation, rules, words))
    close = [each.name for each in near(situation, rules)]
    if close:
        console.say("", words.t("See also: {names}.", names=", ".join(close)))


def _brief(words: Words, situation: Situation) -> dict[str, str]:
    return {"name": situation.name, "question": question(words, situation)}


def _answer_json(told: Ruling) -> dict[str, Any]:
    cases = [{"when": case.when, "steps": case.steps} for case in told.cases]
    return {**told._asdict(), "cases": cases}


def _print_json(answer: Any) -> None:
    print(json.dumps(answer, ensure_ascii=False, indent=2))
