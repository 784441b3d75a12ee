"""Render: a template of Jinja2 as HTML. Whatever a value holds is text, unless it is Markup."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template


def render(package: str, name: str, /, **values: Any) -> str:
    """The template of that name in a package, with these values; one that the template lacks is an error."""
    return _template(package, name).render(values)


@cache
def _template(package: str, name: str) -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(files(package).joinpath(name).read_text("utf-8"))
