"""What a browser's languages lead to: pages, links and voices."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, Route

from volte.say import Words
from volte.say.catalogue import LANGUAGES
from volte.web.assets import CLIENT, assets, own_sentences

ROOT = f"""<!doctype html><html lang=en data-base="/b" data-languages="{" ".join(LANGUAGES)}">
<title>Volte</title>"""
PAGES = {
    "/b/": f"{ROOT}<script src=/languages.js></script>",
    "/b/en/help/": f'{ROOT}<a hreflang=fr href="/b/fr/">Français</a>'
    "<script type=module src=/site.js></script>",
    "/b/fr-CA/": f"<html lang=fr-CA data-words='{json.dumps(own_sentences('fr-CA'))}'>",
}

VOICES = """async ([lang, ...voices]) => {
  const said = [];
  window.SpeechSynthesisUtterance = class extends EventTarget {};
  const synthesis = {
    resume() {},
    cancel() {},
    getVoices: () =>
      voices.map((each) => ({ lang: each.slice(0, 5), localService: !each[5], each })),
    speak: ({ voice }) => said.push(voice?.each ?? ""),
  };
  Object.defineProperty(window, "speechSynthesis", { value: synthesis, configurable: true });
  const { Voice } = await import("/web/static/voice.js");
  new Voice(lang, 1, () => {}).say("Bonjour.");
  return said[0];
}"""
"""The voice that speaks; a language with a `*` is of one that is far away."""


def answered(route: Route) -> None:
    path = route.request.url.partition("//")[2].partition("/")[2].partition("?")[0]
    name = path if "/" in path else f"solo/static/{path}"
    if script := assets().get(name):
        route.fulfill(body=script.content, content_type="text/javascript")
    else:
        route.fulfill(body=PAGES.get(f"/{path}", ROOT), content_type="text/html")


def opened(browser: Browser, locale: str) -> Page:
    page = browser.new_context(locale=locale, base_url="http://volte.test").new_page()
    page.route("**/*", answered)
    return page


@pytest.mark.parametrize(
    ("locale", "lang", "other"),
    [
        ("fr-CA", "fr-CA", "fr-CA"),
        ("fr-BE", "fr", "fr"),
        ("en-CA", "en", "fr"),
        ("de-CH", "en", "fr"),
    ],
)
def test_a_site_without_a_server_speaks_as_in_the_country_of_the_browser(
    browser: Browser, locale: str, lang: str, other: str
) -> None:
    page = opened(browser, locale)
    page.goto("/b/?match=7")
    page.wait_for_url(f"**/b/{lang}/?match=7")
    page.goto("/b/en/help/")
    page.wait_for_function(f"document.links[0].pathname === '/b/{other}/help/'")
    page.context.close()


def test_scripts_say_what_the_country_says_otherwise(browser: Browser) -> None:
    page = opened(browser, "fr-CA")
    page.goto("/b/fr-CA/")
    said = page.evaluate(
        "async (names) => { const { say } = await import('/web/static/page.js');"
        " return names.map((name) => say(name)); }",
        ["last_trick", "never_mind"],
    )
    words = Words("fr-CA")
    assert said == [words.t(CLIENT[name]) for name in ("last_trick", "never_mind")]
    assert said[0] != Words("fr").t(CLIENT["last_trick"])
    page.context.close()


def test_a_voice_is_of_the_country_and_else_of_the_language(browser: Browser) -> None:
    page = opened(browser, "fr-CA")
    page.goto("/b/en/help/")
    for wanted, voices, chosen in (
        ("fr-CA", ("en-GB", "fr-FR", "fr-CA*"), "fr-CA*"),
        ("fr-CA", ("fr_CA*", "fr_CA"), "fr_CA"),
        ("fr-CA", ("en-CA", "fr-BE*", "fr-FR"), "fr-FR"),
        ("fr", ("en-CA", "fr-CA*", "fr-CH"), "fr-CH"),
        ("fr-CA", ("en-CA",), ""),
    ):
        assert page.evaluate(VOICES, [wanted, *voices]) == chosen, voices
    page.context.close()
