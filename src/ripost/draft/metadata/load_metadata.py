"""Load a metadata file in any of the known formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

from ripost.draft.metadata.csvw import is_csvw, read_csvw
from ripost.draft.metadata.frictionless import is_frictionless, read_frictionless
from ripost.draft.metadata.smartnoise import is_smartnoise, read_smartnoise
from ripost.draft.metadata.stated_schema import StatedSchema
from ripost.errors import InputError, suggest_nearest

Data = dict[str, Any]
FORMATS: tuple[tuple[Callable[[Data], bool], Callable[[Data], list[StatedSchema]]], ...] = (
    (is_csvw, read_csvw),
    (is_frictionless, read_frictionless),
    (is_smartnoise, read_smartnoise),
)


def load_metadata(path: Path, *, resource: str | None = None, source: str | None = None) -> StatedSchema:
    """The metadata of one table: the named one, the one with the name of the source, or the only one."""
    data = _parse(path)
    read = next((read for knows, read in FORMATS if knows(data)), None)
    tables = [table for table in read(data) if table.columns] if read else []
    if not tables:
        raise InputError(f"{path}: describes no table; known are CSVW, Frictionless and SmartNoise metadata")
    wanted = resource or (PurePath(source).name if source else None)
    found = [table for table in tables if wanted and any(_is_same_name(alias, wanted) for alias in table.aliases)]
    if found:
        return found[0]
    names = [table.aliases[0] for table in tables if table.aliases]
    if resource is not None:
        raise InputError(f"{path}: describes no table {resource!r}; {suggest_nearest(resource, names)}")
    if len(tables) > 1:
        raise InputError(
            f"{path}: describes {len(tables)} tables; choose one with --resource ({', '.join(names[:12])})"
        )
    return tables[0]


def _is_same_name(alias: str, wanted: str) -> bool:
    return wanted in (alias, PurePath(alias).name) or PurePath(alias).stem == PurePath(wanted).stem


def _parse(path: Path) -> Data:
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such metadata file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        data = json.loads(content)
    except RecursionError:
        raise InputError(f"{path}: is nested too deep") from None
    except json.JSONDecodeError as error:
        if path.suffix.lower() not in (".yaml", ".yml"):
            raise InputError(f"{path}: is not JSON (line {error.lineno}); YAML ends in .yaml") from None
        data = _yaml(path, content)
    except ValueError:
        raise InputError(f"{path}: holds a whole number with too many digits") from None
    if not isinstance(data, dict):
        raise InputError(f"{path}: describes no table; it must be an object at its top")
    return data


def _yaml(path: Path, content: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(content)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise InputError(f"{path}: is not YAML") from None
