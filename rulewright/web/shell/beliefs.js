// What could be known of what is hidden, beside the replay of a match at a server.

import * as api from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { label, number, t } from "../i18n.js";
import { REFEREE, SPECTATOR } from "../match/state.js";
import { modelOf } from "../table/model.js";
import { pieceLabel, placeLabel } from "../table/names.js";
import { Waiting } from "./loading.js";
import { outcomeOf } from "./outcome.js";
import { nameAt, seatName } from "./players.js";
import { Replay } from "./replay.js";

/** @import { Beliefs, Estimate, Trouble } from "../types.d.ts" @import { TargetedEvent } from "../vendor/preact.js" */
/** @import { Model } from "../table/types.d.ts" @import { ReplayBackend } from "./replay.js" */
/** @typedef {{ backend: ReplayBackend }} BackendProps */

const PATIENCE = 350;
const LATER = 5000;
const MOST_SHOWN = 8;

/**
 * The replay, and below it what each seat could know; who plays is told after the end.
 * @param {BackendProps & { match: string, plays?: boolean, onClose: () => void }} props
 */
export function ReplayWithBeliefs({ match, backend, plays, onClose }) {
    const [open, setOpen] = useState(false);
    const { live } = backend;
    const over = outcomeOf(live.table.value, live.position.value) !== null;
    const told = over || live.table.value?.seat === SPECTATOR;
    return html`<${Replay} backend=${backend} plays=${plays} onClose=${onClose} />
        ${told && live.description && html`<details class="card beliefs" open=${open} onToggle=${(/** @type {TargetedEvent<HTMLDetailsElement>} */ event) => setOpen(event.currentTarget.open)}>
            <summary>${t("beliefs")}</summary>
            ${open && html`<p class="small quiet">${t("beliefs-what")}</p>
                <div class="believers">${viewersOf(backend).map((seat) => html`<${Believer} key=${seat} match=${match} backend=${backend} seat=${seat} over=${over} />`)}</div>`}
        </details>`}`;
}

/** Whose beliefs are shown: those of whose eyes the match is seen with, and of all seats if everything is seen. @param {ReplayBackend} backend */
function viewersOf(backend) {
    const seat = backend.seat.value;
    return seat === REFEREE ? (backend.description?.seat_names ?? []).map((_, number) => number) : [seat];
}

/** @param {BackendProps & { match: string, seat: number, over: boolean }} props */
function Believer({ match, backend, seat, over }) {
    const seq = backend.seq.value;
    const by = backend.seat.value;
    const [asked, found, error, again] = useBeliefs(match, seq, seat, by, over);
    const name = seat === SPECTATOR ? t("a-spectator") : nameAt(backend.table.value, seat);
    const fresh = asked === seq;
    return html`<section class="believer" aria-busy=${!fresh} aria-label=${t("beliefs-of", { name })}>
        <h3>${t("beliefs-of", { name })}</h3>
        ${error && html`<${Waiting} error=${error} again=${again} />`}
        ${!error && !found && html`<p class="waiting-for quiet" role="status"><span class="spinner" aria-hidden="true"></span>${t("beliefs-thinking")}</p>`}
        ${!error && found && html`<div class=${fresh ? "" : "stale"}><${Found} found=${found} backend=${backend} again=${again} /></div>`}
    </section>`;
}

/** Asks once the slider rests, and again after the end: `[the entry of the answer, the answer, what went wrong,
 * to ask again]`. What nobody waits for any more is called off, as it would be worked out first.
 * @param {string} match
 * @param {number} seq
 * @param {number} seat
 * @param {number} by
 * @param {boolean} over
 * @returns {[seq: number | null, found: Beliefs | null, error: Trouble | null, again: () => void]}
 */
function useBeliefs(match, seq, seat, by, over) {
    /** @type {{ seq: number | null, found: Beliefs | null, error: Trouble | null }} */
    const none = { seq: null, found: null, error: null };
    const [answer, setAnswer] = useState(none);
    const [round, setRound] = useState(0);
    useEffect(() => {
        const calling = new AbortController();
        let timer = 0;
        const ask = () =>
            api.beliefs(match, seq, seat, by, calling.signal).then(
                (found) => calling.signal.aborted || setAnswer({ seq, found, error: null }),
                (error) => calling.signal.aborted || failed(error),
            );
        const failed = (/** @type {Trouble} */ error) => {
            if (error.code === "too-many") {
                timer = setTimeout(ask, LATER);
            } else {
                setAnswer({ seq, found: null, error });
            }
        };
        timer = setTimeout(ask, PATIENCE);
        return () => {
            clearTimeout(timer);
            calling.abort();
        };
    }, [match, seq, seat, by, over, round]);
    const again = () => {
        setAnswer(none);
        setRound(round + 1);
    };
    return [answer.seq, answer.found, answer.error, again];
}

/** @param {BackendProps & { found: Beliefs, again: () => void }} props */
function Found({ found, backend, again }) {
    if (found.failed === "") {
        return html`<p>${t("beliefs-too-long")}</p><button type="button" class="slim" onClick=${again}>${t("try-again")}</button>`;
    }
    if (found.failed) {
        return html`<p>${t("beliefs-none")}</p>`;
    }
    const { description } = backend;
    if (!description) {
        return null;
    }
    const model = { ...modelOf(description), names: backend.table.value?.seats.map(seatName) };
    const hidden = Object.entries(found.hidden).filter(([, chances]) => Object.keys(chances).length);
    if (!hidden.length) {
        return html`<p>${t("beliefs-nothing-hidden")}</p>`;
    }
    return html`<p class="small quiet">${exactnessText(found.exactness)}</p>
        <div class="hidden-places">${hidden.sort(byOwner(found, model)).map(
        ([address, chances]) => html`<${HiddenPlace} key=${address} title=${titleOf(model, found, address)} chances=${chances} real=${found.true?.[address]} named=${(/** @type {string} */ name) => nameOf(model, found, address, name)} />`,
    )}</div>`;
}

/** What belongs to a seat comes first: it is asked for most. @param {Beliefs} found @param {Model} model */
const byOwner = (found, model) => {
    const rank = (/** @type {[string, unknown]} */ [address]) => (owned(model, found.places[address]) ? 0 : 1);
    return (/** @type {[string, unknown]} */ one, /** @type {[string, unknown]} */ other) => rank(one) - rank(other);
};

/** @param {Model} model @param {number | undefined} place */
const owned = (model, place) => place !== undefined && typeof model.description.places[place].of === "number";

/** @param {Model} model @param {Beliefs} found @param {string} address */
const titleOf = (model, found, address) => (found.places[address] !== undefined ? placeLabel(model, found.places[address]) : worded(model, address));

/** `role of B` in the words of people; seats by the names of the players. @param {Model} model @param {string} address */
function worded(model, address) {
    const seats = model.description.seat_names;
    return address
        .split(" ")
        .map((word) => (seats.includes(word) ? (model.names?.[seats.indexOf(word)] ?? word) : ["of", "at"].includes(word) ? "·" : label(word, model.description)))
        .join(" ");
}

/** @param {Model} model @param {Beliefs} found @param {string} address @param {string} name */
function nameOf(model, found, address, name) {
    const place = found.places[address];
    if (place === undefined) {
        return label(name, model.description);
    }
    const { component } = model.description.zones[model.description.places[place].zone];
    return pieceLabel(model, component, model.description.components[component].classes.indexOf(name));
}

/** @param {{ title: string, chances: Record<string, Estimate>, real: string[] | undefined, named: (name: string) => string }} props */
function HiddenPlace({ title, chances, real, named }) {
    const [all, setAll] = useState(false);
    const sorted = Object.entries(chances).sort(([, one], [, other]) => other.chance - one.chance);
    const marked = real && real.length <= MOST_SHOWN ? real : [];
    const shown = all ? sorted : sorted.filter(([name], rank) => rank < MOST_SHOWN || marked.includes(name));
    const rest = sorted.length - shown.length;
    return html`<section class="hidden-place">
        <h4>${title}</h4>
        <ul class="chances">${shown.map(([name, chance]) => html`<${Chance} key=${name} name=${named(name)} chance=${chance} real=${real?.includes(name)} />`)}</ul>
        ${(rest > 0 || all) && html`<button type="button" class="slim" aria-expanded=${all} onClick=${() => setAll(!all)}>${all ? t("beliefs-fewer") : t("beliefs-more", { number: rest })}</button>`}
    </section>`;
}

/** @param {{ name: string, chance: Estimate, real: boolean }} props */
function Chance({ name, chance, real }) {
    const exact = chance.low === chance.high;
    const range = exact ? "" : t("beliefs-range", { low: percent(chance.low), high: percent(chance.high) });
    return html`<li class=${real ? "real" : ""}>
        <span class="what">${name}${real && html` <span class="chip">${t("beliefs-real")}</span>`}</span>
        <span class="belief-bar" style=${{ "--part": chance.chance, "--low": chance.low, "--high": chance.high }} aria-hidden="true"></span>
        <span class="number">${percent(chance.chance)}<small class="quiet">${range && ` ${range}`}</small></span>
    </li>`;
}

/** In whole percents; what is possible is not shown as 0, and what is not sure not as 100. @param {number} chance */
function percent(chance) {
    if (chance > 0 && chance < 0.01) {
        return t("beliefs-below-one");
    }
    const whole = Math.round(100 * chance);
    return t("beliefs-percent", { number: number(chance < 1 ? Math.min(whole, 99) : whole) });
}

/** @param {Beliefs["exactness"]} exactness */
function exactnessText({ kind, worlds, effective }) {
    return `${t(`beliefs-${kind}`, { worlds, effective: Math.round(effective) })} ${t("beliefs-model")}`;
}
