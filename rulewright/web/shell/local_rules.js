// The rulebook that a file carries.

import { anchorOf, contentOf } from "./rules_panel.js";

/** A rulebook as the content of its page. Marks of clauses are carried as `⟦4.3 R1⟧`. @param {string} text */
export function readRules(text) {
    return contentOf(withIndex(text).replaceAll(/⟦(.*?)⟧/g, (_, marks) => `<small class="marks">${marks.split(" ").map(linkToClause).join(" ")}</small>`));
}

/** A rulebook with the ids of its index of clauses, without which it is carried. @param {string} text */
export const withIndex = (text) => text.replaceAll(/<tr><td>(§[^\n]*?)<td>/g, (_, says) => {
    const [first, ...more] = [...says.matchAll(/(?:^|; )§([^ :;<]+)/g)].map(([, mark]) => `id="${anchorOf(mark)}"`);
    return `<tr ${first}><td>${more.map((id) => `<a ${id}></a>`).join("")}${says}<td>`;
});

/** @param {string} mark */
const linkToClause = (mark) => `<a href="#${anchorOf(mark)}">§${mark}</a>`;
