"""How commands are made of functions, and what a person is told whose call goes wrong."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup

from graphmem.client.cli.printing import say_text
from graphmem.errors import GraphmemError


class _CommandGroup(TyperGroup):
    """A group takes no options; who writes one before the command is told where it stands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        option = args[0].partition("=")[0]
        if option.startswith("-"):
            ctx.fail(f"{option} stands after the command: {ctx.command_path} COMMAND … {option} …")
        return super().resolve_command(ctx, args)


class CommandApp(typer.Typer):
    """A group of commands. The first parameter of a function may be a dataclass, whose fields are options."""

    def __init__(self, text: str, **more: Any) -> None:
        super().__init__(
            cls=_CommandGroup,
            help=text,
            no_args_is_help=True,
            context_settings={"ignore_unknown_options": True},  # for the group to speak of
            pretty_exceptions_enable=False,
            **more,
        )

    def command(self, *args: Any, **kwargs: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
        register = super().command(*args, **kwargs)
        return lambda function: register(_with_options(function))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except GraphmemError as error:
            tell_error(error)
            raise SystemExit(1) from error


def tell_error(error: GraphmemError) -> None:
    say_text(f"Error: {error}", err=True)


def _with_options(function: Callable[..., None]) -> Callable[..., None]:
    """A function with the fields of its first parameter, if that is a dataclass, as keyword-only parameters."""
    signature = inspect.signature(function, eval_str=True)
    parameters = list(signature.parameters.values())
    kind = parameters[0].annotation if parameters else None
    if not isinstance(kind, type) or not is_dataclass(kind):
        return function
    annotations = get_type_hints(kind, include_extras=True)
    options = [
        inspect.Parameter(
            option.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if option.default is MISSING else option.default,
            annotation=annotations[option.name],
        )
        for option in reversed(fields(kind))
    ]

    @wraps(function)
    def command(**given: Any) -> None:
        asked = kind(**{option.name: given.pop(option.name) for option in options})
        function(asked, **given)

    command.__signature__ = signature.replace(parameters=[*parameters[1:], *options])  # pyright: ignore[reportAttributeAccessIssue]
    return command
