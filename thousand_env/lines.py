"""Lines of a transcript: cut into words and numbered, and the fault that names one."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from thousand_env.errors import NotationError, ThousandError
from thousand_env.moves import MOVE_WORDS
from thousand_env.reading import TRICK
from thousand_env.state import EVENT_WORDS

UNFINISHED = "unfinished"
HEADER_WORDS = ("attempt", "redeals", "fine", "golden")  # what may stand between a deal and its moves
WORDS = (
    *("rules", "start", "deal", *HEADER_WORDS, *MOVE_WORDS, "score"),
    *(word for word in EVENT_WORDS if word not in HEADER_WORDS),
    *("total", UNFINISHED),
)


class LineError(NotationError):
    """A fault of a transcript: `message` says what was found in `line` and what was expected."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class Line:
    """One line without its comment: its number in the text, counted from 1, and its words."""

    number: int
    words: list[str]

    @property
    def text(self) -> str:
        """The words with one space between them."""
        return " ".join(self.words)


@dataclass
class Cursor:
    """The lines of one deal, and the number of the last line for what is missing at its end."""

    lines: list[Line]
    end: int

    def word(self) -> str:
        """Return the word of the next line, empty when there is none."""
        return self.lines[0].words[0] if self.lines else ""

    def take(self) -> Line:
        """Return the next line and go on behind it."""
        return self.lines.pop(0)

    def take_while(self, words: Sequence[str]) -> list[Line]:
        """Return the next lines as long as they begin with one of these words."""
        taken: list[Line] = []
        while self.word() in words:
            taken.append(self.take())
        return taken

    def missing(self, expected: str) -> LineError:
        """Return the fault of finding anything else here."""
        if not self.lines:
            return LineError(self.end, f"found nothing more, expected {expected}")
        line = self.lines[0]
        known = line.words[0] in WORDS or TRICK.fullmatch(line.words[0])
        hint = "" if known else f"; the words are {', '.join(WORDS)}"
        return LineError(line.number, f"found {line.text!r}, expected {expected}{hint}")


@contextmanager
def at(line: Line) -> Generator[None]:
    """Turn any mistake found inside into a fault of the line."""
    try:
        yield
    except LineError:
        raise
    except ThousandError as error:
        raise LineError(line.number, str(error)) from None


def cut(text: str) -> list[Line]:
    """Return the lines of a text that say something."""
    lines = [Line(number, line.partition(";")[0].split()) for number, line in enumerate(text.split("\n"), start=1)]
    return [line for line in lines if line.words]


def split(lines: Sequence[Line], word: str) -> list[list[Line]]:
    """Return the stretches of lines that begin with a word; what comes before the first is left out."""
    groups: list[list[Line]] = []
    for line in lines:
        if line.words[0] == word:
            groups.append([line])
        elif groups:
            groups[-1].append(line)
    return groups
