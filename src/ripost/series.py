"""Series: one view over the releases of several periods, and the file that holds them whole.

The file is a ZIP archive without compression. Each member is a release file as it was published, named after its
period. A new period is one more member, and nothing about the others changes.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.union import UnionContent
from ripost.answering.content.union_measure import UnionMeasure
from ripost.errors import InputError, ReleaseError
from ripost.release.atomic import check_target, write_whole
from ripost.release.file import SUFFIX, is_series, read_file, stem
from ripost.release.joint_privacy import JointPrivacy, find_costliest
from ripost.schema.attribute import Category
from ripost.schema.domain import Domain
from ripost.schema.impossible import ImpossibleCells
from ripost.view import View, view_of

if TYPE_CHECKING:
    import pyarrow as pa

AXIS = "period"  # the attribute that a series has before those of its views
ENDING = ".zip"
STAMP = (1980, 1, 1, 0, 0, 0)  # so that the same parts give the same file


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Series(View):
    """Views of different periods as one view, with the attribute `period`. Each keeps its own ledger."""

    parts: tuple[View, ...] = ()

    @property
    def rule(self) -> str:
        """What tells its periods apart, such as `month(date)`."""
        [rule] = {part.period.rule for part in self.parts if part.period is not None}
        return rule

    def list_periods(self) -> list[dict[str, str]]:
        """What each period was published with, in order: names to show, and exact amounts."""
        return [
            {
                "period": _label(part),
                "rule": self.rule,
                "method": part.method,
                "epsilon": str(part.privacy.epsilon),
                "delta": str(part.privacy.delta),
                "digest": _digest(part),
                "debit": str(part.debit.number) if part.debit else "",
            }
            for part in self.parts
        ]

    @property
    def costliest(self) -> View:
        """The view with the largest epsilon, whose ledger is that of the series."""
        return self.parts[find_costliest([part.privacy for part in self.parts])]

    @property
    def min_interval_width(self) -> float:
        """The largest of those of its views."""
        return max(part.at(self.level).min_interval_width for part in self.parts)

    def find_min_sum_width(self, name: str) -> float:
        """The largest of those of its views."""
        return max(part.at(self.level).find_min_sum_width(name) for part in self.parts)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write all views, whole, into one ZIP archive; an existing file is replaced only by `force`."""
        check_series_target(path, force=force)
        write_whole(path, encode_series(self), force=force)

    def to_arrow(self) -> pa.Table:
        """The rows of all release files, after a first column with their period."""
        return self._stack([part.to_arrow() for part in self.parts])

    def measurements(self) -> pa.Table:
        """The noisy measurements of all views, after a first column with their period."""
        return self._stack([part.measurements() for part in self.parts])

    def _stack(self, tables: Sequence[pa.Table]) -> pa.Table:
        """Tables of all parts as one; what one part lacks is null there."""
        import pyarrow as pa

        labeled = [
            table.add_column(0, AXIS, pa.array([_label(part)] * len(table), pa.string()))
            for part, table in zip(self.parts, tables, strict=True)
        ]
        found = pa.concat_tables(labeled, promote_options="default")
        return found.replace_schema_metadata({"ripost": self.privacy.warning} if self.privacy.warning else None)

    @property
    def file(self) -> NoReturn:
        raise ReleaseError("a series is several release files; take that of one of its parts")

    def __repr__(self) -> str:
        first, last = (self.parts[at].period for at in (0, -1))
        assert first is not None and last is not None
        warning = f", {self.privacy.warning}" if self.privacy.warning else ""
        return f"Series({len(self.parts)} periods, {first.label} to {last.label}, {first.rule}{warning})"


def check_series_target(path: str | PathLike[str], *, force: bool) -> None:
    """Raise ReleaseError if a series could not be written there, or if its ending says that it is no archive."""
    if not fspath(path).lower().endswith(ENDING):
        raise ReleaseError(f"{fspath(path)}: a series is a ZIP archive of release files; end its name with .zip")
    check_target(path, force=force)


def union(views: Sequence[View | str | PathLike[str]]) -> Series:
    """One view over the releases of several periods, or over series of them, given as views or as paths.

    It answers what a view answers, across periods and by the attribute `period`. Nothing is drawn or charged for it.
    """
    if isinstance(views, (str, PathLike)) or not isinstance(views, Sequence):
        raise InputError("union takes a list of views, or of paths of their files")
    opened = [one if isinstance(one, View) else _open(one) for one in views]
    parts = [part for view in opened for part in (view.parts if isinstance(view, Series) else (view,))]
    if not parts:
        raise InputError("a series needs at least one view")
    _check_parts(parts)
    parts.sort(key=_label)
    first = parts[0]
    periods = Category(type="category", values=tuple(map(_label, parts)), missing="drop", outside="drop")
    return Series(
        domain=Domain({AXIS: periods, **first.domain.attributes}, _in_all_periods(first.domain, len(parts))),
        content=UnionContent([part.content for part in parts]),
        measure=first.measure,
        measures={
            name: UnionMeasure([part.content for part in parts], [_of_release(part, name) for part in parts])
            for name in first.measures
        },
        method=" and ".join(sorted({part.method for part in parts})),
        privacy=JointPrivacy.of([part.privacy for part in parts]),
        software=parts[-1].software,
        title=first.title,
        description=first.description,
        parts=tuple(parts),
        digest=hashlib.sha256("".join(_digest(part) for part in parts).encode()).hexdigest(),
    )


def _check_parts(parts: Sequence[View]) -> None:
    """InputError unless the views are of different periods of one rule, and of the same table otherwise."""
    first, seen = parts[0], set[str]()
    for part in parts:
        if part.period is None or first.period is None:
            raise InputError("a series is made of views that were published with a period, and one of these was not")
        if part.period.rule != first.period.rule:
            raise InputError(f"the views have different rules of periods, {part.period.rule} and {first.period.rule}")
        for what, mine, theirs in (
            ("attributes", part.domain.to_json(), first.domain.to_json()),
            ("impossible cells", part.domain.impossible, first.domain.impossible),
            ("measures", (part.measure, _state_measures(part)), (first.measure, _state_measures(first))),
            ("privacy units", part.privacy.unit, first.privacy.unit),
        ):
            if mine != theirs:
                raise InputError(
                    f"the views of {part.period.label} and {first.period.label} have different {what}; "
                    "publish them by one schema"
                )
        if part.period.label in seen:
            raise InputError(f"two views are of {part.period.label}, so its rows would count twice; leave one out")
        seen.add(part.period.label)
    if AXIS in {name.casefold() for name in first.domain.names}:
        raise InputError(f"the views have an attribute {AXIS}, which is what a series calls its periods; rename it")


def _in_all_periods(domain: Domain, periods: int) -> ImpossibleCells | None:
    """The impossible cells of each view as those of a series."""
    cells = domain.impossible
    return cells and replace(cells, boxes=tuple(((0, periods), *box) for box in cells.boxes))


def _state_measures(part: View) -> dict[str, object]:
    return {name: content.measured for name, content in part.measures.items()}


def _of_release(part: View, name: str) -> MeasureContent:
    content = part.measures[name]
    assert isinstance(content, MeasureContent)
    return content


def _label(part: View) -> str:
    assert part.period is not None
    return part.period.label


def _digest(part: View) -> str:
    return part.digest or part.file.manifest.digest


def encode_series(series: Series) -> memoryview:
    """The bytes of the file of a series; the same for the same views."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for part in series.parts:
            assert part.file.encoded is not None
            archive.writestr(zipfile.ZipInfo(_label(part) + SUFFIX, STAMP), part.file.encoded.tobytes())
    return target.getbuffer()


def open_series(path: str | PathLike[str]) -> Series:
    """Open the file of a series, after checking each of its views; ReleaseError says what is wrong."""
    try:
        with zipfile.ZipFile(path) as archive:
            members, size = archive.infolist(), Path(path).stat().st_size
            if any(
                one.compress_type != zipfile.ZIP_STORED or one.compress_size != one.file_size for one in members
            ) or (sum(one.file_size for one in members) > size):
                raise ReleaseError("a series is a ZIP archive of release files without compression")
            parts = [_open_part(one.filename, archive.read(one)) for one in members]
    except ReleaseError:
        raise
    except (OSError, ValueError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        raise ReleaseError("it is a damaged ZIP archive") from None
    try:
        found = replace(union(parts), name=stem(path))
    except InputError as error:
        raise ReleaseError(str(error)) from None
    if encode_series(found).nbytes != size:  # before, between or after the members, or in a comment
        raise ReleaseError("it holds bytes beside its release files; unzip it, and join them again with ripost append")
    return found


def _open_part(name: str, content: bytes) -> View:
    """The view in a member of an archive."""
    try:
        view = _keep_whole(content, name)
        if view.period is None or name != _label(view) + SUFFIX:
            raise ReleaseError("its name is not that of its period")
    except ReleaseError as error:
        raise ReleaseError(f"in {name[:80]!r}: {error}") from None
    return view


def _open(path: str | PathLike[str]) -> View:
    """The view or the series in a file."""
    try:
        if is_series(path):
            return open_series(path)
        return _keep_whole(Path(path).read_bytes(), path)
    except OSError as error:
        raise ReleaseError(f"cannot open {fspath(path)}: {error.strerror}") from None
    except ReleaseError as error:
        raise ReleaseError(f"cannot open {fspath(path)}: {error}") from None


def _keep_whole(content: bytes, name: str | PathLike[str]) -> View:
    """The view in the bytes of a file, which it is saved as again."""
    file = read_file(memoryview(content))
    view = view_of(file, name=stem(name))
    vars(view)["file"] = file
    return view
