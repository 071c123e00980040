"""The words of the page: the same in all languages, and no more or fewer than the page uses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fluent.syntax import ast, parse
from fluent.syntax.visitor import Visitor

from rulewright.i18n.fluent import NotAMessage, read_messages
from rulewright.i18n.messages import languages
from tests.web.test_modules import reached

T = TypeVar("T", bound=ast.BaseNode)

WEB = Path(__file__).parents[2] / "rulewright" / "web"
LOCALES = WEB.parent / "i18n" / "locales"
LANGUAGES = languages()
MADE = {"vendor", "minified"}
EVERYWHERE = {"page.ftl", "table.ftl"}
BY_THE_SERVER, BY_THE_TERMINAL, IN_BOOKS = "notices.ftl", "terminal.ftl", "book.ftl"
"""What no script says, but the server itself, the terminal, or the rulebook."""
SCRIPTS = [path for path in sorted(WEB.rglob("*.js")) if not MADE & set(path.relative_to(WEB).parts)]
FILES = sorted(path.name for path in (LOCALES / "en").glob("*.ftl"))

LITERAL = re.compile(r'"([a-z][a-z0-9-]*)"')
PREFIX = re.compile(r"`([a-z][a-z0-9-]*-)\$\{")
CALL = re.compile(r'\bt\(\s*"([a-z][a-z0-9-]*)"')
PREFIX_CALL = re.compile(r"\bt\(`([a-z][a-z0-9-]*-)\$\{")
CHOICES = ("visibility-", "watching-by-", "chance-", "theme-", "motion-")
"""Settings whose values have words of their own: the page makes their ids of two names."""
PLURALS = {"en": {"one", "other"}, "hu": {"one", "other"}, "ro": {"one", "few", "other"}}


def messages(language: str, name: str) -> dict[str, ast.Message]:
    """The messages of a file by id. Fails at what Fluent cannot read, and at an id that comes twice."""
    text = (LOCALES / language / name).read_text("utf-8")
    found: dict[str, ast.Message] = {}
    for entry in parse(text).body:
        assert not isinstance(entry, ast.Junk), f"{language}/{name}: {entry.content}"
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{language}/{name}: {entry.id.name}"
            found[entry.id.name] = entry
    return found


def parts(message: ast.Message, kind: type[T]) -> list[T]:
    """All nodes of a kind in a message."""
    found: list[T] = []

    class Collector(Visitor):
        def generic_visit(self, node: ast.BaseNode) -> None:
            if isinstance(node, kind):
                found.append(node)
            super().generic_visit(node)

    Collector().visit(message)
    return found


def variables(message: ast.Message) -> set[str]:
    return {reference.id.name for reference in parts(message, ast.VariableReference)}


ALL = {(language, name): messages(language, name) for language in LANGUAGES for name in FILES}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", ["hu", "ro"])
def test_all_languages_have_the_same_messages(language: str, name: str) -> None:
    assert list(ALL[language, name]) == list(ALL["en", name])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", ["hu", "ro"])
def test_all_languages_use_the_same_variables(language: str, name: str) -> None:
    for id, message in ALL[language, name].items():
        said, whole = variables(message), variables(ALL["en", name][id])
        # A language may have a noun in another word, or with another article: `its player` is *tulajdonosa*.
        assert said == whole or (name == IN_BOOKS and said - {"noun"} < whole), id


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_complete(language: str, name: str) -> None:
    for id, message in ALL[language, name].items():
        for choice in parts(message, ast.SelectExpression):
            names = (variant.key for variant in choice.variants)
            keys = {key.name if isinstance(key, ast.Identifier) else str(key.value) for key in names}
            assert sum(variant.default for variant in choice.variants) == 1, id
            if keys & {"one", "few", "many", "two", "zero"}:
                assert {key for key in keys if not key.isdigit()} <= PLURALS[language], id
                assert "other" in keys, id


@pytest.mark.parametrize("name", sorted({*FILES} - {"book.ftl"}))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_gets_what_fluent_reads(language: str, name: str) -> None:
    """But for rulebooks, which no page makes: they use functions of a language's grammar."""
    found = read_messages((LOCALES / language / name).read_text("utf-8"))
    assert found == {id: pattern(message.value) for id, message in ALL[language, name].items()}


def pattern(found: ast.Pattern | None) -> Any:
    """What the page is to get of a pattern: texts and variables."""
    assert found is not None
    parts = [part_of(element) for element in found.elements]
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def part_of(element: ast.TextElement | ast.Placeable) -> Any:
    if isinstance(element, ast.TextElement):
        return element.value
    match element.expression:
        case ast.VariableReference(id=id):
            return [id.name]
        case ast.SelectExpression(selector=ast.VariableReference(id=id), variants=variants):
            assert [v.key.name for v in variants if v.default] == ["other"]
            return [id.name, {v.key.name: pattern(v.value) for v in variants}]
        case other:
            raise AssertionError(f"the page does not read {other}")


@pytest.mark.parametrize(
    "text",
    [
        "a = { b }",
        "a = { $b",
        "a =\n{ $b ->\n [one] c\n}",
        "A = b",
        "a = { $b ->\n *[c] d\n}",
        "a = b\n  .c = d {",
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(NotAMessage):
        read_messages(text)


def test_every_word_that_the_page_says_is_there() -> None:
    known = {id for name in FILES for id in ALL["en", name]}
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        for id in CALL.findall(text):
            assert id in known, f"{path.name}: {id}"
        for prefix in PREFIX_CALL.findall(text):
            assert any(id.startswith(prefix) for id in known), f"{path.name}: {prefix}…"


@pytest.mark.parametrize(
    ("entry", "own"),
    [
        ("main.js", {"server.ftl", "companion.ftl"}),
        ("single.js", {"file.ftl"}),
        ("single_companion.js", {"file.ftl", "companion.ftl"}),
        ("single_policy.js", {"file.ftl", "companion.ftl", "policy.ftl"}),
    ],
)
def test_every_word_of_a_page_is_sent_with_it(entry: str, own: set[str]) -> None:
    carried = {id for name in EVERYWHERE | own for id in ALL["en", name]}
    everything = {id for name in FILES for id in ALL["en", name]}
    texts = "\n".join((WEB / path).read_text("utf-8") for path in reached(entry))
    assert set(CALL.findall(texts)) <= carried
    for code in re.findall(r"""code: "([a-z-]+)\"""", texts):
        assert f"error-{code}" in carried or f"error-{code}" not in everything, code


def test_every_word_that_is_there_is_said() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    literals, prefixes = set(LITERAL.findall(texts)), (*PREFIX.findall(texts), *CHOICES)
    ids = [
        id
        for name in FILES
        if name not in ("table.ftl", BY_THE_SERVER, BY_THE_TERMINAL, IN_BOOKS)
        for id in ALL["en", name]
    ]
    unsaid = [id for id in ids if id not in literals and not id.startswith(prefixes)]
    assert unsaid == []


def test_the_rulebook_says_what_is_there() -> None:
    modules = [
        path for room in ("rulebook", "sentences") for path in sorted((WEB.parent / room).rglob("*.py"))
    ]
    texts = "\n".join(path.read_text("utf-8") for path in modules)
    literals = set(re.findall(r"""["']([a-z][a-z0-9-]*)["']""", texts))
    prefixes = (*re.findall(r"""f["']([a-z][a-z0-9-]*-)\{""", texts), "one-", "several-")
    suffixes = tuple(re.findall(r"""f["']\{[^}]*\}(-[a-z][a-z0-9-]*)["']""", texts))
    made = {id for id in ALL["en", IN_BOOKS] if id.startswith(prefixes) or id.endswith(suffixes)}
    assert ALL["en", IN_BOOKS].keys() - literals - made == set()


def test_the_server_itself_says_what_is_there() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in sorted((WEB.parent / "serve").rglob("*.py")))
    said = set(re.findall(r"""\bsaid\(\w+, f?["']([a-z-]+)["'{]""", texts))
    assert {id for id in said if not id.endswith("-")} == {*ALL["en", BY_THE_SERVER], "to-lobby"}


def test_the_terminal_says_what_is_there() -> None:
    commands = [WEB.parent / "commands" / f"{name}.py" for name in ("play", "play_companion", "replay")]
    files = [*(WEB.parent / "tui").glob("*.py"), *commands]
    texts = "\n".join(path.read_text("utf-8") for path in files)
    said = set(re.findall(r"""["'](terminal-[a-z-]+[a-z])["']""", texts))
    prefixes = tuple(re.findall(r"""f["'](terminal-[a-z-]+-)\{""", texts))
    there = set(ALL["en", BY_THE_TERMINAL])
    assert said - there == set()
    assert {id for id in there - said if not id.startswith(prefixes)} == set()


def test_nothing_is_written_in_the_page_itself() -> None:
    """What people read comes from the messages: no text stands between tags, or in a name."""
    between = re.compile(
        r">\s*([A-Za-z][a-z]+(?: [a-z]+)+)\s*<|(?:title|aria-label|placeholder)=\"([A-Za-z][^\"$]*)\""
    )
    for path in SCRIPTS:
        assert between.findall(path.read_text("utf-8")) == [], path.name
