"""Things that can be chosen, listed and counted, as nominals: `a card from your hand`, `all of them`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never, cast

from dsl import rules as r
from dsl.domains import EnumType, IntType, reading_type
from rulewright.sentences.collections import cases_of
from rulewright.sentences.context import BookContext
from rulewright.sentences.framed.nominals import Determiner, Nominal
from rulewright.sentences.framed.words import (
    Filler,
    filled,
    fixed,
    grammar,
    marked,
    name_of,
    nominal,
    noun,
    put_in,
    related,
    type_noun,
    value,
    worded,
    you,
)
from rulewright.sentences.names import Noun

WHERE = {"in": ("in", "into", "from"), "on": ("on", "onto", "off"), "among": ("among", "amid", "outof")}
"""Where things lie, where they go, and where they come from, by how one speaks of the place."""
MANNER = re.compile(r"; *(in|on|among)$")
"""The end of a noun that says how one speaks of what lies there."""


@dataclass(frozen=True, slots=True)
class NominalPlace:
    """Where things lie, and how one speaks of it: `in`, `on` or `among`."""

    name: Nominal
    manner: str

    def at(self) -> str:
        return self.name.form(WHERE[self.manner][0])

    def into(self) -> str:
        return self.name.form(WHERE[self.manner][1])

    def out_of(self) -> str:
        return self.name.form(WHERE[self.manner][2])


@dataclass(frozen=True, slots=True)
class NominalGroup:
    """Things of one kind, or several `parts`. They belong to an `owner`, or lie in a `place`, or neither."""

    ctx: BookContext
    noun: Noun
    owner: Nominal | None = None
    place: NominalPlace | None = None
    after: str = ""
    single: bool = False
    person: bool = False
    parts: tuple[Filler | NominalGroup, ...] = ()
    word: str = "and"
    said: Nominal | None = None
    held: Noun | None = None
    """What they are called where they lie, as `waiting cards`, if that says it all."""

    def such(self, text: str) -> NominalGroup:
        space = "" if text.startswith((",", " ")) or not text else " "
        return replace(self, after=f"{self.after.rstrip(',')}{space}{text}")

    def _thing(self, meant: Determiner, plural: bool, where: str = "at") -> Nominal:
        if self.said is not None:
            return self.said
        found = nominal(self.ctx, self.held or self.noun, plural)
        if self.held is not None and self.place is not None:
            return replace(found, meant=meant, owner=self.place.name.owner, after=self.after)
        spot = "" if self.place is None else getattr(self.place, where)()
        after = f"{' ' if spot else ''}{spot}{self.after}"
        return replace(found, meant=meant, owner=self.owner, after=after)

    def _listed(self, form: str, word: str) -> Nominal:
        items = [str(getattr(p, form)()) if isinstance(p, NominalGroup) else str(p) for p in self.parts]
        said = items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {self.ctx.say(word)} {items[-1]}"
        return replace(fixed(self.ctx, said), after=self.after)

    def some(self, where: str = "at") -> Nominal:
        if self.parts:
            return self._listed("some", "or")
        if self.single and self.owner is not None:
            return self._thing("the", False, where)
        return self._thing("a", False, where)

    def picked(self) -> Nominal:
        return self.some("out_of")

    def one(self) -> Nominal:
        return self._listed("one", "or") if self.parts else self._thing("the", False)

    def every(self) -> Nominal:
        return self._listed("every", "and") if self.parts else self._thing("every", False)

    def no(self) -> Nominal:
        return self._listed("some", "or") if self.parts else self._thing("no", False)

    def many(self, where: str = "at") -> Nominal:
        return self._listed("many", self.word) if self.parts else self._thing("the", True, where)

    def the_many(self) -> Nominal:
        return self.many()

    def all(self, where: str = "at") -> Nominal:
        if self.parts:
            return self._listed("all", "and")
        return self._thing("the" if self.single else "all", not self.single, where)

    def so_many(self, number: str, where: str = "out_of") -> Nominal:
        if self.parts:
            return fixed(self.ctx, self.ctx.say("so-many-of", number=number, things=self.many()))
        return replace(self._thing("", True, where), number=number)

    def whose(self) -> Nominal:
        """All of them as what something belongs to: where they lie comes first in some languages."""
        if self.parts or self.said is not None:
            return self.many()
        things = replace(self._thing("the", True), after="")
        if self.place is None or self.held is not None:
            return replace(things, after=self.after)
        bare = self.ctx.say("things-at", things=things, bare=replace(things, meant=""), place=self.place.at())
        return Nominal(grammar(self.ctx), bare, fixed=True, after=self.after)

    def number(self) -> Nominal:
        """`the number of cards in your hand`"""
        things = self.whose()
        text = self.ctx.say("amount-of", things=replace(things, after=""))
        return Nominal(grammar(self.ctx), text, fixed=True, after=things.after)

    def there(self, number: str) -> str:
        """That there are so many: `you have 3 cards`, `there are 3 cards in your hand`."""
        if self.parts or self.said is not None:
            return self.ctx.say("there-among", number=number, things=self.many())
        if (mine := self._possession()) is not None:
            return mine.there(number)
        where = self.place.at() if self.place is not None else ""
        count = replace(nominal(self.ctx, self.noun, True), number=number, after=self.after, meant="")
        if self.owner is not None:
            return self._owned("have", replace(count, owner=self.owner))
        return self.ctx.say("there-are", things=count, place=where).strip()

    def exists(self) -> str:
        if self.parts:
            return self.ctx.say("there-one", things=self.many())
        if (mine := self._possession()) is not None:
            return mine.exists()
        whole = self.place is not None and self.place.manner != "among"
        if self.place is not None and not self.after and not self.single and whole:
            return self._at_place("not-empty", "a")
        if self.owner is not None:
            thing = replace(nominal(self.ctx, self.noun), meant="a", owner=self.owner, after=self.after)
            return self._owned("have", thing)
        where = self.place.at() if self.place is not None else ""
        thing = replace(nominal(self.ctx, self.noun), meant="a", after=self.after)
        return self.ctx.say("there-are", things=self.said or thing, place=where).strip()

    def empty(self) -> str:
        if self.parts:
            return self.ctx.say("there-none", things=self.many())
        if (mine := self._possession()) is not None:
            return mine.empty()
        if self.place is not None and not self.after and self.place.manner != "among":
            return self._at_place("is-empty", "no")
        if self.owner is not None:
            return self._owned("have-no", replace(nominal(self.ctx, self.noun), owner=self.owner, meant=""))
        where = self.place.at() if self.place is not None else ""
        thing = replace(nominal(self.ctx, self.noun), meant="", after=self.after)
        return self.ctx.say("there-is-no", things=self.said or thing, place=where).strip()

    def _at_place(self, frame: str, meant: Determiner) -> str:
        """That a place is empty, or not."""
        assert self.place is not None
        thing = replace(nominal(self.ctx, self.noun), meant=meant)
        return self.ctx.say(frame, place=self.place.name, at=self.place.at(), thing=thing)

    def _possession(self) -> NominalGroup | None:
        """The things as those of their owner, if the name of the place says what they are."""
        if self.held is None or self.place is None:
            return None
        return NominalGroup(self.ctx, self.held, self.place.name.owner, after=self.after, single=self.single)

    def _owned(self, frame: str, things: Nominal) -> str:
        """`you have 3 cards`: a language with suffixes of owners says them at the things."""
        assert self.owner is not None
        bare = replace(things, meant="", owner=None)
        if self.ctx.say.language == "hu":
            suffixed = replace(things, meant="", owner=you(self.ctx)) if self.owner.you else things
            text = str(replace(suffixed, owner=suffixed.owner))
            if not self.owner.you:
                text = _without_owner(text, self.owner)
            return self.ctx.say(f"{frame}-you" if self.owner.you else frame, who=self.owner, things=text)
        plain = replace(
            bare, number=things.number, after=things.after + ("" if frame == "have" else self.after)
        )
        plain = replace(plain, meant="a" if frame == "have" and not plain.number else "")
        return self.ctx.say(f"{frame}-you" if self.owner.you else frame, who=self.owner, things=plain)


def _without_owner(text: str, owner: Nominal) -> str:
    """Things with the suffix of their owner, who is named elsewhere."""
    for said in (owner.form("gen"), owner.form("dat")):
        if text.startswith(f"{said} "):
            rest = text.removeprefix(f"{said} ")
            return rest.removeprefix("egy ").removeprefix("a ").removeprefix("az ")
    return text


def narrowed(ctx: BookContext, mark: str, things: NominalGroup, clauses: Sequence[str]) -> NominalGroup:
    """Things with conditions as relative clauses."""
    if not clauses:
        return things
    bare = things.noun.one if not things.parts else type_word(things)
    return things.such(related(ctx, clauses, mark, bare))


def type_word(things: NominalGroup) -> str:
    for part in things.parts:
        if isinstance(part, NominalGroup):
            return part.noun.one
    return things.noun.one


# ---- collections


def group(ctx: BookContext, node: r.Collection) -> NominalGroup:
    node = ctx.folding.collection(node)
    match node:
        case r.InZone():
            return pieces_at(ctx, node)
        case r.OfType(decl=decl):
            return NominalGroup(ctx, noun(ctx, decl), person=decl == "seat")
        case r.Interval(low=low, high=high):
            word = type_noun(ctx, node.item) if not isinstance(node.item, IntType) else _number(ctx)
            ends = {"low": worded(ctx, low), "high": worded(ctx, high)}
            digits = all(str(end).lstrip("-").isdigit() for end in ends.values())
            return NominalGroup(
                ctx, word, after=f" {ctx.say('from-to' if digits else 'from-to-words', **ends)}"
            )
        case r.Items(items=items):
            person = node.item == EnumType("seat")
            return NominalGroup(
                ctx, type_noun(ctx, node.item), person=person, parts=tuple(map(partial(worded, ctx), items))
            )
        case r.Sum(parts=parts):
            return _sum_of(ctx, parts)
        case r.Partners():
            return NominalGroup(
                ctx, Noun(ctx.say("noun-partner"), ctx.say("noun-partners")), you(ctx), person=True
            )
        case r.Picked(group=name, item=item):
            return NominalGroup(
                ctx, type_noun(ctx, item), after=" " + ctx.say("in-set", set=name_of(ctx, name))
            )
        case r.Filtered(binder=binder):
            return bound(ctx, binder)
        case r.Prefix():
            return bound(ctx, node.binder).such(
                ctx.say("as-far-as", clause=_of_prefix(ctx, node), until=int(node.until))
            )
        case r.Ranked():
            return cast(NominalGroup, ctx.ranked(node))
        case r.Either():
            parts_ = []
            for asked, inner in cases_of(ctx, node):
                when = ctx.say("otherwise") if asked is None else ctx.say("if", clause=said_if(ctx, asked))
                parts_.append(group(ctx, inner).such(f"({when})"))
            return NominalGroup(ctx, parts_[0].noun, parts=tuple(parts_), word="or", person=parts_[0].person)
        case r.Opponents():
            if ctx.folding.config.playing == 2 or ctx.rules.seats[1] == 2:
                return NominalGroup(ctx, noun(ctx, "seat"), person=True, parts=(opponent(ctx),))
            return NominalGroup(ctx, other_players(ctx), person=True)
        case r.Neighbours(operand=operand):
            return NominalGroup(
                ctx, type_noun(ctx, node.item), after=" " + ctx.say("next-to", it=worded(ctx, operand))
            )
        case r.Incident(what=what, operand=operand):
            return NominalGroup(
                ctx, type_noun(ctx, node.item), after=" " + ctx.say(f"around-{what}", it=worded(ctx, operand))
            )
        case r.Ray(direction=direction, place=place):
            way = ctx.say("in-direction", it=worded(ctx, place), way=worded(ctx, direction))
            return NominalGroup(ctx, type_noun(ctx, node.item), after=" " + way)
        case r.Spread(start=start, through=through):
            far, over = group(ctx, start).some(), group(ctx, through).many()
            return NominalGroup(ctx, type_noun(ctx, node.item), after=ctx.say("spread", start=far, over=over))
        case r.Combinations(decl=decl, parts=parts):
            kinds = ctx.rules.types[decl].parts
            said = [str(index(ctx, x, name)) for x, (_, name) in zip(parts, kinds, strict=True)]
            return NominalGroup(ctx, noun(ctx, decl), after=f" ({ctx.say.list(said)})")
        case r.OptionSet(name=name):
            if name in ctx.lexicon.nouns or node.item == EnumType(reading_type(name)):
                return NominalGroup(ctx, noun(ctx, name))
            after = " " + ctx.say("in-set", set=nominal(ctx, noun(ctx, name)))
            return NominalGroup(ctx, type_noun(ctx, node.item), after=after)
        case r.HeldSet(var=var, item=item):
            return NominalGroup(
                ctx, type_noun(ctx, item), after=" " + ctx.say("in-set", set=name_of(ctx, var))
            )
        case r.UseCollection(value=name, arguments=arguments):
            named = named_group(ctx, name, arguments)
            if named is None:
                ctx.cite(ctx.rules.collections[name])
            return named or group(ctx, node.collection)
    assert_never(node)


def _of_prefix(ctx: BookContext, node: r.Prefix) -> str:
    with marked(ctx, node.binder.var) as ref:
        clauses = ctx.clauses(node.condition, True)
    return put_in(
        ctx, f" {ctx.say('and')} ".join(map(str, clauses)), str(ref.id), None, type_noun(ctx, node.item).one
    )


def said_if(ctx: BookContext, asked: r.Expr, positive: bool = True) -> str:
    """A condition as one text."""
    return ctx.say.list([str(one) for one in ctx.clauses(asked, positive)]).rstrip(",")


def named_group(ctx: BookContext, name: str, arguments: tuple[r.Expr, ...]) -> NominalGroup | None:
    """A collection by its own words; none if it has none in the first language either."""
    if not ctx.english.is_named(name):
        return None
    said = [worded(ctx, a) for a in arguments]
    template, parameters = ctx.lexicon.template(name), ctx.rules.collections[name].parameters
    word = (
        noun(ctx, name)
        if ctx.lexicon.is_named(name)
        else titled(ctx, name, ctx.rules.collections[name].clauses)
    )
    if template is not None and len(parameters) == len(said):
        text = filled(ctx, template.text, {p.name: a for p, a in zip(parameters, said, strict=True)})
        return NominalGroup(ctx, word, said=fixed(ctx, text))
    if len(arguments) == 1 and arguments[0].type == EnumType("seat") and isinstance(said[0], Nominal):
        return NominalGroup(ctx, word, owner=said[0])
    return NominalGroup(ctx, word, after=f" ({ctx.say.list(list(map(str, said)))})" if said else "")


def titled(ctx: BookContext, name: str, clauses: tuple[str, ...]) -> Noun:
    """What has no word in the language is called by the heading of its clause."""
    known = [ctx.rules.clauses[c].heading for c in clauses if c in ctx.rules.clauses]
    word = f"„{known[0]}”" if known and known[0] else ctx.lexicon.label(name)
    return Noun(word, word)


def _number(ctx: BookContext) -> Noun:
    word = ctx.say("noun-number")
    return Noun(word, grammar(ctx).plural(word))


def _sum_of(ctx: BookContext, parts: tuple[r.Collection, ...]) -> NominalGroup:
    zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
    if len(zones) == len(parts) and zones:
        component = ctx.rules.zones[zones[0]].component
        if all(z.name in zones for z in ctx.rules.zones.values() if z.component == component):
            return NominalGroup(ctx, noun(ctx, component))
    said = tuple(group(ctx, p) for p in parts)
    return NominalGroup(ctx, said[0].noun, person=said[0].person, parts=said)


def opponent(ctx: BookContext) -> Nominal:
    word = ctx.say("noun-opponent")
    return Nominal(grammar(ctx), word, owner=you(ctx))


def other_players(ctx: BookContext) -> Noun:
    found = noun(ctx, "seat")
    return Noun(ctx.say("noun-other", noun=found.one), ctx.say("noun-others", noun=found.many))


def bound(ctx: BookContext, binder: r.Binder) -> NominalGroup:
    """The values of a binder, with its condition."""
    binder = ctx.folding.tree(binder)
    found = group(ctx, binder.collection)
    if isinstance(binder.collection, r.Interval) and binder.var.name in ctx.lexicon.nouns:
        found = replace(found, noun=noun(ctx, binder.var.name))
    if binder.where is None:
        return found
    with marked(ctx, binder.var) as ref:
        clauses = [str(one) for one in ctx.clauses(binder.where)]
    return narrowed(ctx, str(ref.id), found, clauses)


# ---- addresses


def index(ctx: BookContext, node: r.Expr | r.Collection | None, declared: str | None) -> Filler:
    """One index of an address; empty if it is left out."""
    if node is None or declared is None:
        return ""
    if isinstance(node, r.Combined | r.Combinations):
        parts = ctx.rules.types[node.decl].parts
        said = [str(index(ctx, x, name)) for x, (_, name) in zip(node.parts, parts, strict=True)]
        return fixed(ctx, ctx.say.list(said))
    if isinstance(node, r.Collection):
        return group(ctx, node).all()
    decl = ctx.rules.types.get(declared)
    node = ctx.folding.expr(node)
    if (
        decl is not None
        and decl.numeric
        and isinstance(node.type, IntType)
        and not isinstance(node, r.Setting)
    ):
        if isinstance(node, r.Const) and decl.lo <= node.value <= decl.hi:
            return value(ctx, EnumType(declared), node.value)
        return fixed(
            ctx, ctx.say("noun-place-of", noun=nominal(ctx, noun(ctx, declared)), number=worded(ctx, node))
        )
    return worded(ctx, node)


def fillers(var: r.StateVar, of: Filler, at: Filler) -> dict[str, Filler]:
    return {"of": of, "at": at, var.at or "at": at, var.of or "of": of}


def whereabouts(ctx: BookContext, var: r.StateVar, of: Filler, at: Filler) -> str:
    """The indices of an address but for the seat that owns it, in brackets."""
    parts = [str(x) for x in (of if var.of != "seat" else "", at) if str(x)]
    return f" ({', '.join(parts)})" if parts else ""


def place_noun(ctx: BookContext, name: str) -> tuple[Noun, str]:
    """The noun of a zone, and how one speaks of what lies there."""
    written = ctx.lexicon.nouns.get(name, "")
    found = MANNER.search(written)
    if found is not None:
        ctx = replace(
            ctx, lexicon=replace(ctx.lexicon, nouns={**ctx.lexicon.nouns, name: written[: found.start()]})
        )
    word = noun(ctx, name)
    if found is not None:
        return word, found[1]
    several = "," in written or grammar(ctx).is_plural(ctx.lexicon.zone(name))
    return word, "among" if several else grammar(ctx).place(word.one)


def starting_place(ctx: BookContext, zone: r.Zone) -> str:
    """Where pieces lie when play begins: `in the draw pile`."""
    template = ctx.lexicon.template(zone.name)
    if template is not None:
        return ctx.lexicon.zone(zone.name)
    word, manner = place_noun(ctx, zone.name)
    return NominalPlace(nominal(ctx, word, manner == "among"), manner).at()


def pieces_at(ctx: BookContext, node: r.InZone) -> NominalGroup:
    """The pieces at an address."""
    decl = ctx.rules.zones[node.zone]
    of, at = index(ctx, node.of, decl.var.of), index(ctx, node.at, decl.var.at)
    piece = noun(ctx, decl.component)
    one = (decl.var.of is None or _is_one(node.of)) and (decl.var.at is None or _is_one(node.at))
    template = ctx.lexicon.template(node.zone)
    if template is not None:
        text = filled(ctx, MANNER.sub("", template.text), fillers(decl.var, of, at))
        found = MANNER.search(template.text)
        manner = found[1] if found is not None else grammar(ctx).place(MANNER.sub("", template.text))
        return NominalGroup(
            ctx, piece, place=NominalPlace(fixed(ctx, text), manner), single=decl.size == 1 and one
        )
    word, manner = place_noun(ctx, node.zone)
    owner = of if decl.var.of == "seat" and isinstance(of, Nominal) else None
    plural = manner == "among"
    if decl.var.of == "seat" and owner is None:
        owner = replace(nominal(ctx, noun(ctx, "seat"), True), meant="all")
    named = replace(nominal(ctx, word, plural), owner=owner, after=whereabouts(ctx, decl.var, of, at))
    if not named.one:
        return NominalGroup(ctx, piece, owner=owner, single=decl.size == 1 and one)
    held = word if manner == "among" and _is_called_after(word.one, piece.one) and not named.after else None
    return NominalGroup(
        ctx, piece, place=NominalPlace(named, manner), single=decl.size == 1 and one, held=held
    )


def _is_called_after(place: str, piece: str) -> bool:
    """Whether a place is called after the pieces that lie there: `waiting cards`."""
    last, first = place.rpartition(" ")[2], place.partition(" ")[0]
    return piece.endswith(last) or first == piece.partition(" ")[0]


def _is_one(node: r.Expr | r.Collection | None) -> bool:
    return node is not None and not isinstance(node, r.Collection)
