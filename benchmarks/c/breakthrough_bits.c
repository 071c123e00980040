/* Breakthrough with bit boards: the moves of a side are three shifted sets, of which one bit is taken. */
#include "bit_playouts.h"

int32_t state[80];
enum { SIDE = 8, PLACES = SIDE * SIDE };
static const uint64_t WEST = 0x0101010101010101ULL, EAST = 0x8080808080808080ULL;
static const uint64_t FAR[2] = {0xFFULL << 56, 0xFFULL};

static inline uint64_t ahead(uint64_t set, int seat) { return seat == 0 ? set << SIDE : set >> SIDE; }

static void play_out(uint64_t rng, Tally *tally) {
    uint64_t pawns[2] = {0xFFFFULL, 0xFFFFULL << 48};
    for (int place = 0; place < PLACES; place++) state[place] = place < 16 ? 0 : place < 48 ? -1 : 1;
    for (int move = 0;; move++) {
        int seat = move & 1;
        uint64_t own = pawns[seat], other = pawns[1 - seat];
        uint64_t straight = ahead(own, seat) & ~(own | other);
        uint64_t west = (ahead(own & ~WEST, seat) >> 1) & ~own, east = (ahead(own & ~EAST, seat) << 1) & ~own;
        uint32_t a = (uint32_t)__builtin_popcountll(straight), b = a + (uint32_t)__builtin_popcountll(west);
        uint32_t k = pick(&rng, b + (uint32_t)__builtin_popcountll(east));
        uint64_t from_set = k < a ? straight : k < b ? west : east;
        int shift = k < a ? 0 : k < b ? 1 : -1;
        int to = nth_bit(from_set, k - (k < a ? 0 : k < b ? a : b));
        int from = to + (seat == 0 ? -SIDE : SIDE) + shift;
        uint64_t target = 1ULL << to;
        pawns[seat] = (own ^ (1ULL << from)) | target;
        pawns[1 - seat] = other & ~target;
        state[from] = -1;
        state[to] = seat;
        if ((target & FAR[seat]) || !pawns[1 - seat]) {
            tally->wins[seat]++;
            tally->decisions += move + 1;
            state[PLACES] = seat + 1;
            state[PLACES + 1] = move + 1;
            return;
        }
    }
}

void playouts(int64_t number, uint64_t seed, Tally *tally) {
    for (int64_t i = 0; i < number; i++) play_out(key_of((seed << 32) + (uint64_t)i), tally);
    tally->playouts += number;
}
