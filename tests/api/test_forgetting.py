"""Forgetting over HTTP: previewed, confirmed by what was previewed, and told by a receipt."""

import re
from datetime import datetime
from pathlib import Path

from typer.testing import CliRunner

from graphmem.client.cli import app
from tests.api.conftest import Service


def test_what_is_confirmed_is_what_was_previewed(service: Service, group: str, tmp_path: Path) -> None:
    path = f"/v1/groups/{group}/forget"
    said = {"content": "Maya lives_in Porto", "session": "s", "occurred_at": "2025-05-03T10:00:00Z"}
    service.post(f"/v1/groups/{group}/episodes", said, wait=20)
    preview = service.post(path, {"session": "s"}).json()
    assert (preview["counts"]["episodes"], preview["counts"]["claims"], preview["receipt"]) == (1, 1, None)
    assert preview["would"]["rows"] == 1
    again = service.post(path, {"session": "s"}).json()
    assert [again[name] for name in ("manifest", "would")] == [preview[name] for name in ("manifest", "would")]

    at, _, signed = preview["confirm"].partition(".")
    assert datetime.fromisoformat(preview["valid_until"]).timestamp() == int(at) + 900
    for confirm in (f"{at}.{'0' * 64}", f"{int(at) + 900}.{signed}", f"{int(at) - 1_800}.{signed}"):
        refused = service.post(path, {"session": "s", "confirm": confirm})
        assert refused.status_code == 409
    assert "older than 15 minutes" in refused.json()["detail"]
    assert service.post(path, {"until": "2026-01-01T00:00:00Z", "confirm": preview["confirm"]}).status_code == 409
    assert service.post(path, {"session": "s", "confirm": preview["manifest"]}).status_code == 422
    assert service.post(path, {}).status_code == 422
    assert service.post(path, {"session": "s", "episodes": [preview["samples"][0]]}).status_code == 422
    assert service.post(path, {"session": "s", "user": "zoe"}).json()["counts"]["episodes"] == 0

    begun = service.post(path, {"session": "s", "confirm": preview["confirm"]})
    assert (begun.status_code, begun.json()["manifest"]) == (202, preview["manifest"])
    assert begun.json()["would"] is None
    receipt = service.get(f"{path}/{begun.json()['receipt']}").json()
    assert (receipt["selectors"], receipt["manifest"], receipt["ended_at"]) == (["session"], preview["manifest"], None)
    assert service.get(f"{path}/{'0' * 32}").status_code == 404
    found = service.post(f"{path}/{receipt['id']}/verify", {"canaries": ["porto", "lisbon"]}).json()
    kinds = {kind for place in found["places"] for kind in place["kinds"] if place["canary"] == 0}
    assert {"Episode", "Claim", "RELATES_TO", "episode_said"} <= kinds
    assert (len({place["canary"] for place in found["places"]}), found["episodes"]) == (1, [])
    (words := tmp_path / "words").write_text("lisbon\nPorto\n")
    asked = ["forget", "-g", group, "--url", service.url, "--key", service.token, "--verify", receipt["id"]]
    told = CliRunner().invoke(app, [*asked, "--canaries", str(words)])
    assert told.exit_code == 1, told.output
    assert re.search(r"Line 2 stands in Episode\S*\.content: 1", told.output), told.output
    assert "Not proven" in told.output
    assert CliRunner().invoke(app, asked).exit_code == 0
    job = service.get(f"/v1/groups/{group}/jobs/{receipt['id']}").json()
    assert (job["kind"], job["status"]) == ("forget", "pending")


def test_retention_says_what_is_older_and_takes_a_key_that_administers_and_erases(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/retention"
    service.post("/v1/groups", {"id": group}).raise_for_status()
    assert service.get(path).json()["episode_days"] is None
    kept = service.http.put(path, json={"episode_days": 365, "audit_days": 30}).raise_for_status().json()
    assert (kept["episode_days"], kept["audit_days"], kept["episodes"], kept["samples"]) == (365, 30, 0, [])
    assert service.get(path).json()["episode_days"] == 365
    tried = service.get(path, episode_days=90).json()
    assert (tried["episode_days"], tried["before"] > kept["before"]) == (90, True)
    assert service.http.put(path, json={"episode_days": 0}).status_code == 422
    for rights, status in ((["erase"], 403), (["admin"], 403), (["admin", "erase"], 200)):
        key = service.post("/v1/keys", {"label": "x", "groups": [group], "rights": rights}).json()["secret"]
        asked = service.http.get(path, headers={"Authorization": f"Bearer {key}"})
        assert asked.status_code == status
    assert service.delete(path).json()["episode_days"] is None
