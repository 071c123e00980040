"""The documentation as a site: every page is reached, and every link leads somewhere."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
from functools import cache
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from rulewright.library import bundled
from rulewright.manual.codes import all_codes

ROOT = Path(__file__).resolve().parents[2]
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"
SCRIPT = re.compile(r'<script src="([^"]+)"')
HEADING = re.compile(r"^#{1,6} (.+?)\s*$", re.MULTILINE)


@cache
def site() -> ModuleType:
    spec = util.spec_from_file_location("site_pages", ROOT / "tools" / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def pages() -> dict[str, str]:
    found: dict[str, str] = site().pages()
    return found


def links(text: str) -> list[str]:
    found: list[str] = []
    site().outside_code(text, lambda part: found.extend(m[3] for m in site().LINK.finditer(part)) or part)
    return found


def anchors(text: str) -> set[str]:
    """The anchors of a page: those that are written, and those of headings, as GitHub makes them."""
    headings: list[str] = []
    site().outside_code(text, lambda part: headings.extend(HEADING.findall(part)) or part)
    written = set(re.findall(r'<a id="([^"]+)"', text))
    return written | {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(found: dict[str, str]) -> list[str]:
    """`page: target` for every link that leads to no page, picture or heading."""
    dead = []
    for page, text in found.items():
        for target in links(text):
            if re.match(r"[a-z]+:", target):
                continue
            inner, _, anchor = target.partition("#")
            place = posixpath.normpath(posixpath.join(posixpath.dirname(page), inner)) if inner else page
            there = place in found or (ROOT / "docs" / place).is_file()
            if not there or (anchor and place in found and anchor not in anchors(found[place])):
                dead.append(f"{page}: {target}")
    return dead


def test_every_link_leads_somewhere() -> None:
    assert dead_links(pages()) == []


def test_a_dead_link_is_found() -> None:
    some = {"a.md": "# A b\n[x](b.md) [y](#a-b) [z](#c)\n```\n[code](none.md)\n```\n"}
    assert dead_links(some) == ["a.md: b.md", "a.md: #c"]


def test_every_code_and_game_has_a_page() -> None:
    assert {f"codes/{code}.md" for code in all_codes()} <= pages().keys()
    assert {f"games/{name}.md" for name in bundled()} <= pages().keys()
    gallery = pages()["games/index.md"]
    assert all(f'href="{name}.html"' in gallery for name in bundled())


def test_every_page_is_in_the_navigation() -> None:
    """Codes, games and decisions are reached from the pages that list them."""
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed <= pages().keys()
    assert {page for page in pages() if "/" not in page} <= listed


def test_pages_that_are_listed_elsewhere_lead_back() -> None:
    listed = [page for page in pages() if re.match(r"codes/[A-Z]|games/(?!index)|decisions/0", page)]
    assert [page for page in listed if "index.md" not in links(pages()[page])] == []


def test_links_that_lead_out_of_the_pages_lead_to_others() -> None:
    change = site().relinked
    assert change("[it](../rulesets/pig)", "docs/a.md", "a.md") == "[it](games/pig.md)"
    assert change("[it](docs/a.md#b)", "README.md", "index.md") == "[it](a.md#b)"
    assert change("[it](../dsl/rules.lark)", "docs/a.md", "a.md") == "it"
    assert change("```\n[it](../rulesets/pig)\n```", "docs/a.md", "a.md") == "```\n[it](../rulesets/pig)\n```"


@pytest.mark.long
@pytest.mark.skipif(not MKDOCS.is_file(), reason="`make docs` sets MkDocs up")
def test_the_site_is_built(tmp_path: Path) -> None:
    made, built = tmp_path / "pages", tmp_path / "site"
    script = [sys.executable, str(ROOT / "tools" / "site.py"), "--games", "pig", "--into", str(made)]
    subprocess.run(script, check=True)
    (tmp_path / "mkdocs.yml").write_text(
        (ROOT / "mkdocs.yml").read_text("utf-8").replace("build/site-pages", str(made)), "utf-8"
    )
    command = [str(MKDOCS), "build", "--quiet", "--config-file", str(tmp_path / "mkdocs.yml")]
    subprocess.run([*command, "--site-dir", str(built)], check=True)
    for page in ("index.html", "codes/D012.html", "games/pig.html", "play/pig.html", "play/pig-rules.html"):
        assert (built / page).stat().st_size > 1000, page
    assert (built / "search" / "search_index.js").is_file(), "no search from disk"
    scripts = {src for page in built.rglob("*.html") for src in SCRIPT.findall(page.read_text("utf-8"))}
    assert [src for src in scripts if "//" in src] == []
