// Components are drawn again when a signal changes that they have read.

import { options } from "./vendor/preact.js";
import { effect } from "./vendor/signals.js";

/**
 * @import { Component, VNode } from "./vendor/preact.js"
 * @typedef {VNode & {__c: Component}} Node of a component; Preact has no types for the names below
 */

/** What Preact calls them when it is published: the hook before a component is drawn, and the component of a node. */
const [BEFORE_DRAWING, COMPONENT] = /** @type {const} */ (["__r", "__c"]);

/**
 * For each component, how to end that it hears of what it has read.
 * @type {WeakMap<Component, () => void>}
 */
const ends = new WeakMap();

/** @param {"__r" | "unmount"} name @param {(component: Component) => void} act */
function hook(name, act) {
    const hooks = /** @type {Record<string, ((node: Node) => void) | undefined>} */ (options);
    const before = hooks[name];
    hooks[name] = (node) => {
        act(node[COMPONENT]);
        before?.(node);
    };
}

hook(BEFORE_DRAWING, (component) => {
    if (ends.has(component)) return;
    const render = component.render;
    ends.set(component, () => {});
    component.render = (...given) => {
        ends.get(component)?.();
        let drawn = null;
        let isDrawing = true;
        const end = effect(() => {
            if (isDrawing) drawn = render.apply(component, given);
            else component.setState({});
            isDrawing = false;
        });
        ends.set(component, end);
        return drawn;
    };
});
hook("unmount", (component) => ends.get(component)?.());
