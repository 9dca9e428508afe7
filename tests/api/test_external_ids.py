"""The names that callers give to what they post are their user's own, and those of episodes are none of claims."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product, repeat
from uuid import uuid4

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Service

USERS = (None, "ann", "bo", "cem")
MAYA = {"name": "Maya", "type": "person"}


@dataclass(frozen=True)
class Posted:
    """One post, undated: of what kind, by whom, under which name, and which words."""

    user: str | None
    kind: str
    name: str
    words: str

    @property
    def content(self) -> str:
        return f"{self.kind} {self.name} {self.words}"

    @property
    def space(self) -> str:
        """Where its name means one thing: facts are claims."""
        return "claim" if self.kind == "fact" else self.kind

    def send(self, service: Service, group: str) -> httpx.Response:
        said = {"content": self.content, "user": self.user}
        claimed = {"subject": MAYA, "value": self.words, "statement": self.content, "user": self.user}
        path, body, headers = {
            "episode": ("episodes", said | {"external_id": self.name}, {}),
            "key": ("episodes", said, {"Idempotency-Key": self.name}),
            "key of a list": ("episodes", [said], {"Idempotency-Key": self.name}),
            "claim": ("claims", claimed | {"predicate": "likes", "external_id": self.name}, {}),
            "fact": ("facts", claimed | {"category": "hobby", "key": "likes", "external_id": self.name}, {}),
        }[self.kind]
        return service.http.post(f"/v1/groups/{group}/{path}", json=body, headers=headers)


def receipt(answer: httpx.Response) -> tuple[str, bool]:
    """The id of the episode, and whether it is new."""
    body = answer.json()
    one = body["claim"] if "claim" in body else (body.get("episodes") or body["claims"])[0]
    return one.get("episode_id") or one["id"], one["new"]


POSTED = st.builds(
    Posted,
    user=st.sampled_from(USERS),
    kind=st.sampled_from(["episode", "key", "key of a list", "claim", "fact"]),
    name=st.sampled_from(["1", "1/0"]),
    words=st.sampled_from(["a", "b"]),
)


def contents(service: Service, group: str, user: str | None) -> list[str]:
    found = service.get(f"/v1/groups/{group}/episodes", limit=500, **({"user": user} if user else {})).json()
    return sorted(one["content"] for one in found["episodes"] if one["user"] == user)


@given(posts=st.lists(POSTED, min_size=15, max_size=25))
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_each_user_keeps_what_that_user_posted_whatever_others_post(service: Service, posts: list[Posted]) -> None:
    every = [Posted(user, kind, "1", user or "x") for user, kind in product(USERS, ("episode", "key", "claim"))]
    keep_each_apart(service, [*every, *posts])


def keep_each_apart(service: Service, posts: Sequence[Posted]) -> None:
    """Each answer follows from what the same user posted before, and from nothing else."""
    group = f"names-{uuid4().hex[:12]}"
    kept: dict[tuple[str | None, str, str], tuple[str, Posted]] = {}
    for post in posts:
        answer = post.send(service, group)
        id_, first = kept.get((post.user, post.space, post.name), ("", post))
        if first != post:
            assert (answer.status_code, id_ in answer.text) == (409, True), (post, answer.text)
            continue
        assert answer.is_success, (post, answer.text)
        shown, new = receipt(answer)
        assert (shown, new) == (id_ or shown, not id_), post
        kept[post.user, post.space, post.name] = (shown, post)
    assert len({id_ for id_, _ in kept.values()}) == len(kept)
    for user in USERS:
        own = sorted(post.content for owner, (_, post) in kept.items() if owner[0] == user)
        assert contents(service, group, user) == own


def test_twenty_identical_undated_claims_at_once_are_one(service: Service, group: str) -> None:
    for kind in ("claim", "fact"):
        same = [Posted("ann", kind, kind, "a")] * 20
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(Posted.send, same, repeat(service), repeat(group)))
        assert {answer.status_code for answer in answers} == {201}, kind
        assert len({receipt(answer)[0] for answer in answers}) == 1
        assert sum(receipt(answer)[1] for answer in answers) == 1
    lines = [{"predicate": "likes", "subject": MAYA, "value": "tea", "external_id": "line"}] * 2
    headers = {"content-type": "application/x-ndjson"}
    content = "\n".join(httpx.Request("POST", "http://x", json=line).content.decode() for line in lines)

    def stream(_: int) -> httpx.Response:
        return service.http.post(f"/v1/groups/{group}/claims", content=content, headers=headers)

    with ThreadPoolExecutor(8) as pool:
        assert {answer.status_code for answer in pool.map(stream, range(8))} == {201}
