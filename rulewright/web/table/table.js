// The table: all that a viewer sees of a match, and may do. It is made from the description of the game, the position,
// the entries and a backend alone.

import { html, signal, useEffect, useLayoutEffect, useMemo, useRef } from "../html.js";
import { label as labelOf, t, wanted } from "../i18n.js";
import { Picture } from "./board.js";
import { Details } from "./details.js";
import { className, modelOf } from "./model.js";
import { Ledgers } from "./ledgers.js";
import { animate, movesWanted } from "./motion.js";
import { offersOf } from "./offers.js";
import { colours, signOf } from "./pieces.js";
import { Prompt } from "./prompt.js";
import { settle } from "./roving.js";
import { seatColours } from "./seat_colours.js";
import { ownPictures, Seat, seatsInOrder, sharedPictures } from "./seats.js";
import { Sheets, sheetsIn } from "./slots.js";
import { spoken, Story } from "./story.js";
import { plainVariables, Values } from "./values.js";
import { Zones, zonesIn } from "./zones.js";

const SETTLING = 350;
const MOST_RECENT = 24;

/** What the viewer is about to do; nothing of it is known to the backend. */
function intentions() {
    return {
        only: signal(null),
        open: signal(null),
        looking: signal(false),
        loose: signal([]),
        notice: signal(""),
        busy: signal(false),
        changed: 0,
    };
}

/**
 * @param {object} props
 * @param {object} props.backend see the contract of pages and backends
 * @param {(clause: string) => void} [props.openRule] opens the rulebook at a clause
 * @param {string[]} [props.names] the names of the players, by seat
 * @param {boolean} [props.confirming] ask before each choice
 * @param {boolean} [props.still] a position of the past: nothing can be chosen, nothing moves
 * @param {boolean} [props.ended] the match is over, though not by its rules: nobody is asked any more
 */
export function Table({ backend, openRule = () => {}, names = null, confirming = false, still = false, ended = false }) {
    const own = useMemo(intentions, [backend]);
    const root = useRef(null);
    const position = backend.position.value;
    const entries = backend.entries.value;
    const { description } = backend;
    const model = useMemo(() => ({ ...modelOf(description), names }), [description, names?.join()]);
    wanted.value;
    const recent = useMemo(() => recentOf(entries, position?.seat), [entries, position?.seat]);
    const shown = ended && !still ? { ...position, decisions: [], waiting: [], undo: null } : still ? { ...position, decisions: [] } : position;
    const table = position && tableOf({ recent, backend, openRule, model, own, confirming, ended: ended && !still, position: shown });
    useFresh(root, own, table, entries, still);
    if (!table) {
        return html`<p class="quiet">${t("table-loading")}</p>`;
    }
    const open = own.open.value;
    return html`<div class="table-root" data-seq=${position.seq} data-seats=${areSlim(model) ? "slim" : "full"} ref=${root} onKeyDown=${(event) => pressed(table, event)} onFocusOut=${(event) => (own.left = event.target)}>
        <${PromptWith} table=${table} own=${own} />
        <${Wide} table=${table} />
        <${Middle} table=${table} />
        <div class="seats" data-number=${description.seats}>
            ${seatsInOrder(description.seats, position.seat).map((seat) => html`<${Seat} key=${seat} table=${table} seat=${seat} />`)}
        </div>
        <${Story} table=${table} entries=${entries} />
        <div class="unseen" aria-live="polite" role="status">${own.told?.value}</div>
        ${open && html`<div class="shade" onClick=${() => table.close()}></div><${Details} table=${table} open=${open} />`}
    </div>`;
}

/** Have the seats nothing but a few numbers before them? */
function areSlim(model) {
    return !zonesIn(model, "seat", 0).length && !ownPictures(model).length && !sheetsIn(model, "seat", 0).some((sheet) => sheet.zones.length);
}

function PromptWith({ table, own }) {
    return html`<div class="prompt-bar"><${Prompt} table=${table} loose=${own.loose.value} />
        ${own.notice.value && html`<p class="notice" role="alert">${own.notice.value}</p>`}</div>`;
}

/** Is a picture so much wider than high that it needs the room of two columns? */
function isWide(model, group) {
    const scene = model.scene.boards[group[0]];
    return scene.width > 1.8 * scene.height;
}

function Wide({ table }) {
    const groups = sharedPictures(table.model).filter((group) => isWide(table.model, group));
    return html`<div class="wide">${groups.map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} />`)}</div>`;
}

/** The boards and the zones that belong to nobody. */
function Middle({ table }) {
    const { model } = table;
    const pictures = sharedPictures(model).filter((group) => !isWide(model, group));
    const areas = ["shared", "board"].filter((area) => zonesIn(model, area).length || plainVariables(model, area).length || sheetsIn(model, area).length);
    return html`<div class="middle" data-pictures=${pictures.length}>
        ${pictures.map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} />`)}
        ${areas.length > 0 && html`<section class="shared" aria-label=${t("table-shared")}>
            ${areas.map((area) => html`<${Values} table=${table} area=${area} />`)}
            ${areas.map((area) => html`<${Sheets} table=${table} area=${area} />`)}
            <div class="zones">${areas.map((area) => html`<${Zones} table=${table} area=${area} />`)}</div>
        </section>`}
        <div class="ledgers"><${Ledgers} table=${table} seats=${seatsInOrder(model.description.seats, table.viewer)} /></div>
    </div>`;
}

/** What components need of the table: what is on it, what is offered, and what a press does. */
function tableOf({ recent, backend, openRule, model, own, confirming, ended, position }) {
    const offers = offersOf(model, position, own.only.value);
    const viewer = position.seat;
    const table = {
        recent, backend, openRule, model, position, offers, viewer, ended, looking: own.looking.value, drawn: new Set(),
        seatColours: (seat) => seatColours(model.scene, seat),
        seatSign: (seat) => seatSign(model, seat),
        mine: (thing) => isMine(model, viewer, thing),
        only: (name) => {
            own.only.value = name;
        },
        look: (on) => {
            own.looking.value = on;
        },
        open: (thing, anchor) => {
            own.open.value = { thing, anchor };
        },
        openScore: (score, anchor) => {
            own.open.value = { score, anchor };
        },
        openAction: (action, anchor) => {
            own.open.value = { action, anchor };
        },
        isOpen: () => own.open.peek() !== null,
        close: () => {
            const { anchor } = own.open.peek() ?? {};
            own.open.value = null;
            anchor?.isConnected && anchor.focus({ preventScroll: true });
        },
        press: (thing, event) => {
            if (isHasty(own, event)) {
                return;
            }
            if (thing.choices.length === 1 && !own.looking.peek() && !confirming) {
                table.choose(thing.choices[0]);
            } else {
                table.open(thing, event.currentTarget);
            }
        },
        chooseBy: (choice, event) => {
            if (confirming && !isHasty(own, event)) {
                own.open.value = { choice, anchor: event.currentTarget };
            } else {
                table.confirm(choice, event);
            }
        },
        confirm: (choice, event) => isHasty(own, event) || table.choose(choice),
        choose: (choice) => choose(backend, own, choice),
        takeBack: (event) => (event && isHasty(own, event)) || backend.undo(1).catch((error) => tell(own, error)),
    };
    return table;
}

/** Where something has happened since the viewer's last choice, or in the last step: words and places. */
function recentOf(entries, viewer) {
    const last = entries.findLastIndex((entry) => entry.words !== null && entry.seat === viewer);
    const since = entries.slice(last === entries.length - 1 ? last : last + 1).slice(-MOST_RECENT);
    const found = { words: new Set(), places: new Set() };
    for (const event of since.flatMap((entry) => entry.events)) {
        event[0] === "changed" && found.words.add(event[1]);
        event[0] === "moved" && found.places.add(event[5]);
    }
    return found;
}

/** A second click of a double click, a held key, or a click on what has only just appeared chooses nothing. */
function isHasty(own, event) {
    return own.busy.peek() || event.detail > 1 || event.repeat || (event.detail === 1 && performance.now() - own.changed < SETTLING);
}

async function choose(backend, own, choice) {
    own.busy.value = true;
    own.chose = true;
    own.open.value = null;
    own.only.value = null;
    own.notice.value = "";
    try {
        const refused = await backend.choose(choice.words);
        refused?.text && tell(own, refused);
    } catch (error) {
        tell(own, error);
    }
    own.busy.value = false;
}

function tell(own, error) {
    own.notice.value = error?.text ?? error?.refusal?.text ?? error?.message ?? t("table-no-answer");
}

/** A held key presses once. Escape takes back what is half chosen: the open window, the action picked, then the parts already chosen. */
function pressed(table, event) {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
    }
    if (event.key === "i" && event.target.dataset?.thing) {
        event.target.dispatchEvent(new MouseEvent("contextmenu", { bubbles: false, cancelable: true }));
        return;
    }
    if (event.key !== "Escape") {
        return;
    }
    const decl = table.offers.decision && table.model.description.decisions[String(table.offers.decision.node)];
    if (table.isOpen()) {
        table.close();
    } else if (table.offers.only !== null) {
        table.only(null);
    } else if (decl?.within && !decl.offers && table.position.undo?.free > 0) {
        table.takeBack();
    }
}

/** After each position: what is new is shown and read out, Tab stops are set, and focus is not lost. */
function useFresh(root, own, table, entries, still) {
    own.told ??= signal("");
    useLayoutEffect(() => {
        root.current?.querySelectorAll("[data-roving]").forEach(settle);
        if (table) {
            const loose = [...table.offers.loose, ...[...table.offers.byKey].filter(([key]) => !table.drawn.has(key)).flatMap(([, choices]) => choices)];
            if (loose.map(({ words }) => words).join("\n") !== own.loose.peek().map(({ words }) => words).join("\n") || own.looseOf !== table.position) {
                own.loose.value = loose;
                own.looseOf = table.position;
            }
        }
    });
    useEffect(() => {
        if (!table) {
            return;
        }
        const since = own.seen ?? entries.length;
        own.seen = entries.length;
        own.changed = performance.now();
        own.open.value = null;
        if (own.left && !own.left.isConnected && document.activeElement === document.body) {
            root.current?.querySelector("[data-asked]")?.focus({ preventScroll: true });
        }
        if (own.chose && table.offers.decision) {
            reveal(root.current);
        }
        own.chose = false;
        if (entries.length > since && !still) {
            const { model } = table;
            animate(root.current, entries.slice(since), (component, klass) => ({
                text: klass < 0 ? "" : signOf(model, component, klass) || labelOf(className(model, component, klass), model.description),
                colours: colours(model, component, klass),
            }));
            own.told.value = spoken(model, entries, Math.max(since, entries.length - 12));
        }
    }, [table?.position, entries.length]);
}

/** After an own choice what can be chosen next comes into sight, unless some of it is. */
function reveal(root) {
    const offered = [...root.querySelectorAll(".thing[data-state='offered']")];
    const isSeen = (thing) => {
        const { top, bottom } = thing.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    };
    if (offered.length && !offered.some(isSeen)) {
        offered[0].scrollIntoView({ block: "center", inline: "nearest", behavior: movesWanted(document) ? "smooth" : "auto" });
    }
}

/** A letter for each seat, so that colour is never all that tells seats apart. */
function seatSign(model, seat) {
    return model.description.seat_names[seat]?.slice(0, 1) ?? "";
}

/** Does a thing lie before the viewer, or before nobody? Only there a refusal is drawn. */
function isMine(model, viewer, thing) {
    if (thing.value[0] === "piece") {
        const place = model.description.places[thing.value[1]];
        return model.description.zones[place.zone].of === "seat" && place.of === viewer;
    }
    return thing.about?.seat === viewer;
}
