// A player that searches a tree of what may be chosen, playing each match to its end at random.

/**
 * @import { Part } from "../types.d.ts"
 * @import { DealtPlace, Hidden, Problem, SearchedChoice, SearchedDecision, SearchedRules } from "./belief.js"
 * @import { ModuleExports } from "./executor.js"
 * @typedef {Pick<SearchedDecision, "firsts" | "passing" | "sizes" | "numbers"> & {options?: number[]}} Asked a decision; `options` where numbers come
 *   in ranges
 * @typedef {Map<number, Edge>} TreeNode
 * @typedef {{open: boolean, offered: number, number: number, value: number, next: TreeNode}} Edge
 * @typedef {{seed: number, budget?: number, milliseconds?: number}} How
 * @typedef {{choice: number, iterations: number, faults: number, edges: [choice: number, tried: number, value: number][]}} Found the best first
 */

/**
 * Makes the search for the module of a game. It uses nothing outside of itself: a worker runs it from its text.
 * @param {ModuleExports} module
 * @param {SearchedRules} rules
 */
export function treeSearch(module, { map, seats, branches, sign, row, decisions }) {
    const [STATUS, PC, FORKED] = [0, 1, 7];
    const [OVER, CHANCE, FAULT] = [-4, -5, -8];
    const LONGEST = 1000;
    const FEW = 3;
    const NUMBER = 0x100000000;
    let memory = new Int32Array(module.memory.buffer);
    const at = map.state >> 2;
    const menu = map.menu >> 2;
    const out = map.out >> 2;
    /** @type {(below: number) => number} */
    let random;

    /** A generator of numbers in 0..below-1: mulberry32. @param {number} seed @returns {(below: number) => number} */
    const generator = (seed) => (below) => {
        seed = (seed + 0x6d2b79f5) | 0;
        let x = Math.imul(seed ^ (seed >>> 15), seed | 1);
        x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x;
        return Math.floor((((x ^ (x >>> 14)) >>> 0) / 0x100000000) * below);
    };

    /** @param {number[]} list */
    function shuffle(list) {
        for (let i = list.length - 1; i > 0; i--) {
            const k = random(i + 1);
            [list[i], list[k]] = [list[k], list[i]];
        }
        return list;
    }

    // ---- what is hidden, dealt anew

    /**
     * A state in which what the seat does not see lies at random, as the generator says; a new one with a seed.
     * @param {Hidden} problem
     * @param {number | null} seed
     */
    function dealt({ state, deals, guesses = [] }, seed = null) {
        random = seed === null ? random : generator(seed);
        const world = state.slice();
        for (const { pool, die, places, loose, named } of deals) {
            const classes = shuffle(die ? pool.map(() => random(die)) : pool.slice());
            const numbers = places.map(({ number }) => number);
            for (let i = 0; i < loose; i++) {
                const open = [...places.keys()].filter((k) => places[k].room > numbers[k]);
                numbers[open[random(open.length)]]++;
            }
            const lying = numbers.map((number) => classes.splice(0, number));
            places.forEach(({ top }, i) => top !== null && lying[i].push(top));
            places.forEach((place, i) => put(world, place, lying[i]));
            for (const [word, place, token, used] of named) {
                world[word] = lying[place].length ? places[place].at * used + lying[place][token] : world[word];
            }
        }
        for (const [word, values] of guesses) world[word] = values[random(values.length)];
        return world;
    }

    /** @param {Int32Array} world @param {DealtPlace} place @param {number[]} lying */
    function put(world, { kind, base }, lying) {
        if (kind === 0) {
            world[base] = lying.length ? lying[0] + 1 : 0;
        } else if (kind === 1) {
            for (const one of lying) world[base + one]++;
        } else {
            world[base] = lying.length;
            if (kind === 2) lying.forEach((one, i) => (world[base + 1 + i] = one + 1));
        }
    }

    // ---- one playout

    /**
     * The number of the `rank`-th bit of the menu, and those before it where a list is given.
     * @param {number} rank
     * @param {number[] | null} before
     */
    function chosen(rank, before = null) {
        for (let word = 0; ; word++) {
            for (let left = memory[menu + word]; left; left &= left - 1) {
                const bit = 32 * word + 31 - Math.clz32(left & -left);
                before?.push(bit);
                if (!rank--) return bit;
            }
        }
    }

    /** @param {number} branch @param {number} part @param {number} bit */
    function choose(branch, part, bit) {
        module.event.value = map.events;
        return module.choose(map.state, branch, part, bit);
    }

    /**
     * The branch that chooses, its decision, and how many options it has; less than 0: a fault.
     * @returns {[number, Asked, number]}
     */
    function asked() {
        let branch = 0;
        let node = memory[at + PC];
        if (memory[at + FORKED]) {
            while (memory[at + branches + 3 * branch + 2] !== 1) branch++;
            node = memory[at + branches + 3 * branch];
        }
        const number = module.menu(map.state, branch, map.menu);
        if (number < 0 || !decisions[node].many) return [branch, decisions[node], number];
        const options = offered(decisions[node]);
        return [branch, { ...decisions[node], options }, options.length];
    }

    /** The ranges of numbers of a part in the menu: the first, the last and the step of each. @param {Part} part */
    function ranges([, , first]) {
        const begin = menu + 2 * first;
        return Array.from({ length: memory[begin + 1] }, (_, i) => memory.subarray(begin + 2 + 4 * i, begin + 5 + 4 * i));
    }

    /**
     * The options where numbers come in ranges: a few of the numbers, each as `NUMBER` times its part, and its bit.
     * @param {SearchedDecision} decision
     */
    function offered({ parts }) {
        /** @type {number[]} */
        const found = [];
        parts.forEach((part, index) => {
            const [low, size, first, many] = part;
            if (!many) {
                for (let b = 0; b <= size; b++) if ((memory[menu + 2 * first + (b >> 5)] >>> (b & 31)) & 1) found.push(64 * first + b);
                return;
            }
            if (memory[menu + 2 * first]) found.push(NUMBER * (index + 1) + size);
            for (const [begin, end, by] of ranges(part)) {
                const last = Math.floor((end - begin) / by);
                const places = new Set([0, Math.floor(last / 2), last]);
                for (let i = 1; i < last; i *= 2) places.add(i);
                for (const i of places) found.push(NUMBER * (index + 1) + begin + i * by - low);
            }
        });
        return found;
    }

    /**
     * Takes an option: the number of its bit in the menu, or of one of `offered`, -1 to pass.
     * @param {number} branch
     * @param {Asked} decision
     * @param {number} bit
     */
    function take(branch, { firsts }, bit) {
        if (bit >= NUMBER) return choose(branch, Math.floor(bit / NUMBER) - 1, (bit % NUMBER) | 0);
        let part = firsts.length - 1;
        while (part >= 0 && firsts[part] > bit) part--;
        return choose(branch, part, bit - firsts[part] || 0);
    }

    /**
     * Those of some options that choose one of many numbers, for each thing to do.
     * @param {Asked} decision
     * @param {number[]} options
     */
    function numbersOf({ firsts, sizes, numbers }, options) {
        return numbers.map((part) => options.filter((option) => firsts[part] <= option && option < firsts[part] + sizes[part]));
    }

    /** Chooses at random where a decision waits; many numbers of a thing to do count as one choice. */
    function step() {
        const [branch, decision, number] = asked();
        if (number < 0) return FAULT;
        if (decision.numbers.length && number) {
            const options = decision.options ?? [];
            if (!decision.options) chosen(number - 1, options);
            const things = numbersOf(decision, options).filter(({ length }) => length);
            const others = options.filter((option) => !things.some((thing) => thing.includes(option)));
            const choices = [...things, ...others.map((option) => [option]), ...(decision.passing ? [[-1]] : [])];
            const one = choices[random(choices.length)];
            return take(branch, decision, one[random(one.length)]);
        }
        const rank = random(number + decision.passing);
        if (rank >= number) return take(branch, decision, -1);
        return take(branch, decision, decision.options ? decision.options[rank] : chosen(rank));
    }

    function draw() {
        const number = module.odds(map.state);
        if (number < 0) return FAULT;
        let total = 0;
        for (let i = 0; i < number; i++) total += memory[out + 2 * i + 1];
        let drawn = random(total);
        let i = 0;
        while ((drawn -= memory[out + 2 * i + 1]) >= 0) i++;
        module.event.value = map.events;
        return module.happen(map.state, memory[out + 2 * i]);
    }

    /** Draws until somebody decides, or it is over. Returns the last code. @param {number} code */
    function settled(code) {
        while (code === CHANCE) code = draw();
        return code;
    }

    /** Plays on from a decision to the end, or for long. Returns the last code. @param {number} code */
    function play(code) {
        for (let made = 0; code !== OVER && code !== FAULT && made < LONGEST; made++) code = settled(step());
        return code;
    }

    /**
     * What each seat gets: its part of the win, and by how much its score is ahead. Null if that cannot be told.
     * @returns {[share: number, ahead: number][] | null}
     */
    function worth() {
        const over = memory[at + STATUS] !== 0;
        const winners = over ? module.winners(map.state) : 0;
        if (winners === FAULT) return null;
        /** @type {number[]} */
        const totals = [];
        for (let i = 0; row > 1 && i < seats; i++) {
            if (module.account(map.state, i) === FAULT) return null;
            totals.push(sign * memory[(map.accounts >> 2) + row * (i + 1) - 1]);
        }
        const best = Math.max(...totals);
        const won = Array.from({ length: seats }, (_, i) => (winners ? (winners >> i) & 1 : over ? seats > 1 : !(totals[i] < best)));
        const share = 1 / won.filter((one) => one).length;
        /** @param {number} seat */
        const highest = (seat) => (seats > 1 ? Math.max(...totals.filter((_, i) => i !== seat)) : 0);
        return won.map((one, i) => [one ? share : 0, totals[i] - highest(i) || 0]);
    }

    /**
     * Makes a choice at a node in the state of the module; a piece that is not seen is any one of its place.
     * @param {number} node
     * @param {number} branch
     * @param {SearchedChoice} choice
     */
    function first(node, branch, [part, bit, low, used, place]) {
        if (part >= 0) {
            const begin = decisions[node].firsts[part];
            const size = decisions[node].sizes[part];
            if (module.menu(map.state, branch, map.menu) < 0) return FAULT;
            const asked = decisions[node].parts[part];
            if (asked[3]) {
                const isIn = (/** @type {Int32Array} */ [begin, end, by]) => begin <= low + bit && low + bit <= end && (low + bit - begin) % by === 0;
                return bit === size || ranges(asked).some(isIn) ? choose(branch, part, bit | 0) : FAULT;
            }
            /** @param {number} b */
            const isSet = (b) => (memory[menu + ((begin + b) >> 5)] >>> ((begin + b) & 31)) & 1;
            if (used) {
                const fit = [];
                for (let b = 0; b < size; b++) {
                    if (isSet(b) && (place < 0 || Math.floor((low + b) / used) === place)) fit.push(b);
                }
                if (!fit.length) return FAULT;
                bit = fit[random(fit.length)];
            } else if (!isSet(bit)) {
                return FAULT;
            }
        }
        return choose(branch, part, bit);
    }

    // ---- the search

    /**
     * The best of the options of a node by UCB1, each counted as offered; one that was never taken comes first. Of many
     * numbers only those are taken that are open: further ones are opened as the node is visited.
     * @param {TreeNode} node
     * @param {number[]} options
     * @param {number[][]} numbers
     * @param {number} visits
     */
    function select(node, options, numbers, visits) {
        for (const option of numbers.flat()) if (!node.has(option)) edgeOf(node, option).open = false;
        for (const thing of numbers) widen(thing.map((option) => edgeOf(node, option)), visits);
        const fresh = [];
        let best = 0;
        let highest = -1;
        for (const option of options) {
            const edge = edgeOf(node, option);
            edge.offered++;
            const { open, offered, number, value } = edge;
            const bound = value / number + 0.7 * Math.sqrt(Math.log(offered) / number);
            if (!open) continue;
            if (!number) fresh.push(option);
            else if (bound > highest) {
                highest = bound;
                best = option;
            }
        }
        return fresh.length ? fresh[random(fresh.length)] : best;
    }

    /**
     * Opens one of many numbers while few are open, or the cube of how many are is at most the visits: the least, the
     * greatest, then the middle of the longest stretch that is closed. As `interpreter/wasm/batches/widening.py`.
     * @param {Edge[]} edges
     * @param {number} visits
     */
    function widen(edges, visits) {
        let [opened, run, longest, last] = [0, 0, 0, -1];
        edges.forEach(({ open }, i) => {
            opened += Number(open);
            run = open ? 0 : run + 1;
            if (run > longest) [longest, last] = [run, i];
        });
        if (!longest || (opened >= FEW && opened ** 3 > visits)) return;
        const place = !edges[0].open ? 0 : run ? edges.length - 1 : last - (longest >> 1);
        edges[place].open = true;
    }

    /** What is known of an option of a node; at first nothing. @param {TreeNode} node @param {number} option */
    function edgeOf(node, option) {
        /** @type {Edge} */
        const edge = node.get(option) ?? { open: true, offered: 0, number: 0, value: 0, next: new Map() };
        node.set(option, edge);
        return edge;
    }

    /**
     * Tree search over worlds that the seat cannot tell apart: nodes are what was chosen since the root, whatever
     * chance has brought, and an option counts how often it was offered (Cowling, Powley, Whitehouse 2012). Yields
     * after each iteration; returns the number of the choice that was taken most. The budget is a number of
     * iterations, or of milliseconds. A choice that comes to a fault counts as one that loses.
     * @param {Problem} problem
     * @param {How} how
     * @returns {Generator<undefined, Found, undefined>}
     */
    function* search(problem, { seed, budget = Infinity, milliseconds = Infinity }) {
        random = generator(seed);
        const { seat, branch, node, choices } = problem;
        const begun = performance.now();
        /** @type {TreeNode} */
        const root = new Map();
        const all = [...choices.keys()];
        const { numbers: many, sizes: most } = decisions[node];
        const amounts = many.map((part) => all.filter((one) => choices[one][0] === part && choices[one][1] !== most[part]));
        let [low, high, iterations, faults] = [Infinity, -Infinity, 0, 0];
        const spent = () => (performance.now() - begun) / milliseconds;
        while (iterations < choices.length ? spent() < 3 : iterations < budget && spent() < 1) {
            const choice = select(root, all, amounts, iterations);
            let edge = edgeOf(root, choice);
            /** @type {[edge: Edge, seat: number][]} */
            const way = [[edge, seat]];
            const begins = dealt(problem);
            // To deal is to ask what somebody may know, for which the memory may grow.
            if (memory.buffer !== module.memory.buffer) memory = new Int32Array(module.memory.buffer);
            memory.set(begins, at);
            let code = settled(first(node, branch, choices[choice]));
            while (code !== OVER && code !== FAULT && edge.number) {
                const [chooser, decision, number] = asked();
                if (number < 0) break;
                const options = decision.passing ? [-1] : [];
                if (decision.options) options.push(...decision.options);
                else if (number) chosen(number - 1, options);
                const option = select(edge.next, options, numbersOf(decision, options), edge.number);
                edge = edgeOf(edge.next, option);
                way.push([edge, module.seat_at(map.state, chooser, 0)]);
                code = settled(take(chooser, decision, option));
            }
            code = play(code);
            const values = code === FAULT ? null : worth();
            for (const [, ahead] of values ?? []) [low, high] = [Math.min(low, ahead), Math.max(high, ahead)];
            for (const [one, by] of values ? way : way.slice(0, 1)) {
                const [share, ahead] = values?.[by] ?? [0, low];
                one.number++;
                one.value += 0.9 * share + (high > low ? (0.1 * (ahead - low)) / (high - low) : 0);
            }
            if (!values) faults++;
            iterations++;
            yield;
        }
        /** @param {number} one */
        const rank = (one) => -edgeOf(root, one).number - edgeOf(root, one).value / iterations;
        all.sort((a, b) => rank(a) - rank(b));
        /** @type {Found["edges"]} */
        const edges = all.map((one) => [one, edgeOf(root, one).number, edgeOf(root, one).value / (edgeOf(root, one).number || 1)]);
        return { choice: all[0], iterations, faults, edges };
    }

    return Object.assign(search, { dealt });
}
