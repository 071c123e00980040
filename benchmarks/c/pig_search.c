/* The tree search of Pig with playouts of a given kind: what it loses against the exact policy.
 *
 * The constants and the order of things are those of tests/reference_tree.py, without proofs. With
 * `common` numbers both choices of the root are tried equally often, the same visit of each with the same dice,
 * which are told apart by seat, turn of the seat and throw of the turn, and the greater mean of the second half
 * is chosen. `learning` playouts from the root, which count as iterations, can learn when to throw: the logistic
 * policy of four features by REINFORCE (Williams 1992). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "playouts.h"

enum { GOAL = 100, FACES = 6, THROW = 0, HOLD = 1, POTS = GOAL + FACES, NODES = 2 * GOAL * GOAL * POTS };
enum { DIE, COIN, FEATURES = 4 };

static const double EXPLORATION = 0.7, VARIANCE_BONUS = 0.3;
static const double RATE = 0.03, BASELINE_RATE = 0.01, SHARPENED = 2.0, STEEPEST = 4.0;

/* `throwing`: the probability that a playout throws; below 0 it plays the exact policy. */
typedef struct {
    double throwing, margin, trace;
    int iterations, playouts, learning, common;
} Settings;

typedef struct {
    int points[2];
    int seat, pot;
    int turns[2], throws;
} Position;

typedef struct {
    int last, taken[2], offered[2];
    double sum[2];
} Node;

typedef struct {
    int node, seat, action;
} Step;

typedef struct {
    double least, greatest;
} Span;

/* `slopes`: for each seat the gradient of the logarithm of its choices in a playout. */
typedef struct {
    double weights[FEATURES], slopes[2][FEATURES], baselines[2];
    int playouts;
} Policy;

/* `chances[own][other][pot]`: how likely the player at the turn wins. `late`: by action, the values that came
 * to the root in the second half, and how many. */
typedef struct {
    const double *chances;
    Settings set;
    double *logs;
    Node *nodes;
    Step *path;
    int *used, used_nodes;
    Span values, margins;
    Random random;
    Policy policy;
    uint64_t key;
    double late[2];
    int lately[2];
} Search;

static double chance(const double *chances, int own, int other, int pot) {
    return own + pot >= GOAL ? 1.0 : chances[(own * GOAL + other) * GOAL + pot];
}

/* How likely the player at the turn wins after an action, if all that follows is perfect. */
static double worth(const double *chances, const Position *p, int action) {
    int own = p->points[p->seat], other = p->points[1 - p->seat];
    if (action == HOLD) return own + p->pot >= GOAL ? 1.0 : 1.0 - chance(chances, other, own + p->pot, 0);
    double sum = 1.0 - chance(chances, other, own, 0);
    for (int face = 2; face <= FACES; face++) sum += chance(chances, own, other, p->pot + face);
    return sum / FACES;
}

static bool may_throw(const Position *p) { return p->points[p->seat] + p->pot < GOAL; }

static int exact_action(const double *chances, const Position *p) {
    return may_throw(p) && worth(chances, p, THROW) > worth(chances, p, HOLD) ? THROW : HOLD;
}

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static uint64_t keyed(uint64_t key, uint64_t number) { return mixed(key + 0x9E3779B97F4A7C15ULL * number); }

/* The next random number for a die or a coin at this stage of the match. */
static uint32_t number(Search *s, const Position *p, int kind) {
    if (!s->set.common) return next(&s->random);
    uint64_t stage = p->seat + 2 * (uint64_t)(p->throws + 4096 * p->turns[p->seat]);
    return keyed(s->key, 1 + kind + 2 * stage) >> 32;
}

static void end_turn(Position *p) {
    p->pot = p->throws = 0;
    p->turns[p->seat]++;
    p->seat ^= 1;
}

/* Whether the match is over. */
static bool apply(Position *p, int action, int face) {
    if (action == THROW) {
        p->pot += face;
        p->throws++;
        if (face == 1) end_turn(p);
        return false;
    }
    p->points[p->seat] += p->pot;
    p->pot = 0;
    if (p->points[p->seat] >= GOAL) return true;
    end_turn(p);
    return false;
}

static bool play(Search *s, Position *p, int action) {
    return apply(p, action, action == THROW ? 1 + ((uint64_t)number(s, p, DIE) * FACES >> 32) : 0);
}

static int learned_action(Search *s, const Position *p) {
    int own = p->points[p->seat], other = p->points[1 - p->seat];
    double features[] = {1.0, p->pot / 25.0 - 1.0, own / 50.0 - 1.0, other / 50.0 - 1.0};
    double sum = 0.0;
    for (int i = 0; i < FEATURES; i++) sum += s->policy.weights[i] * features[i];
    if (s->policy.playouts == s->set.learning) sum *= SHARPENED;
    double throwing = 1.0 / (1.0 + exp(-fmin(fmax(sum, -STEEPEST), STEEPEST)));
    bool throws = number(s, p, COIN) < throwing * 4294967296.0;
    for (int i = 0; i < FEATURES; i++) s->policy.slopes[p->seat][i] += (throws - throwing) * features[i];
    return throws ? THROW : HOLD;
}

static int guided_action(Search *s, const Position *p) {
    if (!may_throw(p)) return HOLD;
    if (s->set.learning) return learned_action(s, p);
    if (s->set.throwing < 0) return exact_action(s->chances, p);
    return number(s, p, COIN) < s->set.throwing * 4294967296.0 ? THROW : HOLD;
}

static int node_of(const Position *p) {
    return ((p->seat * GOAL + p->points[0]) * GOAL + p->points[1]) * POTS + p->pot;
}

static double bound(const Search *s, const Node *node, int action, double width) {
    double mean = node->sum[action] / node->taken[action];
    double rate = s->logs[node->offered[action]] / node->taken[action];
    double inside = (mean - s->values.least) / width;
    double variance = 4.0 * inside * (1.0 - inside) + VARIANCE_BONUS * sqrt(rate);
    return mean + width * EXPLORATION * sqrt(rate * fmin(fmax(variance, 0.0), 1.0));
}

static int selected(Search *s, Node *node, const Position *p) {
    node->offered[HOLD]++;
    if (!may_throw(p)) return HOLD;
    node->offered[THROW]++;
    if (!node->taken[THROW] && !node->taken[HOLD]) return below(&s->random, 2);
    if (!node->taken[THROW] || !node->taken[HOLD]) return node->taken[THROW] ? HOLD : THROW;
    double width = s->values.greatest - s->values.least;
    if (width <= 0.0) width = 1.0;
    return bound(s, node, HOLD, width) > bound(s, node, THROW, width) ? HOLD : THROW;
}

/* At the root: in turn with common numbers, whose key goes by how often the action was taken before. */
static int first_action(Search *s, const Node *node, int action, int iteration, uint64_t seed) {
    if (!s->set.common) return action;
    action = iteration & 1;
    s->key = keyed(seed, 1 + node->taken[action]);
    return action;
}

/* Goes down the tree; how many steps the path has, and whether the match is over there. */
static int descend(Search *s, Position *p, int iteration, uint64_t seed, bool *over) {
    int depth = 0;
    *over = false;
    for (bool fresh = false; !fresh && !*over;) {
        int at = node_of(p);
        Node *node = s->nodes + at;
        if (!node->last) s->used[s->used_nodes++] = at;
        if (node->last == iteration) break;
        node->last = iteration;
        int action = selected(s, node, p);
        if (!depth) action = first_action(s, node, action, iteration, seed);
        s->path[depth++] = (Step){at, p->seat, action};
        fresh = !node->taken[action];
        *over = play(s, p, action);
    }
    return depth;
}

static void widen(Span *span, double value) {
    span->least = fmin(span->least, value);
    span->greatest = fmax(span->greatest, value);
}

static void write_values(Search *s, const Position *end, double values[2]) {
    double margin = end->points[0] - end->points[1];
    widen(&s->margins, margin);
    widen(&s->margins, -margin);
    double width = s->margins.greatest - s->margins.least;
    for (int seat = 0; seat < 2; seat++) {
        double mine = seat ? -margin : margin;
        values[seat] = (1.0 - s->set.margin) * (mine > 0) + s->set.margin * (mine - s->margins.least) / width;
    }
    for (int seat = 0; seat < 2; seat++) widen(&s->values, values[seat]);
}

/* The mean of so many playouts from a position. */
static void play_on(Search *s, const Position *from, bool over, double values[2]) {
    int playouts = over ? 1 : s->set.playouts;
    double sums[2] = {0.0, 0.0};
    uint64_t key = s->key;
    for (int i = 0; i < playouts; i++) {
        Position p = *from;
        s->key = i ? keyed(~key, i) : key;
        while (!over && !play(s, &p, guided_action(s, &p))) {}
        write_values(s, &p, values);
        for (int seat = 0; seat < 2; seat++) sums[seat] += values[seat];
    }
    for (int seat = 0; seat < 2; seat++) values[seat] = sums[seat] / playouts;
}

/* Playouts from the root, after each of which choices become likelier whose seat has won more than before. */
static void learn(Search *s, const Position *root, uint64_t seed) {
    Policy *policy = &s->policy;
    *policy = (Policy){.baselines = {0.5, 0.5}};
    while (policy->playouts < s->set.learning) {
        Position p = *root;
        double values[2];
        s->key = keyed(~seed, policy->playouts);
        memset(policy->slopes, 0, sizeof policy->slopes);
        while (!play(s, &p, guided_action(s, &p))) {}
        write_values(s, &p, values);
        policy->playouts++;
        for (int seat = 0; seat < 2; seat++) {
            double more = (p.points[seat] > p.points[1 - seat]) - policy->baselines[seat];
            for (int i = 0; i < FEATURES; i++) policy->weights[i] += RATE * more * policy->slopes[seat][i];
            policy->baselines[seat] += more * fmax(BASELINE_RATE, 1.0 / (policy->playouts + 1));
        }
    }
}

/* From the step before `depth` up to the step `top`. */
static void back_up(Search *s, int depth, int top, double values[2]) {
    while (depth-- > top) {
        Step step = s->path[depth];
        Node *node = s->nodes + step.node;
        node->taken[step.action]++;
        node->sum[step.action] += values[step.seat];
        double best = -INFINITY;
        for (int action = 0; action < 2; action++)
            if (node->taken[action]) best = fmax(best, node->sum[action] / node->taken[action]);
        double change = (1.0 - s->set.trace) * (best - values[step.seat]);
        values[step.seat] += change;
        values[1 - step.seat] -= change;
    }
}

static void forget(Search *s) {
    for (int i = 0; i < s->used_nodes; i++) memset(s->nodes + s->used[i], 0, sizeof(Node));
    s->used_nodes = 0;
    s->values = s->margins = (Span){INFINITY, -INFINITY};
    for (int action = 0; action < 2; action++) s->late[action] = s->lately[action] = 0;
}

static int chosen(const Search *s, const Node *root) {
    const double *late = s->late;
    if (s->set.common) return late[HOLD] / s->lately[HOLD] > late[THROW] / s->lately[THROW] ? HOLD : THROW;
    return root->taken[HOLD] > root->taken[THROW] ? HOLD : THROW;
}

static int searched(Search *s, const Position *from) {
    Position root = {{from->points[0], from->points[1]}, from->seat, from->pot, {0, 0}, 0};
    uint64_t seed = s->set.common ? (uint64_t)next(&s->random) << 32 : 0;
    int iterations = s->set.iterations - s->set.learning;
    forget(s);
    learn(s, &root, seed);
    for (int iteration = 1; iteration <= iterations; iteration++) {
        Position p = root;
        double values[2];
        bool over;
        int depth = descend(s, &p, iteration, seed, &over);
        play_on(s, &p, over, values);
        back_up(s, depth, 1, values);
        if (iteration > iterations / 2) {
            s->late[s->path[0].action] += values[root.seat];
            s->lately[s->path[0].action]++;
        }
        back_up(s, 1, 0, values);
    }
    return chosen(s, s->nodes + node_of(&root));
}

/* What a search at both seats would lose in a match of the exact policy, as a share of the win of one. */
static double match(Search *s, Random dice) {
    Position p = {0};
    double lost = 0.0;
    int action;
    do {
        action = exact_action(s->chances, &p);
        if (may_throw(&p)) {
            int found = searched(s, &p);
            lost += worth(s->chances, &p, action) - worth(s->chances, &p, found);
        }
    } while (!apply(&p, action, action == THROW ? 1 + below(&dice, FACES) : 0));
    return lost / 2;
}

/* `lost` becomes what is lost in each match. The same seed has the same positions, whatever the playouts are. */
void pig_search(const double *chances, const Settings *settings, int matches, uint64_t seed, double *lost) {
    Search s = {.chances = chances, .set = *settings, .random = seeded(~seed)};
    int iterations = s.set.iterations;
    s.logs = malloc((iterations + 1) * sizeof *s.logs);
    s.nodes = calloc(NODES, sizeof *s.nodes);
    s.path = malloc(NODES * sizeof *s.path);
    s.used = malloc(NODES * sizeof *s.used);
    for (int i = 1; i <= iterations; i++) s.logs[i] = log(i);
    for (int i = 0; i < matches; i++) lost[i] = match(&s, seeded(seed + i));
    free(s.logs);
    free(s.nodes);
    free(s.path);
    free(s.used);
}
