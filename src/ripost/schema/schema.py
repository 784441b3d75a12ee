"""Schema: the owner's public description of a table, read from a TOML file."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SkipValidation,
    StrictFloat,
    StrictInt,
    ValidationError,
    model_validator,
)

from ripost.errors import SchemaError
from ripost.schema.attribute import Attribute, AttributeBase, Category
from ripost.schema.attribute_base import MISSING, OTHER, Spelling
from ripost.schema.case_folding import fold
from ripost.schema.code_book import add_values_file, read_code_books
from ripost.schema.code_map import CodeMap
from ripost.schema.discovery import OPEN, OpenParts
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, ROW, Measure, Unit
from ripost.schema.measured_column import MOST_MEASURES, MeasuredColumn
from ripost.schema.numeric import DecimalSign, ThousandsSign, check_signs, read_missing_numbers
from ripost.schema.open_parts import add_open, gather_open
from ripost.schema.period import read_rule
from ripost.schema.review_marks import MARK, add_marks, describe_marks, gather_marks
from ripost.schema.schema_errors import describe_broken_rule, describe_toml_error, is_deep, list_keys

LARGEST_BOUND = 2**31 - 1  # steps a row; 2^31 such rows still add up below 2^62
LARGEST_SUM = 1e30  # so that squares of sums stay far from overflow


class Sum(BaseModel):
    """Cells hold the sum of a column instead of a number of rows."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    sum: str = Field(min_length=1, description="Column to add up.")
    max: StrictFloat = Field(gt=0, description="The most one row adds; values are clamped to 0 and this.")
    step: StrictFloat = Field(1.0, gt=0, description="Resolution: each row adds whole numbers of steps.")

    decimal: DecimalSign | None = Field(None, description="The column is text; the sign before the fraction.")
    thousands: ThousandsSign | None = Field(None, description="The column is text; the sign between groups of digits.")
    missing_values: tuple[Spelling, ...] | None = Field(None, description="Further spellings of missing.")

    @property
    def bound(self) -> int:
        """The most one row adds, in steps."""
        return math.ceil(self.max / self.step)

    @cached_property
    def missing_numbers(self) -> tuple[float, ...]:
        return read_missing_numbers(self.missing_values, self.decimal, self.thousands)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        check_signs(self.decimal, self.thousands)
        _ = self.missing_numbers
        if self.step > self.max:
            raise ValueError(f"step must not be above max, got step {self.step:g} and max {self.max:g}")
        if not self.max / self.step <= LARGEST_BOUND:
            raise ValueError(f"step must be larger: max may be {LARGEST_BOUND} steps, got step {self.step:g}")
        if self.max > LARGEST_SUM or self.step < 1 / LARGEST_SUM:
            raise ValueError(
                f"max must be at most {LARGEST_SUM:g} and step at least {1 / LARGEST_SUM:g}; use other units"
            )
        return self


class Schema(BaseModel):
    """What the columns mean, whom the promise protects, and what a cell holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    title: str | None = Field(None, description="What the table is.")
    description: str | None = Field(None, description="What readers should know of the table, in a few sentences.")
    unit: str | None = Field(
        None, min_length=1, description="Column that identifies people; without it each row is protected."
    )
    max_rows: StrictInt | None = Field(None, ge=1, description="The most rows kept of one unit.")
    period: str | None = Field(
        None, description="Which period of a series a row belongs to, such as month(date); publish takes one of them."
    )
    max_periods: StrictInt | None = Field(
        None,
        ge=1,
        lt=2**53,
        description="The most periods in which rows of one unit are kept: its first ones. Needs unit and period.",
    )
    total: Sum | None = Field(None, alias="measure", description="What a cell holds; without it, rows are counted.")
    measures: dict[str, MeasuredColumn] = Field(
        default_factory=dict, description="Columns whose sums and means are released beside the counts, by name."
    )
    attributes: dict[str, Attribute] = Field(min_length=1, description="The dimensions, in order.")
    impossible: tuple[str, ...] = Field((), description="Conditions that hold in no row; their cells are exactly 0.")
    open: SkipValidation[OpenParts] = Field(default=OpenParts({}), exclude=True, repr=False)  # what is to be discovered
    unreviewed: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="By attribute, and by '' for the whole file: keys that nobody has confirmed."
    )

    @classmethod
    def load(cls, path: str | Path) -> Schema:
        """The schema in a TOML file."""
        name = Path(path).name
        try:
            text = Path(path).read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise SchemaError(f"{path}: there is no such schema file; `ripost init` drafts one from a table") from None
        except IsADirectoryError:
            raise SchemaError(f"{path}: is a directory; give the schema file in it") from None
        except OSError as error:
            raise SchemaError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SchemaError(f"{name}: is not UTF-8 text{_order_hint(name)}") from None
        return cls.parse(text, name=name, folder=Path(path).parent)

    @classmethod
    def parse(cls, text: str, *, name: str = "schema", folder: Path | None = None) -> Schema:
        """The schema in a TOML text; `name` is what errors call it, `folder` is where its code books are."""
        if is_deep(text):
            raise SchemaError(f"{name}: is nested too deep")
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SchemaError(f"{name}: {describe_toml_error(error)}{_order_hint(name)}") from None
        except RecursionError:
            raise SchemaError(f"{name}: is nested too deep") from None
        except ValueError:  # the one thing that TOML allows and Python does not
            raise SchemaError(f"{name}: holds a whole number with too many digits") from None
        return cls.from_dict(data, name=name, folder=folder)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, name: str = "schema", folder: Path | None = None) -> Schema:
        """The schema in a dictionary of the file's shape."""
        try:
            complete = read_code_books(data, folder)
        except ValueError as error:
            raise SchemaError(f"{name}: {error}") from None
        try:
            return cls.model_validate(complete)
        except ValidationError as error:
            known = {"": list_keys(cls), "measure": list_keys(Sum), "measures": list_keys(MeasuredColumn)}
            raise SchemaError(f"{name}: {describe_broken_rule(error, known=known)}") from None
        except RecursionError:
            raise SchemaError(f"{name}: is nested too deep") from None

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of the file, for editors."""
        dialect = "https://json-schema.org/draft/2020-12/schema"
        return {"$schema": dialect, **add_marks(add_values_file(add_open(cls.model_json_schema(by_alias=True))))}

    def require_reviewed(self) -> None:
        """SchemaError while it is a draft: what was read off the data would be published without noise."""
        if self.unreviewed:
            raise SchemaError(
                f"the schema is a draft, and {MARK} keys may reveal rows: {describe_marks(self.unreviewed)}; replace "
                f"or confirm each in the file, then delete it from its {MARK} list"
            )

    def resolve(self, attributes: Mapping[str, Attribute], max_rows: int | None) -> Schema:
        """The schema with what was discovered in the place of what it left open."""
        rows = self.max_rows if self.open.max_rows is None else max_rows
        found = {name: attributes.get(name, attribute) for name, attribute in self.attributes.items()}
        return self._replace(**{"attributes": found, "max_rows": rows, OPEN: OpenParts({})})

    def keep_all_periods(self) -> Schema:
        """The schema without `max_periods`, as a release of all rows reads it."""
        return self if self.max_periods is None else self._replace(max_periods=None)

    def keep_stated(self) -> Schema:
        """The schema without attributes that it leaves open; SchemaError if it has no other."""
        stated = {name: one for name, one in self.attributes.items() if name not in self.open.attributes}
        if not stated:
            raise SchemaError("every attribute is to be discovered, so there is nothing to hold against the rows")
        return self._replace(**{"attributes": stated, OPEN: OpenParts({})}) if self.open else self

    def _replace(self, **changes: Any) -> Schema:
        """The schema with other values, which are sound."""
        return Schema.model_construct(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})

    @cached_property
    def domain(self) -> Domain:
        """The domain; the largest that can be found where the schema leaves something to discover."""
        if not self.impossible:
            return Domain(self.attributes)
        from ripost.schema.impossible_sql import read_impossible

        plain = Domain(self.attributes)
        known = read_impossible(self.impossible, plain.attributes, plain.mapped, undiscovered=self.open.attributes)
        return Domain(self.attributes, known)

    @property
    def measure(self) -> Measure:
        if self.total is None:
            return COUNT
        return Measure(self.total.sum, self.total.step, self.total.bound)

    @property
    def row_unit(self) -> Unit:
        """Whom the promise protects."""
        return ROW if self.unit is None else Unit(self.unit, self.max_rows or 1, self.max_periods)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to read, each once."""
        named = [column for name, attribute in self.attributes.items() for column in attribute.list_columns(name)]
        extra = [column for column in (self.unit, self.measure.column) if column is not None]
        added = [measured.column or name for name, measured in self.measures.items()]
        dated = () if self.period is None else read_rule(self.period)[1].columns
        return tuple(dict.fromkeys([*named, *extra, *added, *dated]))

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, data: Any) -> Any:
        return gather_open(gather_marks(data)) if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _sound(self) -> Self:
        seen: dict[str, str] = {}
        for name, attribute in self.attributes.items():
            check_name(name, f"attribute {name!r}")
            if (other := seen.setdefault(name.casefold(), name)) != name:
                raise ValueError(f"attribute {name}: its name differs from {other} only in case")
            if taken := {OTHER, MISSING} & set(getattr(attribute, "values", ())):
                raise ValueError(
                    f"attribute {name}: {min(taken)} is what a view calls values that are not listed or missing; "
                    "rename this value in the table, or leave it out of values"
                )
            try:
                check_spellings(attribute)
                check_expression(attribute)
            except ValueError as error:
                raise ValueError(f"attribute {name}: {error}") from None
            if self.unit is not None and self.unit in attribute.list_columns(name):
                raise ValueError(f"attribute {name}: is the unit; a view is not split by whom it protects")
        for name, attribute in self.attributes.items():
            for one in getattr(attribute, "maps", ()):
                check_map(one, name, seen)
        if self.impossible:
            _ = self.domain
        self._check_measures()
        self._check_unit()
        return self

    def _check_unit(self) -> None:
        """ValueError where a bound on the rows or periods of a unit lacks what it needs."""
        if self.period is not None:
            read_rule(self.period)
        if self.unit is None and self.max_rows is not None:
            raise ValueError("max_rows needs unit: name the column that identifies people")
        if self.unit is not None and self.max_rows is None:
            raise ValueError(f"unit needs max_rows: say how many rows of one {self.unit} are kept at most")
        if self.max_periods is not None and self.unit is None:
            raise ValueError("max_periods needs unit: name the column that identifies people")
        if self.max_periods is not None and self.period is None:
            raise ValueError('max_periods needs period: say which period a row belongs to, such as "month(date)"')

    def _check_measures(self) -> None:
        """ValueError where measures are stated in two ways, or cannot be told from each other or from attributes."""
        if self.measures and self.total is not None:
            raise ValueError(
                f"takes either [measure] or [measures.NAME]; write [measure] as [measures.{self.total.sum}]"
            )
        if len(self.measures) > MOST_MEASURES:
            raise ValueError(f"measures: at most {MOST_MEASURES} are possible, got {len(self.measures)}")
        seen: dict[str, str] = {}
        for name, measured in self.measures.items():
            if not name.isprintable() or not name.strip() or name != name.strip() or "." in name:
                raise ValueError(f"measure {name!r}: a name must be printable text without dots or space around it")
            if (other := seen.setdefault(name.casefold(), name)) != name:
                raise ValueError(f"measure {name}: its name differs from {other} only in case")
            if name.casefold() in {one.casefold() for one in self.attributes}:
                raise ValueError(
                    f"measure {name}: an attribute has that name; give the measure another, and its column"
                )
            if self.unit is not None and self.unit == (measured.column or name):
                raise ValueError(f"measure {name}: is the unit; whom a view protects is not added up")


def _order_hint(name: str) -> str:
    """What to say of a file that is not called as schemas are: the arguments may be in the wrong order."""
    return "" if name == "schema" or name.endswith(".toml") else "; give the table first, then the schema, a TOML file"


def check_name(name: str, what: str) -> None:
    """ValueError unless a name can be asked for."""
    if not name.isprintable() or not name.strip() or name != name.strip():
        raise ValueError(f"{what}: a name must be printable text without space around it")


def check_map(code_map: CodeMap, of: str, seen: dict[str, str]) -> None:
    """ValueError where a level, or what is derived, has a name that something else has, or groups of reserved names."""
    check_name(code_map.name, f"attribute {of}: {code_map.name!r}")
    if (other := seen.get(code_map.name.casefold())) is not None:
        raise ValueError(f"attribute {of}: {code_map.name} has the name of {other}; give each its own name")
    seen[code_map.name.casefold()] = code_map.name
    if taken := {OTHER, MISSING} & set(code_map.names):
        raise ValueError(f"attribute {of}: {code_map.name} has a group {min(taken)}, which is what a view calls others")


def check_expression(attribute: AttributeBase) -> None:
    """ValueError where an expression is no function of the columns of one row, or there is a column beside it."""
    if attribute.expression is not None and attribute.column is not None:
        raise ValueError("takes either column or expression; leave one of them out")
    if attribute.computed is not None and not attribute.computed.columns:
        raise ValueError("expression reads no column; every row would have the same value")


def check_spellings(attribute: AttributeBase) -> None:
    """ValueError where one text, with its case folded if the schema says so, stands for two values."""
    if not isinstance(attribute, Category):
        return
    meanings: dict[str, tuple[str, int | None]] = {}
    for spelling, code in attribute.spellings:
        text = fold(spelling) if attribute.fold_case else spelling
        other, meaning = meanings.setdefault(text, (spelling, code))
        if meaning != code:
            if other == spelling:
                raise ValueError(f"{spelling!r} is listed with two meanings; leave one of them out")
            raise ValueError(f"{other!r} and {spelling!r} are the same once case is folded; list one of them")
