"""Records: the contents of ledger entries, as JSON that is validated when it is read."""

from __future__ import annotations

import json
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from ripost.budget_ledger.location import LedgerLocation
from ripost.budget_ledger.publisher import Publisher
from ripost.errors import LedgerError

Exact = Annotated[str, Field(pattern=r"^[0-9]{1,1000}(/[0-9]{0,999}[1-9][0-9]{0,999})?$")]
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Number = Annotated[int, Field(ge=0)]
LABEL = r"^[1-9][0-9]{3}(-Q[1-4]|-W[0-5][0-9]|-[01][0-9]|-[01][0-9]-[0-3][0-9])?$"
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]


@lru_cache(4096)
def parse_fraction(text: str) -> Fraction:
    return Fraction(text)


class FailureReason(StrEnum):
    """Why a debited release failed: a class of reasons that reveals nothing about the table."""

    SOURCE = "the table could not be read"
    WRITE = "the view could not be written"
    INPUT = "the input could not be used"
    STOPPED = "it was stopped"
    MEMORY = "memory ran out"
    FAULT = "a fault of ripost"


class Record(BaseModel):
    """The base of all records: they are immutable and have no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    kind: ClassVar[str]

    def dump(self) -> str:
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))

    @classmethod
    def parse(cls, body: str) -> Self:
        return cls.model_validate_json(body)


class OpeningRecord(Record):
    """The first entry: the data set of the ledger, and its cap."""

    kind: ClassVar[str] = "opened"
    ledger: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    dataset: Annotated[str, Field(min_length=1, max_length=200)]
    epsilon: Exact
    delta: Exact
    unit: str | None = Field(description="Column that identifies people; null where each row is protected.")
    place: LedgerLocation
    at: Moment


class PeriodRecord(BaseModel):
    """The period of a series, if a release counts its rows alone."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    rule: Annotated[str, Field(min_length=1, max_length=1000)]
    label: Annotated[str, Field(pattern=LABEL)]  # in one spelling
    max_periods: Annotated[int, Field(ge=1, lt=2**53)] | None = None  # in which one person counts; None: in all

    @model_serializer(mode="wrap")
    def _leave_out_none(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without `max_periods` there is no such key, so that older software reads it."""
        facts: dict[str, Any] = write(self)
        if self.max_periods is None:
            del facts["max_periods"]
        return facts

    def __str__(self) -> str:
        return f"{self.label} of {self.rule}"


class DebitRecord(Record):
    """A release is paid for. The record is written before any noise is drawn."""

    kind: ClassVar[str] = "debited"
    epsilon: Exact
    delta: Exact
    method: str
    view: str | None = Field(description="Name of the file it was meant for.")
    publisher: Publisher
    nonce: Annotated[str, Field(pattern="^[0-9a-f]{32}$")] | None = None  # so that no two debits are alike
    at: Moment  # the entries that close a debit have no time: how long a publish takes tells of the table
    period: PeriodRecord | None = None  # None: all rows

    def dump(self) -> str:
        """The JSON of the record; without a period it has no such key, so that older software reads it."""
        facts = self.model_dump(mode="json", exclude={"period"} if self.period is None else None)
        return json.dumps(facts, sort_keys=True, separators=(",", ":"))

    @property
    def cost(self) -> tuple[Fraction, Fraction]:
        return parse_fraction(self.epsilon), parse_fraction(self.delta)


class ReleaseRecord(Record):
    """A release succeeded: the digest of the view that the debit paid for."""

    kind: ClassVar[str] = "released"
    debit: Number
    digest: Hash


class FailureRecord(Record):
    """A release failed; its debit stays."""

    kind: ClassVar[str] = "failed"
    debit: Number
    reason: FailureReason


class AdoptionRecord(Record):
    """The steward states that this file is the ledger now, and that all other copies are retired."""

    kind: ClassVar[str] = "adopted"
    place: LedgerLocation
    at: Moment


KINDS: dict[str, type[Record]] = {
    kind.kind: kind for kind in (OpeningRecord, DebitRecord, ReleaseRecord, FailureRecord, AdoptionRecord)
}


@lru_cache(4096)  # a debit adds up all entries before it and after it
def parse(number: int, kind: str, body: str) -> Record:
    """Parse the record of an entry; LedgerError if it is not valid."""
    try:
        return KINDS[kind].parse(body)
    except (KeyError, ValidationError, ValueError):
        raise LedgerError(f"entry {number} is none that ripost writes") from None
