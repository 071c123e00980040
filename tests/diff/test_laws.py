"""What holds of every comparison: each mistake is a change, no way of writing is one, names carry over."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from hypothesis import assume, given, settings, strategies as st

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from rulewright.library import bundled, files_of, find
from tests.diff.test_courses import judged, played
from tests.games import rules_of, sample
from validators.diff.compare import compare
from validators.diff.forms import DERIVED
from validators.mutate.generate import generate_mutants
from validators.mutate.mutant import in_memory, mutated

EXAMPLES, FEW, MANY = 2, 3, 200
Texts = dict[str, str]


@cache
def texts_of(game: str) -> Texts:
    return {path: data.decode() for path, data in files_of(find(game)).items()}


def loaded(texts: Texts) -> Rules:
    return load(Folder("game", lambda path: texts[path].encode(), with_look=False))[0]


# ---- every mistake is a change


@pytest.mark.parametrize("number", sample([FEW, MANY], [FEW]))
@pytest.mark.parametrize("game", bundled())
def test_every_mutant_is_one_change(game: str, number: int) -> None:
    """One small mistake is one change, or two where two rows are interchanged; never none, never more."""
    whole = in_memory(game, files_of(find(game)))
    rules = load(whole)[0]
    every = generate_mutants(rules, whole)
    found = random.Random(game).sample(every, min(number, len(every)))
    told = 0
    for mutant in found:
        try:
            other = load(mutated(whole, mutant))[0]
        except (ErrorsReported, DiagnosticError):
            continue
        changes = compare(rules, other).changes
        assert 1 <= len(changes) <= 1 + (mutant.operator == "wrong-row"), mutant.says
        assert {change.verb for change in changes} == {"changed"} or mutant.operator.startswith("dropped")
        told += 1
    assert told >= len(found) // 2


def test_what_is_asked_whether_it_is_among_others_counts() -> None:
    texts = dict(texts_of("roma"))
    before, now = "where die.face + change in 1..6", "where die.face - change in 1..6"
    assert before in texts["roma.rules"]
    texts["roma.rules"] = texts["roma.rules"].replace(before, now)
    (change,) = compare(rules_of("roma"), loaded(texts)).changes
    assert [edit.sign for edit in change.edits] == ["-", "+"]


# ---- no way of writing is one


@given(st.data())
@settings(max_examples=3 * EXAMPLES, deadline=None)
def test_a_way_of_writing_is_no_change(data: st.DataObject) -> None:
    """Comments, blank lines and blanks at the ends of lines anywhere, definitions in any order."""
    game = data.draw(st.sampled_from(bundled()))
    chance = data.draw(st.randoms(use_true_random=False))
    texts = {path: _written(path, text, chance) for path, text in texts_of(game).items()}
    assert compare(rules_of(game), loaded(texts)).changes == ()


def _written(path: str, text: str, chance: random.Random) -> str:
    if not path.endswith(".rules"):
        return text
    heads = _definitions(text)
    movable = [
        i for i, part in enumerate(heads) if part.startswith(("action", "effect", "procedure", "value"))
    ]
    places = list(movable)
    chance.shuffle(places)
    moved = dict(zip(movable, (heads[i] for i in places), strict=True))
    parts = [moved.get(i, part) for i, part in enumerate(heads)]
    return "".join(_noted(line, chance) for part in parts for line in part.splitlines(keepends=True))


def _definitions(text: str) -> list[str]:
    """A text of rules cut before each line that is not indented."""
    return re.split(r"(?m)^(?=[a-z])", text)


def _noted(line: str, chance: random.Random) -> str:
    continues = re.match(r"\s*(where|and|or|[+)\]-])", line)
    before = (
        "" if continues or chance.random() < 0.8 else chance.choice(["\n", "# a comment\n", "    # more\n"])
    )
    return before + (line.rstrip("\n") + "   \n" if chance.random() < 0.2 else line)


# ---- names carry over


def names_of(rules: Rules) -> list[str]:
    """Names that stand for one thing only."""
    found = [*rules.routines, *rules.values, *rules.zones, *rules.counters, *rules.marks, *rules.pointers]
    found += [*rules.tables, *rules.options, *rules.constants]
    others = {word for decl in rules.types.values() for word in (*decl.names, *decl.columns)}
    others |= {word for c in rules.components.values() for word in (*c.classes, *c.columns)}
    others |= {score.name for score in rules.scores} | set(rules.phases) | set(rules.components)
    others |= {parameter.var.name for r in rules.routines.values() for parameter in r.parameters}
    return [name for name in found if name not in others]


NAMED = [(game, name) for game in bundled() for name in names_of(rules_of(game))]


@given(st.sampled_from(NAMED))
@settings(max_examples=EXAMPLES, deadline=None)
def test_another_name_changes_nothing_else(named: tuple[str, str]) -> None:
    renamed(*named)


@pytest.mark.long
@given(st.sampled_from(NAMED))
@settings(max_examples=MANY, deadline=None)
def test_many_other_names_change_nothing_else(named: tuple[str, str]) -> None:
    renamed(*named)


def renamed(game: str, name: str) -> None:
    """A name that is another one everywhere: that is all that is said, and matches are what they were."""
    texts = {
        path: re.sub(rf"(?<![\w§.]){name}(?!\w|\.(?:rules|csv|yaml))", f"{name}_anew", text)
        if path != "rulebook.yaml"
        else text
        for path, text in texts_of(game).items()
    }
    old = rules_of(game)
    try:
        new = loaded(texts)
    except ErrorsReported:
        assume(False)
        return
    assume(_same_texts(old, new))
    changes = [change for change in compare(old, new).changes if change.section != "words"]
    assert [(change.verb, change.was, change.name) for change in changes] == [
        ("renamed", name, f"{name}_anew")
    ]
    assert judged(old, new, played(old, 1)).kind == "unaffected"


def _same_texts(old: Rules, new: Rules) -> bool:
    """Whether no sentence has been changed with the name."""
    before, now = ([(*o.readings.values(), o.why) for o in x.options.values()] for x in (old, new))
    allowed, still = ([(one.about, one.why) for one in x.allowed] for x in (old, new))
    return before == now and allowed == still and old.title == new.title


# ---- nothing is overlooked


def test_every_field_of_a_node_is_a_name_or_a_word() -> None:
    """A field that is a plain text is either compared as a name of the ruleset, or one of a few words."""
    from dataclasses import fields, is_dataclass
    from typing import get_type_hints

    from dsl.rules import definitions, expressions, statements
    from dsl.rules.names import REFERENCES

    found = set()
    for module in (expressions, statements):
        for kind in vars(module).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__:
                hints = get_type_hints(kind, vars(definitions) | vars(module))
                found |= {(kind, f.name) for f in fields(kind) if hints[f.name] is str}
    found -= {pair for pair in found if pair[1] in DERIVED or pair[1] in REFERENCES[pair[0]]}
    assert found == {(expressions.Var, "name")}
