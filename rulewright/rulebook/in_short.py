"""The game in five lines: what you are, how one wins, where points come from, when it ends, a turn.

A line is the designer's own, from the file of clauses, or else derived from the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.rulebook.definitions import trigger_step
from rulewright.rulebook.document import Section, bullets
from rulewright.rulebook.glance import steps_in_words
from rulewright.rulebook.phases import last_phases, opening_phases, phase_title, played_phases
from rulewright.rulebook.scoring import result_of, sudden_ends
from rulewright.sentences.by_players import told
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, is_many, lower, sentence
from rulewright.sentences.realise import spell
from rulewright.sentences.steps import routine_title
from rulewright.sentences.text import Step, plain, strong

LINES: tuple[r.BriefKey, ...] = ("role", "aim", "points", "end", "turn")
"""The lines in their order, by the key of the designer's text."""
MOST_WORDS = 16
"""A longer condition does not say in short how one wins."""


def in_short(ctx: BookContext) -> Section:
    """Up to five lines; one of which nothing is known is left out."""
    derived: dict[r.BriefKey, str] = {
        "aim": _aim(ctx),
        "points": _points(ctx),
        "end": _end(ctx),
        "turn": _turn(ctx),
    }
    steps = []
    for key in LINES:
        title = ctx.say(f"brief-{key}")
        own = ctx.rules.brief.get(key)
        if own is not None:
            steps.append(Step(f"{strong(f'{title}.')} {brief_text(ctx, own)}", own.clauses))
        elif derived.get(key):
            steps.append(Step(f"{strong(f'{title}.')} {capital(derived[key])}"))
    return Section("short", ctx.say("chapter-short"), (bullets(steps),) if steps else ())


def brief_text(ctx: BookContext, line: r.BriefLine) -> str:
    """A designer's line, with labels and numbers of players in place of its names."""
    return "".join(part if i % 2 == 0 else _named(ctx, part) for i, part in enumerate(line.parts))


def _named(ctx: BookContext, name: str) -> str:
    constant = ctx.rules.constants.get(name)
    if constant is not None:
        return told(ctx, {n: str(constant.values[n]) for n in ctx.folding.config.counts})
    return ctx.lexicon.label(name)


# ---- derived lines


def _aim(ctx: BookContext) -> str:
    best = result_of(ctx.rules)
    lines = [line for line in ctx.rules.scores if line.kind == "score"]
    if best == "none" or not lines:
        return _victories(ctx)
    if ctx.rules.seats[1] == 1:
        return ctx.say("aim-reach")
    counted = ctx.lexicon.score(lines[0].name)
    if len(lines) == 1 and best == "highest" and is_many(counted):
        return ctx.say("aim-most", things=counted)
    return ctx.say(f"best-{best}")


def _victories(ctx: BookContext) -> str:
    """What wins at once: the names of such ends, or else what the triggers say."""
    names: dict[str, None] = {}
    for routine in ctx.rules.routines.values():
        if routine.name in ctx.usage.played:
            for part in walk(ctx.folding.block(routine.block)):
                if isinstance(part, r.Win) and part.outcome is not None:
                    names[ctx.say("quoted", it=ctx.lexicon.label(part.outcome))] = None
    if names:
        return sentence(ctx.say("aim-by", names=ctx.listed(list(names), "or")))
    winning = (t for t in ctx.rules.triggers if any(isinstance(p, r.Win) for p in walk(t.block)))
    steps = (trigger_step(ctx, trigger) for trigger in winning)
    told = [plain(step.text) for step in steps if not step.parts]
    told = told or list(dict.fromkeys(_conditions_of_winning(ctx)))
    return " ".join(text for text in told if len(text.split()) <= MOST_WORDS)


def _conditions_of_winning(ctx: BookContext) -> Iterator[str]:
    """`You win if you have a chain.`: what is asked before a routine lets its own player win."""
    for routine in ctx.rules.routines.values():
        if routine.name not in ctx.usage.played:
            continue
        for part in walk(ctx.folding.block(routine.block)):
            if isinstance(part, r.If) and any(map(_is_won, part.block)):
                ctx.names.clear()
                yield plain(sentence(ctx.say("aim-if", clause=spell(ctx.condition(part.condition)))))


def _is_won(line: r.Statement) -> bool:
    """Whether the player who acts wins by a line."""
    match line:
        case r.Win(seat=r.Special(what="me" | "active")):
            return True
    return False


def _points(ctx: BookContext) -> str:
    lines = [line for line in ctx.rules.scores if line.kind == "score"]
    if not lines:
        return ""
    gained = [
        name
        for line in lines
        if isinstance(line.value, r.ReadStateVar)
        for name in _gaining(ctx, line.value.name)
    ]
    counted = [ctx.lexicon.score(line.name) for line in lines if not isinstance(line.value, r.ReadStateVar)]
    texts = []
    if gained:
        titles = [ctx.say("quoted", it=lower(title)) for title in dict.fromkeys(gained)]
        texts.append(sentence(ctx.say("points-during", titles=ctx.listed(titles))))
    if counted:
        verb = ctx.say("count" if is_many(ctx.listed(counted)) or len(counted) > 1 else "counts")
        texts.append(sentence(ctx.say("points-at-end", lines=ctx.listed(counted), verb=verb)))
    return " ".join(texts)


def _gaining(ctx: BookContext, counter: str) -> Iterator[str]:
    """The titles of the routines that add to a counter."""
    for routine in ctx.rules.routines.values():
        if routine.name not in ctx.usage.played:
            continue
        for part in walk(ctx.folding.block(routine.block)):
            match part:
                case r.Transfer(counter=name, verb="gain") if name == counter:
                    yield routine_title(ctx, routine.name)
                case r.Write(name=name, op="+=") if name == counter:
                    yield routine_title(ctx, routine.name)


def _end(ctx: BookContext) -> str:
    steps = [*last_phases(ctx, True), *sudden_ends(ctx)]
    return " ".join(plain(step.text) for step in steps if not step.parts)


def _turn(ctx: BookContext) -> str:
    before = opening_phases(ctx.rules)
    phases = [p for p in played_phases(ctx).values() if p.name not in before and p.steps]
    if len(phases) == 1:
        return sentence(f"{ctx.say('then-next')} ".join(steps_in_words(ctx, phases[0])))
    return sentence(ctx.say("phase-by-phase", phases=", ".join(lower(phase_title(ctx, p)) for p in phases)))
