"""Subject: what is published, its public facts and the way to its rows."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from ripost.errors import InputError
from ripost.space.domain import Domain
from ripost.space.measure import Measure, Unit
from ripost.tensor.tensor import Tensor

if TYPE_CHECKING:
    from ripost.ingest.read import Reader
    from ripost.ingest.schema import Schema


@dataclass(frozen=True)
class Subject:
    """A tensor, or a table that is open but was not read."""

    domain: Domain
    measure: Measure
    unit: Unit
    _source: Tensor | Reader
    _closing: ExitStack = field(default_factory=ExitStack)

    @classmethod
    def of(cls, source: Any, schema: Schema | None, *, table: str | None) -> Subject:
        """SourceError where the names and types of columns show that the table does not fit the schema."""
        if isinstance(source, Tensor):
            return cls(source.domain, source.measure, source.unit, source)
        if schema is None:
            raise InputError("publishing a table needs its schema: publish(table, schema, epsilon=...)")
        from ripost.ingest.read import Reader

        reader = Reader.of(source, schema, table=table)
        subject = cls(schema.domain, schema.measure, schema.row_unit, reader)
        subject._closing.callback(reader.close)
        return subject

    def read(self) -> Tensor:
        """The exact counts; the source is closed then."""
        with self._closing:
            return self._source if isinstance(self._source, Tensor) else self._source.tensor()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()
