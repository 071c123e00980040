// Plays recorded matches again and asks a trained policy at each decision what Python has asked it.

import { actionsOf, chancesOf, chosenByPolicy, observationOf } from "../../rulewright/web/backend/policy.js";
import { constantsOf, logitsOf } from "../../rulewright/web/backend/network.js";
import { openGame } from "../../rulewright/web/match/game.js";
import { Match } from "../../rulewright/web/match/match.js";

/** What differs from the record, at most some, and how much was compared. */
export async function comparePolicies({ description, tables, module, matches }) {
    const game = await openGame(description, tables, Uint8Array.from(atob(module), (one) => one.charCodeAt(0)));
    const constants = constantsOf(tables.policy.network);
    const report = { compared: 0, hidden: 0, wrong: [] };
    const compare = (what, found, wanted) => {
        report.compared++;
        if (found !== wanted && report.wrong.length < 5) report.wrong.push({ what, found, wanted });
    };
    for (const { seed, asked } of matches) {
        const match = new Match(game, BigInt(seed)).start();
        asked.forEach(({ seat, observation, offered, odds, drawn, action, words, chosen }, number) => {
            const at = `seed ${seed}, ${number}`;
            const decision = match.offeredTo(seat)[0];
            const actions = actionsOf(match, decision);
            const chances = chancesOf(match, decision, constants);
            const left = [...drawn];
            const total = chances.reduce((sum, [, weight]) => sum + weight, 0);
            report.hidden += decision.choices.some(({ hidden }) => hidden);
            compare(`${at}: observation`, String(observationOf(match, decision)), String(observation));
            compare(`${at}: offered`, String([...actions.keys()].sort((a, b) => a - b)), String(offered));
            compare(`${at}: chances`, chances.every(([one, weight]) => Math.abs(weight / total - odds[offered.indexOf(one)]) < 1e-4), true);
            compare(`${at}: choice`, chosenByPolicy(match, seat, () => left.shift()), chosen ?? actions.get(action).words);
            match.chooseOffered(seat, words);
        });
    }
    return report;
}

/** What a network computes for some observations. */
export function computed({ network, rows }) {
    const constants = constantsOf(network);
    return rows.map((row) => [...logitsOf(network, constants, row)]);
}
