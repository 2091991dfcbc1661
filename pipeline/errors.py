"""Every error that pdfdocket raises on purpose; each carries a remedy for the person who reads it."""


class DocketError(Exception):
    """Base class. `message` says what is wrong and names the file; `remedy` says what to do about it."""

    exit_code = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """One line: the message and the remedy."""
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class DocumentError(DocketError):
    """A document that cannot be read; `state` is one of the document states other than ok and partial."""

    def __init__(self, state: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.state = state


class ClockLimit(DocumentError):
    """A document that was not parsed in its time; on another day or machine it may be."""


class QuestionError(DocketError):
    """A question that is no question: empty or too long."""


class UsageError(DocketError):
    """A wrong flag, setting or path."""


class RulebookError(DocketError):
    """A rulebook that does not load: unknown fact, wrong type, missing default rule."""

    exit_code = 3


class RuleConflict(RulebookError):
    """Two firing rules ask for the same pattern with different parameters."""


class RecordError(DocketError):
    """A record that cannot be read or was changed: wrong hash, unknown schema, torn line."""


class SchemaUnknown(RecordError):
    """A record of a schema version that this program does not read: newer, or older without a migration."""


class EffectMissing(DocketError):
    """A replay met an impure call without a recording."""


class BatchStopped(DocketError):
    """A batch that ends at its first failed row because that was asked for."""


class BatchInterrupted(DocketError):
    """A batch that was interrupted by Ctrl-C; what is in its journal stays."""

    exit_code = 130
