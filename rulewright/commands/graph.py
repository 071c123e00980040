"""`rulewright graph`: the flow of a game, or its whole machine, as a drawing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from rulewright.drawing.diagram import Diagram
from rulewright.drawing.dot import dot
from rulewright.drawing.machine import machine_diagram
from rulewright.drawing.mermaid import mermaid
from rulewright.drawing.phases import phase_diagram
from rulewright.drawing.svg import svg
from rulewright.library import open_game
from rulewright.terminal.output import activity
from rulewright.terminal.parameters import print_or_write, set_up_options, settings

WRITERS: dict[str, Callable[[Diagram], str]] = {"mermaid": mermaid, "dot": dot, "svg": svg}
SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


@click.command()
@click.argument("game")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(WRITERS)),
    help="How it is written (default: as the name of the file says, else mermaid).",
)
@click.option(
    "--level",
    type=click.Choice(["phases", "machine"]),
    default="phases",
    show_default=True,
    help="The phases with their steps, or everything that can be decided.",
)
@set_up_options
@click.option("-o", "--output", metavar="FILE", help="The file to write (default: standard output).")
def graph(
    game: str, form: str | None, level: str, seats: int | None, options: tuple[str, ...], output: str | None
) -> None:
    """Draw the flow of a game.

    At level `phases` each phase is a card with its steps, and arrows say what comes next. At level
    `machine` every decision, chance and effect is a node, for a number of seats and a setting of options.
    SVG is drawn here and needs no other program; Mermaid is shown by GitHub and many editors; DOT is for
    Graphviz.

    \b
    Examples:
      rulewright graph GAME -o flow.svg
      rulewright graph GAME --level machine --seats 3 -o machine.svg
      rulewright graph GAME --format dot | dot -Tpdf -o flow.pdf
    """
    with activity(f"reading {game}") as told:
        opened = open_game(game, seats, settings(options))
        told("drawing its flow")
        diagram = (
            phase_diagram(opened.rules)
            if level == "phases"
            else machine_diagram(opened.rules, opened.machine)
        )
        text = WRITERS[form or SUFFIXES.get(Path(output or "").suffix.lower(), "mermaid")](diagram)
    print_or_write(output, text)
