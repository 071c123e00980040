/* Tic-tac-toe: a board of nine cells, a list of the empty ones, a look at the lines of the last move. */
#include <string.h>

#include "playouts.h"

static int wins_at(const int8_t board[9], int cell, int8_t who) {
    int row = cell / 3 * 3, column = cell % 3;
    if (board[row] == who && board[row + 1] == who && board[row + 2] == who) return 1;
    if (board[column] == who && board[column + 3] == who && board[column + 6] == who) return 1;
    if (board[4] != who) return 0;
    return (board[0] == who && board[8] == who) || (board[2] == who && board[6] == who);
}

static void play_out(Random *random, Tally *tally) {
    int8_t board[9];
    memset(board, 0, sizeof board);
    for (int seat = 0, move = 0; move < 9; move++, seat = 1 - seat) {
        int moves[9], count = 0;
        for (int cell = 0; cell < 9; cell++)
            if (!board[cell]) moves[count++] = cell;
        int cell = moves[below(random, count)];
        board[cell] = (int8_t)(seat + 1);
        tally->decisions++;
        if (wins_at(board, cell, (int8_t)(seat + 1))) {
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
