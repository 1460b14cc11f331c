"""Errors. The class says what an error means; ``code`` identifies its message.

``LookalikeError`` is the base class of all; ``kind`` is one of ``"input"``, ``"infeasible"``, ``"audit"`` and ``"failed"``.

>>> import lookalike as la
>>> try:
...     la.anonymize(people, quasi=["age"], k=3, wieghts={"age": 1})
... except la.SettingsError as error:
...     print(error)
there is no argument wieghts: did you mean weights?
"""


class LookalikeError(Exception):
    """The base class of all errors of this package.

    ``code`` is the identity of the message in the catalogue, such as ``"core.Conflict.ConditionsUnderMInvariance"``; empty for
    messages of Python alone.
    """

    kind = "failed"

    def __init__(self, message: str = "", code: str = "") -> None:
        super().__init__(message)
        self.code = code


class InputError(LookalikeError, ValueError):
    """What was given or asked for contradicts itself, or does not fit the table."""

    kind = "input"


class SettingsError(InputError):
    """An argument is unknown, has a wrong value, or excludes another one."""


class TableError(InputError):
    """The table cannot be read: column names that occur twice, types that cannot be written as text, no rows."""


class NeedsAnswerError(InputError):
    """The table leaves something open that only a person knows, such as whether a person may have several rows (``rows_are``)."""


class SeriesError(InputError):
    """The table cannot be the next release of its series."""


class InfeasibleError(LookalikeError, ValueError):
    """No release can give the guarantee."""

    kind = "infeasible"


class NotEligibleError(InfeasibleError):
    """One sensitive value is too frequent for ``m``, and no change that is allowed helps (``eligibility``)."""


class AuditError(LookalikeError):
    """The audit refuses the table that would be published. Nothing is published."""

    kind = "audit"


class FailedError(LookalikeError, RuntimeError):
    """A part of the program or of the machine failed."""

    kind = "failed"


class SmallSeed(UserWarning):
    """A table is published with a seed below 2**48, which an attacker finds by trying."""


class Stopped(UserWarning):
    """Ctrl-C ended the search: the result is the best so far, audited like any other."""
