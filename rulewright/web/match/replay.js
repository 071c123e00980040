// Replay: plays a match again from its log, and verifies it.

import { commitment } from "./commitment.js";
import { BrokenLog } from "./log_reading.js";
import { Match, NotOffered } from "./match.js";
import { noNames } from "./own_names.js";

/**
 * The match of a log. Throws `BrokenLog` at the first difference.
 * @param {import("./game.js").Game} game
 * @param {ReturnType<typeof import("./log_reading.js").readLog>} log
 */
export function replay(game, log) {
    checkOrigin(game, log);
    const match = new Match(game, log.seed, outcomes(log));
    match.start();
    for (const entry of log.entries) if (entry.seat !== null) chooseAgain(match, entry);
    const done = match.steps.filter((step) => step.seat !== null || step.stream !== null);
    if (log.entries.length > done.length) {
        const why = "the log continues where the match is over or waits for a choice";
        throw new BrokenLog(why, log.entries[done.length].line);
    }
    checkResult(match, log);
    log.entries.forEach((entry, i) => checkStep(game, done[i], entry));
    return match;
}

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

/** The supplied outcomes of a log by stream; null for those that are drawn. */
function outcomes(log) {
    const found = noNames();
    for (const { stream, supplied, text } of log.entries) {
        if (stream !== null) (found[stream] ??= []).push(supplied ? text : null);
    }
    return found;
}

function chooseAgain(match, { seat, text, line }) {
    try {
        match.choose(match.game.machine.seatNumber(seat), text);
    } catch (error) {
        if (!(error instanceof NotOffered)) throw error;
        throw new BrokenLog(`this choice cannot be made: ${error.message}`, line);
    }
}

function checkStep({ names }, step, entry) {
    const seat = step.seat === null ? null : names.seat(step.seat);
    const same = seat === entry.seat && step.stream === entry.stream && step.text === entry.text;
    if (!same || step.hash !== entry.hash) throw new BrokenLog("the match differs from the log from here on", entry.line);
}

function checkResult(match, { result }) {
    if (result === null) return;
    if (!match.over) throw new BrokenLog("the log claims a result, but its match is not over");
    const { names } = match.game;
    const winners = match.winners().map((seat) => names.seat(seat));
    const scores = match.accounts().map(({ total }, seat) => [names.seat(seat), total]);
    const same =
        winners.join() === result.winners.join() &&
        match.outcome() === result.outcome &&
        scores.length === Object.keys(result.scores).length &&
        scores.every(([seat, total]) => result.scores[seat] === total);
    if (!same) throw new BrokenLog("the log claims another result than the match has");
}
