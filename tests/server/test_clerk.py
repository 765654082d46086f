"""The pages of the rules clerk."""

from __future__ import annotations

import pytest
from kit import Page, Playroom, Visitor, few
from kit.doors import visitor_at
from kit.spoken import EVERY

from volte.rules import PRESETS, make_ruleset
from volte.say import Words
from volte.say.rulesheet.clauses import clause
from volte.scorekeeper.clerk.clerk import SITUATIONS, arising, not_arising, question
from volte.scorekeeper.clerk.texts import HEADINGS

LANGUAGES = pytest.mark.parametrize("lang", EVERY)


def asked(page: Page) -> list[str]:
    """The addresses of the answers that a page links to, in order."""
    return [found["href"] for found in page.all("a") if found.get("href", "").startswith("/clerk/")]


@LANGUAGES
@pytest.mark.parametrize("preset", PRESETS)
def test_every_answer_has_a_page_for_every_preset(
    playroom: Playroom, lang: str, preset: str
) -> None:
    """In the gate each answer by a preset in six, and one language of the two."""
    first = (list(PRESETS).index(preset) * 2 + (lang == "en")) % 6
    words = Words(lang)
    with visitor_at(playroom, lang) as visitor:
        for situation in list(SITUATIONS.values())[few(first, 0) :: few(6, 1)]:
            page = visitor.get(f"/clerk/{situation.name}?rules={preset}")
            assert (page.status, page.wrong) == (200, [])
            answer = situation.answer(situation.rules(make_ruleset(preset)), words)
            due = [question(words, situation), answer.short, answer.deadline, answer.price]
            due += [answer.example, *answer.exempt, *answer.silent]
            due += [step for case in answer.cases for step in case.steps]
            due += [clause(words, name) for name in answer.clauses]
            assert [each for each in due if " ".join(each.split()) not in page.text] == []


@LANGUAGES
@pytest.mark.parametrize("preset", PRESETS)
def test_the_questions_that_can_arise_stand_first(
    playroom: Playroom, lang: str, preset: str
) -> None:
    rules = make_ruleset(preset)
    can = [each.name for _, group in arising(rules) for each in group]
    cannot = [each.name for each in not_arising(rules)]
    with visitor_at(playroom, lang) as visitor:
        page = visitor.get(f"/clerk?rules={preset}")
    assert (page.status, page.wrong) == (200, [])
    assert [path.removeprefix("/clerk/").partition("?")[0] for path in asked(page)] == can + cannot


def test_the_rules_asked_for_go_with_every_link(visitor: Visitor) -> None:
    page = visitor.get("/clerk?rules=coeurs&players=5&set=queen_points=13")
    assert "Les Cœurs, 5 players, queen_points=13, 26 points in a deal" in page.text
    page = visitor.get(next(path for path in asked(page) if "/revoke?" in path))
    assert "26 points for the player who revoked" in page.text
    assert "Les Cœurs, 5 players, queen_points=13" in page.text
    assert all("queen_points" in path for path in asked(page))


def test_headings_lead_a_reader_through_the_answer(visitor: Visitor) -> None:
    page = visitor.get("/clerk/revoke?rules=coeurs")
    text = page.answer.text
    places = [text.index(f"<h2>{heading}</h2>") for heading in HEADINGS.values()]
    assert places == sorted(places)
    assert not page.all("script", type="text/javascript")


def test_an_answer_says_when_those_rules_cannot_bring_it_about(visitor: Visitor) -> None:
    told = "This cannot happen under your rules"
    assert told in visitor.get("/clerk/queen-kept?rules=salon").text
    assert told not in visitor.get("/clerk/queen-kept?rules=coeurs").text
    assert told not in visitor.get("/clerk/queen-kept").text


def test_a_word_or_a_number_leads_to_the_answer(visitor: Visitor) -> None:
    assert visitor.get("/clerk/irregularites?rules=coeurs").answer.url.path == "/clerk"
    for word in ("renonce", "9", "Revoke"):
        page = visitor.get(f"/clerk/{word}?rules=coeurs")
        assert page.answer.url.path == "/clerk/revoke"
        assert page.answer.url.params["rules"] == "coeurs"


@LANGUAGES
@pytest.mark.parametrize("name", ["nothing", "%3Cscript%3E", "x" * 50_000, "-1", "%00"])
def test_an_unknown_question_is_one_sentence_and_all_the_others(
    playroom: Playroom, lang: str, name: str
) -> None:
    with visitor_at(playroom, lang) as visitor:
        page = visitor.get(f"/clerk/{name}")
    assert (page.status, page.wrong) == (404, [])
    assert len(asked(page)) == len(SITUATIONS)
    assert page.all("p", id="reason")


@pytest.mark.parametrize(
    "query", ["rules=bridge", "set=x", "set=x=1", "rules=coeurs&set=players=99", "set=removed=QQ"]
)
def test_rules_that_there_are_not_are_refused_in_a_sentence(visitor: Visitor, query: str) -> None:
    for path in ("/clerk", "/clerk/revoke"):
        page = visitor.get(f"{path}?{query}")
        assert (page.status, page.wrong) == (422, [])
        assert page.all("p", id="reason")


def test_an_address_that_goes_on_and_on_is_refused(visitor: Visitor) -> None:
    page = visitor.get("/clerk?rules=coeurs&set=pass_cycle=" + "left," * 2000)
    assert (page.status, page.wrong) == (414, [])


def test_the_form_asks_for_another_game(visitor: Visitor) -> None:
    page = visitor.get("/clerk/revoke")
    assert [each["value"] for each in page.all("option") if "value" in each] == list(PRESETS)
    chosen = visitor.get("/clerk/revoke?rules=coeurs&players=7")
    assert "Les Cœurs, 7 players, 25 points" in chosen.text
    usual = visitor.get("/clerk/revoke?rules=dame-de-pique&players=7")
    assert "La Dame de pique, 4 players" in usual.text
