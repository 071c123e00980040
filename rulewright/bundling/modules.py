"""ES modules as one script: each becomes a function that is called once, after those that it imports.

Where modules import each other, the one that runs first is given functions that call those of the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from rulewright.bundling.tokens import minified

NAMES = r"\{([^{}]*)\}"
FROM = r"\s*from\s*[\"']([^\"']+)[\"'];?"
START = r"(?:(?<=[;}])|(?<=\n)|^)"
"""Where a statement can begin, in a text without comments."""
IMPORT = re.compile(rf"{START}import\s*(?:(\w+)|\*\s*as\s+(\w+)|{NAMES}){FROM}")
IMPORT_ONLY = re.compile(rf"{START}import\s*[\"']([^\"']+)[\"'];?")
EXPORT_FROM = re.compile(rf"{START}export\s*(?:{NAMES}|\*){FROM}")
EXPORT_LIST = re.compile(rf"{START}export\s*{NAMES};?")
EXPORT_DEFAULT = re.compile(rf"{START}export\s+default\s*")
EXPORT_DECLARED = re.compile(
    rf"{START}export\s+((?:const|let|var|class|function\s*\*?|async\s+function\s*\*?)\s*)(\w+|\[[\w\s,]*\])"
)
RENAMED = re.compile(r"\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*")


class CannotBundle(ValueError):
    """Modules that cannot become one script: one is missing, or does not export what another imports."""


@dataclass
class BundledModule:
    """A module as the body of a function: what it exports under which name, and which are functions."""

    path: str
    body: str
    exports: dict[str, str] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)


class Bundler:
    """Collects modules in the order in which they have to run. `files` has the texts by path."""

    def __init__(self, files: Mapping[str, str], finished: frozenset[str] = frozenset()) -> None:
        self.files = files
        self.finished = finished
        self.order: list[str] = []
        self.numbers: dict[str, int] = {}
        self.late: list[tuple[str, str, str]] = []
        self.made: dict[str, BundledModule] = {}

    def script(self, entry: str) -> str:
        """The script of an entry with all that it imports. Raises `CannotBundle` or `UnknownToken`."""
        self._add(entry, ())
        for path, source, name in self.late:
            if name not in self.made[source].functions:
                raise CannotBundle(
                    f"`{path}` and `{source}` import each other, and `{name}` is not a function"
                )
        parts = [self._function(self.made[path]) for path in self.order[:-1]]
        return "\n".join([*parts, self.made[entry].body, ""])

    def _function(self, module: BundledModule) -> str:
        exports = ",".join(
            name if name == local else f"{name}:{local}" for name, local in module.exports.items()
        )
        return f"const {self._name(module.path)}=(()=>{{{module.body}\nreturn{{{exports}}}}})();"

    def _name(self, path: str) -> str:
        return f"$m{self.numbers[path]}"

    def _add(self, path: str, above: tuple[str, ...]) -> None:
        if path in self.numbers:
            return
        if path not in self.files:
            raise CannotBundle(f"there is no module `{path}`, which `{above[-1]}` imports")
        self.numbers[path] = len(self.numbers)
        text = self.files[path] if path in self.finished else minified(self.files[path])
        module = BundledModule(path, text)
        for imported in self._imported(path, text):
            self._add(imported, (*above, path))
        self._import(module)
        self._export(module)
        self.order.append(path)
        self.made[path] = module

    def _imported(self, path: str, text: str) -> list[str]:
        found = [
            (m.start(), m[m.lastindex or 0])
            for pattern in (IMPORT, IMPORT_ONLY, EXPORT_FROM)
            for m in pattern.finditer(text)
        ]
        return [resolved(path, specifier) for _, specifier in sorted(found)]

    # ---- imports

    def _import(self, module: BundledModule) -> None:
        def imported(m: re.Match[str]) -> str:
            default, everything, names, specifier = m.groups()
            source = self._of(module.path, specifier)
            if everything:
                return f"const {everything}={source};"
            wanted = pairs(names) if names is not None else [("default", default)]
            if resolved(module.path, specifier) not in self.made:
                return "".join(self._forwarded(module.path, specifier, *pair) for pair in wanted)
            self._check(module.path, specifier, [name for name, _ in wanted])
            listed = ",".join(name if name == local else f"{name}:{local}" for name, local in wanted)
            return f"const{{{listed}}}={source};"

        module.body = IMPORT_ONLY.sub("", IMPORT.sub(imported, module.body))

    def _forwarded(self, path: str, specifier: str, name: str, local: str) -> str:
        """A function that calls one of a module that has not run yet."""
        self.late.append((path, resolved(path, specifier), name))
        return f"const {local}=(...$a)=>{self._of(path, specifier)}.{name}(...$a);"

    def _of(self, path: str, specifier: str) -> str:
        return self._name(resolved(path, specifier))

    def _check(self, path: str, specifier: str, names: list[str]) -> None:
        missing = [n for n in names if n not in self.made[resolved(path, specifier)].exports]
        if missing:
            raise CannotBundle(f"`{path}` imports {', '.join(missing)}, which `{specifier}` does not export")

    # ---- exports

    def _export(self, module: BundledModule) -> None:
        def handed_on(m: re.Match[str]) -> str:
            if m[1] is None:
                raise CannotBundle(f"`{module.path}` exports everything of `{m[2]}`: name what it exports")
            source = self._of(module.path, m[2])
            self._check(module.path, m[2], [name for name, _ in pairs(m[1])])
            for name, exported in pairs(m[1]):
                module.exports[exported] = f"{source}.{name}"
            return ""

        def listed(m: re.Match[str]) -> str:
            module.exports |= {exported: local for local, exported in pairs(m[1])}
            return ""

        def declared(m: re.Match[str]) -> str:
            names = re.findall(r"\w+", m[2])
            if m[1].startswith("let"):
                raise CannotBundle(
                    f"`{module.path}` exports the variable `{names[0]}`: its importers keep a copy"
                )
            module.exports |= {name: name for name in names}
            module.functions |= set(names) if "function" in m[1] else set()
            return m[1] + m[2]

        def default(m: re.Match[str]) -> str:
            module.exports["default"] = "$default"
            return "const $default="

        body = EXPORT_FROM.sub(handed_on, module.body)
        body = EXPORT_LIST.sub(listed, body)
        module.body = EXPORT_DEFAULT.sub(default, EXPORT_DECLARED.sub(declared, body))
        if re.search(r"\bimport\s*\(", module.body):
            raise CannotBundle(f"`{module.path}` loads a module while it runs")
        if re.search(rf"{START}(?:export|import)\b(?!\s*[.(])", module.body):
            raise CannotBundle(f"`{module.path}` imports or exports in a way that is not understood")


def pairs(names: str) -> list[tuple[str, str]]:
    """`a, b as c` as pairs of names: those there, and those here."""
    found = [RENAMED.fullmatch(part) for part in names.split(",") if part.strip()]
    return [(m[1], m[2] or m[1]) for m in found if m is not None]


def resolved(path: str, specifier: str) -> str:
    """The path of a module that another one imports."""
    return normpath(join(dirname(path), specifier))
