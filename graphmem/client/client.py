"""A small client of the HTTP service, for the command line, notebooks and the sample.

Answers are the service's JSON as it stands in ``/docs``. Problem documents become the errors of ``graphmem.errors``.
"""

import re
import time
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import quote

import httpx
from pydantic_core import to_jsonable_python

from graphmem.client.calls import Json, When
from graphmem.client.problems import error_of
from graphmem.errors import Conflict, NotFound

if TYPE_CHECKING:
    from pydantic import BaseModel

    from graphmem.model.ontology import Ontology

    Written = Mapping[str, Any] | Ontology | Iterable[type[BaseModel]]

_PAUSE = 0.1


class GraphmemClient:
    """Calls one service; close it, or use it as a context manager."""

    def __init__(self, base_url: str, token: str | None = None, *, timeout: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout = timeout
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # write ----------------------------------------------------------------------------------------------------------

    def post_episodes(
        self,
        group: str,
        episodes: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        wait: float = 0,
        idempotency_key: str | None = None,
    ) -> Json:
        """Hand in one episode or a list; with ``wait``, for so many seconds until they are digested."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return self._json(
            "POST",
            f"{_path(group)}/episodes",
            json=to_jsonable_python(episodes),
            params=_given(wait=wait or None),
            headers=headers,
            timeout=wait + self._timeout,
        )

    def wait(
        self, group: str, episode_ids: Iterable[str], *, seconds: float = 60.0, refined: bool = False
    ) -> list[Json]:
        """The episodes once none of them is pending any more, or after ``seconds`` as they are then.

        ``refined``: once no other digest is on its way either.
        """
        deadline, undone = time.monotonic() + seconds, {"pending", "refining"} if refined else {"pending"}
        return [self._digested(group, episode_id, deadline, undone) for episode_id in episode_ids]

    def retry(self, group: str, episode_id: str) -> Json:
        return self._json("POST", f"{_path(group)}/episodes/{episode_id}/retry")

    def reprocess(
        self,
        group: str,
        episode_id: str,
        *,
        strategy: str | None = None,
        model: str | None = None,
        prompt: str | None = None,
    ) -> Json:
        """Digest an episode anew; what is not given is as the settings say."""
        body = _given(strategy=strategy, model=model, prompt=prompt)
        return self._json("POST", f"{_path(group)}/episodes/{episode_id}/reprocess", json=body)

    def claims(self, group: str, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Json:
        """Hand in one structured claim or a list, all in one transaction.

        A plan is ``{"predicate": "plans", "status": "planned", "value": "go to Rome", …}``; what no predicate says is
        ``{"predicate": "did", "verb": "varnish", "value": "old bench", …}``.
        """
        return self._json("POST", f"{_path(group)}/claims", json=to_jsonable_python(claims))

    def retract(self, group: str, claim_id: str) -> Json:
        """Withdraw a claim from now on."""
        return self._json("POST", f"{_path(group)}/claims/{claim_id}/retract")

    def correct(self, group: str, claim_id: str, claim: Mapping[str, Any]) -> Json:
        """Withdraw a claim and put another in its place.

        By the same predicate it keeps what it does not say of ``status``, ``verb``, ``open`` and the days of an event.
        """
        body = {"claim": to_jsonable_python(claim)}
        return self._json("POST", f"{_path(group)}/claims/{claim_id}/correct", json=body)

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
    ) -> Json:
        """Remember what somebody says on purpose of a subject (``name`` and ``type``): an object or a value.

        ``more`` are any of ``statement``, ``valid_from``, ``valid_to``, ``occurred_at``, ``importance``, ``tags``,
        ``source``, ``external_id``, ``attributes`` and ``recorded_at``.
        """
        body = _given(subject=subject, category=category, key=key, object=object, value=value, user=user, **more)
        return self._json("POST", f"{_path(group)}/facts", json=body)

    def confirm_fact(self, group: str, belief_id: str, *, user: str | None = None) -> Json:
        """Say that a fact, given by the id of a belief or a version, is right."""
        return self._json("POST", f"{_path(group)}/facts/{belief_id}/confirm", json=_given(user=user))

    def correct_fact(self, group: str, belief_id: str, *, user: str | None = None, **instead: Any) -> Json:
        """Say what is so instead of a fact.

        ``instead`` are any of ``object``, ``value``, ``statement``, ``valid_from``, ``valid_to``, ``attributes`` and
        ``category``.
        """
        return self._json("POST", f"{_path(group)}/facts/{belief_id}/correct", json=_given(user=user, **instead))

    def share_fact(self, group: str, belief_id: str, *, user: str | None = None) -> Json:
        """Show a fact to everybody in the group, with the words that it rests on."""
        return self._json("POST", f"{_path(group)}/facts/{belief_id}/share", json=_given(user=user))

    def unshare_fact(self, group: str, belief_id: str, *, user: str | None = None) -> Json:
        """Take back that a fact is shared."""
        return self._json("POST", f"{_path(group)}/facts/{belief_id}/unshare", json=_given(user=user))

    def delete_fact(self, group: str, belief_id: str, *, user: str | None = None, reason: str | None = None) -> Json:
        """Say that a fact was never so. It is no erasure: its history keeps it."""
        return self._json("DELETE", f"{_path(group)}/facts/{belief_id}", params=_given(user=user, reason=reason))

    def settle_conflict(self, group: str, belief_id: str, keep: str, *, user: str | None = None) -> Json:
        """Say which claim is right about a contested belief; the values of the others give way to it."""
        return self._json("POST", f"{_path(group)}/conflicts/{belief_id}", json=_given(keep=keep, user=user))

    def close_session(self, group: str, session_id: str, *, user: str | None = None) -> Json:
        """Close a session; one that is closed stays as it is."""
        return self._json("POST", f"{_path(group)}/sessions/{session_id}/close", params=_given(user=user))

    def regenerate_summary(self, group: str, summary_id: str, *, user: str | None = None) -> Json:
        """Have a summary made again; the answer has the job that does."""
        return self._json("POST", f"{_path(group)}/summaries/{summary_id}/regenerate", params=_given(user=user))

    def put_ontology(self, group: str, ontology: "Written") -> Json:
        """Give a group its own ontology, whole.

        It is JSON, or what ``graphmem.ontology.ontology_of`` makes of pydantic models, or the models of its entity
        types alone.

        Raises:
            InvalidInput: a name, an end, an attribute or a size does not fit.
        """
        return self._json("PUT", f"{_path(group)}/ontology", json=_ontology(ontology))

    def delete_ontology(self, group: str) -> Json:
        """Let a group follow the service's ontology again."""
        return self._json("DELETE", f"{_path(group)}/ontology")

    # read -----------------------------------------------------------------------------------------------------------

    def groups(self) -> Iterator[Json]:
        return self._pages("/v1/groups", "groups", {})

    def group(self, group: str) -> Json:
        """The group, with all its counts."""
        return self._json("GET", _path(group), params={"counts": "true"})

    def ontology(self, group: str) -> Json:
        """The ontology in force, and whose it is."""
        return self._json("GET", f"{_path(group)}/ontology")

    def episode(self, group: str, episode_id: str) -> Json:
        return self._json("GET", f"{_path(group)}/episodes/{episode_id}")

    def episodes(
        self,
        group: str,
        *,
        session: str | None = None,
        status: Literal["pending", "refining", "digested", "failed"] | None = None,
        valid_at: When = None,
        known_at: When = None,
    ) -> Iterator[Json]:
        """Every episode, page by page."""
        params = _given(session=session, status=status, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/episodes", "episodes", params)

    def sessions(
        self, group: str, *, user: str | None = None, valid_at: When = None, known_at: When = None
    ) -> Iterator[Json]:
        """Sessions in the order in which they were opened: a user's own and those of nobody, or all, page by page."""
        params = _given(user=user, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/sessions", "sessions", params)

    def session(
        self,
        group: str,
        session_id: str,
        *,
        window: int | None = None,
        user: str | None = None,
        valid_at: When = None,
        known_at: When = None,
    ) -> Json:
        """A session with so many of its last turns."""
        params = _given(window=window, user=user, valid_at=valid_at, known_at=known_at)
        return self._json("GET", f"{_path(group)}/sessions/{session_id}", params=params)

    def summaries(
        self,
        group: str,
        *,
        session_id: str | None = None,
        user: str | None = None,
        valid_at: When = None,
        known_at: When = None,
    ) -> Iterator[Json]:
        """Summaries of sessions, or of one, in the order of their last turns, page by page."""
        params = _given(session_id=session_id, user=user, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/summaries", "summaries", params)

    def reflections(
        self, group: str, *, user: str | None = None, valid_at: When = None, known_at: When = None
    ) -> Iterator[Json]:
        """Reflections on weeks, in the order in which these ended, page by page."""
        params = _given(user=user, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/reflections", "reflections", params)

    def entities(
        self,
        group: str,
        *,
        type: str | None = None,  # noqa: A002 - the name in the URL
        name: str | None = None,
        valid_at: When = None,
        known_at: When = None,
    ) -> Iterator[Json]:
        """Every entity, page by page."""
        params = _given(type=type, name=name, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/entities", "entities", params)

    def entity(
        self,
        group: str,
        entity_id: str,
        *,
        valid_at: When = None,
        known_at: When = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
    ) -> Json:
        params = _given(valid_at=valid_at, known_at=known_at, open=open)
        return self._json("GET", f"{_path(group)}/entities/{entity_id}", params=params)

    def profile(self, group: str, entity_id: str, *, valid_at: When = None, known_at: When = None) -> Json:
        """An entity at a glance: names, mentions, facts, relationships, and what was believed of it over time."""
        params = _given(valid_at=valid_at, known_at=known_at)
        return self._json("GET", f"{_path(group)}/entities/{entity_id}/profile", params=params)

    def entity_id(self, group: str, entity: str, *, known_at: When = None) -> str:
        """The entity that an id or a name means.

        Raises:
            NotFound: none.
            Conflict: several.
        """
        if re.fullmatch("[0-9a-f]{32}", entity):
            return entity
        found = list(self.entities(group, name=entity, known_at=known_at))
        if not found:
            raise NotFound(f"Group {group!r} knew no entity of the name {entity!r} at that time.")
        if len(found) > 1:
            ids = ", ".join(f"{item['id']} ({item['type']})" for item in found)
            raise Conflict(f"Several entities have this name. Take one of these ids: {ids}.")
        return str(found[0]["id"])

    def history(
        self,
        group: str,
        entity_id: str,
        *,
        predicate: Sequence[str] = (),
        valid_at: When = None,
        known_at: When = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
    ) -> Iterator[Json]:
        """Every version of an entity's beliefs, superseded ones too, page by page."""
        params = _given(valid_at=valid_at, known_at=known_at, open=open) | {"predicate": list(predicate)}
        return self._pages(f"{_path(group)}/entities/{entity_id}/history", "versions", params)

    def diff(
        self,
        group: str,
        axis: Literal["valid", "known"],
        since: datetime | str,
        to: datetime | str,
        *,
        entity: str | None = None,
        predicate: Sequence[str] = (),
        limit: int | None = None,
        valid_at: When = None,
        known_at: When = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
    ) -> Json:
        """What began, ended and changed from ``since`` to ``to``; takes the instant of the other axis."""
        params = _given(axis=axis, to=to, entity=entity, limit=limit, valid_at=valid_at, known_at=known_at, open=open)
        given = {**params, **_given(**{"from": since}), "predicate": list(predicate)}
        return self._json("GET", f"{_path(group)}/diff", params=given)

    def evidence(self, group: str, belief_id: str, *, valid_at: When = None, known_at: When = None) -> Json:
        """The claims behind a belief or a version of one, and their episodes; the first 500."""
        params = _given(limit=500, valid_at=valid_at, known_at=known_at)
        return self._json("GET", f"{_path(group)}/beliefs/{belief_id}/evidence", params=params)

    def graph(
        self,
        group: str,
        *,
        entity: str | None = None,
        depth: int | None = None,
        predicate: Sequence[str] = (),
        type: Sequence[str] = (),  # noqa: A002 - the name in the URL
        limit: int | None = None,
        valid_at: When = None,
        known_at: When = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
    ) -> Json:
        """The believed subgraph: all of it, or around an entity, named by id or by name.

        ``open`` leaves out what rests on open claims (False), or takes only that (True).
        """
        params = _given(entity=entity, depth=depth, limit=limit, valid_at=valid_at, known_at=known_at, open=open)
        lists = {"predicate": list(predicate), "type": list(type)}
        return self._json("GET", f"{_path(group)}/graph", params={**params, **lists})

    def extract(
        self,
        group: str,
        content: str,
        *,
        speaker: str | None = None,
        occurred_at: When = None,
        strategy: str | None = None,
    ) -> Json:
        """What would be read of a text, and why not more. Nothing is stored."""
        body = _given(content=content, speaker=speaker, occurred_at=occurred_at, strategy=strategy)
        return self._json("POST", f"{_path(group)}/extract", json=body)

    def search(
        self,
        group: str,
        query: str,
        *,
        limit: int = 10,
        kinds: Sequence[Literal["relationship", "fact", "episode", "entity", "summary", "reflection"]] | None = None,
        valid_at: When = None,
        known_at: When = None,
        user: str | None = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
        filters: Mapping[str, Any] | None = None,
        include_history: bool = False,
        fusion: Literal["weighted", "rrf"] | None = None,
        preferences: Mapping[str, float | None] | None = None,
        explain: bool = False,
        why_not: Sequence[str] = (),
    ) -> Json:
        """What was believed and said about a question in words.

        ``filters`` are any of ``session``, ``exclude_session``, ``entity``, ``types``, ``predicates``, ``categories``,
        ``roles``, ``speakers``, ``sources``, ``tags``, ``since``, ``until``, ``least_confidence`` and ``least_score``.
        ``preferences`` are any of ``diversity``, ``recency`` with ``half_life_days``, and ``confidence``. ``why_not``
        are ids of beliefs and episodes: the answer says where each was lost.
        """
        body = _given(
            query=query,
            limit=limit,
            kinds=kinds,
            valid_at=valid_at,
            known_at=known_at,
            user=user,
            open=open,
            include_history=include_history,
            fusion=fusion,
            explain=explain,
            why_not=list(why_not) or None,
        )
        given = {**_given(**(filters or {})), **_given(**(preferences or {})), **body}
        return self._json("POST", f"{_path(group)}/search", json=given)

    def context(
        self,
        group: str,
        query: str | None = None,
        *,
        session: str | None = None,
        about: str | None = None,
        max_tokens: int | None = None,
        exclude_window: bool = False,
        weekly_insight: bool | None = None,
        limits: Mapping[str, float | None] | None = None,
        valid_at: When = None,
        known_at: When = None,
        user: str | None = None,
        agent: str | None = None,
        open: bool | None = None,  # noqa: A002 - the name in the URL
    ) -> Json:
        """What goes into the next prompt, for a query, a session, or both: ``markdown``, and the same in ``parts``.

        ``limits`` are any of ``facts``, ``least_importance``, ``beliefs``, ``passages``, ``least_score``, ``window``
        and ``earlier``; the others are as the settings say, for this ``agent``.
        """
        body = _given(
            query=query,
            session=session,
            about=about,
            max_tokens=max_tokens,
            exclude_window=exclude_window,
            weekly_insight=weekly_insight,
            valid_at=valid_at,
            known_at=known_at,
            user=user,
            agent=agent,
            open=open,
        )
        return self._json("POST", f"{_path(group)}/context", json={**_given(**(limits or {})), **body})

    def facts(
        self,
        group: str,
        *,
        user: str | None = None,
        category: Sequence[str] = (),
        subject: str | None = None,
        least_importance: float | None = None,
        tag: Sequence[str] = (),
        valid_at: When = None,
        known_at: When = None,
    ) -> Iterator[Json]:
        """Facts, the most important first: those of a user and what is shared, or without one all, page by page."""
        params = _given(
            user=user, subject=subject, least_importance=least_importance, valid_at=valid_at, known_at=known_at
        )
        lists = {"category": list(category), "tag": list(tag)}
        return self._pages(f"{_path(group)}/facts", "facts", {**params, **lists})

    def memory_stats(
        self, group: str, *, user: str | None = None, valid_at: When = None, known_at: When = None
    ) -> Json:
        """How much is remembered, by layer, category and age."""
        params = _given(user=user, valid_at=valid_at, known_at=known_at)
        return self._json("GET", f"{_path(group)}/memory/stats", params=params)

    def conflicts(
        self, group: str, *, user: str | None = None, valid_at: When = None, known_at: When = None
    ) -> Iterator[Json]:
        """What is contested, with the evidence of both sides, page by page."""
        params = _given(user=user, valid_at=valid_at, known_at=known_at)
        return self._pages(f"{_path(group)}/conflicts", "conflicts", params)

    def merges(self, group: str, *, known_at: When = None) -> Iterator[Json]:
        """The merges in force, page by page."""
        return self._pages(f"{_path(group)}/merges", "merges", _given(known_at=known_at))

    def merge(self, group: str, first: str, second: str, reason: str) -> Json:
        """Decide that two entities, given by their ids, are the same.

        Where that moves more than 1,000 claims, a worker carries it out, and the answer has the ``job`` that does: so
        it is with ``revert_merge`` and ``decide`` too.
        """
        body = {"entities": [first, second], "reason": reason}
        return self._json("POST", f"{_path(group)}/merges", json=body)

    def revert_merge(self, group: str, merge_id: str, reason: str) -> Json:
        """Take a merge back: its two are different from now on."""
        return self._json("POST", f"{_path(group)}/merges/{merge_id}/revert", json={"reason": reason})

    def protect(self, group: str, entity_id: str, *, protected: bool = True) -> Json:
        """Say whether only people merge an entity."""
        path = f"{_path(group)}/entities/{entity_id}/protected"
        return self._json("PUT", path, json={"protected": protected})

    def reviews(self, group: str) -> Iterator[Json]:
        """Pairs that somebody is to decide, those that look most alike first, page by page."""
        return self._pages(f"{_path(group)}/reviews", "reviews", {})

    def review(self, group: str, review_id: str) -> Json:
        """One pair, with what is known of both."""
        return self._json("GET", f"{_path(group)}/reviews/{review_id}")

    def decide(self, group: str, review_id: str, verdict: Literal["same", "different"], reason: str) -> Json:
        """Say whether a pair is the same; it is not asked about again."""
        body = {"verdict": verdict, "reason": reason}
        return self._json("POST", f"{_path(group)}/reviews/{review_id}", json=body)

    def pair(self, group: str, first: str, second: str) -> Json:
        """Why two entities, given by their ids, are taken for the same, or not."""
        return self._json("GET", f"{_path(group)}/pairs", params={"first": first, "second": second})

    def job(self, group: str, kind: str, *, target: str | None = None, dry_run: bool = False, wait: float = 0) -> Json:
        """Ask for a job, such as ``dedup``; with ``wait``, for so many seconds until it has ended.

        ``target`` is of ``reproject`` the predicate, of ``reflect`` the day on which the week ended.
        """
        body = _given(target=target, dry_run=dry_run)
        asked = self._json("POST", f"{_path(group)}/jobs/{kind}", json=body)["job"]
        deadline = time.monotonic() + wait
        while asked["status"] not in ("done", "failed") and time.monotonic() < deadline:
            time.sleep(_PAUSE)
            asked = self._json("GET", f"{_path(group)}/jobs/{asked['id']}")
        return asked

    def ready(self) -> bool:
        """Whether everything behind the service answers."""
        with _translated():
            return self._http.get("/health/ready").status_code == HTTPStatus.OK

    # how ------------------------------------------------------------------------------------------------------------

    def _digested(self, group: str, episode_id: str, deadline: float, undone: Collection[str]) -> Json:
        while True:
            episode = self.episode(group, episode_id)
            if episode["status"] not in undone or time.monotonic() > deadline:
                return episode
            time.sleep(_PAUSE)

    def _pages(self, path: str, items: str, params: Json) -> Iterator[Json]:
        while True:
            page = self._json("GET", path, params={"limit": 500, **params})
            yield from page[items]
            if page["next_cursor"] is None:
                return
            params = {**params, "cursor": page["next_cursor"]}

    def _json(self, method: str, path: str, **options: Any) -> Json:
        with _translated():
            answer = self._http.request(method, path, **options)
        if answer.is_error:
            raise error_of(answer)
        return answer.json()


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except httpx.TransportError as error:
        raise error_of(error) from error


def _ontology(ontology: "Written") -> object:
    if isinstance(ontology, Mapping):
        return to_jsonable_python(ontology)
    from graphmem.model.ontology import Ontology  # noqa: PLC0415 - only who has an ontology of his own waits for it
    from graphmem.ontology import ontology_of, written  # noqa: PLC0415 - likewise, for pydantic

    return written(ontology if isinstance(ontology, Ontology) else ontology_of(ontology))


def _path(group: str) -> str:
    return f"/v1/groups/{quote(group, safe='')}"


def _given(**values: Any) -> Json:
    return {name: to_jsonable_python(value) for name, value in values.items() if value is not None}
