"""English morphology: articles, plurals, possessives, agreement, lists, sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from unicodedata import normalize

IRREGULAR = {
    "die": "dice", "man": "men", "woman": "women", "person": "people", "child": "children", "foot": "feet",
    "goose": "geese", "mouse": "mice", "sheep": "sheep", "knife": "knives", "leaf": "leaves",
    "lens": "lenses", "half": "halves", "wolf": "wolves", "thief": "thieves", "loaf": "loaves",
    "shelf": "shelves",
}  # fmt: skip
SINGULAR = {many: one for one, many in IRREGULAR.items()}
UNCUT = frozenset({"res", "series", "species", "means", "news", "yes"})
"""Words that end like a plural, and are their own."""
SMALL = (
    "of", "in", "on", "at", "to", "from", "with", "by", "for", "into", "and", "or", "that", "who", "whose",
    "where", "which", "than", "left", "done", "played", "kept", "taken", "removed", "below", "above", "this",
    "when", "up", "ahead", "but", "without", "before", "after", "behind", "beside", "between", "next",
)  # fmt: skip
PARTICIPLE = re.compile(
    r"(\w+(ed|en)|bought|brought|built|caught|done|drawn|fought|gone|had|held|kept|laid|left|lost|made|met|"
    r"paid|put|run|said|sent|set|shown|sold|spent|thrown|told|won)\b"
)
VERBS = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were"}
MEASURES = re.compile(
    r"(?:the )?(?:[a-z]+ )?(number|amount|total|sum|level|length|strength|height|size|count) of\b"
)
"""The beginning of a noun for a number, which is no plural where it is read: `number of cards played`."""
TIMES = {1: "once", 2: "twice"}


def plural(noun: str) -> str:
    """The plural of a noun with all that follows it: `cards on the table`."""
    return _inflected(noun, _plural)


def singular(noun: str) -> str:
    """The singular of a noun, which stays as it is if it does not look like a plural."""
    return _inflected(noun, _singular)


def _inflected(noun: str, inflect: Callable[[str], str]) -> str:
    """A noun with the last word of its head inflected."""
    head, rest = _head(noun)
    *before, last = head.split(" ")
    return " ".join([*before, inflect(last)]) + rest


def head_of(noun: str) -> str:
    """A noun without what follows it: `cards` of `cards on the table`."""
    return _head(noun)[0]


def _head(noun: str) -> tuple[str, str]:
    """A noun up to the first function word, participle or comma, and the rest."""
    words = noun.split(" ")
    end = next((i for i, word in enumerate(words) if i and word in SMALL), len(words))
    comma = next((i + 1 for i, word in enumerate(words[:end]) if word.endswith(",")), end)
    whole, rest = " ".join(words[:comma]), " ".join(words[comma:])
    head = whole.rstrip(",")
    return head, whole.removeprefix(head) + (f" {rest}" if rest else "")


def _plural(word: str) -> str:
    low = word.lower()
    if low in IRREGULAR:
        return IRREGULAR[low] if word == low else IRREGULAR[low].capitalize()
    if low in SINGULAR or low in UNCUT or not word[-1:].isalpha() or is_plural_word(low):
        return word
    if low.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def _singular(word: str) -> str:
    low = word.lower()
    if low in SINGULAR:
        return SINGULAR[low]
    if low.endswith("ies") and len(low) > 4:
        return f"{word[:-3]}y"
    if low.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if is_plural_word(word) else word


def is_plural_word(word: str) -> bool:
    low = word.lower()
    return (
        low in SINGULAR
        or low.endswith("ii")
        or (low.endswith("s") and not low.endswith(("ss", "us", "is", "'s", "as", "os")))
    ) and low not in UNCUT


def article(noun: str) -> str:
    """A noun with its indefinite article: `a card`; after a number and for a letter there is none: `n`."""
    if not noun[:1].isalpha() or noun.startswith("the ") or len(noun) == 1:
        return noun
    if noun.startswith("other "):
        return f"an{noun}"
    vowel = normalize("NFD", noun[0].lower())[0] in "aeiou" and not noun.lower().startswith(
        ("uni", "use", "one", "eu")
    )
    return f"an {noun}" if vowel else f"a {noun}"


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def possessive(owner: str) -> str:
    """`your`, `its`, `the card's`, `the other players'`."""
    match owner:
        case "you":
            return "your"
        case "it":
            return "its"
        case "they":
            return "their"
    last = owner.rsplit(" ", 1)[-1]
    return f"{owner}'" if is_plural_word(last) and last[:1].islower() else f"{owner}'s"


# ---- agreement


def plain_verb(third: str) -> str:
    """`has` → `have`, `carries` → `carry`, `passes` → `pass`, `gains` → `gain`."""
    first, _, rest = third.partition(" ")
    if first in VERBS:
        found = VERBS[first]
    elif first.endswith("ies") and len(first) > 4:
        found = f"{first[:-3]}y"
    elif first.endswith(("sses", "shes", "ches", "xes")):
        found = first[:-2]
    elif first.endswith("s") and not first.endswith("ss"):
        found = first[:-1]
    else:
        found = first
    return f"{found} {rest}" if rest else found


def third_verb(plain: str) -> str:
    """`have` → `has`, `carry` → `carries`, `pass` → `passes`, `gain` → `gains`."""
    third = next((one for one, many in VERBS.items() if many == plain), "")
    if third:
        return third
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return f"{plain[:-1]}ies"
    return f"{plain}es" if plain.endswith(("ss", "sh", "ch", "x", "o")) else f"{plain}s"


def is_many(subject: str) -> bool:
    """Whether the head of a noun phrase is a plural: `your victory points`, not `the number of dice`."""
    if subject.startswith(("what ", "all that ")):
        return False
    head = re.split(
        r" (?:of|on|in|at|that|who|whose|from|with|where|for|to|this|by|without|but|when|between"
        r"|left|played) ",
        f"{subject} ",
        maxsplit=1,
    )[0]
    last = head.strip().rsplit(" ", 1)[-1]
    return " and " in head or (last[:1].islower() and is_plural_word(last))


def is_participle(word: str) -> bool:
    """Whether a word after `has` is the participle of a perfect."""
    return PARTICIPLE.fullmatch(word) is not None


# ---- lists and sentences


def listed(texts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    *most, end = texts or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop, unless it has a punctuation mark at its end."""
    result = capital(text.strip())
    return result if result.endswith((".", ":", "!", "?")) else f"{result}."


def capital(text: str) -> str:
    """A text with a capital first letter, also in a link."""
    found = re.search(r"[^\W_]", text) if not text.startswith("\ue000") else re.search(r"\ue001(.)", text)
    if found is None:
        return text
    at = found.end() - 1
    return text[:at] + text[at].upper() + text[at + 1 :]


def lower(text: str) -> str:
    """A text with a small first letter, to follow other words; an acronym keeps its capitals."""
    if text.startswith("\ue000"):
        before, between, rest = text.partition("\ue001")
        return f"{before}{between}{lower(rest)}"
    if text.startswith("("):
        return f"({lower(text[1:])}"
    first = text.split(" ", 1)[0]
    return text if first.isupper() and len(first) > 1 else text[:1].lower() + text[1:]


def times(number: int) -> str:
    """`once`, `twice`, `3 times`"""
    return TIMES.get(number, f"{number} times")
