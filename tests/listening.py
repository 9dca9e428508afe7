"""A web application on a real port, for what calls it over HTTP."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic, sleep

import uvicorn
from fastapi import FastAPI


@contextmanager
def listening(app: FastAPI) -> Generator[str]:
    """The URL of the application, on a free port of loopback, in a thread of its own."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = monotonic() + 20
    while not server.started and monotonic() < deadline:
        sleep(0.01)
    (sockets,) = (one.sockets for one in server.servers)
    try:
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
