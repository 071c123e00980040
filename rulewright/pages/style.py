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

RULEBOOK = """
:root { color-scheme: light; --ink: #22201c; --faint: #6d675d; --line: #ddd6c8; --accent: #8a2b1d;
  --soft: #f7f3ea; --paper: #fffdf8; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 17px/1.6 Georgia, "Iowan Old Style", "Times New Roman", serif; color: var(--ink);
  background: var(--paper); }
header { padding: 3rem 1.5rem 1.5rem; text-align: center; border-bottom: 3px double var(--line); }
h1 { margin: 0 0 .6rem; font-size: 2.6rem; line-height: 1.15; font-weight: 600; }
header p { max-width: 38rem; margin: .3rem auto; color: var(--faint); font-style: italic; }
.page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; max-width: 76rem;
  margin: 0 auto; padding: 0 1.5rem 4rem; }
p, ol, ul { max-width: 44rem; } header p { max-width: 38rem; }
nav { font: 14px/1.5 system-ui, sans-serif; }
nav ul { position: sticky; top: 1.5rem; margin: 2.2rem 0 0; padding: 0; list-style: none; }
nav li { margin: .3rem 0; }
nav a { color: var(--faint); text-decoration: none; } nav a:hover { color: var(--accent); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
h2 { margin: 3rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.65rem;
  line-height: 1.2; font-weight: 600; }
h3 { margin: 2rem 0 .5rem; font-size: 1.25rem; } h4 { margin: 1.6rem 0 .4rem; font-size: 1.05rem; }
h4, h5 { color: var(--accent); }
p { margin: .6rem 0; } p.quiet { color: var(--faint); font-style: italic; }
ol, ul { margin: .5rem 0; padding-left: 1.6rem; } li { margin: .3rem 0; } li::marker { color: var(--faint); }
ol ol { list-style: lower-alpha; } ol ol ol { list-style: lower-roman; }
small.marks { font: 11px/1 system-ui, sans-serif; white-space: nowrap; }
small.marks a { color: var(--faint); text-decoration: none; } small.marks a:hover { color: var(--accent); }
.table { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.45; width: 100%; }
th { font: 600 .78rem/1.3 system-ui, sans-serif; color: var(--faint); vertical-align: bottom; }
th, td { padding: .45rem .7rem .45rem 0; text-align: left; border-bottom: 1px solid var(--line); }
td { vertical-align: top; } td.number, th.number { text-align: right; } td:first-child { font-weight: 600; }
td small.marks { white-space: normal; font-weight: 400; }
#clauses td:first-child { white-space: nowrap; font: 600 .8rem/1.7 system-ui, sans-serif; }
tr:target, section:target > h3, section:target > h4 { background: #fdf0c8; }
.drawing { overflow-x: auto; margin: 1rem 0; padding: .5rem; background: #fff; border: 1px solid var(--line);
  border-radius: 4px; } .drawing svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }
.chart svg { min-width: 42rem; }
@media (max-width: 56rem) { .page { display: block; } nav ul { position: static; columns: 2; }
  body { font-size: 16px; } h1 { font-size: 2rem; } header { padding-top: 2rem; } }
@media (max-width: 30rem) { .page { padding: 0 1rem 3rem; } nav ul { columns: 1; }
  ol, ul { padding-left: 1.2rem; } th, td { padding-right: .5rem; } }
@media print { nav { display: none; } .page { display: block; max-width: none; } body { font-size: 11pt; }
  h2 { break-after: avoid; } h3, h4 { break-after: avoid; } tr, li { break-inside: avoid; } }
"""
"""How a rulebook looks: a page to be read, on paper too."""
