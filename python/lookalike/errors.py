"""What can go wrong. The class says what an error means, ``code`` which message it is.

``LookalikeError`` is above all of them; ``kind`` is one of ``"input"``, ``"infeasible"``, ``"audit"`` and ``"failed"``.

>>> import lookalike as la
>>> try:
...     la.anonymize(people, quasi=["age"], k=3, wieghts={"age": 1})
... except la.SettingsError as error:
...     print(error)
there is no argument wieghts: did you mean weights?
"""


class LookalikeError(Exception):
    """Anything that goes wrong here.

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
    """An argument is not known, is not what it must be, or excludes another one."""


class TableError(InputError):
    """The table cannot be read: column names that occur twice, types without a text, no rows."""


class NeedsAnswerError(InputError):
    """The table leaves something open that only a person knows, such as whether a person may have several rows (``rows_are``)."""


class SeriesError(InputError):
    """The table cannot be the next release of its series."""


class InfeasibleError(LookalikeError, ValueError):
    """No release gives the guarantee."""

    kind = "infeasible"


class NotEligibleError(InfeasibleError):
    """One sensitive value is too frequent for ``m``, and no change that is allowed helps (``eligibility``)."""


class AuditError(LookalikeError):
    """The audit refuses the table that would be published. Nothing is published of it."""

    kind = "audit"


class FailedError(LookalikeError, RuntimeError):
    """A part of the program or of the machine failed."""

    kind = "failed"


class Stopped(UserWarning):
    """Ctrl-C ended the search: the result is the best until then, audited like any other."""
