"""Several things at once, of which the first error is the error of all."""

from asyncio import TaskGroup
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


@asynccontextmanager
async def side_by_side() -> AsyncGenerator[TaskGroup]:
    """Tasks that have all ended afterwards. When one fails, the others are cancelled, and its error is raised."""
    try:
        async with TaskGroup() as tasks:
            yield tasks
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


async def together(works: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Their results in order."""
    async with side_by_side() as tasks:
        running = [tasks.create_task(work) for work in works]
    return [task.result() for task in running]
