"""Compilation: the only module that imports numba.

`kernel` compiles a function in nopython mode and caches the machine code on disk. numba's own cache looks at one
source file at a time and keeps stale code when an imported constant changes; here the cache lives in a folder named
after a hash of every source file of the packages involved, so that any edit starts afresh.

The bit operations at the end are single machine instructions in compiled code and plain Python when
`NUMBA_DISABLE_JIT=1` is set; both give the same numbers.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.core.caching
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic, overload

F = TypeVar("F", bound=Callable[..., Any])

MASK64 = 0xFFFF_FFFF_FFFF_FFFF
_PORTABLE = bool(os.environ.get("THOUSAND_ENV_PORTABLE"))


def _has_bit_deposit() -> bool:
    """Whether the processor deposits bits in one instruction (x86 BMI2) and nobody asked for portable code."""
    import llvmlite.binding as llvm

    return not _PORTABLE and bool(llvm.get_host_cpu_features().get("bmi2", False))


BIT_DEPOSIT = _has_bit_deposit()


# -- the cache -------------------------------------------------------------------------------------------------------


_LAB = ("agents", "train", "experiments", "benchmarks")  # packages of a checkout whose kernels call one another


def _sources(package: str) -> list[Path]:
    """Return every file whose change can change the machine code of a kernel in `package`."""
    module = sys.modules.get(package)
    file = Path(getattr(module, "__file__", None) or __file__).resolve()
    own = Path(__file__).resolve().parent
    sources = sorted(own.rglob("*.py"))
    if package == own.name:
        return sources
    if package in _LAB:
        return sources + [source for name in _LAB for source in sorted((file.parent.parent / name).rglob("*.py"))]
    return [*sources, *(sorted(file.parent.rglob("*.py")) if hasattr(module, "__path__") else [file])]


@functools.cache
def _digest(package: str) -> str:
    digest = hashlib.sha256(f"numba {numba.__version__} bit deposit {BIT_DEPOSIT}".encode())
    for source in _sources(package):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: `$THOUSAND_ENV_CACHE`, else the user's cache folder, else a temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    wanted = Path(os.environ.get("THOUSAND_ENV_CACHE") or Path(home, "thousand_env")).expanduser()
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=wanted).close()
    except OSError:
        return Path(tempfile.gettempdir(), f"thousand_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    return wanted


class _Locator(numba.core.caching._CacheLocator):  # pyright: ignore[reportPrivateUsage] numba offers no public hook
    def __init__(self, py_func: Any, py_file: str) -> None:
        package = py_func.__module__.partition(".")[0]
        self._stamp = _digest(package)
        self._path = cache_folder() / f"{package}-{self._stamp}"
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _Impl(numba.core.caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 the base class declares it so


@functools.cache
def _say_compiling() -> None:
    print("thousand_env: compiling kernels (first run on this machine, about half a minute) ...", file=sys.stderr)


class _Cache(numba.core.caching.FunctionCache):
    _impl_class = _Impl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code, or None when it is missing or unreadable (a run was killed while writing)."""
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 a damaged file may raise anything; compiling again repairs it
            self.flush()
            found = None
        if found is None:
            _say_compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code; a damaged index is replaced, an unwritable folder costs only the next start."""
        try:
            super().save_overload(sig, data)
        except OSError:
            return
        except Exception:  # noqa: BLE001 the index, too, may be damaged in any way
            self.flush()
            super().save_overload(sig, data)


def kernel(function: F) -> F:
    """Compile `function` with numba, cached on disk; with `NUMBA_DISABLE_JIT=1` return it unchanged.

    Compiled kernels let other Python threads run beside them.
    """
    if config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue] numba sets it when it is imported
        return function
    dispatcher: Any = numba.njit(error_model="numpy", nogil=True)(function)
    dispatcher._cache = _Cache(function)
    return dispatcher


def record_dtype(fields: list[tuple[Any, ...]]) -> "np.dtype[Any]":
    """Return an aligned record dtype whose rows have named attributes, in kernels and in Python alike."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


# -- bit operations --------------------------------------------------------------------------------------------------
# Arguments and results are int64; where bits matter and not value (random words), the 64 bits are the word.


def popcount(bits: int) -> int:
    """Return how many bits are set; `bits` is not negative."""
    return int(bits).bit_count()


def lowest(bits: int) -> int:
    """Return the index of the lowest set bit; `bits` is positive."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def highest(bits: int) -> int:
    """Return the index of the highest set bit; `bits` is positive."""
    return int(bits).bit_length() - 1


def nth_bit(bits: int, n: int) -> int:
    """Return the n-th lowest set bit of `bits` as a mask, counting from 0; `bits` has more than n bits."""
    bits = int(bits)
    for _ in range(int(n)):
        bits &= bits - 1
    return bits & -bits


def mulhi(word: int, n: int) -> int:
    """Return floor(word * n / 2**64) for an unsigned word: a number below n when the word is random."""
    return ((int(word) & MASK64) * (int(n) & MASK64)) >> 64


def mullo(word: int, n: int) -> int:
    """Return the low 64 bits of word * n, as int64."""
    return _signed(int(word) * int(n))


def mix(word: int) -> int:
    """Return `word` hashed (the splitmix64 finalizer, Steele et al. 2014), as int64."""
    z = int(word) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) & MASK64
    return _signed(z ^ (z >> 31))


def add(word: int, other: int) -> int:
    """Return word + other modulo 2**64, as int64."""
    return _signed(int(word) + int(other))


def _signed(word: int) -> int:
    word &= MASK64
    return word - (1 << 64) if word >> 63 else word


def _unary(emit: Callable[[Any, Any], Any]) -> Any:
    @intrinsic
    def operation(_typing: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.int64), generate

    return operation


def _binary(emit: Callable[[Any, Any, Any], Any]) -> Any:
    @intrinsic
    def operation(_typing: Any, _bits: Any, _other: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0], arguments[1])

        return types.int64(types.int64, types.int64), generate

    return operation


_I64, _I128, _BIT = ir.IntType(64), ir.IntType(128), ir.IntType(1)


def _emit_mulhi(builder: Any, word: Any, n: Any) -> Any:
    product = builder.mul(builder.zext(word, _I128), builder.zext(n, _I128))
    return builder.trunc(builder.lshr(product, _I128(64)), _I64)


def _emit_deposit(builder: Any, source: Any, bits: Any) -> Any:
    function_type = ir.FunctionType(_I64, [_I64, _I64])
    deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), function_type)
    return builder.call(deposit, [source, bits])


_ctpop = _unary(lambda builder, bits: builder.ctpop(bits))
_cttz = _unary(lambda builder, bits: builder.cttz(bits, _BIT(1)))
_ctlz = _unary(lambda builder, bits: builder.ctlz(bits, _BIT(1)))
_mulhi = _binary(_emit_mulhi)
_mullo = _binary(lambda builder, word, n: builder.mul(word, n))
_add = _binary(lambda builder, word, other: builder.add(word, other))
_shift = _binary(lambda builder, word, n: builder.lshr(word, n))
_deposit = _binary(_emit_deposit)


@overload(popcount, strict=False)
def _popcount(bits: Any) -> Any:
    return lambda bits: _ctpop(bits)


@overload(lowest, strict=False)
def _lowest(bits: Any) -> Any:
    return lambda bits: _cttz(bits)


@overload(highest, strict=False)
def _highest(bits: Any) -> Any:
    return lambda bits: 63 - _ctlz(bits)


@overload(mulhi, strict=False)
def _mulhi_overload(word: Any, n: Any) -> Any:
    return lambda word, n: _mulhi(word, n)


@overload(mullo, strict=False)
def _mullo_overload(word: Any, n: Any) -> Any:
    return lambda word, n: _mullo(word, n)


@overload(add, strict=False)
def _add_overload(word: Any, other: Any) -> Any:
    return lambda word, other: _add(word, other)


@overload(mix, strict=False)
def _mix(word: Any) -> Any:
    first, second = _signed(0xBF58_476D_1CE4_E5B9), _signed(0x94D0_49BB_1331_11EB)

    def compiled(word: Any) -> Any:
        z = _mullo(word ^ _shift(word, 30), first)
        z = _mullo(z ^ _shift(z, 27), second)
        return z ^ _shift(z, 31)

    return compiled


@overload(nth_bit, strict=False)
def _nth_bit(bits: Any, n: Any) -> Any:
    if BIT_DEPOSIT:
        return lambda bits, n: _deposit(1 << n, bits)

    def compiled(bits: Any, n: Any) -> Any:
        for _ in range(n):
            bits &= bits - 1
        return bits & -bits

    return compiled
