"""What the tools do: functions from plain arguments to plain answers, without the protocol."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from tempfile import TemporaryDirectory
from typing import Any, ParamSpec

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from rulewright.assistants.answers import bounded
from rulewright.assistants.commands import Ran, run_command
from rulewright.assistants.folder import AssistantFolder
from rulewright.library import bundled
from rulewright.manual.sections import CODES, manual, pages, sections_of, under
from rulewright.terminal.output import diagnostic_objects

Answer = dict[str, Any]
"""`ok`; with it a result, or diagnostics. `left_out` says how many entries were too many, by place."""
Arguments = ParamSpec("Arguments")
MOST_LINES = 400
LONGEST_WORD = 10_000
MOST_PLAYOUTS, MOST_TRACED, MOST_MUTANTS, MOST_CHOICES = 10_000, 2000, 200, 2000
SHARE_OF_TIME = 0.8
"""How much of the time limit an analysis takes, which knows how to end early."""


def answering(tool: Callable[Arguments, Awaitable[Answer]]) -> Callable[Arguments, Awaitable[Answer]]:
    """A tool whose mistakes are answers, and whose answers are bounded."""

    @wraps(tool)
    async def answered(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        try:
            found = await tool(*args, **kwargs)
        except DiagnosticError as error:
            found = failed([error.diagnostic])
        except ErrorsReported as stop:
            found = failed(list(stop.report))
        answer, left_out = bounded(found)
        return {**answer, "left_out": left_out} if left_out else dict(answer)

    return answered


def failed(diagnostics: Sequence[Diagnostic]) -> Answer:
    return {"ok": False, "diagnostics": diagnostic_objects(diagnostics)}


SHORT = ("name", "title", "seats")
"""What a list of all games says of each, besides what it is and its options."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools over one folder. `seconds` is the time limit of each command."""

    folder: AssistantFolder
    seconds: float = 60.0

    async def command(self, *words: str, module: str = "rulewright") -> Ran:
        """Runs a command. No process takes words with a null in them, nor very long ones."""
        passed = (word[:LONGEST_WORD].replace("\0", "\N{REPLACEMENT CHARACTER}") for word in words)
        return await run_command(self.folder.root, self.seconds, *passed, module=module)

    # ---- files

    @answering
    async def list_files(self, folder: str = "") -> Answer:
        return {"ok": True, "files": self.folder.files(folder)}

    @answering
    async def read_file(self, path: str, first_line: int = 1, lines: int = MOST_LINES) -> Answer:
        text = self.folder.read(path).splitlines()
        first, (most, limited) = max(first_line, 1), _within("lines", lines, 1, MOST_LINES)
        shown = text[first - 1 : first - 1 + most]
        return {
            "ok": True,
            "path": path,
            "first_line": first,
            "of_lines": len(text),
            "text": "\n".join(shown),
            **limited,
        }

    @answering
    async def write_file(self, path: str, text: str) -> Answer:
        return {"ok": True, "path": path, "bytes": self.folder.write(path, text)}

    @answering
    async def replace_in_file(self, path: str, old: str, new: str) -> Answer:
        """Replaces the only occurrence of a text."""
        text = self.folder.read(path)
        times = text.count(old) if old else 0
        if times != 1:
            help = "give more of its lines" if times else "`read_file` shows what is there"
            said = f"the text occurs {times} times in `{path}` and must occur once: {help}"
            return {"ok": False, "message": said}
        return {"ok": True, "path": path, "bytes": self.folder.write(path, text.replace(old, new))}

    @answering
    async def new_ruleset(self, name: str) -> Answer:
        if self.folder.read_only:
            self.folder.write(f"{name}/game.yaml", "")
        ran = await self.command("new", name)
        found = self.folder.files(name) if ran.code == 0 else []
        return {"ok": ran.code == 0, "files": found, **_said(ran)}

    # ---- rulesets

    @answering
    async def list_games(self, game: str = "") -> Answer:
        """All games, with the names of their options; or one bundled game, with all of its options."""
        ran = await self.command("list", "--json", *([game] if game else []))
        found = ran.parsed()
        if not isinstance(found, list):
            return {"ok": False, **_said(ran)}
        if game:
            return {"ok": True, "bundled": found}
        own = [str(it["path"]) for it in self.folder.files() if str(it["path"]).endswith("game.yaml")]
        short = [
            {key: one[key] for key in SHORT if key in one}
            | {"says": one.get("says", {}).get("en", "")}
            | {"options": [option["name"] for option in one["options"]]}
            for one in found
        ]
        return {"ok": True, "own": [path.rpartition("/")[0] or "." for path in own], "bundled": short}

    @answering
    async def check(self, game: str, play: bool = False) -> Answer:
        fast = [] if play else ["--fast"]
        ran = await self.command("check", self.folder.game(game), "--format", "json", *fast)
        findings = ran.parsed() or []
        clean = ran.code == 0 and isinstance(findings, list)
        return {"ok": clean, "findings": findings, **_said(ran)}

    @answering
    async def test(self, game: str, matching: str = "", falsify: bool = False) -> Answer:
        more = [*(["-k", matching] if matching else []), *(["--falsify"] if falsify else [])]
        ran = await self.command("test", self.folder.game(game), "--json", *more)
        results = ran.parsed()
        if not isinstance(results, list):
            return {"ok": False, **_said(ran)}
        wrong = [one for one in results if not one["holds"] or one["warnings"]]
        held = sum(one["holds"] for one in results)
        return {"ok": ran.code == 0, "scenarios": len(results), "hold": held, "look_at": wrong, **_said(ran)}

    @answering
    async def mutate(self, game: str, sample: int = 40, clause: str = "", seed: int = 0) -> Answer:
        number, limited = _within("sample", sample, 1, MOST_MUTANTS)
        words = ["--sample", str(number), "--seed", str(abs(seed))]
        more = ["--clause", clause] if clause else []
        ran = await self.command("mutate", self.folder.game(game), "--json", "--survivors", *words, *more)
        found = ran.parsed()
        return {"ok": found is not None, **limited, **(_plain(found)), **_said(ran)}

    @answering
    async def simulate(
        self,
        game: str,
        matches: int = 200,
        seats: int = 0,
        options: dict[str, str] | None = None,
        seed: int = 0,
    ) -> Answer:
        number, limited = _within("matches", matches, 1, MOST_PLAYOUTS)
        words = ["-n", str(number), "--seed", str(abs(seed)), "--checked"]
        ran = await self.command(
            "simulate", self.folder.game(game), "--json", *words, *_table(seats, options)
        )
        found = ran.parsed()
        return {"ok": found is not None and ran.code == 0, **limited, **_plain(found), **_said(ran)}

    @answering
    async def play(
        self,
        game: str,
        choices: list[str] | None = None,
        seat: str = "",
        bot: str = "",
        seats: int = 0,
        options: dict[str, str] | None = None,
        seed: int = 1,
    ) -> Answer:
        """A match after some choices, as a seat sees it."""
        made = choices or []
        if len(made) > MOST_CHOICES:
            return {"ok": False, "message": f"{len(made)} choices: at most {MOST_CHOICES} are played"}
        asked: Answer = {"game": self.folder.game(game), "seat": seat, "bot": bot, "seats": seats or None}
        asked |= {"options": options or {}, "seed": abs(seed)}
        ran = await self.command(json.dumps(asked), *made, module="rulewright.assistants.played_match")
        found = ran.parsed()
        return {"ok": False, **_plain(found), **_said(ran)}

    @answering
    async def analyse(
        self,
        game: str,
        bots: str = "random",
        matches: int = 300,
        seats: int = 0,
        options: dict[str, str] | None = None,
    ) -> Answer:
        """What many matches show, within the time limit, in numbers; the page of pictures is not kept."""
        name, budget = self.folder.game(game), max(1, int(self.seconds * SHARE_OF_TIME))
        number, limited = _within("matches", matches, 10, MOST_PLAYOUTS)
        words = ["--bots", bots, "-n", str(number), "--budget", f"{budget}s", "--json"]
        with TemporaryDirectory() as elsewhere:
            words += ["--into", f"{elsewhere}/page.html"]
            ran = await self.command("analyse", name, *words, *_table(seats, options))
        shown = {key: value for key, value in _plain(ran.parsed()).items() if key != "page"}
        return {"ok": bool(shown) and ran.code == 0, **limited, **shown, **_said(ran)}

    @answering
    async def compare(
        self,
        old: str,
        new: str,
        new_options: dict[str, str] | None = None,
        matches: int = 2000,
        bots: str = "random",
        seats: int = 0,
    ) -> Answer:
        """Two versions, or two values of an option, in pairs of matches with the same chance."""
        number, limited = _within("matches", matches, 1, MOST_PLAYOUTS)
        words = ["-n", str(number), "--bots", bots, "--json", *_table(seats, None)]
        words += [
            word for name, value in (new_options or {}).items() for word in ("--new", f"{name}={value}")
        ]
        ran = await self.command("compare", self.folder.game(old), self.folder.game(new), *words)
        found = ran.parsed()
        return {"ok": found is not None, "differs": ran.code == 1, **limited, **_plain(found), **_said(ran)}

    @answering
    async def tune(
        self, game: str, target: str, numbers: str, matches: int = 1000, bots: str = "random", seats: int = 0
    ) -> Answer:
        """The smallest change of numbers that reaches a target, if there is one."""
        number, limited = _within("matches", matches, 100, MOST_PLAYOUTS)
        words = ["--target", target, "--numbers", numbers, "-n", str(number), "--confirm", str(10 * number)]
        words += ["--bots", bots, "--json", *_table(seats, None)]
        ran = await self.command("tune", self.folder.game(game), *words)
        found = ran.parsed()
        return {"ok": found is not None, **limited, **_plain(found), **_said(ran)}

    @answering
    async def trace(self, game: str, clause: str = "", matches: int = 200) -> Answer:
        number, limited = _within("matches", matches, 0, MOST_TRACED)
        words = ["--playouts", str(number)]
        more = ["--clause", clause] if clause else []
        ran = await self.command("trace", self.folder.game(game), "--json", *words, *more)
        found = ran.parsed()
        return {"ok": found is not None and ran.code == 0, **limited, **_plain(found), **_said(ran)}

    @answering
    async def diff(self, old: str, new: str) -> Answer:
        ran = await self.command("diff", self.folder.game(old), self.folder.game(new), "--json")
        found = ran.parsed()
        return {"ok": found is not None, **_plain(found), **_said(ran)}

    @answering
    async def rules_as_text(
        self, game: str, seats: int = 0, options: dict[str, str] | None = None, first_line: int = 1
    ) -> Answer:
        ran = await self.command("rules", self.folder.game(game), *_table(seats, options))
        lines, first = ran.output.splitlines(), max(first_line, 1)
        part = "\n".join(lines[first - 1 : first - 1 + MOST_LINES])
        return {"ok": ran.code == 0, "first_line": first, "of_lines": len(lines), "text": part, **_said(ran)}

    @answering
    async def scenario_words(self, game: str, seats: int = 0) -> Answer:
        ran = await self.command("words", self.folder.game(game), *_table(seats, None))
        return {"ok": ran.code == 0, "text": ran.output, **_said(ran)}

    @answering
    async def format(self, game: str) -> Answer:
        if self.folder.read_only:
            self.folder.write(f"{game}/game.yaml", "")
        name = self.folder.game(game)
        if not (self.folder.root / name / "game.yaml").is_file():
            return {"ok": False, "message": "bundled games are not changed"}
        ran = await self.command("format", name)
        return {"ok": ran.code == 0, "text": ran.output, **_said(ran)}

    # ---- what is known

    @answering
    async def explain(self, code: str) -> Answer:
        if not code.replace("-", "").replace("_", "").isalnum():
            return {"ok": False, "message": "a code is a letter and three digits, such as D012"}
        ran = await self.command("explain", "--json", code)
        found = ran.parsed()
        return {"ok": bool(found), **(found[0] if found else {}), **_said(ran)}

    @answering
    async def search_docs(self, query: str) -> Answer:
        found = manual().search(query)
        return {
            "ok": True,
            "sections": [{"page": s.page, "heading": s.heading, "text": s.text[:3000]} for s in found],
        }

    @answering
    async def read_docs(self, page: str = "", heading: str = "") -> Answer:
        """A page of the documentation, or one section; without a page, the pages and their headings."""
        known = pages()
        if page not in known:
            headings = {name: [s.heading for s in sections_of(name, text)] for name, text in known.items()}
            hint = ": `explain` tells what a code means" if page == CODES else ""
            said = {"message": f"there is no page `{page}`{hint}"} if page else {}
            return {"ok": not page, **said, "pages": headings}
        all_of_it = list(sections_of(page, known[page]))
        sections = under(all_of_it, heading)
        if not sections:
            said = {"message": f"`{page}` has no heading `{heading}`"}
            return {"ok": False, **said, "headings": [s.heading for s in all_of_it]}
        return {"ok": True, "text": "\n\n".join(s.text for s in sections)}

    @answering
    async def read_bundled(self, game: str, path: str = "") -> Answer:
        """A file of a bundled game, as an example; without a path the names of its files."""
        from rulewright.library import bundled_folder

        if game not in bundled():
            return {"ok": False, "message": f"there is no bundled game `{game}`: `list_games` names them"}
        example = AssistantFolder(bundled_folder() / game, read_only=True)
        if not path:
            return {"ok": True, "files": example.files()}
        return {"ok": True, "path": path, "text": example.read(path)}


def _within(name: str, asked: int, least: int, most: int) -> tuple[int, Answer]:
    """A number that was asked for, within its limits; if it was another one, the answer says so."""
    taken = max(least, min(asked, most))
    said = f"`{name}` is {taken}: from {least} to {most} are possible, {asked} were asked for"
    return taken, {} if taken == asked else {"limited": said}


def _plain(found: Any) -> Answer:
    """What a command has answered; nothing if it has only said what is wrong."""
    if found is None:
        return {}
    return found if isinstance(found, dict) else {"result": found}


def _said(ran: Ran) -> Answer:
    """What a command found wrong, and what else it told."""
    found = {"diagnostics": list(ran.diagnostics)} if ran.diagnostics else {}
    return {**found, "messages": ran.messages.strip()} if ran.messages.strip() else found


def _table(seats: int, options: dict[str, str] | None) -> list[str]:
    """The options of a command for the number of seats and the settings of a game."""
    words = ["--seats", str(seats)] if seats > 0 else []
    return words + [
        word for name, value in (options or {}).items() for word in ("--option", f"{name}={value}")
    ]
