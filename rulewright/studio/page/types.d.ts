// What the page and the server of the studio tell each other, as `rulewright/studio/session.py` has it.

import type { Description, Entry, Position, Refusal, ScoreSheet, WhyAbout } from "/web/types.d.ts";

/** Characters of a file, counted as a browser does. */
export interface Place {
    path: string;
    start: number;
    end: number;
}

/** Characters of the file that is open. */
export type Span = Pick<Place, "start" | "end">;

export interface Edit extends Place {
    text: string;
}

export interface Correction {
    title: string;
    edits: Edit[];
}

export type Severity = "error" | "warning";

export interface Finding extends Place {
    severity: Severity;
    code: string;
    message: string;
    help: string;
    others: (Place & { text: string })[];
    corrections: Correction[];
}

/** A place of a name, with its line. */
export interface NamePlace extends Place {
    line: number;
    text: string;
}

/** The text of a file on the disk, and the seal that says which content it was. */
export interface DiskText {
    text: string;
    seal: string;
}

export interface Opened {
    name: string;
    root: string;
    files: (DiskText & { path: string })[];
}

/** Without a text, `clash` are the first and last line that both have changed. */
export interface Merged {
    text: string | null;
    clash: [number, number] | null;
}

export interface Completion {
    text: string;
    kind: string;
    detail: string;
    rank: number;
    inserted?: string;
    meaning?: string;
    from?: number;
}

/** The names of a file, `[start, end, kind]`, and what is shown beside them, `[at, text]`. */
export interface Tokens {
    tokens: [number, number, string][];
    hints: [number, string][];
}

// ---- the match

export interface Parting {
    step: number;
    text: string;
    place: string | null;
    clauses: string[];
    changes: string[];
}

/** What is told of the match, less the views. */
export interface MatchState {
    seats: number;
    options: Record<string, string>;
    seed: string;
    over: boolean;
    waiting: number[];
    phase: string | null;
    steps: number;
    choices: number;
    digest: string;
    log: string;
    /** The line of the rules that asks, `file:line:column`. */
    line: string | null;
    parting: Parting | null;
    stays: boolean;
    /** The bot of each seat; null: it is played by hand. */
    players: (string | null)[];
    policies: string[];
    bots_wait: boolean;
    bots_failed: string;
    differs: string;
    failed: string;
}

/** There is no match, and why. */
export type NoMatch = { [field in keyof MatchState]?: undefined } & { failed: string };

/** Why something is refused for one reason: how many values, the `first` of them; `here`: by the line itself. */
export interface Reason {
    text: string;
    place: string | null;
    values: number;
    first: string[];
    here: boolean;
}

/** Why the action around a line is not offered. */
export interface LineRefusals {
    action: string | null;
    asked: string[];
    seats: { seat: string; offered: number; refusals: Reason[] }[];
}

// ---- what follows an edit

export interface ScenarioResult {
    name: string;
    path: string;
    line: number;
    cites: string[];
    holds: boolean;
    concerns: boolean;
    failed: { text: string; hint: string; line: number }[];
    doubts: string[];
}

export interface Recorded {
    text: string;
    offered: string[];
    cites: string[];
    clauses: string[];
    result: ScenarioResult;
    whole: boolean;
}

/** Lines `first` to `last` of a file are not as they were committed; `old` are those of before. */
export interface LineChange {
    kind: "added" | "removed" | "changed";
    first: number;
    last: number;
    old: string[];
}

/** With what that means; null where it is not known. */
export type MeantChange = LineChange & { means: string[] | null };

export interface FileLine {
    file: string;
    line: number;
}

/** Something that has changed in meaning. */
export interface Change {
    verb: "added" | "removed" | "renamed" | "changed";
    kind: string;
    name: string;
    was: string | null;
    facts: { what: string; old: string; new: string }[];
    lines: (Partial<FileLine> & { sign: "+" | "-"; text: string; depth: number })[];
    clauses: string[];
    old: FileLine | null;
    new: FileLine | null;
}

/** The changes since the last commit, or `why` they are not known. */
export type Changes = { why: string; changes?: undefined } | { same: boolean; changes: Change[]; clauses: string[] };

/** The drawing of the phases, and the nodes that lines of files belong to. */
export interface Graph {
    svg: string;
    spans: { file: string; first: number; last: number; nodes: string[] }[];
}

export type Duty = "rendered" | "executed" | "asserted";

/** A clause of the rulebook, and where it is met. */
export interface ClauseRow extends FileLine {
    id: string;
    kind: string;
    text: string;
    asked: Duty[];
    missing: Duty[];
    sites: (FileLine & { text: string })[];
    stands: boolean;
    executed: number;
    asserted: (FileLine & { name: string })[];
    failing: (FileLine & { name: string })[];
}

/** Results of scenarios: `lines` has for each `file:line` those that run it, `left` are not run yet. */
export interface Scenarios {
    results: ScenarioResult[];
    edited: boolean;
    lines: Record<string, number[]>;
    left: number;
}

/** What is known of work that is under way, or has ended. */
export interface Work {
    running?: boolean;
    failed?: string;
}

export interface Followed extends Work {
    graph?: Graph;
    scenarios?: Scenarios;
    trace?: ClauseRow[];
    changes?: Changes;
    edits?: Record<string, LineChange[]>;
}

/** What a check or an exploration finds. `match`, or the `words` and the `log`, lead there. */
export interface CheckFinding {
    code: string;
    severity: Severity;
    message: string;
    help: string;
    place: string | null;
    match: string | null;
    words?: string[];
    log?: string;
}

export interface Checked extends Work {
    findings?: CheckFinding[];
    allowed?: number;
    checks?: number;
    left?: string[];
    played?: boolean;
    more?: number;
}

export interface Explored extends Work {
    findings?: CheckFinding[];
    positions?: number;
    exhaustive?: boolean;
    unseen?: string[];
}

/** A number with a name. `place` is where a cell stands. */
export interface NamedNumber {
    name: string;
    kind: "option" | "constant" | "cell";
    value: number;
    low: number;
    high: number;
    place: CellPlace | null;
}

export interface CellPlace extends Place {
    line: number;
    table: string;
}

export interface Numbers extends Work {
    numbers?: NamedNumber[];
}

export interface Measure {
    name: string;
    unit: string;
    old: number;
    new: number;
    difference: number;
    low: number | null;
    high: number | null;
}

/** Figures of another value of a number. `broken` are the scenarios that it breaks; null: none is concerned. */
export interface Simulated extends Work {
    name?: string;
    value?: number;
    pairs?: number;
    faults?: string[];
    measures?: Measure[];
    broken?: ScenarioResult[] | null;
    done?: boolean;
    /** Why it has ended before its time. */
    ended?: string;
}

// ---- experiments

/** What is asked of experiments, and of the room for testers. */
export interface Asked {
    bots: string;
    matches: number;
    pairs: number;
    /** A difference of the win share that matters, in percent. */
    margin: number;
    seconds: number;
    /** Another version: saved (empty), a `@REVISION`, a folder, a game. */
    old: string;
    /** The folder of the records of playtests. */
    records: string;
    room: { reach: Reach; url: string; questions: string };
}

export type Reach = "here" | "network";

/** What matches of bots show so far. `place` is the line that a thing is about. */
export interface Analysed extends Work {
    /** The number of the edit whose rules were played. */
    version?: number;
    matches?: number;
    number?: number;
    part?: string;
    part_number?: number;
    parts?: number;
    headlines?: [label: string, value: string, between: string][];
    shown?: { text: string; place: string | null; plain: boolean; p: number }[];
    too_few?: boolean;
    choices?: { name: string; offered: number; taken: number; place: string | null }[];
    faults?: { text: string; seeds: number }[];
    page?: string;
    page_missing?: string;
    done?: boolean;
    ended?: string;
}

/** A clause at which people were refused, or asked why not. */
export interface Clumsy {
    clause: string | null;
    heading: string;
    refused: number;
    asked: number;
    players: number;
    matches: number;
    conditions: Record<string, number>;
    place: string | null;
}

/** What records of playtests show. */
export interface Playtested extends Work {
    all?: {
        matches: number;
        seats: number;
        agreed: number;
        minutes: number;
        clauses: Clumsy[];
        actions: { action: string; times: number; median: number; ninetieth: number; undone: number; hints: number; place: string | null }[];
        marks: { match: string; entry: number; action: string; text: string; place: string | null }[];
        answers: { question: string; numbers: number; median: number | null; texts: string[] }[];
    };
    first?: string[];
    versions?: { rules: string; matches: number; present: boolean }[];
    between?: string[];
    unread?: string[];
}

export interface Differing extends Work {
    old?: string;
    changes?: Changes;
    done?: boolean;
}

/** What matches of another version and of the rules as they are show so far. */
export interface Compared extends Work {
    version?: number;
    old?: string;
    most?: number;
    played?: number;
    pairs?: number;
    same?: number;
    measures?: Measure[];
    said?: string;
    note?: string;
    faults?: string[];
    done?: boolean;
    ended?: string;
}

/** A table for testers; `digest` is of the rules that it plays. */
export interface Room {
    match: string;
    link: string;
    digest: string;
    status: string;
    taken: number;
    seats: number;
}

/** The server for testers; `rules` is the digest of the saved rules, null if they have mistakes. */
export interface Rooms {
    running?: boolean;
    address?: string;
    local?: boolean;
    records?: string;
    rules?: string | null;
    rooms?: Room[];
}

/** The seconds that a choice of each bot takes at most. */
export interface Costs extends Work {
    costs?: Record<string, number>;
}

/** A match that was looked for, as a log, or why there is none. */
export interface Reached {
    log?: string | null;
    why?: string;
    failed?: string;
    tried?: number;
}

// ---- messages

/** What a call is given, and what it is answered with. */
interface Call<Given, Answer> {
    given: Given;
    answer: Answer;
}

type AtName = Pick<Edit, "path"> & { at: number };

/** What the page may ask for, by method. */
export interface Calls {
    open: Call<{ texts: Record<string, string>; match: string | null; bots: Record<string, string>; bots_wait: boolean }, Opened>;
    edit: Call<{ path: string; text: string | null; version: number }, null>;
    save: Call<{ path: string; text: string; seal: string | null }, { seal: string }>;
    read: Call<{ path: string }, { text: string }>;
    merge: Call<{ base: string; mine: string; theirs: string }, Merged>;
    hover: Call<AtName, (Place & { text: string }) | null>;
    complete: Call<AtName, Completion[]>;
    definition: Call<AtName, Place[]>;
    references: Call<AtName, NamePlace[]>;
    renamable: Call<AtName, Place>;
    rename: Call<AtName & { name: string }, Edit[]>;
    tokens: Call<{ path: string }, Tokens>;
    format: Call<{ path: string }, string>;
    begin: Call<{ seats: number; options: Record<string, string>; seed: number | null }, null>;
    choose: Call<{ seat: number; words: string }, null>;
    why: Call<{ seat: number } & WhyAbout, Refusal | null>;
    undo: Call<{ number: number }, null>;
    back: Call<{ viewer: number; seq: number }, null>;
    account: Call<{ viewer: number }, ScoreSheet[]>;
    at: Call<{ viewer: number; seq: number }, { position: Position; entries: Entry[] }>;
    settle: Call<{ answer: "stay" | "rewind" | "anew" }, null>;
    player: Call<{ seat: number; bot: string | null }, null>;
    bots: Call<{ wait: boolean }, null>;
    refusals: Call<{ path: string; line: number }, LineRefusals | null>;
    reach: Call<{ path: string; line: number }, null>;
    number_edit: Call<{ name: string; value: number }, Edit[]>;
    check: Call<{ seconds: number }, null>;
    explore: Call<{ seconds: number }, null>;
    fault: Call<{ seats: number; seed: number }, null>;
    numbers: Call<{}, null>;
    simulate: Call<{ name: string; value: number }, null>;
    analyse: Call<{ bots: string; number: number }, null>;
    playtests: Call<{ records: string }, null>;
    differ: Call<{ old: string }, null>;
    compare: Call<{ old: string; bots: string; pairs: number; margin: number }, null>;
    costs: Call<{}, null>;
    room: Call<{ reach: Reach; url: string; records: string; questions: string }, null>;
    rooms: Call<{}, null>;
    end_rooms: Call<{}, null>;
    stop: Call<{ what: "reached" | "explored" | "numbers" | "simulated" | "analysed" | "compared" }, null>;
    take_up: Call<{ log: string }, null>;
    record: Call<{ since: number; name: string; chosen: string[] | null; cited: string[] | null }, Recorded>;
}

/** What a viewer sees: the entries from number `since` on are new. */
export interface View {
    position: Position;
    since: number;
    entries: Entry[];
}

/** What the server tells by itself, by method. */
export interface Told {
    description: { description: Description };
    match: MatchState & { views: Record<string, View> } | NoMatch & { views?: undefined };
    files: { changed: Record<string, DiskText | null> };
    findings: { version: number; findings: Finding[]; broken: boolean };
    followed: Followed;
    checked: Checked;
    explored: Explored;
    numbers: Numbers;
    simulated: Simulated;
    analysed: Analysed;
    playtested: Playtested;
    differing: Differing;
    compared: Compared;
    costs: Costs;
    rooms: Rooms;
    reached: Reached;
}

/** What is said of a call that failed: `data.code` tells the page how. */
export interface CallError {
    message: string;
    data?: { code: string; refusal?: Refusal | null; text?: string; seal?: string } | null;
}
