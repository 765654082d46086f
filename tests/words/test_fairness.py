"""The page that explains fair dealing to whoever plays."""

from __future__ import annotations

import pytest

from volte.say import Words
from volte.say.texts.fairness import fairness_page


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_D3_the_page_has_headings_and_whole_sentences(lang: str) -> None:
    page = fairness_page(Words(lang))
    headings = [heading for heading, _ in page]
    assert len(set(headings)) == len(headings) > 4
    for heading, paragraphs in page:
        assert heading
        assert not heading.endswith(".")
        assert paragraphs
        for paragraph in paragraphs:
            assert paragraph.endswith(".")
            assert not set("{}<>`\n") & set(paragraph)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_D3_the_page_says_how_to_check_and_what_is_not_proved(lang: str) -> None:
    text = " ".join(
        paragraph for _, paragraphs in fairness_page(Words(lang)) for paragraph in paragraphs
    )
    assert "volte verify" in text
    assert len(text.split()) < 700
