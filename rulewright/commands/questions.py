"""`rulewright questions`: questions about a game from its scenarios, with the answers kept apart."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from rulewright.rulebook.configured import lexicon_of
from rulewright.rulebook.questions import answers_text, questions_of, questions_text, spoken
from rulewright.scenario_tests import Collected, collect
from rulewright.terminal.output import activity, complain, echo_json
from rulewright.terminal.parameters import json_option, language_option, named_path, write_new


@click.command(short_help="Ask questions about a game that its scenarios answer.")
@click.argument("game")
@click.option(
    "-n", "number", type=click.IntRange(1, 999), default=20, help="How many questions.", show_default=True
)
@click.option("--seed", type=int, default=1, help="Which questions.", show_default=True)
@click.option(
    "--answers", callback=named_path, metavar="FILE", help="Write the right answers into a new file."
)
@language_option("The language of the questions (default: the game's first).")
@json_option
@click.pass_context
def questions(
    ctx: click.Context,
    game: str,
    number: int,
    seed: int,
    answers: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Ask questions about a game that its scenarios answer: what may be done, what is then true, what scores.

    Give them, with the generated rulebook, to somebody who does not know the game: what cannot be answered is
    missing in the book. With the same seed they are the same questions. The answers are those that
    `rulewright test GAME` holds the rules to; with --json they stand beside the questions.

    \b
    Examples:
      rulewright questions GAME --answers answers.md
      rulewright questions GAME -n 50 --seed 7 --language hu
    """
    with activity(f"reading {game}"):
        found = Collected()
        collect(found, game, "reference", False)
    wrong = [diagnostic for _, faulty in found.faulty for diagnostic in faulty.diagnostics]
    if wrong:
        complain(wrong)
    if wrong and not found.cases:
        ctx.exit(1)
    if not found.cases:
        raise click.UsageError(f"{game} has no scenarios, so there is nothing to ask")
    rules = found.cases[0].runner.rules
    told = rules.in_language(language) if language is not None else rules
    spoken_rules = replace(
        told, labels=rules.labels, helps=rules.helps, nouns=rules.nouns, phrases=rules.phrases
    )
    lexicon = lexicon_of(game, spoken_rules, language)
    asked = questions_of(lexicon, [case.scenario for case in found.cases], number, seed)
    if not asked:
        raise click.UsageError(f"no scenario of {game} makes a question: each is long, or sets no position")
    say = spoken(lexicon)
    if answers is not None:
        write_new(answers, answers_text(told, asked, say).encode())
    if as_json:
        echo_json([asdict(question) for question in asked])
    else:
        click.echo(questions_text(told.title, asked, say))
