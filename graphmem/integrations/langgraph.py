"""The store of LangGraph: ``GraphmemStore`` keeps what agents remember, and what it was before."""

import asyncio
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from graphmem.client import GraphmemClient
from graphmem.client.calls import TimeOptions
from graphmem.clock import utc_now
from graphmem.integrations.items import ItemChange, Items, Namespace, NewItem, StoredItem, entity_name, newest, sendable
from graphmem.model.interval import instant_of

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        tokenize_path,
    )
except ImportError as error:
    raise ImportError("The store of LangGraph needs its packages: pip install 'graphmem[langgraph]'") from error

_TIMES = ("valid_at", "known_at")
_LONGEST_QUERY = _LONGEST_WORDS = 10_000
"""Characters of a question, and of an item by which it is found."""
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
Place = tuple[Namespace, str]


class GraphmemStore(BaseStore):
    """A store in a group of graphmem: what was overwritten or deleted stays known, and is told as of then.

    ``search(..., filter={"valid_at": "2025-03-10"})`` gives the items of that day; with ``known_at``, as known then.
    ``user_label`` is the place in a namespace of the user whose own its items are: 1 in ``("memories", "ann")``.
    ``index`` are the fields by which searches find items, where ``put`` names none. A group may have several stores,
    each with a ``name``. Asynchronous methods call in a thread.
    """

    supports_ttl = True

    def __init__(
        self,
        client: GraphmemClient,
        group: str,
        *,
        name: str = "langgraph",
        user_label: int | None = None,
        index: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
    ) -> None:
        self._items = Items(client, group, name)
        self._user_label = user_label
        self._index = list(index)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The answers to operations: what reads comes before what writes, and of one key the last write counts."""
        asked, now, changes = list(ops), utc_now(), dict[Place, ItemChange]()
        results = [self._read(op, now, changes) for op in asked]
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        written = [self._put(op, now, place) for place, op in enumerate(puts.values())]
        used = [change for place, change in changes.items() if place not in puts]
        self._items.write([*used, *written])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op, now: datetime, changes: dict[Place, ItemChange]) -> Result:
        """What an operation answers; to ``changes`` comes what expired, and what stays longer for being read."""
        match op:
            case GetOp():
                held = self._items.held(op.namespace, op.key, user=self._user(op.namespace))
                found = self._used(newest(held), now, changes, refresh=op.refresh_ttl)
                return next((Item(**_shown(item)) for item in found), None)
            case SearchOp():
                return self._search(op, now, changes)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None

    def _search(self, op: SearchOp, now: datetime, changes: dict[Place, ItemChange]) -> list[SearchItem]:
        wanted = dict(op.filter or {})
        asked = TimeOptions(
            user=self._user(op.namespace_prefix), **{name: wanted.pop(name) for name in _TIMES if name in wanted}
        )
        listed = self._items.namespaces(**asked)
        within = [each for each in listed if each[: len(op.namespace_prefix)] == op.namespace_prefix]
        items = [item for each in within for item in newest(self._items.held(each, **asked))]
        if asked.keys() & set(_TIMES):
            then = instant_of(asked.get("valid_at") or now)
            items = [item for item in items if item.holds_at(then)]
        else:
            items = self._used(items, now, changes, refresh=op.refresh_ttl)
        items = [item for item in items if matches(item.value, wanted)]
        scores = self._scores(op.query, within, asked) if op.query and op.query.strip() and items else {}
        found = by_score(items, scores)[op.offset : op.offset + op.limit]
        return [SearchItem(**_shown(item), score=scores.get((item.namespace, item.key))) for item in found]

    def _scores(self, query: str, within: Sequence[Namespace], asked: TimeOptions) -> dict[Place, float]:
        only = {"entity": entity_name(self._items.store, within[0])} if len(within) == 1 else {}
        return self._items.scores(sendable(query)[:_LONGEST_QUERY], only, **asked)

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefix = next((each.path for each in conditions if each.match_type == "prefix" and "*" not in each.path), ())
        listed = self._items.namespaces(user=self._user(prefix))
        found = {each[: op.max_depth] for each in listed if all(is_like(each, condition) for condition in conditions)}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _used(
        self, items: Iterable[StoredItem], now: datetime, changes: dict[Place, ItemChange], *, refresh: bool
    ) -> list[StoredItem]:
        """Those that have not expired. Those with a ``ttl`` stay as long again, if they are to be refreshed."""
        living = list[StoredItem]()
        for item in items:
            place, user = (item.namespace, item.key), self._user(item.namespace)
            if not item.holds_at(now):
                changes[place] = ItemChange(held=[item], user=user, ended_at=item.expires_at)
                continue
            living.append(item)
            if refresh and item.ttl is not None:
                changes[place] = ItemChange(held=[item], item=_longer(item, now), words=self._words(item), user=user)
        return living

    def _put(self, op: PutOp, now: datetime, place: int) -> ItemChange:
        user = self._user(op.namespace)
        held = self._items.held(op.namespace, op.key, user=user)
        if op.value is None:
            return ItemChange(held=held, user=user)
        former = next((item for item in newest(held) if item.holds_at(now)), None)
        item = NewItem(
            namespace=op.namespace,
            key=op.key,
            value=dict(op.value),
            created_at=former and former.created_at,
            place=former.place if former else place,
            ttl=op.ttl,
            expires_at=None if op.ttl is None else now + timedelta(minutes=op.ttl),
            index=op.index,
        )
        return ItemChange(held=held, item=item, words=self._words(item), user=user)

    def _words(self, item: StoredItem | NewItem) -> str:
        return words_of(item, self._index)

    def _user(self, namespace: Sequence[str]) -> str | None:
        label = self._user_label
        return None if label is None or label >= len(namespace) else namespace[label]


def _longer(item: StoredItem, now: datetime) -> NewItem:
    """An item that was used now, and is kept as long again."""
    kept: dict[str, Any] = {name: getattr(item, name) for name in NewItem.__slots__}
    kept["expires_at"] = now + timedelta(minutes=item.ttl or 0)
    return NewItem(**kept)


def _shown(item: StoredItem) -> dict[str, Any]:
    return {name: getattr(item, name) for name in ("namespace", "key", "value", "created_at", "updated_at")}


def words_of(item: StoredItem | NewItem, index: Sequence[str]) -> str:
    """What searches find an item by: the texts of its own fields or those of ``index``, else its key."""
    paths = index if item.index is None else item.index or ()
    texts = [
        text for path in paths for text in get_text_at_path(item.value, path if path == "$" else tokenize_path(path))
    ]
    return sendable("\n".join(texts)).strip()[:_LONGEST_WORDS] or sendable(item.key).strip() or "an item"


def by_score(items: Sequence[StoredItem], scores: Mapping[Place, float]) -> list[StoredItem]:
    """Items with a score, the best first, and then the others in their order."""
    return sorted(items, key=lambda item: -scores.get((item.namespace, item.key), float("-inf")))


def is_like(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace begins, or ends, as a condition says; ``*`` is any label."""
    path = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


def matches(value: Any, wanted: Any) -> bool:
    """Whether a value is as a filter wants it: objects have what is asked of them, all else is equal, or compares.

    Raises:
        ValueError: there is no such operator.
    """
    if isinstance(wanted, Mapping):
        asked = cast("Mapping[str, Any]", wanted)
        if any(name.startswith("$") for name in asked):
            return all(_compares(value, name, limit) for name, limit in asked.items())
        return isinstance(value, Mapping) and all(
            matches(cast("Mapping[str, Any]", value).get(name), part) for name, part in asked.items()
        )
    if isinstance(wanted, list | tuple):
        parts = cast("Sequence[Any]", wanted)
        return (
            isinstance(value, list | tuple)
            and len(cast("Sequence[Any]", value)) == len(parts)
            and all(map(matches, cast("Sequence[Any]", value), parts))
        )
    return value == wanted


def _compares(value: Any, name: str, limit: Any) -> bool:
    if name in ("$eq", "$ne"):
        return (value == limit) is (name == "$eq")
    if name not in _COMPARED:
        raise ValueError(f"There is no operator {name!r} for filters, but $eq, $ne, {', '.join(_COMPARED)}.")
    try:
        return _COMPARED[name](float(value), float(limit))
    except (TypeError, ValueError):  # such as a text, or nothing at all: it is neither more nor less
        return False
