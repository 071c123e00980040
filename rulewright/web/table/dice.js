// Dice that lie in no zone: what was thrown last stands beside what is asked.

import { html } from "../html.js";
import { contents, hidden } from "./model.js";
import { pieceLabel } from "./names.js";
import { Piece } from "./pieces.js";

/** @import { Entry } from "../types.d.ts" @import { Props } from "./types.d.ts" */

/** Those that were thrown: until then the face on which they lie means nothing. @param {Props} props */
export function Thrown({ table }) {
    const { model, position, backend } = table;
    const entries = backend.entries.peek();
    const { components, zones } = model.description;
    const loose = Object.values(model.zones).filter(({ name }) => !(name in zones) && components[name]?.die && !hidden(model.description, name));
    return loose.flatMap(({ name, places }) => places.filter(({ number }) => wasThrown(entries, number)).map(({ number: place }) => {
        const dice = contents(position, place) ?? [];
        return html`<span key=${place} class="thrown" role="img" data-place=${place} aria-label=${dice.map((die) => pieceLabel(model, name, die.class)).join(", ")}>
            ${dice.map((die) => html`<${Piece} key=${die.class} table=${table} component=${name} klass=${die.class} number=${die.number} />`)}</span>`;
    }));
}

/** @param {Entry[]} entries @param {number} place */
const wasThrown = (entries, place) => entries.findLastIndex(({ events }) => events.some((event) => event[0] === "thrown" && event[3] === place)) >= 0;
