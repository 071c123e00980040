/* The tree search of Pig with playouts of a given kind: what it loses against the exact policy.
 *
 * The constants and the order of things are those of interpreter/bots/reference_tree.py, without proofs. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "playouts.h"

enum { GOAL = 100, FACES = 6, THROW = 0, HOLD = 1, POTS = GOAL + FACES, NODES = 2 * GOAL * GOAL * POTS };

static const double EXPLORATION = 0.7, VARIANCE_BONUS = 0.3, MARGIN = 0.1, TRACE = 0.8;

typedef struct {
    int points[2];
    int seat, pot;
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

/* `chances[own][other][pot]`: how likely the player at the turn wins. `throwing`: the probability that a
 * playout throws; below 0 it plays the exact policy. */
typedef struct {
    const double *chances;
    double throwing, *logs;
    Node *nodes;
    Step *path;
    int *used, used_nodes;
    Span values, margins;
    Random random;
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

/* Whether the match is over. */
static bool apply(Position *p, int action, Random *random) {
    if (action == THROW) {
        int face = 1 + below(random, FACES);
        p->pot = face == 1 ? 0 : p->pot + face;
        p->seat ^= face == 1;
        return false;
    }
    p->points[p->seat] += p->pot;
    p->pot = 0;
    if (p->points[p->seat] >= GOAL) return true;
    p->seat ^= 1;
    return false;
}

static int guided_action(Search *s, const Position *p) {
    if (!may_throw(p)) return HOLD;
    if (s->throwing < 0) return exact_action(s->chances, p);
    return next(&s->random) < s->throwing * 4294967296.0 ? THROW : HOLD;
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

/* Goes down the tree and plays to the end; how many steps the path has. */
static int descend(Search *s, Position *p, int iteration) {
    int depth = 0;
    for (bool fresh = false; !fresh;) {
        int at = node_of(p);
        Node *node = s->nodes + at;
        if (!node->last) s->used[s->used_nodes++] = at;
        if (node->last == iteration) break;
        node->last = iteration;
        int action = selected(s, node, p);
        s->path[depth++] = (Step){at, p->seat, action};
        fresh = !node->taken[action];
        if (apply(p, action, &s->random)) return depth;
    }
    while (!apply(p, guided_action(s, p), &s->random)) {}
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
        values[seat] = (1.0 - MARGIN) * (mine > 0) + MARGIN * (mine - s->margins.least) / width;
    }
    for (int seat = 0; seat < 2; seat++) widen(&s->values, values[seat]);
}

static void back_up(Search *s, int depth, double values[2]) {
    while (depth--) {
        Step step = s->path[depth];
        Node *node = s->nodes + step.node;
        node->taken[step.action]++;
        node->sum[step.action] += values[step.seat];
        double best = -INFINITY;
        for (int action = 0; action < 2; action++)
            if (node->taken[action]) best = fmax(best, node->sum[action] / node->taken[action]);
        double change = (1.0 - TRACE) * (best - values[step.seat]);
        values[step.seat] += change;
        values[1 - step.seat] -= change;
    }
}

static int searched(Search *s, const Position *root, int iterations) {
    for (int i = 0; i < s->used_nodes; i++) memset(s->nodes + s->used[i], 0, sizeof(Node));
    s->used_nodes = 0;
    s->values = s->margins = (Span){INFINITY, -INFINITY};
    for (int iteration = 1; iteration <= iterations; iteration++) {
        Position p = *root;
        double values[2];
        int depth = descend(s, &p, iteration);
        write_values(s, &p, values);
        back_up(s, depth, values);
    }
    const Node *node = s->nodes + node_of(root);
    return node->taken[HOLD] > node->taken[THROW] ? HOLD : THROW;
}

/* What a search at both seats would lose in a match of the exact policy, as a share of the win of one. */
static double match(Search *s, int iterations, Random dice) {
    Position p = {{0, 0}, 0, 0};
    double lost = 0.0;
    int action;
    do {
        action = exact_action(s->chances, &p);
        if (may_throw(&p)) {
            int chosen = searched(s, &p, iterations);
            lost += worth(s->chances, &p, action) - worth(s->chances, &p, chosen);
        }
    } while (!apply(&p, action, &dice));
    return lost / 2;
}

/* `lost` becomes what is lost in each match. The same seed has the same positions, whatever the playouts are. */
void pig_search(const double *chances, double throwing, int iterations, int matches, uint64_t seed, double *lost) {
    Search s = {.chances = chances, .throwing = throwing, .random = seeded(~seed)};
    s.logs = malloc((iterations + 1) * sizeof *s.logs);
    s.nodes = calloc(NODES, sizeof *s.nodes);
    s.path = malloc(NODES * sizeof *s.path);
    s.used = malloc(NODES * sizeof *s.used);
    for (int i = 1; i <= iterations; i++) s.logs[i] = log(i);
    for (int i = 0; i < matches; i++) lost[i] = match(&s, iterations, seeded(seed + i));
    free(s.logs);
    free(s.nodes);
    free(s.path);
    free(s.used);
}
