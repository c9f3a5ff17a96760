"""Render: a scene as a picture, and a window that shows it; needs pygame-ce.

The table is seen from above: seat 0 sits at the bottom and the others follow clockwise, or the viewer does when the
picture is one seat's. Beside it stands the score sheet with the talon and the last trick.
"""

import os
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from thousand_env.envs.faces import (
    BLACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    GOLD,
    WHITE,
    Colour,
    font,
    picture_of,
    small,
    suit_shape,
    text,
)
from thousand_env.envs.scene import Scene, SeatScene
from thousand_env.errors import ThousandError
from thousand_env.state import NONE

WIDTH, HEIGHT = 1080, 740
PANEL = 320  # the score sheet's part of the width
TABLE = WIDTH - PANEL
MIDDLE = (TABLE // 2, 368)
FELT, FELT_EDGE, PANEL_GROUND = (34, 104, 72), (24, 78, 54), (30, 34, 42)
PLATE, PLATE_LINE, QUIET, BELOW_ZERO = (22, 62, 44), (96, 150, 120), (170, 178, 188), (240, 110, 110)
MARGIN = 14
PLATE_SIZE = (196, 46)

# Where seats sit, clockwise from the bottom, at tables of two, three and four.
SIDES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
TRICK_OFFSETS = {"bottom": (0, 74), "left": (-84, 0), "top": (0, -74), "right": (84, 0)}


def picture(scene: Scene) -> NDArray[np.uint8]:
    """Return the picture of a scene: uint8 (HEIGHT, WIDTH, 3)."""
    pixels = pygame.image.tobytes(draw(scene), "RGB")
    return np.frombuffer(pixels, np.uint8).reshape(HEIGHT, WIDTH, 3).copy()


class Window:
    """A window that shows scenes, no more of them a second than `frames_a_second`; 0 sets no limit."""

    def __init__(self, frames_a_second: int) -> None:
        self._frames_a_second = frames_a_second
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen" and "SDL_VIDEODRIVER" not in os.environ:
                raise pygame.error("there is no display")  # SDL would draw where nobody can look
            self._screen = pygame.display.set_mode((WIDTH, HEIGHT))
        except pygame.error as error:
            raise ThousandError(
                f"render_mode='human': no window can be opened ({error}); expected a display, or render_mode "
                "'rgb_array' or 'ansi'"
            ) from None
        pygame.display.set_caption("Thousand")
        self._clock = pygame.time.Clock()

    def show(self, scene: Scene) -> None:
        """Show a scene, after the time that the one before it is due."""
        self._screen.blit(draw(scene), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._frames_a_second)

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()


def draw(scene: Scene) -> pygame.Surface:
    """Return the picture of a scene as a surface."""
    surface = pygame.Surface((WIDTH, HEIGHT))
    surface.fill(FELT)
    pygame.draw.rect(surface, FELT_EDGE, (0, 0, TABLE, HEIGHT), width=8)
    turn = scene.viewer or 0
    sides = SIDES[len(scene.seats)]
    for place, side in enumerate(sides):
        seat = scene.seats[(turn + place) % len(sides)]
        _draw_seat(surface, seat, side)
        if seat.played != NONE:
            _draw_played(surface, seat, side)
    if not _trick_on_table(scene) and scene.phase not in ("play", "scored", "over"):
        _draw_talon(surface, scene)
    _draw_panel(surface, scene)
    return surface


def _trick_on_table(scene: Scene) -> bool:
    return any(seat.played != NONE for seat in scene.seats)


def _put(surface: pygame.Surface, words: str, size: int, colour: Colour, **place: Any) -> pygame.Rect:
    """Write words where a `get_rect` of theirs is put: `topleft=(x, y)`."""
    written = text(words, size, colour)
    return surface.blit(written, written.get_rect(**place))


def fitted(words: str, size: int, width: int) -> str:
    """Return words cut off where they would be wider than `width` pixels."""
    if font(size).size(words)[0] <= width:
        return words
    while words and font(size).size(words + "...")[0] > width:
        words = words[:-1]
    return words.rstrip() + "..."


# -- seats -----------------------------------------------------------------------------------------------------------


def _draw_seat(surface: pygame.Surface, seat: SeatScene, side: str) -> None:
    """Draw a seat's cards, a row at the bottom and the top, a column at the sides, and its plate."""
    cards = [*seat.known, *[NONE] * seat.hidden]
    if side in ("bottom", "top"):
        step = min(CARD_WIDTH + 4, (TABLE - 2 * MARGIN - CARD_WIDTH) // max(1, len(cards) - 1))
        left = MIDDLE[0] - (step * (len(cards) - 1) + CARD_WIDTH) // 2
        top = HEIGHT - CARD_HEIGHT - MARGIN if side == "bottom" else MARGIN
        places = [(left + step * number, top) for number in range(len(cards))]
        plate_top = top - PLATE_SIZE[1] - 6 if side == "bottom" else top + CARD_HEIGHT + 6
        plate = pygame.Rect((MIDDLE[0] - PLATE_SIZE[0] // 2, plate_top), PLATE_SIZE)
    else:
        step = 33
        left = MARGIN if side == "left" else TABLE - MARGIN - CARD_WIDTH
        top = MIDDLE[1] + 8 - (step * (len(cards) - 1) + CARD_HEIGHT) // 2
        places = [(left, top + step * number) for number in range(len(cards))]
        plate_left = MARGIN if side == "left" else TABLE - MARGIN - PLATE_SIZE[0]
        plate = pygame.Rect((plate_left, min(top, MIDDLE[1]) - PLATE_SIZE[1] - 6), PLATE_SIZE)
    for card, place in zip(cards, places, strict=True):
        surface.blit(picture_of(card), place)
    _draw_plate(surface, seat, plate)


def _draw_plate(surface: pygame.Surface, seat: SeatScene, plate: pygame.Rect) -> None:
    """Draw a seat's name with what it is, what it said, and what it has won."""
    acts = "turn" in seat.marks
    pygame.draw.rect(surface, PLATE, plate, border_radius=8)
    pygame.draw.rect(surface, GOLD if acts else PLATE_LINE, plate, width=3 if acts else 1, border_radius=8)
    name = _put(surface, f"player_{seat.seat}", 22, WHITE, topleft=(plate.left + 10, plate.top + 7))
    if "dealer" in seat.marks:
        centre = (name.right + 15, name.centery)
        pygame.draw.circle(surface, WHITE, centre, 9)
        _put(surface, "D", 17, BLACK, center=centre)
    call_colour = GOLD if "declarer" in seat.marks else QUIET
    _put(surface, seat.call, 22, call_colour, topright=(plate.right - 10, plate.top + 7))
    won = f"{seat.tricks} trick{'' if seat.tricks == 1 else 's'}, {seat.points} points"
    _put(surface, won, 18, QUIET, topleft=(plate.left + 10, plate.top + 27))


def _draw_played(surface: pygame.Surface, seat: SeatScene, side: str) -> None:
    """Draw a seat's card in the trick before it, with a golden edge when it was declared with."""
    across, down = TRICK_OFFSETS[side]
    place = pygame.Rect(0, 0, CARD_WIDTH, CARD_HEIGHT)
    place.center = (MIDDLE[0] + across, MIDDLE[1] + down)
    if seat.declared:
        pygame.draw.rect(surface, GOLD, place.inflate(10, 10), border_radius=10)
    surface.blit(picture_of(seat.played), place)


def _draw_talon(surface: pygame.Surface, scene: Scene) -> None:
    """Draw the talon in the middle; what was taken from there is only outlined."""
    number = sum(map(len, scene.talon)) + len(scene.talon) - 1  # a gap between the two of the two-hand game
    left = MIDDLE[0] - (number * (CARD_WIDTH + 6) - 6) // 2
    for heap, taken in zip(scene.talon, scene.taken, strict=True):
        for card in heap:
            place = pygame.Rect(left, MIDDLE[1] - CARD_HEIGHT // 2, CARD_WIDTH, CARD_HEIGHT)
            if taken:
                pygame.draw.rect(surface, PLATE_LINE, place, width=1, border_radius=7)
            else:
                surface.blit(picture_of(card), place)
            left += CARD_WIDTH + 6
        left += CARD_WIDTH + 6


# -- the score sheet -------------------------------------------------------------------------------------------------

_COLUMNS = (("seat", 8), ("total", 118), ("deal", 172), ("bolts", 218), ("falls", 258), ("barrel", 306))


def _draw_panel(surface: pygame.Surface, scene: Scene) -> None:
    """Draw the panel: rules, deal, trump, sheet, talon and last trick."""
    panel = pygame.Rect(TABLE, 0, PANEL, HEIGHT)
    pygame.draw.rect(surface, PANEL_GROUND, panel)
    left = TABLE + MARGIN
    top = _draw_rules(surface, scene.rules, left)
    _put(surface, scene.address, 22, WHITE, topleft=(left, top + 8))
    _put(surface, ", ".join([scene.phase, *scene.notes]), 22, GOLD, topleft=(left, top + 34))
    trump = _put(surface, "trump", 22, WHITE, topleft=(left, top + 68))
    if scene.trump == NONE:
        _put(surface, "none", 22, QUIET, topleft=(trump.right + 10, top + 68))
    else:
        square = pygame.Rect(trump.right + 10, top + 58, 34, 34)
        pygame.draw.rect(surface, WHITE, square, border_radius=6)
        surface.blit(suit_shape(scene.trump, 24), square.move(5, 5))
    top = _draw_sheet(surface, scene, left, top + 112)
    _draw_heaps(surface, scene, left, top + 16)


def _draw_rules(surface: pygame.Surface, rules: str, left: int) -> int:
    """Write the rules in up to four lines; return where the last one ends."""
    lines, words = [""], rules.split()
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if font(18).size(longer)[0] > PANEL - 2 * MARGIN and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) > 4:
        lines = [*lines[:3], f"{lines[3]} ..."]
    for number, line in enumerate(lines):
        _put(surface, fitted(line, 18, PANEL - 2 * MARGIN), 18, QUIET, topleft=(left, MARGIN + 17 * number))
    return MARGIN + 17 * len(lines)


def _draw_sheet(surface: pygame.Surface, scene: Scene, left: int, top: int) -> int:
    """Draw the score sheet, a line for each seat, and below it what the deal brought; return where it ends."""
    for title, right in _COLUMNS:
        edge = {"topleft": (left, top)} if title == "seat" else {"topright": (left + right - MARGIN, top)}
        _put(surface, title, 18, QUIET, **edge)
    pygame.draw.line(surface, QUIET, (left, top + 16), (WIDTH - MARGIN, top + 16))
    for seat in scene.seats:
        top += 26
        colour = GOLD if "winner" in seat.marks else WHITE
        _put(surface, f"player_{seat.seat}", 22, colour, topleft=(left, top))
        score = "" if seat.score is None else f"{seat.score:+d}"
        values = (str(seat.total), score, str(seat.bolts), str(seat.falls), seat.barrel)
        for (_, right), value in zip(_COLUMNS[1:], values, strict=True):
            shade = BELOW_ZERO if value.startswith("-") else colour
            _put(surface, value, 22, shade, topright=(left + right - MARGIN, top))
    top += 30
    for seat in scene.seats:
        if seat.events:
            _put(surface, f"player_{seat.seat}: {', '.join(seat.events)}", 20, GOLD, topleft=(left, top))
            top += 20
    return top


def _draw_heaps(surface: pygame.Surface, scene: Scene, left: int, top: int) -> None:
    """Draw the talon as it lay, and the last trick with who played what."""
    _put(surface, "talons" if len(scene.talon) > 1 else "talon", 18, QUIET, topleft=(left, top))
    across = left
    for heap in scene.talon:
        for card in heap:
            across = surface.blit(small(card), (across, top + 18)).right + 4
        across += 14
    if not scene.last_trick:
        return
    top += 18 + small(NONE).get_height() + 14
    _put(surface, "last trick", 18, QUIET, topleft=(left, top))
    for number, (seat, card) in enumerate(scene.last_trick):
        place = surface.blit(small(card), (left + 72 * number, top + 18))
        _put(surface, f"player_{seat}", 16, QUIET, midtop=(place.centerx, place.bottom + 3))
