// Players that choose at random. A bot is given the position that its seat may know, and answers with words.

/** The words of one of the choices of a position, at random. */
export function randomBot({ decisions }) {
    const choices = decisions.flatMap((decision) => decision.choices);
    return choices[Math.floor(random() * choices.length)].words;
}

const random = () => crypto.getRandomValues(new Uint32Array(1))[0] / 0x100000000;

/** Calls back when the page has nothing else to do, but not before so many milliseconds. Returns how to cancel. */
export function whenIdle(call, least) {
    let idle = null;
    const timer = setTimeout(() => {
        if (globalThis.requestIdleCallback) {
            idle = requestIdleCallback(call, { timeout: 1000 });
        } else {
            call();
        }
    }, least);
    return () => {
        clearTimeout(timer);
        if (idle !== null) {
            cancelIdleCallback(idle);
        }
    };
}
