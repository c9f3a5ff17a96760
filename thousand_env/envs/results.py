"""Results: what a finished deal brought, as plain numbers and words for `infos`."""

from typing import Any

from numpy.typing import NDArray

from thousand_env.engine import payoffs
from thousand_env.state import EVENT_WORDS, NONE, OVER

# The columns of the score sheet after the deal; `mounted` is the number of the deal that led to the barrel, 0 off it.
SHEET = ("totals", "bolts", "mounted", "attempts", "falls")
NUMBERS = ("match", "deal", "attempt", "declarer", "bid", "contract")  # of a result, fields of the state as they are


def deal_result(states: NDArray[Any], rules: NDArray[Any]) -> dict[str, Any]:
    """Return what the finished deal of one game brought, lists by seat; all of it is public.

    `winner` and `stakes` are None until the match is over; `winner` stays None when it was cut off by `max_deals`.
    """
    # A field of the array is several times as fast to read as one of its record.
    players, numbers = rules["players"].item(), {name: states[name].item() for name in NUMBERS}
    score, events, *sheet = (states[name][0, :players].tolist() for name in ("score", "events", *SHEET))
    winner, over = states["winner"].item(), states["phase"].item() == OVER
    gave_up, baptism = numbers["contract"] == 0, bool(rules["baptism"].item())
    return {
        **numbers,
        "made": score[numbers["declarer"]] > 0,
        "written_off": gave_up and not baptism,
        "baptised": gave_up and baptism,
        "score": score,
        "fines": (states["early"] + states["fined"])[0, :players].tolist(),
        "events": [_words(seen) for seen in events],
        **dict(zip(SHEET, sheet, strict=True)),
        "winner": None if winner == NONE else winner,
        "stakes": payoffs(states, rules)[0].tolist() if over else None,
    }


def _words(events: int) -> list[str]:
    return [word for bit, word in enumerate(EVENT_WORDS) if events >> bit & 1]
