// Plays a recorded match again in JavaScript and compares everything with what Python has recorded.

import { openGame } from "../../rulewright/web/match/game.js";
import { writeLog } from "../../rulewright/web/match/log.js";
import { BrokenLog, readLog } from "../../rulewright/web/match/log_reading.js";
import { Match } from "../../rulewright/web/match/match.js";
import { entries, position, whyNot, whyNotValue } from "../../rulewright/web/match/position.js";
import { replay } from "../../rulewright/web/match/replay.js";
import { wayBack } from "../../rulewright/web/match/undo.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

/** The differences of the matches of a recording: their number of comparisons, and the first differences. */
export async function compareAll({ description, tables, module, matches }) {
    const game = await openGame(description, tables, bytesOf(module));
    const report = { compared: 0, wrong: [] };
    const compare = (what, found, wanted) => {
        report.compared++;
        if (found !== wanted && report.wrong.length < 5) report.wrong.push({ what, found, wanted });
    };
    for (const recorded of matches) {
        try {
            playAgain(game, recorded, compare);
        } catch (error) {
            report.wrong.push({ what: `seed ${recorded.seed}`, found: String(error.stack), wanted: "no error" });
        }
    }
    return report;
}

function playAgain(game, { seed, acts, log, players, nonce }, compare) {
    const match = new Match(game, BigInt(seed));
    match.start();
    acts.forEach((act, number) => {
        if (act.undo) compare(`${number} undo`, match.undo(act.undo.consent, act.undo.number), act.undo.done);
        if (act.undoInBranch) {
            const { seat, number: many, done } = act.undoInBranch;
            compare(`${number} undo in a branch`, match.undoInBranch(seat, many), done);
        }
        if (act.choose) match.choose(...act.choose);
        compare(`${number} hash`, match.steps.at(-1).hash, act.hash);
        for (const [seat, written, wanted] of act.why) {
            compare(`${number} why ${seat} ${written}`, JSON.stringify(whyNot(match, seat, written)), wanted);
        }
        for (const [seat, action, value, wanted] of act.whyValue) {
            const found = JSON.stringify(whyNotValue(match, seat, action, value));
            compare(`${number} why ${seat} ${action} ${value}`, found, wanted);
        }
        for (const [viewer, people, wanted] of act.undos) {
            compare(`${number} taking back ${viewer} of ${people}`, JSON.stringify(wayBack(match, viewer, people)), wanted);
        }
        for (const [viewer, since, seen, told] of act.views) {
            compare(`${number} position ${viewer}`, JSON.stringify(position(match, viewer)), seen);
            compare(`${number} entries ${viewer}`, JSON.stringify(entries(match, viewer, since)), told);
        }
    });
    compare("log", writeLog(match, { players, nonce }), log);
    const again = replay(game, readLog(log));
    compare("replay", again.steps.at(-1).hash, match.steps.at(-1).hash);
    compare("log of the replay", writeLog(again, { players, nonce }), log.replaceAll(/^$/gm, ""));
}

/** Which of some logs are refused, and why: a text for each, "" for one that is accepted. */
export async function judge({ description, tables, module }, logs) {
    const game = await openGame(description, tables, bytesOf(module));
    return logs.map((log) => {
        try {
            replay(game, readLog(log));
            return "";
        } catch (error) {
            if (error instanceof BrokenLog) return error.message;
            throw error;
        }
    });
}
