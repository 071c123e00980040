"""The lexicon of a game: nouns, labels, headings, and the templates of its author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from dsl.wording import declared_singular, listed
from rulewright.i18n.messages import Messages, messages_of
from rulewright.sentences.english import article, capital, plural, singular
from rulewright.sentences.framed.grammars import grammar_of
from rulewright.sentences.framed.nominals import Grammar

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
ARTICLES = {"en": ("the ",), "hu": ("az ", "a ")}
DONE_WITH = re.compile(
    r"\w{3,}[^e\W]ed|bought|built|chosen|drawn|found|given|hidden|kept|laid|lost|shown|sold|spent|taken|thrown|won"
)
"""Labels of zones that say what has been done with the pieces in them: `played`."""
WITH_HOLE = re.compile(r"\[[^\]]*\]|( *\b(at|by|for|from|in|of|on|to|with)\b)?( the| an?)? *\{\w+(’s|'s)?\}")
OWNER = re.compile(r"^\{seat's\} | *\b(by|for|of) (the )?\{seat\}(?!')")
"""Where a noun says to which seat something belongs."""
PREPOSITIONS = {"ro": ("cu", "de", "din", "în", "la", "lui", "pe", "pentru", "prin", "spre", "sub")}
"""Words of languages with frames after which a label waits for an object."""
TRAILING = ("with", "on", "onto", "into", "in", "to", "of", "from", "at", "for", "by", "the", "a", "an")


@dataclass(frozen=True)
class Noun:
    one: str
    many: str


@dataclass(frozen=True)
class Template:
    """A phrase of the author with placeholders such as `{card}` and `{seat's}`; `not_so` is its negation."""

    text: str
    not_so: str = ""

    @property
    def compares(self) -> bool:
        """Whether it compares something with a value: `{card} is a {value}`."""
        return "{value}" in self.text or "{value:" in self.text


@dataclass(frozen=True)
class Lexicon:
    """The words of one game in one language."""

    rules: r.Rules
    labels: Mapping[str, str]
    helps: Mapping[str, str]
    nouns: Mapping[str, str]
    phrases: Mapping[str, str]
    language: str = "en"
    forms: Mapping[str, str] = field(default_factory=dict)

    # ---- names

    def _many(self, noun: str) -> str:
        """The plural of a noun; a noun of a language without a grammar is not inflected."""
        if self.grammar is not None:
            return self.grammar.plural(noun)
        return plural(noun) if self._is_english else noun

    def _one(self, noun: str) -> str:
        if self.grammar is not None:
            return self.grammar.singular(noun)
        return singular(noun) if self._is_english else noun

    @cached_property
    def grammar(self) -> Grammar | None:
        """The grammar of the language, if it has frames."""
        return grammar_of(self.language, self.forms)

    @cached_property
    def _say(self) -> Messages:
        return (
            messages_of(self.language, "book", "sentences")
            if self.grammar is not None
            else messages_of("en", "book")
        )

    def without_article(self, name: str) -> str:
        """The label of a name, without the article with which it may begin."""
        return self._bare(self.label(name))

    def _bare(self, noun: str) -> str:
        """A noun without the definite article with which a label may begin."""
        found = (a for a in ARTICLES.get(self.language[:2], ()) if noun.startswith(a))
        return noun.removeprefix(next(found, ""))

    @cached_property
    def _is_english(self) -> bool:
        """Where nothing has a label of its own, too: the sentences around the names are English."""
        own = any(label != name.replace("_", " ") for name, label in self.labels.items())
        return self.language[:2] == "en" or (self.language == r.NO_LANGUAGE and not own)

    def label(self, name: str) -> str:
        """The label of a name; without one, or with an empty one, the name itself in plain words."""
        own = self.labels.get(name)
        if not own and self.grammar is not None and name in self.nouns:
            own = self.nouns[name].partition(";")[0].rpartition(",")[2].strip()
        return own or name.replace("_", " ")

    def score(self, line: str) -> str:
        """A line of the account: by its own label, `score.NAME`, or else by that of its name."""
        return self.label(r.key_of_line(line, self.labels))

    def is_named(self, name: str) -> bool:
        return bool(self.labels.get(name)) or name in self.nouns or name in self.phrases

    def noun(self, name: str) -> Noun:
        """A name as a noun: `card`, `cards`."""
        if name.endswith(" row"):
            return self.noun(name.removesuffix(" row"))
        if name.startswith("("):
            return self._pair(self.rules.types[name])
        if name in self.nouns:
            said = self.nouns[name].partition(";")[0] if self.grammar is not None else self.nouns[name]
            one, _, many = (unowned(part.strip()) for part in said.partition(","))
            one = self._bare(one)
            return Noun(one, many or self._many(one))
        if name == "seat" and not self.labels.get(name):
            return Noun("player", "players") if self.grammar is None else self._word("player")
        if name not in self.labels and (beside := self._directions_beside(name)):
            which = f"{name.replace('_', ' ')} " if beside > 1 else ""
            return Noun(f"{which}direction", f"{which}directions")
        shown = self.without_article(name)
        kind = name in self.rules.types or name in self.rules.components
        return (
            Noun(self._one(shown), shown)
            if kind and self._one(shown) != shown
            else Noun(shown, self._many(shown))
        )

    def _word(self, name: str) -> Noun:
        """A word of the language itself: `number`, `condition`."""
        word = self._say(f"noun-{name}")
        return Noun(word, self._many(word))

    def _directions_beside(self, name: str) -> int:
        """How many types of directions a board has, if this is one of them; else 0."""
        boards = (decl.directions for decl in self.rules.types.values() if name in decl.directions)
        return max(map(len, boards), default=0)

    def _pair(self, decl: r.TypeDecl) -> Noun:
        """Several indices: `slot and colour`."""
        nouns = [self.noun(kind) if column == kind else self.noun(column) for column, kind in decl.parts]
        return Noun(listed([n.one for n in nouns], "and"), listed([n.many for n in nouns], "and"))

    def written(self, name: str) -> str:
        """A noun as its author has written it, with its article if it has one: `the bar`."""
        return declared_singular(self.nouns[name]) if name in self.nouns else self.label(name)

    @property
    def player(self) -> Noun:
        """What a seat is called: `player`, unless the game has another word."""
        return self.noun("seat")

    def unit(self, name: str) -> Noun:
        """What a counter counts. Its label may be a plural already: `victory points`."""
        said = self.nouns.get(name)
        if said is not None and ("," in said or self._one(said) == said):
            return self.noun(name)
        shown = self._bare(said) if said is not None else self.without_article(name)
        return Noun(self._one(shown), shown)

    def group(self, name: str) -> Noun:
        """What belongs to a collection, which may be named by a plural: `attacked squares`."""
        said = self.nouns.get(name, "")
        if "," in said or self._one(said) == said:
            return self.unit(name)
        return Noun(self._one(said), said)

    def title(self, name: str) -> str:
        """A name as a title, as in a table."""
        said = self.labels.get(name) or self.noun(name).one
        return without_holes(said) or name.replace("_", " ")

    def option_value(self, option: str, value: str) -> str:
        """A value of an option: by its own label, `edition.second`, or else by that of its name."""
        own = self.labels.get(f"{option}.{value}")
        return own or (value.replace("_", " ") if self.is_of_rows(value) else self.label(value))

    def is_of_rows(self, name: str) -> bool:
        """Whether a label is that of a column, and not of a local or option with the same name."""
        types, components = self.rules.types.values(), self.rules.components.values()
        return any(name in t.columns for t in types) or any(name in c.columns for c in components)

    def zone(self, name: str) -> str:
        """The noun of a zone: a place, `hand`, or its pieces, `unused dice`; `taken cards` for `taken`."""
        if name in self.nouns and self.grammar is None:
            return unowned(self.nouns[name])
        label = self.label(name)
        if not self._is_english or DONE_WITH.fullmatch(label) is None:
            return label
        return f"{label} {self.noun(self.rules.zones[name].component).many}"

    def template(self, name: str) -> Template | None:
        template = self.phrases.get(name)
        if template is None:
            return None
        text, _, not_so = (part.strip() for part in template.partition("|"))
        return Template(text, not_so)

    def column(self, owner: str, name: str, known: Mapping[str, str]) -> str:
        """The key of a column in a table of words: `card.cost`, or the bare name."""
        decl, component = self.rules.types.get(owner), self.rules.components.get(owner)
        owners = [owner]
        if decl is not None and decl.base is not None:
            owners.append(decl.base)
        if component is not None:
            owners += [kind for kind in component.columns if kind in self.rules.types]
        return next((key for o in owners if (key := f"{o}.{name}") in known), name)

    def column_noun(self, owner: str, name: str) -> Noun:
        key = self.column(owner, name, self.nouns)
        return self.noun(key if key != name else self.column(owner, name, self.labels))

    def column_template(self, owner: str, name: str) -> Template | None:
        """The template of a column; only by its full key, `card.cost`, if something else has its name."""
        key, rules = self.column(owner, name, self.phrases), self.rules
        other = (
            rules.counters, rules.marks, rules.pointers, rules.routines, rules.tables, rules.values,
            rules.zones,
        )  # fmt: skip
        product = name in rules.types and bool(rules.types[name].parts)
        shared = product or any(name in kind for kind in other)
        return self.template(key) if key != name or not shared else None

    def heading(self, name: str, clauses: tuple[str, ...] = ()) -> str:
        """The title of a routine or phase: its noun or label, or else the heading of its clause."""
        if name in self.nouns:
            return capital(self.written(name))
        if self.labels.get(name):
            return capital(self._completed(name))
        headings = [self.rules.clauses[c].heading for c in clauses if c in self.rules.clauses]
        return headings[0] if headings and headings[0] else capital(name.replace("_", " "))

    def _completed(self, name: str) -> str:
        """A label, completed by its object if it needs one: `take money with a die`."""
        label = self.labels[name].removesuffix(":")
        routine = self.rules.routines.get(name)
        chosen = []
        if routine is not None and routine.kind == "action":
            chosen = [p.var for p in routine.parameters if p.binder is not None]
        if not chosen or not waits(label) or self.grammar is not None:
            return _trimmed(label, PREPOSITIONS.get(self.language.partition("-")[0], ()))
        first = chosen[0]
        noun = self.noun(first.name) if first.name in self.nouns else self.type_noun(first.type)
        return f"{before_article(label)} {article(noun.one)}"

    # ---- values

    def type_noun(self, kind: Type) -> Noun:
        match kind:
            case EnumType(name) | PieceType(name):
                return self.noun(name)
            case FlagType():
                return Noun("condition", "conditions") if self.grammar is None else self._word("condition")
            case EffectType():
                return Noun("effect", "effects") if self.grammar is None else self._word("effect")
            case SetType(item):
                many = self.type_noun(item).many
                if self.grammar is not None:
                    return Noun(self._say("noun-set", things=many), many)
                return Noun(f"set of {many}", f"sets of {many}")
        return Noun("number", "numbers") if self.grammar is None else self._word("number")

    def value(self, kind: Type, value: int) -> str:
        """A constant within a sentence: `dice disc 3`, `wood`, `the first player`, `5`."""
        if value == NONE:
            return self._say("none")
        match kind:
            case EnumType("seat") if self.grammar is not None:
                return self._nth_player(value)
            case EnumType("seat"):
                return f"the {ORDINALS[value]} {self.player.one}"
            case EnumType(name):
                decl = self.rules.types[name]
                if decl.shape != "none" and decl.numeric:
                    return self.of_type(decl, value)
                if decl.label(value) in self.nouns:
                    return self.written(decl.label(value))
        return self.bare(kind, value)

    def bare(self, kind: Type, value: int) -> str:
        """A constant where its type is clear, as in the cell of a table."""
        if value == NONE:
            return "–"
        match kind:
            case IntType(of=of):
                return self._number(of, value)
            case FlagType():
                return self._say("yes" if value else "no")
            case EnumType("seat") if self.grammar is not None:
                return self._nth_player(value)
            case EnumType("seat"):
                return f"{ORDINALS[value]} {self.player.one}"
            case EnumType(name):
                decl = self.rules.types[name]
                if decl.numeric:
                    return self._number(name, value)
                return self.label(decl.label(value))
            case EffectType():
                return self.label(self.rules.cells[value][0])
            case PieceType() | SetType() | NoneType():
                return str(value)

    def _nth_player(self, value: int) -> str:
        return self._say("noun-nth", number=value + 1, noun=self.player.one)

    def of_type(self, decl: r.TypeDecl, number: int) -> str:
        """A number of a type within a sentence: by its label, `the bar`, or else with its noun, `point 6`."""
        own = self.labels.get(r.key_of_number(decl.name, number))
        return own or f"{self.noun(decl.name).one} {number}"

    def _number(self, of: str, value: int) -> str:
        return self.labels.get(r.key_of_number(of, value)) or str(value)

    def members(self, decl: r.TypeDecl) -> list[str]:
        return [self.bare(EnumType(decl.name), v) for v in decl.members]


def without_holes(said: str) -> str:
    """A noun without its placeholders and the prepositions before them: `army` for `army of {seat}`."""
    return WITH_HOLE.sub("", said).strip()


def unowned(said: str) -> str:
    """A noun without the seat to which it belongs: `army in {region}` for `army of {seat} in {region}`."""
    return OWNER.sub("", said).strip()


def type_name(kind: Type) -> str:
    """The name of an enumeration, or of the component of pieces; empty for other types."""
    match kind:
        case EnumType(name) | PieceType(name):
            return name
    return ""


def waits(label: str) -> bool:
    """Whether a label needs an object after it: `take money with`, `lay`."""
    return " " not in label or label.split(" ")[-1] in TRAILING


def before_article(label: str) -> str:
    """A label that waits for an object, without the article before it: `castle on` for `castle on the`."""
    before, _, last = label.rpartition(" ")
    return before if last in ("the", "a", "an") and before else label


def _trimmed(label: str, more: tuple[str, ...] = ()) -> str:
    """A label without the prepositions and articles at its end: `take money` for `take money with`."""
    words = label.split(" ")
    while len(words) > 1 and words[-1] in (*TRAILING, *more):
        words.pop()
    return " ".join(words)
