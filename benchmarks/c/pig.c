/* Pig: two scores and the total of a turn; roll or hold; who holds 100 in score and total together must hold. */
#include "playouts.h"

enum { GOAL = 100, FACES = 6, HOLD = 0, ROLL = 1 };

static int list_moves(int reached, int moves[2]) {
    moves[0] = HOLD;
    moves[1] = ROLL;
    return reached >= GOAL ? 1 : 2;
}

static void play_out(Random *random, Tally *tally) {
    int scores[2] = {0, 0};
    for (int seat = 0, total = 0;;) {
        int moves[2];
        int move = moves[below(random, list_moves(scores[seat] + total, moves))];
        tally->decisions++;
        if (move == ROLL) {
            int face = 1 + below(random, FACES);
            total += face;
            if (face > 1) continue;
        } else {
            scores[seat] += total;
            if (scores[seat] >= GOAL) {
                tally->wins[seat]++;
                return;
            }
        }
        total = 0;
        seat = 1 - seat;
    }
}

void playouts(int64_t number, uint64_t seed, Tally *tally) {
    Random random = seeded(seed);
    for (int64_t i = 0; i < number; i++) play_out(&random, tally);
    tally->playouts += number;
}
