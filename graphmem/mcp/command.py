"""``graphmem mcp``: the options, which are those of ``[mcp]`` in the settings, and the two transports.

It reads its arguments without Typer, which the light install does not have.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import anyio

from graphmem.errors import ConfigurationError, GraphmemError
from graphmem.mcp.http import bearer, serve
from graphmem.mcp.memory import AgentMemory, address_of
from graphmem.mcp.server import server_of
from graphmem.settings import Settings, load_settings, written_settings
from graphmem.settings.servers import McpToolset
from graphmem.visible import visible_lines

_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--group", {"help": "The group (tenant) that the tools read and write; default: “default”."}),
    ("--user", {"help": "Whose memory it is; default: that of the whole group."}),
    ("--agent", {"help": "Which of your agents this is."}),
    ("--session", {"help": "The session of what is remembered, where a call names none."}),
    ("--speaker", {"help": "Who says what is remembered, where a call names nobody."}),
    ("--toolset", {"choices": get_args(McpToolset), "help": "Which tools there are; default: graphmem."}),
    ("--max-tokens", {"type": int, "help": "Tokens of one answer, by an estimate; default: 4000."}),
    ("--url", {"help": "A service elsewhere; default: the one that runs here."}),
    ("--host", {"help": "Where HTTP listens; default: 127.0.0.1."}),
    ("--port", {"type": int, "help": "0 for any; default: 8465."}),
)


def main(arguments: Sequence[str]) -> None:
    """Serve until the client goes away, or the process is told to end."""
    given = parser().parse_args(arguments)
    try:
        settings = settings_of(given)
        if not given.http:
            refuse_for_everybody(settings)
        find = partial(address_of, settings, given.key)
        if given.http:
            anyio.run(serve, server_of(AgentMemory(find, settings.mcp, bearer=bearer)), settings.mcp, find)
        else:
            anyio.run(server_of(AgentMemory(find, settings.mcp)).run_stdio_async)
    except GraphmemError as error:
        sys.exit(f"Error: {visible_lines(str(error))}")
    except KeyboardInterrupt:
        sys.exit(130)


def settings_of(given: argparse.Namespace) -> Settings:
    """The settings, in which options win. ``--key`` is none of them: it wins over the local token, too."""
    names = [option.lstrip("-").replace("-", "_") for option, _ in _OPTIONS]
    table = {name: value for name in names if (value := getattr(given, name)) is not None}
    return load_settings(data_dir=given.data_dir, written=written_settings(given.config), mcp=table)


def refuse_for_everybody(settings: Settings) -> None:
    """Look whether the tools are for a user, where these settings are also those of a service that asks for one.

    A service elsewhere (``mcp.url``) says so itself, at each call.

    Raises:
        ConfigurationError: they are for nobody in particular.
    """
    if settings.api.require_user and settings.mcp.user is None:
        raise ConfigurationError(
            "The service answers for one user at a time (api.require_user). Say whose memory the tools are: "
            "`graphmem mcp --user NAME`, mcp.user, or GRAPHMEM_MCP_USER."
        )


def parser() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(
        prog="graphmem mcp",
        description="Hand the memory to an agent as tools of the Model Context Protocol, over stdio.",
        epilog="Each option is a setting, too: `group` under [mcp] in your graphmem.toml, or GRAPHMEM_MCP_GROUP, …",
    )
    arguments.add_argument("--http", action="store_true", help="Over streamable HTTP instead of stdio.")
    for option, more in _OPTIONS:
        arguments.add_argument(option, **more)
    arguments.add_argument("--key", help="The key of the service; default: GRAPHMEM_API_KEY, or the local token.")
    arguments.add_argument("--config", type=Path, help="A file of settings, read in place of yours.")
    arguments.add_argument("--data-dir", help="Where `graphmem up` keeps everything; default: a folder of yours.")
    return arguments
