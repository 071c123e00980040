"""Prompts of the server: what people ask an assistant for, said so that it uses the tools well."""

from __future__ import annotations


def write_a_game(name: str, rules: str) -> str:
    """Write a ruleset from the rules of a game."""
    return f"""Write the ruleset `{name}` from the rules below.

First read_docs("writing-a-ruleset"), and read_bundled a small game of the same kind. Then new_ruleset, \
and write the clauses of the rulebook in your own words, each with its number, before the rules that \
render them. After each change: check, with the mistakes mended before you go on. Write a scenario for \
each clause that forbids or counts something, with the case that just holds and the one that just does \
not. At the end: test with `falsify`, trace, mutate, simulate, and play one match as a seat. Say in the \
end which readings you have chosen where the rules leave something open, and which clauses no scenario \
asserts.

The rules:

{rules}"""


def find_mistakes(game: str) -> str:
    """Find what is wrong with a ruleset, and say it without changing anything."""
    return f"""Find what is wrong with the ruleset `{game}`. Change nothing.

check with `play`; test with `falsify`; trace (clauses that nothing renders, plays or asserts); mutate \
(which mistakes no scenario notices); simulate (faults, matches without an end). Then rules_as_text, and \
read it as somebody who has to play by it: what could be read in two ways, what is never said? Where \
something looks wrong, play the moves that show it. Answer with a list, the worst first: file and line, \
what happens, what the rulebook says, the smallest change that mends it."""


def hold_against_the_rulebook(game: str, rules: str) -> str:
    """Compare a ruleset with the text of its rulebook, sentence by sentence."""
    return f"""Does the ruleset `{game}` say what the text below says?

trace gives the clauses and the lines that render them, rules_as_text what the referee plays by. Go \
through the text sentence by sentence. For each one name the clause that has it, or say that it is \
missing; where ruleset and text differ, write the scenario that shows it, and test it. Rules of the \
ruleset that the text does not have are differences, too.

The text:

{rules}"""


def balance(game: str, aim: str) -> str:
    """Change numbers of a game until it does what is wanted."""
    return f"""The game `{game}` should: {aim}

Measure first: analyse, with random bots and then with search:100. Say which seat, choice, option or \
number stands out, with its interval. Then tune with the numbers that may plausibly change, the fewest \
possible, and compare the result with the version before: what else has changed? Propose the smallest \
change that reaches the aim, and what it costs."""


PROMPTS = (write_a_game, find_mistakes, hold_against_the_rulebook, balance)
