// The rulebook that a file carries.

import { anchorOf, contentOf } from "./rules_panel.js";

/** A rulebook as the content of its page. Marks of clauses are carried as `⟦4.3 R1⟧`. */
export function readRules(text) {
    return contentOf(text.replaceAll(/⟦(.*?)⟧/g, (_, marks) => `<small class="marks">${marks.split(" ").map(link).join(" ")}</small>`));
}

const link = (mark) => `<a href="#${anchorOf(mark)}">§${mark}</a>`;
