"""Results: what a finished deal brought, as plain numbers and words for `infos`."""

from typing import Any

from numpy.typing import NDArray

from thousand_env.engine import payoffs
from thousand_env.state import EVENT_WORDS, NONE, OVER

# The columns of the score sheet after the deal; `mounted` is the number of the deal that led to the barrel, 0 off it.
SHEET = ("totals", "bolts", "mounted", "attempts", "falls")


def deal_result(states: NDArray[Any], rules: NDArray[Any]) -> dict[str, Any]:
    """Return what the finished deal of one game brought, lists by seat; all of it is public.

    `winner` and `stakes` are None until the match is over; `winner` stays None when it was cut off by `max_deals`.
    """
    state, players = states[0], int(rules["players"][0])
    over, winner = bool(state.phase == OVER), int(state.winner)
    gave_up, baptism = bool(state.contract == 0), bool(rules["baptism"][0])
    return {
        "match": int(state.match),
        "deal": int(state.deal),
        "attempt": int(state.attempt),
        "declarer": int(state.declarer),
        "bid": int(state.bid),
        "contract": int(state.contract),
        "made": bool(state.score[state.declarer] > 0),
        "written_off": gave_up and not baptism,
        "baptised": gave_up and baptism,
        "score": state.score[:players].tolist(),
        "fines": (state.early + state.fined)[:players].tolist(),
        "events": [_words(int(events)) for events in state.events[:players]],
        **{name: state[name][:players].tolist() for name in SHEET},
        "winner": None if winner == NONE else winner,
        "stakes": payoffs(states, rules)[0].tolist() if over else None,
    }


def _words(events: int) -> list[str]:
    return [word for bit, word in enumerate(EVENT_WORDS) if events >> bit & 1]
