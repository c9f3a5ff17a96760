"""The scores of the reference: what one deal, played or written off, is worth to each seat before match effects."""

from __future__ import annotations

from tests.reference_cards import rounded
from tests.reference_tables import Rules

SIXTY = (-120, 60)


def declarer_score(points: int, contract: int, rules: Rules) -> int:
    """K2: plus or minus the contract, whatever the points beyond it."""
    counted = rounded(points, int(rules["round_to"])) if rules["round_declarer"] else points
    return contract if counted >= contract else -contract


def defender_score(captured: int, marriages: int, rules: Rules) -> int:
    """K3: the deal points, rounded."""
    return rounded(captured + marriages, int(rules["round_to"]))


def doubled_score(captured: int, marriages: int, rules: Rules, *, golden: bool) -> int:
    """K3, G1: twice the rounded captured points and the marriages, which a golden deal may leave single."""
    times = 1 if golden and not rules["golden_doubles_marriages"] else 2
    return 2 * rounded(captured, int(rules["round_to"])) + times * marriages


def write_off_scores(bid: int, rules: Rules, *, active: int) -> tuple[int, int]:
    """W1, H5: what a write-off costs the declarer and brings each other active seat."""
    if rules["write_off"] == "sixty":
        return SIXTY
    share = bid if active == 2 else rounded(bid, int(rules["round_to"]), among=active - 1)
    return -bid, share


def dealer_score(talon_points: int, rules: Rules) -> int:
    """F3: what the dealer of four gets for a deal that is neither golden nor blind."""
    by_mode = {"none": 0, "talon": rounded(talon_points, int(rules["round_to"])), "fixed": int(rules["dealer_fixed"])}
    return by_mode[str(rules["dealer_scores"])]
