"""Texts that name opponents: read by what installed packages provide, with a clear word when none does."""

from pathlib import Path
from typing import Any

import pytest

from thousand_env.envs.opponents import GROUP, opponents_by_seat
from thousand_env.envs.single import SingleDealEnv
from thousand_env.errors import ThousandError
from thousand_env.rules import CORE

PROVIDER = """
from thousand_env.envs.policies import CappedUniform, Uniform


def read(text, rules):
    assert rules.players == 3
    name, _, cap = text.partition(" cap=")
    return {"uniform": Uniform(), "careful": CappedUniform(int(cap or 120))}[name]
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that is searched before all others."""
    monkeypatch.syspath_prepend(tmp_path)  # pyright: ignore[reportUnknownMemberType]  # pytest leaves it open
    return tmp_path


def install(site: Path, package: str, value: str, code: str | None = None) -> None:
    """Install a package that provides opponents."""
    folder = site / f"{package}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{package} = {value}\n", encoding="utf-8")
    if code is not None:
        (site / f"{package}.py").write_text(code, encoding="utf-8")


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No package provides opponents, whatever is installed where the tests run."""
    from importlib.metadata import entry_points

    import thousand_env.envs.opponents as opponents

    def of_tests(*, group: str) -> Any:
        return [reader for reader in entry_points(group=group) if reader.name.startswith("bots_of_tests")]

    monkeypatch.setattr(opponents, "entry_points", of_tests)


@pytest.mark.usefixtures("nothing_installed")
def test_without_a_provider_a_text_is_refused_and_says_what_would_read_it() -> None:
    with pytest.raises(ThousandError, match="opponents='heuristic': no package provides the entry point"):
        SingleDealEnv(opponents="heuristic")


@pytest.mark.usefixtures("nothing_installed")
def test_a_text_is_read_by_the_package_that_is_installed(site: Path) -> None:
    install(site, "bots_of_tests_a", "bots_of_tests_a:read", PROVIDER)
    one, own, other = opponents_by_seat(["uniform", None, "careful cap=100"], 1, CORE)
    assert (repr(one), own, repr(other)) == ("Uniform()", None, "CappedUniform(cap=100)")
    env = SingleDealEnv(opponents="careful", seat=2)
    env.reset(seed=1)


@pytest.mark.usefixtures("nothing_installed")
def test_of_several_packages_a_text_names_the_one_that_reads_it(site: Path) -> None:
    for package in ("bots_of_tests_b", "bots_of_tests_c"):
        install(site, package, f"{package}:read", PROVIDER)
    with pytest.raises(ThousandError, match=r"several packages read .* of bots_of_tests_b, bots_of_tests_c"):
        opponents_by_seat("uniform", 0, CORE)
    assert repr(opponents_by_seat("bots_of_tests_c: uniform", 0, CORE)[1]) == "Uniform()"


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("value", ["bots_of_tests_d:read", "bots_of_tests_d_missing:read"])
def test_a_package_that_is_not_there_is_no_traceback_of_an_import(site: Path, value: str) -> None:
    install(site, "bots_of_tests_d", value, "")
    with pytest.raises(ThousandError, match=r"bots_of_tests_d.*:read, which reads the texts.* cannot be imported"):
        opponents_by_seat("uniform", 0, CORE)


def test_the_checkout_provides_the_bots_of_agents(site: Path) -> None:
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition(f'[project.entry-points."{GROUP}"]\n')[2].partition("\n")[0]
    assert section == 'agents = "agents:load"'
    install(site, "agents_of_tests", "agents:load")
    env = SingleDealEnv(opponents="agents_of_tests: passer", seat=0)
    env.reset(seed=1)
    assert repr(env.states["bid"][0])
