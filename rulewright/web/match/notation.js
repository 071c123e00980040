// The notation of a match: its log in short, in the words of the rules, as `interpreter/notation.py` reads it.

/** How it begins, before the number of its version. */
export const NOTATION = "# rulewright notation";
/** What the notation has of the first line of a log, in this order. */
const HEAD = ["game", "rules", "seats", "options", "players", "small", "position", "ended"];

/** The notation of a log. @param {string} log */
export function notationOf(log) {
    const [first, ...rest] = log.trim().split("\n");
    const head = JSON.parse(first);
    const steps = rest.map((line) => JSON.parse(line)).filter(({ seat, chance }) => seat || chance);
    const found = [`${NOTATION} 1`, ...HEAD.filter((name) => name in head).map((name) => `# ${name} ${JSON.stringify(head[name])}`)];
    if (steps.some(({ chance, supplied }) => chance && !supplied)) {
        found.push(`# seed ${/"seed": (-?\d+)/.exec(first)?.[1]}`); // it has more digits than a number here
    }
    let before = "";
    for (const { seat, choose, chance, outcome, supplied } of steps) {
        const front = seat ? `${seat}: ` : `${supplied ? "*" : ">"} ${chance}: `;
        if (!seat && front === before) {
            found[found.length - 1] += ` | ${outcome}`;
        } else {
            found.push(front + (seat ? choose : outcome));
        }
        before = front;
    }
    return `${found.join("\n")}\n`;
}
