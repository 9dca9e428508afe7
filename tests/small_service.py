"""What integrations ask of a service, in memory: handed in and projected as there, and searched by equal words."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs

import httpx
from pydantic import TypeAdapter

from graphmem.api.schemas.claims import ClaimIn, claim_list, whole_claim_in
from graphmem.api.schemas.episodes import Accepting, EpisodeIn
from graphmem.clock import utc_now
from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity, normalise_name
from graphmem.model.episode import Episode, in_order
from graphmem.model.interval import END, instant_of
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import place
from graphmem.model.projection.timeline import project
from graphmem.resolve.structured import resolve_structured

Json = dict[str, Any]
_CLAIMS = TypeAdapter[ClaimIn | list[ClaimIn]](ClaimIn | list[ClaimIn])
_EPISODES = TypeAdapter[EpisodeIn | list[EpisodeIn]](EpisodeIn | list[EpisodeIn])


class SmallService:
    """Of one group. A client asks it by ``transport``."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.episodes: list[Episode] = []
        self.entities: dict[str, Entity] = {}
        self.transport = httpx.MockTransport(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        params = {name: values[0] for name, values in parse_qs(request.url.query.decode()).items()}
        body: Any = json.loads(request.content) if request.content else params
        *_, call = request.url.path.split("/")
        answers: dict[str, Callable[[Any], Json | None]] = {
            "POST claims": self._take_claims,
            "POST episodes": self._take_episodes,
            "GET graph": self._graph,
            "GET episodes": self._told,
            "POST search": self._search,
            "POST context": self._context,
        }
        answer = answers[f"{request.method} {call}"](body)
        problem = {"type": "urn:graphmem:problem:not-found", "title": "It is not there."}
        return _as_json(404, problem, "application/problem+json") if answer is None else _as_json(200, answer)

    def _take_claims(self, body: Any) -> Json:
        now = utc_now()
        items = claim_list(_CLAIMS.validate_json(json.dumps(body), context={"longest_text": 1_000_000}))
        _, claims, evidence = resolve_structured("g", [whole_claim_in(item, now) for item in items])
        self.claims += claims
        self.entities |= {entity.id: entity for entity in evidence.entities}
        counts = dict.fromkeys(
            ("entities", "new_entities", "new_claims", "recorded", "superseded", "vectors_pending"), 0
        )
        return {**counts, "claims": [], "refused": [], "warnings": []}

    def _take_episodes(self, body: Any) -> Json:
        accepting = Accepting("g", str(len(self.episodes)), 1_000_000, utc_now())
        posted = _EPISODES.validate_json(json.dumps(body))
        taken = in_order(accepting.episodes(posted))
        self.episodes += taken
        accepted = [{"id": episode.id, "new": True, "status": "digested"} for episode in taken]
        return {"episodes": accepted, "refused": [], "queued": True, "warnings": []}

    def _context(self, asked: Json) -> Json:
        said = "\n".join(episode.content for episode in self.episodes if _may_see(asked, episode.user))
        shown: Json = {"markdown": said, "tokens": 1, "max_tokens": 1_000, "tokenizer": "", "parts": [], "left_out": []}
        return {**_times(asked), **shown}

    def _graph(self, asked: Json) -> Json | None:
        key = normalise_name(asked["entity"])
        subjects = {entity.id for entity in self.entities.values() if normalise_name(entity.name) == key}
        beliefs = [
            belief
            for belief in self._held(asked)
            if belief.subject_id in subjects
            and belief.first.predicate == asked.get("predicate", belief.first.predicate)
        ]
        if not subjects & {claim.subject_id for claim in self._known(asked)}:
            return None
        return {**_times(asked), "entities": [], "beliefs": [self._shown(one) for one in beliefs], "complete": True}

    def _told(self, asked: Json) -> Json:
        told = [one for one in self.episodes if one.session == asked["session"] and _may_see(asked, one.user)]
        told.sort(key=lambda episode: episode.occurred_at)
        return {**_times(asked), "episodes": [_told_of(episode) for episode in told], "next_cursor": None}

    def _search(self, asked: Json) -> Json:
        words = set(asked["query"].lower().split())
        scored = [(len(words & set(one.first.statement.lower().split())), one) for one in self._held(asked)]
        hits: list[Json] = [
            {
                "kind": "fact",
                "id": one.id,
                "score": score,
                "relevance": 0.5,
                "held": True,
                "contributions": None,
                "other_wordings": [],
                "carried_out": [],
                "thing": self._shown(one),
            }
            for score, one in sorted(scored, key=lambda pair: -pair[0])
            if score and one.first.extractor and asked["sources"] == ["langgraph"]
        ]
        of_all: Json = {"answerable": "likely", "answer_probability": 1, "answerable_because": "", "unknown_names": []}
        return {**_times(asked), **of_all, "hits": hits, "entities": [], "degraded": [], "why_not": []}

    def _known(self, asked: Json) -> list[Claim]:
        known_at = instant_of(asked.get("known_at") or END.replace(year=9000))
        return [claim for claim in self.claims if claim.said_at <= known_at and _may_see(asked, claim.user)]

    def _held(self, asked: Json) -> Iterator[Belief]:
        valid_at, slots = instant_of(asked.get("valid_at") or utc_now()), defaultdict[Any, list[Claim]](list)
        for claim in self._known(asked):
            slots[BUILT_IN_PREDICATES.slot(place(claim))].append(claim)
        for slot, claims in slots.items():
            for belief in project(claims, BUILT_IN_PREDICATES.policy_of(slot)):
                if belief.interval.start <= valid_at < belief.interval.end:
                    yield belief

    def _shown(self, belief: Belief) -> Json:
        first, subject = belief.first, self.entities[belief.subject_id]
        return {
            "id": belief.id,
            "belief_id": belief.id,
            "kind": "fact",
            "object": None,
            "ended_by": None,
            "event": None,
            "subject": {"id": subject.id, "type": subject.type, "name": subject.name},
            **{name: getattr(first, name) for name in ("predicate", "value", "statement", "user", "open")},
            "valid_from": belief.interval.start.isoformat(),
            "valid_to": None if belief.interval.end == END else belief.interval.end.isoformat(),
            "recorded_at": first.said_at.isoformat(),
            "superseded_at": None,
            "to_inferred": False,
            "faded": False,
            **{name: getattr(belief, name) for name in ("from_stated", "to_stated", "confidence", "importance")},
            "contested": False,
            "attributes": {},
            "category": None,
            "status": "asserted",
            "evidence": [],
        }


def _told_of(episode: Episode) -> Json:
    same = ("id", "content", "time_zone", "session", "content_type", "role", "speaker", "user", "source", "metadata")
    return {
        **{name: getattr(episode, name) or None for name in same},
        "metadata": dict(episode.metadata),
        "occurred_at": episode.occurred_at.isoformat(),
        "tags": [],
        "recorded_at": episode.occurred_at.isoformat(),
        "sequence": None,
        "position": episode.position or 0,
        "external_id": None,
        "status": "digested",
        "attempts": 1,
        "error": None,
        "digested_at": None,
        "revision": 1,
        "outcome": None,
        "vectors_pending": False,
    }


def _may_see(asked: Json, user: str) -> bool:
    return asked.get("user") is None or user in ("", asked["user"])


def _times(asked: Json) -> Json:
    now = datetime.now(UTC).isoformat()  # noqa: TID251 - the clock of a service
    return {
        "valid_at": asked.get("valid_at") or now,
        "known_at": asked.get("known_at") or now,
        "settled": False,
        "access_changed_at": None,
        "erased_at": None,
        "warnings": [],
    }


def _as_json(status: int, answer: Json, content_type: str = "application/json") -> httpx.Response:
    return httpx.Response(status, content=json.dumps(answer), headers={"content-type": content_type})
