"""`rulewright grammar`: the grammar of the rules language."""

from __future__ import annotations

import click

from dsl.gbnf import gbnf
from dsl.grammar import grammar_text
from rulewright.terminal.parameters import print_or_write


@click.command(short_help="Write the grammar of the rules language.")
@click.option("--gbnf", "as_gbnf", is_flag=True, help="As GBNF, to constrain what a language model writes.")
@click.option("--into", metavar="FILE", help="The file to write (default: standard output).")
def grammar(as_gbnf: bool, into: str | None) -> None:
    """Write the grammar of the rules language: as the parser has it, for Lark, or as GBNF.

    With GBNF, llama.cpp and other programs that run language models let them write only what the grammar
    generates. Whether names exist and types fit, `rulewright check` finds out.

    \b
    Examples:
      rulewright grammar
      rulewright grammar --gbnf --into rules.gbnf
    """
    print_or_write(into, gbnf() if as_gbnf else grammar_text())
