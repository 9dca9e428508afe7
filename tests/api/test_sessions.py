"""Sessions over HTTP: each user's own, opened by episodes, closed by calls and by the next."""

from typing import Any

import pytest

from graphmem.client import GraphmemClient
from graphmem.errors import Conflict, NotFound
from tests.api.conftest import Service

SAID = "2025-05-03T10:00:00Z"


def say(service: Service, group: str, session: str, content: str, **more: Any) -> None:
    body = {"content": content, "session": session, "occurred_at": SAID, **more}
    answer = service.post(f"/v1/groups/{group}/episodes", body)
    assert answer.is_success, answer.text


def sessions(service: Service, group: str, **params: Any) -> list[dict[str, Any]]:
    answer = service.get(f"/v1/groups/{group}/sessions", **params)
    assert answer.is_success, answer.text
    return answer.json()["sessions"]


def test_two_users_who_name_their_sessions_alike_have_two(service: Service, group: str) -> None:
    for user in ("maya", "ivo"):
        say(service, group, "chat", f"{user} likes tea.", user=user)
    say(service, group, "chat", "All like tea.")

    found = {one["user"]: one["id"] for one in sessions(service, group)}
    assert (set(found), len(set(found.values()))) == ({"maya", "ivo", None}, 3)
    assert [one["user"] for one in sessions(service, group, user="maya")] == ["maya", None]
    assert service.get(f"/v1/groups/{group}/sessions/{found['ivo']}", user="maya").status_code == 404


def test_sessions_are_found_by_name_by_who_may_see_them(service: Service, group: str) -> None:
    for user, name in (("maya", "chat"), ("ivo", "chat"), ("ivo", "chats"), (None, "chat")):
        say(service, group, name, f"{user} likes tea.", user=user)

    assert {one["user"] for one in sessions(service, group, name="chat")} == {"maya", "ivo", None}
    assert [one["user"] for one in sessions(service, group, name="chat", user="maya")] == ["maya", None]
    assert sessions(service, group, name="chats", user="maya") == []
    assert sessions(service, group, name="Chat") == []


def test_a_client_takes_a_session_by_name_or_id(service: Service, group: str) -> None:
    odd = "0" * 32
    for user, name in (("maya", "chat"), ("ivo", "chat"), (None, "plan"), (None, odd)):
        say(service, group, name, f"{user} likes tea.", user=user)
    ids = {(one["session"], one["user"]): one["id"] for one in sessions(service, group)}

    with GraphmemClient(service.url, service.token) as client:
        assert client.session_id(group, "plan") == ids["plan", None]
        assert client.session_id(group, "chat", user="ivo") == ids["chat", "ivo"]
        assert client.session_id(group, ids["plan", None]) == ids["plan", None]
        assert client.session_id(group, odd) == ids[odd, None]
        with pytest.raises(Conflict, match=f"Several users have a session 'chat'.*{ids['chat', 'maya']} .of maya"):
            client.session_id(group, "chat")
        with pytest.raises(NotFound, match="had no session 'Plan' then"):
            client.session_id(group, "Plan")


def test_the_window_is_the_last_turns_in_their_order(service: Service, group: str) -> None:
    for number in range(5):
        say(service, group, "chat", f"Turn {number}", sequence=number)
    (session,) = sessions(service, group)

    shown = service.get(f"/v1/groups/{group}/sessions/{session['id']}", window=2).json()
    assert ([one["content"] for one in shown["episodes"]], shown["earlier"]) == (["Turn 3", "Turn 4"], 3)


def test_the_next_session_of_a_user_closes_the_one_before(service: Service, group: str) -> None:
    for name in ("one", "two"):
        say(service, group, name, "Hello.", user="maya", agent="clerk", subject="Ivo")

    first, second = sessions(service, group)
    assert (first["session"], first["closed_by"], second["closed_at"]) == ("one", "next", None)
    assert (first["closed_at"], first["agent"], first["subject"]) == (second["opened_at"], "clerk", "Ivo")


def test_a_call_closes_and_an_episode_opens_again(service: Service, group: str) -> None:
    say(service, group, "chat", "Hello.")
    (session,) = sessions(service, group)
    path = f"/v1/groups/{group}/sessions/{session['id']}"

    closed = service.post(f"{path}/close", {}).json()
    assert (closed["closed_by"], service.post(f"{path}/close", {}).json()) == ("call", closed)

    say(service, group, "chat", "Hello again.")
    (again,) = sessions(service, group)
    assert (again["closed_at"], again["opened_at"]) == (None, session["opened_at"])
    (then,) = sessions(service, group, known_at=closed["closed_at"])
    assert then == closed


def test_the_same_episode_again_opens_nothing(service: Service, group: str) -> None:
    say(service, group, "chat", "Hello.", external_id="1")
    (session,) = sessions(service, group)
    closed = service.post(f"/v1/groups/{group}/sessions/{session['id']}/close", {}).json()

    say(service, group, "chat", "Hello.", external_id="1")
    assert sessions(service, group) == [closed]


def test_another_users_session_is_closed_by_nobody_else(service: Service, group: str) -> None:
    say(service, group, "chat", "Hello.", user="maya")
    (session,) = sessions(service, group)

    path = f"/v1/groups/{group}/sessions/{session['id']}/close"
    assert service.post(path, {}, user="ivo").status_code == 404
    assert sessions(service, group)[0]["closed_at"] is None


def test_pages_follow_each_other(service: Service, group: str) -> None:
    for number in range(5):
        say(service, group, f"chat {number}", "Hello.")

    first = service.get(f"/v1/groups/{group}/sessions", limit=3).json()
    rest = sessions(service, group, cursor=first["next_cursor"])
    names = [one["session"] for one in (*first["sessions"], *rest)]
    assert names == [f"chat {number}" for number in range(5)]
    assert sessions(service, group, valid_at="2025-05-02T00:00:00Z") == []


def test_a_session_that_nobody_summarised_has_no_summaries(service: Service, group: str) -> None:
    say(service, group, "chat", "Hello.")
    (session,) = sessions(service, group)

    answer = service.get(f"/v1/groups/{group}/summaries", session_id=session["id"])
    assert answer.json()["summaries"] == []
    assert service.post(f"/v1/groups/{group}/summaries/{session['id']}/regenerate", {}).status_code == 404
