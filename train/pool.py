"""The pool of past selves: self-play against the latest self alone forgets how to beat the earlier ones."""

from torch import Tensor

from agents.network import Actor
from thousand_env.rng import below, word
from train.config import Config


class Pool:
    """At most `pool_size` snapshots of the actor, oldest first: the very first, and the latest."""

    def __init__(self, config: Config) -> None:
        self.size = config.pool_size
        self.width = config.width
        self.members: list[dict[str, Tensor]] = []

    def add(self, actor: Actor) -> None:
        """Take a snapshot of the actor; a full pool loses its oldest but the first."""
        self.members.append({name: tensor.detach().clone() for name, tensor in actor.state_dict().items()})
        if len(self.members) > self.size:
            del self.members[1 if self.size > 1 else 0]

    def pick(self, key: int) -> Actor:
        """Return one of the past selves, chosen by `key`."""
        actor = Actor(self.width)
        actor.load_state_dict(self.members[below(word(key, 0), len(self.members))])
        return actor.eval()
