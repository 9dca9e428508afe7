"""The command ``graphmem``. Where only the client is installed, it says what is missing."""

import sys
from importlib.util import find_spec

_MCP = "Hand the memory to an agent as tools of the Model Context Protocol."


def main() -> None:
    if sys.argv[1:2] == ["mcp"]:
        _mcp()
        return
    if find_spec("typer") is None:
        sys.exit(
            "The command comes with the server: pip install 'graphmem[server]'. Only the client is installed here."
        )
    from graphmem.client.cli import app  # noqa: PLC0415 - see above

    app.command("mcp", help=_MCP)(_mcp)  # named in --help; what comes after it is read elsewhere
    app()


def _mcp() -> None:
    if find_spec("mcp") is None:
        sys.exit("The tools for agents come with an extra: pip install 'graphmem[mcp]'.")
    from graphmem.mcp.command import main as serve  # noqa: PLC0415 - see above

    serve(sys.argv[2:])


if __name__ == "__main__":
    main()
