"""Fetches the JavaScript libraries of the page from the npm registry, as ES modules with relative imports.

    python tools/vendor.py            # needs npm; writes rulewright/web/vendor

Browsers resolve relative imports by themselves, so the page needs neither node, nor a build, nor an import
map. Only the specifiers of imports are rewritten; everything else is as published.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

VENDOR = Path(__file__).parent.parent / "rulewright" / "web" / "vendor"
FILES = {
    "preact@11.2.0": {"dist/preact.mjs": "preact.js", "hooks/dist/hooks.mjs": "hooks.js"},
    "htm@3.1.1": {"dist/htm.module.js": "htm.js"},
}
"""For each package and version the files that are taken, and where they are written."""
MODULES = {
    "preact": "./preact.js",
    "preact/hooks": "./hooks.js",
}


def main() -> None:
    lines = ["# Vendored libraries", "", "Written by `tools/vendor.py`. Do not edit.", ""]
    for package, files in FILES.items():
        licence = fetch(package, files)
        lines.append(f"- `{package}`, {licence}: {', '.join(f'`{name}`' for name in files.values())}")
    (VENDOR / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
