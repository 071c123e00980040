/* What programs with bit boards share: the generator of choices of our modules, one for each match, the bit of
 * a set by its rank, and words in which the state at the end of a match can be read. */
#ifndef BIT_PLAYOUTS_H
#define BIT_PLAYOUTS_H

#ifdef PDEP
#include <immintrin.h>
#endif

#include "playouts.h"

/* PCG-XSH-RR 64/32 by O'Neill (2014). Of one, nothing is drawn. */
static inline uint32_t pick(uint64_t *state, uint32_t total) {
    if (total == 1) return 0;
    uint64_t x = *state;
    *state = x * 6364136223846793005ULL + 1442695040888963407ULL;
    uint32_t bits = (uint32_t)((x ^ (x >> 18)) >> 27);
    int turn = (int)(x >> 59);
    bits = (bits >> turn) | (bits << (-turn & 31));
    return (uint32_t)(((uint64_t)bits * total) >> 32);
}

/* The state of the generator of a match: splitmix64 of its seed, where our modules take ten rounds of Philox. */
static inline uint64_t key_of(uint64_t seed) {
    uint64_t z = seed * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* The number of the set bit of a rank: by one instruction, or by counting halves where there is none, as in
 * WebAssembly. */
#ifdef PDEP
static inline int nth_bit(uint64_t word, uint32_t rank) { return __builtin_ctzll(_pdep_u64(1ULL << rank, word)); }
#else
static inline int nth_bit(uint64_t word, uint32_t rank) {
    int at = 0;
    for (int half = 32; half >= 4; half >>= 1) {
        uint32_t low = (uint32_t)__builtin_popcountll(word & ((1ULL << half) - 1));
        int up = rank >= low;
        rank -= up ? low : 0;
        word = up ? word >> half : word;
        at += up ? half : 0;
    }
    while (rank--) word &= word - 1;
    return at + __builtin_ctzll(word);
}
#endif

/* The words of a state: places first, then the winner + 1 and the number of moves. */
extern int32_t state[80];

#endif
