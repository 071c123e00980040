"""Forms of Romanian nouns: plural, definite article, genitive and dative.

The first word of a noun is inflected, what follows it stays. A word that goes another way has its principal
parts declared: plural, and gender as `f`, `m` or `n`.
"""

from __future__ import annotations

from collections.abc import Mapping

VOWELS = "aăâeiîou"
PARTS: Mapping[str, tuple[str, str]] = {
    "carte": ("cărți", "f"), "mână": ("mâini", "f"), "jucător": ("jucători", "m"), "zar": ("zaruri", "n"),
    "punct": ("puncte", "n"), "clădire": ("clădiri", "f"), "personaj": ("personaje", "n"),
    "disc": ("discuri", "n"), "teanc": ("teancuri", "n"), "sestert": ("sesterți", "m"),
    "sesterț": ("sesterți", "m"), "preț": ("prețuri", "n"), "apărare": ("apărări", "f"),
    "putere": ("puteri", "f"), "tip": ("tipuri", "n"), "număr": ("numere", "n"),
    "adversar": ("adversari", "m"),
    "rezervă": ("rezerve", "f"), "acțiune": ("acțiuni", "f"), "rundă": ("runde", "f"), "tur": ("tururi", "n"),
    "tablă": ("table", "f"), "loc": ("locuri", "n"), "masă": ("mese", "f"), "fază": ("faze", "f"),
    "față": ("fețe", "f"), "valoare": ("valori", "f"), "culoare": ("culori", "f"), "rang": ("ranguri", "n"),
    "efect": ("efecte", "n"), "piesă": ("piese", "f"), "jeton": ("jetoane", "n"), "câmp": ("câmpuri", "n"),
    "rând": ("rânduri", "n"), "sumă": ("sume", "f"), "exemplar": ("exemplare", "n"), "unu": ("unii", "m"),
    "proprietar": ("proprietari", "m"), "parte": ("părți", "f"), "țintă": ("ținte", "f"),
    "activare": ("activări", "f"), "rearuncare": ("rearuncări", "f"), "modificare": ("modificări", "f"),
    "rest": ("resturi", "n"), "dublu": ("duble", "n"), "jumătate": ("jumătăți", "f"), "câine": ("câini", "m"),
}  # fmt: skip
PREPOSITIONS = {
    "in": "în", "into": "în", "from": "din", "on": "pe", "onto": "pe", "off": "de pe", "at": "la", "to": "la",
    "away": "de la", "with": "cu", "for": "pentru", "as": "ca", "until": "până la", "become": "", "acc": "",
    "among": "printre", "amid": "printre", "outof": "dintre", "under": "sub", "after": "după",
    "before": "înaintea", "by": "după", "of": "de",
}  # fmt: skip
"""What stands before a noun in place of a case."""
PRONOUNS = {
    "acc": "te", "dat": "ție", "in": "în tine", "into": "în tine", "from": "de la tine", "away": "de la tine",
    "with": "cu tine", "to": "la tine", "at": "la tine", "on": "pe tine", "onto": "pe tine",
    "for": "pentru tine",
    "gen": "al tău", "outof": "dintre tine", "by": "după tine",
}  # fmt: skip


def _parts(noun: str, declared: Mapping[str, str]) -> tuple[str, str, str, str]:
    """The first word, what follows it, its plural and its gender."""
    word, space, rest = noun.partition(" ")
    found = declared.get(word)
    if found is not None:
        many, _, gender = (part.strip() for part in found.partition(","))
        return word, space + rest, many, gender or _gender(word)
    if word.lower() in PARTS:
        many, gender = PARTS[word.lower()]
        return word, space + rest, many.capitalize() if word[:1].isupper() else many, gender
    for many, gender in PARTS.values():
        if word == many:
            return word, space + rest, many, gender
    return word, space + rest, _plural(word), _gender(word)


def gender(noun: str, declared: Mapping[str, str]) -> str:
    """`f`, `m` or `n`."""
    return _parts(noun, declared)[3]


def _gender(word: str) -> str:
    return "f" if word.endswith(("ă", "e", "a", "i")) and not word.endswith(("ori", "uri")) else "n"


def _plural(word: str) -> str:
    if word.endswith(("uri", "ți", "ori", "eri", "le")):
        return word
    if word.endswith("ă"):
        return f"{word[:-1]}e"
    if word.endswith("ie"):
        return f"{word[:-1]}i"
    if word.endswith("e"):
        return f"{word[:-1]}i"
    if word.endswith("u"):
        return f"{word[:-1]}e"
    return f"{word}uri"


def is_plural(noun: str, declared: Mapping[str, str]) -> bool:
    """Whether the first word of a noun is a plural."""
    word = noun.partition(" ")[0]
    known = {many for many, _ in PARTS.values()} | {v.partition(",")[0].strip() for v in declared.values()}
    return word in known or (word.endswith(("uri", "ți")) and word not in PARTS)


def plural(noun: str, declared: Mapping[str, str]) -> str:
    """The plural: `cărți de personaj`."""
    word, rest, many, _ = _parts(noun, declared)
    return f"{many or word}{rest}"


def definite(
    noun: str, many: bool, genitive: bool, declared: Mapping[str, str], whose: str = "", several: str = ""
) -> str:
    """A noun with its article: `cartea`, `cărții`, `cărțile`, `cărților`; `whose` follows its first word.

    `several` is its plural, if what follows the first word has one too: `zaruri nefolosite`.
    """
    if noun.startswith(("al ", "a ")) and not many:
        return f"celui de-{noun}" if genitive and noun.startswith("al ") else noun
    word, rest, plural_, gender_ = _parts(noun, declared)
    if many and several:
        plural_, space, after = several.partition(" ")
        rest = space + after
    rest = f" {whose}{rest}" if whose else rest
    if word[:1].isupper() or not word[:1].isalpha():
        return f"lui {noun}" if genitive else noun
    if many:
        if genitive:
            return f"{plural_}lor{rest}"
        return f"{plural_}{'i' if gender_ == 'm' else 'le'}{rest}"
    if gender_ == "f":
        if genitive:
            return f"{plural_.removesuffix('i')}ii{rest}" if plural_.endswith("i") else f"{plural_}i{rest}"
        if word.endswith("ă"):
            return f"{word[:-1]}a{rest}"
        if word.endswith("ie"):
            return f"{word[:-1]}a{rest}"
        return f"{word}a{rest}" if word.endswith("e") else f"{word}ua{rest}"
    if word.endswith("e"):
        return f"{word}{'lui' if genitive else 'le'}{rest}"
    stem = word if word.endswith("u") else f"{word}u"
    return f"{stem}{'lui' if genitive else 'l'}{rest}"


def counted(number: int, noun: str, declared: Mapping[str, str]) -> str:
    """A number with its noun: `o carte`, `2 cărți`, `20 de cărți`."""
    if number == 1:
        return f"{'o' if gender(noun, declared) == 'f' else 'un'} {noun}"
    few = number == 0 or 1 <= number % 100 <= 19
    return f"{number} {'' if few else 'de '}{plural(noun, declared)}"
