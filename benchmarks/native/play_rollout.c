/* The play rollout of thousand_env.rollouts in plain C: the same algorithm on the same random words, so that the same
 * seed gives the same totals and the same checksum. It says what the machine allows; see rollouts.py for the method. */

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t word_t;

enum { LOWER = 12, PLACE = 24, EIGHT_OF_24 = 0, EIGHT_OF_16 = 1 };

static const word_t GOLDEN = 0x9E3779B97F4A7C15, FULL_PACK = 0xFFFFFF, SUIT = 077, QUEENS = 004040404;
static const word_t C24_8 = 735471, C16_8 = 12870;

static int16_t sets[1 << LOWER];
static int64_t first_set[LOWER + 1], first_number[2][9], ways[2][9], inverse[2][9];
static int8_t deposits[1 << 12];

static int popcount(word_t bits) { return __builtin_popcountll(bits); }
static int lowest(word_t bits) { return __builtin_ctzll(bits); }
static word_t mulhi(word_t a, word_t b) { return (word_t)(((unsigned __int128)a * b) >> 64); }

static word_t nth_bit(word_t bits, word_t n)
{
#ifdef __BMI2__
    return _pdep_u64((word_t)1 << n, bits);
#else
    while (n--)
        bits &= bits - 1;
    return bits & -bits;
#endif
}

/* -- random numbers ----------------------------------------------------------------------------------------------- */

static word_t mix(word_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static word_t random_word(word_t key, word_t index) { return mix(key + (index + 1) * GOLDEN); }
static word_t derive(word_t key, word_t part) { return mix(mix(key + GOLDEN) + part * GOLDEN); }
static word_t draw_card(word_t cards, word_t fraction) { return nth_bit(cards, mulhi(fraction, popcount(cards))); }

/* -- dealing ------------------------------------------------------------------------------------------------------ */

static int64_t comb(int n, int k)
{
    int64_t result = 1;
    for (int i = 0; i < k; i++)
        result = result * (n - i) / (i + 1);
    return k > n ? 0 : result;
}

static void fill_choice(int choice, int cards)
{
    int64_t number = 0;
    for (int above = 0; above < 9; above++) {
        int reached = above <= cards - LOWER;
        first_number[choice][above] = reached ? number : (int64_t)1 << 32;
        ways[choice][above] = reached ? comb(cards - LOWER, above) : 1;
        inverse[choice][above] = (((int64_t)1 << 32) + ways[choice][above] - 1) / ways[choice][above];
        number += reached ? ways[choice][above] * comb(LOWER, 8 - above) : 0;
    }
}

static void fill_tables(void)
{
    int next = 0;
    for (int size = 0; size <= LOWER; size++) {
        first_set[size] = next;
        for (int cards = 0; cards < 1 << LOWER; cards++)
            if (popcount(cards) == size)
                sets[next++] = cards;
    }
    fill_choice(EIGHT_OF_24, 24);
    fill_choice(EIGHT_OF_16, 16);
    for (word_t room = 0; room <= SUIT; room++)
        for (word_t cards = 0; cards <= SUIT; cards++) {
            word_t left = cards, deposited = 0;
            for (word_t place = 1; place <= SUIT; place <<= 1)
                if (room & place) {
                    deposited |= left & 1 ? place : 0;
                    left >>= 1;
                }
            deposits[room << 6 | cards] = deposited;
        }
}

static word_t deposit(word_t cards, word_t room)
{
    word_t deposited = 0;
    for (int suit = 0; suit < 4; suit++) {
        word_t suit_room = room >> 6 * suit & SUIT;
        deposited |= (word_t)deposits[suit_room << 6 | (cards & SUIT)] << 6 * suit;
        cards >>= popcount(suit_room);
    }
    return deposited;
}

static word_t chosen(int64_t number, int choice)
{
    int above = 0;
    for (int count = 1; count < 9; count++)
        above += number >= first_number[choice][count];
    number -= first_number[choice][above];
    int64_t lower = number * inverse[choice][above] >> 32;
    int64_t upper = number - lower * ways[choice][above];
    return sets[first_set[8 - above] + lower] | (word_t)sets[first_set[above] + upper] << LOWER;
}

/* -- play --------------------------------------------------------------------------------------------------------- */

static word_t suit_around(word_t card) { return SUIT << 6 * (lowest(card) / 6); }

static word_t follow(word_t hand, word_t suit, word_t trump, word_t random)
{
    word_t following = hand & suit, trumps = hand & trump;
    word_t choices = trumps ? trumps : hand;
    return draw_card(following ? following : choices, random);
}

static word_t strength(word_t card, word_t suit, word_t trump) { return (card & suit) | (card & trump) << 24; }

static void takers(word_t led, word_t middle, word_t last, word_t trump, word_t *second_leads, word_t *third_leads)
{
    word_t suit = suit_around(led);
    word_t lead = strength(led, suit, trump), answer = strength(middle, suit, trump), end = strength(last, suit, trump);
    *third_leads = -(word_t)(end > (lead > answer ? lead : answer));
    *second_leads = -(word_t)(answer > lead) & ~*third_leads;
}

static word_t turn_place(word_t place, word_t second_leads, word_t third_leads)
{
    place += (PLACE & second_leads) + (2 * PLACE & third_leads);
    return place >= 3 * PLACE ? place - 3 * PLACE : place;
}

static int64_t set_points(word_t cards)
{
    return 11 * popcount(cards & 040404040) + 10 * popcount(cards & 020202020) + 4 * popcount(cards & 010101010)
         + 3 * popcount(cards & 004040404) + 2 * popcount(cards & 002020202);
}

static void play_rollout(word_t key, int64_t totals[5])
{
    word_t fraction = mix(key);
    word_t first = chosen(mulhi(fraction, C24_8), EIGHT_OF_24);
    word_t second = deposit(chosen(mulhi(fraction * C24_8, C16_8), EIGHT_OF_16), first ^ FULL_PACK);
    word_t third = first ^ second ^ FULL_PACK;
    word_t place = 0, trump = 0, queens = 0, captured = 0, marriages = 0, second_leads, third_leads;
    word_t decision = 0;
    for (int trick = 1; trick < 8; trick++) {
        word_t drawn = draw_card(queens << 24 | first, random_word(key, decision));
        word_t led = (drawn | drawn >> 24) & FULL_PACK;
        if (drawn > FULL_PACK) {
            trump = suit_around(led);
            marriages += (word_t)(40 + 20 * (lowest(led) / 6)) << place;
        }
        word_t middle = follow(second, suit_around(led), trump, random_word(key, decision + 1));
        word_t last = follow(third, suit_around(led), trump, random_word(key, decision + 2));
        decision += 3;
        takers(led, middle, last, trump, &second_leads, &third_leads);
        first ^= led, second ^= middle, third ^= last;
        word_t one = first ^ second, two = second ^ third, three = third ^ first;
        first ^= (one & second_leads) ^ (three & third_leads);
        second ^= (two & second_leads) ^ (one & third_leads);
        third ^= (three & second_leads) ^ (two & third_leads);
        place = turn_place(place, second_leads, third_leads);
        captured |= (led | middle | last) << place; /* seat 2 has the rest of the pack */
        queens = first & first >> 1 & QUEENS;
    }
    takers(first, second, third, trump, &second_leads, &third_leads);
    captured |= (first | second | third) << turn_place(place, second_leads, third_leads);

    word_t captured0 = captured & FULL_PACK, captured1 = captured >> PLACE & FULL_PACK;
    int64_t points[3] = {
        set_points(captured0) + (int64_t)(marriages & FULL_PACK),
        set_points(captured1) + (int64_t)(marriages >> PLACE & FULL_PACK),
        set_points(FULL_PACK ^ captured0 ^ captured1) + (int64_t)(marriages >> 2 * PLACE),
    };
    word_t packed = 0;
    for (int seat = 0; seat < 3; seat++) {
        totals[seat] += points[seat];
        packed |= (word_t)points[seat] << 16 * seat;
    }
    totals[3] += 24;
    totals[4] = (int64_t)mix((word_t)totals[4] + packed);
}

/* Fill totals with the sums of the deal points of seats 0, 1, 2, the number of decisions and the checksum. */
void play_rollouts(uint64_t count, uint64_t seed, int64_t totals[5])
{
    static int filled = 0;
    if (!filled)
        fill_tables();
    filled = 1;
    for (int i = 0; i < 5; i++)
        totals[i] = 0;
    for (uint64_t i = 0; i < count; i++)
        play_rollout(derive(seed, i), totals);
}
