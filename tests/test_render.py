"""Pictures of the table: what is on them, who sees it, and where they cannot be drawn."""

import builtins
import copy
import itertools
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import deal_v0, engine
from thousand_env.cards import FULL_PACK, NUM_CARDS
from thousand_env.envs import faces, render
from thousand_env.envs.render import HEIGHT, WIDTH, picture
from thousand_env.envs.scene import Scene, in_hand_order, scene_of
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, NONE, PLAY, SCORED, new_states


@pytest.fixture(autouse=True)
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are opened on no screen, and nobody waits for the time their pictures are due."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(deal_v0.raw_env.metadata, "render_fps", 0)


def positions(rules: RuleSet, deals: int) -> Iterator[NDArray[Any]]:
    """Yield every position of some deals played by chance."""
    rng, states = np.random.default_rng(2), new_states(1)
    for match in range(deals):
        engine.start_matches(states, rules.array(), np.array([4]), np.array([match]))
        while states["phase"][0] < SCORED:
            yield states
            legal = np.flatnonzero(engine.legal_actions(states, rules.array())[0])
            engine.step(states, rules.array(), rng.choice(legal, 1))
        yield states


def begun(**options: Any) -> Any:
    env: Any = deal_v0.env(**options)
    env.reset(seed=3)
    return env


def step_to(env: Any, phase: int) -> None:
    """Act with the first legal action, passing where that is possible, until this phase."""
    while env.unwrapped.states["phase"][0] < phase:
        mask = env.last()[0]["action_mask"]
        env.step(36 if mask[36] else int(mask.argmax()))


def cards_of(scene: Scene) -> list[int]:
    """Every card that is face up in a hand, in the trick or in a talon that nobody has taken."""
    cards = [card for seat in scene.seats for card in (*seat.known, seat.played) if card != NONE]
    heaps = [heap for heap, taken in zip(scene.talon, scene.taken, strict=True) if not taken]
    return cards + [card for heap in heaps for card in heap if card != NONE]


# -- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_position_has_a_picture_of_one_size(name: str, players: int) -> None:
    rules = table(name, players)
    for number, states in enumerate(positions(rules, deals=1)):
        viewer = None if number % 3 else number % players
        pixels = picture(scene_of(states, rules, viewer))
        assert (pixels.shape, pixels.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
        assert pixels.std() > 10
        assert pixels.flags.writeable


def test_the_same_position_has_the_same_picture() -> None:
    one, other = begun(render_mode="rgb_array"), begun(render_mode="rgb_array")
    assert (one.render() == other.render()).all()
    assert one.render() is not one.render()


def test_another_card_is_another_picture_where_it_lies_and_nowhere_else() -> None:
    rules = RuleSet.parse("core players=3")
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([4]), np.array([0]))
    before = picture(scene_of(states, rules))
    own, other = (int(states["hands"][0, seat]) for seat in (0, 1))
    states["hands"][0, :2] = other, own
    changed = (picture(scene_of(states, rules)) != before).any(axis=2)
    assert changed[HEIGHT - faces.CARD_HEIGHT - render.MARGIN :, 40:700].mean() > 0.05  # seat 0 sits at the bottom
    assert changed[100:640, : faces.CARD_WIDTH + render.MARGIN].mean() > 0.02  # seat 1 on the left
    assert not changed[:620, 560:].any()  # the score sheet and seat 2 on the right are as they were


def test_every_card_has_its_own_face_and_none_looks_like_a_back() -> None:
    surfaces = [faces.back(), *map(faces.face, range(NUM_CARDS))]
    assert len({render.pygame.image.tobytes(surface, "RGBA") for surface in surfaces}) == NUM_CARDS + 1


def test_every_action_and_every_line_of_the_sheet_is_seen() -> None:
    rules = RuleSet.parse("core")
    pictures = [picture(scene_of(states, rules)) for states in positions(rules, deals=1)]
    assert all((one != other).any() for one, other in itertools.pairwise(pictures))
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([4]), np.array([0]))
    for field, value in (("trump", 2), ("totals", 300), ("bolts", 2), ("falls", 1), ("tricks", 7), ("attempt", 1)):
        other = states.copy()
        other[field] = value
        assert (picture(scene_of(other, rules)) != pictures[0]).any(), field


def test_words_that_are_too_long_are_cut_off() -> None:
    long = "talon_at_100=declarer_chooses" * 4
    cut = render.fitted(long, 18, 200)
    assert cut.endswith("...")
    assert faces.font(18).size(cut)[0] <= 200
    assert render.fitted("core", 18, 200) == "core"


# -- scenes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_spectator_sees_every_card_once(name: str, players: int) -> None:
    rules = table(name, players)
    for states in positions(rules, deals=4):
        scene, state = scene_of(states, rules), states[0]
        seen = cards_of(scene)
        captured = sum(int(cards) for cards in state.captured)
        assert sum(1 << card for card in seen) | captured == FULL_PACK
        assert len(seen) == len(set(seen))
        assert all(seat.hidden == 0 for seat in scene.seats)
        assert [in_hand_order(int(state.hands[seat])) for seat in range(players)] == [
            seat.known for seat in scene.seats
        ]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_viewer_sees_what_its_view_shows_and_the_backs_of_the_rest(name: str, players: int) -> None:
    rules, backs = table(name, players), 0
    for states in positions(rules, deals=4):
        for viewer in range(players):
            scene, state = scene_of(states, rules, viewer), states[0]
            assert scene.viewer == viewer
            for seat in scene.seats:
                held = {card for card in range(NUM_CARDS) if state.hands[seat.seat] >> card & 1}
                assert set(seat.known) <= held
                assert seat.hidden == len(held) - len(seat.known)
                backs += seat.hidden
            seen = cards_of(scene)
            assert len(seen) == len(set(seen))
    assert backs > 100


def test_talon_cards_that_a_bonus_showed_lie_face_up_for_its_user_alone() -> None:
    env = begun(rules="core players=2 bonus_card=4 first_dealer=1")
    for card in (110, 113):  # bonus:card1 and bonus:card4, one of each talon
        env.step(card)
    states, rules = env.unwrapped.states, env.unwrapped.rules
    order = [int(states["talon_order"][0]) >> 5 * place & 31 for place in range(4)]
    assert scene_of(states, rules, 0).talon == ((order[0], NONE), (NONE, order[3]))
    assert scene_of(states, rules, 1).talon == ((NONE, NONE), (NONE, NONE))


def test_a_viewers_picture_is_that_of_its_own_cards() -> None:
    env = begun(render_mode="rgb_array", viewer=1)
    before = env.render()
    hands = env.unwrapped.states["hands"][0]
    hands[[0, 2]] = hands[[2, 0]]
    assert (env.render() == before).all()
    hands[[0, 1]] = hands[[1, 0]]
    assert (env.render() != before).any()


def test_the_viewer_sits_at_the_bottom_and_the_next_seat_on_the_left() -> None:
    rules = RuleSet.parse("core players=4")
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([4]), np.array([0]))
    assert render.SIDES[4] == ("bottom", "left", "top", "right")
    for viewer in range(4):
        pixels = picture(scene_of(states, rules, viewer))
        dealer = int(states["dealer"][0])
        at_the_bottom = pixels[HEIGHT - faces.CARD_HEIGHT - render.MARGIN : HEIGHT - render.MARGIN, 100:650]
        assert (at_the_bottom.std(axis=(0, 1)).max() < 1) == (viewer == dealer), "the dealer of four has no cards"


def test_what_was_called_and_who_is_what_stand_in_the_scene() -> None:
    env = begun(rules="core first_dealer=2")
    env.step(37 + 2)  # player_0 bids 110
    env.step(36)
    rules, states = env.unwrapped.rules, env.unwrapped.states
    scene = scene_of(states, rules)
    assert [seat.call for seat in scene.seats] == ["bid 110", "pass", ""]
    assert [seat.marks for seat in scene.seats] == [("declarer",), (), ("dealer", "turn")]
    step_to(env, PLAY)
    assert scene_of(states, rules).seats[0].call == "contract 110"
    assert scene_of(states, rules).notes == ("talon shown",)
    step_to(env, SCORED)
    scene = scene_of(states, rules)
    assert [seat.score for seat in scene.seats] == states["score"][0, :3].tolist()
    assert len(scene.last_trick) == 3


# -- modes -----------------------------------------------------------------------------------------------------------


def test_human_mode_opens_a_window_and_shows_every_step_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Scene] = []

    def show(_window: render.Window, scene: Scene) -> None:
        shown.append(scene)

    monkeypatch.setattr(render.Window, "show", show)
    env = begun(render_mode="human")
    assert len(shown) == 1
    assert env.render() is None
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert len(shown) == 3
    env.close()
    env.close()


def test_a_window_shows_the_picture() -> None:
    env = begun(render_mode="human")
    screen = render.pygame.display.get_surface()
    assert screen is not None
    assert screen.get_size() == (WIDTH, HEIGHT)
    pixels = render.pygame.image.tobytes(screen, "RGB")
    assert pixels == picture(scene_of(env.unwrapped.states, env.unwrapped.rules)).tobytes()
    env.close()
    assert not render.pygame.display.get_init()


def test_without_a_display_the_error_names_the_modes_that_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_size: Any) -> None:
        raise render.pygame.error("No available video device")

    monkeypatch.setattr(render.pygame.display, "set_mode", refuse)
    with pytest.raises(ThousandError, match=r"no window can be opened \(No available .*'rgb_array' or 'ansi'"):
        begun(render_mode="human")


def test_a_window_that_nobody_could_see_is_an_error_unless_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render.pygame.display, "get_driver", lambda: "offscreen")
    begun(render_mode="human").close()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    with pytest.raises(ThousandError, match=r"no window can be opened \(there is no display\)"):
        begun(render_mode="human")


@pytest.mark.parametrize("mode", ["human", "rgb_array"])
def test_without_pygame_the_error_says_how_to_install_it(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_pygame(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "pygame":
            raise ModuleNotFoundError("No module named 'pygame'", name="pygame")
        return real(name, *rest)

    import thousand_env.envs as package

    for module in ("thousand_env.envs.render", "thousand_env.envs.faces", "pygame"):
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delattr(package, "render")
    monkeypatch.setattr(builtins, "__import__", without_pygame)
    with pytest.raises(ThousandError, match=rf"render_mode='{mode}' draws with pygame-ce, .* 'thousand-env\[render\]'"):
        deal_v0.env(render_mode=mode)
    assert deal_v0.env(render_mode="ansi").unwrapped.render_mode == "ansi"


def test_a_copy_of_an_environment_opens_a_window_of_its_own() -> None:
    env = begun(render_mode="human")
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        step_to(twin, AUCTION + 1)
        assert twin.render() is None
    env.close()
