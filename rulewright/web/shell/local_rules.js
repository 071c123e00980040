// The rulebook that a file carries.

import { anchorOf, contentOf } from "./rules_panel.js";

const TOLD = /<section id="([^"]+)"><h\d>([^<⟦]*)|<tr id="([^"]+)"><td>([^<⟦]*)|(<tr|<\/table>)|(<\/section>)|⟦([^⟧]+)⟧/g;

/**
 * A rulebook as the content of its page. Marks of clauses are carried as `⟦4.3 R1⟧`; the index of clauses, without
 * ids, and without what it says of where each is told.
 */
export function readRules(text) {
    const told = toldIn(text);
    const row = (_, mark, says) => `<tr id="${anchorOf(mark)}"><td>§${mark}<td>${says}<td>${[...(told.get(mark) ?? "–")].join(", ")}`;
    const whole = text.replaceAll(/<tr><td>§([^<]+)<td>([^<\n]*)$/gm, row);
    return contentOf(whole.replaceAll(/⟦(.*?)⟧/g, (_, marks) => `<small class="marks">${marks.split(" ").map(linkToClause).join(" ")}</small>`));
}

/** Links to the sections and rows that cite each clause, in order. */
function toldIn(text) {
    const found = new Map();
    const sections = [];
    let row = null;
    for (const [, section, title, id, name, rowEnd, sectionEnd, marks] of text.matchAll(TOLD)) {
        if (section) {
            sections.push(link(section, title.trim()));
        } else if (id) {
            row = link(id, name.trim());
        } else if (rowEnd) {
            row = null;
        } else if (sectionEnd) {
            sections.pop();
        }
        for (const mark of marks?.split(" ") ?? []) {
            found.set(mark, (found.get(mark) ?? new Set()).add(row ?? sections.at(-1)));
        }
    }
    return found;
}

/** The headings of the clauses that a rulebook has in its index. */
export const headingsOf = (text) => Object.fromEntries([...text.matchAll(/(§[^<]+)<td>([^<]+?)(?: \([a-z]+\))?(?:\. |<)/g)].map(([, mark, heading]) => [mark, heading]));

const link = (id, text) => `<a href="#${id}">${text}</a>`;
const linkToClause = (mark) => link(anchorOf(mark), `§${mark}`);
