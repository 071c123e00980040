// What the modules of the table hand each other.

import type { Backend, Choice, Description, DescribedPlace, DescribedVariable, DescribedZone, Drawn, Position, PositionDecision, Scene, Value, ValueType } from "../types.d.ts";

/** How something is drawn; always with its place among others. */
export type Laid = Drawn & { order: number };

export interface ModelPlace extends DescribedPlace {
    number: number;
}

export interface ModelZone extends DescribedZone {
    name: string;
    places: ModelPlace[];
    drawn: Laid;
}

export interface ModelVariable extends DescribedVariable {
    drawn: Laid;
}

/** The description of a game, arranged for drawing and for choosing. */
export interface Model {
    description: Description;
    scene: Scene;
    zones: Record<string, ModelZone>;
    variables: ModelVariable[];
    /** The boards of each picture. */
    groups: string[][];
    seatType: "seat" | null;
    /** The names of the players, by seat. */
    names?: (string | null)[] | null;
    /** The seat of which is told: what belongs to it needs no name. */
    me?: number | null;
    /** Whether a board is seen from its other side. */
    turned?: boolean;
    /** Components whose classes are the values of a type, as they are found. */
    byType?: Map<string, Set<string>>;
}

/** Equal pieces in a place: their class, -1 if that is not seen, and how many. */
export interface Pieces {
    class: number;
    number: number;
}

/** A choice with the decision that it answers. */
export type Offered = Choice & { decision: PositionDecision };

/** Numbers out of ranges, with what stands in front of them. */
export interface OfferedRange {
    words: string;
    action: string | null;
    decision: PositionDecision;
    ranges: [first: number, last: number, step: number][];
}

/** What the viewer may choose now. */
export interface Offers {
    /** By the key of the thing that they lie on. */
    byKey: Map<string, Offered[]>;
    /** By action, and what is settled of it. */
    actions: Map<string, Offered[]>;
    /** Those that lie on nothing. */
    loose: Offered[];
    passing: Offered | null;
    decision: PositionDecision | null;
    /** The action that the viewer has picked. */
    only: string | null;
    ranges: OfferedRange[];
    /** The actions that could be offered, each with the type of its first parameter. */
    asked: { action: string | null; type: ValueType | null }[];
    /** By component and class, for values whose pieces lie on the table. */
    pieces: Map<string, Offered[]>;
}

/** What a thing is: a piece, a value, and the things that lie there. */
export interface About {
    type?: string;
    value?: number;
    items?: Item[];
    component?: string;
    klass?: number;
    place?: number;
    seat?: number | null;
}

/** A thing that can be chosen or asked about. */
export interface Thing {
    /** The keys of all values that it stands for. */
    keys: string[];
    name: string;
    /** The value that it is asked about. */
    value: Value | null;
    about?: About;
    /** The component and class that can be chosen by it. */
    onPiece?: string | null;
    seat?: number | null;
    pile?: { zone: ModelZone; place: number };
}

/** A thing with its choices, and the actions for which it could be asked why it is not offered. */
export type ReadyThing = Thing & { choices: Offered[]; asked?: (string | null)[] };

/** Something that lies in a cell of a board: a piece, or a counter, mark or pointer. */
export type Item = {
    name: string;
    owner: number | null;
    /** Where it lies beside the place. */
    offset: [x: number, y: number] | null;
} & (PieceItem | WordItem);

export interface PieceItem {
    kind: "piece";
    component: string;
    klass: number;
    number: number;
    place: number;
    about: About;
}

export interface WordItem {
    kind: ModelVariable["kind"];
    variable: ModelVariable;
    word: number;
    content: number;
    /** Whether it is drawn as a heap of equal things. */
    heap: boolean;
    /** The type and the value that it shows. */
    points?: [type: string | undefined, value: number];
}

/** A place of a board, with what lies there. */
export interface Cell {
    board: string;
    value: number;
    /** Whose it is, if each seat has such a board. */
    seat: number | null;
    x: number;
    y: number;
    index: number;
    keys: string[];
    items: Item[];
    places: number[];
    words: number[];
    /** By the point beside the place, whose pieces lie there. */
    frames: Map<string, number | null>;
    name: string;
}

/** What a window beside a thing shows. */
export interface Open {
    anchor: Element | null;
    thing?: ReadyThing;
    score?: number;
    action?: string;
    choice?: Offered;
    /** Whether it is opened to be read. */
    reading?: boolean;
}

/** What is told of a thing on which the mouse rests. */
export interface Resting {
    thing: ReadyThing;
    anchor: Element;
}

/** Custom properties by name. */
export type Style = Record<string, string | number>;

/** A press, or a key that presses. */
export type PressEvent = { detail?: number; repeat?: boolean; currentTarget: Element };

/** What components need of the table: what is on it, what is offered, and what a press does. */
export interface Table {
    backend: Backend;
    model: Model;
    position: Position;
    offers: Offers;
    viewer: number;
    /** The keys of what has been chosen of the move that goes on. */
    picked: string[];
    /** Where something has happened last. */
    recent: { words: Set<number>; places: Set<number> };
    /** Whether presses ask what things are. */
    looking: boolean;
    /** The keys of all that is drawn. */
    drawn: Set<string | null>;
    /** All that is drawn, by `data-thing`. */
    things: Map<string, ReadyThing>;
    /** The things of a move that is planned while another seat is asked. */
    planned: Thing[];
    openRule(clause: string): void;
    seatColours(seat: number): Style;
    seatSign(seat: number): string;
    /** Whether a thing lies before the viewer, so that a refusal is drawn. */
    mine(thing: Thing): boolean;
    /** Turns boards around, or back. */
    turn(names: string[]): void;
    only(name: string | null): void;
    reveal(): void;
    look(on: boolean): void;
    open(thing: ReadyThing, anchor: Element, reading?: boolean): void;
    /** Tells a thing on which the mouse rests; null: nothing any more. */
    rest(thing: ReadyThing | null, anchor: Element | null): void;
    openScore(score: number, anchor: Element): void;
    openAction(action: string, anchor: Element): void;
    isOpen(): boolean;
    close(): void;
    press(thing: ReadyThing, event: PressEvent): void;
    take(thing: ReadyThing, anchor: Element): void;
    /** What a thing may choose instead of an earlier part of the move that goes on, and how many choices that takes back. */
    instead(thing: Thing): { choice: Offered; number: number } | null;
    change(thing: Thing, other: { choice: Offered; number: number }): void;
    mayPlan(thing: Thing): boolean;
    plan(thing: Thing | null): void;
    /** A planned part, when it is asked for. Returns whether the sign of a press that was not taken is not needed. */
    pressPlanned(thing: Thing): boolean;
    mayDrag(thing: ReadyThing): boolean;
    pickUp(thing: ReadyThing): void;
    /** Where a thing that was picked up is let go; null: nowhere, so that nothing is chosen. */
    drop(thing: ReadyThing | null): void;
    /** A press that has waited: on what is offered by now. Returns whether it could. */
    pressAnew(thing: Thing): boolean;
    chooseBy(choice: Offered, event: PressEvent): void;
    confirm(choice: Offered, event: PressEvent): void;
    /** A choice that has waited: of the same words, if they are offered by now. */
    chooseAnew(words: string): boolean;
    /** `forced`: how many of the last choices the page makes by itself. */
    choose(choice: Choice, forced?: number): void;
    takeBack(event?: PressEvent): void;
}

/** What most components of the table are given. */
export interface Props {
    table: Table;
}
