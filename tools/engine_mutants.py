"""Change the engine at random, one place at a time, and see whether the tests of `make test` notice.

    .venv/bin/python tools/engine_mutants.py --count 100 --seed 1
    .venv/bin/python tools/engine_mutants.py --count 20 --within interpreter/wasm

Each mutant is one operator of mutation testing (DeMillo, Lipton and Sayward 1978: relations, connectives,
constants, arithmetic, statements left out), applied at a place drawn with equal chances from all that there
are, in a clone of what is committed. The tests of the same room are tried first, then all; the first that
fails ends the mutant. What survives is printed as a difference, to be looked at: a hole in the tests, or a
change that makes no difference. A hang counts as caught. It takes hours; each line of output is one mutant.
"""

import argparse
import ast
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ("dsl", "interpreter", "validators")

#: Tests that are tried before all others, by the package of the mutant.
NEAR = {
    "dsl": ("tests/spec", "tests/diagnostics"),
    "interpreter": ("tests/interpreter", "tests/wasm", "tests/spec"),
    "validators": ("tests/validators", "tests/diagnostics"),
}

#: Asks where the environment's own packages stand, which a clone does not change.
NOT_OF_A_CLONE = "tests/test_architecture.py::test_packages_are_ours"

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*"}


@dataclass(frozen=True)
class Mutant:
    """One change: the characters `start` to `end` of the file at `path` are replaced by `text`."""

    path: Path
    line: int
    start: int
    end: int
    text: str


def mutants_of(path: Path, text: str) -> Iterator[Mutant]:
    """All changes of a file. Annotations and what only a reader sees are left alone."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def offset(line: int, column: int) -> int:
        row = text[lines[line - 1] : lines[line]]
        return lines[line - 1] + len(row.encode()[:column].decode())

    def replaced(first: tuple[int, int], last: tuple[int, int], new: str) -> Mutant:
        return Mutant(path, first[0], offset(*first), offset(*last), new)

    for node in _executed(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in RELATIONS:
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), f" {RELATIONS[type(op)]} ")
            case ast.BoolOp(op=op, values=[left, right, *_]):
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), " or " if isinstance(op, ast.And) else " and ")
            case ast.UnaryOp(op=ast.Not()):
                yield replaced(_start(node), (node.lineno, node.col_offset + len("not")), "")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                between = text[offset(*_end(left)) : offset(*_start(right))]
                if not set(between) & set("()"):
                    yield replaced(_end(left), _start(right), f" {ARITHMETIC[type(op)]} ")
            case ast.Constant(value=int(value)):
                new = str(not value) if isinstance(value, bool) else str(value + 1)
                yield replaced(_start(node), _end(node), new)
            case ast.Expr(value=ast.Call()):
                yield replaced(_start(node), _end(node), "pass")
            case ast.Continue():
                yield replaced(_start(node), _end(node), "break")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            match child:
                case ast.JoinedStr() | ast.ImportFrom() | ast.Import() | ast.Raise():
                    pass
                case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="assert_never"))):
                    pass
                case ast.AST():
                    yield child
                    yield from _executed(child)


def _start(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def caught(clone: Path, near: tuple[str, ...], workers: str, seconds: int) -> str | None:
    """The test that failed, or how the run ended otherwise; None if all passed."""
    env = os.environ | {"PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    for tests in (near, ()):
        command = [sys.executable, "-m", "pytest", "-x", "-n", workers, "-p", "no:cacheprovider"]
        command += ["--deselect", NOT_OF_A_CLONE, *tests]
        try:
            run = subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "no end"
        if run.returncode:
            failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
            return failed[0][:150] if failed else f"pytest ended with {run.returncode}"
    return None


def main() -> int:
    """0 if at least 95 of 100 mutants were caught."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", action="append", help=f"a folder; may be repeated [{', '.join(ENGINE)}]")
    parser.add_argument("--workers", default="auto", help="processes of pytest")
    parser.add_argument(
        "--seconds", type=int, default=1200, help="a longer run of the tests counts as a hang"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants") as place:
        clone = Path(place) / "rulewright"
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True)
        files = [
            path for folder in options.within or ENGINE for path in sorted((clone / folder).rglob("*.py"))
        ]
        every = [mutant for path in files for mutant in mutants_of(path, path.read_text(encoding="utf-8"))]
        drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
        print(f"{len(every):,} mutants in {len(files)} files, {len(drawn)} drawn with seed {options.seed}")
        clean = caught(clone, ("tests/test_architecture.py",), options.workers, options.seconds)
        if clean is not None:
            print(f"the tests fail without a change: {clean}", file=sys.stderr)
            return 2
        survivors = 0
        for number, mutant in enumerate(drawn, 1):
            text = mutant.path.read_text(encoding="utf-8")
            mutant.path.write_text(text[: mutant.start] + mutant.text + text[mutant.end :], encoding="utf-8")
            name = mutant.path.relative_to(clone)
            reason = caught(clone, NEAR[name.parts[0]], options.workers, options.seconds)
            print(f"{number} {name}:{mutant.line} {'survived' if reason is None else reason}", flush=True)
            if reason is None:
                survivors += 1
                difference = ["git", "diff", "--unified=1", "--", str(name)]
                print(
                    subprocess.run(difference, cwd=clone, capture_output=True, text=True).stdout, flush=True
                )
            mutant.path.write_text(text, encoding="utf-8")
        print(f"{len(drawn) - survivors} of {len(drawn)} caught")
        return int(20 * survivors > len(drawn))


if __name__ == "__main__":
    sys.exit(main())
