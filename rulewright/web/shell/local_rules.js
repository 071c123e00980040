// The rulebook that a file carries.

import { anchorOf, contentOf } from "./rules_panel.js";

const TOLD = /<section id="([^"]+)"><h\d>([^<⟦]*)|<tr id="([^"]+)"><td>([^<⟦]*)|(<tr|<\/table>)|(<\/section>)|⟦([^⟧]+)⟧/g;

/** A rulebook as the content of its page. Marks of clauses are carried as `⟦4.3 R1⟧`. @param {string} text */
export function readRules(text) {
    return contentOf(withIndex(text).replaceAll(/⟦(.*?)⟧/g, (_, marks) => `<small class="marks">${marks.split(" ").map(linkToClause).join(" ")}</small>`));
}

/** A rulebook with what its index of clauses is carried without: ids, and where each clause is told. @param {string} text */
export function withIndex(text) {
    const told = toldIn(text);
    return text.replaceAll(
        /<tr><td>§([^<]+)<td>([^<\n]*)$/gm,
        (_, mark, says) => `<tr id="${anchorOf(mark)}"><td>§${mark}<td>${says}<td>${[...(told.get(mark) ?? "–")].join(", ")}`,
    );
}

/** Links to the sections and rows that cite each clause, in order. @param {string} text */
function toldIn(text) {
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    /** @type {string[]} */
    const sections = [];
    let row = "";
    for (const [, section, title, id, name, rowEnd, sectionEnd, marks] of text.matchAll(TOLD)) {
        if (section) {
            sections.push(link(section, title.trim()));
        } else if (id) {
            row = link(id, name.trim());
        } else if (rowEnd) {
            row = "";
        } else if (sectionEnd) {
            sections.pop();
        }
        for (const mark of marks?.split(" ") ?? []) {
            found.set(mark, (found.get(mark) ?? new Set()).add(row || (sections.at(-1) ?? "")));
        }
    }
    return found;
}

/** The headings of the clauses that a rulebook has in its index. @param {string} text */
export const headingsOf = (text) => Object.fromEntries([...text.matchAll(/(§[^<]+)<td>([^<]+?)(?: \([a-z]+\))?(?:\. |<)/g)].map(([, mark, heading]) => [mark, heading]));

/** @param {string} id @param {string} text */
const link = (id, text) => `<a href="#${id}">${text}</a>`;
/** @param {string} mark */
const linkToClause = (mark) => link(anchorOf(mark), `§${mark}`);
