"""Merges: decisions that entities are the same, what they rest on, and how they change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.entity import USERS
from graphmem.model.ids import digest
from graphmem.model.interval import BEGIN, END
from graphmem.model.matching import FamilyTie, Judgement, MatchProfile, Method, Pair, Stage, Verdict
from graphmem.model.projection.identity import SameAs
from graphmem.model.scope import EVERYBODY

COMPUTED = "computed"


def computed_id(a: str, b: str, user: str) -> str:
    """The id of what is computed of a pair."""
    return digest("judgement", a, b, user, COMPUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What somebody thinks of a pair, for everybody (user "") or in one user's memory.

    A person's stands beside what was computed; ``reason`` is in that person's words. With a ``session`` it is a
    person's, and says whom a short name means there. ``refused`` says why two that are taken for the same are not
    merged all the same. It is ``pending`` while somebody is to say who is right. ``evidence`` is a fingerprint of what
    the two were known by.
    """

    judgement: Judgement
    user: str = ""
    session: str | None = None
    reason: str = ""
    refused: str = ""
    pending: bool = False
    evidence: str = ""

    @property
    def by_hand(self) -> bool:
        return self.judgement.method is Method.HUMAN

    @property
    def by_model(self) -> bool:
        return self.judgement.method is Method.MODEL

    @property
    def id(self) -> str:
        """The id of the opinion.

        A pair has one opinion that was computed, one of a language model and one by hand; so it has for each session.
        """
        who = "human" if self.by_hand else "model" if self.by_model else COMPUTED
        in_session = [] if self.session is None else [self.session]
        return digest("judgement", *self.judgement.pair, self.user, who, *in_session)


def said_by_models(opinions: Iterable[Opinion]) -> dict[Pair, Opinion]:
    """What a language model says of pairs that computation leaves open, where it was shown what is known now."""
    known = list(opinions)
    open_ = {opinion.judgement.pair: opinion.evidence for opinion in known if _is_left_open(opinion)}
    return {
        opinion.judgement.pair: opinion
        for opinion in known
        if opinion.by_model
        and open_.get(opinion.judgement.pair) == opinion.evidence
        and opinion.judgement.verdict is not Verdict.REVIEW
    }


def _is_left_open(opinion: Opinion) -> bool:
    computed = not opinion.by_hand and not opinion.by_model
    return computed and opinion.user == EVERYBODY and opinion.judgement.verdict is Verdict.REVIEW


FIRST_REVIEW = (1e308, "~")
"""The (score, id) before all pairs that somebody is to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A decision that ``member`` is the same as ``other``, which stands for both, and the pair that it rests on.

    With a ``session`` the member is a short name, and only what was said there moves.
    """

    member: str
    other: str
    user: str
    session: str | None
    pair: Pair
    method: Method
    stage: Stage | None
    score: float
    reason: str
    id: str = ""
    recorded_at: datetime = BEGIN
    superseded_at: datetime = END

    @property
    def named(self) -> frozenset[str]:
        """The ids of all entities that it names."""
        return frozenset((self.member, self.other, *self.pair))

    @property
    def same_as(self) -> SameAs:
        return SameAs(member=self.member, other=self.other, user=self.user, session=self.session)

    def id_at(self, recorded_at: datetime) -> str:
        """The id of such a merge that is put in force at an instant."""
        return digest("merge", self.member, self.other, self.user, self.session, recorded_at)

    @property
    def content(self) -> tuple[SameAs, Pair, Method, str]:
        """What tells two decisions apart; a score alone does not."""
        return self.same_as, self.pair, self.method, self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An entity is named in a session ("": in none), by or for a user, for the ``first`` time then."""

    entity_id: str
    session: str
    user: str
    first: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortName:
    """An entity called by a short name, and those that it may mean by their fuller names.

    ``parts_of`` has of each of these the others that its name is a part of. ``named`` says where all of them are named,
    ``told_apart`` in which session something is said of the short name and one of these together; ``two`` to which user
    one of these is somebody else, in every session. Only people merge those that are ``protected``.
    """

    id: str
    fuller: frozenset[str]
    parts_of: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    named: frozenset[Named] = frozenset()
    told_apart: frozenset[tuple[str, str]] = frozenset()
    two: frozenset[tuple[str, str]] = frozenset()
    protected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidShort:
    """A short name in what an episode claims: said in a session, by or for a user.

    ``apart`` are those whom the episode tells apart from who is meant.
    """

    profile: MatchProfile
    session: str
    user: str
    said_at: datetime
    apart: frozenset[str] = frozenset()

    @property
    def place(self) -> tuple[str, str, str]:
        return self.profile.id, self.session, self.user


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleMeanings:
    """Entities that a short name may mean, for they are of its session or have a word in common with it.

    ``named`` says where, or in which user's memory, they are named. ``protected``: only people merge the short name.
    ``family``: what who bears the short name is to others.
    """

    profiles: Sequence[MatchProfile] = ()
    named: frozenset[Named] = frozenset()
    opinions: Sequence[Opinion] = ()
    protected: bool = False
    family: frozenset[FamilyTie] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """Entities that are the same or may be: when each was first seen, what is thought of them, and what is in force.

    ``first_told`` says when everybody ("") and users were first told of entities, by entity and user. ``called`` has
    the name and qualifier of each: but for those whom a text tells apart, the same in every group. ``qualified`` are
    those that somebody gave an id, ``protected`` those that only people merge, ``sources`` has those of a source of
    which no two are one.
    """

    first_seen: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    called: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    first_told: Mapping[tuple[str, str], datetime] = field(default_factory=dict[tuple[str, str], datetime])
    opinions: frozenset[Opinion] = frozenset()
    merges: frozenset[Merge] = frozenset()
    qualified: frozenset[str] = frozenset()
    protected: frozenset[str] = frozenset()
    sources: Mapping[str, str] = field(default_factory=dict[str, str])

    def is_of_user(self, id_: str) -> bool:
        """Whether it is the person who is a user."""
        return self.sources.get(id_) == USERS

    def turn(self, id_: str, user: str) -> tuple[bool, datetime, tuple[str, str], str]:
        """Which of several entities stands for all of them: the one whose turn is first."""
        return not self.is_of_user(id_), self.first_known(id_, user), self.called.get(id_, ("", "")), id_

    def first_known(self, id_: str, user: str) -> datetime:
        """When everybody or the user was first told of an entity: what others were told shows in nothing of theirs.

        Where nobody knows who was told, when anybody was.
        """
        instants = [self.first_told[id_, who] for who in {EVERYBODY, user} if (id_, who) in self.first_told]
        return min(instants, default=self.first_seen[id_])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The merges that the opinions on some entities amount to, and why others are none, by the id of the opinion."""

    merges: frozenset[Merge] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
