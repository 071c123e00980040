"""Fetches the JavaScript libraries of the page from the npm registry, as ES modules with relative imports.

    python tools/vendor.py            # needs npm; writes rulewright/web/vendor and the studio's page/vendor

Browsers resolve relative imports by themselves, so the page needs neither node, nor a build, nor an import
map. Only the specifiers of imports are rewritten; everything else is as published. The editor of the studio
is many packages that import each other, so it is put together as one file.
"""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

VENDOR = Path(__file__).parent.parent / "rulewright" / "web" / "vendor"
EDITOR = Path(__file__).parent.parent / "rulewright" / "studio" / "page" / "vendor"
FILES = {
    "preact@11.2.0": {"dist/preact.mjs": "preact.js", "hooks/dist/hooks.mjs": "hooks.js"},
    "htm@3.1.1": {"dist/htm.module.js": "htm.js"},
    "@preact/signals-core@1.14.5": {"dist/signals-core.mjs": "signals.js"},
    "@noble/hashes@2.4.0": {
        f"{name}.js": f"noble/{name}.js" for name in ("blake2", "sha2", "utils", "_blake", "_md", "_u64")
    },
}
"""For each package and version the files that are taken, and where they are written."""
PACKAGE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")
MODULES = {
    "preact": "./preact.js",
    "preact/hooks": "./hooks.js",
}
EDITOR_PACKAGES = (
    "@codemirror/autocomplete@6.20.4",
    "@codemirror/commands@6.11.1",
    "@codemirror/language@6.13.1",
    "@codemirror/lint@6.9.8",
    "@codemirror/search@6.7.2",
    "@codemirror/state@6.7.6",
    "@codemirror/view@6.43.15",
    "@lezer/highlight@1.2.3",
)
EDITOR_EXPORTS = """
export * from "@codemirror/autocomplete";
export * from "@codemirror/commands";
export * from "@codemirror/language";
export * from "@codemirror/lint";
export * from "@codemirror/search";
export * from "@codemirror/state";
export * from "@codemirror/view";
export { tags } from "@lezer/highlight";
"""
BUNDLE = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8")


def main() -> None:
    vendor_modules()
    vendor_editor()


def vendor_modules() -> None:
    lines = ["# Vendored libraries", "", "Written by `tools/vendor.py`. Do not edit.", ""]
    for package, files in FILES.items():
        licence = fetch(package, files)
        lines.append(f"- `{package}`, {licence}: {', '.join(f'`{name}`' for name in files.values())}")
    (VENDOR / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def vendor_editor() -> None:
    """Writes the editor of the studio with all that it imports, and the licences of these packages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = ["npm", "install", "--silent", "--prefix", name, *EDITOR_PACKAGES, "esbuild@0.28.2"]
        subprocess.run(packages, check=True)
        (folder / "editor.js").write_text(EDITOR_EXPORTS, encoding="utf-8")
        target = EDITOR / "codemirror.js"
        target.parent.mkdir(parents=True, exist_ok=True)
        esbuild = str(folder / "node_modules" / ".bin" / "esbuild")
        meta = folder / "meta.json"
        command = [esbuild, "editor.js", *BUNDLE, f"--outfile={target}", f"--metafile={meta}"]
        subprocess.run([*command, "--legal-comments=none", "--log-level=warning"], check=True, cwd=folder)
        paths = json.loads(meta.read_text("utf-8"))["inputs"]
        inside = sorted({found[1] for path in paths if (found := PACKAGE.match(path)) is not None})
        lines = ["# Vendored libraries", "", "Written by `tools/vendor.py`. Do not edit.", ""]
        lines.append("`codemirror.js` is made of these packages, each under the licence MIT:")
        lines.append("")
        for package in inside:
            home = folder / "node_modules" / package
            about = json.loads((home / "package.json").read_text("utf-8"))
            assert about["license"] == "MIT", f"{package} has another licence: {about['license']}"
            lines.append(f"- `{package}@{about['version']}`")
            licence = next(path for path in home.iterdir() if path.name.upper().startswith("LICENSE"))
            name = f"{package.strip('@').replace('/', '-')}.txt"
            write(EDITOR / "licences" / name, licence.read_text("utf-8"))
        write(EDITOR / "README.md", "\n".join(lines) + "\n")


def fetch(package: str, files: dict[str, str]) -> str:
    """Writes the files of a package, and its licence text. Returns the name of the licence."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", package]
        name = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        with tarfile.open(Path(folder) / name) as archive:
            members = {m.name.partition("/")[2]: m for m in archive.getmembers()}

            def read(path: str) -> str:
                found = archive.extractfile(members[path])
                assert found is not None
                return found.read().decode()

            for source, target in files.items():
                write(VENDOR / target, with_relative_imports(read(source)))
            licence = next((m for m in members if m.upper().startswith("LICENSE")), None)
            if licence is not None:
                write(
                    VENDOR / "licences" / f"{package.rpartition('@')[0].strip('@').replace('/', '-')}.txt",
                    read(licence),
                )
            found = re.search(r'"license":\s*"([^"]+)"', read("package.json"))
            assert found is not None
            return found[1]


def with_relative_imports(text: str) -> str:
    """The text of a module whose imports of other packages are relative; without a link to a source map."""
    text = re.sub(r'(from\s*|import\s*)"([^"./][^"]*)"', lambda m: f'{m[1]}"{MODULES.get(m[2], m[2])}"', text)
    return re.sub(r"\n?//# sourceMappingURL=.*\s*$", "\n", text)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
