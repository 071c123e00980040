// Components are drawn again when a signal changes that they have read.

import { options } from "./vendor/preact.js";
import { forget, readAs } from "./signals.js";

/** The hooks of Preact, by the names that it publishes them under: before and after a component is drawn. */
const [BEFORE_DIFF, BEFORE_DRAWING, AFTER_ERROR, COMPONENT] = ["__b", "__r", "__e", "__c"];

const readers = new WeakMap();

function hook(name, act) {
    const before = options[name];
    options[name] = (...given) => {
        act(...given);
        before?.(...given);
    };
}

hook(BEFORE_DRAWING, (node) => {
    const component = node[COMPONENT];
    let one = readers.get(component);
    if (!one) {
        one = { sources: new Set(), changed: () => component.setState({}) };
        readers.set(component, one);
    }
    forget(one);
    readAs(one);
});
for (const name of [BEFORE_DIFF, AFTER_ERROR, "diffed"]) {
    hook(name, () => readAs(null));
}
hook("unmount", (node) => {
    const one = readers.get(node[COMPONENT]);
    if (one) {
        forget(one);
    }
});
