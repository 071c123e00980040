/* What the four programs share: a tally and a source of random numbers. */
#ifndef PLAYOUTS_H
#define PLAYOUTS_H

#include <stdint.h>

/* What playouts came to; `wins` by seat, a draw is nobody's. */
typedef struct {
    int64_t playouts;
    int64_t decisions;
    int64_t wins[2];
} Tally;

/* xoshiro128++ by Blackman and Vigna (2019), seeded by splitmix64. */
typedef struct {
    uint32_t s[4];
} Random;

static inline uint32_t rotl(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

static inline uint32_t next(Random *random) {
    uint32_t *s = random->s;
    uint32_t result = rotl(s[0] + s[3], 7) + s[0];
    uint32_t t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11);
    return result;
}

/* A number in 0..n-1 by multiply and shift; its bias, below n / 2^32, is left. */
static inline int below(Random *random, int n) { return (int)(((uint64_t)next(random) * (uint32_t)n) >> 32); }

static inline Random seeded(uint64_t seed) {
    Random random;
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        random.s[i] = (uint32_t)(z ^ (z >> 31));
    }
    return random;
}

void playouts(int64_t number, uint64_t seed, Tally *tally);

#endif
