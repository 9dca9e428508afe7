"""A small stand-in for the service: it believes what claims say, and answers what tools for agents ask.

It takes no time into account, finds by words alone, and has one group, which the first write makes.
"""

import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast

import httpx

from graphmem.model.entity import normalise_name
from graphmem.model.ids import digest

Json = dict[str, Any]
TOKEN = "token-of-the-service"  # noqa: S105 - of a stand-in
BEGAN = datetime(2025, 5, 3, 10, tzinfo=UTC)
_READ = {"settled": False, "access_changed_at": None, "valid_at": BEGAN.isoformat(), "known_at": BEGAN.isoformat()}
_CHANGED = {"entities": 0, "new_entities": 0, "new_claims": 1, "recorded": 1, "superseded": 0, "vectors_pending": 0}


@dataclass
class StandIn:
    """Answers requests; ``asked`` are the bodies and parameters of all of them."""

    away: bool = False
    beliefs: dict[str, Json] = field(default_factory=dict)
    rejected: dict[str, Json] = field(default_factory=dict)
    episodes: dict[str, Json] = field(default_factory=dict)
    asked: list[tuple[str, str, Json]] = field(default_factory=list)

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.away:
            raise httpx.ConnectError("refused")
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return _problem(401, "unauthenticated", "No valid key or token came with the request.")
        path = request.url.path
        body: Json | list[Json] = json.loads(request.content) if request.content else {}
        params: Json = dict(request.url.params)
        self.asked.append((request.method, path, body if isinstance(body, dict) and body else params))
        for method, pattern, answer in _ROUTES:
            found = re.fullmatch(pattern, path)
            if method == request.method and found:
                return answer(self, {**params, **found.groupdict(), "body": body})
        raise AssertionError(f"{request.method} {path} is not stood in for")

    def believe(self, claim: Mapping[str, Any]) -> str:
        """Take a claim as a belief."""
        subject, other = claim["subject"], claim.get("object")
        target = other or claim.get("value")
        id_ = digest("belief", json.dumps([subject, claim["predicate"], target]))
        at = (BEGAN + timedelta(seconds=len(self.beliefs))).isoformat()
        said = claim.get("statement") or f"{subject['name']} {claim['predicate']} {other['name'] if other else target}."
        evidence = {"claim_id": digest("claim", id_), "kind": "starts", "episode_id": digest("episode", id_)}
        self.beliefs[id_] = {
            "id": id_,
            "belief_id": id_,
            "kind": "relationship" if other else "fact",
            "subject": _ref(subject),
            "predicate": claim["predicate"],
            "object": _ref(other) if other else None,
            "value": claim.get("value"),
            "statement": said,
            "valid_from": at,
            "valid_to": None,
            "recorded_at": at,
            "superseded_at": None,
            "from_stated": False,
            "to_stated": False,
            "confidence": 1.0,
            "importance": 0.5,
            "contested": False,
            "user": claim.get("user"),
            "attributes": {},
            "category": None,
            "open": False,
            "status": "asserted",
            "event": None,
            "faded": False,
            "evidence": [
                evidence
                | {"quote": said, "start": 0, "end": len(said), "said_at": at, "recorded_at": at, "confidence": 1.0}
            ],
        }
        return id_

    def post_claims(self, asked: Json) -> httpx.Response:
        posted: Any = asked["body"]
        claims = cast("list[Json]", posted if isinstance(posted, list) else [posted])
        receipts = [
            {"claim_id": digest("claim", id_), "episode_id": digest("episode", id_), "new": True, "line": None}
            for id_ in map(self.believe, claims)
        ]
        return httpx.Response(201, json={**_CHANGED, "claims": receipts, "refused": []})

    def post_episodes(self, asked: Json) -> httpx.Response:
        body = asked["body"]
        id_ = digest("episode", body["content"], body.get("occurred_at"))
        new = id_ not in self.episodes
        self.episodes[id_] = _episode(id_, body)
        outcome = {"entities": 1, "mentions": 1, "claims": 1, "recorded": 1, "superseded": 0}
        one = {"id": id_, "new": new, "status": "digested", "outcome": outcome}
        return httpx.Response(200, json={"episodes": [one], "queued": True})

    def episode(self, asked: Json) -> httpx.Response:
        found = self.episodes.get(asked["id"])
        return httpx.Response(200, json=found) if found else _problem(404, "not-found", "There is no such episode.")

    def entities(self, asked: Json) -> httpx.Response:
        if not (self.beliefs or self.rejected):
            return _problem(404, "not-found", "There is no group 'g'. The first episode posted to a group makes it.")
        named = [one for one in self._ends() if normalise_name(one["name"]) == normalise_name(asked["name"])]
        found = [_entity(one) for one in named]
        return httpx.Response(200, json={**_READ, "entities": found, "next_cursor": None})

    def graph(self, asked: Json) -> httpx.Response:
        if not (self.beliefs or self.rejected):
            return _problem(404, "not-found", "There is no group 'g'. The first episode posted to a group makes it.")
        wanted, predicate = asked.get("entity"), asked.get("predicate")
        found = [
            one
            for one in self.beliefs.values()
            if (wanted is None or wanted in self._names(one)) and predicate in (None, one["predicate"])
        ]
        most = int(asked.get("limit", 5_000))
        kept = sorted(found, key=lambda one: one["id"])[:most]
        return httpx.Response(200, json={**_READ, "entities": [], "beliefs": kept, "complete": len(found) <= most})

    def profile(self, asked: Json) -> httpx.Response:
        found = [one for one in self.beliefs.values() if asked["id"] in self._names(one)]
        who = next(one for one in self._ends() if one["id"] == asked["id"])
        beside: Json = {"aliases": [], "members": [], "mentions": 1, "short_for": []}
        return httpx.Response(
            200,
            json={
                **_READ,
                "entity": {**_entity(who), **beside},
                "summary": None,
                "facts": [one for one in found if one["kind"] == "fact"],
                "relationships": [one for one in found if one["kind"] == "relationship"],
                "values": [],
                "timeline": found,
                "complete": True,
            },
        )

    def search(self, asked: Json) -> httpx.Response:
        body = asked["body"]
        words = set(re.findall(r"\w+", body["query"].lower()))
        part = {"channel": "text:fact", "rank": 1, "score": 1.0, "contribution": 1.0, "raw": 1.0}
        hits = [
            {
                "kind": one["kind"],
                "id": one["id"],
                "score": 1.0,
                "held": True,
                "contributions": [part],
                "other_wordings": [],
                "carried_out": [],
                "thing": one,
            }
            for one in self.beliefs.values()
            if one["kind"] in body.get("kinds", one["kind"])
            and words & set(re.findall(r"\w+", one["statement"].lower()))
        ]
        lost: Json = {
            "kind": "fact",
            "lost": "rank",
            "detail": "It ranks too low.",
            "filters": [],
            "rank": 30,
            "score": 0.1,
        }
        why_not: list[Json] = [
            {"id": one, **lost, "contributions": None, "instead": None} for one in body.get("why_not", ())
        ]
        shown: Json = {"hits": hits[: body.get("limit", 10)], "entities": [], "degraded": [], "why_not": why_not}
        return httpx.Response(200, json={**_READ, **shown})

    def context(self, _: Json) -> httpx.Response:
        lines: list[Json] = [
            {
                "kind": "belief",
                "id": one["id"],
                "text": one["statement"],
                "markdown": "",
                "user": one["user"],
                "episode_ids": [],
                "episode": None,
                "summary": None,
                "reflection": None,
                "belief": {
                    "belief_id": one["id"],
                    "predicate": one["predicate"],
                    "category": None,
                    "importance": 0.5,
                    "confidence": 1.0,
                    "contested": False,
                    "open": False,
                    "status": "asserted",
                    "carried_out": [],
                    "valid_from": one["valid_from"],
                    "valid_to": None,
                },
            }
            for one in self.beliefs.values()
        ]
        parts: list[Json] = [{"heading": "Relevant memory", "entity": None, "lines": lines}]
        beside: Json = {"markdown": "", "tokens": 0, "max_tokens": 4_000, "tokenizer": "none", "warnings": []}
        left_out = [{"kind": "belief", "count": 2, "because": "max_tokens"}]
        return httpx.Response(200, json={**_READ, **beside, "parts": parts, "left_out": left_out})

    def evidence(self, asked: Json) -> httpx.Response:
        belief = self.beliefs.get(asked["id"]) or self.rejected.get(asked["id"])
        if belief is None:
            return _problem(404, "not-found", "Group 'g' had no belief of this id at that time.")
        start, limit = int(asked.get("cursor", 0)), int(asked["limit"])
        end = start + limit
        more = str(end) if end < len(belief["evidence"]) else None
        beside: Json = {
            "statement": belief["statement"],
            "valid_from": None,
            "valid_to": None,
            "from_stated": False,
            "to_stated": False,
            "retracted_at": None,
            "extractor": "structured",
            "extractor_version": "1",
            "asserted_by": "person",
            "protecting": False,
            "cap": None,
            "gave_way_to": None,
        }
        claims = [{**said, **beside} for said in belief["evidence"][start:end]]
        ids = {claim["episode_id"] for claim in claims}
        episodes = [_said(id_, {"content": belief["statement"], "speaker": "Maya"}) for id_ in sorted(ids)]
        shown: Json = {"belief": belief, "claims": claims, "episodes": episodes, "next_cursor": more}
        return httpx.Response(200, json={**_READ, **shown})

    def act(self, asked: Json) -> httpx.Response:
        if asked["id"] not in self.beliefs:
            return _problem(404, "not-found", "Group 'g' had no belief of this id at that time.")
        body: Json = asked["body"] or {}
        belief: Json = self.beliefs[asked["id"]]
        if "value" in body:
            belief = {**belief, "value": body["value"], "statement": f"{belief['subject']['name']}: {body['value']}"}
            self.beliefs[asked["id"]] = belief
        return self._acted(asked["id"])

    def delete(self, asked: Json) -> httpx.Response:
        if asked["id"] not in self.beliefs:
            return _problem(404, "not-found", "Group 'g' had no belief of this id at that time.")
        self.rejected[asked["id"]] = self.beliefs.pop(asked["id"])
        return self._acted(asked["id"])

    def stats(self, _: Json) -> httpx.Response:
        beliefs = {"relationships": 0, "facts": 0, "open": 0}
        texts = {"summaries": 0, "entity_summaries": 0, "reflections": 0}
        layers = {"episodes": len(self.episodes), "sessions": 0, **beliefs, **texts}
        beside: Json = {"categories": {}, "ages": [], "faded": 0, "contested": 0, "stale": 0, "protected": 0, "uses": 0}
        dates = {"last_used_at": None, "latest_recorded_at": None}
        return httpx.Response(200, json={**_READ, **beside, **dates, "layers": layers, "unprojected": []})

    def diff(self, asked: Json) -> httpx.Response:
        axis = {"axis": asked["axis"], "from": asked["from"], "to": asked["to"], "valid_at": None}
        lists = {"began": list(self.beliefs.values()), "ended": [], "changed": []}
        return httpx.Response(200, json={**_READ, **axis, **lists, "complete": True})

    def _acted(self, id_: str) -> httpx.Response:
        return httpx.Response(
            200, json={**_CHANGED, "id": id_, "belief_id": id_, "episode_id": digest("act", id_), "claim_ids": []}
        )

    def _names(self, belief: Json) -> set[str]:
        ends = [end for end in (belief["subject"], belief["object"]) if end]
        return {name for end in ends for name in (end["id"], end["name"])}

    def _ends(self) -> list[Json]:
        known = [*self.beliefs.values(), *self.rejected.values()]
        ends = [end for one in known for end in (one["subject"], one["object"]) if end]
        return list({end["id"]: end for end in ends}.values())


def _ref(thing: Mapping[str, Any]) -> Json:
    id_ = digest("entity", thing["type"], normalise_name(thing["name"]))
    return {"id": id_, "type": thing["type"], "name": thing["name"]}


def _entity(ref: Mapping[str, Any]) -> Json:
    beside = {"qualifier": "", "part_of": None, "protected": False, "recorded_at": BEGAN.isoformat()}
    return {**ref, **beside, "valid_from": None, "valid_to": None, "existed": "unknown"}


def _said(id_: str, body: Mapping[str, Any]) -> Json:
    at = body.get("occurred_at") or BEGAN.isoformat()
    return {
        "id": id_,
        "content": body["content"],
        "occurred_at": at,
        "time_zone": "UTC",
        "recorded_at": at,
        "session": body.get("session"),
        "content_type": "message",
        "role": "user",
        "speaker": body.get("speaker"),
        "user": body.get("user"),
        "source": None,
        "tags": [],
        "metadata": {},
        "sequence": None,
        "external_id": None,
    }


def _episode(id_: str, body: Mapping[str, Any]) -> Json:
    state = {"status": "digested", "attempts": 0, "error": None, "digested_at": None, "revision": 0, "outcome": None}
    return {**_said(id_, body), **state, "vectors_pending": False}


def _problem(status: int, slug: str, detail: str) -> httpx.Response:
    document = {"type": f"urn:graphmem:{slug}", "title": slug, "status": status, "detail": detail}
    return httpx.Response(status, json=document, headers={"content-type": "application/problem+json"})


_G, _ID = "/v1/groups/[^/]+", "(?P<id>[0-9a-f]{32})"
_ROUTES: list[tuple[str, str, Callable[[StandIn, Json], httpx.Response]]] = [
    ("POST", f"{_G}/claims", StandIn.post_claims),
    ("POST", f"{_G}/episodes", StandIn.post_episodes),
    ("GET", f"{_G}/episodes/{_ID}", StandIn.episode),
    ("GET", f"{_G}/entities", StandIn.entities),
    ("GET", f"{_G}/entities/{_ID}/profile", StandIn.profile),
    ("GET", f"{_G}/graph", StandIn.graph),
    ("GET", f"{_G}/diff", StandIn.diff),
    ("GET", f"{_G}/beliefs/{_ID}/evidence", StandIn.evidence),
    ("POST", f"{_G}/search", StandIn.search),
    ("POST", f"{_G}/context", StandIn.context),
    ("POST", f"{_G}/facts/{_ID}/(?:confirm|correct)", StandIn.act),
    ("DELETE", f"{_G}/facts/{_ID}", StandIn.delete),
    ("GET", f"{_G}/memory/stats", StandIn.stats),
]


@contextmanager
def served(stand_in: StandIn) -> Generator[str]:
    """Over real HTTP, at the address that this gives, for servers in processes of their own."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {"authorization": self.headers.get("authorization", "")}
            answer = stand_in(httpx.Request(self.command, f"http://stand.in{self.path}", headers=headers, content=body))
            self.send_response(answer.status_code)
            self.send_header("content-type", answer.headers["content-type"])
            self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names that its base calls

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in its base
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
