"""The one flat action space of every table and every phase.

Rules narrow the legal mask, never the space, so that a network trained at one table loads at another. New actions are
appended; a number never changes its meaning.

    0 –  23  a card: played, given away, or kept of a two-hand talon
   24 –  27  lead the queen of a suit and declare the marriage (M2)
   28 –  31  lead the king of a suit and declare the marriage
   32 –  35  lead an ace and declare the ace marriage (M7)
   36        pass; keep the contract as bid
   37 –  97  bid, or name the contract: 100, 105, … 400
   98,  99   claim a redeal, decline to
  100, 101   go blind, look at the cards
  102, 103   show the talon to all, keep it closed
  104, 105   pick talon A, talon B
  106        write off
  107        baptise
  108, 109   bonus: see the opponents' hands, see the talon's suits
  110 – 113  bonus: see one talon card
"""

from thousand_env.cards import ACE, KING, MAX_CONTRACT, NUM_CARDS, NUM_RANKS, NUM_SUITS, QUEEN, card_name, parse_card
from thousand_env.errors import NotationError
from thousand_env.jit import kernel
from thousand_env.rules import MIN_BID

FIRST_CARD = 0
DECLARE_QUEEN = 24
DECLARE_KING = 28
DECLARE_ACE = 32
PASS = 36
FIRST_BID = 37
FIRST_CALL = CLAIM_REDEAL = 98
DECLINE_REDEAL = 99
GO_BLIND, LOOK = 100, 101
SHOW_TALON, KEEP_TALON = 102, 103
PICK_TALON = 104
WRITE_OFF = 106
BAPTISE = 107
BONUS_HANDS, BONUS_SUITS = 108, 109
BONUS_CARD = 110
NUM_ACTIONS = 114

LEVEL_STEP = 5
NUM_LEVELS = (MAX_CONTRACT - MIN_BID) // LEVEL_STEP + 1

_WORDS = {
    PASS: "pass",
    CLAIM_REDEAL: "redeal",
    DECLINE_REDEAL: "noredeal",
    GO_BLIND: "blind",
    LOOK: "look",
    SHOW_TALON: "show",
    KEEP_TALON: "keep",
    PICK_TALON: "talonA",
    PICK_TALON + 1: "talonB",
    WRITE_OFF: "writeoff",
    BAPTISE: "baptise",
    BONUS_HANDS: "bonus:hands",
    BONUS_SUITS: "bonus:suits",
    **{BONUS_CARD + i: f"bonus:card{i + 1}" for i in range(4)},
}


# Legal actions are sets of three kinds, too, a bit each: plays and gifts from action 0 on, bids from `PASS` on, and
# what else is said at the table, the calls, from `FIRST_CALL` on.


@kernel
def call_bit(action: int) -> int:
    """Return the bit of an action in a set of calls."""
    return 1 << (action - FIRST_CALL)


@kernel
def bid_action(points: int) -> int:
    """Return the action that bids, or names a contract of, so many points."""
    return FIRST_BID + (points - MIN_BID) // LEVEL_STEP


@kernel
def bid_points(action: int) -> int:
    """Return the points of a bid action."""
    return MIN_BID + LEVEL_STEP * (action - FIRST_BID)


@kernel
def is_bid(action: int) -> bool:
    """Whether the action is a bid."""
    return FIRST_BID <= action < FIRST_BID + NUM_LEVELS


@kernel
def card_of(action: int) -> int:
    """Return the card that an action below `PASS` lays on the table."""
    if action < DECLARE_QUEEN:
        return action
    way = (action - DECLARE_QUEEN) // NUM_SUITS
    rank = ACE if way == 2 else QUEEN + way
    return NUM_RANKS * ((action - DECLARE_QUEEN) % NUM_SUITS) + rank


@kernel
def way_of(action: int) -> int:
    """Return how an action below `PASS` plays its card: SILENT, QUEEN_DECLARED, KING_DECLARED or ACE_DECLARED."""
    return 0 if action < DECLARE_QUEEN else 1 + (action - DECLARE_QUEEN) // NUM_SUITS


def _text(action: int) -> str:
    if action < DECLARE_QUEEN:
        return card_name(action)
    if action < PASS:
        return card_name(card_of(action)) + "+"
    if FIRST_BID <= action < FIRST_BID + NUM_LEVELS:
        return str(bid_points(action))
    return _WORDS[action]


ACTION_TEXTS: tuple[str, ...] = tuple(_text(action) for action in range(NUM_ACTIONS))
_ACTIONS_BY_TEXT = {text: action for action, text in enumerate(ACTION_TEXTS)}


def action_text(action: int) -> str:
    """Return the text of an action.

    >>> action_text(21), action_text(DECLARE_QUEEN + 3), action_text(PASS), action_text(bid_action(120))
    ('hK', 'hQ+', 'pass', '120')
    """
    if not 0 <= action < NUM_ACTIONS:
        raise NotationError(f"action {action}: expected a number from 0 to {NUM_ACTIONS - 1}")
    return ACTION_TEXTS[action]


def parse_action(text: str) -> int:
    """Return the action a text names; cards may be spelled as `parse_card` allows.

    >>> parse_action("hK"), parse_action("QH+"), parse_action("pass"), parse_action("105")
    (21, 27, 36, 38)
    """
    text = text.strip()
    if text in _ACTIONS_BY_TEXT:
        return _ACTIONS_BY_TEXT[text]
    try:
        card = parse_card(text.removesuffix("+"))
    except NotationError:
        raise NotationError(f"action {text!r}: expected a card (hK), a declaration (hQ+), a bid or a word") from None
    name = card_name(card) + ("+" if text.endswith("+") else "")
    if name not in _ACTIONS_BY_TEXT:
        raise NotationError(f"action {text!r}: only a queen, a king or an ace can be led as a declaration")
    return _ACTIONS_BY_TEXT[name]


assert (ACE, KING, QUEEN, NUM_CARDS) == (5, 3, 2, DECLARE_QUEEN), "card_of counts on the order of the ranks"
