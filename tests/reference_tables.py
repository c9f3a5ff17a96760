"""The tables of the reference: every agreement of the rule book, what each preset answers, and the rules in scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Rules: TypeAlias = Mapping[str, int | bool | str]

CORE: dict[str, int | bool | str] = {
    "players": 3, "first_dealer": -1, "cut_ceremony": False, "cut_single_card": False, "dealer_errors": 0,
    "redeal_forehand_nines": "off", "redeal_three_nines": "off", "redeal_four_nines": "off",
    "redeal_four_jacks": "off", "redeal_low_hand": "off", "redeal_hand_below": 13, "redeal_talon_nines": "off",
    "redeal_low_talon": "off", "redeal_talon_below": 5, "redeal_talon_jacks": "off",
    "redeal_talon_jacks_and_nine": "off", "triple_redeal_fine": False,
    "opening": "at_least_100", "bid_step": 5, "bid_cap": True, "negative_auction": "normal",
    "talon_at_100": "closed", "exchange": "open", "raise_contract": True,
    "must_trump": True, "must_beat": False, "must_overtrump": False,
    "declare": "explicit", "declare_with": "queen", "trump_from": "this_trick", "marriage_first_lead": "never",
    "ace_marriage": False, "ace_marriage_trump": "none",
    "round_to": 5, "round_declarer": False,
    "bolts": "consecutive", "blind_bolts": "penalty", "declarer_bolts": True, "fine": 120,
    "barrel_at": 880, "barrel_skippable": False, "barrel_needs": 0, "barrel_attempts": 3,
    "barrel_failed_contract": "attempt", "barrel_falls_to_zero": 3, "barrel_seats": 1, "barrel_tie": "all_fall",
    "barrel_auction": "open", "dump_truck": 555, "reverse_barrel": 0, "target": 1001,
    "golden": False, "golden_doubles_marriages": True, "golden_none_made": "zero",
    "blind": False, "blind_bonus": 0,
    "write_off": "off", "write_off_limit": 0, "write_off_on_barrel": True, "write_off_with_barrel": True,
    "baptism": False, "enforcement": "strict", "dealer_scores": "none", "dealer_fixed": 25,
    "bonus_hands": 0, "bonus_suits": 0, "bonus_card": 0, "bank": 1, "max_deals": 0,
}  # fmt: skip
CLASSIC = CORE | {
    "redeal_forehand_nines": "offer", "redeal_four_nines": "offer", "redeal_low_hand": "offer",
    "redeal_talon_nines": "offer", "redeal_low_talon": "offer", "redeal_talon_jacks_and_nine": "offer",
    "triple_redeal_fine": True, "talon_at_100": "declarer_chooses", "marriage_first_lead": "unbeatable",
    "blind": True, "write_off": "half", "write_off_limit": 3, "write_off_on_barrel": False,
    "write_off_with_barrel": False,
}  # fmt: skip
ONLINE = CORE | {
    "redeal_three_nines": "offer", "redeal_four_jacks": "offer", "redeal_low_hand": "offer",
    "redeal_talon_nines": "offer", "redeal_low_talon": "offer", "redeal_talon_jacks": "offer",
    "exchange": "closed", "ace_marriage": True, "bolts": "cumulative", "write_off": "half",
    "target": 1000, "barrel_falls_to_zero": 0, "barrel_tie": "one_falls",
}  # fmt: skip
TYSIAC = CORE | {
    "redeal_four_nines": "offer", "opening": "exactly_100", "bid_step": 10, "exchange": "closed",
    "must_beat": True, "must_overtrump": True, "declare": "automatic", "declare_with": "king_or_queen",
    "marriage_first_lead": "always", "round_to": 10, "bolts": "off", "dump_truck": 0, "write_off": "half",
    "target": 1000, "barrel_at": 900, "barrel_needs": 100, "barrel_attempts": 0, "barrel_seats": 3,
    "barrel_failed_contract": "deduct", "barrel_falls_to_zero": 0,
}  # fmt: skip

# The rules this reference plays; those it counts in `fired` are the same.
RULES_IN_SCOPE = [
    "C1", "C2", "C3", "S1", "S2", "D1", "D2", "D3", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10",
    "R12", "A1", "A2", "A3", "A4", "A5", "T1", "T2", "T3", "T4", "T5", "P1", "P2", "P3", "P4",
    "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "K1", "K2", "K3", "K4", "B1", "B2", "B3", "B4",
    "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "G1", "G2", "Z1", "Z2", "W1", "W2", "W3", "W4", "N1", "N2",
    "H1", "H2", "H3", "H4", "H5", "F1", "F2", "F3", "E1", "E2", "E3", "X1",
]  # fmt: skip

# What leaves a deal as it is from the cards to the first lead: no redeal, no blind bid, no write-off.
QUIET: dict[str, int | bool | str] = {
    **{field: "off" for field in CORE if field.startswith("redeal_") and CORE[field] == "off"},
    "blind": False, "write_off": "off", "baptism": False,
}  # fmt: skip
