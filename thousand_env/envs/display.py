"""Display: how an environment shows its table, as text, as a picture, or in a window.

Pictures need pygame-ce, which the extra `render` installs; an environment that draws none never imports it.
"""

import os
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from thousand_env.board import board
from thousand_env.envs.options import one_of, whole_number
from thousand_env.envs.scene import scene_of
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet

RENDER_MODES = ("human", "ansi", "rgb_array")
FRAMES_A_SECOND = 4


def metadata(name: str) -> dict[str, Any]:
    """Return what PettingZoo and Gymnasium read of an environment class."""
    return {
        "name": name,
        "render_modes": [*RENDER_MODES],
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": False,
    }


class Display:
    """Shows tables of one rule set: to a spectator who sees all cards, or as `viewer`, a seat, sees them.

    Raises `ThousandError` for a mode or viewer that cannot be, and for a mode that needs pygame-ce where it is missing.
    """

    def __init__(self, mode: str | None, viewer: int | None, rules: RuleSet, frames_a_second: int) -> None:
        self.mode = None if mode is None else one_of("render_mode", mode, RENDER_MODES)
        self.viewer = None if viewer is None else whole_number("viewer", viewer, 0, rules.players - 1)
        self._rules, self._frames_a_second = rules, frames_a_second
        self._window: Any = None
        if self.mode == "ansi" and viewer is not None:
            raise ThousandError(f"viewer={viewer}: render_mode='ansi' shows all cards; expected human or rgb_array")
        if self.mode in ("human", "rgb_array"):
            _renderer(self.mode)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}  # a copy opens a window of its own

    def show(self, states: NDArray[Any]) -> str | NDArray[np.uint8] | None:
        """Return the table of one game, `states` (1,), as text or as a picture, or draw it in the window.

        A picture is uint8 (HEIGHT, WIDTH, 3). Raises `ThousandError` when there is no display to open a window on.
        """
        if self.mode is None:
            gymnasium.logger.warn("render() was called on an environment made without a render_mode.")
            return None
        if self.mode == "ansi":
            return board(states[0], self._rules)
        render, scene = _renderer(self.mode), scene_of(states, self._rules, self.viewer)
        if self.mode == "rgb_array":
            return render.picture(scene)
        if self._window is None:
            self._window = render.Window(self._frames_a_second)
        self._window.show(scene)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def _renderer(mode: str) -> Any:
    """Return the module that draws; raises `ThousandError` where pygame-ce is missing."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else importing it prints a greeting
    try:
        from thousand_env.envs import render
    except ModuleNotFoundError as error:
        if error.name != "pygame":
            raise
        raise ThousandError(
            f"render_mode={mode!r} draws with pygame-ce, which is not installed: pip install 'thousand-env[render]'; "
            "render_mode='ansi' needs nothing"
        ) from None
    return render
