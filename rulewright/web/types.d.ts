/**
 * Shapes that many modules of the pages share: what a game is described by, what its module carries, what a viewer
 * sees of a match, and what pages and backends say to each other. Only the type checker reads this file: no page
 * loads it. What one module makes stands there, as a `@typedef` or a class.
 *
 * A tuple that ends in `...undefined[]` is one of several lengths that are taken apart alike: what it lacks is
 * undefined.
 */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import type { TargetedEvent, TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import type { Conversation } from "./backend/conversation.js";
import type { Pattern } from "./i18n.js";
import type { Game } from "./match/game.js";
import type { Node } from "./match/machine.js";
import type { NumberRange } from "./match/number_ranges.js";

// ---- values, as `interpreter/json_values.py` and `rulewright/presentation/values.py` write them

/** The type of a value; of numbers with labels also the column by which these call them. */
export type ValueType =
    | ["enum" | "piece", string, ...undefined[]]
    | ["int", (string | undefined)?, ...undefined[]]
    | ["flag" | "effect" | "none", ...undefined[]]
    | ["set", string, string?, ...undefined[]];

/** A value with its type. A piece is a place and a class, -1 if that is not seen; an effect is a routine. */
export type Value =
    | ["int" | "flag", number, ...undefined[]]
    | ["enum", string, number]
    | ["piece", number, number]
    | ["effect", string, ...undefined[]]
    | ["none", ...undefined[]];

/** A cell of a table: a number, the name of a routine with its arguments, or none. */
export type Cell = number | string | null;

/** Pieces that are shown: a place, a class, and how many. */
export type ShownPieces = [place: number, class_: number, number: number];

/** An event, whole or as a viewer may know it: then a class may be -1, what is shown may be null. */
export type GameEvent =
    | ["moved", component: string, class_: number, number: number, source: number, to: number, ...undefined[]]
    | ["changed", word: number, old: number, now: number, ...undefined[]]
    | ["thrown", component: string, face: number, place: number, ...undefined[]]
    | ["shown", seat: number, pieces: ShownPieces[] | null, openly?: boolean, ...undefined[]]
    | ["told", seat: number, word: number, value: number | null, openly?: boolean, ...undefined[]]
    | ["shuffled", place: number, ...undefined[]]
    | ["entered", phase: number, ...undefined[]]
    | ["turned", seat: number, ...undefined[]]
    | ["ended", outcome: number, node: number, ...undefined[]]
    | ["branched", seat: number, ...undefined[]];

// ---- the description of a game, as `rulewright/presentation/description.py` writes it

/** What no choice changes. What is optional is left out where a file carries it, or where there is none of it. */
export interface Description {
    format?: number;
    game: string;
    title: string;
    digest: string;
    seats: number;
    options: Options;
    /** Whether seats may see different things. */
    secrets: boolean;
    /** Whether nothing hidden or random comes between the choices of its two seats. */
    foreseen?: boolean;
    /** What the next match begins with, and whether a condition says at the end that there is one. */
    carries?: { of: string[]; while: boolean };
    seat_names: string[];
    languages: string[];
    labels: Texts;
    helps: Texts;
    /** Conditions of refusals, and their sides, from the first language to others. */
    conditions?: Texts;
    types: Record<string, DescribedType>;
    components: Record<string, DescribedComponent>;
    zones: Record<string, DescribedZone>;
    places: DescribedPlace[];
    variables: DescribedVariable[];
    /** The team of each seat. */
    teams?: number[];
    tables?: Record<string, DescribedTable>;
    phases: string[];
    /** The phases that go from seat to seat. */
    rotating: string[];
    routines: Record<string, DescribedRoutine>;
    decisions: Record<string, DescribedDecision>;
    streams: string[];
    /** The headings of clauses. */
    clauses: Texts;
    /** By node the clauses of what ends a match there. */
    ends?: Record<string, string[]>;
    scores: DescribedScore[];
    computed?: DescribedComputed[];
    rulings?: Ruling[];
    provenance?: Provenance[];
    scene: Scene;
    story: StoryRules;
}

/** How the story of a match is told, as `rulewright/story/rules.py` says. */
export interface StoryRules {
    untold: string[];
    by_position: string[];
    banks: Record<string, string>;
    endings: string[];
    /** By kind the fields of the events that a message tells. */
    said: Record<string, Record<string, Role>>;
    many_moves: number;
    many_kinds: number;
}

/** By language, what is said of each word. */
export type Texts = Record<string, Record<string, string>>;
export type Options = Record<string, string>;

/** Columns with their types, and rows of cells; a group of columns, `keyed_by` a type, has a list of cells. */
export interface Rows {
    columns: { name: string; type: ValueType; keyed_by: string | null }[];
    rows: (Cell | Cell[])[][];
    /** The columns of text, each with the owner in the keys of its labels: `card.smith.flavour`. */
    texts?: Record<string, string>;
}

export interface DescribedType extends Rows {
    lo: number;
    names: string[];
    /** Those that are used with this number of seats; absent: all. */
    members?: number[];
    shape: string;
    numeric?: boolean;
    sides?: number[] | null;
    links?: number[][];
    base?: string | null;
    clauses?: string[];
}

export interface DescribedComponent extends Rows {
    classes: string[];
    /** How many pieces of each class are in the game; none for dice. */
    copies: number[];
    die: boolean;
    clauses: string[];
}

/** Who sees pieces or values, as rules say it. */
export type Sight = "all" | "owner" | "team" | "others" | "nobody" | "count" | "top";

export interface DescribedZone {
    component: string;
    of: string | null;
    at: string | null;
    order: string;
    capacity: number | null;
    seen_by: Sight;
    counted_by?: Sight;
    rows: boolean;
    clauses?: string[];
}

export interface DescribedPlace {
    zone: string;
    of: number | null;
    at: number | null;
    capacity: number;
    kind: "slot" | "counts" | "ordered" | "blank";
}

export interface DescribedVariable {
    kind: "counter" | "mark" | "pointer";
    name: string;
    of: string | null;
    at: string | null;
    of_lo: number;
    of_size: number;
    at_lo: number;
    at_size: number;
    type: ValueType;
    low: number;
    high: number;
    /** The number of its first word among those of a position. */
    first: number;
    clauses?: string[];
    /** Absent: all. */
    seen_by?: Sight;
}

export interface DescribedTable {
    over: ValueType[];
    ranges: number[][];
    type: ValueType;
    values: Cell[];
    clauses: string[];
}

/** An action, an effect or a procedure; of an action, a file carries the type of its first parameter alone. */
export interface DescribedRoutine {
    types: ValueType[];
    kind?: string;
    parameters?: string[];
    clauses?: string[];
    at?: string;
}

export interface DescribedDecision {
    name: string;
    /** The routine that contains it. */
    within: string | null;
    offers?: boolean;
    type: ValueType | null;
    actions?: string[];
    /** Which value of a set it is about, the least and the greatest number, and whether that was chosen before. */
    of_set?: [which: number, least: number, most: number, own: boolean];
    /** It is asked again and again, and all can know whether it has a single value. */
    forced?: true;
    passing?: boolean;
    clauses?: string[];
    at?: string;
}

export interface DescribedScore {
    name: string;
    kind: "score" | "tiebreak";
    clauses: string[];
    /** For each seat those who may know its value before the end, as bits: see `isAmong`. */
    known_to: number[];
    text?: string;
    at?: string;
}

/** A value that the table shows, of all or of each seat. */
export interface DescribedComputed {
    name: string;
    of: "seat" | null;
    type: ValueType;
}

/** An option or a ruling, which may be chosen when a match is made. */
export interface Ruling {
    name: string;
    kind?: "option" | "ruling";
    values: string[] | null;
    range: [number, number] | null;
    default: string | number;
    /** Of an option that holds a set, by number of seats. */
    sets?: Record<string, OptionSets> | null;
    readings: Record<string, string>;
    why: string;
    clauses: string[];
}

export interface OptionSets {
    size: [number, number];
    values: string[];
    default: string;
}

/** Rows of a table that are not known to be the printed ones. */
export interface Provenance {
    of: string;
    /** By language, what the table is called. */
    names: Record<string, string>;
    status: "reconstructed" | "partly" | "unconfirmed";
    number: number;
    total: number;
    why: string;
    /** By language, why. */
    reasons: Record<string, string>;
}

// ---- how a game looks, as `rulewright/layout/scene.py` writes it

export type Point = [x: number, y: number];
export type Area = "board" | "shared" | "seat" | "aside" | "piece";

export interface Scene {
    boards: Record<string, BoardScene>;
    /** The boards of each picture. */
    groups: string[][];
    zones: Record<string, Drawn>;
    variables: Record<string, Drawn>;
    faces: Record<string, Face>;
    seats: SeatColours;
    areas: Area[];
    /** The pictures of faces that are data, as `data:` URLs; parts name them by their numbers. */
    pictures?: string[];
    /** Icons of values by their names. */
    icons?: Record<string, string>;
}

/** A part of a face that is data, as `rulewright/presentation/drawn_faces.py` writes it; lengths are in mm. */
export type FacePart =
    | ["r", left: number, top: number, width: number, height: number, fill: string, edge: string, radius: number, opacity: number]
    | ["p", left: number, top: number, width: number, height: number, picture: number, cover: number]
    | ["t", left: number, middle: number, width: number, size: number, ink: string, style: number, text: string];

/** A board in its picture; what is empty is left out. */
export interface BoardScene {
    shape: string;
    points: (Point | null)[];
    cell: "square" | "hex" | "circle" | "point" | "none";
    size: number;
    lines: [number, number][];
    width: number;
    height: number;
    own: boolean;
    /** Whether nothing lies on it, and nothing is chosen on it. */
    told?: true;
    named: boolean;
    placed: boolean;
    shapes?: Record<string, Point[]>;
    tones?: number[];
    colours?: string[];
    seat_points?: (Point | null)[][];
    backdrop?: [x: number, y: number, width: number, height: number, url: string];
    rims?: [x: number, y: number, text: string][];
    borders?: [seat: number, line: Point[], sign: Point][];
    captions?: string[][];
    slab?: [x: number, y: number, width: number, height: number, colour: string];
    stands?: Record<string, [type: string, value: number][]>;
    /** Places with a dot, by index. */
    dots?: number[];
    panels?: [x: number, y: number, width: number, height: number, colour: string][];
    /** Where the pieces of a zone lie, of a seat or of all. */
    spots?: [zone: string, seat: number | null, at: Point[]][];
}

/** As what a zone or a variable is drawn, and where. */
export interface Drawn {
    as: string;
    area: Area;
    board?: string;
    offsets?: Point[];
    order?: number;
    icon?: string;
    colour?: string;
    /** of places with a counter: each from a number on, rising */
    colours?: [least: number, colour: string][];
    /** of a pointer, by its value */
    icons?: Record<string, string>;
}

/** How pieces of a component look. */
export interface Face {
    shape: "card" | "tile" | "disc" | "cube" | "die" | "figure" | "wedge";
    template: Record<string, string>;
    colours: Record<string, string>;
    dark: Record<string, string>;
    ink: Record<string, string>;
    icons: Record<string, string>;
    signs: Record<string, string>;
    owned: boolean;
    /** The outline of a man and the lines within it, by class. */
    figures?: Record<string, [body: string, lines: string]>;
    /** The seat ahead of which a piece points, by class. */
    ahead?: Record<string, number>;
    /** What playing cards show, by class: rank, suit, number of pips. */
    cards?: Record<string, [string, string, number]>;
    /** Of a face that is data: its size in mm, what is cut out, its parts by language and class, and its back. */
    size?: [width: number, height: number];
    outline?: "rectangle" | "round" | "hex";
    drawn?: Record<string, Record<string, FacePart[]>>;
    back?: FacePart[];
}

/** The colours of seats on light and dark pages, and of what is written on the light ones. */
export interface SeatColours {
    colours: string[];
    dark: string[];
    ink: string[];
}

// ---- what the module of a game carries, as `interpreter/wasm/standalone.py` and `host_tables.py` write it

/** Tables by which a host reads the memory of a module: `docs/standalone-module.md`. */
export interface HostTables {
    seats: number;
    start: number;
    /** Addresses and sizes in the memory of the module. */
    map: MemoryMap;
    streams: { first: number; names: string[] };
    branches?: { first: number } | null;
    private?: { behind: number[]; routines: number[] };
    components: string[];
    places: [component: number, kind: number, base: number, classes: number, capacity: number, seen: number][];
    tops: number[];
    variables: [name: string, base: number, size: number][];
    events: Record<string, EventTable>;
    routines: [name: string, parameters: number[], clauses?: string[]][];
    /** The component whose rows have effects, if there is exactly one. */
    effects: string | null;
    /** The routine of each cell with an effect; in a file without its arguments. */
    cells: [routine: number, arguments?: number[]][];
    decisions: Record<string, DecisionTable>;
    chance: Record<string, ChanceTable>;
    scores: ScoreTable[];
    best: "highest" | "lowest" | "none";
    /** By phase, which lines count. */
    counted?: number[][];
    ended?: number;
    endings?: string[];
    reasons: Record<string, ReasonTable>;
    /** How many classes each component declares, used or not. */
    classes: Record<string, number>;
    /** By node, the slots of a frame that may refer to hidden pieces; whether each is a list, and of how many classes. */
    held?: Record<string, [slot: number, listed: number, classes: number][]>;
    queues?: [address: number, classes: number][];
    policy?: PolicyTables;
}

export interface MemoryMap {
    state: number;
    initial: number;
    size: number;
    record: number;
    events: number;
    menu: number;
    menu_words: number;
    accounts: number;
    out: number;
    doing_words: number;
    why: number;
    failed: number;
    /** Where a program may keep something; a page in one file does without. */
    work?: number;
    /** Where an observation is written; only for a trained policy. */
    row?: number;
}

/** The fields of the events of a kind, and which is left out where it is covered: they are indices of an event. */
export interface EventTable {
    /** Its number in a module. */
    code: number;
    /** What each of its fields stands for, in their order. */
    fields: Role[];
    covers?: number;
    covered?: number | null;
    openly?: number;
}

/** What a field of an event stands for. */
export type Role = "component" | "class" | "number" | "place" | "word" | "value" | "pieces" | "seat" | "phase" | "outcome" | "node";

/** The values of a part of a decision: the least one, how many, its first byte in the menu, and of ranges how many. */
export type Part = [low: number, size: number, first: number, ranges?: number];

/** What is optional stands in the description where a file carries it, or is not so. */
export interface DecisionTable {
    name?: string;
    offer?: number;
    passing?: number;
    clauses: string[];
    /** Where it stands in the rules; not in a file, which does not have them. */
    at?: string;
    parts: Part[];
    /** The parts that choose one of many numbers. */
    numbers?: number[];
    type?: ValueType;
    parameter?: number;
    /** What the functions of a host have to know of it: see `interpreter/wasm/host/codes.py`. */
    marks?: number;
    axes?: [number, number, number];
    wants?: Condition[];
}

/** A chance node; `low` is the first outcome, `place` whether it draws from one, `open` whether all may know the odds. */
export type ChanceTable = [stream: number, names: string[] | null, clauses: string[], low: number, place: number, open: number];

/** A line of the account. */
export type ScoreTable = [kind: "score" | "tiebreak", name: string, clauses: string[], best?: "lowest"];

/**
 * A condition that a refusal can name: `first` is the word of the record from which its sides stand, `parent` the number of
 * the condition that it is a part of, or -1. `known` has to be known before it is named, absent: nothing.
 */
export type Condition = [
    text: string, sides: [string, ValueType][], first: number, parent: number, clauses: string[], known?: number[],
];

/** Why a node refuses; `known` has to be known before that is told, absent: nothing. */
export type ReasonTable =
    | ["need", clauses: string[], at: string | null, wants: Condition[]]
    | ["range" | "nothing" | "pay", clauses: string[], at: string | null, name: string, known?: number[]];

/** What a page needs to choose by a trained policy: `rulewright/learn/page_policy.py`. */
export interface PolicyTables {
    digest: string;
    actions: number;
    columns: number;
    /** It takes the likeliest action instead of drawing one. */
    greedy?: boolean;
    lows: number[];
    places?: number[];
    decisions: Record<string, { number: number; starts: number[]; values: number[]; passing: number; actions: number[] }>;
    within: Record<string, number[]>;
    unseen: Record<string, number>;
    network: Network;
}

/** The program of a network: `rulewright/learn/network.py`. */
export interface Network {
    constants: [value: number, rows: number, columns: number, text: string][];
    steps: [operator: string, inputs: number[], output: number, settings: Record<string, number>][];
    result: number;
}

// ---- what a host in the page knows of a match

/** The words of a state. */
export type State = Int32Array<ArrayBuffer>;

/** A part of a decision, -1 to pass, and the value. */
export type Option = [part: number, value: number];

/** A target of an offer: a routine and its arguments; null: it does nothing now. */
export type Doing = [routine: number, given: number[]] | null;

/** A decision that waits, in numbers. `ranges` are numbers too many to list. */
export interface WaitingDecision {
    seat: number;
    node: number;
    branch: number;
    options: Option[];
    what: Doing[];
    ranges: NumberRange[];
}

/** A choice that is offered; `hidden`: it stands for a piece that the seat does not see. */
export interface OfferedChoice {
    option: Option;
    words: string[];
    hidden?: boolean;
}

/** A decision that waits, with its words. */
export interface OfferedDecision extends Omit<WaitingDecision, "node" | "ranges"> {
    node: Node;
    waiting: WaitingDecision;
    choices: OfferedChoice[];
    ranges: { words: string[]; numbers: NumberRange }[];
}

// ---- what a viewer sees of a match, as `rulewright/presentation/position.py` writes it

/** A viewer is the number of a seat, `SPECTATOR` or `REFEREE`. */
export interface Position {
    /** How many entries the viewer has been told. */
    seq: number;
    seat: number;
    over: boolean;
    winners: number[] | null;
    outcome: string | null;
    /** The clauses by which the match has ended. */
    ended_by?: string[];
    ranking: number[];
    phase: number;
    active: number;
    turns: boolean;
    together: boolean;
    /** Of each place the classes of its pieces, or only their number; null: not even that is known. */
    places: (number[] | number | null)[];
    words: (number | null)[];
    computed: (number | null | (number | null)[])[];
    /** The seats that are asked, as far as the viewer may know. */
    waiting: number[];
    decisions: PositionDecision[];
    scores: SeatScore[];
    undo: Undo;
    /** The match is over, and another one may follow that begins with what carries over. */
    next?: boolean;
    /** At a physical table: the seat that is to choose. */
    asked?: number | null;
}

export interface PositionDecision {
    name: string;
    node: number;
    /** The piece whose effect asks. */
    self: Value | null;
    clauses: string[];
    passing: boolean;
    choices: Choice[];
    ranges?: ChoiceRange[];
}

export interface Choice {
    words: string;
    action: string | null;
    arguments: (Value | null)[];
    value: Value | null;
    pass?: boolean;
}

/** Choices that differ in a number alone: the words in front of it, and the numbers. */
export interface ChoiceRange {
    words: string;
    action: string | null;
    numbers: [first: number, last: number, step: number];
}

/** Lines with their values; null: the viewer may not know it. */
export interface SeatScore {
    lines: [name: string, value: number | null][];
    total: number | null;
    ties: [name: string, value: number | null][];
}

/** A score sheet with the clauses of each line. */
export interface ScoreSheet extends Omit<SeatScore, "lines"> {
    lines: [name: string, value: number | null, clauses: string[]][];
}

/** `free` own choices may be taken back; or `ask` choices of all seats, to which those in `consent` must agree. */
export interface Undo {
    free: number;
    ask: number;
    why: string;
    consent: number[];
    /** At a physical table: whether what was told last is an answer. */
    answer?: boolean;
}

/** What a viewer has been told of one step, or of a part of it. */
export interface Entry {
    seat: number | null;
    words: string | null;
    node: number | null;
    stream: string | null;
    odds: Odds | null;
    /** The component, how many pieces of each class, and whether they are those of the pile. */
    pool: [component: string, numbers: number[], exact: boolean] | null;
    events: GameEvent[];
}

/** Outcomes with their weights. */
export type Odds = [name: string, weight: number][];

/** Why something is not offered. */
export interface Refusal {
    kind: RefusalKind;
    name: string;
    numbers: number[];
    index: string;
    condition: string;
    facts: [side: string, value: string][];
    clauses: string[];
    at: string | null;
    parts: Refusal[];
}

export type RefusalKind =
    | "condition" | "cannot pay" | "out of range" | "nothing to choose" | "no such value" | "not here" | "cannot pass" | "words";

/** What is asked why: the words of a choice, or a value, with the action that it is offered for. */
export interface WhyAbout {
    words?: string | null;
    action?: string | null;
    value?: Value | null;
}

/** What the referee of a physical table asks; `told` and `given` are of this choice. */
export interface Question {
    version: number;
    seat: number | null;
    stream: string | null;
    place: number | null;
    possible: string[];
    told: string[];
    given: number;
}

// ---- the table: who sits where, as `docs/table-protocol.md` has it

export interface TableState {
    type: "table";
    match: string;
    game: string;
    title: string;
    options: Options;
    /** The hash of the description; null where the page has it. */
    description: string | null;
    /** The viewer. */
    seat: number;
    owner: boolean;
    status: MatchStatus;
    visibility: Visibility;
    seats: TableSeat[];
    /** Which of several own seats are wanted. */
    asked?: number[];
    watching: number;
    spectators: Spectators;
    /** What may be said; of a server alone. */
    talk?: TalkRule;
    clocks: Clocks | null;
    proposals: Proposal[];
    chance: TableChance | null;
    rules: { digest: string; kept: boolean; clauses?: string[]; changed?: string[] };
    companion: boolean;
    question?: Question | null;
    result?: MatchResult | null;
    rematch: string | null;
    declined?: number | null;
    /** May who plays ask for hints? */
    hints?: boolean;
}

/** What a search thinks of one's choices; of values from 0 to 1. */
export interface Hint {
    choices: { words: string; tried: number; value: number; proof: { result: number; choices: number } | null }[];
    more: number;
    iterations: number;
    worlds: number;
    /** Positions, if all were looked at and the values are exact. */
    solved: number;
}

export interface TalkRule {
    allowed: "none" | "phrases" | "free";
    /** Whether spectators are told what is said. */
    spectators: boolean;
}

/** What somebody has said: the id of a phrase, or a text. */
export interface Said {
    seat: number;
    name: string | null;
    /** Milliseconds since 1970. */
    at: number;
    phrase?: string;
    text?: string;
}

/** A mark on an entry. */
export type MomentMark = [seq: number, seat: number, mark: string];

export type MatchStatus = "open" | "running" | "over" | "abandoned";
export type Visibility = "open" | "invited" | "private";

export interface TableSeat {
    seat: number;
    kind: "open" | "invited" | "person" | "bot";
    name: string | null;
    bot: string | null;
    mine: boolean;
    present: boolean;
    invitation?: boolean;
}

export interface Spectators {
    allowed: boolean;
    delay: number;
}

/** In milliseconds; a `deadline` by the time of the server, which was `now` when it was sent. */
export interface Clocks {
    kind: "move" | "match" | "days";
    now: number;
    seats: { left: number | null; deadline: number | null }[];
}

export interface Proposal {
    proposal: number;
    kind: "undo" | "repair" | "abandon" | "rematch";
    by: number;
    number: number | null;
    seq: number | null;
    asked: number[];
    agreed: number[];
}

/** Where chance comes from; if it is committed, the commitment to a seed, and after the end the seed. */
export interface TableChance {
    kind: "system" | "committed";
    commitment?: string | null;
    seed?: string | null;
    nonce?: string | null;
}

export interface MatchResult {
    by: "rules" | "resignation" | "clock" | "agreement" | "owner";
    winners: number[];
    seat?: number;
}

// ---- backends

/** What can be asked of a request that was carried out. */
export interface Acknowledged {
    proposal?: number;
    version?: number;
}

/** What a page knows of a match, and may ask. What is refused rejects with `Refused`. */
export interface Backend {
    kind: "server" | "local" | "replay" | "studio";
    /** Null until it is known. */
    readonly description: Description | null;
    position: ReadonlySignal<Position | null>;
    entries: ReadonlySignal<Entry[]>;
    table: ReadonlySignal<TableState | null>;
    status: ReadonlySignal<ConnectionStatus>;
    /** A code. */
    error: ReadonlySignal<string | null>;
    /** The server's time minus that of the browser, in milliseconds. */
    skew: ReadonlySignal<number>;
    /** What the referee of a physical table asks. */
    chance?: ReadonlySignal<Question | null>;
    /** The seat whose player should take over the screen. */
    handover?: ReadonlySignal<number | null>;
    /** The words of choices that wait for the connection. */
    waiting?: ReadonlySignal<string[]>;
    choose(words: string): Promise<unknown>;
    why(about: WhyAbout): Promise<Refusal | null>;
    account(): Promise<ScoreSheet[]>;
    at?(seq: number, seat?: number | null): Promise<{ position: Position; entries: Entry[] }>;
    undo?(number?: number): Promise<Acknowledged | null>;
    repair?(seq: number): Promise<unknown>;
    answer?(proposal: number, agree: boolean, seat?: number | null): Promise<unknown>;
    outcome?(stream: string | null, text: string | null): Promise<unknown>;
    abandon?(): Promise<Acknowledged>;
    resign?(): Promise<unknown>;
    /** Shows the match to another viewer at the same screen. */
    look?(viewer: number): void;
    log?(): string;
    /** What a search thinks of the choices of the viewer. */
    hint?(): Promise<Hint>;
    close?(): void;
    /** What is said at the table; of a server alone. */
    conversation?: Conversation;
}

export type ConnectionStatus = "connecting" | "online" | "reconnecting" | "closed";

// ---- messages of the socket, as `docs/table-protocol.md` has them

export type ServerMessage =
    | TableMessage
    | PositionMessage
    | AnswerMessage
    | RefusedMessage
    | TalkMessage
    | { type: "beat" }
    | { type: "error"; code: string; text?: string };

/** The table, or the fields of it that have changed. */
export type TableMessage = TableState | ({ type: "changes" } & Partial<Omit<TableState, "type">>);

/** What is said: the page keeps its first `since` things, and has all `marks`. */
export interface TalkMessage {
    type: "talk";
    since: number;
    said: Said[];
    marks: MomentMark[];
}

export interface PositionMessage {
    type: "position";
    version?: number;
    position: Position;
    entries?: Entry[];
    since?: number;
    mark?: string;
}

/** The answer to a request: it was carried out, or what was asked for. */
export type AnswerMessage = ({ type: "ack" } | { type: "answer" }) & Answered;

export interface Answered {
    id: string;
    version?: number;
    proposal?: number;
    refusal?: Refusal | null;
    scores?: ScoreSheet[];
    position?: Position;
    entries?: Entry[];
}

export interface RefusedMessage {
    type: "refused";
    id: string;
    code: string;
    text?: string;
    refusal?: Refusal | null;
}

// ---- answers of the server by HTTP, as `docs/table-protocol.md` has them

export interface ServerInfo {
    protocol: number;
    version: string;
    public_url: string;
    uploads: boolean;
    notices: ("webhook" | "mail")[];
    most_upload: number;
    /** Matches are playtests. */
    playtest: boolean;
}

/** What is kept of a visitor's seats at a playtest; `of` is an entry of the story, or a question. */
export interface PlaytestShown {
    questions: string[];
    agreed: number[];
    kept: { seat: number; kind: "mark" | "answer"; of: number; text: string }[];
}

/** What is done at a playtest. */
export type PlaytestAct =
    | { do: "agree" | "withdraw"; seat: number }
    | { do: "delete" }
    | { do: "mark"; seat: number; entry: number; text: string }
    | { do: "answer"; seat: number; question: number; text: string };

/** A game in the lobby. */
export interface GameSummary {
    game: string;
    title: string;
    /** The numbers of seats, rising. */
    seats: number[];
    languages: string[];
    options: number;
    rulings: number;
    provenance: Provenance[];
    bundled: boolean;
    picture: string;
    seat_colours: SeatColours;
    /** By language, what the game is in a line. */
    says: Record<string, string>;
    tags: string[];
    /** What it can be found by, folded. */
    words: string;
    /** What was measured, for each number of seats; empty where nothing was. */
    lengths: [seats: number, decisions: number, minutes: number][];
    weight: "light" | "medium" | "heavy" | null;
}

/** The page of a game. */
export interface GameDetails extends Omit<GameSummary, "options" | "rulings"> {
    digest: string;
    rulebook: string;
    options: Ruling[];
    rulings: Ruling[];
    labels: Texts;
    clauses: Texts;
    /** By language, what rulings and tables say. */
    translations?: Record<string, { rulings: Record<string, { readings: Record<string, string>; why: string }> }>;
    bots: string[];
    usual_bot: string;
    teams: string[];
}

export interface ClauseText {
    heading: string;
    text: string;
    /** Anchors in the rulebook. */
    sections: string[];
}

export interface ClockRule {
    kind: "move" | "match" | "days";
    seconds: number;
    increment: number;
    expiry: "forfeit" | "absent";
}

/** A match in the lobby. */
export interface MatchSummary {
    match: string;
    game: string;
    title: string;
    options: Options;
    status: MatchStatus;
    visibility: Visibility;
    seats: TableSeat[];
    seat_colours: SeatColours;
    spectators: Spectators;
    clock: ClockRule | null;
    chance: "system" | "committed";
    companion: boolean;
    hints?: boolean;
    owner: boolean;
    waiting: boolean;
    made: string;
    changed: string;
    result: MatchResult | null;
    /** Of a new match: the links of the invited seats. */
    links?: SeatLink[];
}

export interface SeatLink {
    seat: number;
    link: string;
    /** The address of a QR code. */
    code: string | null;
}

export interface MatchLists {
    open: MatchSummary[];
    mine: MatchSummary[];
    watch: MatchSummary[];
    unreadable: string[];
}

/** To make a match. */
export interface MatchRequest {
    game: string;
    seats: number;
    options: Options;
    name?: string;
    players?: string[];
    visibility?: Visibility;
    spectators?: Spectators;
    clock?: (Omit<ClockRule, "increment"> & { increment?: number }) | null;
    chance?: "system" | "committed";
    bots?: string;
    companion?: boolean;
    hints?: boolean;
    talk?: TalkRule;
}

export interface NoticeRequest {
    seat: number;
    webhook?: string | null;
    mail?: string | null;
    language: string;
}

export interface NoticesSet {
    webhook: boolean;
    mail: string | null;
}

export interface Estimate {
    chance: number;
    low: number;
    high: number;
}

/** What a seat could know of what is hidden; `failed` is a code, or empty if there was no time. */
export interface Beliefs {
    failed?: string;
    seat: string;
    exactness: { kind: "exact" | "sample" | "approximate"; worlds: number; effective: number; model: string; why: string; within: number };
    hidden: Record<string, Record<string, Estimate>>;
    /** The numbers of those that are places. */
    places: Record<string, number>;
    /** After the end: what was there. */
    true?: Record<string, string[]>;
}

// ---- what a game in one file carries, as `rulewright/bundling/game_file.py` writes it

declare global {
    /** What `unpack.js` has found in the file. */
    var carried: Carried;
}

export interface Carried {
    /** By language. */
    messages: Record<string, Record<string, Pattern>>;
    /** By language, as HTML. */
    rulebooks: Record<string, string>;
    /** An address. */
    icon: string;
    /** One for each configuration. */
    games: CarriedGame[];
    /** In a file with a policy: whether it follows a physical table. */
    companion?: boolean;
}

export interface CarriedGame {
    description: Description;
    tables: HostTables;
    module: BufferSource;
}

/** A configuration of a game in a file, which is opened when it is needed, and once. */
export interface Variant {
    description: Description;
    open(): Promise<Game>;
}

// ---- what components are given

/** Events as their handlers get them: of fields, selections and forms, presses, and of keys. */
export type FieldEvent = TargetedEvent<HTMLInputElement>;
export type SelectEvent = TargetedEvent<HTMLSelectElement>;
export type FormEvent = TargetedEvent<HTMLFormElement>;
export type Press = TargetedMouseEvent<HTMLElement>;
export type KeyPress = TargetedKeyboardEvent<HTMLElement>;

/** Whatever can be told to people: a refusal of a match, an error of the server or of the program, or a code. */
export interface Trouble {
    code?: string;
    text?: string;
    message?: string;
    refusal?: Refusal | null;
    diagnostics?: Diagnostic[];
}

/** A mistake in a ruleset or in its options, with its place. */
export interface Diagnostic {
    code: string;
    message: string;
    help?: string;
    file?: string | null;
    line?: number;
    column?: number;
}

export type { ReadonlySignal, Signal };
