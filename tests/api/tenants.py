"""A group as a test of leaks tells it, and its answers without what differs between two groups that heard the same.

Ids become what they are ids of, and instants of recording become the number of the telling in which they lie: what was
recorded in between, because another said something, lies in none.
"""

import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, cast

import httpx

from graphmem.clock import utc_now
from graphmem.model.entity import normalise_name
from graphmem.model.ids import audience_token, digest, group_token
from tests.api.conftest import Service
from tests.api.hostile import OTHER, READER, Said, secrets

_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}0?(?![0-9a-f])")
_INSTANT = re.compile(r"20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")
_MARK = re.compile(r"@([a-z]+(?: [^@]*)?)@")
_OF_A_REQUEST = frozenset(
    {"valid_at", "known_at", "settled", "access_changed_at", "erased_at"}
    | {"next_cursor", "request_id", "instance", "milliseconds"}
)
"""What a request says, or the clock, or the server's pace."""
_OF_ALL_WORDS = frozenset(
    {"score", "rank", "contribution", "markdown", "tokens", "raw", "relevance"}
    | {"answerable", "answer_probability", "answerable_because"}
)
"""What BM25 makes depend on everybody's words, in searches and contexts."""
_NONE = frozenset[str]()
_OF_A_TOKEN = frozenset({"unknown_names"})
"""What differs where a question has a token in it, which every group has of its own, and which has letters or none."""

_PAIR = "first", "second"
"""Members of a review, of which ids tell which is the first."""


class Tenant:
    """One group. ``ids`` are ids, and tokens, by what they are of; ``spans`` are the times of what readers may know."""

    def __init__(self, service: Service, group: str) -> None:
        self.group, self.ids = group, dict[str, str]()
        self.spans: list[tuple[datetime, datetime]] = []
        self.told: list[tuple[int, Any]] = []
        self._service, self._of, self._began = service, dict[str, str](), utc_now()
        assert service.post("/v1/groups", {"id": group}).is_success

    # what is told ---------------------------------------------------------------------------------------------------

    def tell(self, said: Iterable[Sequence[Said]]) -> None:
        """What readers may know, in its order, so many at once."""
        for told in said:
            path = "claims" if told[0].claimed else "episodes"
            with self.telling():
                answer = self._post(path, [one.body() for one in told])
            self._tell_of(answer)
            for one, receipt in zip(told, answer.json().get(path, ()), strict=False):
                self._learn(f"claim {one.number}", receipt.get("claim_id", ""))
                self._learn(f"episode {one.number}", receipt.get("episode_id") or receipt["id"])

    def keep(self, owner: str, user: str | None, told: Sequence[Said], day: int) -> None:
        """Secrets that readers are not to know; one of them is withdrawn."""
        episodes, claims = secrets(owner, user, told, day)
        kept = [one["id"] for one in self._told("episodes", episodes)["episodes"]]
        receipts = self._told("claims", claims)["claims"]
        self._told(f"claims/{receipts[3]['claim_id']}/retract", {})
        self._hide("episode", [*kept, *(one["episode_id"] for one in receipts)])

    @contextmanager
    def telling(self) -> Generator[None]:
        """Readers may know that this was done, and when."""
        began = utc_now()
        yield
        self.spans.append((began, utc_now()))

    def merge_first(self, kind: str, user: str | None, reason: str) -> None:
        """Merge the first two things of a kind of which everybody, or a user, has heard, of one before the other."""
        found = self._get("entities", type=kind, user=user or "zq")["entities"]
        ids = [one["id"] for one in sorted(found, key=lambda one: (normalise_name(one["name"]), one["qualifier"]))]
        pairs = (pair for pair in combinations(ids, 2) if len(self._first_seen(pair, user)) == len(pair))
        if pair := next(pairs, None):
            body = {"entities": list(pair), "reason": reason, **({"user": user} if user else {})}
            answer = self._post("merges", body)
            if user != OTHER:
                self._tell_of(answer)

    def _first_seen(self, pair: tuple[str, str], user: str | None) -> set[str]:
        both = self._get("pairs", first=pair[0], second=pair[1], user=user or "zq")
        return {one["first_seen"] for one in both["profiles"]}

    def know(self, **others: "Tenant") -> None:
        """Learn ids of what there is by what it is, and what stands for others in indexes."""
        self.ids["audience other"] = audience_token(self.group, OTHER)
        of_reader = self._get("entities", limit=500, user=READER)["entities"]
        self._list("entity", of_reader)
        ids = {one["id"] for one in of_reader}
        self._hide(
            "entity", [one["id"] for one in self._get("entities", limit=500)["entities"] if one["id"] not in ids]
        )
        self._hide("job", [one["id"] for one in self._get("jobs")["jobs"]])
        for path, kind in (("graph", "row"), ("merges", "merge"), ("reviews", "review"), ("sessions", "session")):
            found = self._get(path)["beliefs" if kind == "row" else path]
            self._list(kind, [one for one in found if one["user"] in (None, READER)])
            self._hide(kind, [one["id"] for one in found if one["user"] not in (None, READER)])
        self.ids["cursor other"] = self._get("entities", limit=1, user=OTHER)["next_cursor"] or ""
        for name, other in others.items():
            self.ids |= {f"{name} {of}": id_ for of, id_ in other.ids.items()} | {
                f"token {name}": group_token(other.group)
            }

    def _list(self, kind: str, known: Iterable[Mapping[str, Any]]) -> None:
        """What readers may know, numbered in an order of what it is."""
        for number, one in enumerate(sorted(known, key=self._what)):
            self.ids[f"{kind} {number}"] = one["id"]
            self._learn(f"{kind} {self._what(one)}", one["id"])
            if kind == "row":
                self.ids[f"belief {number}"] = one["belief_id"]
                self._learn(f"belief {self._what(one)}", one["belief_id"])

    def _hide(self, kind: str, ids: Iterable[str]) -> None:
        for number, id_ in enumerate(ids):
            self.ids[f"hidden {kind} {number}"] = id_

    def _what(self, one: Mapping[str, Any]) -> str:
        """What a thing, belief, merge, review or job is, in any group."""
        names = (
            "type",
            "qualifier",
            "user",
            "predicate",
            "value",
            "valid_from",
            "valid_to",
            "statement",
            "kind",
            "target",
            "session",
        )
        parts = [one[name] for name in names if one.get(name) is not None]
        parts += [normalise_name(one["name"])] if "name" in one else []
        parts += self._ends(one, "subject", "object", "member", "part_of")
        parts += sorted(self._ends(one, *_PAIR))
        return " / ".join(map(str, parts))

    def _ends(self, one: Mapping[str, Any], *names: str) -> list[str]:
        """What the entities are at the ends of something."""
        return [self._of.get(one[name]["id"], "") for name in names if isinstance(one.get(name), dict)]

    def _tell_of(self, answer: httpx.Response) -> None:
        """What came of telling readers something; where it was refused, why."""
        self.told.append((answer.status_code, "" if answer.is_success else self.shown(answer.text)))

    def _learn(self, of: str, id_: str) -> None:
        self.ids.setdefault(of, id_)
        self._of.setdefault(id_, of)

    def _post(self, path: str, body: Any) -> httpx.Response:
        return self._service.post(f"/v1/groups/{self.group}/{path}", body)

    def _told(self, path: str, body: Any) -> dict[str, Any]:
        answer = self._post(path, body)
        assert answer.is_success, answer.text
        return answer.json()

    def _get(self, path: str, **asked: Any) -> dict[str, Any]:
        return self._service.get(f"/v1/groups/{self.group}/{path}", **asked).json()

    # what is asked, and answered ------------------------------------------------------------------------------------

    def filled(self, value: Any) -> Any:
        """A part of a request with ids and instants for what stands for them; what is not there is absent."""
        if isinstance(value, str):
            return _MARK.sub(lambda mark: self._meant(mark[1]), value)
        if isinstance(value, Mapping):
            return {key: self.filled(part) for key, part in cast("Mapping[str, Any]", value).items()}
        if isinstance(value, list):
            return [self.filled(part) for part in cast("list[Any]", value)]
        return value

    def _meant(self, mark: str) -> str:
        if not mark.startswith("after "):
            return self.ids.get(mark, digest(mark))
        return self.spans[int(mark.removeprefix("after ")) % len(self.spans)][1].isoformat()

    def shown(self, text: str, *, ranked: bool = False, by_token: bool = False) -> Any:
        """An answer as another group of the same would give it, its lists in an order of their own."""
        without = _OF_A_REQUEST | (_OF_ALL_WORDS if ranked else _NONE) | (_OF_A_TOKEN if by_token else _NONE)
        try:
            return self._shown(json.loads(text), without)
        except ValueError:
            return sorted(self._same(line) for line in text.replace("><", ">\n<").splitlines())

    def _shown(self, value: Any, without: frozenset[str]) -> Any:
        if isinstance(value, dict):
            found = cast("dict[str, Any]", value)
            shown = {self._same(key): self._shown(part, without) for key, part in found.items() if key not in without}
            return {**shown, **_in_any_order(shown, *_PAIR), **_in_any_order(shown, "of_first", "of_second")}
        if isinstance(value, list):
            parts = [self._shown(part, without) for part in cast("list[Any]", value)]
            return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True))
        return self._same(value) if isinstance(value, str) else value

    def _same(self, text: str) -> str:
        text = _INSTANT.sub(lambda found: self._when(found[0]), text.replace(self.group, "GROUP"))
        return _ID.sub(lambda found: self._of.get(found[0], "#"), text)

    def _when(self, text: str) -> str:
        at = datetime.fromisoformat(text).astimezone(UTC)
        if at < self._began:
            return text
        return next((f"told {place}" for place, (began, done) in enumerate(self.spans) if began <= at <= done), "else")


def _in_any_order(shown: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Members of a pair, in an order of what they are."""
    there = names if all(name in shown for name in names) else ()
    return dict(zip(there, sorted((shown[name] for name in there), key=json.dumps), strict=True))
