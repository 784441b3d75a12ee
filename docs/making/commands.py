"""The reference of the command line, as Typer writes it from the code."""

from __future__ import annotations


def command_reference() -> str:
    """Markdown that tells every command with its arguments and options."""
    import typer
    from typer.cli import get_docs_for_click

    from ripost.cli.app import app

    group = typer.main.get_command(app)
    with typer.Context(group, info_name="ripost") as context:
        text: str = get_docs_for_click(obj=group, ctx=context, name="ripost", indent=1)
    return text
