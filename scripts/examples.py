"""Records the worked examples of every call from a running service, into ``graphmem/api/examples.json``.

    .venv/bin/python scripts/examples.py

Starts graphmem in a folder of its own, tells it the story of Maya by HTTP, call by call, and stops it again. What is
another one each time, such as ids of versions and when something was recorded, is replaced by what is the same each
time. After a change of what calls take or answer, run it again.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

import httpx
from neo4j import Driver, GraphDatabase

from graphmem.clock import utc_now
from graphmem.local import DataDir, LocalConnection, connection
from graphmem.local.ports import Ports
from graphmem.local.state import remember_ports
from graphmem.settings import Settings

FILE = Path(__file__).resolve().parents[1] / "graphmem" / "api" / "examples.json"
GRAPHMEM = str(Path(sys.executable).parent / "graphmem")
RECORDED = datetime(2025, 6, 1, 9, tzinfo=UTC)
"""When it was recorded, as examples say; each later instant of the recording is a second after the one before."""
ENVIRONMENT = {
    **os.environ,  # noqa: TID251 - for children
    "GRAPHMEM_CONFIG": os.devnull,
    "GRAPHMEM_NEO4J_TRANSACTION_TIMEOUT": "300",
}
"""No settings of whoever records, and patience: a busy machine plans queries for long."""
FAR = datetime(9999, 1, 1, tzinfo=UTC)
GROUP, IN_GROUP = "maya", "/v1/groups/{group}"
MAYA, LISBON = {"name": "Maya", "type": "person"}, {"name": "Lisbon", "type": "place"}
MOVED = {
    "content": "I moved to Lisbon on 1 May.",
    "occurred_at": "2025-05-03T10:00:00Z",
    "session": "chat-7",
    "role": "user",
    "speaker": "Maya",
}
SAID_BEFORE = [
    {**MOVED, "content": content, "occurred_at": f"2025-{day}T09:00:00Z", "session": "chat-3"}
    for day, content in (
        (
            "03-10",
            "I live in Porto. It rains a lot, and the streets are steep, but the light of a morning is worth it.",
        ),
        ("03-11", "I work at Acme. On most days there is more to do than there are hours, and nobody seems to mind."),
        ("03-12", "My sister is Ana. Whenever there is something to laugh about, it is on the phone within a minute."),
        ("03-13", "I like the sea. On a clear day, with coffee and nothing planned, there is no better place at all."),
    )
]
"""So many and so long that their session, closed, has a summary."""
TALK = "13/03/25, 09:00 - Maya: What a day!\n13/03/25, 09:01 - Ana: Good for you.\n"
"""A chat of WhatsApp, as its users export it."""
JUNE = "2025-06-01T00:00:00Z"


class Recorder:
    """Calls a service, and keeps the body and the answers of each operation."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self.examples: dict[str, dict[str, Any]] = {}

    def call(
        self, operation: str, body: Any = None, *, accept: str = "application/json", asked: Any = None, **steps: str
    ) -> Any:
        """Make a call (``POST /v1/groups``) and keep it; ``asked`` are its parameters, ``steps`` those of its path."""
        answer = self.send(operation, body, accept=accept, asked=asked, **steps)
        media_type = answer.headers["content-type"].partition(";")[0]
        content = answer.json() if media_type == "application/json" else answer.text
        example = self.examples.setdefault(operation, {"answers": {}})
        example["answers"].setdefault(str(answer.status_code), {})[media_type] = content
        if body is not None:
            example["body"] = body
        return content

    def send(self, operation: str, body: Any = None, *, accept: str = "*/*", asked: Any = None, **steps: str) -> Any:
        """Make a call that is no example; a body that is a text is a file."""
        method, _, path = operation.partition(" ")
        url = path.format(**{"group": GROUP, **steps})
        headers = {"Accept": accept, **({"Content-Type": "application/octet-stream"} if isinstance(body, str) else {})}
        sent: dict[str, Any] = {"content": body} if isinstance(body, str) else {"json": body}
        while (
            answer := self._http.request(method, url, params=asked, headers=headers, **sent)
        ).status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            time.sleep(1)  # the machine is busy
        if not answer.is_success:
            raise SystemExit(f"{operation}: {answer.status_code} {answer.text}")
        return answer

    def ask_job(self, kind: str, body: Any = None) -> dict[str, Any]:
        """Have a job done that is no example."""
        job = self.send(f"POST {IN_GROUP}/jobs/{{kind}}", body or {}, kind=kind).json()["job"]
        return self.until_done(f"GET {IN_GROUP}/jobs/{{job_id}}", job_id=job["id"])

    def until_done(self, operation: str, **steps: str) -> dict[str, Any]:
        """Wait until a job or an episode has ended."""
        while (answer := self.send(operation, **steps).json())["status"] not in {"done", "digested", "failed"}:
            time.sleep(0.2)
        return answer

    def until_settled(self) -> None:
        """Wait until all that was told is read, with its vectors."""
        while True:
            work = self.send(f"GET {IN_GROUP}").json()["work"]
            if not any(work[waiting] for waiting in ("pending", "refining", "vectors_pending")):
                return
            time.sleep(0.2)


def tell(recorder: Recorder, address: LocalConnection) -> None:
    """The whole story, in an order in which each call has what it needs."""
    call = recorder.call
    for operation in ("GET /health/live", "GET /health/ready"):
        call(operation)
    call("POST /v1/groups", {"id": GROUP})
    call("GET /v1/groups")
    recorder.send("POST /v1/groups", {"id": f"{GROUP}-archive", "importing": True})
    call(f"POST {IN_GROUP}/import/end", group=f"{GROUP}-archive")
    call(f"PUT {IN_GROUP}/name", {"name": f"{GROUP}-2024"}, group=f"{GROUP}-archive")
    call(f"PUT {IN_GROUP}/archived", {"archived": True}, group=f"{GROUP}-2024")
    tell_keys(recorder)
    moved = tell_episodes(recorder, address)
    tell_claims(recorder)
    tell_settings(recorder)
    ids = tell_identity(recorder)
    recorder.until_settled()
    tell_graph(recorder, ids["Maya"], moved)
    tell_facts(recorder)
    recorder.until_settled()
    tell_derived(recorder, ids["Maya"])
    tell_opt_out(recorder)
    tell_forgetting(recorder)
    tell_audit(recorder)
    metrics = call("GET /metrics", accept="*/*")
    shown = next(line for line in metrics.splitlines() if "http_requests_total" in line and '"/v1/groups"' in line)
    recorder.examples["GET /metrics"]["answers"]["200"]["text/plain"] = f"{shown}\n"


def tell_forgetting(recorder: Recorder) -> None:
    """What Maya said by mistake is as if she had not."""
    forget = f"POST {IN_GROUP}/forget"
    said = {"content": "My safe opens with 4711.", "speaker": "Maya", "session": "by-mistake"}
    recorder.send(f"POST {IN_GROUP}/episodes", said, asked={"wait": 60})
    preview = recorder.call(forget, {"session": "by-mistake"})
    begun = recorder.call(forget, {"session": "by-mistake", "confirm": preview["confirm"]})
    recorder.until_done(f"GET {IN_GROUP}/jobs/{{job_id}}", job_id=begun["receipt"])
    one = f"{IN_GROUP}/forget/{{receipt_id}}"
    recorder.call(f"GET {one}", receipt_id=begun["receipt"])
    recorder.call(f"POST {one}/verify", {"canaries": ["4711"]}, receipt_id=begun["receipt"])


def tell_audit(recorder: Recorder) -> None:
    """Who did all that, and whether it is still what was written."""
    for path, asked in (
        (f"{IN_GROUP}/audit", {"operation": "POST /v1/groups/{group}/forget"}),
        ("/v1/audit", {"limit": 1}),
    ):
        recorder.call(f"GET {path}", asked=asked)
        recorder.call(f"GET {path}", asked=asked, accept="application/x-ndjson")
        recorder.call(f"GET {path}/chain")


def tell_keys(recorder: Recorder) -> None:
    """A key for a bot that answers Maya, another one in its place, and its end."""
    call, one = recorder.call, "/v1/keys/{key_id}"
    wanted = {
        "label": "Maya's bot",
        "groups": [GROUP],
        "rights": ["read", "write"],
        "users": ["maya"],
        "agents": ["bot"],
    }
    made = call("POST /v1/keys", wanted)["key"]["id"]
    new = call(f"POST {one}/replace", {"overlap": 3600}, key_id=made)["key"]["id"]
    call(f"DELETE {one}", key_id=new)
    call("GET /v1/keys", asked={"limit": 1})
    call("GET /v1/keys/own")


def tell_episodes(recorder: Recorder, address: LocalConnection) -> str:
    """What Maya says; the id of the episode of her move."""
    call, post, one = recorder.call, f"POST {IN_GROUP}/episodes", f"GET {IN_GROUP}/episodes/{{episode_id}}"
    for said in SAID_BEFORE:  # one by one: what is told at once may be read in any order
        recorder.send(post, said, asked={"wait": 60})
    moved = call(post, MOVED)["episodes"][0]["id"]
    recorder.until_done(one, episode_id=moved)
    call(post, MOVED, asked={"wait": 60})
    call(one, episode_id=moved)
    edited = {**MOVED, "content": "Thank you, that is all.", "session": "chat-8"}
    put = f"PUT {IN_GROUP}/episodes/by-external-id/{{external_id}}"
    recorder.send(put, edited | {"content": "Thank yuo, that is all."}, external_id="message-17")
    call(put, edited, external_id="message-17")
    call(f"GET {IN_GROUP}/episodes", asked={"session": "chat-7"})
    call(f"POST {IN_GROUP}/episodes/{{episode_id}}/reprocess", {"strategy": "fast"}, episode_id=moved)
    recorder.until_done(one, episode_id=moved)
    fail(address, moved)
    call(f"POST {IN_GROUP}/episodes/{{episode_id}}/retry", episode_id=moved)
    recorder.until_done(one, episode_id=moved)
    said = {"content": "Hi! I repaired my bike.", "speaker": "Maya", "occurred_at": "2025-05-03T10:00:00Z"}
    call(f"POST {IN_GROUP}/extract", said)
    for asked in ({"dry_run": True}, {}):
        call(f"POST {IN_GROUP}/files", TALK, asked={"name": "talk.txt", "as": "Maya", **asked})
    session = call(f"GET {IN_GROUP}/sessions", asked={"name": "chat-7"})["sessions"][0]["id"]
    call(f"GET {IN_GROUP}/sessions/{{session_id}}", session_id=session)
    call(f"POST {IN_GROUP}/sessions/{{session_id}}/close", session_id=session)
    return moved


def fail(address: LocalConnection, episode_id: str) -> None:
    """Mark an episode as failed: the reader of the package does not fail."""
    failed = "MATCH (e:Episode {id: $id}) SET e.status = 'failed', e.attempts = 3, e.error = 'It was not read.'"
    auth = (address.neo4j_user, address.neo4j_password)
    driver: Driver
    with GraphDatabase.driver(address.neo4j_uri, auth=auth) as driver:  # pyright: ignore[reportUnknownMemberType] -- not typed
        driver.execute_query(failed, id=episode_id)


def tell_claims(recorder: Recorder) -> None:
    """What a CRM knows: where Maya works, put right, and withdrawn."""
    works = {
        "subject": MAYA,
        "predicate": "works_at",
        "object": {"name": "Acme", "type": "organization"},
        "valid_from": "2025-03-01T00:00:00Z",
        "occurred_at": "2025-05-03T10:00:00Z",
        "external_id": "crm-4711",
    }
    claims = f"POST {IN_GROUP}/claims"
    claim = recorder.call(claims, works)["claims"][0]["claim_id"]
    until = {**works, "external_id": "crm-4711-corrected", "valid_to": "2025-09-01T00:00:00Z"}
    recorder.call(f"{claims}/{{claim_id}}/correct", {"claim": until}, claim_id=claim)
    trainee = {**works, "predicate": "trainee_at", "external_id": "crm-4712"}
    other = recorder.send(claims, trainee).json()["claims"][0]["claim_id"]
    recorder.call(f"{claims}/{{claim_id}}/retract", {}, claim_id=other)


def tell_settings(recorder: Recorder) -> None:
    """What a group says of predicates, sources and types of its own."""
    call, one = recorder.call, f"{IN_GROUP}/predicates/{{name}}"
    policy = {"cardinality": "one", "rule": "latest"}
    for _ in range(2):  # the second time it is so already
        call(f"PUT {one}", policy, name="stage")
        recorder.ask_job("reproject", {"target": "stage"})
    call(f"GET {one}", name="stage")
    call(f"GET {IN_GROUP}/predicates", asked={"limit": 2})
    job = call(f"POST {IN_GROUP}/jobs/{{kind}}", {"target": "stage"}, kind="reproject")["job"]["id"]
    recorder.until_done(f"GET {IN_GROUP}/jobs/{{job_id}}", job_id=job)
    call(f"GET {IN_GROUP}/jobs/{{job_id}}", job_id=job)
    call(f"GET {IN_GROUP}/jobs", asked={"kind": "reproject"})
    for _ in range(2):
        call(f"DELETE {one}", name="stage")
        recorder.ask_job("reproject", {"target": "stage"})
    call(f"PUT {IN_GROUP}/sources/{{source}}", {"unique": True}, source="crm")
    call(f"GET {IN_GROUP}/sources")
    call(f"GET {IN_GROUP}/dates")
    call(f"PUT {IN_GROUP}/dates", {"month_first": True, "fiscal_year_start": 4})
    recorder.send(f"PUT {IN_GROUP}/dates", {"month_first": False, "fiscal_year_start": 1})
    call(f"PUT {IN_GROUP}/retention", {"episode_days": 365, "audit_days": 3650, "keep_shared": True})
    call(f"GET {IN_GROUP}/retention")
    call(f"DELETE {IN_GROUP}/retention")
    ontology = {
        "entity_types": {
            "customer": "somebody who buys from us",
            "order": {"description": "a purchase with a number", "attributes": {"total": "what it costs"}},
        },
        "relation_types": {
            "placed": {"description": "a customer placed an order", "subjects": ["customer"], "objects": ["order"]},
            "works_at": {
                "objects": ["customer"],
                "wording": ["{subject} works for our customer {object}"],
                "category": "occupation",
            },
        },
        "open_types": True,
        "instructions": "An order has a number.",
    }
    call(f"PUT {IN_GROUP}/ontology", ontology)
    call(f"GET {IN_GROUP}/ontology")
    call(f"DELETE {IN_GROUP}/ontology")


def tell_identity(recorder: Recorder) -> dict[str, str]:
    """Who is who; the ids of entities by their names."""
    call, merges, reviews = recorder.call, f"{IN_GROUP}/merges", f"{IN_GROUP}/reviews"
    lives = {"predicate": "lives_in", "object": LISBON, "valid_from": "2025-05-01T00:00:00Z"}
    names = ("Maya Kessler", "Katherine Jensen", "Catherine Jensen")
    claims = [{"subject": {"name": name, "type": "person"}, "occurred_at": JUNE, **lives} for name in names]
    recorder.send(f"POST {IN_GROUP}/claims", claims)
    found = call(f"GET {IN_GROUP}/entities", asked={"name": "Maya"})["entities"]
    found += recorder.send(f"GET {IN_GROUP}/entities").json()["entities"]
    ids = {entity["name"]: entity["id"] for entity in found}
    both = {"entities": [ids["Maya"], ids["Maya Kessler"]], "reason": "She told me so."}
    call(f"GET {IN_GROUP}/pairs", asked={"first": ids["Maya"], "second": ids["Maya Kessler"]})
    merge = call(f"POST {merges}", both)["merge"]["id"]
    call(f"GET {merges}")
    call(f"GET {merges}/{{merge_id}}", merge_id=merge)
    recorder.ask_job("dedup")
    review = call(f"GET {reviews}")["reviews"][0]["id"]
    call(f"GET {reviews}/{{review_id}}", review_id=review)
    call(f"POST {reviews}/{{review_id}}", {"verdict": "same", "reason": "She signs both ways."}, review_id=review)
    call(f"PUT {IN_GROUP}/entities/{{entity_id}}/protected", {"protected": True}, entity_id=ids["Katherine Jensen"])
    return ids


def tell_graph(recorder: Recorder, maya: str, moved: str) -> None:
    """What is believed of Maya, of when, and why."""
    call, around = recorder.call, {"entity": "Maya", "predicate": "lives_in", "valid_at": JUNE}
    for accept in ("application/json", "application/graphml+xml", "text/csv"):
        graph = call(f"GET {IN_GROUP}/graph", accept=accept, asked=around)
    graph = recorder.send(f"GET {IN_GROUP}/graph", asked=around).json()
    belief = graph["beliefs"][0]["belief_id"]
    call(f"GET {IN_GROUP}/answer", asked={"entity": "Maya", "predicate": "lives_in", "valid_at": JUNE})
    call(f"GET {IN_GROUP}/beliefs", asked={"limit": 1, "valid_at": JUNE})
    call(f"GET {IN_GROUP}/beliefs/{{belief_id}}", belief_id=belief)
    call(f"GET {IN_GROUP}/beliefs/{{belief_id}}/evidence", belief_id=belief)
    between = {"axis": "valid", "from": "2025-04-01", "to": JUNE, "entity": "Maya", "predicate": "lives_in"}
    call(f"GET {IN_GROUP}/diff", asked=between)
    call(f"GET {IN_GROUP}/entities/{{entity_id}}", entity_id=maya, asked={"valid_at": JUNE})
    call(f"GET {IN_GROUP}/entities/{{entity_id}}/history", entity_id=maya, asked={"predicate": "lives_in"})
    search = {
        "query": "Where does Maya live?",
        "valid_at": JUNE,
        "limit": 1,
        "entity": "Maya",
        "exclude_session": "chat-8",
        "diversity": 0.3,
        "recency": 0.2,
        "half_life_days": 90,
        "include_history": True,
        "explain": True,
        "why_not": [moved],
    }
    call(f"POST {IN_GROUP}/search", search)
    context = {"query": "Where does Maya live?", "session": "chat-7", "max_tokens": 500, "valid_at": JUNE}
    call(f"POST {IN_GROUP}/context", context)


def tell_facts(recorder: Recorder) -> None:
    """What Maya says on purpose, and takes back; and what is contested."""
    call, facts, user = recorder.call, f"{IN_GROUP}/facts", {"user": "maya"}
    likes = {"subject": MAYA, "category": "preference", "tags": ["style"], **user}
    green = {**likes, "key": "favourite_colour", "value": "green", "occurred_at": "2025-05-03T10:00:00Z"}
    call(f"POST {facts}", green)
    (belief,) = (fact["belief_id"] for fact in call(f"GET {facts}", asked=user)["facts"] if fact["value"] == "green")
    for act, body in (("confirm", user), ("share", user), ("unshare", user), ("correct", {**user, "value": "teal"})):
        call(f"POST {facts}/{{belief_id}}/{act}", body, belief_id=belief)
    recorder.send(f"POST {facts}", {**green, "key": "favourite_drink", "value": "tea"})
    (tea,) = (fact for fact in recorder.send(f"GET {facts}", asked=user).json()["facts"] if fact["value"] == "tea")
    call(f"DELETE {facts}/{{belief_id}}", asked={**user, "reason": "She was joking."}, belief_id=tea["belief_id"])
    pet = {"subject": MAYA, "predicate": "preference.pet", "category": "preference", "valid_from": JUNE, **user}
    for value, day, confidence in (("cat", "02", 0.9), ("dog", "03", 0.6)):  # what is said last is believed less
        said = {**pet, "value": value, "occurred_at": f"2025-06-{day}T00:00:00Z", "confidence": confidence}
        recorder.send(f"POST {IN_GROUP}/claims", said)
    conflict = call(f"GET {IN_GROUP}/conflicts", asked=user)["conflicts"][0]
    keep = {**user, "keep": conflict["disputing"][0]["claim_id"]}
    call(f"POST {IN_GROUP}/conflicts/{{belief_id}}", keep, belief_id=conflict["belief"]["belief_id"])


def tell_derived(recorder: Recorder, maya: str) -> None:
    """What is made of it all: summaries, a reflection, and counts."""
    call = recorder.call
    for session in recorder.send(f"GET {IN_GROUP}/sessions", asked={"name": "chat-3"}).json()["sessions"]:
        recorder.send(f"POST {IN_GROUP}/sessions/{{session_id}}/close", session_id=session["id"])
    recorder.ask_job("summarise")
    recorder.ask_job("reflect", {"target": "2025-05-04"})
    summaries = call(f"GET {IN_GROUP}/summaries")["summaries"]
    call(f"POST {IN_GROUP}/summaries/{{summary_id}}/regenerate", summary_id=summaries[0]["summary_id"])
    call(f"GET {IN_GROUP}/reflections")
    call(f"GET {IN_GROUP}/entities/{{entity_id}}/profile", entity_id=maya, asked={"valid_at": JUNE})
    call(f"GET {IN_GROUP}/memory/stats")
    merge = recorder.send(f"GET {IN_GROUP}/merges").json()["merges"][0]["id"]
    call(f"POST {IN_GROUP}/merges/{{merge_id}}/revert", {"reason": "Two people of one family."}, merge_id=merge)
    call(f"GET {IN_GROUP}", asked={"counts": True})


def tell_opt_out(recorder: Recorder) -> None:
    """A user who opts out and comes back; and a tombstone that somebody else lifted before."""
    call, opt_out = recorder.call, f"{IN_GROUP}/users/{{user}}/opt_out"
    for method in ("PUT", "GET", "DELETE"):
        call(f"{method} {opt_out}", user="maya")
    call(f"POST {IN_GROUP}/tombstones/lift", {"tombstones": [sha256(b"a tombstone").hexdigest()[:32]]})


def settled(examples: Mapping[str, Any], began: datetime) -> Any:
    """Examples in which ids, times of the recording and durations are the same each time."""
    text = json.dumps(_steady("", examples), ensure_ascii=False)
    written = set(re.findall(r"\d{4}-\d\d-\d\dT[\d:.]+Z", text))
    recorded = [instant for instant in written if began <= datetime.fromisoformat(instant) < FAR]
    for number, instant in enumerate(sorted(recorded, key=datetime.fromisoformat)):
        text = text.replace(instant, (RECORDED + timedelta(seconds=number)).isoformat().replace("+00:00", "Z"))
    for number, id_ in enumerate(dict.fromkeys(re.findall(r"\b[0-9a-f]{32}\b", text))):
        text = text.replace(id_, sha256(f"example {number}".encode()).hexdigest()[:32])
    for number, hash_ in enumerate(dict.fromkeys(re.findall(r"\b(?:\d{10}\.)?[0-9a-f]{64}\b", text))):
        dated = f"{RECORDED.timestamp():.0f}." if "." in hash_ else ""
        text = text.replace(hash_, dated + sha256(f"hash {number}".encode()).hexdigest())
    for number, key in enumerate(sorted(set(re.findall(r"gm_[0-9a-f]{12}_\w{51}", text)))):
        made = sha256(f"key {number}".encode()).hexdigest()
        text = text.replace(key, f"gm_{made[:12]}_…").replace(key[3:15], made[:12])
    return json.loads(text)


def _steady(name: str, value: Any) -> Any:
    """A part of an example with short numbers, and durations that are the same each time."""
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value)
        steps = {step: float(number) for number, step in enumerate(sorted(parts), start=1)}
        return steps if name == "milliseconds" else {part: _steady(part, one) for part, one in parts.items()}
    if isinstance(value, list):
        return [_steady(name, one) for one in cast("list[Any]", value)]
    return round(value, 3) if isinstance(value, float) else value


@contextmanager
def service(folder: Path) -> Generator[LocalConnection]:
    """A service of this folder, on ports that are free."""
    remember_ports(DataDir(folder), Ports(api=0, bolt=0, http=0))
    subprocess.run([GRAPHMEM, "up", "--detach", "--data-dir", str(folder)], env=ENVIRONMENT, check=True)
    try:
        address = connection(folder, Settings())
        if address is not None:
            yield address
    finally:
        subprocess.run([GRAPHMEM, "down", "--data-dir", str(folder)], check=True)


def record(address: LocalConnection) -> Any:
    began = utc_now() - timedelta(minutes=1)
    headers = {"Authorization": f"Bearer {address.api_token}"}
    with httpx.Client(base_url=address.api_url or "", headers=headers, timeout=600, trust_env=False) as http:
        recorder = Recorder(http)
        tell(recorder, address)
    return settled(recorder.examples, began)


def with_rare(recorded: Any, before: Mapping[str, Any]) -> Any:
    """The recorded examples, and those from before of what so small a memory does not answer: 202, a night's jobs."""
    for operation, example in before.items():
        answers = recorded.setdefault(operation, example)["answers"]
        for status, answer in example["answers"].items():
            answers.setdefault(status, answer)
    return recorded


def main() -> None:
    before = json.loads(FILE.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as address:
        FILE.write_text(json.dumps(with_rare(record(address), before), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
