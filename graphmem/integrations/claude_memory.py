"""Claude's memory tool: files under ``/memories`` that are documents with versions, of which beliefs are read.

The tool of the SDK does what Claude asks for, in a folder that has the files for so long: texts and errors are its own.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from graphmem.client import GraphmemClient
from graphmem.integrations.items import ItemChange, Items, Namespace, NewItem, StoredItem, newest, sendable

try:
    from anthropic.tools.memory import (
        BetaAbstractMemoryTool,
        BetaAsyncAbstractMemoryTool,
        BetaLocalFilesystemMemoryTool,
    )
except ImportError as error:
    raise ImportError("Claude's memory tool needs the SDK: pip install 'graphmem[claude-memory]'") from error

Files = Mapping[str, str | None]
"""The text of each file by its path under ``/memories``; None is a folder."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MemoryFolder:
    """The files of one user, or of everybody, in a group; ``name`` tells apart several folders there."""

    client: GraphmemClient
    group: str
    user: str | None
    name: str

    def within(self, do: Callable[[BetaLocalFilesystemMemoryTool], T]) -> T:
        """Have the SDK's tool do something with the files, and keep what it leaves, also where it fails."""
        held = {item.key: item for item in newest(self._items.held(self._namespace, user=self.user))}
        before = {path: item.value for path, item in held.items()}
        with TemporaryDirectory(prefix="graphmem-") as folder:
            tool = BetaLocalFilesystemMemoryTool(folder)
            lay_out(before, tool.memory_root)
            try:
                return do(tool)
            finally:
                self._keep(held, before, laid_out(tool.memory_root))

    @property
    def _namespace(self) -> Namespace:
        """Each user has one: what everybody may see is in another than theirs."""
        return ("memories",) if self.user is None else ("memories", self.user)

    @property
    def _items(self) -> Items:
        return Items(self.client, self.group, self.name)

    def _keep(self, held: Mapping[str, StoredItem], before: Files, after: Files) -> None:
        changed = [path for path in {**before, **after} if _differs(path, before, after)]
        changes = [
            ItemChange(
                held=[held[path]] if path in held else [],
                item=_item(self._namespace, path, after[path], held.get(path)) if path in after else None,
                words=sendable(f"/memories/{path}"),
                user=self.user,
            )
            for path in changed
        ]
        self._items.write(changes)
        texts = {text: path for path, text in after.items() if text and sendable(text).strip()}
        new = {text: path for text, path in texts.items() if text not in before.values()}
        if new:
            self.client.post_episodes(self.group, [self._document(path, text) for text, path in new.items()])

    def _document(self, path: str, text: str) -> dict[str, Any]:
        return {
            "content": sendable(text),
            "content_type": "document",
            "role": "assistant",
            "source": self.name,
            "metadata": {"path": sendable(f"/memories/{path}")},
            **({} if self.user is None else {"user": self.user}),
        }


class _OfFolder:
    """A tool of one ``user`` or of everybody in a group; ``name`` tells apart several there."""

    def __init__(
        self, client: GraphmemClient, group: str, *, user: str | None = None, name: str = "claude-memory"
    ) -> None:
        super().__init__()
        self._folder = MemoryFolder(client, group, user, name)


class GraphmemMemoryTool(_OfFolder, BetaAbstractMemoryTool):
    """The memory tool for ``client.beta.messages.tool_runner``, of one ``user`` or of everybody in a group."""

    def _do(self, command: Any) -> Any:
        return self._folder.within(lambda tool: tool.execute(command))

    view = create = str_replace = insert = delete = rename = _do

    def clear_all_memory(self) -> Any:
        return self._folder.within(lambda tool: tool.clear_all_memory())


class AsyncGraphmemMemoryTool(_OfFolder, BetaAsyncAbstractMemoryTool):
    """The memory tool for asynchronous clients of Claude: it calls graphmem in a thread."""

    async def _do(self, command: Any) -> Any:
        return await asyncio.to_thread(self._folder.within, lambda tool: tool.execute(command))

    view = create = str_replace = insert = delete = rename = _do

    async def clear_all_memory(self) -> Any:
        return await asyncio.to_thread(self._folder.within, lambda tool: tool.clear_all_memory())


def _item(namespace: Namespace, path: str, text: str | None, held: StoredItem | None) -> NewItem:
    return NewItem(namespace=namespace, key=path, value=text, created_at=held and held.created_at, index=False)


def _differs(path: str, before: Files, after: Files) -> bool:
    return (path in before) != (path in after) or before.get(path) != after.get(path)


def lay_out(files: Files, root: Path) -> None:
    """Write files into an empty folder."""
    for path, text in files.items():
        place = root / path
        (place if text is None else place.parent).mkdir(parents=True, exist_ok=True)
        if text is not None:
            place.write_bytes(text.encode())


def laid_out(root: Path) -> dict[str, str | None]:
    """The files and folders below a folder."""
    return {
        place.relative_to(root).as_posix(): None if place.is_dir() else place.read_bytes().decode()
        for place in sorted(root.rglob("*"))
    }
