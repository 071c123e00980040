"""Makes the pages of the documentation site, from which MkDocs builds it: `make docs`.

python tools/site.py                      # build/site-pages, with every game to play
python tools/site.py --games pig,roma     # only these can be played, which takes less time

The pages are those of `docs/`, the README as the first one, a page for each code and for each game. Links
that lead out of `docs/` lead to the pages made here.
"""

from __future__ import annotations

import argparse
import inspect
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dsl.diagnostics import Diagnostic  # noqa: E402
from rulewright.library import bundled, bundled_folder, read_rules  # noqa: E402
from rulewright.manual.codes import FAMILIES, all_codes, shape  # noqa: E402
from rulewright.provenance import provenance_lines  # noqa: E402

INTO = ROOT / "build" / "site-pages"
TOP = {"README.md": "index.md", "docs/README.md": "contents.md", "CONTRIBUTING.md": "contributing.md",
       "CHANGELOG.md": "changelog.md", "SECURITY.md": "reporting.md",
       "benchmarks/README.md": "benchmarks.md"}  # fmt: skip
"""Pages from outside of `docs/`, by their places in the repository."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```[ ]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"\b([CDRTV][0-9]{3})\b")
Pages = dict[str, str]
"""Texts by their paths in the site."""


# ---- which page is where


def place_of(path: str) -> str | None:
    """The page of the site for a path in the repository; none if it has none."""
    path = posixpath.normpath(path)
    if path in TOP:
        return TOP[path]
    if path.startswith("docs/"):
        inner = path.removeprefix("docs/")
        return "decisions/index.md" if inner == "decisions" else inner
    if path == "rulesets":
        return "library.md"
    if path == "benchmarks":
        return "benchmarks.md"
    if path.startswith("rulesets/"):
        return f"games/{path.split('/')[1]}.md"
    return None


def relinked(text: str, path: str, page: str) -> str:
    """A text of the repository as a page: links lead to pages, and what has none is plain text."""

    def changed(match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        inner, mark, anchor = target.partition("#")
        place = place_of(posixpath.join(posixpath.dirname(path), inner))
        if place is None:
            return words
        return f"{picture}[{words}]({posixpath.relpath(place, posixpath.dirname(page) or '.')}{mark}{anchor})"

    return outside_code(text, lambda part: LINK.sub(changed, part))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with its parts outside of blocks of code changed."""
    found, at = [], 0
    for fence in FENCE.finditer(text):
        found += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*found, change(text[at:])])


# ---- the pages


def pages(playable: frozenset[str] = frozenset()) -> Pages:
    """All pages. `playable` are the games of which there is a file to play."""
    found: Pages = {}
    for path, page in TOP.items():
        found[page] = relinked((ROOT / path).read_text("utf-8"), path, page)
    for source in sorted((ROOT / "docs").rglob("*.md")):
        path = source.relative_to(ROOT).as_posix()
        if path in TOP:
            continue
        page = path.removeprefix("docs/")
        found[page] = relinked(source.read_text("utf-8"), path, page)
    found["decisions/index.md"] = _decisions(found)
    for page in found:
        if page.startswith("decisions/0"):
            heading, rest = found[page].split("\n", 1)
            found[page] = f"{heading}\n\n[All decisions](index.md)\n{rest}"
    return found | dict(_codes()) | dict(_games(playable))


def _decisions(found: Pages) -> str:
    lines = [
        f"* [{text.splitlines()[0].removeprefix('# ')}]({page.removeprefix('decisions/')})"
        for page, text in sorted(found.items())
        if page.startswith("decisions/0")
    ]
    return "# Decisions\n\nEach closes some ways and says why.\n\n" + "\n".join(lines) + "\n"


def _codes() -> Iterator[tuple[str, str]]:
    """A page for each code, and one that lists them."""
    register = all_codes()
    lines = [
        "# Codes",
        "",
        "Every message has a code; `rulewright explain CODE` says the same as these pages.",
    ]
    for letter, family in FAMILIES.items():
        lines += ["", f"## {letter}: {family}", "", "| code | name | means |", "|---|---|---|"]
        for code, kind in register.items():
            if code.startswith(letter):
                lines.append(f"| [{code}]({code}.md) | {kind.slug} | {_gist(kind)} |")
                yield f"codes/{code}.md", _code(kind)
    yield "codes/index.md", "\n".join(lines) + "\n"


def _gist(kind: type[Diagnostic]) -> str:
    text = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", text)[0].replace("|", "\\|")


def _code(kind: type[Diagnostic]) -> str:
    explanation = inspect.cleandoc(kind.__doc__ or "")
    parts = [f"# {kind.code} {kind.slug}", f"[All codes](index.md) · *{kind.severity}*", explanation]
    for name, text in (("Message", shape(kind.title)), ("Help", shape(kind.advice))):
        if text:
            parts.append(f"**{name}:** {text}")
    return "\n\n".join(parts) + "\n"


# ---- games


def _games(playable: frozenset[str]) -> Iterator[tuple[str, str]]:
    facts = yaml.safe_load((ROOT / "docs" / "library.yaml").read_text("utf-8"))
    yield "games/index.md", _gallery()
    for name in bundled():
        yield f"games/{name}.md", _game(name, facts.get(name, {}), name in playable)


def _game(name: str, facts: dict[str, str], plays: bool) -> str:
    title, seats = _heading(name)
    shown = f"For {seats}. It shows {facts.get('shows', 'the language')}."
    lines = [f"# {title}", "", f"[All games](index.md) · {shown}", ""]
    if (ROOT / "docs" / "images" / "library" / f"{name}.webp").is_file():
        lines += [f"![{title}](../images/library/{name}.webp)", ""]
    if plays:
        lines += [f"[Play it here](../play/{name}.html){{ .md-button }} "
                  f"[Its rules as a book](../play/{name}-rules.html){{ .md-button }}", ""]  # fmt: skip
    lines += ["```sh", f"rulewright serve {name}", f"rulewright play {name}", "```", ""]
    if facts.get("checked"):
        lines += [f"Checked against {facts['checked']}.", ""]
    lines += [
        line
        for said in provenance_lines(read_rules(name)[0])
        for line in (f"Not all as printed: {said}.", "")
    ]
    lines += ["## Its files", ""]
    for path in sorted((bundled_folder() / name).glob("*.y*ml")) + sorted(
        (bundled_folder() / name).glob("*.rules")
    ):
        kind = "yaml" if path.suffix == ".yaml" else "text"
        lines += [f"### {path.name}", "", f"```{kind}", path.read_text("utf-8").rstrip(), "```", ""]
    return "\n".join(lines)


def _heading(name: str) -> tuple[str, str]:
    """The title of a game, and for how many it is."""
    head = yaml.safe_load((bundled_folder() / name / "game.yaml").read_text("utf-8"))
    seats = head["seats"]["count"] if isinstance(head["seats"], dict) else head["seats"]
    return str(head["title"]), f"{str(seats).replace('..', ' to ')} player{'' if str(seats) == '1' else 's'}"


def _gallery() -> str:
    """All games as pictures that lead to their pages."""
    lines = [
        "# Games",
        "",
        "Each can be played here, against simple bots or at one screen.",
        "[The library](../library.md) says what each shows, and what it was checked against.",
        "",
        '<div class="gallery">',
    ]
    for name in bundled():
        title, seats = _heading(name)
        picture = f'<img src="../images/library/{name}.webp" alt="" loading="lazy">'
        lines.append(f'<a href="{name}.html">{picture}<b>{escape(title)}</b><span>{seats}</span></a>')
    return "\n".join([*lines, "</div>", ""])


STYLE = """\
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 1rem; }
.gallery a { display: flex; flex-direction: column; color: inherit; }
.gallery img { width: 100%; aspect-ratio: 8 / 5; object-fit: cover; border: 1px solid #8884; }
.gallery span { opacity: 0.7; font-size: 0.8em; }
.md-typeset table:not([class]) td:first-child img { min-width: 5rem; }
.md-typeset .md-button { margin: 0 0.3rem 0.4rem 0; }
"""
IFRAME_WORKER = """\
// Search from disk: a page that was opened as a file may start no worker, so its script runs in a frame.
window.IFrameWorker = class extends EventTarget {
    constructor(url) {
        super();
        const frame = document.createElement("iframe");
        frame.hidden = true;
        document.body.append(frame);
        this.ready = new Promise((resolve) => {
            const inside = frame.contentWindow;
            inside.document.open();
            inside.document.write("<!doctype html><title>search</title>");
            inside.document.close();
            inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
            const script = inside.document.createElement("script");
            script.src = url;
            script.onload = () => resolve(inside);
            inside.document.head.append(script);
        });
    }
    postMessage(data) {
        this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {}
};
if (location.protocol === "file:") {
    window.Worker = window.IFrameWorker;
}
"""
"""Under the name by which the theme looks for it."""


def make_playable(name: str, folder: Path) -> None:
    """The file to play a game from, and its rulebook."""
    command = [sys.executable, "-m", "rulewright"]
    subprocess.run([*command, "export", name, "--into", str(folder / f"{name}.html")], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    subprocess.run(
        [*command, "rules", name, "--into", str(folder / f"{name}-rules.html")], check=True, cwd=ROOT
    )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--games", default="all", help="those that can be played: names with commas, `all`, `none`"
    )
    options.add_argument("--into", type=Path, default=INTO)
    chosen = options.parse_args()
    names = {"all": list(bundled()), "none": []}.get(chosen.games, chosen.games.split(","))
    unknown = set(names) - set(bundled())
    if unknown:
        options.error(f"there is no bundled game {', '.join(sorted(unknown))}")
    shutil.rmtree(chosen.into, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "images", chosen.into / "images")
    for page, text in pages(frozenset(names)).items():
        path = chosen.into / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (chosen.into / "site.css").write_text(STYLE, "utf-8")
    (chosen.into / "iframe-worker.js").write_text(IFRAME_WORKER, "utf-8")
    (chosen.into / "play").mkdir()
    for name in names:
        print(name, flush=True)
        make_playable(name, chosen.into / "play")


if __name__ == "__main__":
    main()
