import { openCarried, carried } from "./backend/carried.js";
const b = await openCarried({ players: carried().description.seat_names.slice(0, carried().description.seats).map(() => "human"), pace: 0 });
globalThis.backend = b;
document.getElementById("page").textContent = carried().description.title + " " + b.position.value.decisions.length;
