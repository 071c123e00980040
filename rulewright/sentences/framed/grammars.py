"""The grammars of the languages that have frames, over `i18n.grammar`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulewright.i18n.grammar import hungarian as hu, romanian as ro
from rulewright.sentences.framed.nominals import CLOSE, MARK, Determiner, Grammar, Nominal
from rulewright.sentences.text import LINK, STRONG, WEAK

ON_HU = re.compile(
    r"(halom|tábla|tálca|pálya|sáv|mező|mezők|asztal|lap|udvar|piac|fórum|hely|teret|tér|térkép|hajó|kártya"
    r"|terület|tábor|út|korong|lapka)$"
)
ON_RO = re.compile(r"^(tablă|masă|teanc|câmp|pistă|disc|discuri|tabla|masa)\b")


def _bare(text: str) -> str:
    """A text without links and emphasis."""
    return LINK.sub(r"\2", text).replace(STRONG, "").replace(WEAK, "")


@dataclass(frozen=True)
class Hungarian:
    """Cases are suffixes of the last word; what is owned says whose it is; numbers have the singular."""

    declared: Mapping[str, str]

    def form(self, n: Nominal, name: str) -> str:
        if n.mark:
            return f"{MARK}{n.mark}:{name}{CLOSE}"
        if n.you:
            if name in ("az", "have"):
                return ""
            return "te" if name in ("nom", "gen") else hu.PRONOUNS.get(name, "te")
        if name == "bare":
            return self.form(n.as_(""), "nom")
        if name == "az":
            return self._with_article(self.form(n, "nom"))
        case = {"gen": "nom", "have": "dat"}.get(name, name)
        if n.fixed:
            if name == "gen" and n.after:
                case = "dat"
            return f"{n.before}{hu.in_case(n.one, case, self.declared)}{n.after}"
        many = n.plural and not n.number and n.meant not in ("every", "all", "any", "no", "a")
        owner: hu.Owner = "" if n.owner is None else "you" if n.owner.you else "it"
        noun = self._noun(n, owner, many)
        if name == "gen" and n.after:
            case = "dat"
        noun = f"{n.before}{hu.in_case(noun, case, self.declared)}"
        return f"{self._determined(n, f'{n.number} {noun}'.strip())}{n.after}"

    def _noun(self, n: Nominal, owner: hu.Owner, many: bool) -> str:
        if many and not owner:
            return n.several
        return hu.possessed(n.one, owner, many, self.declared)

    def _determined(self, n: Nominal, noun: str) -> str:
        if n.owner is not None and not n.owner.you:
            nested = n.owner.owner is not None and not n.owner.owner.you
            whose = n.owner.form("dat" if nested or n.owner.after else "gen")
            own = f"{whose} {noun}"
            if n.owner.mark:
                own = f"{whose} {noun}"
            elif nested or n.owner.after:
                own = f"{whose} {hu.article(noun)} {noun}"
            if n.meant in ("every", "all"):
                return f"{whose} {'minden' if n.meant == 'every' else 'összes'} {noun}"
            if n.meant == "a":
                return f"{whose} egy {noun}"
            return own
        match n.meant:
            case "the" | "other":
                return f"{hu.article(noun)} {noun}" if noun else noun
            case "a":
                return f"egy {noun}"
            case "every":
                return f"minden {noun}"
            case "all":
                return f"az összes {noun}"
            case "any":
                return f"bármelyik {noun}"
            case "no":
                return f"egyetlen {noun} sem"
            case "that":
                return f"az adott {noun}"
            case "this":
                return f"ez {hu.article(noun)} {noun}"
        return noun

    def _with_article(self, text: str) -> str:
        bare = _bare(text)
        if bare.startswith(("a ", "az ", "egy ", "minden ", "bármelyik ", "ez ", "e ", MARK)):
            return text
        return f"{hu.article(bare)} {text}"

    def text(self, text: str, name: str) -> str:
        if name == "az":
            return self._with_article(text)
        if name in ("nom", "gen", "bare") or not text:
            return text
        if name in hu.POSTPOSITIONS:
            return f"{text} {hu.POSTPOSITIONS[name]}"
        if text.endswith((CLOSE, WEAK, "”", ")", "\ue002")):
            return text
        return hu.in_case(text, name, self.declared)

    def plural(self, noun: str) -> str:
        return hu.plural(noun, self.declared)

    def singular(self, noun: str) -> str:
        for one, parts in self.declared.items():
            many = parts.split(",")[1].strip() if parts.count(",") else ""
            before, last = hu.split(noun)
            if many and last == many:
                return before + one
        return hu.singular(noun)

    def is_plural(self, noun: str) -> bool:
        return self.singular(noun) != noun

    def counted(self, number: int, noun: str) -> str:
        return f"{number} {self.singular(noun)}"

    def place(self, noun: str) -> str:
        if self.is_plural(noun):
            return "among"
        return "on" if ON_HU.search(noun) else "in"

    def bound(self, found: str, noun: str) -> str:
        pronouns = {
            "nom": "az", "gen": "annak", "acc": "azt", "dat": "annak", "in": "abban", "on": "azon",
            "into": "abba", "onto": "arra", "from": "abból", "off": "arról", "at": "annál", "to": "ahhoz",
            "away": "attól", "with": "azzal", "for": "azért", "among": "azok között", "outof": "azok közül",
            "by": "aszerint", "after": "az után", "before": "az előtt", "az": "az", "as": "azként",
            "until": "addig", "have": "annak", "bare": "ilyen", "become": "azzá", "amid": "azok közé",
            "under": "az alatt",
        }  # fmt: skip
        return pronouns.get(found, "az")

    def related(self, clause: str, mark: str, noun: str) -> str:
        start = f"{MARK}{mark}:"
        pronoun = "aki" if noun in PERSONS["hu"] else "amely"
        if clause.startswith(start) and clause.count(start) == 1:
            form, _, rest = clause.removeprefix(start).partition(CLOSE)
            case = {"gen": "dat", "az": "nom", "have": "dat", "bare": "nom"}.get(form, form)
            which = {"acc": "akit" if pronoun == "aki" else "amelyet"}.get(case)
            which = which or f"a{hu.in_case(pronoun[1:], case, {})}"
            article = f" {hu.article(rest)}" if form == "gen" else ""
            return f", {which}{article}{rest}"
        if clause.count(start) == 1 and (found := _related_adverb(clause, start)):
            return found
        if (found := _related_index(clause, mark, pronoun)) or (
            found := _related_owner(clause, mark, pronoun)
        ):
            return found
        return f", {'akinél' if pronoun == 'aki' else 'amelynél'} {clause}"


def _related_index(clause: str, mark: str, pronoun: str) -> str:
    """`, amelynél a készleted nagyobb, mint 0` for `a készleted (…) nagyobb, mint 0`."""
    said, number = re.subn(rf" \({MARK}{mark}:\w+{CLOSE}\)", "", clause)
    which = "akinél" if pronoun == "aki" else "amelynél"
    return f", {which} {said}" if number and f"{MARK}{mark}:" not in said else ""


def _related_owner(clause: str, mark: str, pronoun: str) -> str:
    """`, amelynek vagy az első …, vagy a második …` where each part begins with what belongs to a thing."""
    owner = f"{MARK}{mark}:gen{CLOSE} "
    first, *others = clause.split(owner)
    if first not in ("", "vagy ") or any(f"{MARK}{mark}:" in part for part in others):
        return ""
    if not all(part.endswith((" vagy ", " és ")) for part in others[:-1]):
        return ""
    said = "".join(f"{hu.article(part)} {part}" for part in others)
    return f", {'akinek' if pronoun == 'aki' else 'amelynek'} {first}{said}"


ADVERBS = {"itt": "ahol", "ide": "ahová", "innen": "ahonnan"}
"""Adverbs of place before a colon and what they point to, and the relative adverbs in place of both."""
DEMONSTRATIVES = {
    "ez": "amely", "ezt": "amelyet", "ezzel": "amellyel", "erre": "amelyre", "ebből": "amelyből",
    "ennek": "amelynek", "ezért": "amelyért", "ehhez": "amelyhez", "ettől": "amelytől",
}  # fmt: skip
"""Demonstratives before a colon and what they point to, and the relative pronouns in place of both."""
SUCH = re.compile(r"(.*?)(ilyen|ez a|ez az) [^:]*")
"""Words before a colon that say of which kind the thing is: `te termelsz ilyen árut: …`."""


def _related_adverb(clause: str, start: str) -> str:
    """`, ahol van munkásod` for `van munkásod itt: …`, `, amelyet a bábu elérhet` for `a bábu elérheti …`."""
    before, _, after = clause.partition(start)
    _, _, rest = after.partition(CLOSE)
    if rest.strip():
        return ""
    said, _, adverb = before.rstrip(": ").rpartition(" ")
    if before.endswith(": ") and adverb in ADVERBS:
        return f", {ADVERBS[adverb]} {said}"
    if before.endswith(": ") and adverb in DEMONSTRATIVES:
        return f", {DEMONSTRATIVES[adverb]} {said}"
    if before.endswith(": ") and (such := SUCH.fullmatch(f"{said} {adverb}")) is not None:
        return f", {'amelyet' if such[2] == 'ilyen' else 'amely'} {such[1].strip()}"
    form, alone = after.partition(CLOSE)[0], not before.endswith((": ", "mint ", "vagy "))
    if form in hu.CASES and form != "acc" and before.endswith(" ") and alone:
        return f", a{hu.in_case('mely', form, {})} {before.strip()}"
    if form == "nom" and before.endswith(("megvan ", "nincs meg ")):
        return f", amely {before.strip()}"
    if after.startswith("acc") and before.endswith(("hatja ", "heti ", "hati ")):
        return f", amelyet {before.rstrip().removesuffix('ja').removesuffix('i')}"
    return ""


SINGLE: tuple[Determiner, ...] = ("every", "any", "no", "a")
"""How one thing is meant, whatever its number."""


@dataclass(frozen=True)
class Romanian:
    """Prepositions stand before a noun, whose article is a suffix of its first word."""

    declared: Mapping[str, str]

    def form(self, n: Nominal, name: str) -> str:
        if name == "is":
            return "sunt" if self._is_several(n) else "este"
        if name == "it":
            return self._clitic(n)
        if n.mark:
            return f"{MARK}{n.mark}:{name}{CLOSE}"
        if n.you:
            return "tu" if name == "nom" else ro.PRONOUNS.get(name, "tine")
        if name in ("nom", "az", "have"):
            return self._whole(n, False)
        if name == "bare":
            return self.form(n.as_(""), "nom")
        if name in ("gen", "dat"):
            return self._whole(n, True)
        preposition = ro.PREPOSITIONS[name]
        if name == "before":
            return f"{preposition} {self._whole(n, True)}"
        alone = n.meant == "the" and n.owner is None and not n.after and not n.before and not n.fixed
        alone = alone and " " not in n.one and not n.number
        if preposition in ("", "cu", "ca", "de") or not alone:
            return _contracted(preposition, self._whole(n, False))
        return f"{preposition} {self._noun(n)}"

    def _noun(self, n: Nominal) -> str:
        return n.several if n.plural else n.one

    def _whole(self, n: Nominal, genitive: bool) -> str:
        if n.fixed:
            whose = (
                ro.definite(n.one, False, True, self.declared) if genitive and n.one[:1].islower() else n.one
            )
            return f"{n.before}{whose}{n.after}"
        feminine = ro.gender(n.one, self.declared) == "f"
        yours, own = "", ""
        if n.owner is not None and n.owner.you:
            yours = self._yours(n, feminine)
            if n.number or n.meant not in ("the", "all", "other"):
                yours, own = "", f" {yours}"
        elif n.owner is not None:
            linked = " " in n.one or n.number or n.meant not in ("the", "all", "other")
            own = f" {self._link(n, feminine) if linked else ''}{n.owner.form('gen')}"
        if n.number:
            digits = n.number.rsplit(" ", 1)[-1]
            if digits.isdigit():
                lead = n.number[: -len(digits)]
                return f"{n.before}{lead}{ro.counted(int(digits), n.one, self.declared)}{own}{n.after}"
            lead = n.number if self._is_feminine(n) else n.number.replace("atâtea", "atâția")
            return f"{lead} {n.several}{own}{n.after}"
        many = n.plural and n.meant not in SINGLE
        of = ("unei" if feminine else "unui") if genitive else ("o" if feminine else "un")
        match n.meant:
            case "the" | "other":
                noun = ro.definite(n.one, many, genitive, self.declared, yours, n.many)
            case "a":
                noun = f"{of} {self._oblique(n) if genitive and feminine else n.one}"
            case "every":
                noun = f"{'fiecărei' if feminine else 'fiecărui'} {n.one}" if genitive else f"fiecare {n.one}"
            case "all":
                lead = "tuturor" if genitive else "toate" if self._is_feminine(n) else "toți"
                noun = f"{lead} {ro.definite(n.one, True, genitive, self.declared, yours, n.many)}"
            case "any":
                noun = f"{'oricărei' if feminine else 'oricărui'} {n.one}" if genitive else f"orice {n.one}"
            case "no":
                noun = (
                    f"{'niciunei' if feminine else 'niciunui'} {n.one}"
                    if genitive
                    else (f"{'nicio' if feminine else 'niciun'} {n.one}")
                )
            case "that":
                that = ("acelei" if feminine else "acelui") if genitive else "acea" if feminine else "acel"
                noun = f"{that} {self._oblique(n) if genitive and feminine else n.one}"
            case "this":
                this = (
                    ("acestei" if feminine else "acestui") if genitive else "această" if feminine else "acest"
                )
                noun = f"{this} {self._oblique(n) if genitive and feminine else n.one}"
            case _:
                noun = self._noun(n)
        return f"{n.before}{noun}{own}{n.after}"

    def _is_several(self, n: Nominal) -> bool:
        many = n.plural and n.meant not in SINGLE
        return many or n.meant == "all" or n.number not in ("", "1")

    def _clitic(self, n: Nominal) -> str:
        """What follows an imperative for a thing: `pune-o`; nothing if its gender is unknown."""
        if n.fixed or n.you or n.mark:
            return ""
        if self._is_several(n):
            return "-le" if self._is_feminine(n) else "-i"
        return "-o" if ro.gender(n.one, self.declared) == "f" else "-l"

    def _link(self, n: Nominal, feminine: bool) -> str:
        """What stands before an owner that does not follow the article of its noun: `al`, `a`, `ale`."""
        if n.plural or n.meant == "all" or (n.number and n.number != "1"):
            return "ale " if self._is_feminine(n) else "ai "
        return "a " if feminine else "al "

    def _oblique(self, n: Nominal) -> str:
        """A feminine noun after its article in the genitive: `unei cărți`."""
        return n.several

    def _is_feminine(self, n: Nominal) -> bool:
        return ro.gender(n.one, self.declared) in ("f", "n")

    def _yours(self, n: Nominal, feminine: bool) -> str:
        many = n.plural and n.meant not in SINGLE
        if n.meant in ("a", "every", "any", "no") or n.number:
            return (
                ("a ta" if feminine else "al tău")
                if not n.number or n.number == "1"
                else ("ale tale" if self._is_feminine(n) else "ai tăi")
            )
        if many or n.meant == "all":
            return "tale" if self._is_feminine(n) else "tăi"
        return "ta" if feminine else "tău"

    def text(self, text: str, name: str) -> str:
        if name == "is":
            return "este"
        if name in ("nom", "az", "have", "bare") or not text:
            return text
        if name == "it":
            return ""
        if name in ("gen", "dat"):
            return text if not text[:1].islower() else ro.definite(text, False, True, self.declared)
        return f"{ro.PREPOSITIONS[name]} {text}".strip()

    def plural(self, noun: str) -> str:
        return noun if self.is_plural(noun) else ro.plural(noun, self.declared)

    def singular(self, noun: str) -> str:
        word, space, rest = noun.partition(" ")
        known = {many: one for one, (many, _) in ro.PARTS.items()}
        known |= {parts.partition(",")[0].strip(): one for one, parts in self.declared.items()}
        return f"{known.get(word, word)}{space}{rest}"

    def is_plural(self, noun: str) -> bool:
        return self.singular(noun) != noun

    def counted(self, number: int, noun: str) -> str:
        return ro.counted(number, self.singular(noun), self.declared)

    def place(self, noun: str) -> str:
        if self.is_plural(noun):
            return "among"
        return "on" if ON_RO.search(noun) else "in"

    def bound(self, found: str, noun: str) -> str:
        feminine = ro.gender(noun, self.declared) == "f"
        it = "ea" if feminine else "el"
        if found == "bare":
            return "aceasta" if feminine else "acesta"
        if found in ("gen", "dat"):
            return "ei" if feminine else "lui"
        preposition = ro.PREPOSITIONS.get(found, "")
        return f"{preposition} {it}".strip()

    def related(self, clause: str, mark: str, noun: str) -> str:
        start = f"{MARK}{mark}:nom{CLOSE}"
        if clause.startswith(start) and clause.count(f"{MARK}{mark}:") == 1:
            return f" care{clause.removeprefix(start)}"
        said, number = re.subn(rf" (la|de la) {MARK}{mark}:nom{CLOSE}", "", clause)
        if number and f"{MARK}{mark}:" not in said:
            return f" la care {said}"
        return f" pentru care {clause}"


def _contracted(preposition: str, text: str) -> str:
    """`într-o mână`, `dintr-un teanc`"""
    if text.startswith(("un ", "o ")) and preposition in ("în", "din"):
        return f"{preposition}tr-{text}" if preposition == "din" else f"într-{text}"
    return f"{preposition} {text}".strip()


PERSONS = {"hu": ("játékos", "ellenfél", "másik játékos")}
GRAMMARS: Mapping[str, Callable[[Mapping[str, str]], Grammar]] = {"hu": Hungarian, "ro": Romanian}
"""The languages that have frames, by their primary tag."""


def grammar_of(language: str, declared: Mapping[str, str]) -> Grammar | None:
    """The grammar of a language with the declared forms of its words; none if it has no frames."""
    found = GRAMMARS.get(language.partition("-")[0].lower())
    return found(declared) if found is not None else None
