"""PPO's pure functions against numbers worked out by hand."""

import math

import pytest
import torch

from train.ppo import (
    Minibatch,
    advantages,
    centred,
    credit,
    divergences,
    entropies,
    losses,
    masked_log_softmax,
    normalised,
    policy_loss,
)


def tensor(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def test_an_illegal_action_has_no_probability() -> None:
    log_probs = masked_log_softmax(tensor(1.0, 5.0, 1.0).reshape(1, 3), torch.tensor([[True, False, True]]))
    assert log_probs.exp()[0].tolist() == pytest.approx([0.5, 0.0, 0.5])


def test_entropy_counts_legal_actions_only() -> None:
    masks = torch.tensor([[True, False, True], [False, True, False]])
    log_probs = masked_log_softmax(torch.zeros(2, 3, dtype=torch.float64), masks)
    assert entropies(log_probs, masks).tolist() == pytest.approx([math.log(2), 0.0])


def test_a_terminated_trajectory_ends_in_its_last_reward() -> None:
    # discount 0.5, trace 0.5; surprises: 0 + 0.5 * 2 - 1 = 0 and 4 + 0 - 2 = 2; then 0 + 0.25 * 2 = 0.5
    found = advantages(tensor(0, 4), tensor(1, 2), torch.tensor([False, True]), tensor(0, 0), discount=0.5, trace=0.5)
    assert found.tolist() == [0.5, 2.0]


def test_a_truncated_trajectory_ends_in_the_value_of_what_would_follow() -> None:
    # the same with a final value of 6: the last surprise is 4 + 0.5 * 6 - 2 = 5; then 0 + 0.25 * 5 = 1.25
    found = advantages(tensor(0, 4), tensor(1, 2), torch.tensor([False, True]), tensor(0, 6), discount=0.5, trace=0.5)
    assert found.tolist() == [1.25, 5.0]


def test_one_trajectory_does_not_leak_into_the_next() -> None:
    ends = torch.tensor([True, False, True])
    found = advantages(tensor(1, 0, 10), tensor(0, 0, 0), ends, tensor(0, 0, 0), discount=1.0, trace=1.0)
    assert found.tolist() == [1.0, 10.0, 10.0]


def test_a_reward_that_arrives_on_anothers_move_belongs_to_the_seat_that_earned_it() -> None:
    # Trajectory 0 decides at times 0 and 3, trajectory 1 at time 2; all rewards arrive later, at time 9 and 1.
    found = credit(
        rewards=tensor(5, 7, 1),
        owners=torch.tensor([0, 1, 0]),
        times=torch.tensor([9, 9, 1]),
        decisions=torch.tensor([0, 0, 1]),
        decision_times=torch.tensor([0, 3, 2]),
    )
    assert found.tolist() == [1.0, 5.0, 7.0]


def test_a_seat_that_never_decided_earns_nothing_for_anybody() -> None:
    found = credit(tensor(5, 7), torch.tensor([0, 1]), torch.tensor([4, 4]), torch.tensor([1]), torch.tensor([2]))
    assert found.tolist() == [7.0]
    before_first = credit(tensor(5), torch.tensor([1]), torch.tensor([1]), torch.tensor([0, 1]), torch.tensor([0, 2]))
    assert before_first.tolist() == [0.0, 0.0]
    assert len(credit(tensor(5), torch.tensor([0]), torch.tensor([1]), torch.tensor([]), torch.tensor([]))) == 0


def test_two_rewards_of_one_decision_add_up() -> None:
    found = credit(tensor(5, 7), torch.tensor([0, 0]), torch.tensor([1, 2]), torch.tensor([0]), torch.tensor([0]))
    assert found.tolist() == [12.0]


def test_the_clipped_loss_stops_paying_beyond_the_clip() -> None:
    old, estimates = tensor(0, 0), tensor(1, -1)
    inside = policy_loss(tensor(math.log(1.1), math.log(1.1)), old, estimates, clip=0.2)
    assert float(inside) == pytest.approx(0.0)
    # ratio 2: a good action pays 1.2 at most, a bad one costs 2 in full
    assert float(policy_loss(tensor(math.log(2), math.log(2)), old, estimates, clip=0.2)) == pytest.approx(0.4)


def test_advantages_are_normalised_within_their_group() -> None:
    groups = torch.tensor([7, 2, 7, 2])
    assert normalised(tensor(1, 100, 3, -300), groups).tolist() == pytest.approx([-1.0, 1.0, 1.0, -1.0])
    assert normalised(tensor(5), torch.tensor([0])).tolist() == [0.0]


def test_worths_are_centred_over_the_actions_tried() -> None:
    worths = torch.tensor([[1.0, math.nan, 3.0], [math.nan, 5.0, math.nan], [math.nan, math.nan, math.nan]])
    assert centred(worths).tolist() == [[-1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_a_divergence_counts_legal_actions_only() -> None:
    masks = torch.tensor([[True, True, False]])
    even = masked_log_softmax(torch.zeros(1, 3, dtype=torch.float64), masks)
    skewed = masked_log_softmax(tensor(math.log(3), 0.0, 9.0).reshape(1, 3), masks)  # 3/4 and 1/4
    assert divergences(even, even, masks).tolist() == [0.0]
    assert divergences(even, skewed, masks).tolist() == pytest.approx([0.5 * math.log(2 / 3) + 0.5 * math.log(2)])


def test_an_unchanged_policy_has_moved_nowhere() -> None:
    masks = torch.ones(2, 3, dtype=torch.bool)
    batch = Minibatch(
        masks=masks,
        actions=torch.tensor([0, 1]),
        old_log_probs=torch.full((2,), -math.log(3)),
        estimates=torch.tensor([1.0, -1.0]),
        entropy_weights=torch.tensor([0.1, 0.3]),
        anchor_log_probs=torch.full((2, 3), -math.log(3)),
        anchor_weights=torch.ones(2),
    )
    found = losses(torch.zeros(2, 3), batch, clip=0.2)
    assert float(found.clip_share) == 0.0
    assert float(found.entropy) == pytest.approx(-0.2 * math.log(3))
    assert float(found.anchor) == pytest.approx(0.0, abs=1e-6)
