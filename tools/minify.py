"""Writes the scripts of the page, short, for those who get it over a wire or in one file.

    python tools/minify.py            # needs npm; writes rulewright/web/minified

After every change of a module of the page. Neither users nor tests need node: a test compares the seal of
the modules with that in the scripts.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rulewright.bundling.scripts import (  # noqa: E402
    COMPANION,
    FOLDER,
    LOADER,
    PAGE,
    POLICY,
    SINGLE,
    modules,
    seal,
)

PACKAGES = ("esbuild@0.28.2", "terser@5.51.2", "@babel/core@7.29.13", "babel-plugin-htm@3.0.0")
BUNDLE = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8")
COMPRESS = "passes=3,ecma=2022,unsafe_arrows=true,keep_fargs=false,pure_getters=false"
"""Reading a signal has an effect, so no getter is taken for pure."""
CALLS = """
const { transformSync } = require("@babel/core");
const { readFileSync, writeFileSync } = require("fs");
const plugins = [[require("babel-plugin-htm"), { pragma: "$h", useNativeSpread: true }]];
for (const file of process.argv.slice(2)) {
    const settings = { configFile: false, babelrc: false, plugins };
    const { code } = transformSync(readFileSync(file, "utf8"), settings);
    writeFileSync(file, code);
}
"""
"""Makes calls of what stands in templates, so that nobody has to read them in the browser."""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["npm", "install", "--silent", "--prefix", name, *PACKAGES], check=True)
        for path, text in modules().items():
            target = folder / "page" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        compile_templates(folder)
        for entry in (PAGE, SINGLE, COMPANION, POLICY, LOADER):
            write(entry, short(folder, entry))


def compile_templates(folder: Path) -> None:
    """Replaces templates by the calls that they stand for: nobody imports then what reads them."""
    script = folder / "calls.cjs"
    script.write_text(CALLS, encoding="utf-8")
    page = folder / "page"
    files = [file for file in page.rglob("*.js") if "html`" in file.read_text("utf-8")]
    subprocess.run(["node", str(script), *map(str, files)], check=True)
    for file in files:
        text = re.sub(r"(import\s*\{[^}]*?)\bhtml\b", r"\1h as $h", file.read_text("utf-8"), count=1)
        file.write_text(text, encoding="utf-8")


def short(folder: Path, entry: str) -> str:
    """The script of an entry, by both minifiers: the first leaves out what nobody uses."""
    programs, found = folder / "node_modules" / ".bin", folder / entry
    script = str(folder / "page" / entry)
    if entry != LOADER:
        command = [str(programs / "esbuild"), script, *BUNDLE, f"--outfile={found}"]
        command += ["--legal-comments=none", "--log-level=warning"]
        subprocess.run(command, check=True)
        script = str(found)
    command = [str(programs / "terser"), script, "--compress", COMPRESS, "--mangle", "--ecma", "2022"]
    command += ["--toplevel"] if entry == LOADER else ["--module"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write(entry: str, text: str) -> None:
    """A script with the seal of what it was made of."""
    target = ROOT / "rulewright" / "web" / FOLDER / entry
    target.parent.mkdir(exist_ok=True)
    head = f"// Made of modules with the seal {seal()} by tools/minify.py. Do not edit.\n"
    target.write_text(f"{head}{text.strip()}\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {len(text)} characters")


if __name__ == "__main__":
    main()
