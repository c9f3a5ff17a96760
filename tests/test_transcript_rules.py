"""Transcripts of every rule of the book: attempts, rights used, fines, two and four seats; and corrupt copies."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import random_record, random_rules
from thousand_env.game import Game
from thousand_env.rules import RuleSet
from thousand_env.sheet import sheet_of
from thousand_env.state import CLAIM, PHASE_NAMES, SCORED
from thousand_env.transcript import examine, read, write

# Seat 0 is forehand and takes every trick; the talon has two nines.
DEAL = "deal  2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
SWEEP = "deal  2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -"
NINES = "deal  2 hATKQdATK/hJ9dQJ9cT9/cAKQJsQJ9 sATK"  # seat 1 has three
TRICKS = """1.    0:hA d9 c9 -> 0
2.    0:hT dJ s9 -> 0
3.    0:hQ dQ cJ -> 0
4.    0:hK dK sJ -> 0
5.    0:hJ cQ sQ -> 0
6.    0:h9 cK sK -> 0
7.    0:dA cT sT -> 0
8.    0:dT cA sA -> 0
"""
GIVEN = f"{DEAL}\nbid   0:105 1:p 2:p\n"
PLAYED = f"give  0>1:d9 0>2:c9\nplay  0:105\n{TRICKS}"


def faults_of(text: str) -> list[str]:
    return [str(fault) for fault in examine(text)[1]]


# -- what was done ---------------------------------------------------------------------------------------------------

MATCHES = {
    "a claim on a hand": f"rules core redeal_three_nines=offer\n{NINES}\nredeal 1\n\n{GIVEN}{PLAYED}score +105 0 0\n",
    "a claim after a look": f"rules classic redeal_three_nines=offer\n{NINES}\nredeal 1\n\n{DEAL}\nblind\nunfinished\n",
    "a claim on the talon": f"rules classic\n{GIVEN}redeal 0\n\n{GIVEN}{PLAYED}score +105 0 0\n",
    "a talon shown and claimed on": (
        f"rules classic\n{DEAL}\nbid   0:100 1:p 2:p\ntalon open\nredeal 0\n\n{DEAL}\nunfinished\n"
    ),
    "a talon dealt again by itself": f"rules core redeal_talon_nines=force\n{GIVEN}redeal\n\n{NINES}\nunfinished\n",
    "hands dealt again after the look": (
        f"rules core redeal_three_nines=force blind=yes\n{NINES}\nredeal\n\n{NINES}\nblind\nbid   1:p 2:p\nunfinished\n"
    ),
    "a claim where the contract is granted": (
        f"rules classic barrel_auction=granted\nstart totals 880 0 0 barrel 1.0 - -\n{DEAL}\nnoredeal 0 1 2\nredeal 0\n"
        f"\n{DEAL}\ngive  0>1:d9 0>2:c9\nplay  0:121\n{TRICKS}score -121 0 0\n"
    ),
    "the third redeal": (
        f"rules classic redeal_three_nines=offer blind=no\nstart redeals 1\n{NINES}\nredeal 1\n\n{NINES}\nredeal 1\n\n"
        f"{DEAL}\nfine  2 120\nbid   0:105 1:p 2:p\n{PLAYED}score +105 0 0\nbolt  1\nbolt  2\ntotal 105 0 -120\n"
    ),
    "an early fall": (
        f"rules classic redeal_three_nines=offer blind=no\nstart totals 0 0 880 barrel - - 1.0 redeals 2\n{NINES}\n"
        f"redeal 1\n\n{DEAL}\nfine  2 120\nbid   0:105 1:p 2:p\n{PLAYED}score +105 0 0\n"
        "bolt  1\nbolt  2\ntotal 105 0 760\n"
    ),
    "a dealer's error without an address": f"rules core dealer_errors=1\n{DEAL}\nattempt 1\nfine  2 120\nunfinished\n",
    "a blind deal": (
        f"rules classic\n{DEAL}\nblind\nbid   1:p 2:p\ngive  0>1:d9 0>2:c9\nplay  0:120\n{TRICKS}score +240 0 0\n"
        "bolt  1\nbolt  2\ntotal 240 0 0\n"
    ),
    "a blind bid that was lit": (
        f"rules classic\n{DEAL}\nblind\nbid   1:125 2:p 0:130 1:p\nwriteoff\nscore -130 +65 +65\ntotal -130 65 65\n"
    ),
    "a blind deal from its first lead": f"rules classic\n{SWEEP}\nblind\nplay  0:120\n{TRICKS}score +240 0 0\n",
    "a write-off": f"rules classic\n{GIVEN}writeoff\nscore -105 +55 +55\ntotal -105 55 55\n",
    "a baptism": (
        f"rules core baptism=yes\nstart bolts 0 2 0\n{GIVEN}baptise\nscore 0 0 0\nbolt  1\nbolt  2\nfine  1 120\n"
        "total 0 -120 0\n"
    ),
    "golden deals": (
        f"rules core golden=yes\n{DEAL}\ngolden\ngive  0>1:d9 0>2:c9\nplay  0:120\n{TRICKS}score +240 0 0\n"
        "bolt  1\nbolt  2\ntotal 240 0 0\n\n"
        "deal  0 dKQJcATKQ/hATKQJ9dA/cJsATKQJ9 dT9c9\ngolden\nunfinished\n"
    ),
    "bonuses": (
        f"rules core bonus_hands=1 bonus_card=2\n{DEAL}\nbonus 0:hands 0:card2\nbid   0:100\nbonus 1:hands\n"
        "bid   1:p 2:p\nunfinished\n"
    ),
    "offences": (
        f"rules core enforcement=table\n{DEAL}\noffence 1 2\nbid   0:105 1:p 2:p\n{PLAYED}score +105 0 0\n"
        "bolt  1\nbolt  2\nfine  1 240\ntotal 105 -240 0\n"
    ),
    "kept out": f"rules core negative_auction=barred\nstart totals 0 -5 0\n{DEAL}\nbid   0:100 1:p 2:p\nunfinished\n",
    "the ace marriage": (
        "rules online\ndeal  2 hATdATcATsAT/hKQJ9dKQJ9/cKQJ9sKQJ9 -\nplay  0:120\n1.    0:hA h9 c9 -> 0\n"
        "2.    0:dA+200 d9 cJ -> 0\nunfinished\n"
    ),
    "the reverse barrel": (
        f"rules core reverse_barrel=500\nstart deals 3 totals 0 -985 -900 reverse 0 3 1\n{SWEEP}\nplay  0:120\n{TRICKS}"
        "score +120 0 0\nbolt  1\nbolt  2\nreverse 1\ntotal 120 -500 -900\n"
    ),
    "two players": (
        "rules core players=2\ndeal  1 hATKQJ9dATKQ/cATKQJ9sATKQ dJ9+sJ9\nbid   0:105 1:p\ntalon A\ngive  0>1:d9\n"
        "play  0:110\n1.    0:hA d9 -> 0\n2.    0:hT sQ -> 0\nunfinished\n"
    ),
    "a talon of two shown": (
        "rules classic players=2 blind=no\ndeal  1 hATKQJ9dATKQ/cATKQJ9sATKQ dJ9+sJ9\nbid   0:100 1:p\ntalon B open\n"
        "redeal 0\n\ndeal  1 hATKQJ9dATKQ/cATKQJ9sATKQ dJ9+sJ9\nbid   0:100 1:p\ntalon B closed\n"
        "give  0>1:sJ\nunfinished\n"
    ),
    "two players from the first lead": (
        "rules core players=2\ndeal  1 hATKQJ9dATKQJ/cATKQJ9sATKQJ -+d9s9\nplay  0:100\n1.    0:hA cJ -> 0\n"
        "unfinished\n"
    ),
    "four players": (
        "rules core players=4 dealer_scores=talon\ndeal  3 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9/- dT9c9\nbid   0:105 1:p 2:p\n"
        f"{PLAYED}score +105 0 0 +10\nbolt  1\nbolt  2\ntotal 105 0 0 10\n"
    ),
}


@pytest.mark.parametrize("text", MATCHES.values(), ids=MATCHES.keys())
def test_a_transcript_is_written_as_it_was_read(text: str) -> None:
    assert faults_of(text) == []
    assert write(*read(text)) == text


def test_attempts_that_were_dealt_again_stand_among_the_deals() -> None:
    (record,) = read(MATCHES["the third redeal"])
    assert [PHASE_NAMES[state.phase] for state in record.states] == ["claim", "claim", "scored"]
    assert [(int(s.attempt), int(s.redeal_run)) for s in record.states] == [(1, 1), (2, 2), (3, 0)]
    assert [int(state.turn) for state in record.states[:2]] == [1, 1]


def test_an_attempt_dealt_again_by_itself_goes_as_far_as_what_forced_it() -> None:
    (record,) = read(MATCHES["a talon dealt again by itself"])
    assert (record.states[0].phase, record.states[0].talon_open, record.states[0].passed) == (CLAIM, 1, 0b110)


@pytest.mark.parametrize("table", ["online redeal_low_hand=force redeal_hand_below=25", "core dealer_errors=60"])
def test_an_address_tells_what_was_dealt_again_by_itself(table: str) -> None:
    games = [Game(table, seed=seed) for seed in range(8)]
    assert any(game.states[0].attempt for game in games)
    for game in games:
        (record,) = read(game.transcript())
        assert record.states.tobytes() == game.states.tobytes()
        assert record.start == sheet_of(Game().states[0], RuleSet())


# -- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("a claim on a hand", "redeal 1", "redeal 0", "line 3: found redeal, expected a claim or none by seat 0"),
        ("a claim on a hand", "redeal 1", "redeal 3", "line 3: found seat '3', expected 0 to 2"),
        ("a claim on a hand", "redeal 1", "redeal", "line 3: found 'redeal', expected a bid by seat 0"),
        ("a claim on a hand", "redeal 1\n", "redeal 1\nbid 0:100\n", "line 4: found 'bid 0:100', expected redeal 1"),
        ("a claim on a hand", "\n\ndeal  2", "\n\ndeal  0", "line 5: found dealer 0, expected seat 2 to deal (S2)"),
        (
            "a talon dealt again by itself",
            "redeal\n",
            "redeal 0\n",
            "line 4: found 'redeal 0', expected redeal",
        ),
        (
            "a talon dealt again by itself",
            "redeal\n",
            "give  0>1:d9\n",
            "line 4: found 'give 0>1:d9', expected redeal: the cards are dealt again",
        ),
        (
            "a talon dealt again by itself",
            "redeal\n",
            "",
            "line 3: found nothing more, expected redeal: the cards are dealt again",
        ),
        ("the third redeal", "fine  2 120\n", "", "line 9: found no line 'fine 2 120', expected it before the moves"),
        (
            "the third redeal",
            "fine  2 120\n",
            "fine  2 100\n",
            "line 10: found 'fine 2 100', expected 120 or a multiple",
        ),
        (
            "the third redeal",
            "fine  2 120\n",
            "fine  1 120\n",
            "line 10: found 'fine 1 120', expected 120 or a multiple",
        ),
        (
            "the third redeal",
            "start redeals 1",
            "start redeals 4",
            "line 2: found 4 redeals in a row, expected at most 2",
        ),
        ("golden deals", "golden\n", "", "line 2: found no line 'golden', expected it after deal"),
        ("a write-off", "bid ", "golden\nbid ", "line 3: found 'golden', expected no such line"),
        ("a write-off", "writeoff", "baptise", "line 4: found baptise, expected a gift by seat 0 to seat 1"),
        ("a write-off", "writeoff", "writeoff 0", "line 4: found 'writeoff 0', expected writeoff alone"),
        ("a blind deal", "blind\n", "", "line 3: found '1:p', expected a bid by seat 0"),
        ("bonuses", "bonus 1:hands\n", "bonus 2:hands\n", "line 5: found 'bonus 2:hands', expected a bid by seat 1"),
        ("bonuses", "bonus 1:hands\n", "bonus 1:nines\n", "line 5: found 'bonus 1:nines', expected seat and one of"),
        (
            "offences",
            "offence 1 2",
            "offence 1 0",
            "line 3: found 'offence 1 0', expected 1 to 999 by one of the seats",
        ),
        ("offences", "fine  1 240", "fine  1 120", "line 18: found 'fine 1 120', expected 'fine 1 240'"),
        ("offences", "enforcement=table", "fine=60", "line 3: found 'offence 1 2', expected none: nothing illegal is"),
        ("the ace marriage", "dA+200", "dA+80", "line 5: found 'dA+80', expected dA+200 (C3)"),
        ("kept out", "1:p 2:p", "1:p 2:p 0:p", "line 4: found 'bid 0:p', expected a gift by seat 0 to seat 1"),
        ("two players", "talon A\n", "", "line 4: found 'give 0>1:d9', expected a talon picked by seat 0"),
        ("two players", "2.    0:hT sQ -> 0", "2.    0:hT sQ -> 1", "line 8: found -> 1, expected -> 0"),
        ("four players", "score +105 0 0 +10", "score +105 0 0 0", "line 14: found 'score +105 0 0 0', expected"),
        ("four players", "dealer_scores=talon", "dealer_scores=fixed", "line 14: found 'score +105 0 0 +10', expected"),
    ],
)
def test_a_fault_is_found_in_its_line(name: str, old: str, new: str, fault: str) -> None:
    assert old in MATCHES[name]
    faults = faults_of(MATCHES[name].replace(old, new, 1))
    assert faults[0].startswith(fault), faults


def test_a_record_does_not_end_with_a_redeal() -> None:
    text = MATCHES["a claim on a hand"].partition("\n\n")[0]
    assert faults_of(text) == ["line 3: found nothing more, expected deal and the cards of the next attempt"]


def test_cards_that_are_dealt_again_by_themselves_are_refused() -> None:
    text = f"rules core redeal_three_nines=force\n{NINES}\nunfinished\n"
    assert faults_of(text) == [
        "line 2: found the hand of seat 1 with redeal_three_nines=force, expected one that is not dealt again (R2)"
    ]


def test_an_address_is_the_next_attempt_that_is_played() -> None:
    game = next(game for seed in range(9) if (game := Game("core dealer_errors=60", seed=seed)).states[0].attempt == 1)
    text = game.transcript()
    (fine,) = re.findall("^fine.*$", text, re.M)
    assert faults_of(text.replace(f"{fine}\n", "")) == [
        f"line 2: found no line {' '.join(fine.split())!r}, expected it before the moves"
    ]
    assert faults_of(text.replace("#0/0.1", "#0/0.2"))[0].startswith("line 2: found ")
    other = text.replace(fine, f"attempt 1\n{fine}")
    assert faults_of(other) == ["line 3: found 'attempt 1', expected no such line: the address tells the attempt"]


# -- any rules -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32), st.integers(1, 4))
def test_a_random_match_is_read_as_it_is_written(seed: int, deals: int) -> None:
    rng = random.Random(seed)
    record = random_record(random_rules(rng), rng, deals)
    text = write(record)
    (again,) = read(text)
    assert (again.rules, again.start) == (record.rules, record.start)
    assert again.states.tobytes() == record.states.tobytes()
    assert write(again) == text


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32), st.sampled_from(["card", "winner", "score", "total"]))
def test_a_corrupt_copy_of_a_random_match_is_refused_at_its_line(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    record = random_record(random_rules(rng), rng, 2)
    lines = write(record).splitlines()
    words = {"card": "->", "winner": "->", "score": "score", "total": "total"}
    places = [number for number, line in enumerate(lines) if words[kind] in line.split()]
    if not places:
        assert kind in ("card", "winner") or record.states[-1].phase < SCORED
        return
    place = rng.choice(places)
    lines[place] = corrupt(lines[place], kind, record.rules.players)
    assert faults_of("\n".join(lines))[0].startswith(f"line {place + 1}: found ")


def corrupt(line: str, kind: str, players: int) -> str:
    """A line with its last card that of the leader, another winner, or another last number."""
    head, arrow, winner = line.partition(" -> ")
    if kind == "winner":
        return f"{head} -> {(int(winner) + 1) % players}"
    if kind == "card":
        cards = head.split()
        return f"{' '.join(cards[:-1])} {cards[1].partition(':')[2].partition('+')[0]}{arrow}{winner}"
    head, _, number = line.rpartition(" ")
    return f"{head} {int(number) + 5}"
