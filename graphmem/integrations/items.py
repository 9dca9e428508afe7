"""Items: JSON values by namespace and key, kept as claims, so that what each was before stays known.

A namespace is an entity, and an item a predicate of it, whose value is all of the item as JSON. Overwriting ends the
old value at the instant at which the new one starts. The empty namespace lists the others, which stay when emptied.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Self, Unpack
from unicodedata import normalize
from uuid import uuid4

from graphmem.answers.beliefs import BeliefOut
from graphmem.client import GraphmemClient
from graphmem.client.calls import TimeOptions, given
from graphmem.errors import NotFound

Namespace = tuple[str, ...]
LISTED: Namespace = ()
"""The namespace whose items are the names of the others."""
_AT_ONCE = 500
"""Claims in one request: half of what a list may have."""
_MOST_AROUND = 5_000
"""Beliefs that one answer about an entity may have."""
_LONGEST_LABEL = 150
"""Characters: a third of what a name may have, for case folding makes three of some."""
_UNSENT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no text of a request may have: control characters other than tab and line breaks, and half a surrogate pair."""


def exact(value: object) -> str:
    """JSON that reads back as the same value, of characters that every text of a request may have.

    Raises:
        TypeError, ValueError: JSON has no such value.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSENT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def sendable(text: str) -> str:
    """A text with spaces in place of characters that no request may have."""
    return _UNSENT.sub(" ", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """A value by its namespace and key, as read. ``text`` is all of it: the value of the belief that it is.

    Of what was made in one call, ``place`` says the order. It is kept for ``ttl`` minutes after it was last used, which
    ends at ``expires_at``; None is for good. ``index`` are the fields by which searches find it: None those of its
    store, False none.
    """

    namespace: Namespace
    key: str
    value: Any
    created_at: datetime
    updated_at: datetime
    place: int
    ttl: float | None
    expires_at: datetime | None
    index: list[str] | Literal[False] | None
    text: str

    @classmethod
    def of(cls, belief: BeliefOut) -> Self:
        """The item that a belief is. What says no times was made, or written, when the belief began to hold."""
        text, began = str(belief.value), belief.valid_from or belief.recorded_at
        said: dict[str, Any] = json.loads(text)
        return cls(
            namespace=tuple(said["namespace"]),
            created_at=_instant(said["created_at"]) or began,
            updated_at=_instant(said["updated_at"]) or began,
            expires_at=_instant(said["expires_at"]),
            text=text,
            **{name: said[name] for name in ("key", "value", "place", "ttl", "index")},
        )

    def holds_at(self, at: datetime) -> bool:
        """Whether it has not expired then."""
        return self.expires_at is None or at < self.expires_at


def _instant(written: str | None) -> datetime | None:
    return datetime.fromisoformat(written) if written else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """A value to be written by its namespace and key; ``created_at`` and ``updated_at`` are None where that is now."""

    namespace: Namespace
    key: str
    value: Any
    created_at: datetime | None = None
    updated_at: datetime | None = None
    place: int = 0
    ttl: float | None = None
    expires_at: datetime | None = None
    index: list[str] | Literal[False] | None = None

    @property
    def text(self) -> str:
        """All of it, and something that no other has: what is written again is another value."""
        said = {name: getattr(self, name) for name in self.__slots__} | {"written": uuid4().hex}
        return exact({name: part.isoformat() if isinstance(part, datetime) else part for name, part in said.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChange:
    """What becomes of one key: ``item`` in place of ``held``; None is nothing. ``words`` are what searches find.

    ``ended_at`` is when what was held ended; None is now.
    """

    held: Sequence[StoredItem]
    item: NewItem | None = None
    words: str = ""
    user: str | None = None
    ended_at: datetime | None = None


def entity_name(store: str, namespace: Namespace) -> str:
    """The name of the entity that stands for a namespace of a store: readable, and no other's.

    What identifies it is the store's, too: two entities of one hash would be taken for the same thing.
    """
    label = " ".join(normalize("NFKC", sendable("/".join(namespace))).split())[:_LONGEST_LABEL]
    return f"{store}:{label} {_hash([store, *namespace])[:12]}"


def predicate_of(namespace: Namespace, key: str) -> str:
    """The predicate by which a namespace has the item of a key."""
    return f"item_{_hash([*namespace, [key]])[:32]}"


def _hash(named: object) -> str:
    return sha256(exact(named).encode()).hexdigest()


def claims_of(store: str, change: ItemChange) -> list[dict[str, Any]]:
    """The claims that make a change, each with a name of its own, so that it can be sent again."""
    end = {"kind": "ends", **given(valid_from=change.ended_at)}
    told: list[tuple[StoredItem | NewItem, dict[str, Any]]] = [
        (item, {**end, "statement": f"{sendable(item.key)} ended."}) for item in change.held
    ]
    if change.item is not None:
        told.append((change.item, {"kind": "starts", "statement": change.words}))
    return [
        {
            "subject": {"name": entity_name(store, item.namespace), "type": "namespace"},
            "predicate": predicate_of(item.namespace, item.key),
            "value": item.text,
            "source": store,
            "user": change.user,
            "external_id": uuid4().hex,
            **how,
        }
        for item, how in told
    ]


def newest(items: Iterable[StoredItem]) -> list[StoredItem]:
    """Of each key the item written last (two wrote at once where there are several), in the order of their making."""
    by_key = {item.key: item for item in sorted(items, key=lambda item: (item.updated_at, item.text))}
    return sorted(by_key.values(), key=lambda item: (item.created_at, item.place))


@dataclass(frozen=True, slots=True)
class Items:
    """The items of one store in a group; ``store`` is its name, and the source of its claims."""

    client: GraphmemClient
    group: str
    store: str

    def held(self, namespace: Namespace, key: str | None = None, **asked: Unpack[TimeOptions]) -> list[StoredItem]:
        """What was held then in a namespace, or of one key of it, also what has expired."""
        name = entity_name(self.store, namespace)
        predicates = [] if key is None else [predicate_of(namespace, key)]
        try:
            beliefs = self._beliefs(name, predicates, asked)
        except NotFound:  # the group or the namespace was not there yet
            return []
        items = [StoredItem.of(belief) for belief in beliefs if belief.predicate.startswith("item_")]
        return [item for item in items if item.namespace == namespace and key in (None, item.key)]

    def _beliefs(self, name: str, predicates: Sequence[str], asked: TimeOptions) -> Sequence[BeliefOut]:
        graph = self.client.graph(self.group, entity=name, predicate=predicates, limit=_MOST_AROUND, **asked)
        if graph.complete:
            return graph.beliefs
        then = TimeOptions(user=asked.get("user"), valid_at=graph.valid_at, known_at=graph.known_at)
        entity = self.client.entity_id(self.group, name, **then)
        versions = self.client.history(self.group, entity, predicate=predicates, **then)
        return [version for version in versions if version.superseded_at is None]

    def namespaces(self, **asked: Unpack[TimeOptions]) -> list[Namespace]:
        """All that had an item by then, in the order in which they came."""
        return [tuple(item.value) for item in newest(self.held(LISTED, **asked))]

    def write(self, changes: Sequence[ItemChange]) -> None:
        """Make changes, those of up to 500 claims in one transaction; namespaces that are new are listed."""
        listed = [*self._listings(changes), *changes]
        claims = [claim for change in listed for claim in claims_of(self.store, change)]
        for first in range(0, len(claims), _AT_ONCE):
            self.client.claims(self.group, claims[first : first + _AT_ONCE])

    def _listings(self, changes: Sequence[ItemChange]) -> list[ItemChange]:
        users = {change.item.namespace: change.user for change in changes if change.item and not change.held}
        new = {at: user for at, user in users.items() if not self.held(LISTED, exact(at), user=user)}
        return [
            ItemChange(
                held=[],
                item=NewItem(namespace=LISTED, key=exact(namespace), value=namespace, place=place),
                words=entity_name(self.store, namespace),
                user=user,
            )
            for place, (namespace, user) in enumerate(new.items())
        ]

    def scores(
        self, query: str, filters: Mapping[str, Any], **asked: Unpack[TimeOptions]
    ) -> dict[tuple[Namespace, str], float]:
        """What a search finds, by namespace and key, the best first."""
        narrowed = {"sources": [self.store], **filters}
        found = self.client.search(self.group, query, kinds=["fact"], limit=100, filters=narrowed, **asked)
        items = [(StoredItem.of(hit.thing), hit.score) for hit in found.hits if hit.kind == "fact"]
        return {(item.namespace, item.key): score for item, score in items if item.index is not False}
