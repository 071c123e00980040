// What leaves the studio: the game on paper, as one file that plays, and tables for testers.

import { html, useEffect, useState } from "/web/html.js";
import { token } from "../kept.js";
import { attempt, say } from "../notices.js";

/** @import { FieldEvent, FormEvent, SelectEvent } from "/web/types.d.ts" @import { Props } from "../studio.js" @import { Asked, Reach, Room } from "../types.d.ts" */

/** What can be made, with what is said of it. @type {[kind: string, suffix: string, title: string, what: string][]} */
const KINDS = [
    ["paper", "pdf", "Print", "Cards, boards, sheets and the rulebook as a PDF file to print and cut out."],
    ["page", "html", "One file that plays", "The table, the rulebook and bots in one HTML file, for testers who have nothing else."],
];

/** @param {Props} props */
export function PublishPanel({ studio }) {
    const [making, setMaking] = useState("");
    const unsaved = studio.files.all.value.filter((file) => studio.files.isUnsaved(file));
    const make = async (/** @type {string} */ kind, /** @type {string} */ suffix) => {
        setMaking(kind);
        const done = await attempt(download(kind, `${studio.name}.${suffix}`).then(() => true));
        setMaking("");
        done && say(`${studio.name}.${suffix} is made`, "good");
    };
    return html`${unsaved.length > 0 && html`<p class="note warm">What is not saved is not in it: ${unsaved.map(({ path }) => path).join(", ")}</p>`}
        ${KINDS.map(([kind, suffix, title, what]) => html`<section key=${kind} class="padded"><h3 class="list-title">${title}</h3><p>${what}</p>
            <button type="button" class="slim main" disabled=${making !== "" || studio.isBroken} onClick=${() => make(kind, suffix)}>${making === kind ? "It is being made…" : `Make ${studio.name}.${suffix}`}</button></section>`)}
        <${Testers} studio=${studio} />`;
}

/** How often it is looked who sits at the tables for testers, in milliseconds. */
const LOOKS = 4000;

/** A table for testers under the saved rules, its link, and who sits there. @param {Props} props */
function Testers({ studio }) {
    const { connection, asked, rooms } = studio;
    const { reach, url, questions } = asked.value.room;
    const { records } = asked.value;
    const [opening, setOpening] = useState(false);
    const set = (/** @type {Partial<Asked["room"]>} */ some) => studio.ask({ room: { ...asked.peek().room, ...some } });
    const found = rooms.value;
    useEffect(() => {
        connection.tell("rooms", {});
        const timer = setInterval(() => rooms.peek().running && connection.tell("rooms", {}), LOOKS);
        return () => clearInterval(timer);
    }, [connection.status.value]);
    const open = async (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        setOpening(true);
        await attempt(connection.ask("room", { reach, url: url.trim(), records: records.trim(), questions }));
        setOpening(false);
    };
    return html`<section class="padded" aria-label="A link for testers"><h3 class="list-title">A link for testers</h3>
        <p>A table of the saved game, with as many seats and the options as at the table here. Whoever has the link may sit down, and is asked whether a record may be kept.</p>
        ${found.running && html`<p class="quiet small">Served at ${found.address}${found.local ? ", for this computer alone" : ""}; records go to ${found.records}. <button type="button" class="plain link" onClick=${() => studio.show("analysis")}>What do they show?</button></p>`}
        <ul class="list rooms">${found.rooms?.map((room) => html`<${RoomRow} key=${room.match} room=${room} rules=${found.rules ?? null} />`)}</ul>
        <form class="stack" onSubmit=${open}>
            <label>reached from <select value=${reach} onChange=${(/** @type {SelectEvent} */ event) => set({ reach: /** @type {Reach} */ (event.currentTarget.value) })}>
                <option value="here">this computer alone</option><option value="network">everywhere in my network</option></select></label>
            <label>its address, if a proxy or a tunnel leads here <input type="url" value=${url} placeholder="https://play.example.org" onInput=${(/** @type {FieldEvent} */ event) => set({ url: event.currentTarget.value })} /></label>
            <label>records in the folder <input value=${records} required onInput=${(/** @type {FieldEvent} */ event) => studio.ask({ records: event.currentTarget.value })} /></label>
            <label>questions after the match, one a line <textarea rows="2" value=${questions} onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => set({ questions: event.currentTarget.value })}></textarea></label>
            <div class="row"><button class="slim main" disabled=${opening || studio.isBroken}>${opening ? "It is being opened…" : found.rooms?.length ? "Open another table" : "Open a table"}</button>
                ${found.running && html`<button type="button" class="slim" onClick=${() => attempt(connection.ask("end_rooms", {}))}>End the server for testers</button>`}</div>
        </form></section>`;
}

/** The digits of the digest of rules that are shown. */
const SHORT = 8;

/** @param {{ room: Room, rules: string | null }} props */
function RoomRow({ room: { link, digest, status, taken, seats }, rules }) {
    const copy = () => attempt(navigator.clipboard.writeText(link).then(() => say("The link is copied", "good")));
    return html`<li><a href=${link} target="_blank" rel="noreferrer">${link}</a> <button type="button" class="slim" onClick=${copy}>Copy</button>
        <small>${status}, ${taken} of ${seats} seats taken</small>
        <small class="chip" data-old=${digest !== rules}>rules ${digest.slice(0, SHORT)}${rules === null ? "" : digest === rules ? ", as saved" : ", from before the last changes: open another table for the present ones"}</small></li>`;
}

/** Lets the browser keep what the server makes. @param {string} kind @param {string} name */
async function download(kind, name) {
    const answer = await fetch(`/made/${kind}`, { headers: { "X-Studio-Token": token() } });
    if (!answer.ok) {
        throw new Error(await answer.text());
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
