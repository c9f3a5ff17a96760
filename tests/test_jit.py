"""Compilation: bit operations, the cache on disk, and kernels without the compiler."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import jit_probe
from thousand_env import jit

ROOT = Path(__file__).parent.parent

# A few kernels only: they compile in a second. `bid_limit` counts on a constant of another module, `cards`.
LITTLE = "from thousand_env import auction, rules; print(auction.bid_limit(0o14, rules.RuleSet().array()[0]))"


def python(*arguments: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with warnings as errors, on the package below `root`."""
    variables = {**os.environ, "PYTHONPATH": str(root), **environment}
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, cwd=root, env=variables, check=True, capture_output=True, text=True)


# -- bit operations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["popcount", "lowest", "highest"])
def test_compiled_counts_and_ends_of_words_are_those_of_plain_python(name: str) -> None:
    compiled, plain = getattr(jit_probe, name), getattr(jit, name)
    for word in jit_probe.words(2000):
        number = word & 2**63 - 1 or 1
        assert compiled(number) == plain(number)
    assert [jit.popcount(0b1011), jit.lowest(0b1010), jit.highest(0b1010)] == [3, 1, 3]
    assert jit_probe.popcount(0) == jit.popcount(0) == 0


def test_the_compiled_nth_bit_is_that_of_plain_python() -> None:
    rng = random.Random(1)
    for word in jit_probe.words(2000):
        number = word & 2**63 - 1 or 1
        n = rng.randrange(number.bit_count())
        assert jit_probe.nth_bit(number, n) == jit.nth_bit(number, n)
    assert [jit.nth_bit(0b101100, n) for n in range(3)] == [0b100, 0b1000, 0b100000]


def test_compiled_products_sums_and_hashes_of_words_are_those_of_plain_python() -> None:
    rng = random.Random(2)
    for word in jit_probe.words(2000):
        other, size = rng.getrandbits(64) - 2**63, rng.randrange(1, 2**31)
        assert jit_probe.mulhi(word, size) == jit.mulhi(word, size) < size
        assert jit_probe.mullo(word, other) == jit.mullo(word, other)
        assert jit_probe.add(word, other) == jit.add(word, other)
        assert jit_probe.mix(word) == jit.mix(word)
    assert [jit.mulhi(-1, 24), jit.mulhi(0, 24), jit.mulhi(1 << 62, 24)] == [23, 0, 6]
    assert [jit.mullo(2**62, 4), jit.add(2**63 - 1, 1)] == [0, -(2**63)]


def test_the_hash_is_the_finalizer_of_splitmix64() -> None:
    # The first numbers of splitmix64 from the seed 1234567, as other programs print them.
    step, state, numbers = 0x9E37_79B9_7F4A_7C15, 1234567, list[int]()
    for _ in range(3):
        state = jit.add(state, step)
        numbers.append(jit.mix(state) & jit.MASK64)
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


# -- one result, however compiled ------------------------------------------------------------------------------------


def test_portable_code_and_plain_python_make_the_same_bits() -> None:
    ours = jit_probe.bits()
    assert python("-m", "tests.jit_probe", "bits", THOUSAND_ENV_PORTABLE="1").stdout.strip() == ours
    assert python("-m", "tests.jit_probe", "bits", NUMBA_DISABLE_JIT="1").stdout.strip() == ours


def test_portable_code_deals_the_same_cards() -> None:
    assert python("-m", "tests.jit_probe", "packs", THOUSAND_ENV_PORTABLE="1").stdout.strip() == jit_probe.packs()


def test_without_the_compiler_the_same_deals_are_played_to_the_same_bytes() -> None:
    assert python("-m", "tests.jit_probe", "deals", NUMBA_DISABLE_JIT="1").stdout.strip() == jit_probe.deals()


# -- the cache -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder after a first run."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    first = python("-c", LITTLE, THOUSAND_ENV_CACHE=str(folder))
    assert (first.stdout, "compiling" in first.stderr) == ("160\n", True)
    return folder


def test_a_second_run_reads_the_cache(filled_cache: Path) -> None:
    again = python("-c", LITTLE, THOUSAND_ENV_CACHE=str(filled_cache))
    assert (again.stdout, again.stderr) == ("160\n", "")


@pytest.mark.parametrize(("suffix", "share"), [("nb?", 0.5), ("nbi", 0.0), ("nbc", 0.0)])
def test_a_truncated_cache_file_is_compiled_again(
    filled_cache: Path, tmp_path: Path, suffix: str, share: float
) -> None:
    folder = tmp_path / "cache"
    shutil.copytree(filled_cache, folder)
    files = sorted(folder.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: int(len(whole) * share)])
    assert python("-c", LITTLE, THOUSAND_ENV_CACHE=str(folder)).stdout == "160\n"
    repaired = python("-c", LITTLE, THOUSAND_ENV_CACHE=str(folder))
    assert (repaired.stdout, repaired.stderr) == ("160\n", "")


def test_an_edit_of_a_constant_in_an_imported_file_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "thousand_env", tmp_path / "thousand_env", ignore=shutil.ignore_patterns("__pycache__"))
    cards, cache = tmp_path / "thousand_env" / "cards.py", str(tmp_path / "cache")
    source = cards.read_text(encoding="utf-8")
    results: list[str] = []
    for points in ("120", "130", "120"):
        cards.write_text(source.replace("PACK_POINTS = 120", f"PACK_POINTS = {points}"), encoding="utf-8")
        results.append(python("-c", LITTLE, root=tmp_path, THOUSAND_ENV_CACHE=cache).stdout)
    assert results == ["160\n", "170\n", "160\n"]


def test_a_folder_that_cannot_be_written_costs_only_the_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    run = python("-c", LITTLE, THOUSAND_ENV_CACHE=str(blocked / "cache"), TMPDIR=str(tmp_path))
    assert run.stdout == "160\n"
