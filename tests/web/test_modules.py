"""The modules of the page: what imports what."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

WEB = Path(__file__).parents[2] / "rulewright" / "web"
IMPORT = re.compile(r"""(?:\bfrom|^import)\s*["'](\.[^"']+)["']""", re.M)
JSDOC = re.compile(r"/\*\*.*?\*/", re.S)
"""Types are imported in comments, and by the type checker alone."""
ENTRIES = ("single.js", "single_companion.js")
"""Those of files without a policy; what they reach, `single_policy.js` reaches too."""


def imported(path: str) -> list[str]:
    """The modules that a module imports."""
    text = JSDOC.sub("", (WEB / path).read_text("utf-8"))
    return [normpath(join(dirname(path), found)) for found in IMPORT.findall(text)]


def reached(entry: str) -> list[str]:
    """A module and all that it needs, without libraries."""
    found, waiting = set(), [entry]
    while waiting:
        path = waiting.pop()
        if path not in found and not path.startswith("vendor/"):
            found.add(path)
            waiting += imported(path)
    return sorted(found)


def graph() -> dict[str, list[str]]:
    paths = [path.relative_to(WEB).as_posix() for path in sorted(WEB.rglob("*.js"))]
    return {path: imported(path) for path in paths if not path.startswith("minified/")}


def test_every_module_that_is_imported_is_there() -> None:
    assert {path for found in graph().values() for path in found} <= set(graph())


def test_modules_do_not_import_each_other() -> None:
    TopologicalSorter(graph()).prepare()


def test_no_module_is_there_for_nothing() -> None:
    ours = {path for path in graph() if not path.startswith("vendor/")}
    assert ours == {*reached("main.js"), *reached("single_policy.js"), *ENTRIES, "unpack.js"}


def test_a_file_carries_nothing_of_a_server() -> None:
    alone = {*reached("main.js")} - {*reached("single.js")}
    assert {"api.js", "backend/server.js", "shell/clock.js", "shell/navigation.js"} <= alone


def test_the_companion_is_in_a_file_only_if_it_is_asked_for() -> None:
    plain = {*reached("single.js")}
    more = {*reached("single_companion.js")} - plain
    assert {"backend/companion.js", "match/companion.js", "match/hypotheses.js", "shell/companion.js"} <= more
    assert plain - {*reached("single_companion.js")} == {"single.js"}


def test_a_file_computes_networks_only_if_a_policy_is_in_it() -> None:
    more = {*reached("single_policy.js")} - {*reached("single_companion.js")}
    of_policies = (f"backend/{name}.js" for name in ("network", "policy", "policy_seats"))
    assert more == {"single_policy.js", "match/number_parts.js", *of_policies}
