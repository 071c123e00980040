"""`rulewright labels`: what is missing in a language, and files that complete it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from dsl.load import Folder, load
from rulewright.commands.labels import _texts
from rulewright.library import bundled, find, read_rules
from tests.games import EACH_TIME
from tests.rulewright.conftest import Run, run as run

TRANSLATED = [(game, tag) for game in bundled() for tag in read_rules(game)[0].translations]


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_bundled_translations_are_complete(run: Run, game: str, language: str) -> None:
    result = run("labels", game, "--language", language)
    assert result.exit_code == 0, result.output
    assert "clauses says" in result.output


def test_it_counts_and_names_what_is_missing(run: Run) -> None:
    result = run("labels", "pig", "--language", "hu")
    assert result.exit_code == 1
    clauses = read_rules("pig")[0].clauses
    line = next(line for line in result.output.splitlines() if line.startswith("clauses heading"))
    assert f"0 of {len(clauses)} in `hu`: {next(iter(clauses))}" in line


def test_a_phrase_of_a_mistyped_name_is_reported(run: Run, tmp_path: Path) -> None:
    """It is never shown, so nobody would see it."""
    copytree(find("pig"), tmp_path / "pig")
    at = tmp_path / "pig" / "labels"
    path = next(at.glob("*.yaml"))
    text = path.read_text(encoding="utf-8")
    section = "" if "\nphrases:" in text else "\nphrases:\n"
    path.write_text(f"{text.rstrip()}\n{section}  turn_totl: the total of this turn\n", encoding="utf-8")
    result = run("labels", str(tmp_path / "pig"), "--language", path.stem)
    assert result.exit_code == 1
    assert "V324" in result.stderr
    assert "turn_totl" in result.stderr
    assert f"labels/{path.name}:" in result.stderr


def test_for_programs_it_lists_every_text(run: Run) -> None:
    found = json.loads(run("labels", "pig", "--language", "hu", "--json").stdout)
    clauses = read_rules("pig")[0].clauses
    said = {
        text["name"]: text["text"] for text in found if (text["section"], text["key"]) == ("clauses", "says")
    }
    assert said == {mark: clause.says for mark, clause in clauses.items() if clause.says}


@pytest.mark.parametrize("game", ["pig", *EACH_TIME])
def test_the_files_that_it_writes_complete_a_game(run: Run, tmp_path: Path, game: str) -> None:
    """Named in `game.yaml` nothing is missing any more."""
    assert run("labels", game, "--language", "de", "--into", "out").exit_code == 1
    written = {f"de_{path.name}": path.read_bytes() for path in (tmp_path / "out").iterdir()}
    source = read_rules(game)[0].span.source
    files: dict[str, bytes] = {}

    def fetch(path: str) -> bytes:
        return written[path] if path in written else files.get(path) or (find(game) / path).read_bytes()

    text = source.text
    labels = "{en: labels/en.yaml, de: de_labels.de.yaml}"
    clauses = "{en: rulebook.yaml, de: de_rulebook.de.yaml}"
    lines = [line for line in text.splitlines() if not line.startswith(("labels:", "clauses:"))]
    files["game.yaml"] = "\n".join([*lines, f"labels: {labels}", f"clauses: {clauses}", ""]).encode()
    rules = load(Folder("demo", fetch))[0]
    translation = rules.translations["de"]
    assert [text for text in translation.texts if not text.translated] == []
    assert translation.untranslated == ()
    assert {mark: clause.says for mark, clause in translation.clauses.items()} == {
        mark: " ".join(clause.says.split()) for mark, clause in rules.clauses.items()
    }


def test_nouns_and_phrases_of_the_rulebook_are_named_too() -> None:
    """A noun is not needed where there is a label; a phrase is."""
    rules = read_rules("trajan")[0]
    there = rules.translations["hu"]
    less = replace(there, phrases={k: v for k, v in there.phrases.items() if k != "arch"})
    texts = list(_texts(replace(rules, translations={"hu": less}), "hu"))
    assert [(x.section, x.name) for x in texts if not x.translated] == [("phrases", "arch")]
    assert all(x.translated for x in texts if x.section == "nouns")


def test_files_that_are_there_stay(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "labels.hu.yaml").write_text("mine")
    result = run("labels", "pig", "--language", "hu", "--into", "out")
    assert result.exit_code == 2
    assert (tmp_path / "out" / "labels.hu.yaml").read_text() == "mine"


def test_a_language_is_a_tag(run: Run) -> None:
    result = run("labels", "pig", "--language", "hungarian")
    assert result.exit_code == 2
    assert "error[C430]" in result.output
