"""Faces: pictures of cards and suits, drawn once each and kept.

Suits are shapes, not letters of a font: a font that has them need not be there. Everything is drawn several times as
large and made smaller, which smooths its edges.
"""

import functools
import math

import pygame

from thousand_env.cards import rank_of, suit_of

CARD_WIDTH, CARD_HEIGHT = 66, 94
RANKS = ("9", "J", "Q", "K", "10", "A")
RED, BLACK = (200, 30, 45), (28, 30, 36)
WHITE, EDGE = (252, 252, 248), (120, 122, 126)
BACK, BACK_LINE = (38, 74, 128), (92, 130, 186)
GOLD = (240, 190, 70)
_LARGER = 4

Colour = tuple[int, int, int]


def suit_colour(suit: int) -> Colour:
    """Return the colour of a suit: spades and clubs are black, diamonds and hearts red."""
    return RED if suit >= 2 else BLACK


@functools.cache
def font(size: int) -> pygame.font.Font:
    """Return the font that comes with pygame, in a size."""
    pygame.font.init()
    return pygame.font.Font(None, size)


@functools.cache
def text(words: str, size: int, colour: Colour) -> pygame.Surface:
    """Return words as a picture."""
    return font(size).render(words, True, colour)


def _smaller(surface: pygame.Surface, width: int, height: int) -> pygame.Surface:
    return pygame.transform.smoothscale(surface, (width, height))


@functools.cache
def suit_shape(suit: int, size: int) -> pygame.Surface:
    """Return a suit's shape, `size` pixels wide and high."""
    side = size * _LARGER
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    surface.fill((*suit_colour(suit), 0))
    (_draw_spade, _draw_club, _draw_diamond, _draw_heart)[suit](surface, side, suit_colour(suit))
    return _smaller(surface, size, size)


def _draw_diamond(surface: pygame.Surface, side: float, colour: Colour) -> None:
    points = [(0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5)]
    pygame.draw.polygon(surface, colour, [(x * side, y * side) for x, y in points])


def _heart_outline(side: float) -> list[tuple[float, float]]:
    """Return the outline of a heart as points."""
    outline: list[tuple[float, float]] = []
    for step in range(120):
        angle = step * math.tau / 120
        x = 16 * math.sin(angle) ** 3
        y = 13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle) - math.cos(4 * angle)
        outline.append((side * (0.5 + x / 35), side * (0.45 - y / 33)))
    return outline


def _draw_heart(surface: pygame.Surface, side: float, colour: Colour) -> None:
    pygame.draw.polygon(surface, colour, _heart_outline(side))


def _draw_stem(surface: pygame.Surface, side: float, colour: Colour) -> None:
    points = [(0.47, 0.55), (0.53, 0.55), (0.56, 0.82), (0.66, 0.97), (0.34, 0.97), (0.44, 0.82)]
    pygame.draw.polygon(surface, colour, [(x * side, y * side) for x, y in points])


def _draw_spade(surface: pygame.Surface, side: float, colour: Colour) -> None:
    outline = [(x, side * 0.86 - y * 0.9) for x, y in _heart_outline(side)]
    pygame.draw.polygon(surface, colour, outline)
    _draw_stem(surface, side, colour)


def _draw_club(surface: pygame.Surface, side: float, colour: Colour) -> None:
    for x, y in ((0.5, 0.25), (0.26, 0.57), (0.74, 0.57)):
        pygame.draw.circle(surface, colour, (x * side, y * side), 0.225 * side)
    pygame.draw.circle(surface, colour, (0.5 * side, 0.5 * side), 0.12 * side)
    _draw_stem(surface, side, colour)


# -- cards -----------------------------------------------------------------------------------------------------------


def _blank(colour: Colour, edge: Colour) -> pygame.Surface:
    """Return a card with nothing on it."""
    width, height = CARD_WIDTH * _LARGER, CARD_HEIGHT * _LARGER
    surface = pygame.Surface((width, height), pygame.SRCALPHA)
    pygame.draw.rect(surface, edge, surface.get_rect(), border_radius=7 * _LARGER)
    pygame.draw.rect(surface, colour, surface.get_rect().inflate(-_LARGER * 2, -_LARGER * 2), border_radius=6 * _LARGER)
    return _smaller(surface, CARD_WIDTH, CARD_HEIGHT)


@functools.cache
def face(card: int) -> pygame.Surface:
    """Return a card face up: rank and suit in two corners, so that it can be read under other cards."""
    suit, surface = suit_of(card), _blank(WHITE, EDGE)
    rank = text(RANKS[rank_of(card)], 30, suit_colour(suit))
    corner = pygame.Surface((48, 22), pygame.SRCALPHA)
    corner.blit(suit_shape(suit, 18), corner.blit(rank, (0, 0)).move(3, 1).topright)
    surface.blit(corner, (6, 6))
    surface.blit(pygame.transform.rotate(corner, 180), (CARD_WIDTH - 54, CARD_HEIGHT - 28))
    surface.blit(suit_shape(suit, 34), suit_shape(suit, 34).get_rect(center=(CARD_WIDTH // 2, CARD_HEIGHT // 2)))
    return surface


@functools.cache
def back() -> pygame.Surface:
    """Return a card face down."""
    surface = _blank(BACK, WHITE)
    inner = pygame.Rect(6, 6, CARD_WIDTH - 12, CARD_HEIGHT - 12)
    for offset in range(-CARD_HEIGHT, CARD_WIDTH, 9):
        for start, end in (((offset, 6), (offset + 82, 88)), ((offset + 82, 6), (offset, 88))):
            clipped = inner.clipline(start, end)
            if clipped:
                pygame.draw.aaline(surface, BACK_LINE, *clipped)
    pygame.draw.rect(surface, BACK_LINE, inner, width=1, border_radius=3)
    return surface


def picture_of(card: int) -> pygame.Surface:
    """Return a card's face, or its back when it is NONE."""
    return face(card) if card >= 0 else back()


@functools.cache
def small(card: int) -> pygame.Surface:
    """Return a card, or its back when it is NONE, at two thirds of the size."""
    return _smaller(picture_of(card), CARD_WIDTH * 2 // 3, CARD_HEIGHT * 2 // 3)
