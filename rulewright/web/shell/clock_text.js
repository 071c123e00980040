// Times as people read them.

import { pageLanguage, t } from "../i18n.js";

/** @import { ClockRule } from "../types.d.ts" */

const DAY = 86_400;

/** How a match is timed, in few words; empty without a clock. @param {ClockRule | null | undefined} clock */
export function clockText(clock) {
    if (!clock) {
        return "";
    }
    if (clock.kind === "days" || (clock.kind === "move" && clock.seconds >= DAY)) {
        return t("clock-days-text", { days: Math.round(clock.seconds / DAY) });
    }
    if (clock.kind === "move") {
        return t("clock-move-text", { time: spoken(clock.seconds) });
    }
    return t(clock.increment ? "clock-match-increment-text" : "clock-match-text", {
        time: spoken(clock.seconds),
        increment: clock.increment ?? 0,
    });
}

/** A number of seconds with its unit: "90 s", "15 min". @param {number} seconds */
function spoken(seconds) {
    const minutes = seconds % 60 === 0;
    const format = new Intl.NumberFormat(pageLanguage.value, { style: "unit", unit: minutes ? "minute" : "second", unitDisplay: "short" });
    return format.format(minutes ? seconds / 60 : seconds);
}

/** What is left on a clock: "2:05", "1:02:05", "3 d 04:00", and tenths in the last ten seconds. @param {number} milliseconds */
export function remaining(milliseconds) {
    const left = Math.max(0, milliseconds);
    if (left < 10_000) {
        return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
    }
    const seconds = Math.floor(left / 1000);
    const [days, hours, minutes] = [Math.floor(seconds / DAY), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
    const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
    if (days) {
        return t("clock-days-left", { days, time: `${two(hours)}:${two(minutes)}` });
    }
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
