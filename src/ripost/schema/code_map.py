"""Code map: a public function of the values of a category, such as the state of an airport or the name of a code.

A level is a code map whose groups nest in those of the level before it. The values of a category with levels are
ordered so that every group of every level is one interval of codes. Other functions are derived: their groups may be
anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from ripost.errors import suggest_nearest

MAPS = ("levels", "derived")  # keys of a category that hold code maps
Given = Mapping[str, Any]  # the keys of a category, as a file has them


def _to_category(value: Any) -> str:
    """A listed category as text."""
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        raise ValueError(f"must be text or a whole number, got {value!r}")
    return str(value)


Name = Annotated[str, BeforeValidator(_to_category), WithJsonSchema({"type": ["string", "integer"]})]


class CodeMap(BaseModel):
    """The group of each listed value."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, description="What it is called in questions.")
    groups: tuple[Name, ...] = Field(description="The group of each value, in the order of values.")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The groups, each once, in the order of their first codes."""
        return tuple(dict.fromkeys(self.groups))

    @property
    def runs(self) -> list[tuple[str, int, int]]:
        """The groups in the order of codes, as often as they begin: the name, the first code and the one after."""
        starts = [code for code, group in enumerate(self.groups) if code == 0 or group != self.groups[code - 1]]
        return [(self.groups[low], low, high) for low, high in pairwise([*starts, len(self.groups)])]


def read_maps(given: Given) -> dict[str, Any]:
    """The keys of a category with its code maps as lists of a name and groups; ValueError if one is no function."""
    found = dict(given)
    for key in MAPS:
        if isinstance(found.get(key), (list, tuple)) and any(isinstance(one, str) for one in found[key]):
            raise ValueError(f"{key} names columns of a values_file, and there is none; give a table of groups instead")
        if isinstance(found.get(key), Mapping):
            values = [_to_category(value) for value in found.get("values", ())]
            found[key] = [
                {"name": name, "groups": _groups_of(groups, values, f"{key}.{name}")}
                for name, groups in found[key].items()
            ]
    return found


def _groups_of(groups: Any, values: Sequence[str], where: str) -> list[str]:
    """The group of each value, from a list of them or from the values of each group."""
    if isinstance(groups, (list, tuple)):
        return [_to_category(group) for group in groups]
    if not isinstance(groups, Mapping):
        raise ValueError(f"{where} must list the group of each value, or be a table of the values of each group")
    listed, found = set(values), dict[str, str]()
    for group, members in groups.items():
        for value in map(_to_category, members if isinstance(members, (list, tuple)) else [members]):
            if value not in listed:
                raise ValueError(f"{where}: {value!r} is not in values; {suggest_nearest(value, values)}")
            if found.setdefault(value, group) != group:
                raise ValueError(f"{where}: {value!r} is in both {found[value]!r} and {group!r}; leave it in one")
    if left := [value for value in values if value not in found]:
        raise ValueError(f"{where}: {left[0]!r} is in no group; each value needs one")
    return [found[value] for value in values]


def order_by_levels(given: Given) -> dict[str, Any]:
    """The keys of a category with its values ordered so that groups are intervals; groups stay in the order listed."""
    found, count = dict(given), len(given.get("values", ()))
    maps = [one for key in MAPS for one in found.get(key) or ()]
    if not all(isinstance(one, Mapping) and len(one.get("groups", ())) == count for one in maps):
        return found  # the model says what is wrong
    ranks = []
    for level in found.get("levels") or ():
        places = {group: place for place, group in enumerate(dict.fromkeys(level["groups"]))}
        ranks.append([places[group] for group in level["groups"]])
    order = sorted(range(count), key=lambda code: [rank[code] for rank in ranks])
    if order == list(range(count)):
        return found
    found["values"] = [given["values"][code] for code in order]
    for key in MAPS:
        if found.get(key):
            found[key] = [{**one, "groups": [one["groups"][code] for code in order]} for one in found[key]]
    return found


def check_maps(levels: Sequence[CodeMap], derived: Sequence[CodeMap], count: int) -> None:
    """ValueError unless each map has a group for each value, and each level nests in the one before it."""
    for one in (*levels, *derived):
        if len(one.groups) != count:
            raise ValueError(f"{one.name} must have a group for each of the {count:,} values, got {len(one.groups):,}")
    for above, level in pairwise(levels):
        parent: dict[str, str] = {}
        for group, upper in zip(level.groups, above.groups, strict=True):
            if parent.setdefault(group, upper) != upper:
                raise ValueError(
                    f"level {level.name}: {group!r} lies in both {parent[group]!r} and {upper!r} of {above.name}; give "
                    f"the two different names, such as '{parent[group]}/{group}', or list {level.name} under derived"
                )
    for level in levels:
        if len(level.runs) != len(level.names):
            raise ValueError(f"level {level.name}: the values are not in the order of its groups")


def level_edges(levels: Iterable[CodeMap], count: int, size: int) -> list[list[int]]:
    """Where the groups of each level begin and end in codes, the coarsest first; codes after `count` stay alone.

    Levels that are no coarser than codes, or no finer than the level before, are left out.
    """
    found: list[list[int]] = []
    for level in levels:
        edges = [*(low for _, low, _ in level.runs), *range(count, size + 1)]
        if len(edges) < size + 1 and len(edges) > (len(found[-1]) if found else 2):
            found.append(edges)
    return found
