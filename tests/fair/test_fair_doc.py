"""The page about fair dealing quotes the test vectors as they are."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_D3_the_page_quotes_the_first_vector() -> None:
    page = (ROOT / "docs" / "fair.md").read_text(encoding="utf-8")
    quoted = page.split("```")[1].strip().splitlines()
    vectors = (ROOT / "tests" / "fair" / "vectors.txt").read_text(encoding="utf-8").splitlines()
    assert len(quoted) == 8
    assert set(quoted) <= set(vectors)
