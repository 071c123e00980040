"""Definitions: actions with their conditions, procedures, effects, values and what changes them, triggers."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.domains import FLAG, NONE, Flag, Nothing
from dsl.rules.visit import walk
from dsl.source import NOWHERE
from rulewright.prose.document import Block, Paragraph, Section, Step, Steps, slug
from rulewright.prose.english import article, capital, listed, sentence, verb
from rulewright.prose.names import waits
from rulewright.prose.nominals import Things, referring
from rulewright.prose.statements import Statements
from rulewright.prose.steps import guarded, marked, routine_id

NOBODY = r.Const(Nothing(), NOWHERE, NONE)


class Definitions(Statements):
    """Says whole routines, values and triggers."""

    # ---- routines

    def routine(self, name: str) -> Section:
        """An action, effect or procedure with a section of its own."""
        routine = self.rules.routines[name]
        self.names.clear()
        self.here = (routine_id(name), self.lexicon.heading(name, routine.clauses))
        blocks: list[Block] = []
        if self.lexicon.helps.get(name):
            blocks.append(Paragraph(self.lexicon.helps[name], quiet=True))
        blocks += self.body(routine)
        title = self.lexicon.heading(name, routine.clauses)
        return Section(routine_id(name), title, tuple(blocks), routine.clauses)

    def body(self, routine: r.Routine) -> list[Block]:
        """What is chosen, on which conditions, and what is done."""
        block = self.folding.block(routine.block)
        with self.citing() as marks:
            found: list[Block] = [Paragraph(text) for text in self._chosen(routine)]
        if found and marks:
            found = [Paragraph(p.text, tuple(marks)) for p in found if isinstance(p, Paragraph)]
        needs, rest = self._needs(block)
        if needs:
            found += [Paragraph("You may do this only if:"), Steps(needs, ordered=False)]
        steps = self.block(rest)
        if steps:
            found += [Paragraph("Then:")] if found else []
            found.append(Steps(steps))
        return found

    def _chosen(self, routine: r.Routine) -> list[str]:
        """What is done, to what: one paragraph, or none if nothing is chosen."""
        left = [p for p in routine.parameters if p.binder is not None and p.var not in self.folding.given]
        if routine.kind == "procedure":
            return []
        picked = [self.picked(p.binder) for p in left if p.binder is not None]
        phrase = self.lexicon.phrase(routine.name)
        if phrase is not None and routine.kind == "action":
            return [sentence(self.filled(phrase, self._action_holes(routine, left, picked)))]
        label = self.lexicon.labels.get(routine.name, "")
        if picked and label and waits(label) and routine.kind == "action":
            picked[0] = f"{label} {picked[0]}"
            return [" ".join([sentence(picked[0]), *(sentence(f"choose {p}") for p in picked[1:])])]
        return [" ".join(sentence(f"choose {p}") for p in picked)] if picked else []

    def _action_holes(self, routine: r.Routine, left: list[r.Parameter], picked: list[str]) -> dict[str, str]:
        found = {p.var.name: said for p, said in zip(left, picked, strict=True)}
        for parameter in routine.parameters:
            if parameter.var.name not in found:
                given = self.folding.given.get(parameter.var)
                found[parameter.var.name] = (
                    self.expr(given) if given is not None else self.name_of(parameter.var)
                )
        return found

    def _needs(self, block: r.Block) -> tuple[tuple[Step, ...], r.Block]:
        """The conditions at the beginning of a block, and what comes after them."""
        steps: list[Step] = []
        end = 0
        for i, line in enumerate(block):
            if isinstance(line, r.Need):
                steps += self._need(line, block[end:i])
                end = i + 1
            elif not isinstance(line, r.SetVar):
                break
        return tuple(steps), block[end:]

    def _need(self, line: r.Need, before: r.Block) -> list[Step]:
        """A condition, after what is named for it."""
        steps: list[Step] = []
        for named in before:
            assert isinstance(named, r.SetVar)
            if _asks_for(line.condition, named.var):
                clause = self.condition(r.Cmp(FLAG, line.span, "is not", named.value, NOBODY))
                name = self.name_of(named.var).removeprefix("the ")
                return [*steps, Step(capital(f"{clause} (“{name}”)"), line.clauses)]
            steps += [replace(s, text=s.text.removesuffix(".")) for s in self.line(named)]
        with self.citing() as marks:
            said = self.clauses(line.condition)
        return [*steps, *(marked(Step(capital(c), line.clauses), marks) for c in said)]

    def effect(self, name: str, arguments: tuple[int, ...], acting: str) -> tuple[Step, ...]:
        """An effect as a cell names it, with the arguments that it gives."""
        routine = self.rules.routines[name]
        given = {
            p.var: r.Const(p.var.type, p.var.span, value)
            for p, value in zip(routine.parameters, arguments, strict=False)
        }
        before, self.acting = self.acting, acting
        self.names.clear()
        with self.given(given):
            first = [Step(text) for text in self._chosen(routine)]
            needs, rest = self._needs(self.folding.block(routine.block))
            marks = tuple(c for n in needs for c in n.clauses)
            asked = [Step(f"Only if {listed([_small(n.text) for n in needs])}.", marks)] if needs else []
            steps = (*first, *asked, *self.block(rest))
        self.acting = before
        return steps

    # ---- values

    def value(self, name: str) -> Section | None:
        """A value by name: what it is, case by case, and what changes it; nothing if its name says it all."""
        value = self.rules.values[name]
        speaks_of_me = any(isinstance(p, r.Special) and p.what in ("me", "opponent") for p in walk(value))
        before, self.active = self.active, self.active if speaks_of_me else "you"
        found = self._value_section(value)
        self.active = before
        return found

    def _value_section(self, value: r.Value) -> Section | None:
        name = value.name
        self.names.clear()
        blocks: list[Block] = []
        lead = self._defined(value)
        cases = self.folding.cases(value)
        if len(cases) == 1:
            with self.citing() as marks:
                text = self.expr(cases[0].value)
            if (
                f"{lead.removesuffix(' if')}".lower() == _with_articles(text, value, self).lower()
                and not value.modifiers
            ):
                return None
            blocks.append(
                Paragraph(sentence(f"{lead} {text}"), tuple(dict.fromkeys((*cases[0].clauses, *marks))))
            )
        else:
            first = "as the first line that fits says"
            blocks.append(Paragraph(f"{lead}, {first}:"))
            blocks.append(Steps(tuple(self._case(c, isinstance(value.type, Flag)) for c in cases), False))
        if value.modifiers:
            changes = tuple(self._modifier(m) for m in value.modifiers)
            blocks += [Paragraph("This changes:"), Steps(changes, False)]
        title = capital(self.lexicon.noun(name).one)
        return Section(value_id(name), title, tuple(blocks), value.clauses)

    def _defined(self, value: r.Value) -> str:
        arguments = [article(self.var_noun(p)) for p in value.parameters]
        for parameter, said in zip(value.parameters, arguments, strict=True):
            self.names[parameter] = f"the {said.split(' ', 1)[-1]}" if value.parameters else said
        phrase = self.lexicon.phrase(value.name)
        if phrase is not None:
            said = self.filled(phrase, dict(zip((p.name for p in value.parameters), arguments, strict=True)))
        else:
            label = self.lexicon.noun(value.name).one
            said = f"the {label} of {listed(arguments)}" if arguments else f"the {label}"
            if isinstance(value.type, Flag):
                said = f"“{label}” holds{f' for {listed(arguments)}' if arguments else ''}"
        is_flag = isinstance(value.type, Flag)
        if is_flag and (len(self.folding.cases(value)) > 1 or value.modifiers):
            return capital(said)
        if is_flag:
            return f"{capital(said)} if"
        return f"{capital(said)} {verb(said, 'is')}{' normally' if value.modifiers else ''}"

    def _case(self, case: r.ValueCase, flag: bool) -> Step:
        with self.citing() as marks:
            step = self._said_case(case, flag)
        return marked(step, marks)

    def _said_case(self, case: r.ValueCase, flag: bool) -> Step:
        node = self.folding.expr(case.value)
        if flag and isinstance(node, r.Const):
            said = "yes" if node.value else "no"
        else:
            said = f"only if {self.condition(node)}" if flag else self.expr(node)
        if case.condition is None:
            return Step(sentence(f"otherwise {said}"), case.clauses)
        return Step(sentence(f"if {self.condition(case.condition)}: {said}"), case.clauses)

    def _modifier(self, modifier: r.Modifier) -> Step:
        with self.citing() as marks:
            step = self._said_modifier(modifier)
        return marked(step, marks)

    def _said_modifier(self, modifier: r.Modifier) -> Step:
        for parameter in modifier.parameters:
            self.names[parameter] = f"the {self.var_noun(parameter)}"
        amount = self.folding.expr(modifier.amount)
        if modifier.mode == "to":
            said = f"it is {self.expr(amount)} instead"
        else:
            said = self._added(amount)
        if modifier.condition is not None:
            said = f"{said}, as long as {self.condition(modifier.condition)}"
        return Step(sentence(said), modifier.clauses)

    def _added(self, amount: r.Expr) -> str:
        match amount:
            case r.Const(value=value) if value < 0:
                return f"{-value} less"
            case r.Arith(op="*", left=r.Const(value=value), right=right) if value < 0:
                return f"less by {'twice' if value == -2 else f'{-value} times'} {self.expr(right)}"
            case r.Arith(op="*", left=r.Arith(op="-", left=r.Const(value=0), right=factor), right=right):
                said = self.expr(factor)
                return f"less by {'twice' if said == '2' else f'{said} times'} {self.expr(right)}"
            case r.AnyOf(kind="count", binder=binder):
                return f"1 more for {self.bound(binder).every()}"
        return f"more by {self.expr(amount)}"

    # ---- triggers

    def trigger(self, trigger: r.Trigger) -> Step:
        """Whenever something comes true, or a piece comes or goes."""
        self.names.clear()
        with self.citing() as marks:
            if trigger.condition is not None:
                words = self.comes_true(trigger, trigger.condition)
            else:
                words = self.comes_or_goes(trigger)
        step = guarded(words, self.block(trigger.block))
        return replace(step, clauses=tuple(dict.fromkeys((*trigger.clauses, *marks, *step.clauses))))

    def comes_true(self, trigger: r.Trigger, condition: r.Expr) -> str:
        """`As soon as a player has no coins`: what is left open stands for each of its values."""
        marks = {}
        for var in trigger.free:
            self.marks += 1
            marks[var] = f"\ue010{self.marks}\ue011"
            self.names[var] = marks[var]
        said = self.condition(condition)
        for var, mark in marks.items():
            noun = self.lexicon.type_noun(var.type)
            first, rest = said.partition(mark)[0], said.partition(mark)[2]
            things = Things(noun, person=True)
            said = f"{first}{article(noun.one)}{referring(mark, things, rest)}" if mark in said else said
            self.names[var] = f"that {noun.one}"
        return f"As soon as {said}"

    def comes_or_goes(self, trigger: r.Trigger) -> str:
        assert trigger.zone is not None
        assert trigger.piece is not None
        zone = trigger.zone
        for var in trigger.free:
            self.names[var] = article(self.lexicon.type_noun(var.type).one)
        piece = article(self.lexicon.type_noun(trigger.piece.type).one)
        things = self.zone(zone)
        where = things.place or things.many()
        for var in trigger.free:
            self.names[var] = f"that {self.lexicon.type_noun(var.type).one}"
        comes = "comes into" if trigger.event == "enters" else "leaves"
        return f"Whenever {piece} {comes} {where}"


def _with_articles(text: str, value: r.Value, voice: Definitions) -> str:
    """A text in which parameters are said as for the first time."""
    for parameter in value.parameters:
        noun = voice.var_noun(parameter)
        text = text.replace(f"the {noun}", article(noun))
    return text


def value_id(name: str) -> str:
    return slug("word", name)


def _asks_for(condition: r.Expr, var: r.Var) -> bool:
    """Whether a condition is that a variable is there."""
    match condition:
        case r.Cmp(op="is not", left=r.Read(var=asked), right=r.Const(value=value)):
            return asked is var and value == NONE
    return False


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
