"""What is chosen and offered, by whom, and what comes of it."""

from __future__ import annotations

from dsl import rules as r
from rulewright.prose.collections import bound_things
from rulewright.prose.conditions import condition_text
from rulewright.prose.document import Step, link, slug
from rulewright.prose.english import listed, sentence, verb
from rulewright.prose.nominals import Described, Listed
from rulewright.prose.steps import guarded, headed, routine_id, said, told
from rulewright.prose.voice import Voice

# ---- choices


def picked_from(voice: Voice, binder: r.Binder) -> str:
    """What is chosen, and what it is called from now on, if that is another word."""
    binder = voice.folding.tree(binder)
    voice.names.pop(binder.var, None)
    if isinstance(binder.group, r.Items | r.Interval) and binder.where is not None:
        things = voice.group(binder.group)
        name = called(voice, things, binder.var, voice.name_of(binder.var))
        return f"{things.picked()}{name}, so that {condition_text(voice, binder.where)}"
    things = bound_things(voice, binder)
    return f"{things.picked()}{called(voice, things, binder.var, voice.name_of(binder.var))}"


def called(voice: Voice, things: Described, var: r.Var, name: str) -> str:
    noun = name.removeprefix("the ")
    if isinstance(things, Listed) and len(things.items) > 1:
        return f" (“{noun}”)"
    known = noun == voice.lexicon.type_noun(var.type).one or f" {things.noun.one}".endswith(f" {noun}")
    return "" if known else f" (“{noun}”)"


def choose_steps(voice: Voice, line: r.Choose) -> list[Step]:
    who = voice.expr(line.seat) if line.seat is not None else "you"
    chosen = picked_from(voice, line.binder)
    block = voice.block(line.block)
    if line.strength != "must" or line.if_any:
        voice.names.pop(line.binder.var, None)
    match line.strength:
        case "must" if not line.if_any:
            return [said(told(who, "chooses", chosen))]
        case "must":
            head = f"{told(who, 'chooses', chosen)}, if there is one"
            found = [headed(head, "Then:", block)]
            without = "If there is none"
        case "may":
            found = [headed(f"{who} may choose {chosen}", f"If {who} {verb(who, 'does')}:", block)]
            without = f"If {who} {verb(who, 'does')} not"
        case "keep":
            head = f"{who} may choose {chosen}, as often as {who} {verb(who, 'likes')}"
            return [headed(head, "Each time:", block)]
    return found + otherwise_steps(voice, without, line.otherwise)


def otherwise_steps(voice: Voice, words: str, block: r.Block) -> list[Step]:
    steps = voice.block(block)
    return [guarded(words, steps)] if steps else []


def offer_steps(voice: Voice, line: r.Offer) -> list[Step]:
    who = voice.expr(line.seat) if line.seat is not None else "you"
    targets = [target_phrase(voice, t) for t in line.targets]
    block = voice.block(line.block)
    does = verb(who, "does")
    match line.strength:
        case "must":
            found = _offered(voice, told(who, "does", ""), told(who, "does", "one of the following"), targets)
        case "may":
            found = _offered(voice, f"{who} may", f"{who} may do one of the following", targets)
        case "keep":
            often = f"as often as {who} {verb(who, 'likes')}, {who} may"
            found = _offered(voice, often, f"{often} do one of the following", targets)
    if block:
        found.append(guarded(f"If {who} {does}" if line.strength == "may" else "Each time", block))
    return found + otherwise_steps(voice, f"If {who} {does} not", line.otherwise)


def _offered(voice: Voice, one: str, several: str, targets: list[str]) -> list[Step]:
    if len(targets) == 1:
        head = one.removesuffix(" ")
        if head == "do":
            return [said(targets[0])]
        return [said(f"{head} {targets[0]}")]
    named = (
        t[len("carry out “") : -1] if t.startswith("carry out “") and t.endswith("”") else t for t in targets
    )
    parts = tuple(said(t) for t in named)
    return [Step(sentence(f"{several}:"), (), parts, ordered=False)]


def target_phrase(voice: Voice, target: r.Target) -> str:
    """What can be done, as a verb with what it is done to."""
    if isinstance(target, r.DoCell):
        return _cell(voice, target)
    return reference_to(voice, target.routine, target.arguments)


def _cell(voice: Voice, target: r.DoCell) -> str:
    cell = voice.folding.expr(target.cell)
    as_self = ""
    owner = cell.owner if isinstance(cell, r.ColumnOf) else None
    if target.actor is not None and owner is not None and target.actor != owner:
        as_self = f", as if {voice.expr(target.actor)} did it"
    table = (
        f" (→ {link(slug('table', cell.table), voice.lexicon.heading(cell.table))})"
        if isinstance(cell, r.LookUp)
        else ""
    )
    return f"carry out {voice.expr(cell)}{as_self}{table}"


def reference_to(voice: Voice, name: str, arguments: tuple[r.Expr, ...]) -> str:
    """A routine that is told elsewhere, with what it is given."""
    routine = voice.rules.routines[name]
    phrase = voice.lexicon.phrase(name)
    said = [voice.expr(a) for a in arguments]
    heading = link(routine_id(name), voice.lexicon.heading(name, routine.clauses))
    if phrase is not None and len(said) == len(routine.parameters):
        holes = {p.var.name: a for p, a in zip(routine.parameters, said, strict=True)}
        return f"{voice.filled(phrase, holes)} (→ {heading})"
    names = [voice.var_noun(p.var) for p in routine.parameters]
    pairs = [a if a.endswith(f" {n}") else f"{n}: {a}" for n, a in zip(names, said, strict=False)]
    return f"carry out “{heading}”{f' ({listed(pairs)})' if pairs else ''}"
