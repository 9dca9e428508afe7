"""Who calls, and what they may: the rights of a key in some groups, for some users and agents."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graphmem.errors import Forbidden, UserRequired
from graphmem.model.scope import EVERYBODY

ANY = "*"
"""At the end of a pattern, any characters; alone, every group."""


class Right(StrEnum):
    """None includes another. Who may write takes nothing away for good: that is to ``erase``."""

    READ = "read"
    WRITE = "write"
    ERASE = "erase"
    ADMIN = "admin"


def matches(group: str, pattern: str) -> bool:
    """Whether a group is the one that a pattern names, or begins as the pattern does before its ``*``."""
    return group.startswith(pattern[:-1]) if pattern.endswith(ANY) else group == pattern


def includes(wider: Iterable[str], pattern: str) -> bool:
    """Whether every group of a pattern is of one of the ``wider`` patterns."""
    return any(
        pattern == other or (other.endswith(ANY) and pattern.removesuffix(ANY).startswith(other[:-1]))
        for other in wider
    )


@dataclass(frozen=True, slots=True)
class Actor:
    """As whom something is changed.

    ``user`` None may change what belongs to any user. ``shares``: also what is everybody's. ``decides``: also what
    everybody goes by.
    """

    user: str | None = None
    shares: bool = True
    decides: bool = True

    def check_change(self, owner: str) -> None:
        """Whether it may change what is of an owner; "" is everybody.

        Raises:
            Forbidden: it may not.
        """
        if owner == EVERYBODY and not self.shares:
            raise Forbidden(f"That is everybody's, and this key acts for {self.user!r} only.")
        if self.user is not None and owner not in (EVERYBODY, self.user):
            raise Forbidden(f"That is {owner!r}'s: only {owner!r} may change it. Say so with user={owner!r}.")

    def check_decision(self, owner: str) -> None:
        """Whether it may decide about what is of an owner.

        Raises:
            Forbidden: it may not.
        """
        self.check_change(owner)
        if owner == EVERYBODY and not self.decides:
            raise Forbidden("That is everybody's: an administrator decides about it.")


ANYBODY = Actor()
"""Whoever may change everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who calls, and what they may.

    ``groups`` are names, or patterns that end with ``*``. With ``users`` it sees what everybody may see and what is of
    one of these; where that is empty, what everybody may see; None is every user. ``agents`` are those as which it
    hands in and asks; None is any. From ``expires_at`` on it may nothing. ``key`` is the id of the key that it came
    with; "" is the key of the settings, or the token of this machine. ``names_user``: whoever may act for all has to
    say for which user. ``called`` is the id of the group that is asked for, and what it is called: patterns are of
    names.
    """

    key: str = ""
    rights: frozenset[Right] = frozenset(Right)
    groups: tuple[str, ...] = (ANY,)
    users: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    names_user: bool = False
    called: tuple[str, str] = ("", "")

    def reads(self, group: str, user: str | None) -> str | None:
        """The user as whom it reads a group: who is asked for, or the only one that it may; None reads all.

        Raises:
            Forbidden: the group, reading, or that user is none of its business.
            UserRequired: it has to say for which user.
        """
        self.enters(group, Right.READ)
        return self._as_user(user, otherwise=EVERYBODY)

    def writes(self, group: str, user: str | None) -> str | None:
        """The user as whom it writes to a group; None may change what belongs to any.

        Raises:
            Forbidden: the group, writing, or that user is none of its business.
            UserRequired: it has to say for which user.
        """
        return self._changes(group, Right.WRITE, user)

    def erases(self, group: str, user: str | None) -> str | None:
        """The user as whom it says what a group forgets and takes in no more; None may do so for any.

        Raises:
            Forbidden: the group, erasing, or that user is none of its business.
            UserRequired: it has to say for which user.
        """
        return self._changes(group, Right.ERASE, user)

    def decides(self, group: str, user: str | None) -> str | None:
        """The user as whom it decides who is who and what is contested; for everybody only an administrator does.

        Raises:
            Forbidden: the group, that user, or what holds for everybody is none of its business.
            UserRequired: it has to say for which user.
        """
        decider = self.writes(group, user)
        if not decider:
            self.administers(group)
        return decider

    def administers(self, group: str) -> None:
        """Whether it may change what holds for a whole group: its settings, and jobs about all that is in it.

        Raises:
            Forbidden: the group or its administration is none of its business, or it acts for some users only.
        """
        self.enters(group, Right.ADMIN)
        self._acts_for_all("the whole group")

    def verifies(self, group: str) -> None:
        """Whether it may look for words in all that a group has.

        Raises:
            Forbidden: the group, reading or erasing is none of its business, or it acts for some users only.
        """
        self.enters(group, Right.READ)
        self.enters(group, Right.ERASE)
        self._acts_for_all("the whole group")

    def enters(self, group: str, right: Right) -> None:
        """Whether it has a right in a group, for whomever.

        Raises:
            Forbidden: it has not.
        """
        if right not in self.rights or not self.may_enter(group):
            raise Forbidden(f"This key may not {right} group {self._name_of(group)!r}.")

    def may_enter(self, group: str) -> bool:
        """Whether a group is any of its business."""
        name = self._name_of(group)
        return any(matches(name, pattern) for pattern in self.groups)

    def gains(self, former: str, name: str) -> bool:
        """Whether it could enter a group by a new name, and could not by its former one."""
        return not self.may_enter(former) and self.may_enter(name)

    def _name_of(self, group: str) -> str:
        return self.called[1] if group == self.called[0] else group

    def oversees(self, right: Right) -> None:
        """Whether it has a right in every group, and acts for all users.

        Raises:
            Forbidden: it has not, or does not.
        """
        if right not in self.rights or ANY not in self.groups:
            raise Forbidden(f"This is about the whole service, and needs a key that may {right} every group.")
        self._acts_for_all("the whole service")

    def acts_as(self, agent: str | None) -> str | None:
        """The agent as which it hands in or asks: who is said, or the only one that it may.

        Raises:
            Forbidden: it may not act as that one, or has to say as which of several.
        """
        if self.agents is None:
            return agent
        if agent is None and len(self.agents) == 1:
            return self.agents[0]
        if agent not in self.agents:
            raise Forbidden(f"This key acts as {_one_of(self.agents, 'no agent')}: say so as `agent`.")
        return agent

    def acting(self, user: str | None) -> Actor:
        """What it may change as a user that it may act for."""
        return Actor(user, shares=not self.users, decides=self.users is None and Right.ADMIN in self.rights)

    def may_give(self, other: "Principal") -> bool:
        """Whether it may make a key that may as much: no more than itself, and only as an administrator."""
        return (
            Right.ADMIN in self.rights
            and self.users is None
            and other.rights <= self.rights
            and all(includes(self.groups, pattern) for pattern in other.groups)
            and (self.agents is None or (other.agents is not None and set(other.agents) <= set(self.agents)))
            and (self.expires_at is None or (other.expires_at is not None and other.expires_at <= self.expires_at))
        )

    def _changes(self, group: str, right: Right, user: str | None) -> str | None:
        self.enters(group, right)
        return self._as_user(user, otherwise=None if self.users else EVERYBODY)

    def _as_user(self, user: str | None, *, otherwise: str | None) -> str | None:
        if self.users is None:
            if user is None and self.names_user:
                raise UserRequired(
                    "Say for which user: `?user=…`, or `user` in the body of a call that has it there. This service "
                    "answers nobody who does not say it (api.require_user)."
                )
            return user
        if user is None:
            if len(self.users) == 1:
                return self.users[0]
            if otherwise is None:
                raise UserRequired(f"Say for which user: this key acts for {_one_of(self.users, 'no user')}.")
            return otherwise
        if user not in self.users:
            raise Forbidden(f"This key may not act for user {user!r}.")
        return user

    def _acts_for_all(self, what: str) -> None:
        if self.users is not None:
            raise Forbidden(f"This is about {what}, and this key acts for {_one_of(self.users, 'no user')} only.")


NOBODY = Principal(groups=(), rights=frozenset())
"""Whoever asks for what is open to everybody."""


def _one_of(names: Iterable[str], none: str) -> str:
    return " or ".join(repr(name) for name in names) or none
