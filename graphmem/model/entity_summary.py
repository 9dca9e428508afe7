"""Summaries of entities: what is believed of one now, in a paragraph, each sentence of which cites its claims."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from graphmem.model.ids import digest
from graphmem.model.summary import DerivedText


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySummaryPolicy:
    """From how many beliefs on an entity has a summary (``least``), and how many ``tokens`` that has at most.

    It is made from the ``most`` beliefs that come first: the most important, of these the newest.
    """

    least: int = 8
    tokens: int = 120
    most: int = 200


PACKAGED_ENTITY_SUMMARIES = EntitySummaryPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBelief:
    """A belief that is held of an entity: its recorded version, by id, and the belief, which has many versions."""

    id: str
    belief_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOfEntity:
    """What is held of an entity, in the order in which a summary says it, and of how many of these a user is the owner.

    ``as_of`` is when the newest version was recorded of all that stand, and all of these were true then; None where
    there are none.
    """

    as_of: datetime | None
    own: int
    beliefs: tuple[HeldBelief, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityToSummarise:
    """An entity that is to be looked at: something of it changed, last at ``due``.

    Claims about it changed from ``since`` on; None where only what it is the object of did. ``users`` have beliefs of
    it, or a summary. ``due`` and ``since`` are as the store has them.
    """

    id: str
    due: str
    since: str | None
    users: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySentence:
    """A sentence, the belief that it states, and the ids of the claims that it rests on."""

    text: str
    belief_id: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntitySummary(DerivedText):
    """A recorded version of a summary of what a ``user`` may see of an entity, "" for what everybody may.

    ``summary_id`` is its identity, the same for all its versions. ``beliefs`` are the ids of those that it was made
    from, of which it says as many as it has room for. All of them were true at ``as_of``. ``content`` is "" where there
    is nothing to say any more. ``model`` names the language model that wrote it, "" where none did.
    """

    id: str
    summary_id: str
    group_id: str
    entity_id: str
    user: str
    content: str
    sentences: tuple[EntitySentence, ...]
    tokens: int
    beliefs: tuple[str, ...]
    as_of: datetime
    model: str = ""

    @property
    def claims(self) -> tuple[str, ...]:
        """The ids of all claims that it cites."""
        return tuple(sorted({claim for sentence in self.sentences for claim in sentence.claims}))

    def without(self, withdrawn: Collection[str]) -> Self:
        """The summary without the sentences that cite one of these claims."""
        standing = tuple(sentence for sentence in self.sentences if set(withdrawn).isdisjoint(sentence.claims))
        return self if standing == self.sentences else replace(self, sentences=standing, content=paragraph(standing))


def paragraph(sentences: Sequence[EntitySentence]) -> str:
    """The text of a summary."""
    return " ".join(sentence.text for sentence in sentences)


def entity_summary_id(entity_id: str, user: str) -> str:
    """The identity of a summary: of one entity, for one user."""
    return digest("entity summary", entity_id, user)
