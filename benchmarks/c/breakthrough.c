/* Breakthrough: eight rows of eight, every move from every own piece in a list of (from, to). */
#include <string.h>

#include "playouts.h"

enum { SIDE = 8, PLACES = SIDE * SIDE, EMPTY = 2, MOST_MOVES = 16 * 3 };

typedef struct {
    int8_t from, to;
} Move;

/* A piece steps forward onto an empty place, or diagonally forward onto one that is not its own. */
static int list_moves(const int8_t board[PLACES], int seat, Move moves[MOST_MOVES]) {
    int forward = seat == 0 ? SIDE : -SIDE, count = 0;
    for (int from = 0; from < PLACES; from++) {
        if (board[from] != seat) continue;
        int ahead = from + forward, column = from % SIDE;
        if (board[ahead] == EMPTY) moves[count++] = (Move){(int8_t)from, (int8_t)ahead};
        if (column > 0 && board[ahead - 1] != seat) moves[count++] = (Move){(int8_t)from, (int8_t)(ahead - 1)};
        if (column < SIDE - 1 && board[ahead + 1] != seat)
            moves[count++] = (Move){(int8_t)from, (int8_t)(ahead + 1)};
    }
    return count;
}

static void set_up(int8_t board[PLACES]) {
    memset(board, 0, 2 * SIDE);
    memset(board + 2 * SIDE, EMPTY, PLACES - 4 * SIDE);
    memset(board + PLACES - 2 * SIDE, 1, 2 * SIDE);
}

static void play_out(Random *random, Tally *tally) {
    int8_t board[PLACES];
    int pieces[2] = {2 * SIDE, 2 * SIDE};
    set_up(board);
    for (int seat = 0;; seat = 1 - seat) {
        Move moves[MOST_MOVES];
        Move move = moves[below(random, list_moves(board, seat, moves))];
        if (board[move.to] != EMPTY) pieces[1 - seat]--;
        board[move.to] = (int8_t)seat;
        board[move.from] = EMPTY;
        tally->decisions++;
        if (move.to / SIDE == (seat == 0 ? SIDE - 1 : 0) || pieces[1 - seat] == 0) {
            tally->wins[seat]++;
            return;
        }
    }
}

void playouts(int64_t number, uint64_t seed, Tally *tally) {
    Random random = seeded(seed);
    for (int64_t i = 0; i < number; i++) play_out(&random, tally);
    tally->playouts += number;
}
