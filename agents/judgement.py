"""What the heuristic bot decides before the play besides bids and gifts: claims, the talon at the hundred, giving up.

It never goes blind: of hands unseen, few make 120.
"""

from typing import Any

from agents.bidding import bid_limit, points_of_kept, promise_of
from agents.giving import kept_hand
from thousand_env.actions import (
    BAPTISE,
    CLAIM_REDEAL,
    DECLINE_REDEAL,
    KEEP_TALON,
    PICK_TALON,
    SHOW_TALON,
    WRITE_OFF,
)
from thousand_env.cards import MARRIAGE, NUM_RANKS, NUM_SUITS, PACK_POINTS, marriage_value, marriages_value
from thousand_env.deck import REDEALS_FOR_FINE
from thousand_env.jit import kernel
from thousand_env.redeals import talon_entitles
from thousand_env.rules import FORCE, MIN_BID, OFFER, SIXTY
from thousand_env.scoring import WRITE_OFF_COST, WRITE_OFF_SHARE
from thousand_env.state import NONE

CLEARLY = 10.0  # points by which giving up must be better than playing
AT_LEAST = 25.0  # points that even the poorest hand captures
BAPTISED_AT = -75.0  # what playing must be worth, at most, before the one baptism of the match is spent
THEIR_MARRIAGE = 0.3  # the chance that one opponent declares a marriage of which the declarer has no half; of two, half


# -- claims ----------------------------------------------------------------------------------------------------------


@kernel
def pays_for_redeal(view: Any, rules: Any) -> bool:
    """Whether the next redeal fines the viewer himself: the third in a row that he deals (R10)."""
    return rules.triple_redeal_fine and view.dealer == 0 and view.redeal_run == REDEALS_FOR_FINE - 1


@kernel
def claims_on_hand(view: Any, table: Any, rules: Any) -> bool:
    """Whether to have the cards dealt again before the auction: unless the hand is worth the lowest bid."""
    return bid_limit(view, table, rules) < MIN_BID and not pays_for_redeal(view, rules)


@kernel
def claims_on_talon(view: Any, table: Any, rules: Any, room: Any) -> bool:
    """Whether to have them dealt again with the talon in hand: if what will be kept cannot expect to make the bid."""
    kept = points_of_kept(kept_hand(view, table, room), view.players, table, rules)
    return kept < view.bid and not pays_for_redeal(view, rules)


@kernel
def claim(view: Any, mask: Any, table: Any, rules: Any, room: Any) -> int:
    """Claim a redeal or decline it (R9)."""
    if not mask[CLAIM_REDEAL]:
        return DECLINE_REDEAL
    wanted = claims_on_talon(view, table, rules, room) if view.bid > 0 else claims_on_hand(view, table, rules)
    return CLAIM_REDEAL if wanted else DECLINE_REDEAL


@kernel
def choose_talon(view: Any, mask: Any, table: Any, rules: Any, room: Any) -> int:
    """Pick either of two unseen talons; keep the talon closed at the hundred, unless showing it brings a redeal."""
    if mask[PICK_TALON]:
        return PICK_TALON
    entitled = talon_entitles(view, rules, OFFER) or talon_entitles(view, rules, FORCE)
    return SHOW_TALON if entitled and claims_on_talon(view, table, rules, room) else KEEP_TALON


# -- giving up -------------------------------------------------------------------------------------------------------


@kernel
def open_marriages(hand: int) -> int:
    """Return the value of the marriages of which a hand holds neither half."""
    value = 0
    for suit in range(NUM_SUITS):
        if hand & MARRIAGE << (NUM_RANKS * suit) == 0:
            value += marriage_value(suit)
    return value


@kernel
def defence_worth(hand: int, expected: float, defenders: int) -> float:
    """Return what each defender can expect against a declarer's hand: his share of the cards, perhaps a marriage."""
    captured = min(max(expected - marriages_value(hand), AT_LEAST), float(PACK_POINTS))
    marriages = THEIR_MARRIAGE / defenders * open_marriages(hand)
    return (PACK_POINTS - captured + marriages) / defenders


@kernel
def play_worth(view: Any, table: Any, rules: Any, room: Any) -> float:
    """Return what the declarer wins or loses by playing for his bid, minus what each defender gets."""
    hand = kept_hand(view, table, room)
    expected = points_of_kept(hand, view.players, table, rules)
    return promise_of(expected, view.bid) - defence_worth(hand, expected, rules.active - 1)


@kernel
def write_off_worth(bid: int, rules: Any) -> float:
    """Return what the declarer loses by writing off, and what each defender gets (W1, H5)."""
    if rules.write_off == SIXTY:
        return -float(WRITE_OFF_COST + WRITE_OFF_SHARE)
    return -float(bid) - bid / (rules.active - 1)


@kernel
def give_up(view: Any, mask: Any, table: Any, rules: Any, room: Any) -> int:
    """Return the action that writes off or baptises a hopeless hand, NONE when it is to be played.

    A sitter never gives up: failing costs him no more, and his contract may win the match.
    """
    if view.mounted[0] > 0 or not (mask[WRITE_OFF] or mask[BAPTISE]):
        return NONE
    worth = play_worth(view, table, rules, room)
    if mask[BAPTISE] and worth < BAPTISED_AT:
        return BAPTISE
    if mask[WRITE_OFF] and worth + CLEARLY < write_off_worth(view.bid, rules):
        return WRITE_OFF
    return NONE
