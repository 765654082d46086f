"""The rules clerk as pages: advice when something has gone wrong with real cards.

The address gives the rules as the options of the command do: `?rules=coeurs&players=5`, and
`&set=queen_discard=free` any number of times.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from volte.rules import DEFAULT, Ruleset, Value, described, make_ruleset, preset, read_setting
from volte.say import Words
from volte.say.rulesheet.clauses import clause
from volte.say.rulesheet.options import typed_value
from volte.scorekeeper.clerk import clerk
from volte.scorekeeper.clerk.clerk import Situation
from volte.scorekeeper.clerk.texts import HEADINGS
from volte.web.controls import PLAYERS, presets_told
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route

LONGEST_QUERY: Final = 1000  # characters; no rules that people play by need more


def routes() -> list[BaseRoute]:
    return [route("/clerk", questions), route("/clerk/{situation}", answer)]


async def questions(visit: Visit) -> Response:
    """Show the list of questions. Raises `VolteError`."""
    return _questions(visit, wanted_rules(visit))


async def answer(visit: Visit) -> Response:
    """Show the answer to one question; the list for an unknown name. Raises `VolteError`."""
    words = visit.words
    wanted = wanted_rules(visit)
    if clerk.asks_for_all(visit.path_params["situation"]):
        return RedirectResponse(clerk_address(None, wanted), 303)
    situation = clerk.known(visit.path_params["situation"])
    if situation is None:
        return _questions(visit, wanted, known=False)
    if situation.name != visit.path_params["situation"]:  # asked for by its number or a synonym
        return RedirectResponse(clerk_address(situation, wanted), 303)
    rules = situation.rules(wanted)
    told = situation.answer(rules, words)
    return page(
        visit,
        "clerk_answer.html",
        question=clerk.question(words, situation),
        told=told,
        headings={key: words.t(heading) for key, heading in HEADINGS.items()},
        clauses=[clause(words, each) for each in told.clauses],
        near=_linked(words, clerk.near(situation, rules), wanted),
        elsewhere=clerk.elsewhere(words) if wanted is not None and rules != wanted else "",
        game=clerk.rules_played(words, rules),
        all_questions=clerk_address(None, wanted),
        **_chooser(words, wanted or rules),
    )


def _questions(visit: Visit, wanted: Ruleset | None, known: bool = True) -> Response:
    words = visit.words
    rules = wanted or make_ruleset()
    return page(
        visit,
        "clerk.html",
        200 if known else 404,
        unknown=not known,
        groups=[
            (words.t(title), _linked(words, group, wanted)) for title, group in clerk.arising(rules)
        ],
        never=_linked(words, clerk.not_arising(rules), wanted),
        game=clerk.rules_played(words, rules),
        **_chooser(words, rules),
    )


def _chooser(words: Words, rules: Ruleset) -> dict[str, Any]:
    """Context of the form for another game: the presets, and the number of players."""
    name, _ = described(rules)
    return {
        "presets": presets_told(words),
        "preset": name,
        "numbers": PLAYERS,
        "players": str(rules.players),
    }


def _linked(
    words: Words, situations: Iterable[Situation], wanted: Ruleset | None
) -> list[tuple[str, str]]:
    """(address of the answer, title) of each situation."""
    return [(clerk_address(each, wanted), each.happened(words)) for each in situations]


def clerk_address(situation: Situation | None, wanted: Ruleset | None) -> str:
    """The address of an answer, or of the list of questions, for the rules asked for."""
    path = f"/clerk/{situation.name}" if situation is not None else "/clerk"
    if wanted is None:
        return path
    name, differences = described(wanted)
    query = [("rules", name)]
    query += [("set", f"{key}={typed_value(value)}") for key, value in differences.items()]
    return f"{path}?{urlencode(query)}"


def wanted_rules(visit: Visit) -> Ruleset | None:
    """The rules that the address gives; None where it gives none.

    A number of players that does not fit the preset is ignored: the form has one list for all.
    Raises `RulesetFault`, and `Refused` for an address that is too long.
    """
    if len(visit.url.query) > LONGEST_QUERY:
        raise Refused(414, "too_large")
    query = visit.query_params
    changes: dict[str, Value] = dict(map(read_setting, query.getlist("set")))
    name = query.get("rules") or None
    if name is None and not changes:
        return None
    chosen = preset(name) if name is not None else preset(DEFAULT)
    if query.get("players", "") in map(str, chosen.players):
        changes.setdefault("players", query["players"])
    return make_ruleset(name, changes)
