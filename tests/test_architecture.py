"""The shape of the house: who imports whom, what lies where, and how long a file may grow.

Every check is a function of a tree. It is run twice: on this checkout, where it must find nothing,
and on a small tree with one thing wrong, where it must find that.
"""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from tests.conftest import slow_tests

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("dsl", "interpreter", "validators", "rulewright")
LONGEST_FILE = 700

# Words that directory names of games may share with an engine for games: what joins words, numbers, and
# everyday words, of which some are the whole name of a game, or sizes of cards that printers name after one.
# They say nothing of a game by themselves.
ORDINARY_WORDS = frozenset(
    {"and", "of", "the", "through"}
    | {"four", "nine", "eight", "twenty", "y"}
    | {"breakthrough", "connect", "hex", "pig", "roll", "yacht"}
    | {"bridge", "poker"}
    | {"action", "boxes", "dark", "dice", "dots", "dry", "game", "go", "hearts", "lines", "spades"}
)


# --- the checks -----------------------------------------------------------------------------------


def missing_tests(root: Path, names: list[str]) -> list[str]:
    """Those of some tests, as `path::name`, that are not in the tree."""

    def there(path: str, name: str) -> bool:
        file = root / path
        return file.is_file() and f"def {name}(" in file.read_text("utf-8")

    return [name for name in names if not there(*name.split("::"))]


def broken_contracts(root: Path) -> str:
    """What import-linter has to say against the tree at `root`; empty if all contracts are kept."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    run = subprocess.run(
        [sys.executable, "-c", command, "--no-cache", "--no-logo"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if run.returncode == 0 else run.stdout + run.stderr


def python_under_rulesets(root: Path) -> list[str]:
    """Every Python file, source or compiled, that lies among the rulesets."""
    return [str(path.relative_to(root)) for path in sorted((root / "rulesets").rglob("*.py*"))]


@cache
def parsed(text: str) -> ast.Module:
    """The syntax of a file; several checks look at the same files."""
    return ast.parse(text)


def game_names(root: Path) -> list[str]:
    """The directory names of the bundled games."""
    return [path.name for path in sorted((root / "rulesets").iterdir()) if path.is_dir()]


def telling_words(root: Path) -> frozenset[str]:
    """The words of the bundled games' names, less those an engine may use without meaning them."""
    words = {word for name in game_names(root) for word in words_in(name)}
    return frozenset(words) - ORDINARY_WORDS


def words_in(text: str) -> list[str]:
    """The words of prose and of identifiers in any spelling: `aWord`, `A_WORD`, `a-word`."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)]


def engine_files(root: Path) -> Iterator[Path]:
    """Every Python and Lark file of the four packages."""
    for package in PACKAGES:
        for pattern in ("*.py", "*.lark"):
            yield from sorted((root / package).rglob(pattern))


def games_in_engine(root: Path) -> list[str]:
    """`file:line: word` for every word of a game's name in an engine file."""
    telling = telling_words(root)
    return [
        f"{path.relative_to(root)}:{number}: {word}"
        for path in engine_files(root)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in words_in(line)
        if word in telling
    ]


def overlong_files(root: Path) -> list[str]:
    """`file: lines` for every engine or test file of `LONGEST_FILE` lines or more."""
    files = [*engine_files(root), *sorted((root / "tests").rglob("*.py"))]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    return [
        f"{path.relative_to(root)}: {length}" for path, length in lengths.items() if length >= LONGEST_FILE
    ]


WRITING_CALLS = frozenset(
    {"write_text", "write_bytes", "touch", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile"}
    | {"symlink_to", "hardlink_to", "copyfile", "copytree", "copy2"}
)
WRITING_OF_OS = frozenset({"replace", "rename", "link", "symlink", "ftruncate", "write", "fdopen"})
WRITING_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC")
WRITER = Path("rulewright", "files", "durable.py")


def writers_of_files(root: Path) -> list[str]:
    """`file:line: call` for every call that writes a file outside the module that does so safely."""
    return [
        f"{path.relative_to(root)}:{call.lineno}: {name}"
        for path in engine_files(root)
        if path.suffix == ".py" and path.relative_to(root) != WRITER
        for call in ast.walk(parsed(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and (name := writes(call))
    ]


def writes(call: ast.Call) -> str:
    """The name of a call that writes a file; empty if it is none.

    What goes to `os.devnull` is nowhere, and neither a duplicate of standard output nor what is open already
    and stays open is a file. `write_text` by itself is the commands' own, which writes through that module.
    """
    text, name = ast.unparse(call), ast.unparse(call.func)
    last = name.rpartition(".")[2]
    if any(known in text for known in ("os.devnull", "os.dup(1)", "closefd=False")):
        return ""
    if name == "os.open":
        return name if any(flag in text for flag in WRITING_FLAGS) else ""
    if last in ("open", "fdopen"):
        given = [*call.args, *(word.value for word in call.keywords)]
        modes = [str(one.value) for one in given if isinstance(one, ast.Constant)]
        return name if any(re.fullmatch("[rwaxbt+]*[wax+][rwaxbt+]*", mode) for mode in modes) else ""
    of_os = name.startswith("os.") and last in WRITING_OF_OS
    return name if (last in WRITING_CALLS and name != "write_text") or of_os else ""


def home_of(package: str, *ahead: Path) -> Path:
    """The folder a fresh interpreter, started elsewhere, imports `package` from.

    Folders in `ahead` are searched first. The interpreter is isolated, so that neither the current
    folder nor pytest's own search path can hide what an installed command would import.
    """
    command = (
        f"import sys; sys.path[:0] = {[str(path) for path in ahead]!r}; "
        f"import {package}; print({package}.__file__)"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", command],
        cwd=Path(sys.executable).anchor,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"`{package}` is not installed; run `make setup`\n{run.stderr}"
    return Path(run.stdout.strip()).resolve().parent


def storeys(root: Path) -> list[str]:
    """The layers of `rulewright`, the highest first; each is a room, or some with ` | ` between them."""
    told = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return next(list(each["layers"]) for each in told["contracts"] if each["id"] == "storeys")


def listed_rooms(root: Path) -> list[str]:
    """The folders that `docs/architecture.md` lists, in its order."""
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([\w/]+)/` \|", page, re.MULTILINE)


def rooms_out_of_order(root: Path) -> list[str]:
    """Rooms of `rulewright` that `docs/architecture.md` lists below one that may import them."""
    depths = {room: depth for depth, rooms in enumerate(storeys(root)) for room in re.findall(r"\w+", rooms)}
    listed = [path.split("/")[1] for path in listed_rooms(root) if path.startswith("rulewright/")]
    rooms = [room for room in listed if room in depths]
    return [room for above, room in pairwise(rooms) if depths[room] > depths[above]]


def undocumented_rooms(root: Path) -> list[str]:
    """Folders with programs that `docs/architecture.md` does not list, and listed ones that are not there."""
    listed = set(listed_rooms(root))
    rooms = {
        str(path.parent.relative_to(root))
        for package in PACKAGES
        for ending in ("*.py", "*.js")
        for path in (root / package).rglob(ending)
    }
    gone = {room for room in listed if not (root / room).is_dir()}
    return sorted((rooms - listed) | gone)


def deep_rooms(root: Path) -> list[str]:
    """Folders that lie more than two deep in a package."""
    return [
        str(path.relative_to(root))
        for package in PACKAGES
        for path in sorted((root / package).rglob("*"))
        if path.is_dir()
        and path.name != "__pycache__"
        and len(path.relative_to(root).parts) > 3
        and any(path.rglob("*.py"))
    ]


def long_chains(classes: Iterator[type]) -> list[str]:
    """Classes with more than three classes of ours in a line of inheritance, themselves among them."""
    return sorted(f"{one.__module__}.{one.__name__}" for one in classes if _depth(one) > 3)


def _depth(one: type) -> int:
    ours = [
        base
        for base in one.__bases__
        if base.__module__.partition(".")[0] in {*PACKAGES, __name__.partition(".")[0]}
    ]
    return 1 + max(map(_depth, ours), default=0)


def homes_of(root: Path) -> dict[str, Path]:
    """The files of the packages by the names of their modules."""
    files = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files
    }


def import_circles(root: Path) -> list[str]:
    """Modules that import each other in a circle, imports for types alone included."""
    homes = homes_of(root)
    graph = nx.DiGraph()
    for name, path in homes.items():
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            for target in _imported(node):
                graph.add_edge(name, next((x for x in target if x in homes), name))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return sorted(" ".join(sorted(c)) for c in nx.strongly_connected_components(graph) if len(c) > 1)


def unused_modules(root: Path) -> list[str]:
    """Modules that nothing imports: no module of the product, by name or by a text, no page of the docs.

    The modules of commands are named by the command alone; packages and templates are imported by others.
    """
    homes = homes_of(root)
    used, texts = set[str](), set[str]()
    for path in homes.values():
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            used.update(name for target in _imported(node) for name in target)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value.partition(":")[0])
    pages = "".join(path.read_text("utf-8") for path in (root / "docs").rglob("*.md"))
    pages += (root / "pyproject.toml").read_text("utf-8")

    def is_named(name: str) -> bool:
        command = name.removeprefix("rulewright.commands.")
        return name in texts or name in pages or (command != name and command in texts)

    alone = (name for name, path in homes.items() if path.name not in ("__init__.py", "__main__.py"))
    return sorted(n for n in alone if n not in used and not is_named(n) and ".template." not in n)


def unused_scripts(root: Path) -> list[str]:
    """Modules of pages that no other one imports, no page loads and no program names."""
    folders = [root / "rulewright" / "web", root / "rulewright" / "studio" / "page"]
    scripts = [path for folder in folders for path in folder.rglob("*.js") if "minified" not in path.parts]
    imported = {
        (path.parent / name).resolve()
        for path in scripts
        for name in re.findall(
            r"""(?:from|import|URL)\s*\(?["'](\.[^"']+)["']""",
            re.sub(r"/\*\*.*?\*/", "", path.read_text("utf-8"), flags=re.S),  # where types are imported
        )
    }
    others = [path for suffix in ("py", "html") for path in (root / "rulewright").rglob(f"*.{suffix}")]
    named = "".join(path.read_text("utf-8") for path in others)
    found = (path for path in scripts if path.resolve() not in imported and f"{path.name}" not in named)
    return sorted(path.relative_to(root).as_posix() for path in found)


def _imported(node: ast.AST) -> list[tuple[str, ...]]:
    """What an import may mean, for each of its names: a module, or something in one."""
    if isinstance(node, ast.ImportFrom) and node.module:
        return [(f"{node.module}.{name.name}", node.module) for name in node.names]
    return [(name.name,) for name in node.names] if isinstance(node, ast.Import) else []


def ambiguous_names(root: Path) -> list[str]:
    """`package: name` for every class that two modules of a package define.

    What was written (`dsl.syntax`) and what it means (`dsl.rules`) bear the same names on purpose: each is
    used with the name of its module before it.
    """
    found = []
    for package in PACKAGES:
        homes: dict[str, set[Path]] = {}
        for path in sorted((root / package).rglob("*.py")):
            if path.relative_to(root) != Path("dsl", "syntax.py"):
                for node in parsed(path.read_text(encoding="utf-8")).body:
                    if isinstance(node, ast.ClassDef):
                        homes.setdefault(node.name, set()).add(path)
        found += [f"{package}: {name}" for name, paths in homes.items() if len(paths) > 1]
    return sorted(found)


def classes_of_ours() -> Iterator[type]:
    """Every class that a module of the four packages defines."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if name == "rulewright.__main__":
                continue
            module = importlib.import_module(name.removesuffix(".__init__"))
            yield from (x for x in vars(module).values() if isinstance(x, type) and x.__module__ == name)


# --- on this checkout -----------------------------------------------------------------------------


def test_import_contracts_are_kept() -> None:
    complaint = broken_contracts(ROOT)
    assert not complaint, complaint


def test_rulesets_hold_no_python() -> None:
    assert game_names(ROOT)
    assert python_under_rulesets(ROOT) == []


def test_engine_knows_no_game() -> None:
    assert telling_words(ROOT)
    assert {path.relative_to(ROOT).parts[0] for path in engine_files(ROOT)} == set(PACKAGES)
    assert games_in_engine(ROOT) == []


def test_files_stay_readable() -> None:
    assert overlong_files(ROOT) == []


def test_one_module_writes_files() -> None:
    assert writers_of_files(ROOT) == []


def test_every_room_has_its_sentence() -> None:
    assert undocumented_rooms(ROOT) == []


def test_rooms_are_listed_by_storey() -> None:
    assert rooms_out_of_order(ROOT) == []


def test_rooms_are_not_deep() -> None:
    assert deep_rooms(ROOT) == []


def test_nothing_is_imported_in_a_circle() -> None:
    assert import_circles(ROOT) == []


def test_a_class_name_means_one_thing() -> None:
    assert ambiguous_names(ROOT) == []


def test_inheritance_is_shallow() -> None:
    assert long_chains(classes_of_ours()) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_ours(package: str) -> None:
    """Above all `validators`, a name that another distribution bears too (decision 0001)."""
    assert home_of(package) == ROOT / package


# --- on a tree with one thing wrong ---------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A smallest tree in which all is well: this project's contracts, its packages, one game."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        write(tmp_path / package / "__init__.py", "")
    for module in ("syntax", "grammar", "document", "rules"):
        write(tmp_path / "dsl" / f"{module}.py", "")
    write(tmp_path / "interpreter" / "ir.py", "import dsl.rules\n")
    for room in re.findall(r"[a-z0-9_]+", " ".join(storeys(tmp_path))):
        write(tmp_path / "rulewright" / f"{room}.py", "")
    write(tmp_path / "rulewright" / "main.py", "import click\nimport validators\n")
    for module in ("__init__", "gymnasium", "openspiel", "pettingzoo"):
        write(tmp_path / "rulewright" / "learn" / f"{module}.py", "")
    write(tmp_path / "rulesets" / "wolf_and_sheep" / "game.yaml", "")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_sound_house_passes(house: Path) -> None:
    assert broken_contracts(house) == ""
    assert python_under_rulesets(house) == []
    assert games_in_engine(house) == []
    assert overlong_files(house) == []


@pytest.mark.parametrize(
    ("module", "statement", "contract"),
    [
        ("dsl/rules.py", "import interpreter.ir", "Each package imports only"),
        ("dsl/rules.py", "import validators", "Each package imports only"),
        ("interpreter/ir.py", "import validators", "Each package imports only"),
        ("validators/flow.py", "from rulewright import main", "Each package imports only"),
        ("interpreter/ir.py", "from dsl.syntax import Node", "The interpreter sees typed"),
        ("interpreter/ir.py", "from dsl import grammar", "The interpreter sees typed"),
        ("interpreter/ir.py", "import dsl.document", "The interpreter sees typed"),
        ("dsl/rules.py", "import click", "Only faces speak"),
        ("interpreter/ir.py", "from rich.table import Table", "Only faces speak"),
        ("validators/flow.py", "from click import echo", "Only faces speak"),
        ("rulewright/experiments.py", "from rich.table import Table", "Only faces speak"),
        ("rulewright/pages.py", "import click", "Only faces speak"),
        ("rulewright/library.py", "from rulewright import drawing", "Rooms of the application"),
        ("rulewright/learn/policy.py", "from rulewright.rulebook import book", "Rooms of the application"),
        ("rulewright/files.py", "import rulewright.experiments", "Rooms of the application"),
        ("rulewright/printing.py", "from rulewright.terminal import counted", "Rooms of the application"),
        ("rulewright/drawing.py", "import rulewright.layout", "Rooms of the application"),
        ("rulewright/serve.py", "from rulewright.tui import undo", "Rooms of the application"),
        ("rulewright/lsp.py", "from rulewright import commands", "Rooms of the application"),
        ("rulewright/attic.py", "", "Rooms of the application"),
        ("rulewright/experiments.py", "from rulewright.learn import gymnasium", "Nothing is built on"),
    ],
)
def test_a_forbidden_import_is_found(house: Path, module: str, statement: str, contract: str) -> None:
    write(house / module, f"{statement}\n")
    complaint = broken_contracts(house)
    assert re.search(rf"^{contract}.* BROKEN\b", complaint, re.MULTILINE), complaint


def test_python_among_rulesets_is_found(house: Path) -> None:
    write(house / "rulesets" / "wolf_and_sheep" / "cards" / "powers.py", "")
    assert python_under_rulesets(house) == ["rulesets/wolf_and_sheep/cards/powers.py"]


@pytest.mark.parametrize(
    ("module", "line", "word"),
    [
        ("dsl/rules.py", "# the wolf goes first", "wolf"),
        ("interpreter/bots/greedy.py", "class SheepBot: ...", "sheep"),
        ("validators/flow.py", "WOLF_BONUS = 3", "wolf"),
        ("dsl/rules.lark", 'kind: "wolf_and_sheep"', "wolf"),
    ],
)
def test_a_game_in_the_engine_is_found(house: Path, module: str, line: str, word: str) -> None:
    write(house / module, f"\n{line}\n")
    assert f"{module}:2: {word}" in games_in_engine(house)


def test_everyday_words_are_no_names(house: Path) -> None:
    write(house / "rulesets" / "hex" / "game.yaml", "")
    write(house / "rulesets" / "nine_wolves" / "game.yaml", "")
    write(house / "dsl" / "rules.py", "# hex boards have nine places here, and no wolves\n")
    assert games_in_engine(house) == ["dsl/rules.py:1: wolves"]


def test_words_that_only_contain_a_name_are_not_found(house: Path) -> None:
    write(house / "dsl" / "rules.py", "# a werewolf and a sheepskin: wolves\n")
    assert games_in_engine(house) == []


@pytest.mark.parametrize(
    "line",
    [
        "Path(x).write_text(y)",
        "open(x, 'w')",
        "Path(x).open('ab')",
        "open(x, mode='r+b')",
        "os.open(x, os.O_WRONLY | os.O_CREAT)",
        "os.replace(x, y)",
        "tempfile.mkstemp()",
    ],
)
def test_a_module_that_writes_files_is_found(house: Path, line: str) -> None:
    write(house / WRITER, f"{line}\n")
    write(house / "rulewright" / "library.py", "x = open(y, 'rb'), os.open(y, os.O_RDONLY)\n")
    assert writers_of_files(house) == []
    write(house / "rulewright" / "report.py", f"{line}\n")
    assert [found.split(": ")[0] for found in writers_of_files(house)] == ["rulewright/report.py:1"]


@pytest.mark.parametrize("module", ["dsl/rules.py", "dsl/rules.lark", "tests/properties/test_laws.py"])
def test_an_overlong_file_is_found(house: Path, module: str) -> None:
    write(house / module, "\n" * (LONGEST_FILE - 1))
    assert overlong_files(house) == []
    write(house / module, "\n" * LONGEST_FILE)
    assert overlong_files(house) == [f"{module}: {LONGEST_FILE}"]


def test_a_room_without_a_sentence_is_found(house: Path) -> None:
    listed = "".join(f"| `{room}/` | something |\n" for room in (*PACKAGES, "rulewright/learn"))
    write(house / "docs" / "architecture.md", listed)
    assert undocumented_rooms(house) == []
    write(house / "docs" / "architecture.md", f"{listed}| `dsl/attic/` | nothing |\n")
    write(house / "validators" / "cellar" / "coal.py", "")
    assert undocumented_rooms(house) == ["dsl/attic", "validators/cellar"]


def test_a_script_room_without_a_sentence_is_found(house: Path) -> None:
    listed = "".join(f"| `{room}/` | something |\n" for room in (*PACKAGES, "rulewright/learn"))
    write(house / "docs" / "architecture.md", listed)
    write(house / "rulewright" / "web" / "shell" / "lobby.js", "")
    assert undocumented_rooms(house) == ["rulewright/web/shell"]


def test_a_room_out_of_order_is_found(house: Path) -> None:
    rooms = ["matches", "drawing", "web", "serve", "serve/api"]
    write(house / "docs" / "architecture.md", "".join(f"| `rulewright/{x}/` | it |\n" for x in rooms))
    assert rooms_out_of_order(house) == []
    write(house / "docs" / "architecture.md", "".join(f"| `rulewright/{x}/` | it |\n" for x in rooms[::-1]))
    assert rooms_out_of_order(house) == ["drawing", "matches"]


def test_a_deep_room_is_found(house: Path) -> None:
    write(house / "dsl" / "one" / "two" / "here.py", "")
    assert deep_rooms(house) == []
    write(house / "dsl" / "one" / "two" / "three" / "here.py", "")
    assert deep_rooms(house) == ["dsl/one/two/three"]


def test_slow_tests_are_there() -> None:
    assert missing_tests(ROOT / "tests", sorted(slow_tests())) == []


def test_a_slow_test_that_is_gone_is_found(house: Path) -> None:
    write(house / "tests" / "test_x.py", "def test_one(): ...\n")
    names = ["test_x.py::test_one", "test_x.py::test_two", "test_y.py::test_one"]
    assert missing_tests(house / "tests", names) == names[1:]


def test_nothing_is_left_that_nothing_imports() -> None:
    assert unused_modules(ROOT) + unused_scripts(ROOT) == []


def test_what_nothing_imports_is_found(house: Path) -> None:
    write(house / "pyproject.toml", "")
    write(house / "dsl" / "used.py", "from dsl import alone\n")
    write(house / "validators" / "uses.py", "from dsl import used\n\nRUNS = 'validators.runs'\n")
    write(house / "validators" / "runs.py", "")
    write(house / "dsl" / "alone.py", "")
    assert {"dsl.alone", "validators.uses"} & {*unused_modules(house)} == {"validators.uses"}
    write(house / "rulewright" / "web" / "main.js", 'import { a } from "./a.js";\n')
    write(house / "rulewright" / "web" / "a.js", "")
    assert unused_scripts(house) == ["rulewright/web/main.js"]


def test_a_circle_of_imports_is_found(house: Path) -> None:
    write(house / "dsl" / "one.py", "from dsl import two\n")
    write(house / "dsl" / "two.py", "from dsl.rules import three\n")
    assert import_circles(house) == []
    write(house / "dsl" / "two.py", "if TYPE_CHECKING:\n    from dsl.one import One\n")
    assert import_circles(house) == ["dsl.one dsl.two"]


def test_a_name_with_two_meanings_is_found(house: Path) -> None:
    write(house / "dsl" / "syntax.py", "class If: ...\n")
    write(house / "dsl" / "rules.py", "class If: ...\n")
    write(house / "validators" / "one.py", "class Row: ...\n")
    assert ambiguous_names(house) == []
    write(house / "validators" / "two.py", "class Row: ...\n")
    assert ambiguous_names(house) == ["validators: Row"]


def test_a_long_chain_is_found() -> None:
    one = type("One", (), {"__module__": __name__})
    two = type("Two", (one,), {"__module__": __name__})
    three = type("Three", (two,), {"__module__": __name__})
    four = type("Four", (three,), {"__module__": __name__})
    assert long_chains(iter((one, two, three))) == []
    assert long_chains(iter((three, four))) == [f"{__name__}.Four"]


def test_a_stranger_of_our_name_is_found(house: Path) -> None:
    assert home_of("validators", house) == house / "validators"
