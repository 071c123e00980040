"""What the pages carry of others, and what they say of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "rulewright" / "web"
CARRIED = {".svg", ".png", ".webp", ".jpg", ".gif", ".woff", ".woff2", ".ttf", ".otf", ".mp3", ".ogg", ".wav"}
VENDORED = re.compile(r"^- `(@?[\w/-]+)@[\d.]+`, ([\w.-]+): ", re.M)


def credits() -> list[dict[str, str]]:
    """The list of the page, which is JSON."""
    text = (WEB / "shell" / "credits.js").read_text("utf-8")
    found = re.search(r"export const CREDITS = (\[.*?^\]);", text, re.S | re.M)
    assert found is not None
    listed: list[dict[str, str]] = json.loads(found[1])
    return listed


def test_each_library_is_named_with_its_licence() -> None:
    carried = dict(VENDORED.findall((WEB / "vendor" / "README.md").read_text("utf-8")))
    assert carried == {one["name"]: one["licence"] for one in credits() if one["kind"] == "library"}
    texts = [path.read_text("utf-8") for path in (WEB / "vendor" / "licences").iterdir()]
    for one in credits():
        year = re.search(r"© (\d{4}) (\w+)", one["by"])
        assert year is None or any(year[1] in text and year[2] in text for text in texts), one["by"]


def test_each_file_that_is_seen_or_heard_is_named() -> None:
    files = {path.name for path in WEB.rglob("*") if path.suffix in CARRIED} | {"signs.json"}
    assert files == {one["name"] for one in credits() if one["kind"] != "library"}
