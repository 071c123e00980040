"""What is chosen and offered, by whom, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl import rules as r
from rulewright.prose.document import Step, link, slug
from rulewright.prose.english import listed, sentence, verb
from rulewright.prose.moves import Moves
from rulewright.prose.nominals import Described, Listed
from rulewright.prose.steps import guarded, headed, routine_id, said, told
from rulewright.prose.usage import Usage


@dataclass
class Choices(Moves):
    """The part of saying statements that deals with decisions. `Statements` completes it."""

    calls: Usage = field(default_factory=Usage)

    # ---- completed by Statements

    def block(self, block: r.Block) -> tuple[Step, ...]:
        raise NotImplementedError

    # ---- choices

    def picked(self, binder: r.Binder) -> str:
        """What is chosen, and what it is called from now on, if that is another word."""
        binder = self.folding.tree(binder)
        self.names.pop(binder.var, None)
        if isinstance(binder.group, r.Items | r.Interval) and binder.where is not None:
            things = self.group(binder.group)
            called = self._called(things, binder.var, self.name_of(binder.var))
            return f"{things.picked()}{called}, so that {self.condition(binder.where)}"
        things = self.bound(binder)
        return f"{things.picked()}{self._called(things, binder.var, self.name_of(binder.var))}"

    def _called(self, things: Described, var: r.Var, name: str) -> str:
        noun = name.removeprefix("the ")
        if isinstance(things, Listed) and len(things.items) > 1:
            return f" (“{noun}”)"
        known = noun == self.lexicon.type_noun(var.type).one or f" {things.noun.one}".endswith(f" {noun}")
        return "" if known else f" (“{noun}”)"

    def _choose(self, line: r.Choose) -> list[Step]:
        who = self.expr(line.seat) if line.seat is not None else "you"
        chosen = self.picked(line.binder)
        block = self.block(line.block)
        if line.strength != "must" or line.if_any:
            self.names.pop(line.binder.var, None)
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
        return found + self._otherwise(without, line.otherwise)

    def _otherwise(self, words: str, block: r.Block) -> list[Step]:
        steps = self.block(block)
        return [guarded(words, steps)] if steps else []

    def _offer(self, line: r.Offer) -> list[Step]:
        who = self.expr(line.seat) if line.seat is not None else "you"
        targets = [self.target(t) for t in line.targets]
        block = self.block(line.block)
        does = verb(who, "does")
        match line.strength:
            case "must":
                found = self._offered(
                    told(who, "does", ""), told(who, "does", "one of the following"), targets
                )
            case "may":
                found = self._offered(f"{who} may", f"{who} may do one of the following", targets)
            case "keep":
                often = f"as often as {who} {verb(who, 'likes')}, {who} may"
                found = self._offered(often, f"{often} do one of the following", targets)
        if block:
            found.append(guarded(f"If {who} {does}" if line.strength == "may" else "Each time", block))
        return found + self._otherwise(f"If {who} {does} not", line.otherwise)

    def _offered(self, one: str, several: str, targets: list[str]) -> list[Step]:
        if len(targets) == 1:
            head = one.removesuffix(" ")
            if head == "do":
                return [said(targets[0])]
            return [said(f"{head} {targets[0]}")]
        named = (
            t[len("carry out “") : -1] if t.startswith("carry out “") and t.endswith("”") else t
            for t in targets
        )
        parts = tuple(said(t) for t in named)
        return [Step(sentence(f"{several}:"), (), parts, ordered=False)]

    def target(self, target: r.Target) -> str:
        """What can be done, as a verb with what it is done to."""
        if isinstance(target, r.DoCell):
            return self._cell(target)
        return self.reference(target.routine, target.arguments)

    def _cell(self, target: r.DoCell) -> str:
        cell = self.folding.expr(target.cell)
        as_self = ""
        owner = cell.owner if isinstance(cell, r.ColumnOf) else None
        if target.actor is not None and owner is not None and target.actor != owner:
            as_self = f", as if {self.expr(target.actor)} did it"
        table = (
            f" (→ {link(slug('table', cell.table), self.lexicon.heading(cell.table))})"
            if isinstance(cell, r.LookUp)
            else ""
        )
        return f"carry out {self.expr(cell)}{as_self}{table}"

    def reference(self, name: str, arguments: tuple[r.Expr, ...]) -> str:
        """A routine that is told elsewhere, with what it is given."""
        routine = self.rules.routines[name]
        phrase = self.lexicon.phrase(name)
        said = [self.expr(a) for a in arguments]
        heading = link(routine_id(name), self.lexicon.heading(name, routine.clauses))
        if phrase is not None and len(said) == len(routine.parameters):
            holes = {p.var.name: a for p, a in zip(routine.parameters, said, strict=True)}
            return f"{self.filled(phrase, holes)} (→ {heading})"
        names = [self.var_noun(p.var) for p in routine.parameters]
        pairs = [a if a.endswith(f" {n}") else f"{n}: {a}" for n, a in zip(names, said, strict=False)]
        return f"carry out “{heading}”{f' ({listed(pairs)})' if pairs else ''}"
