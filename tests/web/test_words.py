"""The words of the page: the same in all languages, and no more or fewer than the page uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "rulewright" / "web"
LANGUAGES = ("en", "hu", "ro")
SCRIPTS = [path for path in sorted(WEB.rglob("*.js")) if "vendor" not in path.parts]
FILES = sorted(path.name for path in (WEB / "locales" / "en").glob("*.ftl"))

MESSAGE = re.compile(r"([a-z][a-z0-9-]*) = ?(.*)")
VARIABLE = re.compile(r"\$([a-z]+)")
VARIANT = re.compile(r"\s+\*?\[([a-z0-9]+)\] \S.*")
SELECTOR = re.compile(r"[^{}]*\{ \$[a-z]+ ->")
WHOLE = re.compile(r"(?:[^{}]|\{ \$[a-z]+ \})*")
LITERAL = re.compile(r'"([a-z][a-z0-9-]*)"')
PREFIX = re.compile(r"`([a-z][a-z0-9-]*-)\$\{")
CALL = re.compile(r'\bt\(\s*"([a-z][a-z0-9-]*)"')
PREFIX_CALL = re.compile(r"\bt\(`([a-z][a-z0-9-]*-)\$\{")
CHOICES = ("visibility-", "watching-by-", "chance-", "undo-policy-", "theme-", "motion-")
"""Settings whose values have words of their own: the page makes their ids of two names."""
PLURALS = {"en": {"one", "other"}, "hu": {"one", "other"}, "ro": {"one", "few", "other"}}


def messages(language: str, name: str) -> dict[str, list[str]]:
    """The messages of a file: the lines of each by its id. Fails at a line that is neither of the two forms
    that are used here: a text with variables, or a choice by the plural of a number."""
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, line in enumerate((WEB / "locales" / language / name).read_text("utf-8").splitlines(), 1):
        at = f"{language}/{name}:{number}: {line}"
        begun = MESSAGE.fullmatch(line)
        if not line or line.startswith("#"):
            lines = None
        elif begun:
            assert begun[1] not in found, at
            assert begun[2], at
            lines = found[begun[1]] = [begun[2]]
            assert SELECTOR.fullmatch(begun[2]) or WHOLE.fullmatch(begun[2]), at
        else:
            assert lines is not None, at
            assert VARIANT.fullmatch(line) or line == "}", at
            lines.append(line)
    return found


ALL = {(language, name): messages(language, name) for language in LANGUAGES for name in FILES}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", ["hu", "ro"])
def test_all_languages_have_the_same_messages(language: str, name: str) -> None:
    assert list(ALL[language, name]) == list(ALL["en", name])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", ["hu", "ro"])
def test_all_languages_use_the_same_variables(language: str, name: str) -> None:
    for id, lines in ALL[language, name].items():
        variables = set(VARIABLE.findall("\n".join(lines)))
        assert variables == set(VARIABLE.findall("\n".join(ALL["en", name][id]))), id


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_complete(language: str, name: str) -> None:
    for id, lines in ALL[language, name].items():
        if "->" in lines[0]:
            variants = {m[1] for m in map(VARIANT.fullmatch, lines) if m}
            assert lines[-1] == "}", id
            assert sum("*[" in line for line in lines) == 1, id
            assert variants <= PLURALS[language], id
            assert "other" in variants, id


def test_every_word_that_the_page_says_is_there() -> None:
    known = {id for name in FILES for id in ALL["en", name]}
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        for id in CALL.findall(text):
            assert id in known, f"{path.name}: {id}"
        for prefix in PREFIX_CALL.findall(text):
            assert any(id.startswith(prefix) for id in known), f"{path.name}: {prefix}…"


def test_every_word_that_is_there_is_said() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    literals, prefixes = set(LITERAL.findall(texts)), (*PREFIX.findall(texts), *CHOICES)
    unsaid = [id for id in ALL["en", "page.ftl"] if id not in literals and not id.startswith(prefixes)]
    assert unsaid == []


def test_nothing_is_written_in_the_page_itself() -> None:
    """What people read comes from the messages: no text stands between tags, or in a name."""
    between = re.compile(
        r">\s*([A-Za-z][a-z]+(?: [a-z]+)+)\s*<|(?:title|aria-label|placeholder)=\"([A-Za-z][^\"$]*)\""
    )
    for path in SCRIPTS:
        assert between.findall(path.read_text("utf-8")) == [], path.name
