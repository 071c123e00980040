"""The language, specified by examples: each `##` section of the pages here is one case.

A case is prose, then fences. `yaml` is `game.yaml`; `game`, `seats: 2`, `rules` and a flow that calls the
procedure `run` are added where they are missing, at the end, so that lines stay where they are. `rules` is
`game.rules`; a `run` that does nothing is added in a file of its own. `csv NAME` is a table, `file NAME`
any other file. Then comes what is asserted: `error` lists every mistake of the ruleset as `CODE line N`;
`scenario` holds a list of scenarios, none of which may hold by accident; `view` says what seats see after the
last scenario, as `A: hand of B: 2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from logging import DEBUG
from pathlib import Path

import pytest
from lark import Lark, logger as lark_logger

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.folder import Folder
from dsl.grammar import _Switch as Switch, grammar_text
from dsl.load import load_for_questions
from dsl.source import Source
from interpreter.compile.program import compile_rules
from interpreter.match import Match
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner

HERE = Path(__file__).parent
FENCE = re.compile(r"^```(?P<kind>[a-z]+) ?(?P<name>\S*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = ("yaml", "rules", "csv", "file", "error", "scenario", "view")
BOILERPLATE = {
    "game": "game: spec",
    "seats": "seats: 2",
    "rules": "rules: [game.rules]",
    "flow": "flow: {play: {do: [run], score: highest}}",
}


@dataclass(frozen=True)
class Case:
    """One section: its files, and what is said of them."""

    name: str
    files: dict[str, bytes]
    errors: list[str] | None
    scenarios: tuple[str, ...]
    views: tuple[str, ...]


def read_cases(page: str, text: str) -> list[Case]:
    parts = re.split(r"^## +", text, flags=re.MULTILINE)[1:]
    return [read_case(page, *part.split("\n", 1)) for part in parts]


def read_case(page: str, title: str, text: str = "") -> Case:
    fences = [(f["kind"], f["name"], f["text"]) for f in FENCE.finditer(text)]
    assert text.count("```") == 2 * len(fences), f"{title}: a fence is not closed"
    assert all(kind in KINDS for kind, _, _ in fences), f"{title}: a fence of unknown kind"

    def written(wanted: str) -> list[str]:
        return [body for kind, _, body in fences if kind == wanted]

    files = {name: body for kind, name, body in fences if kind in ("csv", "file")}
    game, rules = "".join(written("yaml")), "".join(written("rules"))
    missing = [key for key in BOILERPLATE if not re.search(rf"^{key}:", game, re.MULTILINE)]
    added = {key: BOILERPLATE[key] for key in missing}
    if "flow" in added and not re.search(r"^procedure run\b", rules, re.MULTILINE) and "rules" in added:
        added["rules"] = "rules: [game.rules, run.rules]"
        files["run.rules"] = "procedure run\n    nothing\n"
    files |= {"game.yaml": game + "".join(line + "\n" for line in added.values()), "game.rules": rules}
    errors = [line for body in written("error") for line in body.splitlines()]
    return Case(
        f"{page}: {title.strip()}",
        {name: body.encode() for name, body in files.items()},
        errors if written("error") else None,
        tuple(written("scenario")),
        tuple(line for body in written("view") for line in body.splitlines()),
    )


def folder_of(case: Case) -> Folder:
    def fetch(path: str) -> bytes:
        if path not in case.files:
            raise FileNotFoundError(path)
        return case.files[path]

    return Folder("spec", fetch)


def diagnostics(case: Case) -> list[str]:
    """Every mistake of the ruleset, warnings too, as `CODE line N`."""
    try:
        rules, report, _ = load_for_questions(folder_of(case))
        compile_rules(rules, None, {})
    except ErrorsReported as stop:
        report = stop.report
    except DiagnosticError as failed:
        report = Report([failed.diagnostic])
    return [f"{m.code} line {m.span.source.position(m.span.start)[0]}" for m in report]


def check(case: Case) -> None:
    """Raises `AssertionError` if something that the case says is not so."""
    assert case.errors or case.scenarios, "a case asserts something"
    assert case.scenarios or not case.views, "a view is seen after a scenario"
    if case.errors is not None:
        assert sorted(diagnostics(case)) == sorted(case.errors)
    if case.scenarios:
        perform(case)


def perform(case: Case) -> None:
    try:
        rules, _, questions = load_for_questions(folder_of(case))
    except ErrorsReported as stop:
        told = [f"{m.code} {m.span.source.position(m.span.start)} {m.message}" for m in stop.report]
        raise AssertionError(f"the ruleset has mistakes: {told}") from None
    seen: list[Match] = []
    runner = ScenarioRunner(rules, questions, watch=seen.append, falsify=True)
    for text in case.scenarios:
        scenarios = read_scenarios(Source("scenario", text), rules)
        assert scenarios, "a scenario fence holds one"
        for scenario in scenarios:
            assert scenario.asserts, f"{scenario.name} asserts nothing"
            result = runner.run(scenario)
            assert result.diagnostic is None, (
                f"{scenario.name}: {result.diagnostic and result.diagnostic.message}"
            )
            told = [f"{d.what}: {d.found}, not {d.wanted}" for d in result.differences]
            assert not told, f"{scenario.name}: {told}"
            doubts = [f"{d.code} {d.message}" for d in result.doubts]
            assert not doubts, f"{scenario.name} may hold by accident: {doubts}"
    for line in case.views:
        seat, place, wanted = line.split(": ")
        view = seen[-1].view(ord(seat) - ord("A"))
        found: dict[str, object] = {
            **view.zones,
            **view.counters,
            **view.marks,
            **view.pointers,
            **view.chosen,
        }
        assert place in found, line
        assert shown(found[place]) == wanted, line


def shown(pieces: object) -> str:
    if isinstance(pieces, Iterable) and not isinstance(pieces, str):
        return "[" + ", ".join(sorted(map(str, pieces))) + "]"
    return "unknown" if pieces is None else str(pieces)


CASES = [
    case for page in sorted(HERE.glob("*.md")) for case in read_cases(page.stem, page.read_text("utf-8"))
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Case) -> None:
    check(case)


def test_there_are_cases() -> None:
    names = [case.name for case in CASES]
    assert len(names) >= 60
    assert len(set(names)) == len(names)


GAIN = """## Gaining

```yaml
counters: {coins: {of: seat, range: 0..9}}
```

```rules
procedure run
    gain 3 coins
```

"""

RIGHT = "```scenario\n- scenario: x\n  then: {coins of A: 3}\n```\n"
WRONG = [
    "```scenario\n- scenario: x\n  then: {coins of A: 4}\n```\n",
    "```scenario\n- scenario: x\n  then: {pearls of A: 4}\n```\n",
    "```scenario\n- scenario: x\n```\n",
    "```scenario\n- scenario: x\n  when: [{refused: {A: pass}}]\n```\n",
    "```error\nD030 line 2\n```\n",
    "```error\n```\n",
    RIGHT + "```error\nD030 line 2\n```\n",
    RIGHT + "```view\nA: hand of B: 2\n```\n",
    "",
]


def test_a_right_case_holds() -> None:
    check(read_cases("x", GAIN + RIGHT)[0])


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_case_fails(wrong: str) -> None:
    case = read_cases("x", GAIN + wrong)[0]
    with pytest.raises(AssertionError):
        check(case)


@pytest.mark.parametrize("text", ["## X\n```rules\n", "## X\n```ruels\n```\n"])
def test_a_malformed_page_fails(text: str) -> None:
    with pytest.raises(AssertionError):
        read_cases("x", text)


def conflicts(grammar: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What Lark says of conflicts. Shift/reduce it settles silently unless it debugs."""
    lark_logger.addHandler(caplog.handler)
    try:
        with caplog.at_level(DEBUG, logger=lark_logger.name):
            Lark(
                grammar,
                parser="lalr",
                lexer="basic",
                postlex=Switch(),
                maybe_placeholders=True,
                start=["start", "question"],
                debug=True,
            )
    finally:
        lark_logger.removeHandler(caplog.handler)
    return [r.getMessage() for r in caplog.records if "conflict" in r.getMessage().lower()]


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts(grammar_text(), caplog) == []


def test_a_conflict_would_be_noticed(caplog: pytest.LogCaptureFixture) -> None:
    """A line that may or may not end an `if` with its own `else` can be read in two ways."""
    dangling = grammar_text().replace('| "nothing" ', '| "nothing" | "nothing" simple ["else" simple]')
    assert dangling != grammar_text()
    assert conflicts(dangling, caplog)


def test_every_form_of_the_grammar_is_used() -> None:
    """Every definition and statement begins a line of some case."""
    text = "".join(case.files["game.rules"].decode() for case in CASES)
    definitions = "action effect procedure value modify when score tiebreak always"
    statements = "let gain pay lose move draw roll shuffle chance show set clear needs end nothing"
    control = "if else while repeat for each"
    words = [word for group in (definitions, statements, "choose may do", control) for word in group.split()]
    assert [w for w in words if not re.search(rf"^ *{w}\b", text, re.MULTILINE)] == []
