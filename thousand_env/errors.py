"""What can go wrong for a user: every error says what was given, where, and what was expected."""


class ThousandError(ValueError):
    """Any mistake in what the library was given."""


class RuleError(ThousandError):
    """A rule set that cannot be played."""


class NotationError(ThousandError):
    """Text that is not in the notation, or says something that did not happen."""


class IllegalAction(ThousandError):
    """An action the rules forbid here; nothing was changed."""
