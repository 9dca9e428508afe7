"""The command ``graphmem``. Where only the client is installed, it says what is missing."""

import sys
from importlib.util import find_spec


def main() -> None:
    if find_spec("typer") is None:
        sys.exit(
            "The command comes with the server: pip install 'graphmem[server]'. Only the client is installed here."
        )
    from graphmem.client.cli import app  # noqa: PLC0415 - see above

    app()


if __name__ == "__main__":
    main()
