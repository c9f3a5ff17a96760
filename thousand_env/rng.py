"""Random numbers without a generator: every number is a hash of an address.

A *key* is 64 bits that stand for an address such as (seed, match, deal, attempt); `word(key, i)` is the i-th random
word at that address. The same address gives the same numbers on any machine, in any order, in any batch.
"""

from thousand_env.jit import add, kernel, mix, mulhi, mullo

GOLDEN = -0x61C8_8646_80B5_83EB  # 2**64 / golden ratio, odd, as int64: the step of the splitmix64 sequence


@kernel
def word(key: int, index: int) -> int:
    """Return the random word number `index` of `key`: 64 bits as int64."""
    return mix(add(key, mullo(index + 1, GOLDEN)))


@kernel
def derive(key: int, part: int) -> int:
    """Return the key of the address `key` extended by one number."""
    return mix(add(mix(add(key, GOLDEN)), mullo(part, GOLDEN)))


@kernel
def deal_key(seed: int, match: int, deal: int, attempt: int) -> int:
    """Return the key of one distribution of the cards (D1)."""
    return derive(derive(derive(mix(seed), match), deal), attempt)


@kernel
def below(random_word: int, n: int) -> int:
    """Return a number in 0 … n - 1 from a random word."""
    return mulhi(random_word, n)
