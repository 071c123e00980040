// The table: all that a viewer sees of a match, and may do. It is made from the description of the game, the position,
// the entries and a backend alone.

import { html, signal, useEffect, useLayoutEffect, useMemo, useRef } from "../html.js";
import { known, label as labelOf, t, wanted } from "../i18n.js";
import { areSlim, isSeated, Ledgered, Middle, Wide } from "./areas.js";
import { keyOfWords } from "./chosen_parts.js";
import { Details } from "./details.js";
import { facing } from "./orientation.js";
import { gestures, gesturing } from "./gestures.js";
import { modelOf } from "./model.js";
import { animate, lookOf } from "./motion.js";
import { insteadOf, leadsOn, partsWith } from "./moves.js";
import { keyOf, offersOf } from "./offers.js";
import { lead, OutOfSight, frameOf } from "./out_of_sight.js";
import { isPlannable, isPlanning } from "./premoves.js";
import { BUTTONS, changed, forget, isPart, isSpent, isWithin, pressing, resume, showUntaken, spotOf, wait } from "./presses.js";
import { Prompt } from "./prompt.js";
import { isWorthReading, Tip } from "./tips.js";
import { refusedText } from "./refusal.js";
import { settle } from "./roving.js";
import { seatColours } from "./seat_colours.js";
import { Seat, seatsInOrder } from "./seats.js";
import { useSteadyHeight } from "./steady_height.js";
import { LightOnStones } from "./stones.js";
import { spoken, Story } from "./story.js";
import { choicesOf } from "./thing.js";
import { useTrails } from "./trails.js";

/** @import { Backend, Choice, Entry, KeyPress, Position, Trouble } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @import { Model, Offered, Open, Props, Resting, Table as TableProps, Thing } from "./types.d.ts" @import { Ledger } from "./ledgers.js" */
/** @typedef {ReturnType<typeof intentions>} Intentions */
/** @typedef {{ winners: number[] }} Outcome */

const MOST_RECENT = 24;

/** What the viewer is about to do; nothing of it is known to the backend. */
function intentions() {
    return {
        /** The action that is picked. */
        only: signal(/** @type {string | null} */ (null)),
        picked: signal(/** @type {string[]} */ ([])),
        /** The seat whose side is below: the first one that looks. Several at one screen see the same board. @type {{ current: number | null }} */
        side: { current: null },
        /** The boards that are turned. */
        turned: signal(/** @type {string[]} */ ([])),
        /** The keys of what was offered, by the node of the decision and the words. @type {Map<string, string | null>} */
        keys: new Map(),
        open: signal(/** @type {Open | null} */ (null)),
        looking: signal(false),
        resting: signal(/** @type {Resting | null} */ (null)),
        plan: signal(/** @type {Thing[]} */ ([])),
        /** What was offered for the parts of the move that goes on. @type {import("./moves.js").Part[]} */
        parts: [],
        latest: { current: /** @type {TableProps | null} */ (null) },
        gestures: gesturing(),
        /** Choices that nothing on the table stands for, and the position that they are of. */
        loose: signal(/** @type {Offered[]} */ ([])),
        looseOf: /** @type {Position | null} */ (null),
        notice: signal(""),
        /** What is read out. */
        told: signal(""),
        /** How many entries were heard, by which seat, and how many were shown. */
        heard: 0,
        seat: /** @type {number | null} */ (null),
        seen: /** @type {number | null} */ (null),
        /** Whether the viewer has just chosen. */
        chose: false,
        /** How many choices the page has made since, each the last of several. */
        forced: 0,
        /** What had the focus last. */
        left: /** @type {Element | null} */ (null),
        root: /** @type {RefObject<HTMLElement | null>} */ ({ current: null }),
        ...pressing(),
    };
}

/**
 * @param {object} props
 * @param {Backend} props.backend
 * @param {(clause: string) => void} [props.openRule] opens the rulebook at a clause
 * @param {(string | null)[] | null} [props.names] the names of the players, by seat
 * @param {boolean} [props.confirming] ask before each choice
 * @param {boolean} [props.planning] a move may be planned while another seat is asked
 * @param {boolean} [props.sole] the last of several things that are chosen one after the other is chosen by itself
 * @param {boolean} [props.still] a position of the past: nothing can be chosen, nothing moves
 * @param {unknown} [props.helps] what else stands beside what is asked
 * @param {import("./story.js").DrawMoment | null} [props.moment] draws what belongs to a passage of the story
 * @param {Outcome | null} [props.outcome] how the match has ended, also if not by its rules
 * @param {string} [props.ended] what has ended the match, if not its rules
 */
export function Table({ backend, openRule = () => {}, names = null, confirming = false, planning = true, sole = false, still = false, helps = null, moment = null, outcome = null, ended = "" }) {
    const own = useMemo(intentions, [backend]);
    /** @type {RefObject<HTMLElement | null>} */
    const root = useRef(null);
    own.root = root;
    const position = backend.position.value;
    const entries = backend.entries.value;
    const { description } = backend;
    const plain = useMemo(() => description && { ...modelOf(description), names }, [description, names?.join()]);
    wanted.value;
    const recent = useMemo(() => recentOf(entries, position?.seat), [entries, position?.seat]);
    const shown = useMemo(() => position && shownOf(position, still, outcome), [position, still, outcome?.winners.join()]);
    const turned = own.turned.value;
    const side = own.side.current !== null && own.side.current >= 0 ? own.side.current : (own.side.current = position?.seat ?? null);
    const model = useMemo(() => plain && (position ? facing(plain, position, entries, turned, side) : plain), [plain, turned, side, entries.length > 0]);
    const picked = own.picked.value;
    const table = shown && model && tableOf({ picked, recent, backend, openRule, model, own, confirming, planning: planning && !still && !confirming, position: shown });
    own.latest.current = table;
    const hands = useMemo(() => gestures(own.gestures, own.latest), [own]);
    useFresh(root, own, table, entries, { still, sole: sole && !confirming }, backend);
    usePending(root, backend);
    useTrails(root, table, entries, still);
    if (!table) {
        return html`<p class="quiet">${t("table-loading")}</p>`;
    }
    const open = own.open.value;
    const { seats } = table.model.description;
    const slim = areSlim(table.model);
    return html`<div class="table-root" data-seq=${table.position.seq} data-seats=${slim ? "slim" : "full"} data-areas=${table.model.scene.areas.join(" ")} ref=${root} onKeyDown=${(/** @type {KeyPress} */ event) => pressed(table, event)} ...${hands} onFocusOut=${(/** @type {{ target: Element }} */ { target }) => (own.left = target)}>
        <${PromptWith} table=${table} own=${own} helps=${helps} />
        <${OutOfSight} root=${root} />
        <${Wide} table=${table} />
        <${Middle} table=${table}><${Ledgered} table=${table} which=${(/** @type {Ledger} */ ledger) => slim || !isSeated(ledger)} /><//>
        <div class="seats" data-number=${seats}>
            ${seatsInOrder(seats, table.viewer).map((seat) => html`<${Seat} key=${seat} table=${table} seat=${seat} />`)}
            ${!slim && html`<${Ledgered} table=${table} which=${isSeated} />`}
        </div>
        <${Story} table=${table} entries=${entries} ended=${ended} moment=${moment} />
        <${LightOnStones} />
        <div class="unseen" aria-live="polite" role="status">${own.told.value}</div>
        <${Rests} table=${table} own=${own} />
        ${open && html`<div class="shade" onClick=${() => table.close()}></div><${Details} table=${table} open=${open} />`}
    </div>`;
}

/** @param {Props & { own: Intentions, helps: unknown }} props */
function PromptWith({ table, own, helps }) {
    /** @type {RefObject<HTMLDivElement | null>} */
    const bar = useRef(null);
    useSteadyHeight(bar);
    return html`<div class="prompt-bar" ref=${bar}><${Prompt} table=${table} loose=${own.loose.value} helps=${helps} />
        ${own.notice.value && html`<p class="notice" role="alert">${own.notice.value}</p>`}
        ${own.untaken.value > 0 && html`<p class="untaken" role="status" key=${own.untaken.value}>${t(own.untakenText)}</p>`}</div>`;
}

/** @param {Props & { own: Intentions }} props */
function Rests({ table, own }) {
    const resting = own.resting.value;
    return resting && html`<${Tip} table=${table} resting=${resting} />`;
}

/**
 * The position as it is shown: in the past and after the end nothing is asked.
 * @param {Position} position
 * @param {boolean} still
 * @param {Outcome | null} outcome
 * @returns {Position}
 */
function shownOf(position, still, outcome) {
    if (outcome) {
        return { ...position, decisions: [], waiting: [], over: true, winners: outcome.winners };
    }
    return still ? { ...position, decisions: [] } : position;
}

/**
 * What components need of the table: what is on it, what is offered, and what a press does.
 * @param {{ picked: string[], recent: TableProps["recent"], backend: Backend, openRule: (clause: string) => void, model: Model, own: Intentions, confirming: boolean, planning: boolean, position: Position }} given
 * @returns {TableProps}
 */
function tableOf({ picked, recent, backend, openRule, model, own, confirming, planning, position }) {
    const offers = offersOf(model, position, own.only.value);
    const viewer = position.seat;
    const entries = backend.entries.peek();
    const within = isWithin({ model, offers });
    const parts = partsWith(own.parts, within, { told: entries.length, offers });
    const plans = planning && isPlanning(model, position);
    /** @type {TableProps} */
    const table = {
        picked, recent, backend, openRule, model, position, offers, viewer, looking: own.looking.value, drawn: new Set(),
        things: new Map(), planned: own.plan.value,
        seatColours: (seat) => seatColours(model.scene.seats, seat),
        seatSign: (seat) => seatSign(model, seat),
        mine: (thing) => isMine(model, viewer, thing, offers),
        turn: (names) => {
            const now = own.turned.peek();
            own.turned.value = names.every((name) => now.includes(name)) ? now.filter((name) => !names.includes(name)) : [...now, ...names];
        },
        only: (name) => {
            own.only.value = name;
            name !== null && requestAnimationFrame(table.reveal);
        },
        reveal: () => own.root.current && reveal(own.root.current),
        look: (on) => {
            own.looking.value = on;
        },
        open: (thing, anchor, reading = false) => {
            own.open.value = { thing, anchor, reading };
            own.resting.value = null;
        },
        rest: (thing, anchor) => {
            own.resting.value = thing && anchor && !own.open.peek() && isWorthReading(table, thing) ? { thing, anchor } : null;
        },
        openScore: (score, anchor) => {
            own.open.value = { score, anchor };
        },
        openAction: (action, anchor) => {
            own.open.value = { action, anchor };
        },
        isOpen: () => own.open.peek() !== null,
        close: () => {
            const anchor = own.open.peek()?.anchor;
            own.open.value = null;
            anchor?.isConnected && /** @type {HTMLElement} */ (anchor).focus({ preventScroll: true });
        },
        press: (thing, event) => {
            if (isSpent(own, event, [...thing.keys, ...thing.choices.map((choice) => keyOf(choice.value) ?? BUTTONS)], table)) {
                return;
            }
            if ((event.detail ?? 0) > 1 && isPicked(table, thing)) {
                showUntaken(own); // the second click of a double click puts nothing down
            } else if (own.busy.peek()) {
                wait(own, (now) => now.pressAnew(thing));
            } else {
                table.take(thing, event.currentTarget);
            }
        },
        take: (thing, anchor) => {
            const other = own.looking.peek() || thing.choices.length ? null : table.instead(thing);
            if (other) {
                table.change(thing, other);
            } else if (!own.looking.peek() && table.mayPlan(thing)) {
                table.plan(thing);
            } else if (thing.choices.length === 1 && !own.looking.peek() && !confirming) {
                table.choose(thing.choices[0]);
            } else {
                table.open(thing, anchor);
            }
        },
        instead: (thing) => {
            const found = within ? insteadOf(parts, thing, entries, viewer) : null;
            return found && found.number > 0 && found.number <= position.undo.free ? found : null;
        },
        change: (thing, { choice, number }) => {
            if (!isPicked(table, thing)) {
                wait(own, (now) => now.chooseAnew(choice.words));
            }
            own.busy.value = own.acted = true;
            backend.undo?.(number).catch((error) => {
                own.busy.value = false;
                forget(own);
                tell(backend, own, error);
            });
        },
        mayPlan: (thing) => plans && (own.plan.peek().some(({ keys }) => keys[0] === thing.keys[0])
            || isPlannable(model, position, thing, own.plan.peek().length) || isPlannable(model, position, thing, 0)),
        plan: (thing) => {
            const old = own.plan.peek();
            const again = thing && old.some(({ keys }) => keys[0] === thing.keys[0]);
            own.plan.value = !thing || again ? [] : isPlannable(model, position, thing, old.length) ? [...old, thing] : [thing];
        },
        pressPlanned: (thing) => {
            const choices = choicesOf(table, thing);
            if (choices.length === 1) {
                table.choose(choices[0]);
            } else {
                own.waiting = [];
                showUntaken(own, "table-plan-dropped");
                within && position.undo.free > 0 && table.takeBack();
            }
            return true;
        },
        mayDrag: (thing) => !table.looking && (leadsOn(table, thing) || (!thing.choices.length && (table.instead(thing) !== null || table.mayPlan(thing)))),
        pickUp: (thing) => {
            const other = thing.choices.length ? null : table.instead(thing);
            own.resting.value = null;
            if (isPicked(table, thing)) {
                return; // it is in the hand already
            }
            if (own.busy.peek()) {
                wait(own, (now) => now.pressAnew(thing));
            } else if (other) {
                table.change(thing, other);
            } else if (thing.choices.length === 1) {
                table.choose(thing.choices[0]);
            } else {
                own.plan.value = [thing];
            }
        },
        drop: (thing) => {
            if (own.busy.peek()) {
                wait(own, (now) => (now.drop(thing), true));
                return;
            }
            const choices = thing ? choicesOf(table, thing) : [];
            if (plans) {
                table.plan(thing && isPlannable(model, position, thing, own.plan.peek().length) ? thing : null);
            } else if (thing && choices.length) {
                table.take({ ...thing, choices }, drawnThing(own, thing) ?? document.body);
            } else if (within && position.undo.free > 0) {
                table.takeBack();
            }
        },
        /** A press that has waited: on what is offered by now. */
        pressAnew: (thing) => {
            const choices = choicesOf(table, thing);
            const anchor = choices.length ? drawnThing(own, thing) : null;
            anchor && table.take({ ...thing, choices }, anchor);
            return Boolean(anchor);
        },
        chooseBy: (choice, event) => {
            if (confirming && !own.busy.peek() && !isSpent(own, event, [BUTTONS], table)) {
                own.open.value = { choice, anchor: event.currentTarget };
            } else if (!confirming) {
                table.confirm(choice, event);
            }
        },
        confirm: (choice, event) => {
            if (isSpent(own, event, [BUTTONS], table)) {
                return;
            }
            if (own.busy.peek()) {
                wait(own, (now) => now.chooseAnew(choice.words));
            } else {
                table.choose(choice);
            }
        },
        /** A choice that has waited: of the same words, if they are offered by now. */
        chooseAnew: (words) => {
            const choice = choicesIn(position).find((one) => one.words === words);
            choice && table.choose(choice);
            return Boolean(choice);
        },
        choose: (choice, forced = 0) => choose(backend, own, choice, forced),
        takeBack: (event) => {
            if (!event || !isSpent(own, event, [BUTTONS], table)) {
                const number = own.forced < position.undo.free ? own.forced + 1 : 1;
                own.acted = true;
                own.forced = 0;
                backend.undo?.(position.undo.answer ? 0 : number).catch((error) => tell(backend, own, error));
            }
        },
    };
    return table;
}

/** Where a thing is drawn. @param {Intentions} own @param {Thing} thing */
const drawnThing = ({ root }, { keys }) => [...(root.current?.querySelectorAll("[data-thing]") ?? [])].find((drawn) => drawn.getAttribute("data-thing") === keys[0]) ?? null;

/** Is a thing chosen as a part of the move that goes on? @param {TableProps} table @param {Thing} thing */
const isPicked = ({ picked }, { keys }) => picked.some((key) => keys.includes(key));

/** What a seat has chosen of the move that goes on, from its first part. @param {Model} model @param {Entry[]} entries @param {number} seat */
function begun(model, entries, seat) {
    const own = entries.filter((entry) => entry.words !== null && entry.seat === seat);
    const first = own.findLastIndex(({ node }) => !isPart(model, node));
    return own.slice(Math.max(first, 0));
}

/**
 * Where something has happened since the viewer's last choice, or in the last step: words and places.
 * @param {Entry[]} entries
 * @param {number | undefined} viewer
 * @returns {TableProps["recent"]}
 */
function recentOf(entries, viewer) {
    const isChoice = (/** @type {Entry} */ entry) => entry.words !== null;
    const first = entries.findIndex(isChoice); // before it the table is set up, which is no news
    const last = entries.findLastIndex((entry) => isChoice(entry) && entry.seat === viewer);
    const since = first < 0 ? [] : entries.slice(Math.max(first, last === entries.length - 1 ? last : last + 1)).slice(-MOST_RECENT);
    /** @type {TableProps["recent"]} */
    const found = { words: new Set(), places: new Set() };
    for (const event of since.flatMap((entry) => entry.events)) {
        event[0] === "changed" && found.words.add(event[1]);
        event[0] === "moved" && found.places.add(event[5]);
    }
    return found;
}

/** Milliseconds that a choice which was acknowledged may take to be seen. */
const LATEST = 400;

/** @param {Backend} backend @param {Intentions} own @param {Choice} choice @param {number} forced how many of the last choices the page makes by itself */
async function choose(backend, own, choice, forced) {
    const { asked } = own;
    const free = () => {
        if (own.asked === asked) {
            own.busy.value = false;
            forget(own);
        }
    };
    own.busy.value = true;
    own.acted = true;
    own.chose = true;
    own.forced = forced;
    own.open.value = null;
    own.only.value = null;
    own.resting.value = null;
    own.plan.value = [];
    own.notice.value = "";
    try {
        await backend.choose(choice.words);
        setTimeout(free, backend.chance?.peek() ? 0 : LATEST);
    } catch (error) {
        own.acted = false;
        free();
        tell(backend, own, /** @type {Trouble} */ (error));
    }
}

/** @param {Backend} backend @param {Intentions} own @param {Trouble} error */
function tell(backend, own, error) {
    const { description } = backend;
    own.notice.value = error.refusal && description ? refusedText(modelOf(description), error.refusal) : saidOf(error);
}

/** An error in the viewer's language where it has a code that the page knows, else in its own words. @param {Trouble} error */
function saidOf(error) {
    const id = `error-${error.code}`;
    return known(id) ? t(id) : error.text ?? error.message ?? t("table-no-answer");
}

/**
 * A held key presses once. Escape takes back what is half chosen: the open window, the action picked, then the parts already chosen.
 * @param {TableProps} table
 * @param {KeyPress} event
 */
function pressed(table, event) {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
    }
    if (event.key === "i" && event.target instanceof Element && event.target.hasAttribute("data-thing")) {
        event.target.dispatchEvent(new MouseEvent("contextmenu", { bubbles: false, cancelable: true }));
        return;
    }
    table.rest(null, null);
    if (event.key !== "Escape") {
        return;
    }
    if (table.isOpen()) {
        table.close();
    } else if (table.planned.length) {
        table.plan(null);
    } else if (table.offers.only !== null) {
        table.only(null);
    } else if (isWithin(table) && table.position.undo?.free > 0) {
        table.takeBack();
    }
}

/**
 * What is left of several things that the viewer chooses one after the other, or has come to choose by the last press,
 * if it is only one and all can know that.
 * @param {TableProps} table
 * @param {Entry[]} entries
 */
function lastOfSeveral({ model, position: { decisions: [decision], seat, together } }, entries) {
    const before = entries.findLast((entry) => entry.words !== null);
    const goesOn = before?.seat === seat && decision && model.description.decisions[String(decision.node)].forced;
    return goesOn && !together && decision.choices.length === 1 && !decision.ranges?.length ? decision.choices[0] : null;
}

/**
 * After each position: what is new is shown and read out, Tab stops are set, and focus is not lost.
 * @param {RefObject<HTMLElement | null>} root
 * @param {Intentions} own
 * @param {TableProps | null} table
 * @param {Entry[]} entries
 * @param {{ still: boolean, sole: boolean }} how
 * @param {Backend} backend
 */
function useFresh(root, own, table, entries, { still, sole }, backend) {
    useLayoutEffect(() => {
        if (table) {
            const { model, position, offers } = table;
            const seats = backend.table?.peek()?.seats;
            const others = entries.slice(own.heard).some(({ words, seat }) => words !== null && seat !== own.seat && !seats?.[seat ?? -1]?.mine);
            own.seat = position.seat;
            own.heard = entries.length;
            own.parts = partsWith(own.parts, isWithin(table), { told: entries.length, offers });
            own.resting.value = null;
            // What has been chosen of the move that goes on stays marked until the move is whole.
            for (const { node, choices } of position.decisions ?? []) {
                choices.forEach(({ words, value }) => own.keys.set(`${node} ${words}`, keyOf(value)));
            }
            const picked = isWithin(table)
                ? begun(model, entries, position.seat).flatMap(({ node, words }) => own.keys.get(`${node} ${words}`) ?? keyOfWords(model, position, node, words ?? "") ?? [])
                : [];
            if (picked.join() !== own.picked.peek().join()) {
                own.picked.value = picked;
            }
            const buttons = offers.loose.length || offers.passing || offers.actions.size ? [BUTTONS] : [];
            changed(own, [position.seq, ...offeredWords(position)].join("\n"), new Set([...[...offers.byKey.keys()].map(spotOf), ...buttons]), others);
            if (offers.decision || position.over) {
                const plan = own.plan.peek();
                own.plan.value = [];
                own.waiting.push(...(offers.decision ? plan : []).map((thing) => (/** @type {TableProps} */ now) => now.pressPlanned(thing)));
            }
            resume(own, table);
        }
    }, [table?.position]);
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
        own.open.value = holds(own.open.peek(), table) ? own.open.peek() : null;
        if (own.left && !own.left.isConnected && document.activeElement === document.body) {
            /** @type {HTMLElement | null | undefined} */
            const asked = root.current?.querySelector("[data-asked]");
            asked?.focus({ preventScroll: true });
        }
        const last = own.chose && !own.busy.peek() ? lastOfSeveral(table, entries) : null;
        if (own.chose && table.offers.decision) {
            table.reveal();
        }
        own.chose = false;
        last && sole && table.choose(last, own.forced + 1);
        if (entries.length > since && !still && root.current) {
            const { model } = table;
            animate(root.current, entries.slice(since), lookOf(model));
            own.told.value = spoken(model, entries, Math.max(since, entries.length - 12));
        }
    }, [table?.position, entries.length]);
}

/**
 * What was chosen while the connection is lost is marked until it can be sent.
 * @param {RefObject<HTMLElement | null>} root
 * @param {Backend} backend
 */
function usePending(root, { waiting }) {
    const words = waiting?.value ?? [];
    useLayoutEffect(() => {
        for (const thing of root.current?.querySelectorAll("[data-choices]") ?? []) {
            thing.toggleAttribute("data-pending", thing.getAttribute("data-choices")?.split("\n").some((each) => words.includes(each)));
        }
    });
}

/** @param {Position} position */
const choicesIn = (position) => (position.decisions ?? []).flatMap((decision) => decision.choices);

/** @param {Position} position */
const offeredWords = (position) => choicesIn(position).map(({ words }) => words);

/**
 * Is what a window shows still so after others have chosen: a score, or choices that are all offered?
 * @param {Open | null} open
 * @param {TableProps} table
 */
function holds(open, { position }) {
    const choices = open?.choice ? [open.choice] : (open?.thing?.choices ?? []);
    const offered = new Set(offeredWords(position));
    return open?.score !== undefined || (choices.length > 0 && choices.every(({ words }) => offered.has(words)));
}

/** What can be chosen next comes into sight, unless some of it is: what the bar below covers is not. @param {HTMLElement} root */
function reveal(root) {
    const offered = [...root.querySelectorAll(".thing[data-state='offered']")];
    const frame = frameOf(root);
    const isSeen = (/** @type {Element} */ thing) => {
        const { top, bottom } = thing.getBoundingClientRect();
        return bottom > frame.top && top < frame.bottom;
    };
    if (offered.length && !offered.some(isSeen)) {
        lead(offered[0]);
    }
}

/** A letter for each seat, so that colour is never all that tells seats apart. @param {Model} model @param {number} seat */
function seatSign(model, seat) {
    return labelOf(model.description.seat_names[seat] ?? "", model.description).slice(0, 1);
}

/**
 * Does a thing lie before the viewer, beside others of which some can be chosen? Only there a refusal is drawn.
 * @param {Model} model
 * @param {number} viewer
 * @param {Thing} thing
 * @param {TableProps["offers"]} offers
 */
function isMine(model, viewer, thing, offers) {
    if (thing.value?.[0] === "piece") {
        const place = model.description.places[thing.value[1]];
        const beside = [...offers.byKey.keys()].some((key) => key.startsWith("piece ") && model.description.places[Number(key.split(" ")[1])]?.zone === place.zone);
        return beside && model.description.zones[place.zone].of === "seat" && place.of === viewer;
    }
    return thing.about?.seat === viewer;
}
