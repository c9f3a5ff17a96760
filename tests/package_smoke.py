"""Is the installed package whole? Run outside the checkout, in an environment that holds the package and no extras."""

import importlib
import importlib.util
import random
import subprocess
import sys
from importlib import resources
from typing import Any


def check_contents() -> None:
    """The gym is there with its specifications, and nothing else of the checkout is."""
    import thousand_env

    assert "site-packages" in str(thousand_env.__file__), f"not the installed package: {thousand_env.__file__}"
    for name in ("RULES.md", "NOTATION.md", "py.typed"):
        assert resources.files(thousand_env).joinpath(name).is_file(), f"{name} is missing from the package"
    for name in ("torch", "agents", "train", "experiments", "benchmarks", "tests"):
        assert importlib.util.find_spec(name) is None, f"{name} is here, but the package must do without it"


def play_a_random_deal(seed: int) -> int:
    """Play one deal through the PettingZoo interface and return the number of steps."""
    deal_v0: Any = importlib.import_module("thousand_env.deal_v0")
    rng = random.Random(seed)
    env = deal_v0.env()
    env.reset(seed=seed)
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        legal = [action for action, allowed in enumerate(observation["action_mask"]) if allowed]
        assert legal, f"step {steps}: {agent} is to act and has no legal action"
        env.step(rng.choice(legal))
        steps += 1
    env.close()
    return steps


def print_the_rules() -> str:
    """Return what the command line prints about a preset."""
    command = [sys.executable, "-I", "-m", "thousand_env", "rules", "core"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Check the package and say what was seen."""
    check_contents()
    steps = play_a_random_deal(seed=1)
    assert steps > 24, f"a deal of {steps} steps is no deal: its 24 cards alone are more"
    rules = print_the_rules()
    assert "core" in rules, f"`thousand_env rules core` printed {rules!r}"
    print(f"package smoke test passed: a random deal of {steps} steps")


if __name__ == "__main__":
    main()
