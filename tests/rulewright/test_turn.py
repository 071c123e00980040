"""What a person reads at a decision."""

from __future__ import annotations

from rich.text import Text

from rulewright.tui.prompt import latest


def test_news_are_cut_between_texts() -> None:
    """As many of the last texts as there is room for; if even the last is longer, its beginning."""
    news = [[Text(f"{name}{i}") for i in range(length)] for name, length in (("a", 4), ("b", 2), ("c", 3))]
    assert latest(news, 9, "before") == news
    assert [str(text[0]) for text in latest(news, 8, "before")] == ["before", "b0", "c0"]
    assert [str(line) for line in latest(news, 3, "before")[1]] == ["c0", "c1"]
