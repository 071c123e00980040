"""The section on the end of the game: when it comes, the score, and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl import rules as r
from dsl.domains import FLAG
from dsl.rules.visit import walk
from rulewright.rulebook.definitions import event_clause, trigger_step
from rulewright.rulebook.document import DocumentBlock, Paragraph, Section, Steps, bullets
from rulewright.rulebook.phases import condition_text, last_phases
from rulewright.sentences.changes import scored, sum_parts, terms_of
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, sentence
from rulewright.sentences.framed.statements import sum_parts as framed_sum
from rulewright.sentences.realise import spell_sentence
from rulewright.sentences.steps import routine_id, routine_title
from rulewright.sentences.text import Step, link, merge_clauses, strong

LONG = 100
"""The fewest letters of a sum that is listed term by term."""


def ending(ctx: BookContext, account: Sequence[DocumentBlock] = ()) -> Section:
    """When the game ends, the score lines, the tie-breaks, and an account that was worked out."""
    steps = [*last_phases(ctx), *sudden_ends(ctx, listed=True)]
    blocks: list[DocumentBlock] = [Paragraph(ctx.say("when-game-ends")), bullets(steps)] if steps else []
    scores = [s for s in ctx.rules.scores if s.kind == "score"]
    ties = [s for s in ctx.rules.scores if s.kind == "tiebreak"]
    last = next((p for p in ctx.rules.phases.values() if p.scores is not None), None)
    best, clauses = (last.scores or "none", last.clauses) if last is not None else ("none", ())
    alone = ctx.rules.seats[1] == 1
    if scores:
        lead = ctx.say("add-up" if len(scores) > 1 else "what-counts", player=ctx.lexicon.player.one)
        blocks += [Paragraph(lead), bullets(score_line(ctx, s) for s in scores)]
        blocks.append(Paragraph(ctx.say("your-result") if alone else ctx.say(f"best-{best}"), clauses))
        blocks += _what_counts(ctx)
    if ties:
        which = {s.best for s in ties}
        one = {"highest": "higher", "lowest": "lower"}[which.pop()] if len(which) == 1 else "one"
        blocks.append(Paragraph(ctx.say(f"ties-{one}")))
        blocks.append(Steps(tuple(_tie(ctx, s, one == "one") for s in ties)))
    if scores and not alone and best != "none":
        shared = ctx.say("share-the-win", players=capital(ctx.lexicon.player.many))
        blocks.append(Paragraph(ctx.say("still-equal") if ties else shared))
    return Section(
        "scoring", ctx.say("chapter-scoring"), (*blocks, *account, *_next_match(ctx)) if blocks else ()
    )


def _next_match(ctx: BookContext) -> Iterator[Paragraph]:
    """What carries over to the next match, and as long as what there is one."""
    if (carries := ctx.rules.carries) is None:
        return
    kept = ctx.listed([strong(ctx.lexicon.label(name)) for name in carries.of])
    if carries.goes_on is None:
        yield Paragraph(ctx.say("carries", kept=kept), carries.clauses)
        return
    asked = condition_text(ctx, r.UseValue(FLAG, carries.span, carries.goes_on, ()))
    yield Paragraph(ctx.say("carries-while", kept=kept, condition=asked), carries.clauses)


def result_of(rules: r.Rules) -> r.Best:
    """Which total wins."""
    return next((p.scores for p in rules.phases.values() if p.scores is not None), "none")


def _what_counts(ctx: BookContext) -> Iterator[Paragraph]:
    """For each end that does not count all lines, those that it counts."""
    for phase in ctx.rules.phases.values():
        if phase.counted is not None:
            lines = ctx.listed([strong(capital(ctx.lexicon.score(name))) for name in phase.counted])
            end = ctx.lexicon.heading(phase.name, phase.clauses)
            verb = ctx.say("counts" if len(phase.counted) == 1 else "count")
            yield Paragraph(ctx.say("only-count", end=end, lines=lines, verb=verb), phase.clauses)


def _tie(ctx: BookContext, line: r.ScoreLine, each: bool) -> Step:
    """A tie-break; with `each` it says whether the higher or the lower number decides."""
    step = score_line(ctx, line)
    if not each:
        return step
    head, colon, rest = step.text.partition(":")
    better = f" {ctx.say('tie-higher' if line.best == 'highest' else 'tie-lower')}"
    return replace(step, text=f"{head}{better}:{rest}" if colon else f"{head.rstrip('.')}{better}.")


def _sum_parts(ctx: BookContext, terms: list[tuple[bool, r.Expr]]) -> tuple[Step, ...]:
    return sum_parts(ctx, terms, scored) if ctx.grammar is None else framed_sum(ctx, terms)


def score_line(ctx: BookContext, line: r.ScoreLine) -> Step:
    name = capital(ctx.lexicon.score(line.name))
    terms = terms_of(ctx.folding.expr(line.value))
    with ctx.citing() as cited:
        counts = ctx.grammar is None and line.kind == "score"
        text = spell_sentence(scored(ctx, line.value) if counts else ctx.expr(line.value))
        parts = _sum_parts(ctx, terms) if len(terms) > 1 and len(text) > LONG else ()
    clauses = merge_clauses(line.clauses, cited)
    if text[:-1].lower() == f"your {name.lower()}":
        return Step(sentence(f"your {name[:1].lower()}{name[1:]}"), clauses)
    if parts:
        return Step(ctx.say("in-all", name=strong(name)), clauses, parts, False)
    return Step(f"{strong(name)}: {text[:1].lower()}{text[1:]}", clauses)


def sudden_ends(ctx: BookContext, listed: bool = False) -> Iterator[Step]:
    """The triggers and routines that end the game; `listed` below words that say that it ends."""
    told = _end if listed else trigger_step
    yield from (told(ctx, t) for t in ctx.rules.triggers if ends(ctx, t))
    reasons: dict[str, list[str]] = {}
    for routine in ctx.rules.routines.values():
        if routine.name in ctx.usage.played and ends(ctx, routine):
            own = (routine_id(routine.name), routine_title(ctx, routine.name))
            where = link(*ctx.section_of.get(routine.name, own))
            reasons.setdefault(where, []).extend(_named_ends(ctx, routine))
    for where, names in reasons.items():
        named = ctx.listed([ctx.say("quoted", it=name) for name in dict.fromkeys(names)], "or")
        yield Step(ctx.say("may-end-in-why" if names else "may-end-in", where=where, names=named))


def _end(ctx: BookContext, trigger: r.Trigger) -> Step:
    """A trigger that ends the game; of one that does nothing else its event says all."""
    step = trigger_step(ctx, trigger)
    match ctx.folding.block(trigger.block):
        case (r.EndGame(outcome=None),):
            ctx.names.clear()
            return replace(step, text=spell_sentence(event_clause(ctx, trigger)))
    return step


def _named_ends(ctx: BookContext, routine: r.Routine) -> Iterator[str]:
    """What the ends of a routine are called, if they have names."""
    for part in walk(ctx.folding.block(routine.block)):
        if isinstance(part, r.Ending) and part.outcome is not None:
            yield ctx.lexicon.label(part.outcome)


def ends(ctx: BookContext, definition: r.Trigger | r.Routine) -> bool:
    """Whether a definition can end the game."""
    return any(isinstance(p, r.Ending) for p in walk(ctx.folding.block(definition.block)))
