// What the viewer has set: language, colours, motion, sound; kept by the browser.

import { effect, signal } from "../html.js";
import { chosenLanguage, LANGUAGES, namesLanguage, preferredLanguage, setLanguage } from "../i18n.js";

const KEY = "rulewright";

function saved() {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    } catch {
        return {};
    }
}

const first = saved();

chosenLanguage.value = first.language in LANGUAGES ? first.language : "";
/** "auto", "light" or "dark". */
export const theme = signal(["light", "dark"].includes(first.theme) ? first.theme : "auto");
/** "auto", "full" or "less". */
export const motion = signal(["full", "less"].includes(first.motion) ? first.motion : "auto");
/** Are sounds heard, and how loud: from 0 to 1? */
export const sound = signal(first.sound === true);
export const volume = signal(first.volume > 0 && first.volume <= 1 ? first.volume : 0.5);
/** Is a notification shown at one's turn while the page is not looked at? */
export const notify = signal(first.notify === true);
/** Do single keys do something? */
export const shortcuts = signal(first.shortcuts !== false);
/** Is a choice shown once more before it is made? */
export const confirming = signal(first.confirming === true);
/** May a move be planned while another seat is asked? */
export const planning = signal(first.planning !== false);
/** Is the last of several things that are chosen one after the other chosen by itself? */
export const sole = signal(first.sole !== false);
/** Is what lights up explained when it is met for the first time? */
export const guided = signal(first.guided !== false);
/** The name that the viewer gave last. */
export const playerName = signal(typeof first.name === "string" ? first.name : "");

/** Applies the settings to the page, now and whenever they change. Resolves when the words are there. */
export function applySettings() {
    namesLanguage.value = typeof first.names === "string" ? first.names : "";
    effect(() => attribute("theme", theme.value));
    effect(() => attribute("motion", motion.value));
    effect(() => {
        const all = {
            language: chosenLanguage.value,
            names: namesLanguage.value,
            theme: theme.value,
            motion: motion.value,
            sound: sound.value,
            volume: volume.value,
            notify: notify.value,
            shortcuts: shortcuts.value,
            confirming: confirming.value,
            planning: planning.value,
            sole: sole.value,
            guided: guided.value,
            name: playerName.value,
        };
        try {
            localStorage.setItem(KEY, JSON.stringify(all));
        } catch {
            // A browser that keeps nothing: the settings last as long as the page.
        }
    });
    return chooseLanguage(chosenLanguage.peek());
}

/** Sets the language; empty: as the browser asks. @param {string} tag */
export function chooseLanguage(tag) {
    chosenLanguage.value = tag;
    return setLanguage(preferredLanguage(tag));
}

/** @param {string} name @param {string} value */
function attribute(name, value) {
    if (value === "auto") {
        delete document.documentElement.dataset[name];
    } else {
        document.documentElement.dataset[name] = value;
    }
}
