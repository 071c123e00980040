// What is rarely done at a table: score sheets, giving up, ending, the log.

import { html, useEffect, useRef, useState } from "../html.js";
import { t } from "../i18n.js";
import { complain } from "./announce.js";
import { Confirm, Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { outcomeOf } from "./outcome.js";
import { ScoreSheet } from "./result.js";
import { SealedSeed } from "./sealed_seed.js";

export function MatchMenu({ backend, logAddress, onLog, onOpenLog, onNew }) {
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
                ${playing && backend.abandon && html`<li><button type="button" class="plain" onClick=${() => ask("abandon")}>${t("abandon")}</button></li>`}
                ${playing && backend.resign && html`<li><button type="button" class="plain danger" onClick=${() => ask("resign")}><${Icon} name="flag" />${t("resign")}</button></li>`}
                ${onOpenLog && html`<li><label class="button plain" title=${t("drop-log")}>${t("open-log")}<input type="file" class="unseen" accept=".jsonl,.log,.txt" onChange=${onOpenLog} /></label></li>`}
                ${onNew && html`<li><button type="button" class="plain" onClick=${() => (shut(), onNew())}>${t("new-match")}</button></li>`}
            </ul>
        </details>
        ${asking === "scores" && html`<${Dialog} title=${t("scores")} onClose=${done} wide><${ScoreSheet} backend=${backend} position=${position} openRule=${() => {}} /><//>`}
        ${asking === "seed" && html`<${Dialog} title=${t("sealed-seed")} onClose=${done}><${SealedSeed} chance=${chance} /><//>`}
        ${asking === "abandon" && html`<${Confirm} title=${t("abandon")} text=${t("abandon-sure")} yes=${t("propose")} onYes=${() => act("abandon")} onNo=${done} />`}
        ${asking === "resign" && html`<${Confirm} title=${t("resign")} text=${t("resign-sure")} yes=${t("resign")} danger onYes=${() => act("resign")} onNo=${done} />`}`;
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
