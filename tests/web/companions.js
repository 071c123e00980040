// Tells a recorded companion again in JavaScript and compares everything with what Python has recorded.

import { Companion } from "../../rulewright/web/match/companion.js";
import { companionPosition, pastPosition, questionOf, whyNotPossible, whyNotPossibleValue } from "../../rulewright/web/match/companion_position.js";
import { openGame } from "../../rulewright/web/match/game.js";
import { Record } from "../../rulewright/web/match/companion_log.js";
import { entries } from "../../rulewright/web/match/position.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const SPECTATOR = -1;

export async function compareCompanions({ description, tables, module, companions }) {
    const game = await openGame(description, tables, bytesOf(module));
    const report = { compared: 0, refused: 0, wrong: [] };
    const compare = (what, found, wanted) => {
        report.compared++;
        if (found !== wanted && report.wrong.length < 5) report.wrong.push({ what, found, wanted });
    };
    for (const recorded of companions) {
        try {
            tellAgain(game, recorded, compare, report);
        } catch (error) {
            report.wrong.push({ what: `seed ${recorded.seed}`, found: String(error.stack), wanted: "no error" });
        }
    }
    return report;
}

function tellAgain(game, { seed, acts, log }, compare, report) {
    const record = new Record(new Companion(game, BigInt(seed)));
    const { companion } = record;
    exhaust(record.starting());
    acts.forEach((act, number) => {
        if (act.takeBackAnswer) exhaust(record.retelling());
        const steps = act.choose ? record.choosing(...act.choose) : "tell" in act ? record.telling(act.tell) : null;
        if (steps) {
            const refused = isRefused(steps);
            report.refused += refused;
            compare(`${number} refused`, refused, act.refused);
            if (act.back && !refused) record.takeBack();
        }
        compare(`${number} hash`, companion.match.steps.at(-1)?.hash ?? "", act.hash);
        compare(`${number} position`, JSON.stringify(companionPosition(companion)), act.position);
        compare(`${number} entries`, JSON.stringify(entries(companion.match, SPECTATOR)), act.entries);
        compare(`${number} question`, JSON.stringify(questionOf(companion, 0)), act.question);
        compare(`${number} why`, JSON.stringify(whyNotPossible(companion, "nothing of this")), act.why);
        const [action, value, why] = act.whyValue;
        compare(`${number} why ${action} ${value}`, JSON.stringify(whyNotPossibleValue(companion, action, value)), why);
        if (act.past) compare(`${number} past`, JSON.stringify(pastPosition(companion.match.asOf(act.past[0]))), act.past[1]);
    });
    compare("log", record.text(), log);
    const again = Record.read(game, log);
    exhaust(again.reading());
    compare("log read again", again.text(), log);
    compare("match read again", JSON.stringify(companionPosition(again.companion)), JSON.stringify(companionPosition(companion)));
}

function isRefused(steps) {
    try {
        exhaust(steps);
        return false;
    } catch (error) {
        if (error instanceof TypeError) throw error;
        return true;
    }
}

function exhaust(steps) {
    while (!steps.next().done);
}
