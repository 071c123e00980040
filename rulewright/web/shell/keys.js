// Single keys that do something, where the viewer wants them.

import { useEffect, useRef } from "../html.js";
import { shortcuts } from "./settings.js";

/** Listens to keys by their names, unless somebody is typing, or a dialog is open. @param {Record<string, () => void>} actions */
export function useKeys(actions) {
    const latest = useRef(actions);
    latest.current = actions;
    useEffect(() => {
        const pressed = (/** @type {KeyboardEvent} */ event) => {
            const typing = event.target instanceof Element && event.target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog");
            const held = event.ctrlKey || event.metaKey || event.altKey;
            const action = latest.current[event.key];
            if (action && shortcuts.value && !typing && !held && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
                event.preventDefault();
                action();
            }
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
}
