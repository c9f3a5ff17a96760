"""Why not: the rule that forbids an action, and the reason in words.

An action that belongs to another phase is no action at all (N2); one that belongs to this phase, or that the rules of
the table could have allowed here, is forbidden by a rule.
"""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from thousand_env import auction, exchange, play
from thousand_env.actions import (
    BAPTISE,
    BONUS_CARD,
    BONUS_HANDS,
    CLAIM_REDEAL,
    DECLARE_ACE,
    DECLARE_KING,
    DECLARE_QUEEN,
    GO_BLIND,
    KEEP_TALON,
    LOOK,
    NUM_ACTIONS,
    PASS,
    PICK_TALON,
    SHOW_TALON,
    WRITE_OFF,
    action_text,
    bid_points,
    card_of,
    is_bid,
)
from thousand_env.cards import ACES, SUIT_LETTERS, card_name, holds_marriage, suit_cards, suit_of
from thousand_env.replay import active_in_order
from thousand_env.rules import FIELDS, RuleSet
from thousand_env.scoring import is_golden
from thousand_env.sheet import BONUS_KINDS, REDEALS, bonuses_used
from thousand_env.state import (
    AUCTION,
    BLIND,
    BLIND_CHOSEN,
    CLAIM,
    CONTRACT,
    EXCHANGE,
    NONE,
    PHASE_NAMES,
    PLAY,
    SCORED,
    TALON,
)

Reason = tuple[str, bool, str]  # rule, whether it forbids, in words
ON_TALON = tuple(name for name in REDEALS if "talon" in name)


def forbidden_by(states: NDArray[Any], rules: RuleSet, action: int) -> tuple[str, str]:
    """Return the id of the rule that forbids an action which is not legal in `states` (1,), and the reason in words."""
    state: Any = states[0]
    if not 0 <= action < NUM_ACTIONS:
        return "N2", f"there is no action {action}: they are numbered 0 to {NUM_ACTIONS - 1}"
    if state.phase >= SCORED:
        return "N2", f"nobody may act: the deal is {PHASE_NAMES[state.phase]}"
    for rule, forbids, reason in _reasons(state, rules, action):
        if forbids:
            return rule, reason
    rule = {TALON: "T2", BLIND: "Z1", CLAIM: "R9"}.get(int(state.phase), "N2")
    if state.phase == TALON and rules.players == 2 and state.picked == 0:
        rule = "H3"
    return rule, f"{action_text(action)} is no action of the phase {PHASE_NAMES[state.phase]}"


def _reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    if state.phase == PLAY and action < PASS:
        yield from _play_reasons(state, rules, action)
    elif state.phase == EXCHANGE and action < DECLARE_QUEEN:
        yield from _gift_reasons(state, rules, action)
    elif state.phase in (AUCTION, CONTRACT) and (is_bid(action) or action == PASS):
        yield from _bid_reasons(state, rules, action)
    elif action in (GO_BLIND, LOOK) and state.phase in (BLIND, CLAIM, AUCTION):
        yield from _blind_reasons(state, rules, action)
    elif action == CLAIM_REDEAL and state.phase in (CLAIM, AUCTION, TALON, EXCHANGE):
        yield from _claim_reasons(state, rules)
    elif action in (SHOW_TALON, KEEP_TALON, PICK_TALON, PICK_TALON + 1) and state.phase in (TALON, EXCHANGE):
        yield from _talon_reasons(state, rules, action)
    elif action in (WRITE_OFF, BAPTISE) and state.phase in (TALON, CLAIM, EXCHANGE):
        yield from _give_up_reasons(state, rules, action)
    elif action >= BONUS_HANDS:
        yield from _bonus_reasons(state, rules, action)


# -- before the play -------------------------------------------------------------------------------------------------


def _bid_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, points, bid, record = int(state.turn), int(bid_points(action)), int(state.bid), rules.array()[0]
    if action == PASS:
        yield "A1", True, f"seat {seat} may not pass: the opener must bid"
    cap, names = int(auction.bid_limit(state.hands[seat], record)), state.phase == CONTRACT
    start = f"seat {seat} may not {'name' if names else 'bid'} {points}"
    yield "T4", names and points < bid, f"{start}, which is below the bid of {bid}"
    yield "T4", names and points == bid, f"{start}, the contract as bid: it is kept by pass"
    yield "A1", not bid and rules.opening == "exactly_100", f"{start}, the opener bids exactly 100 here"
    yield "A2", points <= bid, f"{start}, which is no raise of {bid}"
    yield "A2", points % rules.bid_step > 0, f"{start}, which is no multiple of {rules.bid_step}"
    yield "A3", points > cap, f"{start}, which is over the {cap} that the hand allows"
    sits = bool(state.mounted[seat])
    yield "L3", sits, f"{start}, from the barrel only a contract of {rules.needs} or more counts"


def _blind_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, record = int(state.turn), rules.array()[0]
    forehand = active_in_order(state, rules)[0]
    start = f"seat {seat} may not go blind"
    if action == LOOK:
        return
    yield "Z1", not rules.blind, f"{start}: it is not played"
    yield "Z1", seat != forehand, f"{start}: only forehand may, seat {forehand}"
    yield "A5", int(auction.kept_out(state, record)) >> seat & 1 == 1, f"{start}: its total keeps it out of the auction"
    yield "Z1", bool(state.mounted[seat]), f"{start}: it sits on the barrel"
    yield "L7", int(auction.granted_seat(state, record)) != NONE, f"{start}: a sitter is granted the contract"
    yield "Z1", True, f"{start}: that is said before anybody looks"


def _claim_reasons(state: Any, rules: RuleSet) -> Iterator[Reason]:
    seat, start = int(state.turn), f"seat {state.turn} may not claim a redeal"
    record = rules.array()[0]
    if state.phase == CLAIM:
        names = ", ".join(f"{name} ({FIELDS[name].metadata['rule']})" for name in _offered(rules, talon=False))
        yield "R9", True, f"{start}: its hand meets none of {names}"
    if state.phase == AUCTION:
        offered = _offered(rules, talon=False)
        yield "R9", bool(offered) and state.blind != 0, f"{start}: who goes blind cancels claims"
        yield "R9", bool(offered), f"{start}: all seats were asked before the auction"
        return
    offered = _offered(rules, talon=True)
    given = bool(exchange.has_given(state, record))
    yield "R9", is_golden(state, record), f"{start}: golden deals know no redeals"
    yield "R9", bool(offered) and not state.talon_open, f"{start}: the talon has not been shown"
    yield "R9", bool(offered) and given, f"{start}: it has given a card"
    rule_ids = ", ".join(f"{name} ({FIELDS[name].metadata['rule']})" for name in offered)
    yield "R9", bool(offered) and not given, f"{start}: the talon meets none of {rule_ids}, or seat {seat} declined"


def _offered(rules: RuleSet, *, talon: bool) -> list[str]:
    return [name for name in REDEALS if getattr(rules, name) == "offer" and (name in ON_TALON) == talon]


def _talon_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, text, picks = int(state.turn), action_text(action), action >= PICK_TALON
    yield "H3", picks and rules.players != 2, f"seat {seat} may not pick {text}: there is one talon"
    yield (
        "H3",
        picks and state.picked > 0,
        f"seat {seat} may not pick {text}: it has picked talon {'AB'[state.picked - 1]}",
    )
    unpicked = state.phase == TALON and not picks
    yield "H3", unpicked, f"seat {seat} may not {text} the talon: it picks one of two first"
    said = "shown already" if state.talon_open else "not for the declarer to show here"
    yield "T2", state.phase == EXCHANGE and not picks, f"seat {seat} may not {text} the talon: it is {said}"


def _gift_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, text = int(state.turn), action_text(action)
    yield "N2", not int(state.hands[seat]) >> action & 1, f"seat {seat} does not hold {text}"
    yield "H3", rules.players == 2, f"seat {seat} may not give {text}: it gives one of the two cards of the talon"


def _give_up_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, record = int(state.turn), rules.array()[0]
    writes, mounted = action == WRITE_OFF, bool(state.mounted[seat])
    start = f"seat {seat} may not {'write off' if writes else 'be baptised'}"
    yield "W1", writes and rules.write_off == "off", f"{start}: it is not played"
    yield "W4", not writes and not rules.baptism, f"{start}: it is not played"
    if state.phase != EXCHANGE:
        return
    yield "G1", is_golden(state, record), f"{start} in a golden deal"
    yield "Z2", state.blind == BLIND_CHOSEN, f"{start}: it went blind"
    yield "T5", bool(exchange.has_given(state, record)), f"{start}: it has given a card"
    limit, used = rules.write_off_limit, int(state.write_offs[seat])
    yield "W2", writes and 0 < limit <= used, f"{start}: it has written off {used} deals, the most that is allowed"
    yield "W4", not writes and int(state.baptised) >> seat & 1 == 1, f"{start}: it has been in this match"
    yield "W3", mounted, f"{start}: it sits on the barrel"
    yield "W3", True, f"{start}: somebody sits on the barrel"


def _bonus_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    kind = min(action - BONUS_HANDS, 2)
    name, seat = BONUS_KINDS[kind], int(state.turn)
    start = f"seat {seat} may not use {action_text(action)}"
    most, used = int(getattr(rules, name)), bonuses_used(int(state.bonuses[seat]))[kind]
    places = 4 if rules.players == 2 else 3
    in_time = state.phase == AUCTION or (state.phase == CLAIM and state.bid == 0)
    yield "X1", most == 0, f"{start}: it is not played"
    yield "X1", not in_time, f"{start}: bonuses are used before and during the auction"
    yield "X1", action - BONUS_CARD >= places, f"{start}: the talon has {places} cards"
    yield "X1", used >= most, f"{start}: it has used its {most}"
    yield "X1", True, f"{start}: it would tell nothing new"


# -- the play --------------------------------------------------------------------------------------------------------


def _play_reasons(state: Any, rules: RuleSet, action: int) -> Iterator[Reason]:
    seat, card, text = int(state.turn), int(card_of(action)), action_text(action)
    in_trick = int(play.cards_in_trick(state.num_plays, rules.active))
    hand, led = int(state.hands[seat]), int(play.led_suit(state, in_trick))
    yield "N2", not hand >> card & 1, f"seat {seat} does not hold {card_name(card)}"
    if action >= DECLARE_ACE:
        yield from _ace_reasons(state, rules, f"seat {seat} may not declare {text}", led)
    elif action >= DECLARE_QUEEN:
        yield from _declaration_reasons(state, rules, action, led)
    elif led == NONE:
        yield "M2", True, f"seat {seat} may not lead {text} silently: what can be declared is declared here"
    else:
        yield from _card_reasons(state, rules, f"seat {seat} may not play {text}", card, led)


def _card_reasons(state: Any, rules: RuleSet, start: str, card: int, led: int) -> Iterator[Reason]:
    hand, best, suit = int(state.hands[state.turn]), int(state.best), int(suit_of(card))
    follows = bool(hand & int(suit_cards(led)))
    yield "P2", follows and suit != led, f"{start}: it holds {SUIT_LETTERS[led]}, the suit led"
    yield "P2", follows, f"{start}: it must beat {card_name(best)} (must_beat)"
    trump = SUIT_LETTERS[int(state.trump)]
    out = f"{start}: out of {SUIT_LETTERS[led]}, it must"
    yield "P2", suit == state.trump, f"{out} play a better trump than {card_name(best)} (must_overtrump)"
    over = rules.must_overtrump and suit_of(best) == state.trump and hand & int(play.above(best)) != 0
    yield "P2", over, f"{out} play a better trump than {card_name(best)} (must_overtrump)"
    yield "P2", True, f"{out} trump with {trump}"


def _declaration_reasons(state: Any, rules: RuleSet, action: int, led: int) -> Iterator[Reason]:
    seat, suit = int(state.turn), int(suit_of(card_of(action)))
    start = f"seat {seat} may not declare {action_text(action)}"
    yield "M2", led != NONE, f"{start}: a marriage is declared on lead"
    with_queen = action >= DECLARE_KING and rules.declare_with == "queen"
    yield "M2", with_queen, f"{start}: a marriage is declared with its queen"
    pair = bool(holds_marriage(state.hands[seat], suit))
    yield "M2", not pair, f"{start}: it does not hold king and queen of {SUIT_LETTERS[suit]}"
    first = state.num_plays == 0 and rules.marriage_first_lead == "unbeatable"
    yield "M5", first, f"{start}: it has won no trick yet, and its hand is not unbeatable (M6)"
    yield "M5", True, f"{start}: it has won no trick yet"


def _ace_reasons(state: Any, rules: RuleSet, start: str, led: int) -> Iterator[Reason]:
    seat = int(state.turn)
    plays = [int(state.plays[place]) for place in range(state.num_plays)]
    had = int(state.hands[seat]) | sum(1 << (entry & 31) for entry in plays if entry >> 8 == seat)
    yield "M7", not rules.ace_marriage, f"{start}: the ace marriage is not played"
    yield "M7", led != NONE, f"{start}: the ace marriage is declared on lead"
    yield "M7", had & ACES != ACES, f"{start}: it was not given all four aces"
    yield "M7", int(play.four_aces_seat(state)) != NONE, f"{start}: the ace marriage was declared already"
    yield "M7", True, f"{start}: it has won no trick yet"
