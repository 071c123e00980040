// Logs that are dropped on a page.

import { useEffect, useRef } from "../html.js";
import { complain } from "./announce.js";

/**
 * @typedef {{ rulewright: unknown, game?: string, rules?: string, seats?: number, options?: Record<string, unknown> }} LogHeader what is read of it here, as far as it is there
 */

/** Logs are small; what is larger is none. */
const LARGEST = 16 << 20;

/** Reads what is dropped anywhere on the page, and hands on its text. @param {(text: string) => unknown} open */
export function useDroppedLogs(open) {
    const latest = useRef(open);
    latest.current = open;
    useEffect(() => {
        const mark = (/** @type {boolean} */ on) => document.body.classList.toggle("dropping", on);
        const over = (/** @type {DragEvent} */ event) => {
            event.preventDefault();
            mark(true);
        };
        const left = (/** @type {DragEvent} */ event) => event.relatedTarget === null && mark(false);
        const dropped = (/** @type {DragEvent} */ event) => {
            event.preventDefault();
            mark(false);
            readFile(event.dataTransfer?.files[0], latest.current);
        };
        addEventListener("dragover", over);
        addEventListener("dragleave", left);
        addEventListener("drop", dropped);
        return () => {
            removeEventListener("dragover", over);
            removeEventListener("dragleave", left);
            removeEventListener("drop", dropped);
        };
    }, []);
}

/** Hands on the text of a file. @param {File | undefined} file @param {(text: string) => unknown} open */
export async function readFile(file, open) {
    if (!file) {
        complain({ code: "not-a-log" }); // a text or a picture was dropped, not a file
        return;
    }
    if (file.size > LARGEST) {
        complain({ code: "too-large" });
        return;
    }
    const text = await file.text().catch(() => "");
    await open(text);
}

/** What a log says of itself in its first line; null of a text that is none. @param {string} text @returns {LogHeader | null} */
export function headerOf(text) {
    try {
        const header = JSON.parse(text.slice(0, text.indexOf("\n") + 1) || text);
        return header?.rulewright ? header : null;
    } catch {
        return null;
    }
}
