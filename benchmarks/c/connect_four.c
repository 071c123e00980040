/* Connect Four: six rows of seven columns, a height for each column, runs counted from the last disc. */
#include <string.h>

#include "playouts.h"

enum { ROWS = 6, COLUMNS = 7 };

/* How many discs of `who` follow the place in one direction. */
static int run(int8_t board[ROWS][COLUMNS], int row, int column, int dr, int dc, int8_t who) {
    int length = 0;
    for (row += dr, column += dc; row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
         row += dr, column += dc) {
        if (board[row][column] != who) break;
        length++;
    }
    return length;
}

static int wins_at(int8_t board[ROWS][COLUMNS], int row, int column, int8_t who) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int i = 0; i < 4; i++) {
        int dr = directions[i][0], dc = directions[i][1];
        if (run(board, row, column, dr, dc, who) + run(board, row, column, -dr, -dc, who) >= 3) return 1;
    }
    return 0;
}

static void play_out(Random *random, Tally *tally) {
    int8_t board[ROWS][COLUMNS];
    int heights[COLUMNS] = {0};
    memset(board, 0, sizeof board);
    for (int seat = 0, move = 0; move < ROWS * COLUMNS; move++, seat = 1 - seat) {
        int moves[COLUMNS], count = 0;
        for (int column = 0; column < COLUMNS; column++)
            if (heights[column] < ROWS) moves[count++] = column;
        int column = moves[below(random, count)];
        int row = heights[column]++;
        board[row][column] = (int8_t)(seat + 1);
        tally->decisions++;
        if (wins_at(board, row, column, (int8_t)(seat + 1))) {
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
