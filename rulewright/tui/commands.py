"""The commands of a prompt, by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Commands = Mapping[str, Callable[[str], None]]
"""What each command does with the text after its name."""


def carried_out(commands: Commands, typed: str) -> bool:
    """Carry out the command that was typed. Returns false if its first word names none."""
    name, _, rest = typed.partition(" ")
    command = commands.get(name.lower())
    if command is not None:
        command(rest.strip())
    return command is not None
