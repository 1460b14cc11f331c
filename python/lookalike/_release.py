"""A run from a frame to a published table."""

from __future__ import annotations

import html
import io
import json
import os
import warnings
from functools import cached_property
from typing import Any, Callable, NamedTuple

from . import _core
from ._arguments import configuration, published_with, settings, shown, stream
from ._pictures import pictures
from .errors import Stopped


class Bound(NamedTuple):
    """A proven lower bound: no partition into admissible classes loses less than ``value``."""

    value: float
    gap_percent: float
    proven_by: str
    of: str


class Table:
    """A table whose cells are texts, as it is published: an Arrow stream for any library that takes one.

    >>> table = anonymize(people, quasi=["age", "sex"], k=3, seed=1).table
    >>> table.columns
    ['age', 'sex', 'class']
    >>> table.to_pandas().shape
    (6, 3)
    """

    def __init__(self, csv: bytes) -> None:
        self.csv = csv

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _core.stream_of(self.csv)

    def to_pandas(self) -> Any:
        """As a pandas frame of texts."""
        import pandas

        return pandas.read_csv(io.BytesIO(self.csv), dtype=str, keep_default_na=False)

    def to_polars(self) -> Any:
        """As a polars frame of texts."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """As a pyarrow table of texts."""
        import pyarrow

        return pyarrow.table(self)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The rows, without the names of the columns."""
        return self._read()[1:]

    @cached_property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._read(1)[0]

    def _read(self, most: int | None = None) -> list[list[str]]:
        import csv
        from itertools import islice

        return list(islice(csv.reader(io.StringIO(self.csv.decode(), newline="")), most))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<lookalike.Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return _html(self.columns, self._read(11)[1:], len(self))


def _html(columns: list[str], rows: list[list[str]], of: int) -> str:
    def cells(tag: str, row: list[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

    body = "".join(cells("td", row) for row in rows)
    rest = f"<p>{of} rows, the first {len(rows)} shown</p>" if of > len(rows) else ""
    return f"<table><thead>{cells('th', columns)}</thead><tbody>{body}</tbody></table>{rest}"


class Release:
    """A published table with the records of its run. The audit passed: a run returns no other release.

    >>> release = anonymize(people, quasi=["age", "sex"], k=3, seed=1)
    >>> release.table.rows[0]
    ['[34-36]', '{f, m}', '1']
    >>> release.report["classes"]["count"]
    2
    """

    def __init__(self, core: _core.Release) -> None:
        self._core = core

    @property
    def csv(self) -> bytes:
        """The published bytes: those that the audit read, and that the command line writes for the same table."""
        return self._core.published

    @cached_property
    def table(self) -> Table:
        """The published table."""
        return Table(self.csv)

    @cached_property
    def classes(self) -> Table:
        """Which row of the source is in which class: not to be published. Rows count from 0; counterfeits are ``+1``, ``+2``."""
        return Table(self._core.classes)

    @cached_property
    def report(self) -> dict[str, Any]:
        """The report of the run, publishable (``docs/report.schema.json``)."""
        return json.loads(self._core.report())

    @cached_property
    def exact(self) -> dict[str, Any]:
        """The report with all figures, some of which ``report`` does not have if counterfeits were added: not to be published."""
        return json.loads(self._core.exact())

    @cached_property
    def private(self) -> dict[str, Any]:
        """The record of the run, with its seed and the fates of rows: not to be published."""
        return json.loads(self._core.private())

    @cached_property
    def comparison(self) -> dict[str, Any]:
        """The release beside its source, as the page shows it: ``groups`` (size of a group of equal quasi-identifiers in the source,
        rows in such groups), ``classes`` (size, number of classes of it), ``columns`` (how often values occur, before and after, as
        shares), ``correlations``, ``risk`` of the source. Not to be published."""
        return json.loads(self._core.comparison())

    @property
    def audit(self) -> dict[str, Any]:
        """What the audit found in the published bytes."""
        return self.report["audit"]

    @property
    def loss(self) -> float:
        """The loss that was reached, in the unit of the loss that was asked for."""
        return self.exact["objective"]["value"]

    @property
    def bound(self) -> Bound | None:
        """The proven lower bound on the loss; ``None`` if nothing is proven."""
        found = self.exact["bound"]
        if found is None:
            return None
        return Bound(found["value"], found["gap_percent"], found["proven_by"]["text"], found["of"])

    @property
    def status(self) -> str | None:
        """Why the search stopped, such as ``"optimal"`` or ``"effort-spent"``."""
        status = self.exact["status"]
        return status["name"] if isinstance(status, dict) else status

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self._core.interrupted

    @property
    def seed(self) -> int:
        """The seed of the random choices: an attacker who knows it and the table can repeat them."""
        return self._core.seed

    @property
    def warnings(self) -> list[str]:
        """What the reader of the table should know, and oddities of the source."""
        return self._core.warnings + [said["text"] for said in self.exact["warnings"]]

    @property
    def configuration(self) -> str:
        """The settings as a configuration file, with the kind of each column as it was read: for ``--config`` and ``config=``."""
        return self._core.configuration()

    def statement(self, source: str | None = None, table: str | None = None, report: str | None = None) -> str:
        """The statement of the run to print and file, as HTML: not to be published, since it names the seed.

        ``source``, ``table`` and ``report`` are the names of the files as it names them.
        """
        return self._core.statement(source, table, report)

    def statement_json(self, source: str | None = None, table: str | None = None, report: str | None = None) -> str:
        """The statement as data (``docs/statement.schema.json``), for registers and reports of others: not to be published.

        The names are those of :meth:`statement`.
        """
        return self._core.statement_json(source, table, report)

    def schema(self, form: str = "json", table: str = "published.csv") -> str:
        """What the columns of the published CSV are, for the program that reads it: with the CSV, it may be published.

        ``form`` is ``"json"`` (a Table Schema), ``"sps"`` (a syntax of SPSS) or ``"do"`` (a do-file of Stata); ``table`` is the name of
        the CSV as the last two name it.

        >>> import json
        >>> release = anonymize(people, quasi=["age", "sex"], k=3, seed=1)
        >>> [(field["name"], field["type"]) for field in json.loads(release.schema())["fields"]]
        [('age', 'string'), ('sex', 'string'), ('class', 'integer')]
        """
        return self._core.schema(form, table)

    def save(
        self,
        table: str | os.PathLike[str],
        *,
        report: str | os.PathLike[str] | None = None,
        private: str | os.PathLike[str] | None = None,
        classes: str | os.PathLike[str] | None = None,
        statement: str | os.PathLike[str] | None = None,
        statement_json: str | os.PathLike[str] | None = None,
        config: str | os.PathLike[str] | None = None,
        schema: str | os.PathLike[str] | None = None,
    ) -> None:
        """Writes the published table and, where a name is given, the records beside it. Each file is written whole or not at all.

        The ending of ``schema`` says which of the forms of :meth:`schema` it has: ``.json``, ``.sps`` or ``.do``.
        """
        name = lambda path: None if path is None else os.path.basename(path)  # noqa: E731
        contents = {
            config: lambda: self.configuration.encode(),
            classes: lambda: self._core.classes,
            private: lambda: self._core.private().encode(),
            statement: lambda: self.statement(table=name(table), report=name(report)).encode(),
            statement_json: lambda: self.statement_json(table=name(table), report=name(report)).encode(),
            report: lambda: self._core.report().encode(),
            schema: lambda: self.schema(os.path.splitext(schema)[1][1:], name(table)).encode(),
            table: lambda: self.csv,
        }
        secret = {classes, private, statement, statement_json}
        # What cannot be made is said before anything is written.
        made = {path: bytes_of() for path, bytes_of in contents.items() if path is not None}
        for path, content in made.items():
            _write(path, content, secret=path in secret)

    def __repr__(self) -> str:
        bound = self.bound
        proven = "no bound" if bound is None else f"the best possible is at most {bound.gap_percent:.3g} % lower"
        return f"<lookalike.Release of {self.report['input']['rows']} rows: loss {self.loss:.4g}, {proven}, audit passed>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>{pictures(self)}{self.table._repr_html_()}"


def _write(path: str | os.PathLike[str], content: bytes, *, secret: bool) -> None:
    """Writes a file beside its target and renames it; files that must not be published are readable by their owner alone."""
    staged = f"{os.fspath(path)}.part"
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if secret else 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    os.replace(staged, path)


def anonymize(
    table: Any,
    *,
    quasi: list[str] | str | None = None,
    sensitive: str | None = None,
    k: int | None = None,
    m: int | None = None,
    loss: str | None = None,
    effort: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    config: Any = None,
    threads: int | None = None,
    progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    **further: Any,
) -> Release:
    """Publishes a table so that every record has lookalikes, and says how far from the best possible that is.

    ``table`` is any object with ``__arrow_c_stream__``: a frame of pandas, polars or pyarrow, a DuckDB relation. Types of columns
    say what they are: numbers, dates, or labels; digits in a column of texts are labels.

    ``quasi`` are the columns that an attacker may know, ``sensitive`` is the column to be protected. The guarantee is ``k``
    (k-anonymity: classes of at least k records) or ``m`` (m-invariance: of at least m records, all with different sensitive
    values). ``loss`` is ``"sse"`` (default), ``"ncp"`` or ``"ncp-binary"``; ``effort`` says how long to search (default 5; the same
    ``seed``, from 0 to 2**64 - 1, gives the same bytes again), ``time_limit`` gives the time in seconds and is not reproducible. A seed
    below 2**48 is found by trying, which the warning :class:`lookalike.SmallSeed` says.

    All other settings are further arguments by the names of a configuration's properties: ``conditions``, ``weights``, ``method``,
    ``publish``, ``hierarchies``, ``kinds``, ``eligibility``, ``suppress``, ``rows_are`` and so on; ``docs/interfaces.md`` lists
    them. ``config`` is a configuration (a path, or its text) that the arguments overrule.

    ``progress`` is ``True`` for a bar, or a function that gets a dictionary for each report. Ctrl-C ends the search; the best
    result so far is returned, with the warning :class:`lookalike.Stopped`.

    >>> release = anonymize(people, quasi=["age", "sex"], k=3, seed=1)
    >>> print(release.csv.decode().splitlines()[1])
    [34-36],"{f, m}",1
    >>> release.bound.gap_percent <= 100
    True
    """
    given = settings(
        {"quasi": quasi, "sensitive": sensitive, "k": k, "m": m, "loss": loss, "effort": effort, "time_limit": time_limit}
        | {"seed": seed}
        | further
    )
    published_with(seed)
    text, folder = configuration(config)
    told = {"settings": given, "configuration": text, "folder": folder, "threads": threads}
    with shown(progress) as callback:
        return finished(_core.anonymize(stream(table), told, callback))


def finished(core: _core.Release) -> Release:
    """The release, with a warning if Ctrl-C ended its search."""
    if core.interrupted:
        warnings.warn("stopped: this is the best until then, audited", Stopped, stacklevel=3)
    return Release(core)
