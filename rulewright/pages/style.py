"""How pages look."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --good: #1a7f37;
  --bad: #bc4c00; --error: #cf222e; --soft: #f6f8fa; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0; font-size: 1.8rem; } h2 { margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); }
h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; } header p { margin: .2rem 0; color: var(--faint); }
header p.good { color: var(--good); font-weight: 600; } header p.bad { color: var(--bad); font-weight: 600; }
article { border: 1px solid var(--line); border-left: 5px solid var(--bad); border-radius: 6px;
  padding: .2rem 1rem .6rem; margin: .8rem 0; }
article.error { border-left-color: var(--error); } article.allowed { border-left-color: var(--good); }
article h3 span { font: 600 .85rem ui-monospace, monospace; background: var(--soft); padding: .1rem .4rem;
  border-radius: 4px; }
figure { margin: .4rem 0; } figcaption { color: var(--faint); font-size: .85rem; }
figcaption em { color: var(--ink); font-style: normal; font-weight: 600; margin-left: .4rem; }
pre { margin: .1rem 0; padding: .4rem .7rem; background: var(--soft); border-radius: 6px; overflow-x: auto;
  font: 13px/1.45 ui-monospace, monospace; }
mark { background: #ffe4c2; color: inherit; }
code { font: .92em ui-monospace, monospace; background: var(--soft);
  padding: 0 .25em; border-radius: 4px; }
ol { padding-left: 1.4rem; margin: .3rem 0; } article p { margin: .3rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
th { background: var(--soft); } .drawing { overflow-x: auto; margin: .5rem 0; }
summary { cursor: pointer; color: var(--faint); margin: .6rem 0; }
"""
