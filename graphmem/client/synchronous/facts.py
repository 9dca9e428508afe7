# Made by scripts/unasync.py from the module of this name in graphmem/client/asynchronous. Change that one.
"""Facts that people own, and what is contested."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from graphmem.answers.facts import (
    ActedFact,
    ConflictList,
    ConflictOut,
    FactList,
    FactOut,
    RememberedFact,
    SharedFact,
)
from graphmem.client.calls import TimeOptions, UserOption, given, is_named, path_in
from graphmem.client.synchronous.connection import Connection


class Facts(Connection):
    """Calls about facts. Only the owner of a fact changes it: ``user`` says who does."""

    def facts(
        self,
        group: str,
        *,
        category: Sequence[str] = (),
        subject: str | None = None,
        least_importance: float | None = None,
        tag: Sequence[str] = (),
        **asked: Unpack[TimeOptions],
    ) -> Iterator[FactOut]:
        """Facts, the most important first: those of a user and what is shared, or without one all, page by page."""
        params = given(
            category=list(category), subject=subject, least_importance=least_importance, tag=list(tag), **asked
        )
        for page in self._pages(FactList, path_in(group, "facts"), params):
            yield from page.facts

    def remember_fact(
        self,
        group: str,
        subject: Mapping[str, Any],
        category: str,
        key: str,
        *,
        object: Mapping[str, Any] | None = None,  # noqa: A002 - the name in the body
        value: str | float | bool | None = None,
        user: str | None = None,
        **more: Any,
    ) -> RememberedFact:
        """Remember what somebody says on purpose of a subject (``name`` and ``type``): an object or a value.

        ``more`` are any of ``statement``, ``valid_from``, ``valid_to``, ``occurred_at``, ``importance``, ``tags``,
        ``source``, ``external_id``, ``attributes`` and ``recorded_at``.
        """
        body = given(subject=subject, category=category, key=key, object=object, value=value, user=user, **more)
        return self._post(RememberedFact, path_in(group, "facts"), body, repeatable=is_named(body))

    def confirm_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say that a fact, given by the id of a belief or a version, is right."""
        return self._post(ActedFact, path_in(group, "facts", belief_id, "confirm"), given(**asked))

    def correct_fact(self, group: str, belief_id: str, *, user: str | None = None, **instead: Any) -> ActedFact:
        """Say what is so instead of a fact.

        ``instead`` are any of ``object``, ``value``, ``statement``, ``valid_from``, ``valid_to``, ``attributes`` and
        ``category``.
        """
        body = given(user=user, **instead)
        return self._post(ActedFact, path_in(group, "facts", belief_id, "correct"), body)

    def share_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> SharedFact:
        """Show a fact to everybody in the group, with the words that it rests on."""
        return self._post(SharedFact, path_in(group, "facts", belief_id, "share"), given(**asked))

    def unshare_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> SharedFact:
        """Take back that a fact is shared."""
        return self._post(SharedFact, path_in(group, "facts", belief_id, "unshare"), given(**asked))

    def delete_fact(
        self, group: str, belief_id: str, *, reason: str | None = None, **asked: Unpack[UserOption]
    ) -> ActedFact:
        """Say that a fact was never so. It is no erasure: its history keeps it."""
        return self._delete(ActedFact, path_in(group, "facts", belief_id), given(reason=reason, **asked))

    def conflicts(self, group: str, **asked: Unpack[TimeOptions]) -> Iterator[ConflictOut]:
        """What is contested, with the evidence of both sides, page by page."""
        for page in self._pages(ConflictList, path_in(group, "conflicts"), given(**asked)):
            yield from page.conflicts

    def settle_conflict(self, group: str, belief_id: str, keep: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say which claim is right about a contested belief; the values of the others give way to it."""
        return self._post(ActedFact, path_in(group, "conflicts", belief_id), given(keep=keep, **asked))
