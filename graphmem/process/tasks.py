"""Tasks beside each other: they end together, and the first error is the error of all."""

from asyncio import Task, TaskGroup
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
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
    """Run coroutines side by side, and give their results in order."""
    async with side_by_side() as tasks:
        running = [tasks.create_task(work) for work in works]
    return [task.result() for task in running]


@contextmanager
def cancelled_after(task: Task[Result]) -> Generator[Task[Result]]:
    """Cancel the task when the block exits. Whoever awaits it gets its error; nobody needs to."""
    task.add_done_callback(lambda done: None if done.cancelled() else done.exception())
    try:
        yield task
    finally:
        task.cancel()
