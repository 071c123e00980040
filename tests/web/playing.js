// Players that search: what they are asked, and how they fare.

import { problemOf, rulesOf } from "../../rulewright/web/match/belief.js";
import { openGame } from "../../rulewright/web/match/game.js";
import { Match } from "../../rulewright/web/match/match.js";
import { treeSearch } from "../../rulewright/web/match/search.js";
import { position } from "../../rulewright/web/match/position.js";
import { FORKED } from "../../rulewright/web/match/state.js";

async function opened({ description, tables, module }) {
    const game = await openGame(description, tables, Uint8Array.from(atob(module), (one) => one.charCodeAt(0)));
    return { game, search: treeSearch(game.executor.exports, rulesOf(game)) };
}

const plain = (found) => JSON.stringify(found, (_, value) => (value instanceof Int32Array ? [...value] : value));

export function best(search, problem, how) {
    for (const running = search(problem, how); ; ) {
        const { done, value } = running.next();
        if (done) return value;
    }
}

/** Positions that a seat cannot tell apart: what its player is asked and answers, and what it deals in them. */
export async function compareProblems(given, budget) {
    const { game, search } = await opened(given);
    return given.pairs.map(({ seat, states, steps }) => {
        const found = states.map((words) => {
            const match = new Match(game);
            match.state = Int32Array.from(words);
            match.steps = steps;
            const asked = problemOf(match, seat);
            const answer = best(search, asked.problem, { seed: 5, budget });
            const world = new Match(game);
            world.state = search.dealt(asked.problem, 9);
            const seen = [match, world].map((one) => JSON.stringify(position({ ...one, over: false, game, seed: 0n, steps: [], history: [], offeredTo: (x) => one.offeredTo(x), winners: () => [], accounts: (x) => one.accounts(x), whyNoUndo: () => null, undoDepth: () => 0 }, seat).places));
            return { asked: plain(asked), choice: answer.choice, lost: answer.faults, iterations: answer.iterations, kept: seen[0] === seen[1], anew: plain(world.state) !== plain(match.state) };
        });
        return { same: found[0].asked === found[1].asked, answers: found.map(({ choice }) => choice), kept: found.every(({ kept }) => kept), anew: found.some(({ anew }) => anew), lost: found[0].lost, iterations: found[0].iterations };
    });
}

/** Within `together`: for each pair of another seat's choices whether this changes what a seat is asked. */
export async function compareBranches(given, matches) {
    const { game } = await opened(given);
    const report = { compared: 0, different: 0, unknown: 0 };
    for (let seed = 1; seed <= matches; seed++) {
        const match = new Match(game, BigInt(seed)).start();
        for (let turn = 0; !match.over && turn < 400; turn++) {
            const waiting = game.executor.waiting(match.state);
            if (match.state[FORKED] && waiting.length > 1) branches(game, match, waiting, report);
            const { seat, options } = waiting[turn % waiting.length];
            match.take(waiting.find((one) => one.seat === seat), options[(turn * 7 + seed) % options.length]);
        }
    }
    return report;
}

function branches(game, match, [mine, other], report) {
    const without = problemOf(match, mine.seat);
    for (const option of other.options.slice(0, 3)) {
        match.take(other, option);
        if (match.state[FORKED] && game.executor.waiting(match.state).some(({ seat }) => seat === mine.seat)) {
            const after = problemOf(match, mine.seat);
            report.compared++;
            if (!after.problem) report.unknown++;
            if (plain(after.problem?.choices) !== plain(without.problem?.choices) || plain(after.problem?.state) !== plain(without.problem?.state)) report.different++;
        }
        match.undo([...Array(game.machine.seats).keys()], 1);
    }
}

/** Matches of a player that searches against one that chooses at random; it takes each seat in turn. */
export async function tournament(given, matches, how) {
    const { game, search } = await opened(given);
    const report = { matches, won: 0, choices: 0, iterations: 0, milliseconds: 0 };
    let seed = 1;
    for (let number = 0; number < matches; number++) {
        const match = new Match(game, BigInt(number + 1)).start();
        while (!match.over) {
            const [{ seat }] = game.executor.waiting(match.state);
            const { words, problem } = problemOf(match, seat);
            let choice = (Math.imul(++seed, 0x9e3779b1) >>> 8) % words.length;
            if (seat === number % game.machine.seats && problem && words.length > 1) {
                const begun = performance.now();
                const found = best(search, problem, { seed: ++seed, ...how });
                choice = found.choice;
                report.choices++;
                report.iterations += found.iterations;
                report.milliseconds += performance.now() - begun;
            }
            match.chooseOffered(seat, words[choice]);
        }
        const winners = match.winners();
        report.won += winners.includes(number % game.machine.seats) ? 1 / winners.length : 0;
        report.squares = (report.squares ?? 0) + (winners.includes(number % game.machine.seats) ? 1 / winners.length ** 2 : 0);
    }
    return report;
}
