"""Checks the types of the pages: that of tables and games, and that of the studio.

    python tools/check_page.py        # needs npm; exits with 1 where a type does not fit

The modules stay JavaScript that runs as it is; their types stand in JSDoc and in `rulewright/web/types.d.ts`,
and TypeScript reads them under its strict rules, which also tell of what nobody uses. It reads a copy, in
which packages stand where the vendored libraries made of them do, since only packages have types; and some of
what Python writes for the page, so that the types are those of what is really sent.

Where there is no npm, or it can fetch nothing within its time, this is said, and all ends well.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rulewright import Match, open_game  # noqa: E402
from rulewright.bundling.descriptions import carried_description, carried_tables  # noqa: E402
from rulewright.presentation.description import describe  # noqa: E402
from rulewright.presentation.host_tables import host_tables  # noqa: E402
from rulewright.presentation.position import entries, position  # noqa: E402
from rulewright.studio.token_module import TOKENS, token_module  # noqa: E402
from tools.vendor import EDITOR_EXPORTS, EDITOR_PACKAGES, FILES  # noqa: E402

WORK = ROOT / "build" / "page_types"
TYPESCRIPT = "typescript@7.0.2"
PAGES = {"web": ROOT / "rulewright" / "web", "studio": ROOT / "rulewright" / "studio" / "page"}
ENTRIES = {"hooks/dist/hooks.mjs": "preact/hooks"}
LEFT_OUT = {"vendor", "minified"}
MOST_SECONDS = 120
"""How long npm may take to fetch the packages: without a way to its registry it waits much longer."""
OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noFallthroughCasesInSwitch": True,
    "noImplicitReturns": True,
    "noUnusedLocals": True,
    "noUnusedParameters": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2024", "dom", "dom.iterable"],
    "types": [],
    "paths": {"/web/*": ["./web/*"]},
}


GAMES = ("bridge", "kuhn_poker", "roma", str(ROOT / "tests" / "generality" / "bids"))
"""Games with teams, dice, hidden pieces and ranges of numbers, of which something is written."""
CHOICES = 12


def main() -> int:
    if shutil.which("npm") is None:
        return not_checked("npm is not installed")
    try:
        install()
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return not_checked("npm cannot fetch TypeScript")
    copy()
    write(WORK / "written.ts", written())
    done = subprocess.run([str(WORK / "node_modules/.bin/tsc"), "--pretty", "false"], cwd=WORK, check=False)
    return done.returncode


def not_checked(why: str) -> int:
    print(f"The types of the pages were not checked: {why}.", file=sys.stderr)
    return 0


def install() -> None:
    """Installs TypeScript and the packages whose types are needed, unless they are there."""
    packages = [TYPESCRIPT, *FILES, *EDITOR_PACKAGES]
    mark = WORK / "packages.json"
    if mark.is_file() and json.loads(mark.read_text("utf-8")) == packages:
        return
    WORK.mkdir(parents=True, exist_ok=True)
    command = [
        "npm",
        "install",
        "--silent",
        "--no-save",
        "--fetch-retries=1",
        "--prefix",
        str(WORK),
        *packages,
    ]
    subprocess.run(command, check=True, timeout=MOST_SECONDS)
    mark.write_text(json.dumps(packages), encoding="utf-8")


def copy() -> None:
    """Writes the modules into the folder that is checked, and what stands for the vendored ones."""
    for page, home in PAGES.items():
        shutil.rmtree(WORK / page, ignore_errors=True)
        shutil.copytree(home, WORK / page, ignore=shutil.ignore_patterns(*LEFT_OUT, "*.css"))
    for package, files in FILES.items():
        name = package.rpartition("@")[0]
        for source, target in files.items():
            if not Path(source).name.startswith("_"):
                write(WORK / "web" / "vendor" / target, stand_in(name, source))
    write(WORK / "studio" / "vendor" / "codemirror.js", EDITOR_EXPORTS)
    write(WORK / "studio" / TOKENS, token_module().decode())
    settings = {"compilerOptions": OPTIONS, "include": ["written.ts", *(f"{page}/**/*" for page in PAGES)]}
    write(WORK / "tsconfig.json", json.dumps(settings, indent=4))


def written() -> str:
    """What Python writes of some games and of some positions, as constants of the types of the page."""
    found: dict[str, list[Any]] = {"Description": [], "HostTables": [], "Position": [], "Entry": []}
    for name in GAMES:
        game = open_game(name)
        whole, tables = describe(game), host_tables(game)[1]
        carried = carried_description(whole, ("en",))
        found["Description"] += [whole, carried]
        found["HostTables"].append(carried_tables(tables, carried))
        match = Match(game, seed=7).start()
        for number in range(CHOICES):
            if not match.over:
                decision = match.decisions()[0]
                found["Position"].append(position(match, game.seat_number(decision.seat)))
                match.choose(decision.seat, decision.choices[number % len(decision.choices)].text)
        found["Entry"] += entries(match, 0)
    constants = (
        f"export const {kind.lower()}: {kind}[] = {json.dumps(x, indent=1)};\n" for kind, x in found.items()
    )
    return f'import type {{ {", ".join(found)} }} from "./web/types.d.ts";\n{"".join(constants)}'


def stand_in(package: str, source: str) -> str:
    """A module that gives what a file of a package gives, by the name that has types for it."""
    names = {"@noble/hashes": f"{package}/{source}", "preact": ENTRIES.get(source, package)}
    name = names.get(package, package)
    text = f'export * from "{name}";\n'
    return f'{text}export {{ default }} from "{name}";\n' if package == "htm" else text


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
