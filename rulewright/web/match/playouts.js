// A player that tries out each of its choices by playing the match to its end at random.

/**
 * Makes the search for the module of a game. It uses nothing outside of itself: a worker runs it from its text.
 * @param {WebAssembly.Exports} module
 * @param {any} rules what `rulesOf` in `belief.js` says of the game
 */
export function playouts(module, { map, seats, branches, sign, row, decisions }) {
    const [STATUS, PC, FORKED] = [0, 1, 7];
    const [OVER, CHANCE, FAULT] = [-4, -5, -8];
    const LONGEST = 1000;
    const memory = new Int32Array(module.memory.buffer);
    const at = map.state >> 2;
    const menu = map.menu >> 2;
    const out = map.out >> 2;
    let random;

    /** A generator of numbers in 0..below-1: mulberry32. */
    const generator = (seed) => (below) => {
        seed = (seed + 0x6d2b79f5) | 0;
        let x = Math.imul(seed ^ (seed >>> 15), seed | 1);
        x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x;
        return Math.floor((((x ^ (x >>> 14)) >>> 0) / 0x100000000) * below);
    };

    function shuffle(list) {
        for (let i = list.length - 1; i > 0; i--) {
            const k = random(i + 1);
            [list[i], list[k]] = [list[k], list[i]];
        }
        return list;
    }

    // ---- what is hidden, dealt anew

    /** A state in which what the seat does not see lies at random, as the generator says. */
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

    /** Bits of a word that are set. */
    function bits(word) {
        word -= (word >>> 1) & 0x55555555;
        word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
        return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }

    /** The number of the `rank`-th bit of the menu. */
    function chosen(rank) {
        let word = menu;
        for (let here = bits(memory[word]); here <= rank; here = bits(memory[word])) {
            rank -= here;
            word++;
        }
        let left = memory[word];
        for (; rank > 0; rank--) left &= left - 1;
        return 32 * (word - menu) + 31 - Math.clz32(left & -left);
    }

    function choose(branch, part, bit) {
        module.event.value = map.events;
        return module.choose(map.state, branch, part, bit);
    }

    /** Chooses at random where a decision waits. */
    function step() {
        let branch = 0;
        let node = memory[at + PC];
        if (memory[at + FORKED]) {
            while (memory[at + branches + 3 * branch + 2] !== 1) branch++;
            node = memory[at + branches + 3 * branch];
        }
        const { firsts, passing } = decisions[node];
        const number = module.menu(map.state, branch, map.menu);
        if (number < 0) return FAULT;
        const rank = random(number + passing);
        if (rank >= number) return choose(branch, -1, 0);
        const bit = chosen(rank);
        let part = firsts.length - 1;
        while (firsts[part] > bit) part--;
        return choose(branch, part, bit - firsts[part]);
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

    /** Plays on to the end, or for long. Returns the last code. */
    function play(code) {
        let made = 0;
        while (code !== OVER && code !== FAULT && made < LONGEST) {
            if (code === CHANCE) {
                code = draw();
            } else {
                code = step();
                made++;
            }
        }
        play.made += made;
        return code;
    }
    play.made = 0;

    /** What the seat gets: its part of the win, and by how much its score is ahead. */
    function worth(seat) {
        const over = memory[at + STATUS] !== 0;
        const winners = over ? module.winners(map.state) : 0;
        if (winners === FAULT) return null;
        const totals = [];
        for (let i = 0; row > 1 && i < seats; i++) {
            if (module.account(map.state, i) === FAULT) return null;
            totals.push(sign * memory[(map.accounts >> 2) + row * (i + 1) - 1]);
        }
        const others = totals.filter((_, i) => i !== seat);
        const ahead = totals.length ? totals[seat] - (others.length ? Math.max(...others) : 0) : 0;
        if (over) return [(winners >> seat) & 1 ? 1 / bits(winners) : 0, ahead];
        const best = totals.filter((total) => total === Math.max(...totals));
        return [totals.length ? (totals[seat] === best[0] ? 1 / best.length : 0) : 1 / seats, ahead];
    }

    /** Makes a choice in the state of the module; a piece that is not seen is any one of its place. */
    function first(branch, [part, bit, low, used, place]) {
        if (part >= 0) {
            const { node } = first;
            const begin = decisions[node].firsts[part];
            const size = decisions[node].sizes[part];
            if (module.menu(map.state, branch, map.menu) < 0) return FAULT;
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
     * Yields after each playout; returns the number of the best choice, and how it was found. Choices that look
     * worse are dropped by halves. The budget is a number of playouts, or of milliseconds.
     */
    function* search(problem, { seed, budget = Infinity, milliseconds = Infinity }) {
        random = generator(seed);
        const { seat, branch, node, choices } = problem;
        first.node = node;
        play.made = 0;
        const begun = performance.now();
        const found = choices.map((_, choice) => ({ choice, number: 0, share: 0, ahead: 0 }));
        const rounds = Math.ceil(Math.log2(choices.length)) || 1;
        let done = 0;
        const spent = () => Math.max(done / budget, (performance.now() - begun) / milliseconds);
        const mean = (one, what) => (one.number ? one[what] / one.number : -Infinity);
        const better = (a, b) => mean(b, "share") - mean(a, "share") || mean(b, "ahead") - mean(a, "ahead") || a.choice - b.choice;
        let live = found;
        for (let round = 1; round <= rounds && live.length > 1; round++) {
            do {
                const world = dealt(problem);
                for (const one of live) {
                    if (done >= choices.length && spent() >= 1) break;
                    if (spent() >= 3) break;
                    memory.set(world, at);
                    const code = play(first(branch, choices[one.choice]));
                    const value = code === FAULT ? null : worth(seat);
                    if (value) {
                        one.number++;
                        one.share += value[0];
                        one.ahead += value[1];
                    }
                    done++;
                    yield;
                }
            } while (spent() < round / rounds);
            live = [...live].sort(better).slice(0, Math.ceil(live.length / 2));
        }
        return { choice: [...live].sort(better)[0].choice, playouts: done, decisions: play.made, found };
    }

    return Object.assign(search, { dealt });
}
