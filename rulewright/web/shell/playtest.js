// A playtest at a server: its player is asked once whether a record may be kept, marks moments, answers, and deletes.

import * as api from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Confirm, Dialog } from "./dialog.js";
import { IconButton } from "./header.js";
import { useLoaded } from "./loading.js";

/** @import { FormEvent, PlaytestAct, PlaytestShown, TableState } from "../types.d.ts" @import { ServerBackend } from "../backend/server.js" */
/** @typedef {(act: PlaytestAct) => Promise<boolean>} Act does something, and says whether it was done */

const LONGEST = 300;
/** The digits of the digest of rules that are shown. */
const SHORT = 8;
/** The seats, as `MATCH/SEAT`, whose players were asked since the page was loaded. @type {Set<string>} */
const asked = new Set();

/**
 * The button of a playtest, with what it opens; nothing at other tables, and for spectators but the owner.
 * @param {{ backend: ServerBackend, match: string, table: TableState }} props
 */
export function Playtest({ backend, match, table }) {
    const [server] = useLoaded(api.server, []);
    const at = server?.playtest && !table.companion && (table.seat >= 0 || table.owner);
    return at && html`<${OfSeat} key=${`${match}/${table.seat}`} backend=${backend} match=${match} table=${table} />`;
}

/** @param {{ backend: ServerBackend, match: string, table: TableState }} props */
function OfSeat({ backend, match, table }) {
    const { seat } = table;
    const over = table.status === "over";
    const [shown, setShown] = useState(/** @type {PlaytestShown | null} */ (null));
    const [open, setOpen] = useState(false);
    useEffect(() => void api.playtest(match).then(setShown, complain), [match, seat]);
    const agreed = shown?.agreed.includes(seat) ?? false;
    const unanswered = agreed && over && (shown?.questions.length ?? 0) > (shown?.kept.filter((one) => one.seat === seat && one.kind === "answer").length ?? 0);
    useEffect(() => {
        const key = `${match}/${seat}`;
        if (shown && seat >= 0 && !agreed && !over && !asked.has(key)) {
            setOpen(true);
        }
        if (shown) {
            asked.add(key);
        }
    }, [shown !== null]);
    useEffect(() => {
        if (unanswered) {
            setOpen(true);
        }
    }, [over]);
    if (!shown) {
        return null;
    }
    /** @type {Act} */
    const act = (what) =>
        api.actInPlaytest(match, what).then(
            (now) => (setShown(now), announce(t("saved")), true),
            (error) => (complain(error), false),
        );
    const close = () => setOpen(false);
    return html`<${IconButton} name=${t("playtest")} icon="note" onClick=${() => setOpen(true)} />
        ${open && !agreed && html`<${Consent} table=${table} act=${act} onClose=${close} />`}
        ${open && agreed && html`<${Record} backend=${backend} table=${table} shown=${shown} act=${act} onClose=${close} />`}`;
}

/**
 * What is kept, for how long, and how it is deleted; then yes or no, for who has a seat.
 * @param {{ table: TableState, act: Act, onClose: () => void }} props
 */
function Consent({ table, act, onClose }) {
    const { seat } = table;
    const agree = async () => (await act({ do: "agree", seat })) && onClose();
    const actions = html`<${DeleteAll} table=${table} act=${act} onClose=${onClose} />
        ${seat >= 0 && html`<button type="button" onClick=${onClose}>${t("playtest-no")}</button>
            <button type="button" class="main" onClick=${agree}>${t("playtest-yes")}</button>`}`;
    return html`<${Dialog} title=${t("playtest")} onClose=${onClose} actions=${actions}>
        <p>${t("playtest-what")}</p><p>${t("playtest-how-long")}</p><p>${t("playtest-free")}</p><${Version} table=${table} /><//>`;
}

/** Which version of the rules is played, as records name it. @param {{ table: TableState }} props */
const Version = ({ table }) => html`<p class="quiet small">${t("playtest-version", { version: table.rules.digest.slice(0, SHORT) })}</p>`;

/** The owner's button that deletes what all have agreed to keep. @param {{ table: TableState, act: Act, onClose: () => void }} props */
function DeleteAll({ table, act, onClose }) {
    const [sure, setSure] = useState(false);
    return (
        table.owner &&
        html`<button type="button" class="danger" onClick=${() => setSure(true)}>${t("playtest-delete")}</button>
            ${sure && html`<${Confirm} title=${t("playtest-delete")} text=${t("playtest-delete-sure")} yes=${t("playtest-delete")} danger
                onYes=${() => act({ do: "delete" }).then(onClose)} onNo=${() => setSure(false)} />`}`
    );
}

/**
 * What the player of a seat can add to the record, has added, and can delete.
 * @param {{ backend: ServerBackend, table: TableState, shown: PlaytestShown, act: Act, onClose: () => void }} props
 */
function Record({ backend, table, shown, act, onClose }) {
    const { seat } = table;
    const own = shown.kept.filter((one) => one.seat === seat);
    const marks = own.filter(({ kind }) => kind === "mark");
    const mark = async (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.currentTarget);
        if (await act({ do: "mark", seat, entry: backend.entries.peek().length, text: String(new FormData(form).get("text")) })) {
            form.reset();
        }
    };
    const answer = (/** @type {FormEvent} */ event, /** @type {number} */ question) => {
        event.preventDefault();
        act({ do: "answer", seat, question, text: String(new FormData(event.currentTarget).get("text")) });
    };
    const actions = html`<button type="button" onClick=${() => act({ do: "withdraw", seat }).then((done) => done && onClose())}>${t("playtest-withdraw")}</button>
        <${DeleteAll} table=${table} act=${act} onClose=${onClose} />`;
    return html`<${Dialog} title=${t("playtest")} onClose=${onClose} actions=${actions}>
        <form class="stack" onSubmit=${mark}>
            <label class="field"><span>${t("playtest-comment")}</span><input name="text" maxlength=${LONGEST} autocomplete="off" /></label>
            <button type="submit">${t("playtest-mark")}</button>
        </form>
        ${marks.length > 0 && html`<ul>${marks.map(({ text }, i) => html`<li key=${i}>${text || "–"}</li>`)}</ul>`}
        ${table.status === "over" && shown.questions.map((question, i) => html`<form key=${i} class="stack" onSubmit=${(/** @type {FormEvent} */ event) => answer(event, i)}>
            <label class="field"><span>${question}</span>
                <input name="text" maxlength=${LONGEST} autocomplete="off" required defaultValue=${own.find(({ kind, of }) => kind === "answer" && of === i)?.text ?? ""} /></label>
            <button type="submit">${t("send")}</button>
        </form>`)}
        <${Version} table=${table} />
    <//>`;
}
