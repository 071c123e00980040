"""Forms of Hungarian nouns: plural, possessives, cases, and the article that a word takes.

Suffixes follow vowel harmony and the stem, as descriptive grammars have it. A word that goes another way has
its principal parts declared: accusative, plural, and possessive of the third person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Owner = Literal["", "you", "it"]
"""Whose a noun is, as its suffix says: nobody's, `-d`, `-ja`."""

BACK, FRONT = "aáoóuú", "eéiíöőüű"
VOWELS = BACK + FRONT
LONG_FINAL = {"a": "á", "e": "é"}
DIGRAPHS = ("cs", "dz", "gy", "ly", "ny", "sz", "ty", "zs")
BARE_T = ("l", "r", "n", "ny", "j", "ly", "s", "sz", "z", "zs")
"""Ends of words after which the accusative has no vowel."""
PARTS: Mapping[str, tuple[str, str, str]] = {
    "ház": ("házat", "házak", "háza"), "kéz": ("kezet", "kezek", "keze"), "név": ("nevet", "nevek", "neve"),
    "tér": ("teret", "terek", "tere"), "szekér": ("szekeret", "szekerek", "szekere"),
    "víz": ("vizet", "vizek", "vize"), "út": ("utat", "utak", "útja"), "hely": ("helyet", "helyek", "helye"),
    "ár": ("árat", "árak", "ára"), "szám": ("számot", "számok", "száma"), "cél": ("célt", "célok", "célja"),
    "díj": ("díjat", "díjak", "díja"), "fal": ("falat", "falak", "fala"), "ló": ("lovat", "lovak", "lova"),
    "kő": ("követ", "kövek", "köve"), "vár": ("várat", "várak", "vára"),
    "föld": ("földet", "földek", "földje"),
    "szó": ("szót", "szavak", "szava"), "nap": ("napot", "napok", "napja"),
    "híd": ("hidat", "hidak", "hídja"),
    "könyv": ("könyvet", "könyvek", "könyve"), "lap": ("lapot", "lapok", "lapja"),
    "jel": ("jelet", "jelek", "jele"), "fél": ("felet", "felek", "fele"), "bor": ("bort", "borok", "bora"),
    "kör": ("kört", "körök", "köre"), "sor": ("sort", "sorok", "sora"), "szín": ("színt", "színek", "színe"),
    "torony": ("tornyot", "tornyok", "tornya"), "sarok": ("sarkot", "sarkok", "sarka"),
    "kosár": ("kosarat", "kosarak", "kosara"), "bokor": ("bokrot", "bokrok", "bokra"),
    "mű": ("művet", "művek", "műve"), "tó": ("tavat", "tavak", "tava"), "fű": ("füvet", "füvek", "füve"),
    "fej": ("fejet", "fejek", "feje"), "jegy": ("jegyet", "jegyek", "jegye"),
    "kert": ("kertet", "kertek", "kertje"),
    "üzlet": ("üzletet", "üzletek", "üzlete"), "keret": ("keretet", "keretek", "kerete"),
    "kar": ("kart", "karok", "karja"), "vonal": ("vonalat", "vonalak", "vonala"),
    "oldal": ("oldalt", "oldalak", "oldala"), "asztal": ("asztalt", "asztalok", "asztala"),
    "király": ("királyt", "királyok", "királya"),
    "tulajdonos": ("tulajdonost", "tulajdonosok", "tulajdonosa"),
    "fogat": ("fogatot", "fogatok", "fogata"), "arany": ("aranyat", "aranyak", "aranya"),
    "halom": ("halmot", "halmok", "halma"), "malom": ("malmot", "malmok", "malma"),
    "érték": ("értéket", "értékek", "értéke"), "ellenfél": ("ellenfelet", "ellenfelek", "ellenfele"),
    "zsák": ("zsákot", "zsákok", "zsákja"), "raktár": ("raktárat", "raktárak", "raktára"),
    "dél": ("delet", "delek", "dele"), "fa": ("fát", "fák", "fája"),
    "negyedév": ("negyedévet", "negyedévek", "negyedéve"),
    "év": ("évet", "évek", "éve"), "fok": ("fokot", "fokok", "foka"), "rész": ("részt", "részek", "része"),
    "tagja": ("tagját", "tagok", "tagja"), "dolog": ("dolgot", "dolgok", "dolga"),
    "másik": ("másikat", "másikak", "másika"), "egyik": ("egyiket", "egyikek", "egyike"),
    "mennyi": ("mennyit", "mennyik", "mennyije"), "több": ("többet", "többek", "többje"),
    "kevesebb": ("kevesebbet", "kevesebbek", "kevesebbje"), "több mint": ("több mint", "", ""),
    "hat": ("hatot", "hatok", "hata"), "tét": ("tétet", "tétek", "tétje"), "kép": ("képet", "képek", "képe"),
    "cikk": ("cikket", "cikkek", "cikke"),
    "követelmény": ("követelményt", "követelmények", "követelménye"),
    "ország": ("országot", "országok", "országa"),
    "nyíl": ("nyilat", "nyilak", "nyila"), "bátorság": ("bátorságot", "bátorságok", "bátorsága"),
}  # fmt: skip
"""Principal parts of frequent words with a stem of their own; compounds end with them."""
OWNED = {its for _, _, its in PARTS.values() if its}
"""Words that have an owner already: in `a rakományok száma`, the load has it."""
BACK_ANYWAY = ("cél", "díj", "híd", "nyíl", "zsír", "férfi")
CASES = {
    "acc": ("t", "t"), "dat": ("nak", "nek"), "in": ("ban", "ben"), "into": ("ba", "be"),
    "from": ("ból", "ből"), "on": ("n", "n"), "onto": ("ra", "re"), "off": ("ról", "ről"),
    "at": ("nál", "nél"), "to": ("hoz", "hez"), "away": ("tól", "től"), "with": ("val", "vel"),
    "for": ("ért", "ért"), "as": ("ként", "ként"), "until": ("ig", "ig"), "become": ("vá", "vé"),
}  # fmt: skip
"""Suffixes of the cases, after back and after front vowels."""
POSTPOSITIONS = {
    "among": "között", "amid": "közé", "outof": "közül", "under": "alatt", "after": "után",
    "before": "előtt", "by": "szerint",
}  # fmt: skip
PRONOUNS = {
    "acc": "téged", "dat": "neked", "in": "benned", "from": "tőled", "away": "tőled", "with": "veled",
    "to": "hozzád", "at": "nálad", "on": "rajtad", "onto": "rád", "for": "érted", "off": "rólad",
    "among": "közted", "outof": "közüled", "by": "szerinted", "after": "utánad", "before": "előtted",
    "as": "te", "into": "beléd", "until": "te", "become": "te", "amid": "közéd", "under": "alattad",
}  # fmt: skip
NUMERALS = {
    "1": "egy", "2": "kettő", "3": "három", "4": "négy", "5": "öt", "6": "hat", "7": "hét", "8": "nyolc",
    "9": "kilenc", "0": "tíz",
}  # fmt: skip
INDEFINITE = {
    "tedd": "tegyél", "vedd": "vegyél", "vidd": "vigyél", "edd": "egyél", "idd": "igyál", "hidd": "higgyél",
    "add": "adj",
}  # fmt: skip
"""Orders in the indefinite conjugation of verbs with a stem of their own, by those in the definite one."""
ROMAN = re.compile(r"\W*([IVX]+)\. ")
"""An ordinal in Roman numerals; only the first and the fifth begin with a vowel."""
WORD = re.compile(r"(.*?)([^\W\d_]+)(\W*)", re.DOTALL)


def split(noun: str) -> tuple[str, str]:
    """What stands before the last word, and that word."""
    before, space, last = noun.rpartition(" ")
    return before + space, last


def is_back(word: str) -> bool:
    """Whether suffixes have back vowels. A compound goes as the known word with which it ends."""
    low = word.lower()
    if (end := _known_end(low)) is not None:
        return is_back(end)
    if low.endswith(BACK_ANYWAY):
        return True
    found = [c for c in low if c in VOWELS]
    for vowel in reversed(found):
        if vowel in BACK:
            return True
        if vowel in "eöőüű":
            return False
    return False


def is_round(word: str) -> bool:
    found = [c for c in word.lower() if c in VOWELS]
    return bool(found) and found[-1] in "öőüű"


def _known_end(word: str) -> str | None:
    """The known word with which a compound ends."""
    ends = (end for end in PARTS if len(end) > 2 and len(word) > len(end) + 2 and word.endswith(end))
    return next(ends, None)


def _parts(word: str, declared: Mapping[str, str]) -> tuple[str, str, str] | None:
    """The principal parts of a word, or of the word with which it ends."""
    if word in declared:
        one, two, three, *_ = [*(part.strip() for part in declared[word].split(",")), "", "", ""]
        return one, two, three
    if word.lower() in PARTS:
        return PARTS[word.lower()]
    if (end := _known_end(word)) is not None:
        start, parts = word.removesuffix(end), PARTS[end]
        return start + parts[0], start + parts[1], start + parts[2]
    if word.endswith(("alom", "elem")) and len(word) > 5:
        stem, low = word[:-2] + "m", "a" if word.endswith("alom") else "e"
        return f"{stem}{'at' if low == 'a' else 'et'}", f"{stem}{low}k", stem + low
    return None


def _link(word: str) -> str:
    return "o" if is_back(word) else "ö" if is_round(word) else "e"


def _lengthened(word: str) -> str:
    return word[:-1] + LONG_FINAL[word[-1]] if word[-1:] in LONG_FINAL else word


def _ends_in_vowel(word: str) -> bool:
    return word[-1:].lower() in VOWELS


def singular(noun: str) -> str:
    """The singular of a plural in `-k`: `célkártya` for `célkártyák`; what is no plural stays."""
    before, word = split(noun)
    for one, (_, many, _) in PARTS.items():
        if many and word.endswith(many) and (word == many or len(many) > 4):
            return f"{before}{word.removesuffix(many)}{one}"
    if not is_plural(noun):
        return noun
    stem = word[:-1]
    if stem.endswith(("almá", "elmé")):
        return noun
    if stem[-1] in "áé":
        return f"{before}{stem[:-1]}{'a' if stem[-1] == 'á' else 'e'}"
    if stem.endswith(("alma", "elme")):
        return f"{before}{stem[:-2]}{'o' if stem.endswith('a') else 'e'}m"
    return f"{before}{stem[:-1]}" if stem[-1] in "oöea" else before + stem


def is_plural(noun: str) -> bool:
    """Whether a noun ends as plurals do: `légiók`, `korongok`, but not `zsák` or `érték`."""
    word = split(noun)[1]
    if len(word) < 4 or not word.endswith("k") or word.endswith(("ék", "zsák", "zék", "nyék")):
        return word.endswith(("ték", "nyék", "ték")) and False
    return word[-2] in "áóőúűíoöea" or word.endswith("iek")


def plural(noun: str, declared: Mapping[str, str]) -> str:
    """The plural: `célkártyák`, `korongok`."""
    before, word = split(noun)
    parts = _parts(word, declared)
    if parts is not None and parts[1]:
        return before + parts[1]
    if not word or is_plural(noun):
        return noun
    if _ends_in_vowel(word):
        return f"{before}{_lengthened(word)}k"
    return f"{before}{word}{_link(word)}k"


def possessed(noun: str, owner: Owner, many: bool, declared: Mapping[str, str]) -> str:
    """A noun with the suffix of its owner: `kártyád`, `kártyája`, `kártyáid`, `kártyái`."""
    if not owner:
        return plural(noun, declared) if many else noun
    before, word = split(noun)
    if owner == "it" and before and word in OWNED:
        return noun
    back = is_back(word)
    parts = _parts(word, declared)
    own = parts[2] if parts is not None and parts[2] else _its(word)
    if many:
        several = _its_several(word, own)
        return f"{before}{several}{'d' if owner == 'you' else ''}"
    if owner == "it":
        return before + own
    if _ends_in_vowel(word):
        return f"{before}{_lengthened(word)}d"
    stem = (parts[0] if parts is not None and parts[0] else _accusative(word)).removesuffix("t")
    return f"{before}{stem}d" if _ends_in_vowel(stem) else f"{before}{word}{'o' if back else _link(word)}d"


def _its(word: str) -> str:
    """The possessive of the third person: `kártyája`, `korongja`, `értéke`."""
    back = is_back(word)
    if _ends_in_vowel(word):
        return f"{_lengthened(word)}{'ja' if back else 'je'}"
    last, before = word[-1], word[-2:-1].lower()
    if not back:
        hard = last in "bdp" or (last == "t" and before not in VOWELS and before not in "sz")
        return f"{word}{'je' if hard else 'e'}"
    soft = word.endswith(DIGRAPHS) or last in "szrlmvjhcx" or (last == "n" and len(word) < 5)
    soft = soft or (last in "kg" and before in "éáa" and not word.endswith("zsák"))
    soft = soft or (last == "t" and before in VOWELS) or word.endswith(("ság", "szag"))
    return f"{word}{'a' if soft else 'ja'}"


def _its_several(word: str, own: str) -> str:
    """What somebody has several of: `kártyái`, `korongjai`, `mezői`."""
    if _ends_in_vowel(word) and word[-1] not in "iíuü":
        return f"{_lengthened(word)}i"
    return f"{own}i"


def _accusative(word: str) -> str:
    if _ends_in_vowel(word):
        return f"{_lengthened(word)}t"
    single = word[-2:-1].lower() in VOWELS or word.endswith(DIGRAPHS)
    if word.endswith(BARE_T) and single and not word.endswith(("gy", "ty", "cs")):
        return f"{word}t"
    return f"{word}{_link(word)}t"


def in_case(noun: str, case: str, declared: Mapping[str, str]) -> str:
    """A noun in a case or with a postposition; it may be a plural or have the suffix of its owner."""
    if not case or case == "nom" or not noun:
        return noun
    if noun.endswith(")") and " (" in noun:
        at = _opening(noun)
        return f"{in_case(noun[:at], case, declared)}{noun[at:]}" if at > 0 else noun
    if case in POSTPOSITIONS:
        return f"{noun} {POSTPOSITIONS[case]}"
    found = WORD.fullmatch(noun)
    if found is None:
        return _of_sign(noun, case)
    before, word, mark = found.groups()
    if word.isupper() and len(word) > 1:
        return f"{before}{word}-{_suffix(word.lower(), case)}{mark}"
    return f"{before}{_inflected(word, case, declared)}{mark}"


def _opening(noun: str) -> int:
    """Where the brackets at the end of a noun begin, with the blank before them."""
    depth = 0
    for at in range(len(noun) - 1, 0, -1):
        depth += (noun[at] == ")") - (noun[at] == "(")
        if not depth:
            return at - 1
    return 0


def _of_sign(text: str, case: str) -> str:
    """Digits and signs have their suffix after a hyphen: `3-at`, `5-nél`."""
    digit = next((c for c in reversed(text) if c.isdigit()), "")
    word = NUMERALS.get(digit, "jel")
    if case == "acc":
        end = {"1": "et", "2": "t", "3": "at", "4": "et", "5": "öt", "6": "ot", "7": "et", "8": "at",
    "9": "et",
               "0": "et"}.get(digit, "t")  # fmt: skip
        return f"{text}-{end}"
    return f"{text}-{_suffix(word, case)}"


def multiple(number: int) -> str:
    """`2-szerese`, `3-szorosa`, `5-szöröse`: so many times of something, after the sound of the number."""
    digits = str(abs(number)).rstrip("0")
    last, zeros = digits[-1:], len(str(abs(number))) - len(digits)
    if zeros == 1:
        back = last in ("2", "3", "6", "8")
    else:
        back = bool(zeros) or last in ("3", "6", "8")
    return f"{number}-{'szorosa' if back else 'szöröse' if last == '5' and not zeros else 'szerese'}"


def _inflected(word: str, case: str, declared: Mapping[str, str]) -> str:
    parts = _parts(word, declared)
    if case == "acc":
        if parts is not None and parts[0]:
            return parts[0]
        if word.endswith(("k", "d")) and (is_plural(word) or _has_owner(word)):
            return f"{word}{'at' if is_back(word) else 'et'}"
        return _accusative(word)
    stem = word if case == "as" else _lengthened(word)
    return _joined(stem, _suffix(word, case))


def _has_owner(word: str) -> bool:
    """Whether a word ends as with the suffix of the second person."""
    return len(word) > 3 and word.endswith(("od", "ed", "öd", "ád", "éd", "id", "ód", "őd", "ad"))


def _suffix(word: str, case: str) -> str:
    back = is_back(word)
    if case == "on":
        return "n" if _ends_in_vowel(word) else "on" if back else "ön" if is_round(word) else "en"
    if case == "to":
        return "hoz" if back else "höz" if is_round(word) else "hez"
    return CASES[case][0 if back else 1]


def _joined(stem: str, suffix: str) -> str:
    """A stem with its suffix, of which a `v` becomes the consonant before it: `lappal`, `arannyal`."""
    if not suffix.startswith("v") or _ends_in_vowel(stem):
        return stem + suffix
    for digraph in DIGRAPHS:
        if stem.endswith(digraph):
            return f"{stem[:-2]}{digraph[0]}{digraph}{suffix[1:]}"
    return f"{stem}{stem[-1]}{suffix[1:]}"


def indefinite(order: str) -> str:
    """An order in the indefinite conjugation, as before `egy kártyát`: `helyezz át` for `helyezd át`."""
    verb, space, rest = order.partition(" ")
    low = verb.lower()
    if low in INDEFINITE:
        said = INDEFINITE[low]
    elif not low.endswith("d") or low[-2:-1] in VOWELS:
        return order
    elif low.endswith("szd"):
        said = f"{low[:-3]}ssz"
    elif low.endswith(("zd", "sd")) and low[-3:-2] in VOWELS:
        said = f"{low[:-1]}{low[-2]}"
    elif low.endswith(("zd", "sd")):
        said = low[:-1]
    else:
        said = f"{low[:-1]}j"
    return f"{verb[:1]}{said[1:]}{space}{rest}"


def article(text: str) -> str:
    """The definite article that stands before a text: `az` before a vowel, also of a number's name."""
    first = next((c for c in text if c.isalnum()), "")
    if (ordinal := ROMAN.match(text)) is not None:
        return "az" if ordinal[1] in ("I", "V") else "a"
    if first.isdigit():
        digits = re.match(r"\D*(\d+)", text)
        number = digits[1] if digits else ""
        one = number.startswith("1") and len(number) % 3 == 1
        return "az" if number.startswith("5") or one else "a"
    return "az" if first.lower() in VOWELS else "a"
