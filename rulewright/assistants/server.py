"""The tools as a server of the Model Context Protocol, over standard input and output."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from dsl.gbnf import gbnf
from rulewright.assistants.toolbox import Toolbox
from rulewright.manual.sections import pages

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = """\
Rulewright turns a board game's rulebook into a referee. A ruleset is a folder of data: game.yaml (what there
is, and the flow of phases), *.rules (what may be done), rulebook.yaml (the clauses in own words), CSV tables,
labels, and scenarios that test the rules.

A way to write one: read_docs("writing-a-ruleset"); list_games and read_bundled for a small game of the same
kind; new_ruleset, then write_file. Run check after each change; explain tells what a code means; search_docs
finds what the language has. When check is clean: test, then trace (is each clause rendered, played,
asserted?), mutate (would the scenarios notice a mistake?), simulate, rules_as_text (does it read like the
rulebook?). Every answer has `ok`; `left_out` says what was too long."""

TOOLS: dict[str, str] = {
    "list_files": "The files of the folder, or of a folder in it, with their sizes.",
    "read_file": "Lines of a text file in the folder.",
    "write_file": "Write a text file in the folder (.yaml, .rules, .csv, .md, .txt, .svg), whole.",
    "replace_in_file": "Replace a text that occurs once in a file.",
    "new_ruleset": "Make a folder with a small working game to start from; its name is in small letters.",
    "list_games": "The rulesets in the folder, and the bundled games with their seats and the names of their "
    "options; with `game`, what the options of that bundled game are.",
    "read_bundled": "A file of a bundled game as an example; without a path, the names of its files.",
    "check": "Find the mistakes of a ruleset, with places and help. `play`: also play it at random.",
    "test": "Run the scenarios of a ruleset; `matching` is a part of a name or a clause. `falsify`: make "
    "each assertion false, and tell which still hold.",
    "mutate": "Put small mistakes into the rules and tell which no scenario notices.",
    "simulate": "Play matches at random with every promise checked: who wins, scores, lengths, faults.",
    "trace": "For each clause of the rulebook: which lines render it, whether play reaches them, which "
    "scenarios assert it.",
    "diff": "What differs in meaning between two rulesets.",
    "rules_as_text": "The rules as a rulebook in English, generated from what the referee plays by.",
    "scenario_words": "The words that scenarios of a ruleset are written with, an example each.",
    "format": "Write the rules and YAML files of a ruleset in their one form.",
    "explain": "What a code such as D012 means, why it matters, how to correct it.",
    "search_docs": "Sections of the documentation and explanations of codes that fit to some words.",
    "read_docs": "A page of the documentation, or a section with those below it; without a page, the pages "
    "and their headings.",
}
"""The tools with their descriptions; each is a method of `Toolbox`."""


def server(toolbox: Toolbox, version: str) -> MCPServer[Any]:
    """The server with its tools, and the pages of the documentation as resources."""
    from mcp.server import MCPServer

    found: MCPServer[Any] = MCPServer(
        "rulewright", title="Rulewright", version=version, instructions=INSTRUCTIONS, log_level="ERROR"
    )
    for name, description in TOOLS.items():
        tool: Callable[..., Awaitable[dict[str, Any]]] = getattr(toolbox, name)
        found.add_tool(tool, name=name, description=description, structured_output=True)

    @found.resource("rulewright://docs/{page}", mime_type="text/markdown")
    def docs(page: str) -> str:
        """A page of the documentation."""
        return pages().get(page, "")

    @found.resource("rulewright://grammar", mime_type="text/plain")
    def grammar() -> str:
        """The grammar of the rules language as GBNF."""
        return gbnf()

    return found
