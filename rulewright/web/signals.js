// Values that tell when they change: what has read one is computed, carried out or drawn again.

/** Who reads now, or null: `{sources, changed}`. */
let reader = null;

/** What is to be carried out again when the outermost `batch` ends. */
const waiting = new Set();
let depth = 0;

/** Reads on account of another, or of nobody, until it is told who read before. Returns that. */
export function readAs(next) {
    const before = reader;
    reader = next;
    return before;
}

/** Forgets what a reader has read. */
export function forget(one) {
    one.sources.forEach((source) => source.readers.delete(one));
    one.sources.clear();
}

function carriedOut(one, act) {
    forget(one);
    const before = readAs(one);
    try {
        return act();
    } finally {
        readAs(before);
    }
}

class Source {
    readers = new Set();

    read() {
        if (reader) {
            this.readers.add(reader);
            reader.sources.add(this);
        }
        return this.peek();
    }

    tell() {
        batch(() => [...this.readers].forEach((one) => one.changed()));
    }
}

class Signal extends Source {
    #now;

    constructor(first) {
        super();
        this.#now = first;
    }

    peek() {
        return this.#now;
    }

    get value() {
        return this.read();
    }

    set value(next) {
        if (next !== this.#now) {
            this.#now = next;
            this.tell();
        }
    }
}

class Computed extends Source {
    sources = new Set();
    #compute;
    #now;
    #fresh = false;

    constructor(compute) {
        super();
        this.#compute = compute;
    }

    get value() {
        return this.read();
    }

    peek() {
        if (!this.#fresh) {
            this.#fresh = true;
            this.#now = carriedOut(this, this.#compute);
        }
        return this.#now;
    }

    changed() {
        if (this.#fresh) {
            this.#fresh = false;
            this.tell();
        }
    }
}

/** A value that can be set. @template T @param {T} first @returns {{value: T, peek: () => T}} */
export const signal = (first) => new Signal(first);

/** A value that follows from others. @template T @param {() => T} compute @returns {{value: T, peek: () => T}} */
export const computed = (compute) => new Computed(compute);

/** Carries something out, now and whenever what it has read changes. Returns how to end that. */
export function effect(act) {
    const one = { sources: new Set(), changed: () => waiting.add(run) };
    const run = () => batch(() => carriedOut(one, act));
    run();
    return () => {
        waiting.delete(run);
        forget(one);
    };
}

/** Changes several values at once: what has read them hears of it at the end. */
export function batch(act) {
    depth++;
    try {
        return act();
    } finally {
        depth--;
        while (!depth && waiting.size) {
            const [run] = waiting;
            waiting.delete(run);
            run();
        }
    }
}
