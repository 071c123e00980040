"""The tools as a server of the Model Context Protocol, over standard input and output."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from dsl.gbnf import gbnf
from rulewright.assistants.prompts import PROMPTS
from rulewright.assistants.toolbox import Toolbox
from rulewright.manual.sections import pages, sections_of

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
rulebook?), play (try a line of play, as a seat sees it). analyse, compare and tune
measure the game. Every answer has `ok`; `left_out` says what was too long."""


class Effect(Enum):
    """What calling a tool changes, as the protocol's annotations say it."""

    NOTHING = "nothing"
    ADDS = "adds"
    REPLACES = "replaces"


@dataclass(frozen=True, slots=True)
class Tool:
    """What a program tells its model of a tool, and what a call of it changes in the folder."""

    says: str
    effect: Effect = Effect.NOTHING


TOOLS: dict[str, Tool] = {
    "list_files": Tool("The files of the folder, or of a folder in it, with their sizes."),
    "read_file": Tool("Lines of a text file in the folder."),
    "write_file": Tool(
        "Write a text file in the folder (.yaml, .rules, .csv, .md, .txt, .svg), whole.", Effect.REPLACES
    ),
    "replace_in_file": Tool("Replace a text that occurs once in a file.", Effect.REPLACES),
    "new_ruleset": Tool(
        "Make a folder with a small working game to start from; its name is in small letters.", Effect.ADDS
    ),
    "list_games": Tool(
        "The rulesets in the folder, and the bundled games with their seats and the names of their "
        "options; with `game`, what the options of that bundled game are."
    ),
    "read_bundled": Tool("A file of a bundled game as an example; without a path, the names of its files."),
    "check": Tool("Find the mistakes of a ruleset, with places and help. `play`: also play it at random."),
    "test": Tool(
        "Run the scenarios of a ruleset; `matching` is a part of a name or a clause. `falsify`: make "
        "each assertion false, and tell which still hold."
    ),
    "mutate": Tool("Put small mistakes into the rules and tell which no scenario notices."),
    "simulate": Tool("Play matches at random with every promise checked: who wins, scores, lengths, faults."),
    "play": Tool(
        "Play a match by a list of choices, each as `A: its words`; the answer is what `seat` sees, is "
        "asked and told, and a `bot` (random, easy, medium) chooses for the others. To go on, send all "
        "`choices` of the answer again, with more of them."
    ),
    "analyse": Tool(
        "What many matches show, in numbers with intervals: seats, length, luck, skill, what each choice, "
        "option and number does. `bots` as random or search:100; `matches` of each part."
    ),
    "compare": Tool(
        "Play two versions in pairs of matches with the same chance, and tell what differs; with "
        "`new_options` two values of options."
    ),
    "tune": Tool(
        "Find the smallest change of `numbers` (options, constants, cells as `tower.cost`, bounds as "
        "goal=20..60) that reaches a `target`: 'share of A in 48..52', 'length in 55..65', 'total of A in "
        "30..40'."
    ),
    "trace": Tool(
        "For each clause of the rulebook: which lines render it, whether play reaches them, which "
        "scenarios assert it."
    ),
    "diff": Tool("What differs in meaning between two rulesets."),
    "rules_as_text": Tool("The rules as a rulebook in English, generated from what the referee plays by."),
    "scenario_words": Tool("The words that scenarios of a ruleset are written with, an example each."),
    "format": Tool("Write the rules and YAML files of a ruleset in their one form.", Effect.REPLACES),
    "explain": Tool("What a code such as D012 means, why it matters, how to correct it."),
    "search_docs": Tool("Sections of the documentation and explanations of codes that fit to some words."),
    "read_docs": Tool(
        "A page of the documentation, or a section with those below it; without a page, the pages "
        "and their headings."
    ),
}
"""The tools with their descriptions; each is a method of `Toolbox`."""


def server(toolbox: Toolbox, version: str) -> MCPServer[Any]:
    """The server with its tools, its prompts, and the pages of the documentation as resources."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.resources import TextResource
    from mcp_types import ToolAnnotations

    found: MCPServer[Any] = MCPServer(
        "rulewright", title="Rulewright", version=version, instructions=INSTRUCTIONS, log_level="ERROR"
    )
    for name, tool in TOOLS.items():
        method: Callable[..., Awaitable[dict[str, Any]]] = getattr(toolbox, name)
        hints = ToolAnnotations(
            read_only_hint=tool.effect is Effect.NOTHING,
            destructive_hint=tool.effect is Effect.REPLACES,
            open_world_hint=False,
        )
        found.add_tool(method, name=name, description=tool.says, annotations=hints, structured_output=True)
    for page, text in pages().items():
        about = next((section.heading for section in sections_of(page, text)), page)
        found.add_resource(
            TextResource(
                uri=f"rulewright://docs/{page}", name=page, title=about, mime_type="text/markdown", text=text
            )
        )
    for prompt in PROMPTS:
        found.prompt(name=prompt.__name__, description=prompt.__doc__)(prompt)

    @found.resource("rulewright://grammar", mime_type="text/plain")
    def grammar() -> str:
        """The grammar of the rules language as GBNF."""
        return gbnf()

    return found
