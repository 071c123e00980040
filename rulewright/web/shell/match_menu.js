// What is rarely done at a table: score sheets, giving up, ending, the log.

import { html, useEffect, useRef, useState } from "../html.js";
import { t } from "../i18n.js";
import { complain } from "./announce.js";
import { CopyButton } from "./clipboard.js";
import { Confirm, Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { outcomeOf } from "./outcome.js";
import { ScoreSheet } from "./result.js";
import { SealedSeed } from "./sealed_seed.js";

/** @import { Backend } from "../types.d.ts" */
/** @import { RefObject } from "../vendor/preact.js" */
/** @import { MenuProps } from "./frame.js" */
/** @import { WayOut } from "./giving_up.js" */

/** @param {{ backend: Backend } & MenuProps} props */
export function MatchMenu({ backend, waysOut = [], logAddress, onLog, notation, onOpenLog, onNew }) {
    const [asking, setAsking] = useState(/** @type {"scores" | "seed" | WayOut["name"] | null} */ (null));
    /** @type {RefObject<HTMLDetailsElement | null>} */
    const menu = useRef(null);
    const position = backend.position.value;
    const chance = backend.table.value?.chance;
    const playing = position && position.seat >= 0 && !outcomeOf(backend.table.value, position);
    const shut = () => close(menu.current);
    const ask = (/** @type {typeof asking} */ what) => {
        shut();
        setAsking(what);
    };
    const done = () => setAsking(null);
    const act = (/** @type {WayOut["name"]} */ what) => {
        done();
        backend[what]?.().catch(complain);
    };
    useClosing(menu);
    return html`<details class="menu" ref=${menu}>
            <summary aria-label=${t("more")} title=${t("more")}><span aria-hidden="true">⋯</span></summary>
            <ul>
                ${position && html`<li><button type="button" class="plain" onClick=${() => ask("scores")}>${t("scores")}</button></li>`}
                ${chance?.commitment && html`<li><button type="button" class="plain" onClick=${() => ask("seed")}>${t("sealed-seed")}</button></li>`}
                <li><button type="button" class="plain" onClick=${() => (shut(), print())}>${t("print")}</button></li>
                ${logAddress && html`<li><a class="button plain" href=${logAddress} download>${t("log")}</a></li>`}
                ${onLog && html`<li><button type="button" class="plain" onClick=${() => (shut(), onLog())}><${Icon} name="download" />${t("log")}</button></li>`}
                ${notation && html`<li><${CopyButton} class="plain" icon="copy" name=${t("copy-notation")} text=${notation} /></li>`}
                ${playing && waysOut.map(({ name, icon, danger }) => html`<li><button type="button" class=${danger ? "plain danger" : "plain"} onClick=${() => ask(name)}>${icon && html`<${Icon} name=${icon} />`}${t(name)}</button></li>`)}
                ${onOpenLog && html`<li><label class="button plain" title=${t("drop-log")}>${t("open-log")}<input type="file" class="unseen" accept=".jsonl,.log,.txt" onChange=${onOpenLog} /></label></li>`}
                ${onNew && html`<li><button type="button" class="plain" onClick=${() => (shut(), onNew())}>${t("new-match")}</button></li>`}
            </ul>
        </details>
        ${asking === "scores" && position && html`<${Dialog} title=${t("scores")} onClose=${done} wide><${ScoreSheet} backend=${backend} position=${position} openRule=${() => {}} /><//>`}
        ${asking === "seed" && chance && html`<${Dialog} title=${t("sealed-seed")} onClose=${done}><${SealedSeed} chance=${chance} /><//>`}
        ${waysOut.map(({ name, sure, yes, danger }) => asking === name && html`<${Confirm} title=${t(name)} text=${t(sure)} yes=${t(yes)} danger=${danger} onYes=${() => act(name)} onNo=${done} />`)}`;
}

/** Closes a menu; the focus is where it was opened. @param {HTMLDetailsElement | null} menu */
function close(menu) {
    if (menu) {
        menu.open = false;
        menu.querySelector("summary")?.focus();
    }
}

/** A menu closes by Escape, and when something else is clicked or has the focus. @param {RefObject<HTMLDetailsElement | null>} menu */
function useClosing(menu) {
    useEffect(() => {
        const away = (/** @type {Event} */ event) => {
            if (menu.current && event.target instanceof Node && !menu.current.contains(event.target)) {
                menu.current.open = false;
            }
        };
        const escape = (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Escape" && menu.current?.open) {
                close(menu.current);
            }
        };
        addEventListener("pointerdown", away);
        addEventListener("focusin", away);
        addEventListener("keydown", escape);
        return () => {
            removeEventListener("pointerdown", away);
            removeEventListener("focusin", away);
            removeEventListener("keydown", escape);
        };
    }, []);
}
