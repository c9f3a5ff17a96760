"""Collecting experience: many deals side by side, each to its end, as arrays in trajectory order.

A decision with one legal action is no decision: it is made on the spot and neither asked of the network nor counted.
Everything random comes from the keys of an iteration, so that a resumed run collects the same experience.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents.network import Actor
from agents.policy import choose, log_total, unit
from thousand_env import engine
from thousand_env.actions import FIRST_BID, NUM_ACTIONS, NUM_LEVELS, PASS
from thousand_env.cards import NUM_CARDS
from thousand_env.features import NUM_FEATURES, NUM_HIDDEN, encode_hidden_row, encode_row, offset_of
from thousand_env.jit import kernel
from thousand_env.rng import derive, word
from thousand_env.scoring import advantage
from thousand_env.state import AUCTION, NONE, PLAY, SCORED, new_states
from thousand_env.view import VIEW_DTYPE, look_row
from train.playouts import POINTS, Alternatives
from train.ppo import credit

TRAINING = 0x7EA1  # the namespace of training deals: evaluation deals are addressed in another
HAND = offset_of("hand")
PER_DEAL = 40  # more real decisions than a deal of three can hold

Choice = tuple[NDArray[np.int64], NDArray[np.float32]]
Chooser = Callable[[NDArray[np.float32], NDArray[np.int8], NDArray[Any], NDArray[np.int64]], Choice]
"""(features, masks, views, keys) of some decisions -> (actions, log-probabilities)."""


@dataclass
class Experience:
    """Decisions of learning seats in trajectory order, N of them."""

    features: Tensor  # float32 (N, NUM_FEATURES)
    hidden: Tensor  # float32 (N, NUM_HIDDEN): all hands, for the critic
    masks: Tensor  # bool (N, NUM_ACTIONS)
    actions: Tensor  # int64 (N,)
    log_probs: Tensor  # float32 (N,), of the actions taken, by the policy that took them
    in_play: Tensor  # bool (N,): a decision of the play, not of auction and exchange
    phases: Tensor  # int64 (N,)
    stages: Tensor  # int64 (N,): a number for the phase and the cards in hand
    rewards: Tensor  # float32 (N,), in units of 100 points
    ends: Tensor  # bool (N,): the last decision of its trajectory
    states: NDArray[Any]  # the finished deals
    worths: Tensor | None = None  # float32 (N, NUM_ACTIONS): what each action would have brought, where it was tried

    def __len__(self) -> int:
        return len(self.actions)


@kernel
def skip_forced(states: Any, rules: Any, masks: Any) -> None:
    """Make every decision that is none, until each deal asks something or is scored; `masks` rows are then current."""
    for i in range(states.shape[0]):
        while True:
            engine.legal_row(states[i], rules[0], masks[i])
            if engine.count_legal(masks[i]) != 1:
                break
            engine.step_row(states[i], rules[0], engine.nth_legal(masks[i], 0))


@kernel
def observe(states: Any, rules: Any, rows: Any, views: Any, features: Any, hidden: Any) -> None:
    """Fill views, features and hidden cards as the seat to act in states[rows[j]] sees them, row j."""
    for j in range(rows.shape[0]):
        state = states[rows[j]]
        look_row(state, rules[0], state.turn, views[j])
        encode_row(views[j], features[j])
        encode_hidden_row(state, rules[0], state.turn, hidden[j])


@kernel
def step_some(states: Any, rules: Any, rows: Any, actions: Any) -> None:
    """Apply actions[j] in states[rows[j]]."""
    for j in range(rows.shape[0]):
        engine.step_row(states[rows[j]], rules[0], actions[j])


@kernel
def derive_all(keys: Any, index: int, out: Any) -> None:
    """Fill `out` (N,) with each key extended by one number."""
    for i in range(keys.shape[0]):
        out[i] = derive(keys[i], index)


@kernel
def lowest_bid(mask: Any) -> int:
    """Return the lowest legal bid, NONE when there is none."""
    for action in range(FIRST_BID, FIRST_BID + NUM_LEVELS):
        if mask[action]:
            return action
    return NONE


@kernel
def explore(logits: Any, masks: Any, views: Any, keys: Any, rate: float, actions: Any, log_probs: Any) -> None:
    """Let some auctions go otherwise: with probability `rate` a bidder tosses a coin between pass and lowest raise.

    A bidder who never raises never learns what raising is worth, and the softmax gradient of a rare action vanishes.
    The coin's choices are learned from as if they were the policy's own, which moves a logit by its advantage whatever
    its probability (NeuRD, Hennes et al. 2020); where both actions are worth the same, nothing moves.
    """
    for i in range(masks.shape[0]):
        if views[i].phase != AUCTION or not masks[i, PASS] or unit(word(keys[i], 1)) >= rate:
            continue
        raised = lowest_bid(masks[i])  # none where only a bonus stands beside the pass
        actions[i] = raised if raised != NONE and word(keys[i], 2) & 1 else PASS
        log_probs[i] = logits[i, actions[i]] - log_total(logits[i], masks[i])


def network_chooser(actor: Actor, exploration: float = 0.0) -> Chooser:
    """Return a chooser that samples from the actor's probabilities; `exploration` is the rate of `explore`."""

    def choose_by_network(
        features: NDArray[np.float32], masks: NDArray[np.int8], views: NDArray[Any], keys: NDArray[np.int64]
    ) -> Choice:
        with torch.inference_mode():
            logits = actor(torch.from_numpy(features)).numpy()
        actions, log_probs = choose(logits, masks, keys, sample=True)
        if exploration > 0:
            explore(logits, masks, views, keys, exploration, actions, log_probs)
        return actions, log_probs

    return choose_by_network


def lone_seats(dealers: NDArray[Any], players: int) -> NDArray[np.int64]:
    """Return the seat that learns alone in each deal, each in turn: (N,); never the dealer of four, who sits out."""
    turns = np.arange(len(dealers))
    return (dealers + 1 + turns % 3) % players if players == 4 else turns % players


class Collector:
    """Plays `deals` deals at a time and remembers what the learning seats saw and did."""

    def __init__(self, rules: NDArray[Any], deals: int) -> None:
        capacity = deals * PER_DEAL
        self.rules, self.deals = rules, deals
        self.players = int(rules["players"][0])
        self.states = new_states(deals)
        self.legal = np.zeros((deals, NUM_ACTIONS), np.int8)
        self.views = np.zeros(deals, VIEW_DTYPE)
        # Memory of torch's, which always begins at a multiple of 64 bytes: the last bits of a product depend on that.
        self.features: NDArray[np.float32] = torch.empty((capacity, NUM_FEATURES)).numpy()
        self.hidden: NDArray[np.float32] = torch.empty((capacity, NUM_HIDDEN)).numpy()
        self.masks = np.empty((capacity, NUM_ACTIONS), np.int8)
        self.actions = np.empty(capacity, np.int64)
        self.log_probs = np.empty(capacity, np.float32)
        self.owners = np.empty(capacity, np.int64)
        self.times = np.empty(capacity, np.int64)
        self.phases = np.empty(capacity, np.int64)
        self.alternatives = Alternatives(rules)
        self.worths: NDArray[np.float32] | None = None

    def compare(self, key: int, learner: Chooser) -> Experience:
        """Return the experience of fresh deals that `learner` plays, with the worths of all its alternatives."""
        self.worths = np.empty((len(self.actions), NUM_ACTIONS), np.float32)
        try:
            return self.collect(key, learner, learner, 0)
        finally:
            self.worths = None

    def collect(self, key: int, learner: Chooser, opponent: Chooser, against_pool: int) -> Experience:
        """Return the experience of fresh deals addressed by `key`.

        In the first `against_pool` deals one seat, each in turn, learns and `opponent` plays the others; in the rest
        `learner` plays, and learns from, every seat.
        """
        deals = np.arange(self.deals)
        seeds = np.full(self.deals, key, np.int64)
        engine.start_matches(self.states, self.rules, seeds, deals)
        lone = np.where(deals < against_pool, lone_seats(self.states["dealer"], self.players), -1)
        keys, round_keys = np.empty(self.deals, np.int64), np.empty(self.deals, np.int64)
        for deal in range(self.deals):
            keys[deal] = derive(derive(key, TRAINING), deal)
        count = time = 0
        while True:
            skip_forced(self.states, self.rules, self.legal)
            rows = np.flatnonzero(self.states["phase"] < SCORED)
            if not len(rows):
                break
            derive_all(keys, time, round_keys)
            count += self._decide(rows, count, time, lone, round_keys, learner, opponent)
            time += 1
        return self._experience(count, time)

    def _decide(
        self,
        rows: NDArray[np.int64],
        start: int,
        time: int,
        lone: NDArray[np.int64],
        keys: NDArray[np.int64],
        learner: Chooser,
        opponent: Chooser,
    ) -> int:
        """Make one decision in each of the deals `rows`; keep those of learning seats; return how many they were."""
        seats = self.states["turn"][rows]
        learning = (lone[rows] < 0) | (lone[rows] == seats)
        rows = np.concatenate([rows[learning], rows[~learning]])
        kept, end = int(learning.sum()), start + len(rows)
        self._make_room(end)
        features, hidden, views = self.features[start:end], self.hidden[start:end], self.views[: len(rows)]
        observe(self.states, self.rules, rows, views, features, hidden)
        masks = self.masks[start:end]
        np.take(self.legal, rows, axis=0, out=masks)
        middle = start + kept
        if self.worths is not None:
            self.alternatives.try_all(self.states, rows[:kept], masks[:kept], self.worths[start:middle])
        for low, high, chooser in ((start, middle, learner), (middle, end, opponent)):
            if low < high:
                part = slice(low - start, high - start)
                self.actions[low:high], self.log_probs[low:high] = chooser(
                    features[part], masks[part], views[part], keys[rows[part]]
                )
        self.owners[start:middle] = rows[:kept] * self.players + self.states["turn"][rows[:kept]]
        self.times[start:middle] = time
        self.phases[start:middle] = self.states["phase"][rows[:kept]]
        step_some(self.states, self.rules, rows, self.actions[start:end])
        return kept

    def _make_room(self, decisions: int) -> None:
        """Lengthen what decisions are kept in until so many fit: a deal that is dealt again has no longest length."""
        while len(self.actions) < decisions:
            for name in ("features", "hidden", "masks", "actions", "log_probs", "owners", "times", "phases", "worths"):
                array: NDArray[Any] | None = getattr(self, name)
                if array is not None:
                    setattr(self, name, np.concatenate([array, np.empty_like(array)]))

    def _experience(self, count: int, time: int) -> Experience:
        order = np.argsort(self.owners[:count], kind="stable")
        index = torch.from_numpy(order)
        owners = torch.from_numpy(self.owners[:count])[index]
        seats = np.arange(self.deals * self.players)
        rewards = credit(
            torch.from_numpy(advantage_rewards(self.states, self.rules).ravel()),
            torch.from_numpy(seats),
            torch.full((len(seats),), time),
            owners,
            torch.from_numpy(self.times[:count])[index],
        )
        phases = torch.from_numpy(self.phases[:count])[index]
        features = torch.from_numpy(self.features[:count])[index]
        cards = features[:, HAND : HAND + NUM_CARDS].sum(1).long()
        return Experience(
            features=features,
            hidden=torch.from_numpy(self.hidden[:count])[index],
            masks=torch.from_numpy(self.masks[:count])[index].bool(),
            actions=torch.from_numpy(self.actions[:count])[index],
            log_probs=torch.from_numpy(self.log_probs[:count])[index],
            in_play=phases == PLAY,
            phases=phases,
            stages=phases * (NUM_CARDS + 1) + cards,
            rewards=rewards,
            ends=torch.cat([owners[1:] != owners[:-1], torch.ones(1, dtype=torch.bool)]),
            states=self.states,
            worths=None if self.worths is None else torch.from_numpy(self.worths[:count])[index],
        )


class Collectors:
    """Two collectors side by side, a thread each, with half of the deals each; otherwise as one of them."""

    def __init__(self, rules: NDArray[Any], deals: int) -> None:
        self.halves = [Collector(rules, deals - deals // 2), Collector(rules, deals // 2)]

    def collect(self, key: int, learner: Chooser, opponent: Chooser, against_pool: int) -> Experience:
        """Return the experience of fresh deals, `against_pool` of them against `opponent`."""
        shares = (against_pool - against_pool // 2, against_pool // 2)

        def work(number: int) -> Experience:
            return self.halves[number].collect(derive(key, number), learner, opponent, shares[number])

        return self._both(work)

    def compare(self, key: int, learner: Chooser) -> Experience:
        """Return the experience of fresh deals with the worths of all alternatives."""
        return self._both(lambda number: self.halves[number].compare(derive(key, number), learner))

    def _both(self, work: Callable[[int], Experience]) -> Experience:
        def work_alone(number: int) -> Experience:
            torch.set_num_threads(1)  # a new thread would begin with as many as there are cores, busy or not
            return work(number)

        with ThreadPoolExecutor(len(self.halves)) as threads:
            return joined(list(threads.map(work_alone, range(len(self.halves)))))


def joined(parts: list[Experience]) -> Experience:
    """Return experiences one after the other as one."""
    names = [item.name for item in fields(Experience) if getattr(parts[0], item.name) is not None]
    tensors = {name: torch.cat([getattr(part, name) for part in parts]) for name in names if name != "states"}
    return Experience(**tensors, states=np.concatenate([part.states for part in parts]))


@kernel
def pay_all(states: Any, rules: Any, rewards: Any) -> None:
    """Fill `rewards` as `advantage_rewards` returns them."""
    for i in range(states.shape[0]):
        for seat in range(rules[0].players):
            rewards[i, seat] = advantage(states[i], rules[0], seat) / POINTS


def advantage_rewards(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.float32]:
    """Return each seat's score minus the mean of the others', in units of 100 points: float32 (N, players)."""
    rewards = np.empty((len(states), int(rules["players"][0])), np.float32)
    pay_all(states, rules, rewards)
    return rewards
