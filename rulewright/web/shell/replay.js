// The match so far, entry by entry: a slider, and after the end the eyes of any seat.

import { computed, html, signal, useEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { Refused } from "../backend/messages.js";
import { REFEREE, SPECTATOR } from "../match/state.js";
import { complain } from "./announce.js";
import { CopyButton } from "./clipboard.js";
import { Confirm } from "./dialog.js";
import { IconButton } from "./header.js";
import { stepAddress } from "./moments.js";
import { outcomeOf } from "./outcome.js";
import { nameAt } from "./players.js";

/** @import { Backend, FieldEvent, Position, SelectEvent, Trouble } from "../types.d.ts" */

const BEAT = 900;
const MOST_KEPT = 600;

/** A backend that shows a former position of another one, and does nothing. @implements {Backend} */
export class ReplayBackend {
    kind = /** @type {const} */ ("replay");
    position = signal(/** @type {Position | null} */ (null));
    seq = signal(0);
    seat = signal(0);
    status = signal(/** @type {const} */ ("online"));
    error = signal(null);

    #live;
    /** @type {Map<string, Position>} */
    #kept = new Map();

    /** @param {Backend} live @param {number} seq @param {number | null} [seat] */
    constructor(live, seq, seat = null) {
        this.#live = live;
        this.table = live.table;
        this.skew = live.skew;
        this.seat.value = seat ?? live.position.peek()?.seat ?? SPECTATOR;
        this.entries = computed(() => live.entries.value.slice(0, this.seq.value));
        this.seek(seq);
    }

    get description() {
        return this.#live.description;
    }

    get live() {
        return this.#live;
    }

    /** How many entries there are to go through. */
    get last() {
        return this.#live.entries.value.length;
    }

    /** Shows the position after so many entries; what is asked for last is shown. @param {number} seq @param {number} [seat] */
    async seek(seq, seat = this.seat.peek()) {
        this.seq.value = Math.max(0, Math.min(seq, this.#live.entries.peek().length));
        this.seat.value = seat;
        const wanted = `${this.seq.peek()} ${seat}`;
        try {
            const position = this.#kept.get(wanted) ?? (await this.#live.at?.(this.seq.peek(), seat))?.position;
            position && this.#keep(wanted, position);
            if (position && wanted === `${this.seq.peek()} ${this.seat.peek()}`) {
                this.position.value = { ...position, decisions: [], undo: { free: 0, ask: 0, why: "", consent: [] } };
            }
        } catch (error) {
            complain(/** @type {Trouble} */ (error));
        }
    }

    /** @param {string} key @param {Position} position */
    #keep(key, position) {
        this.#kept.set(key, position);
        const [first] = this.#kept.keys();
        if (this.#kept.size > MOST_KEPT) {
            this.#kept.delete(first);
        }
    }

    choose() {
        return Promise.reject(new Refused({ code: "replay" }));
    }

    why() {
        return Promise.resolve(null);
    }

    account() {
        return this.#live.account();
    }
}

/** @param {{ backend: ReplayBackend, plays?: boolean, onClose: () => void }} props */
export function Replay({ backend, plays = false, onClose }) {
    const [playing, setPlaying] = useState(plays);
    const [repairing, setRepairing] = useState(false);
    const { last } = backend;
    const seq = backend.seq.value;
    const go = (/** @type {number} */ to) => backend.seek(to);
    useEffect(() => {
        if (!playing || seq >= last) {
            setPlaying(false);
            return undefined;
        }
        const timer = setTimeout(() => go(seq + 1), BEAT);
        return () => clearTimeout(timer);
    }, [playing, seq, last]);
    const now = backend.live.position.value;
    const over = outcomeOf(backend.live.table.value, now);
    const mayRepair = backend.live.repair && !over && now && now.seat >= 0 && seq < last;
    const repair = () => {
        setRepairing(false);
        backend.live.repair?.(seq).then(onClose, complain);
    };
    return html`<section class="card replay" aria-label=${t("replay")}>
        <div class="row">
            <${IconButton} name=${t("to-start")} icon="first" onClick=${() => go(0)} disabled=${seq === 0} />
            <${IconButton} name=${t("step-back")} icon="back" onClick=${() => go(seq - 1)} disabled=${seq === 0} />
            <${IconButton} name=${t(playing ? "pause" : "play")} icon=${playing ? "pause" : "play"} onClick=${() => (seq >= last ? (go(0), setPlaying(true)) : setPlaying(!playing))} />
            <${IconButton} name=${t("step-on")} icon="next" onClick=${() => go(seq + 1)} disabled=${seq >= last} />
            <${IconButton} name=${t("to-end")} icon="last" onClick=${() => go(last)} disabled=${seq >= last} />
            <input type="range" min="0" max=${last} value=${seq} aria-label=${t("replay-position")}
                aria-valuetext=${t("replay-at", { seq, last })} onInput=${(/** @type {FieldEvent} */ event) => go(event.currentTarget.valueAsNumber)} />
            <span class="number quiet">${t("replay-at", { seq, last })}</span>
            ${backend.live.kind === "server" && html`<${CopyButton} icon="link" name=${t("moment-link")} text=${() => stepAddress(seq, backend.seat.peek())} />`}
            ${over && html`<${Eyes} backend=${backend} />`}
            ${mayRepair && html`<button type="button" class="slim" onClick=${() => setRepairing(true)}>${t("repair")}</button>`}
            <button type="button" class="slim main" onClick=${onClose}>${t("replay-end")}</button>
        </div>
        ${repairing && html`<${Confirm} title=${t("repair")} text=${t("repair-sure")} yes=${t("propose")} onYes=${repair} onNo=${() => setRepairing(false)} />`}
    </section>`;
}

/** After the end everything is open: seen as any seat, as a spectator, as the referee. @param {{ backend: ReplayBackend }} props */
function Eyes({ backend }) {
    const table = backend.table.value;
    const seats = [...(table?.seats ?? backend.description?.seat_names ?? []).keys()];
    return html`<label class="row eyes"><span class="small quiet">${t("seen-by")}</span>
        <select value=${backend.seat.value} onChange=${(/** @type {SelectEvent} */ event) => backend.seek(backend.seq.peek(), Number(event.currentTarget.value))}>
            ${seats.map((seat) => html`<option value=${seat}>${nameAt(table, seat)}</option>`)}
            <option value=${SPECTATOR}>${t("a-spectator")}</option>
            <option value=${REFEREE}>${t("the-referee")}</option>
        </select></label>`;
}
