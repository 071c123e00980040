"""Makes the page that shows all games: docs/library.md, and their pictures.

python tools/library.py              # measures each game again, and writes the page
python tools/library.py --pictures   # pictures too, of games that have none; needs Chromium

What a game shows and what it was checked against stands in `docs/library.yaml`; lines, seats, lengths and
speeds are counted and measured here.
"""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rulewright.library import bundled, find, read_rules  # noqa: E402
from rulewright.provenance import provenance_lines  # noqa: E402

PAGE, FACTS, IMAGES = (ROOT / "docs" / name for name in ("library.md", "library.yaml", "images/library"))
MATCHES, OF_LONG_ONES, SECONDS = 1_000, 100, 3.0
"""So many matches are played; fewer of a game of which fewer take so many seconds."""
CHOICES = (24, 12, 6, 3, 1, 0)
"""So many are made before a picture is taken; fewer where the match is over by then."""
MOST_BYTES = 24_000
WIDTH, HEIGHT = 960, 600
HEAD = """# The library

All games that come with Rulewright, each written as rules and data alone. Play them, read them when you write a ruleset, and see what the language can express. Every game has its rules as numbered clauses in its own words, scenarios for each of them, and its sources; start one with `rulewright play NAME` or `rulewright serve NAME`.

*Lines* are those of `game.yaml` and the rules, without tables, blank lines and comments. *Length* is the mean number of decisions of {matches:,} matches, of long games {fewer:,}, by random choices with the fewest seats; *speed* the decisions per second of these matches on one thread of the machine that wrote this page, without a comparison. *Checked against* names the programs that agree with it choice by choice: the same choices offered, the same chance, the same ends; and how many of a hundred mistakes put into the rules the scenarios detect. This page is written by `tools/library.py`.

| | game | shows | seats | lines | length | speed | checked against | mistakes detected |
|---|---|---|---|---|---|---|---|---|
"""  # noqa: E501
UNCERTAIN = """
## Not all as printed

Of these games, rows of tables are not known to be those of the published game, as their `SOURCES.md` says.

"""


def main(words: list[str]) -> None:
    facts = yaml.safe_load(FACTS.read_text("utf-8"))
    if "--pictures" in words:
        _pictures([name for name in bundled() if not (IMAGES / f"{name}.webp").is_file()])
    rows = [row(name, facts.get(name) or {}, measured(name)) for name in bundled()]
    PAGE.write_text(
        HEAD.format(matches=MATCHES, fewer=OF_LONG_ONES) + "".join(rows) + uncertain(), encoding="utf-8"
    )


def uncertain() -> str:
    """The games of which rows are not known to be as printed, with what is told of them wherever they are."""
    told = {name: provenance_lines(read_rules(name)[0]) for name in bundled() if "provenance" in _head(name)}
    return UNCERTAIN + "".join(f"* {_link(name)}: {'; '.join(of)}\n" for name, of in told.items())


def _link(name: str) -> str:
    return f"[{_head(name)['title']}](../rulesets/{name})"


def _head(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((find(name) / "game.yaml").read_text("utf-8"))
    return found


def row(name: str, fact: dict[str, Any], played: tuple[str, str]) -> str:
    game = _head(name)
    picture = f"![{game['title']}](images/library/{name}.webp)" if (IMAGES / f"{name}.webp").is_file() else ""
    cells = [
        picture,
        _link(name) + (", [not all as printed](#not-all-as-printed)" if "provenance" in game else ""),
        fact.get("shows", ""),
        _seats(game["seats"]),
        str(lines(name)),
        *played,
        fact.get("checked", ""),
        str(fact.get("mutation", "")),
    ]
    return "| " + " | ".join(cells) + " |\n"


def _seats(seats: Any) -> str:
    number = seats["count"] if isinstance(seats, dict) else seats
    return str(number).replace("..", " to ")


def lines(name: str) -> int:
    """The lines of `game.yaml` and the rules, without blank ones and comments."""
    path = find(name)
    texts = [(path / "game.yaml").read_text("utf-8"), *(p.read_text("utf-8") for p in path.glob("*.rules"))]
    return sum(bool(re.sub(r"#.*", "", line).strip()) for text in texts for line in text.splitlines())


def measured(name: str) -> tuple[str, str]:
    """The mean length of a match, and decisions per second, as `rulewright simulate` says them."""
    began, said = monotonic(), simulated(name, OF_LONG_ONES)
    if monotonic() - began < SECONDS:
        said = simulated(name, MATCHES)
    speed = re.search(r"([\d,]+) decisions/s", said)
    length = re.search(r"^decisions +\S+ +\S+ +(\S+)", said, re.MULTILINE)
    assert speed, said
    assert length, said
    return length[1], speed[1]


def simulated(name: str, matches: int) -> str:
    command = [sys.executable, "-m", "rulewright", "simulate", name, "-n", str(matches)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _pictures(names: list[str]) -> None:
    """Tables after some random choices, as small as a page with many of them needs."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import QUIET, chromium
    from tests.browser.table.stage import Stage

    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        for name in names:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            stages = (Stage(page, name).play(number).play_until_asked() for number in CHOICES)
            next(stage for stage in stages if not stage.match.over).open("language=en")
            page.wait_for_timeout(900)
            session = page.context.new_cdp_session(page)
            for quality in (75, 60, 45, 30, 15):
                clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": 0.5}
                said = {"format": "webp", "quality": quality, "clip": clip}
                data = base64.b64decode(session.send("Page.captureScreenshot", said)["data"])
                if len(data) <= MOST_BYTES:
                    break
            (IMAGES / f"{name}.webp").write_bytes(data)
            print(f"{name}.webp: {len(data)} bytes")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
