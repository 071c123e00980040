"""The options of all commands: one word for one thing."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from rulewright.main import main

SAME = {
    "--language": ("--lang", "--languages", "--locale", "--labels", "--tongue", "-l"),
    "--seats": ("--seat-count", "--number-of-seats"),
    "--option": ("--options", "--set", "--opt"),
    "--seed": ("--random-seed",),
    "--json": ("--as-json", "--to-json"),
    "--overwrite": ("--force", "-f"),
}
"""What could be said instead of the word that all commands have."""


def commands(group: click.Command, *names: str) -> Iterator[tuple[str, click.Command]]:
    """All commands with what is typed before their arguments, those of groups within too."""
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found is not None
            yield from commands(found, *names, name)
    else:
        yield " ".join(names), group


def options() -> dict[tuple[str, str], click.Option]:
    """The options of all commands, by command and word."""
    return {
        (name, word): option
        for name, command in commands(main)
        for option in command.params
        if isinstance(option, click.Option)
        for word in (*option.opts, *option.secondary_opts)
    }


def test_every_command_is_walked() -> None:
    names = [name for name, _ in commands(main)]
    assert len(names) > 25
    assert {"play", "rules", "locate", "export", "print"} <= set(names)


@pytest.mark.parametrize("word", SAME)
def test_one_word_for_one_thing(word: str) -> None:
    found = options()
    assert [key for key in found if key[1] == word], "somewhere it is said"
    assert [key for key in found if key[1] in SAME[word]] == []


def test_the_language_is_asked_for_alike() -> None:
    """By no other word, without a second one, and with the same kind of value."""
    about = {key: option for key, option in options().items() if "anguage" in (option.name or "") + key[1]}
    assert {name for name, _ in about} >= {"play", "rules", "locate", "export", "print"}
    for (name, word), option in about.items():
        assert (word, option.opts, option.name) == ("--language", ["--language"], "language"), name
        assert option.metavar == "CODE", name
