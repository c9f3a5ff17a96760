"""Proximal policy optimisation (Schulman et al. 2017) as pure functions on tensors.

Decisions stand in trajectory order: all decisions of one seat in one deal follow each other, `ends` marks the last of
each. A seat's next observation is its own next decision, whoever moves in between.
"""

from typing import NamedTuple

import torch
from torch import Tensor

MASKED = -1e9  # the logit of an illegal action: its probability is exactly 0 in float32


class Losses(NamedTuple):
    """The parts of one update's loss, each a scalar tensor, and the share of decisions that the clip holds back."""

    policy: Tensor
    entropy: Tensor  # negative: the more entropy, the less loss
    anchor: Tensor
    clip_share: Tensor


def masked_log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """Return log-probabilities (N, A) over the legal actions; `masks` is bool (N, A), with one legal at least."""
    return torch.log_softmax(logits.masked_fill(~masks, MASKED), dim=-1)


def entropies(log_probs: Tensor, masks: Tensor) -> Tensor:
    """Return the entropy in nats of each row of masked log-probabilities: (N,)."""
    return -(log_probs.exp() * log_probs.masked_fill(~masks, 0.0)).sum(-1)


def credit(rewards: Tensor, owners: Tensor, times: Tensor, decisions: Tensor, decision_times: Tensor) -> Tensor:
    """Return the reward of each decision: (N,).

    Reward i belongs to trajectory `owners[i]` and arrives at `times[i]`, on anybody's move; it is credited to the last
    decision of that trajectory not later than that. `decisions` (N,) names the trajectory of each decision, sorted, and
    `decision_times` (N,) its time, rising within a trajectory. A reward of a trajectory that had not decided anything
    yet is nobody's doing and is dropped.
    """
    credited = torch.zeros(len(decisions), dtype=rewards.dtype)
    if len(decisions) == 0 or len(rewards) == 0:
        return credited
    span = int(max(decision_times.max(), times.max())) + 1
    places = torch.searchsorted(decisions * span + decision_times, owners * span + times, right=True) - 1
    valid = (places >= 0) & (decisions[places.clamp(min=0)] == owners)
    return credited.index_add(0, places[valid], rewards[valid])


def advantages(
    rewards: Tensor, values: Tensor, ends: Tensor, bootstraps: Tensor, *, discount: float, trace: float
) -> Tensor:
    """Return generalised advantage estimates (Schulman et al. 2016): (N,).

    `ends` (N,) is true at the last decision of a trajectory. There the value of what follows is `bootstraps`: 0 for a
    trajectory that was terminated, the critic's value of its final observation for one that was truncated.
    """
    estimates = torch.zeros_like(values)
    following_value, following_estimate = 0.0, 0.0
    reward, value, end, bootstrap = rewards.tolist(), values.tolist(), ends.tolist(), bootstraps.tolist()
    result = [0.0] * len(reward)
    for i in range(len(reward) - 1, -1, -1):
        if end[i]:
            following_value, following_estimate = bootstrap[i], 0.0
        surprise = reward[i] + discount * following_value - value[i]
        following_estimate = surprise + discount * trace * following_estimate
        following_value = value[i]
        result[i] = following_estimate
    return estimates.copy_(torch.tensor(result, dtype=values.dtype))


def centred(worths: Tensor) -> Tensor:
    """Return worths (N, A) less the mean of their row; 0 where they are NaN, which does not count."""
    known = ~worths.isnan()
    filled = worths.nan_to_num(0.0)
    return (filled - filled.sum(1, keepdim=True) / known.sum(1, keepdim=True).clamp(min=1)) * known


def normalised(estimates: Tensor, groups: Tensor) -> Tensor:
    """Return advantages (N,) with mean 0 and standard deviation 1 within each group of `groups`, int64 (N,).

    Early decisions of a deal are far noisier than late ones; in one scale for all they would drown them.
    """
    names, places = groups.unique(return_inverse=True)
    counts = torch.bincount(places, minlength=len(names)).to(estimates.dtype)
    zeros = torch.zeros(len(names), dtype=estimates.dtype)
    centred = estimates - (zeros.index_add(0, places, estimates) / counts)[places]
    deviations = (zeros.index_add(0, places, centred.square()) / counts).sqrt()
    return centred / (deviations[places] + 1e-8)


def policy_loss(log_probs: Tensor, old_log_probs: Tensor, estimates: Tensor, clip: float) -> Tensor:
    """Return the clipped surrogate loss, a scalar."""
    ratios = (log_probs - old_log_probs).exp()
    return -torch.minimum(ratios * estimates, ratios.clamp(1 - clip, 1 + clip) * estimates).mean()


def divergences(from_log_probs: Tensor, to_log_probs: Tensor, masks: Tensor) -> Tensor:
    """Return the Kullback–Leibler divergence in nats of each row, over the legal actions: (N,)."""
    gaps = (from_log_probs - to_log_probs).masked_fill(~masks, 0.0)
    return (from_log_probs.exp() * gaps).sum(-1)


class Minibatch(NamedTuple):
    """What one gradient step learns from, N decisions; the weights differ by a decision's phase."""

    masks: Tensor  # bool (N, A)
    actions: Tensor  # int64 (N,)
    old_log_probs: Tensor  # (N,), of the actions
    estimates: Tensor  # (N,), advantages
    entropy_weights: Tensor  # (N,)
    anchor_log_probs: Tensor  # (N, A), of the policy not to stray from
    anchor_weights: Tensor  # (N,)


def losses(logits: Tensor, batch: Minibatch, *, clip: float) -> Losses:
    """Return the actor's losses on one minibatch, given its logits (N, A)."""
    masks, old_log_probs = batch.masks, batch.old_log_probs
    log_probs = masked_log_softmax(logits, masks)
    taken = log_probs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
    return Losses(
        policy=policy_loss(taken, old_log_probs, batch.estimates, clip),
        entropy=-(entropies(log_probs, masks) * batch.entropy_weights).mean(),
        anchor=(divergences(batch.anchor_log_probs, log_probs, masks) * batch.anchor_weights).mean(),
        clip_share=(((taken.detach() - old_log_probs).exp() - 1).abs() > clip).float().mean(),
    )
