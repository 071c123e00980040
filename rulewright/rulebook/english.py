"""English: articles, plurals, possessives, verbs that agree, denials, lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

IRREGULAR = {
    "die": "dice", "man": "men", "woman": "women", "person": "people", "child": "children", "foot": "feet",
    "goose": "geese", "mouse": "mice", "sheep": "sheep", "knife": "knives", "leaf": "leaves",
    "half": "halves", "wolf": "wolves", "thief": "thieves", "loaf": "loaves", "shelf": "shelves",
}  # fmt: skip
SINGULAR = {many: one for one, many in IRREGULAR.items()}
SMALL = (
    "of", "in", "on", "at", "to", "from", "with", "by", "for", "into", "and", "or", "that", "who", "whose",
    "where", "which", "than", "left", "done", "played", "kept", "taken", "removed", "below", "above", "this",
)  # fmt: skip
PARTICIPLE = re.compile(
    r"(\w+(ed|en)|bought|brought|built|caught|done|drawn|fought|gone|had|held|kept|laid|left|lost|made|met|"
    r"paid|put|run|said|sent|set|shown|sold|spent|thrown|told|won)\b"
)
VERBS = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were"}
TIMES = {1: "once", 2: "twice"}


def plural(noun: str) -> str:
    """The plural of a noun; what follows a small word stays: `cards on the table`."""
    head, rest = _head(noun)
    *before, last = head.split(" ")
    return " ".join([*before, _plural(last)]) + rest


def singular(noun: str) -> str:
    """The singular of a plural noun, as far as it can be told."""
    head, rest = _head(noun)
    *before, last = head.split(" ")
    return " ".join([*before, _singular(last)]) + rest


def head_of(noun: str) -> str:
    """A noun without what follows it: `cards` of `cards on the table`."""
    return _head(noun)[0]


def _head(noun: str) -> tuple[str, str]:
    """A noun up to the first small word, word about time, or comma, and the rest."""
    words = noun.split(" ")
    end = next((i for i, word in enumerate(words) if i and word in SMALL), len(words))
    comma = next((i + 1 for i, word in enumerate(words[:end]) if word.endswith(",")), end)
    head, rest = " ".join(words[:comma]), " ".join(words[comma:])
    return (head.rstrip(","), head[len(head.rstrip(",")) :] + (f" {rest}" if rest else ""))


def _plural(word: str) -> str:
    low = word.lower()
    if low in IRREGULAR:
        return IRREGULAR[low] if word == low else IRREGULAR[low].capitalize()
    if low in SINGULAR or not word[-1:].isalpha():
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
    )


def article(noun: str) -> str:
    """`a card`, `an action die`; what begins with a number has none."""
    if not noun[:1].isalpha():
        return noun
    if noun.startswith("other "):
        return f"an{noun}"
    vowel = noun[0].lower() in "aeiou" and not noun.lower().startswith(("uni", "use", "one", "eu"))
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


def is_many(subject: str) -> bool:
    """Whether the head of a noun phrase is a plural: `your victory points`, not `the number of dice`."""
    if subject.startswith(("what ", "all that ")):
        return False
    head = re.split(
        r" (?:of|on|in|at|that|who|whose|from|with|where|for|to|this|by) ", f"{subject} ", maxsplit=1
    )[0]
    last = head.strip().rsplit(" ", 1)[-1]
    return " and " in head or (last[:1].islower() and is_plural_word(last))


def is_participle(word: str) -> bool:
    """Whether a verb after `has` makes the perfect with it."""
    return PARTICIPLE.fullmatch(word) is not None


# ---- putting together


def listed(texts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    *most, end = texts or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def sentence(text: str) -> str:
    """With a capital letter and a full stop, unless it ends in a mark already."""
    whole = capital(text.strip())
    return whole if whole.endswith((".", ":", "!", "?")) else f"{whole}."


def capital(text: str) -> str:
    """The first letter large; marks of links before it are passed over."""
    found = re.search(r"[^\W_]", text) if not text.startswith("\ue000") else re.search(r"\ue001(.)", text)
    if found is None:
        return text
    at = found.end() - 1
    return text[:at] + text[at].upper() + text[at + 1 :]


def lower(text: str) -> str:
    """The first letter small, for a sentence that goes on in another; names keep theirs."""
    first = text.split(" ", 1)[0]
    return text if first.isupper() and len(first) > 1 else text[:1].lower() + text[1:]


def times(number: int) -> str:
    """`once`, `twice`, `3 times`"""
    return TIMES.get(number, f"{number} times")
