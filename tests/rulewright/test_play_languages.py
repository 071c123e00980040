"""A match in the terminal in the language of a game's labels: no word of another language stands in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import chain

import pytest

from interpreter.match import Match
from interpreter.undo import UndoBlocker, UndoReason
from rulewright.i18n.fluent import Pattern
from rulewright.i18n.messages import languages, messages_of
from rulewright.sentences.worded_game import worded_game
from rulewright.story.names import TableNames
from rulewright.tui.words import NAMED_KINDS, kind_name, undo_refused
from tests.games import game_of, seated
from tests.rulewright.test_play import Table, run

WORD = re.compile(r"[^\W\d_]{3,}")
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
COMMANDS = "help why hint undo view log score save quit all easy policy"
"""What is typed is the same in all languages."""
NAMES = "Enter"
NOISE = "xyzzy"
"""What means nothing, which an answer quotes."""
GAMES = [
    ("augustus", "hu"),
    ("constantinopolis", "hu"),
    ("roll_through_the_ages", "hu"),
    ("roma", "ro"),
    ("trajan", "hu"),
]


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(CONTROL.sub("", text))}


def known(game: str, language: str) -> set[str]:
    """The words of a language: of the messages, and of the labels, nouns and helps of a game."""
    rules = seated((game, 2, ()))[0].in_language(language)
    patterns = messages_of(language, "table", "terminal")._patterns.values()
    texts = [rules.title, COMMANDS, NAMES]
    texts += chain(rules.labels.values(), rules.nouns.values(), rules.helps.values())
    texts += chain.from_iterable(map(said, patterns))
    texts += (text for clause in rules.clauses.values() for text in (clause.heading, clause.says))
    names = chain.from_iterable(decl.names for decl in rules.types.values() if decl.name not in rules.labels)
    return words(" ".join([*texts, *names]))


def said(pattern: Pattern) -> Iterator[str]:
    """The texts of a message in all its forms, without the names of its arguments."""
    for part in [pattern] if isinstance(pattern, str) else pattern:
        if isinstance(part, str):
            yield part
        else:
            yield from chain.from_iterable(
                said(form) for forms in part if isinstance(forms, dict) for form in forms.values()
            )


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_a_match_of_bots_is_told_in_the_language(game: str, language: str) -> None:
    result = run(game, "--language", language, "--seats", "random,random", "--seed", "5")
    assert result.exit_code == 0, result.output
    told = re.sub(r"\b[0-9a-f]{32,}\b", "", result.stdout)
    assert len(words(told)) > 50
    assert words(told) - known(game, language) == set()


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_a_person_is_asked_and_answered_in_the_language(game: str, language: str) -> None:
    """But for what is typed: commands, and the words of choices in front of their labels."""
    rules, machine = seated((game, 2, ()))
    match = Match(worded_game(rules.in_language(language), machine), seed=5).start()
    table = Table(game, "human,random", match)
    chooser, typed, offered = random.Random(5), list[str](), set[str]()
    commands = ["help", "?", "score", "log", "undo", "undo 99", "why", "12345", NOISE, "view"]

    def says() -> str:
        decisions = [decision for decision in match.decisions() if decision.seat == "A"]
        chosen = "pass" if not decisions else chooser.choice(decisions[0].choices).text
        offered.update(choice.text for decision in decisions for choice in decision.choices)
        number = len(typed)
        typed.append(chosen if number % 3 else commands[number // 3 % len(commands)])
        return typed[-1]

    told = table.plays_out(says)
    assert len(typed) > 40
    answers, go_on = told.replace(NOISE, " "), messages_of(language, "terminal")("terminal-go-on")
    for line in typed:
        answers = answers.replace(f"> {line}\n", "\n").replace(f"{go_on} {line}\n", "\n")
    choices = "|".join(map(re.escape, sorted(offered)))
    menu = re.compile(rf"^ +(?:{choices}) ", re.MULTILINE)
    assert words(menu.sub(" ", CONTROL.sub("", answers))) - known(game, language) == set()
    assert match.over
    assert f"{TableNames.of(match.game).end(match.outcome(), match.ended_by())}: " in told


@pytest.mark.parametrize("language", languages())
def test_each_reason_and_kind_of_player_has_its_words(language: str) -> None:
    say, game = messages_of(language, "table", "terminal"), game_of("pig", 2)
    reasons = [undo_refused(say, game, UndoBlocker(reason, seat="A")) for reason in UndoReason]
    kinds = [kind_name(say, kind) for kind in NAMED_KINDS]
    assert len({*reasons, *kinds}) == len(UndoReason) + len(NAMED_KINDS)
    assert kind_name(say, "search:500") == "search:500"
