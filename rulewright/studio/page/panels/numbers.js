// Another value of a number: what it would do to random matches, with intervals, and which scenarios would break.

import { html, useEffect, useState } from "/web/html.js";
import { label } from "/web/i18n.js";
import { say } from "../notices.js";

const PATIENCE = 350;

export function NumbersPanel({ studio }) {
    const { connection } = studio;
    const known = studio.numbers.value;
    const digest = studio.match.state.value?.digest;
    useEffect(() => connection.tell("numbers"), [digest]);
    if (known.failed) {
        return html`<p class="note bad">${known.failed}</p>`;
    }
    if (!known.numbers) {
        return html`<p class="quiet padded">Looking for numbers…</p>`;
    }
    if (!known.numbers.length) {
        return html`<p class="note">The rules have no constant and no option with a range. Give a number a name under <code>constants:</code> in game.yaml to try other values of it here.</p>`;
    }
    return html`<p class="quiet">Move a number: matches of random choices are played in pairs, with the number as it is and as it would be, with the same chance.</p>
        ${known.numbers.map((number) => html`<${Slider} key=${number.name} studio=${studio} number=${number} />`)}
        <${Simulated} studio=${studio} />`;
}

function Slider({ studio, number }) {
    const [value, setValue] = useState(number.value);
    useEffect(() => setValue(number.value), [number.value]);
    const [timer, setTimer] = useState(null);
    const move = (event) => {
        const next = Math.round(Number(event.currentTarget.value));
        if (!Number.isFinite(next)) {
            return;
        }
        setValue(next);
        clearTimeout(timer);
        studio.simulated.value = {};
        setTimer(setTimeout(() => (next === number.value ? studio.connection.tell("stop") : studio.simulate(number, next)), PATIENCE));
    };
    return html`<div class="slider"><label for=${`number-${number.name}`}><b>${label(number.name)}</b> <small class="quiet">${number.kind} ${number.name}</small></label>
        <input id=${`number-${number.name}`} type="range" min=${number.low} max=${number.high} value=${value} onInput=${move} />
        <input type="number" aria-label=${`${number.name}, as a number`} value=${value} onChange=${move} />
        <small class="quiet">now ${number.value}</small>
        ${value !== number.value && number.kind === "constant" && html`<button type="button" class="slim" onClick=${() => write(studio, number, value)}>Write it into the rules</button>`}</div>`;
}

/** Writes the value where the constant is declared, if that is a plain number on a line of its own. */
function write(studio, number, value) {
    const file = studio.files.file("game.yaml");
    const found = file && new RegExp(`^(constants:\\s*\\n(?:[ \\t#].*\\n|\\n)*?[ \\t]+${number.name}:[ \\t]*)(-?\\d+)(?=[ \\t]*(?:#.*)?$)`, "m").exec(file.text);
    if (!found) {
        say(`${number.name} is not a plain number in game.yaml: change it there`, "warm");
        return;
    }
    const start = found.index + found[1].length;
    studio.files.apply([{ path: "game.yaml", start, end: start + found[2].length, text: String(value) }]);
}

const PLACES = { "%": 1, points: 2, decisions: 2 };

function Simulated({ studio }) {
    const found = studio.simulated.value;
    if (found.failed) {
        return html`<p class="note bad">${found.failed}</p>`;
    }
    if (!found.name) {
        return null;
    }
    const { broken, measures, pairs = 0, done, faults = [] } = found;
    return html`<section class="note" aria-label="Simulation" aria-live="polite">
        <p><b>${found.name} = ${found.value}</b>: ${pairs} pairs${done ? "" : ", more to come…"} ${!done && html`<button type="button" class="slim" onClick=${() => studio.connection.tell("stop")}>Stop</button>`}</p>
        ${measures?.length > 0 && html`<table class="figures"><thead><tr><th scope="col">measure</th><th scope="col">now</th><th scope="col">then</th><th scope="col">difference</th><th scope="col">interval (95 %)</th></tr></thead>
            <tbody>${measures.map((one) => html`<tr key=${one.name} data-certain=${one.low !== null && (one.low > 0 || one.high < 0)}><th scope="row">${one.name}</th><td>${figure(one.old, one)}</td><td>${figure(one.new, one)}</td><td>${signed(one.difference, one)}</td><td>${one.low === null ? "not known yet" : `${signed(one.low, one)} to ${signed(one.high, one)}`}</td></tr>`)}</tbody></table>`}
        ${faults.map((fault) => html`<p class="bad-text">some matches fail: ${fault}</p>`)}
        ${broken === null && html`<p class="quiet">Scenarios choose options themselves, so none is concerned.</p>`}
        ${broken?.length === 0 && html`<p class="quiet">No scenario breaks.</p>`}
        ${broken?.length > 0 && html`<h3 class="list-title">${broken.length} ${broken.length === 1 ? "scenario breaks" : "scenarios break"}</h3><ul class="list">${broken.map((one) => html`<li><button type="button" class="finding" data-severity="error" onClick=${() => studio.goToLine(one.path, one.line)}>${one.name} ${one.failed.slice(0, 2).map(({ text }) => html`<small class="help">${text}</small>`)}</button></li>`)}</ul>`}
    </section>`;
}

const figure = (value, { unit }) => `${value.toFixed(PLACES[unit] ?? 2)}${unit === "%" ? " %" : ""}`;
const signed = (value, one) => `${value > 0 ? "+" : ""}${figure(value, one)}`;
