"""Structured logs on standard error: readable in a terminal, JSON in services. They carry ids, never content."""

import logging
import sys
import traceback
from collections.abc import Iterator

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

from graphmem.settings.servers import LogSettings

_LOUD = {"httpx": logging.WARNING, "httpcore": logging.WARNING, "neo4j": logging.WARNING, "arq": logging.WARNING}


def configure(settings: LogSettings) -> None:
    """Send structlog and the standard library's logging the same way."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        traceback_without_words,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.PositionalArgumentsFormatter()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(settings)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    for name, level in _LOUD.items():
        logging.getLogger(name).setLevel(level)


def traceback_without_words(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Where an error came from, without its message: a message may quote what somebody said."""
    error = _error_of(event.pop("exc_info", None))
    if error is not None:
        event["error"] = type(error).__qualname__
        event["traceback"] = list(frames(error))
    return event


def _error_of(info: object) -> BaseException | None:
    """What ``exc_info`` means, in any of its spellings."""
    if isinstance(info, BaseException):
        return info
    if isinstance(info, tuple):
        error: object = info[1]  # pyright: ignore[reportUnknownVariableType]
        return error if isinstance(error, BaseException) else None
    return sys.exc_info()[1] if info else None


def frames(error: BaseException) -> Iterator[str]:
    """Every error of the chain, outermost first, each followed by the lines it passed."""
    link: BaseException | None = error
    while link is not None:
        yield type(link).__qualname__
        for frame in traceback.extract_tb(link.__traceback__):
            yield f"  {frame.filename}:{frame.lineno} {frame.name}"
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _renderer(settings: LogSettings) -> Processor:
    console = settings.format == "console" or (settings.format == "auto" and sys.stderr.isatty())
    return structlog.dev.ConsoleRenderer() if console else structlog.processors.JSONRenderer()
