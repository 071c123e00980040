"""`rulewright print`: a game as a PDF file to print, cut out and play with."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from dsl.wording import counted, quoted
from rulewright.printing.messages import NothingToPrint, PrintNotInstalled
from rulewright.terminal.output import activity
from rulewright.terminal.parameters import (
    Real,
    Whole,
    check_new,
    game_option,
    language_option,
    settings,
    write_new,
)

if TYPE_CHECKING:
    from rulewright.printing.kit import Kit, PrintStyle

PARTS = ("cards", "tokens", "dice", "boards", "sheets", "aids", "rulebook")


class CardSize(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases only
    """The width and height of a card in mm, as `63x88`."""

    name = "size"
    FORM = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)[x×]([0-9]{1,4}(?:\.[0-9]{1,3})?)")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = self.FORM.fullmatch(value)
        if found is None or min(map(float, found.groups())) < 10:
            self.fail(f"{value!r} is not a size in mm such as 63x88.", param, ctx)
        return float(found[1]), float(found[2])


class KitParts(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases only
    """Parts of what can be printed, with commas."""

    name = "parts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = [part.strip() for part in value.split(",") if part.strip()]
        for part in found:
            if part not in PARTS:
                hint = did_you_mean(part, PARTS) or f"choose from {quoted(PARTS, 'and')}"
                self.fail(f"{part!r} is not a part: {hint}", param, ctx)
        return [part for part in PARTS if part in found] or self.fail("no part is named.", param, ctx)


@click.command("print", short_help="Write a game as a PDF file to print and play with.")
@click.argument("game")
@click.option("--into", required=True, metavar="FILE", help="The file to write, or `-`.")
@click.option("--overwrite", is_flag=True, help="Replace the file if there is one.")
@click.option("--only", type=KitParts(), metavar="PART,…", help=f"Only some of {', '.join(PARTS)}.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--card", type=CardSize(), default="63x88", metavar="WxH", help="The size of cards in mm.")
@click.option(
    "--bleed",
    type=Real(0, 10),
    default=3.0,
    metavar="MM",
    help="The colour beyond the cut.",
)
@click.option("--backs/--no-backs", default=True, help="Backs, for both sides of the paper.")
@click.option("--font", "fonts", multiple=True, metavar="FILE", help="Another TrueType font.")
@language_option("The language of labels and clauses (default: the game's first).")
@click.option("--seats", type=Whole(), metavar="N", help="How many play (default: the most).")
@game_option
def print_game(
    game: str, into: str, overwrite: bool, only: list[str] | None, paper: str, card: tuple[float, float],
    bleed: float, backs: bool, fonts: tuple[str, ...], language: str | None, seats: int | None,
    options: tuple[str, ...],
) -> None:  # fmt: skip
    """Write a game as a PDF file to print, cut out and play with.

    Cards and tiles with faces and backs, tokens, nets of dice, boards, sheets to keep count on, an aid for
    each player and the rulebook, all from the rules and their look. Printed on both sides and
    turned over the long edge, each back lies behind its face; crop marks show where to cut. Needs the extra
    `print`.

    \b
    Examples:
      rulewright print GAME --into game.pdf
      rulewright print GAME --into cards.pdf --only cards --card 44x68 --bleed 0
      rulewright print GAME --into game.pdf --paper letter --seats 3 --option NAME=VALUE
    """
    if find_spec("fpdf") is None:
        raise DiagnosticError(PrintNotInstalled(NOWHERE, "fpdf2"))
    from rulewright.printing.kit import PrintStyle

    check_new(into, overwrite)
    style = PrintStyle(paper, card, bleed, only or PARTS, backs, tuple(map(Path, fonts)))
    with activity(f"drawing {game}"):
        kit = _made(game, seats, settings(options), language, style)
    write_new(into, kit.data, overwrite)
    pages = ", ".join(f"{number} of {part}" for part, number in kit.pages.items() if number)
    shown, apart = ("standard output", True) if into == "-" else (into, False)
    click.echo(f"{shown} holds {counted(sum(kit.pages.values()), 'page')}: {pages}", err=apart)
    for remark in kit.remarks:
        click.echo(f"  {remark}", err=apart)


def _made(
    name: str, seats: int | None, options: dict[str, str], language: str | None, style: PrintStyle
) -> Kit:
    """The printed game. Raises `DiagnosticError` or `ErrorsReported`."""
    from interpreter.compile.program import compile_rules
    from rulewright.library import in_language, read_rules
    from rulewright.printing.kit import print_kit
    from rulewright.rulebook.configured import configured_book
    from rulewright.sentences.worded_game import worded_game

    rules = in_language(read_rules(name)[0], language)
    seats = rules.seats[1] if seats is None else seats
    machine = compile_rules(rules, seats, options)
    book = configured_book(name, rules, seats, options)
    kit = print_kit(worded_game(rules, machine), book, style)
    if not sum(kit.pages.values()):
        hint = "without `--only`, everything is printed that the game has"
        raise DiagnosticError(NothingToPrint(NOWHERE, name, quoted(list(style.parts), "or"), hint))
    return kit
