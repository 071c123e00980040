// What is rarely done at a table: score sheets, giving up, ending, the log.

import { html, useEffect, useRef, useState } from "../html.js";
import { t } from "../i18n.js";
import { complain } from "./announce.js";
import { Confirm, Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { outcomeOf } from "./outcome.js";
import { ScoreSheet } from "./result.js";
import { SealedSeed } from "./sealed_seed.js";

/**
 * @param {object} props
 * @param {object[]} [props.waysOut] how the match can be ended early
 */
export function MatchMenu({ backend, waysOut = [], logAddress, onLog, onOpenLog, onNew }) {
    const [asking, setAsking] = useState(null);
    const menu = useRef(null);
    const position = backend.position.value;
    const chance = backend.table.value?.chance;
    const playing = position && position.seat >= 0 && !outcomeOf(backend.table.value, position);
    const shut = () => {
        menu.current.open = false;
        menu.current.querySelector("summary").focus();
    };
    const ask = (what) => {
        shut();
        setAsking(what);
    };
    const done = () => setAsking(null);
    const act = (what) => {
        done();
        backend[what]().catch(complain);
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
                ${playing && waysOut.map(({ name, icon, danger }) => html`<li><button type="button" class=${danger ? "plain danger" : "plain"} onClick=${() => ask(name)}>${icon && html`<${Icon} name=${icon} />`}${t(name)}</button></li>`)}
                ${onOpenLog && html`<li><label class="button plain" title=${t("drop-log")}>${t("open-log")}<input type="file" class="unseen" accept=".jsonl,.log,.txt" onChange=${onOpenLog} /></label></li>`}
                ${onNew && html`<li><button type="button" class="plain" onClick=${() => (shut(), onNew())}>${t("new-match")}</button></li>`}
            </ul>
        </details>
        ${asking === "scores" && html`<${Dialog} title=${t("scores")} onClose=${done} wide><${ScoreSheet} backend=${backend} position=${position} openRule=${() => {}} /><//>`}
        ${asking === "seed" && html`<${Dialog} title=${t("sealed-seed")} onClose=${done}><${SealedSeed} chance=${chance} /><//>`}
        ${waysOut.map(({ name, sure, yes, danger }) => asking === name && html`<${Confirm} title=${t(name)} text=${t(sure)} yes=${t(yes)} danger=${danger} onYes=${() => act(name)} onNo=${done} />`)}`;
}

/** A menu closes by Escape, and when something else is clicked or has the focus. */
function useClosing(menu) {
    useEffect(() => {
        const away = (event) => {
            if (menu.current && !menu.current.contains(event.target)) {
                menu.current.open = false;
            }
        };
        const escape = (event) => {
            if (event.key === "Escape" && menu.current?.open) {
                menu.current.open = false;
                menu.current.querySelector("summary").focus();
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
