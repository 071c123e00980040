// What this browser keeps of a match for its viewers alone: notes on moments, what was read, who is not heard. Nobody is
// sent it, and a browser that keeps nothing forgets it with the page.

/** @typedef {{ at: number, read: number, muted: number[], notes: Record<string, string> }} Keepsakes `notes` are by seat and step */

const KEY = "rulewright/matches";
/** Matches of which something is kept: of more, those that were touched last. */
const MOST = 100;

/** @returns {Record<string, Partial<Keepsakes>>} */
function all() {
    try {
        const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        return found && typeof found === "object" ? found : {};
    } catch {
        return {};
    }
}

/** What is kept of a match. @param {string} match @returns {Keepsakes} */
export function kept(match) {
    const { at = 0, read = 0, muted, notes } = all()[match] ?? {};
    return { at, read: Number(read) || 0, muted: Array.isArray(muted) ? muted : [], notes: notes && typeof notes === "object" ? notes : {} };
}

/** Keeps something more of a match. @param {string} match @param {Partial<Keepsakes>} news */
export function keep(match, news) {
    const found = { ...all(), [match]: { ...kept(match), ...news, at: Date.now() } };
    const last = Object.entries(found).sort(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0)).slice(0, MOST);
    try {
        localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(last)));
    } catch {
        // It lasts as long as the page.
    }
}
