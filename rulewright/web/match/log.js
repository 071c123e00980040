// Logs: the record of a match as sealed JSON lines, as `rulewright replay` reads them.

import { commitment } from "./commitment.js";
import { write } from "./json.js";
import { sha256 } from "./sha256.js";
import { EVERYBODY } from "./state.js";

export const VERSION = 1;

/**
 * The text of the log of a match so far. With `nonce`, it has a commitment to the seed.
 * @param {import("./match.js").Match} match
 * @param {{players: string[], nonce?: string|null}} about
 */
export function writeLog(match, { players, nonce = null }) {
    let seal = "";
    let text = "";
    for (const line of [head(match, players, nonce), ...lines(match)]) {
        const body = write(line);
        seal = sealOf(seal, body);
        text += `${body.slice(0, -1)}, "seal": "${seal}"}\n`;
    }
    return text;
}

/** The seal of a line over itself and all lines before it. */
export const sealOf = (before, body) => sha256(`${before}\n${body}`).slice(0, 16);

function head(match, players, nonce) {
    const { game, digest, seats, options } = match.game.description;
    const found = { rulewright: VERSION, game, rules: digest, seats, options, seed: match.seed, players };
    if (nonce === null) return found;
    return { ...found, nonce, commitment: commitment(found, match.seed, nonce) };
}

function lines(match) {
    const { names } = match.game;
    const found = match.steps.map((step) => line(match.game, step));
    if (match.over) {
        const scores = Object.fromEntries(match.accounts().map(({ total }, seat) => [names.seat(seat), total]));
        const outcome = match.outcome();
        const winners = match.winners().map((seat) => names.seat(seat));
        found.push({ over: true, winners, scores, ...(outcome === null ? {} : { outcome }) });
    }
    return found;
}

function line(game, step) {
    const found = { start: true };
    if (step.seat !== null) {
        delete found.start;
        Object.assign(found, { seat: game.names.seat(step.seat), choose: step.text });
    } else if (step.stream !== null) {
        delete found.start;
        Object.assign(found, { chance: step.stream, outcome: step.text });
    }
    if (step.supplied) found.supplied = true;
    found.events = step.events.map((event) => eventLine(game, event)).filter(Boolean);
    found.hash = step.hash;
    return found;
}

// ---- what people read about events

/** One line about an event, for the referee; empty if there is nothing to say. */
export function eventLine({ names, machine }, event) {
    const label = (word) => names.told(word);
    const [kind, ...fields] = event;
    switch (kind) {
        case "moved": {
            const [component, class_, number, source, to] = fields;
            const { classes, several } = machine.components[component];
            const piece = label(several ? classes[class_] : component);
            const places = [source, to].map((place) => labelled(names, names.place(place)));
            return `${number > 1 ? `${number} ` : ""}${piece}: ${places.join(" -> ")}`;
        }
        case "changed": {
            const [word, old, now] = fields;
            const [variable, address] = addressOf(names, machine, word);
            if (variable.kind === "counter") return `${address}: ${old} -> ${now}`;
            return `${address}: ${label(names.value(variable.type, now))}`;
        }
        case "thrown":
            return `${label(fields[0])} shows ${label(machine.components[fields[0]].classes[fields[1]])}`;
        case "shown": {
            const pieces = fields[1].flatMap(([place, class_, number]) =>
                Array(number).fill(label(machine.components[machine.places[place].component].classes[class_])),
            );
            if (fields[0] === EVERYBODY) return `on top of ${labelled(names, names.place(fields[1][0][0]))}: ${pieces[0]}`;
            return `${names.seat(fields[0])} is shown ${pieces.join(", ") || "nothing"}`;
        }
        case "told": {
            const [seat, word, value] = fields;
            const [variable, address] = addressOf(names, machine, word);
            return `${seat >= 0 ? names.seat(seat) : "everybody"} is shown ${address}: ${label(names.value(variable.type, value))}`;
        }
        case "shuffled":
            return `${labelled(names, names.place(fields[0]))} is shuffled`;
        case "entered":
            return `phase: ${label(machine.phases[fields[0]])}`;
        case "turned":
            return `turn of ${names.seat(fields[0])}`;
        case "ended":
            return fields[0] ? `the game is over: ${label(machine.endings[fields[0] - 1])}` : "the game is over";
        default:
            return "";
    }
}

/** The variable of a word, and its address in labels. */
function addressOf(names, machine, word) {
    const variable = machine.variables.find(({ first, size }) => first <= word && word < first + size);
    return [variable, labelled(names, names.word(variable, word - variable.first))];
}

/** An address in labels. */
function labelled(names, address) {
    const [name, ...rest] = address.split(" ");
    const words = rest.map((word) => (word === "of" || word === "at" ? word : names.told(word)));
    return `${names.told(name)} ${words.join(" ")}`.trim();
}
