/* Connect Four with bit boards: seven bits for each column, the seventh always free; wins by shifts. */
#include "bit_playouts.h"

int32_t state[80];
enum { COLUMNS = 7, HEIGHT = 7, CELLS = 42 };

/* The number of the open column of a rank, by the set of open columns. */
static uint8_t column_of[1 << COLUMNS][COLUMNS];

__attribute__((constructor)) static void fill(void) {
    for (int open = 0; open < 1 << COLUMNS; open++)
        for (int column = 0, rank = 0; column < COLUMNS; column++)
            if (open >> column & 1) column_of[open][rank++] = (uint8_t)column;
}

static int won(uint64_t discs) {
    for (int i = 0; i < 4; i++) {
        static const int steps[4] = {1, HEIGHT - 1, HEIGHT, HEIGHT + 1};
        uint64_t two = discs & (discs >> steps[i]);
        if (two & (two >> (2 * steps[i]))) return 1;
    }
    return 0;
}

static void play_out(uint64_t rng, Tally *tally) {
    uint64_t discs[2] = {0, 0}, next[COLUMNS];
    uint32_t open = (1 << COLUMNS) - 1;
    for (int column = 0; column < COLUMNS; column++) next[column] = 1ULL << (HEIGHT * column);
    for (int cell = 0; cell < CELLS; cell++) state[cell] = -1;
    int move = 0, winner = -1;
    for (; move < CELLS; move++) {
        int seat = move & 1;
        int column = column_of[open][pick(&rng, (uint32_t)__builtin_popcount(open))];
        uint64_t cell = next[column];
        next[column] = cell << 1;
        int number = __builtin_ctzll(cell);
        state[number - column] = seat;
        if (number % HEIGHT == HEIGHT - 2) open &= ~(1u << column);
        discs[seat] |= cell;
        if (won(discs[seat])) {
            winner = seat;
            move++;
            break;
        }
    }
    if (winner >= 0) tally->wins[winner]++;
    tally->decisions += move;
    state[CELLS] = winner + 1;
    state[CELLS + 1] = move;
}

void playouts(int64_t number, uint64_t seed, Tally *tally) {
    for (int64_t i = 0; i < number; i++) play_out(key_of((seed << 32) + (uint64_t)i), tally);
    tally->playouts += number;
}
