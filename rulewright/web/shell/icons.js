// Icons: strokes on a grid of 24, in the colour of the text.

import { html } from "../html.js";

/** @typedef {keyof typeof PATHS} IconName */

const PATHS = {
    back: "M15 5l-7 7 7 7",
    book: "M5 4h5a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-5a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h5z",
    bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z",
    close: "M6 6l12 12M18 6L6 18",
    bubble: "M4 5h16v11H10l-5 4v-4H4z",
    copy: "M9 9h10v11H9zM5 15V4h10",
    download: "M12 4v11M7 11l5 5 5-5M5 20h14",
    dots: "M6 12h.01M12 12h.01M18 12h.01",
    eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
    flag: "M6 21V4h11l-2 4 2 4H6",
    heart: "M12 20s-7.5-4.6-7.5-10A4 4 0 0 1 12 7.4 4 4 0 0 1 19.5 10C19.5 15.4 12 20 12 20z",
    help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
    laugh: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM7.5 14a4.7 4.7 0 0 0 9 0zM9 9h.01M15 9h.01",
    last: "M6 5l8 7-8 7zM18 5v14",
    first: "M18 5l-8 7 8 7zM6 5v14",
    link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    mute: "M4 9v6h4l5 4V5L8 9zM16 9.5l5 5M21 9.5l-5 5",
    next: "M9 5l7 7-7 7",
    note: "M5 4h14v11l-5 5H5zM14 20v-5h5M8 8h8M8 12h5",
    people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14c2.5.8 4 2.8 4 6",
    play: "M7 4l12 8-12 8z",
    pause: "M8 5v14M16 5v14",
    question: "M8.5 8.5a3.5 3.5 0 1 1 5.2 3.1c-1.2.8-1.7 1.5-1.7 3M12 19h.01",
    replay: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2",
    settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
    sound: "M4 9v6h4l5 4V5L8 9zM16.5 9a4.5 4.5 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
    star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z",
    trophy: "M8 4h8v5a4 4 0 0 1-8 0zM8 6H4c0 3 1 5 4 5M16 6h4c0 3-1 5-4 5M12 13v4M8 20h8",
    undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
    wow: "M12 4v10M12 19h.01",
};

/** An icon beside a text; it says nothing itself. @param {{ name: IconName }} props */
export function Icon({ name }) {
    return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"
        stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
