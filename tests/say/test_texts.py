"""Pages and tables of sentences in files."""

from __future__ import annotations

from io import BytesIO

import pytest
from kit.sentences import languages

from volte.say import Words
from volte.say.texts import FOLDER, extract_page, extract_table, sections


@languages
@pytest.mark.parametrize("name", [path.stem for path in FOLDER.glob("*.md")])
def test_pages_have_headings_and_whole_sentences(name: str, words: Words) -> None:
    found = sections(words, name)
    headings = [heading for heading, _ in found]
    assert len(set(headings)) == len(headings) > 1
    for heading, paragraphs in found:
        assert heading
        assert not heading.endswith(".")
        assert paragraphs
        for paragraph in paragraphs:
            assert paragraph.endswith(".")
            assert not set("{}<>`\n") & set(paragraph)


@languages
def test_D3_the_page_on_fairness_says_how_to_check_and_what_is_not_proved(words: Words) -> None:
    text = " ".join(" ".join(paragraphs) for _, paragraphs in sections(words, "fairness"))
    assert "volte verify" in text
    assert len(text.split()) < 700


def test_sentences_go_on_in_indented_lines_and_names_are_unique() -> None:
    table = b"# A remark\n[one]\na = {x} = 1,\n    and 2.\n# Another\nB = Two.\n"
    assert [each[2] for each in extract_table(BytesIO(table))] == ["{x} = 1, and 2.", "Two."]
    with pytest.raises(ValueError, match="Three"):
        list(extract_table(BytesIO(table + b"a = Three.\n")))
    assert [each[2] for each in extract_page(BytesIO(b"## One\n\nTwo\nthree.\n"))] == [
        "One",
        "Two three.",
    ]
