"""Components are drawn again when a signal that they have read changes: in node, on a small document."""

from __future__ import annotations

from pathlib import Path

from tests.web.in_node import run_in_node

SCRIPT = """
import { batch, computed, html, render, signal, useErrorBoundary, useState } from "./rulewright/web/html.js";

/** A node of a document, as far as Preact needs it to draw texts in elements. */
class Part {
    constructor(name) {
        const type = name ? 1 : 3;
        Object.assign(this, { localName: name, nodeType: type, childNodes: [], data: "", attributes: [] });
    }
    get firstChild() { return this.childNodes[0] ?? null; }
    get nextSibling() {
        const all = this.parentNode?.childNodes ?? [];
        return all[all.indexOf(this) + 1] ?? null;
    }
    get text() { return this.data + this.childNodes.map((one) => one.text).join(""); }
    insertBefore(one, before) {
        one.parentNode?.removeChild(one);
        const at = this.childNodes.indexOf(before);
        this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, one);
        one.parentNode = this;
    }
    appendChild(one) { this.insertBefore(one, null); }
    removeChild(one) {
        this.childNodes.splice(this.childNodes.indexOf(one), 1);
        one.parentNode = null;
    }
    remove() { this.parentNode?.removeChild(this); }
    setAttribute() {}
    removeAttribute() {}
}
globalThis.document = {
    createElementNS: (_, name) => new Part(name),
    createElement: (name) => new Part(name),
    createTextNode: (text) => Object.assign(new Part(""), { data: String(text) }),
};

const told = [];
const seen = {};
const page = new Part("main");
const drawn = () => new Promise((done) => setTimeout(done));
async function step(name, act) {
    told.length = 0;
    act();
    await drawn();
    seen[name] = [page.text, ...told.sort()];
}

const [a, b, which, shown] = [signal(1), signal(10), signal(true), signal(true)];
const isLarge = computed(() => a.value > 5);
const Inner = () => (told.push("inner"), html`<i>${which.value ? a.value : b.value}</i>`);
const Large = () => (told.push("large"), html`<b>${isLarge.value ? "large" : "small"}</b>`);
const Peeking = () => (told.push("peeking"), html`<u>${b.peek()}</u>`);
let turn;
function Counting() {
    const [number, set] = useState(0);
    turn = () => set(number + 1);
    told.push("counting");
    return html`<s>${number + b.value}</s>`;
}
function Failing() {
    if (a.value === 13) throw new Error("thirteen");
    return html`<em>well</em>`;
}
function Guarded() {
    const [error] = useErrorBoundary();
    return error ? html`<p>${error.message}</p>` : html`<${Failing} />`;
}
const Whole = () => html`<div>
    ${shown.value && html`<${Inner} />`} <${Large} /> <${Peeking} /> <${Counting} /> <${Guarded} />
</div>`;

await step("drawn once", () => render(html`<${Whole} />`, page));
await step("again when what was read changes", () => (a.value = 2));
await step("not when it is set to what it is", () => (a.value = 2));
await step("once for several changes", () => batch(() => { a.value = 3; which.value = false; }));
await step("not by what is read no more", () => (a.value = 4));
await step("by what is read now, not by what is peeked at", () => (b.value = 11));
await step("when what follows from others changes", () => (a.value = 6));
await step("by their own state", () => turn());
await step("and still by signals", () => (b.value = 12));
await step("a failure is caught above", () => (a.value = 13));
await step("and all others are drawn as before", () => (a.value = 1));
await step("no more when it is gone", () => (shown.value = false));
await step("nor does it hear any more", () => (b.value = 14));
process.stdout.write(JSON.stringify(seen));
"""


def test_components_are_drawn_when_what_they_have_read_changes(tmp_path: Path) -> None:
    assert run_in_node(SCRIPT, tmp_path) == {
        "drawn once": ["1 small 10 10 well", "counting", "inner", "large", "peeking"],
        "again when what was read changes": ["2 small 10 10 well", "inner"],
        "not when it is set to what it is": ["2 small 10 10 well"],
        "once for several changes": ["10 small 10 10 well", "inner"],
        "not by what is read no more": ["10 small 10 10 well"],
        "by what is read now, not by what is peeked at": ["11 small 10 11 well", "counting", "inner"],
        "when what follows from others changes": ["11 large 10 11 well", "large"],
        "by their own state": ["11 large 10 12 well", "counting"],
        "and still by signals": ["12 large 10 13 well", "counting", "inner"],
        "a failure is caught above": ["12 large 10 13 thirteen"],
        "and all others are drawn as before": ["12 small 10 13 thirteen", "large"],
        "no more when it is gone": [" small 12 13 thirteen", "counting", "large", "peeking"],
        "nor does it hear any more": [" small 12 15 thirteen", "counting"],
    }
