// Replay: plays a match again from its log, and verifies it.

import { commitment } from "./commitment.js";
import { BrokenLog } from "./log_reading.js";
import { Match, NotCarried, NotOffered, outcomesOf } from "./match.js";

/**
 * @import { Game } from "./game.js"
 * @import { Log, LogEntry } from "./log_reading.js"
 * @import { Step } from "./match.js"
 */

/** The match of a log. Throws `BrokenLog` at the first difference. @param {Game} game @param {Log} log */
export function replay(game, log) {
    checkOrigin(game, log);
    const match = new Match(game, log.seed, outcomesOf(log.entries), log.carried);
    try {
        match.start();
    } catch (error) {
        if (!(error instanceof NotCarried)) throw error;
        throw new BrokenLog("the match began with what does not carry over");
    }
    for (const { seat, text, line } of log.entries) if (seat !== null) chooseAgain(match, seat, text, line);
    const done = match.steps.filter((step) => step.seat !== null || step.stream !== null);
    if (log.entries.length > done.length) {
        const why = "the log continues where the match is over or waits for a choice";
        throw new BrokenLog(why, log.entries[done.length].line);
    }
    checkResult(match, log);
    log.entries.forEach((entry, i) => checkStep(game, done[i], entry));
    return match;
}

/** @param {Game} game @param {Log} log */
function checkOrigin(game, log) {
    if (log.digest !== game.description.digest) throw new BrokenLog("the log was written under other rules");
    const { seats, options } = game.description;
    const set = Object.entries(log.options).every(([name, value]) => options[name] === value);
    if (log.seats !== seats || !set) throw new BrokenLog("the log is of another number of seats, or of other options");
    const about = { game: log.game, rules: log.digest, seats: log.seats, options: log.options };
    if (log.nonce !== null && commitment(about, log.seed, log.nonce) !== log.commitment) {
        throw new BrokenLog("the seed is not the one that was committed to when the match began");
    }
}

/** @param {Match} match @param {string} seat @param {string} text @param {number} line */
function chooseAgain(match, seat, text, line) {
    try {
        match.choose(match.game.machine.seatNumber(seat), text);
    } catch (error) {
        if (!(error instanceof NotOffered)) throw error;
        throw new BrokenLog(`this choice cannot be made: ${error.message}`, line);
    }
}

/** @param {Game} game @param {Step} step @param {LogEntry} entry */
function checkStep({ names }, step, entry) {
    const seat = step.seat === null ? null : names.seat(step.seat);
    const same = seat === entry.seat && step.stream === entry.stream && step.text === entry.text;
    if (!same || !["", step.hash].includes(entry.hash)) throw new BrokenLog("the match differs from the log from here on", entry.line);
}

/** @param {Match} match @param {Log} log */
function checkResult(match, { result }) {
    if (result === null) return;
    if (!match.over) throw new BrokenLog("the log claims a result, but its match is not over");
    const { names } = match.game;
    const winners = match.winners().map((seat) => names.seat(seat));
    const scores = match.accounts().map(({ total }, seat) => ({ seat: names.seat(seat), total }));
    const same =
        winners.join() === result.winners.join() &&
        match.outcome() === result.outcome &&
        scores.length === Object.keys(result.scores).length &&
        scores.every(({ seat, total }) => result.scores[seat] === total);
    if (!same) throw new BrokenLog("the log claims another result than the match has");
}
