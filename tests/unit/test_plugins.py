"""The plugin of coding agents: what it keeps of their logs and what not, whose memory it is, how it is installed."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import graphmem
from graphmem.api.schemas.words import GROUP_PATTERN
from graphmem.client.cli import app
from graphmem.client.cli.plugin import plugin_root, with_hooks, without_hooks
from plugins.graphmem import hook

ROOT = Path(__file__).parents[2]
STAMP = "2026-03-02T09:30:00.123Z"
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\nAAAAB3Nza\n-----END OPENSSH PRIVATE KEY-----"


# ---- what is left out


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop",
        "sk-proj-abc_defghijklmnopq",
        "sk_live_abcdefghijklmnopqr",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghij",
        "glpat-abcdefghij0123456789",
        "xoxb-123456789012-abcdefghij",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA-abcdefghijklmnopqrstuvw",
        "hf_abcdefghijklmnopqrst",
        "npm_abcdefghijklmnopqrst",
        "pypi-AgEIcHlwaS5vcmc",
        "gm_0123456789abcdef.secretsecret",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123",
        "d41d8cd98f00b204e9800998ecf8427e",
        "Zm9vYmFyMTIzNDU2Nzg5MEFCQ0RFRkdI",
    ],
)
@pytest.mark.parametrize("text", ["{}", "use {} from now on", "export API={}", 'key = "{}",', "see ({})."])
def test_keys_and_tokens_are_left_out(secret: str, text: str) -> None:
    assert secret not in hook.cleaned(text.format(secret))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password: hunter2", "hunter2"),
        ("The DB password is hunter2!x", "hunter2"),
        ("The password for it is Tr0ub4dor&3", "Tr0ub4dor"),
        ("the passphrase is 'correct horse'", "correct"),
        ("mysqldump --password hunter22 shop", "hunter22"),
        ("https://hooks.slack.com/services/T0/B0/XYZ", "XYZ"),
        ("api_key='short'", "short"),
        ('"client_secret": "with spaces in it"', "spaces"),
        ("Authorization: Bearer abcdefgh.ijkl", "abcdefgh"),
        ("curl -u x https://ann:letmein@example.org/a", "letmein"),
        ("DATABASE_URL=postgres://localhost/app\nDEBUG=1", "localhost"),
        ("export STRIPE=abc", "abc"),
        (f"here it is:\n{KEY}\nthanks", "AAAAB3Nza"),
        (KEY.partition("-----END")[0], "AAAAB3Nza"),
        ("look:\n```python\nprint('inside')\n```\nok?", "inside"),
        ("look:\n```python\nprint('inside')", "inside"),
        ("~~~\ninside\n~~~", "inside"),
        ("   12→def inside():\n   13→    pass", "inside"),
        ("<system-reminder>inside</system-reminder>go on", "inside"),
        ('<file path="a.py">inside</file>', "inside"),
        ("<environment_context>\n<cwd>/inside</cwd>\n</environment_context>", "inside"),
        ("<local-command-stdout>inside</local-command-stdout>", "inside"),
    ],
)
def test_what_is_secret_or_of_a_file_is_left_out(text: str, secret: str) -> None:
    assert secret not in hook.cleaned(text)


@pytest.mark.parametrize(
    "text",
    [
        "We decided to use PostgreSQL 16, not MySQL, because of its row-level security.",
        "The token is expired.",
        "Is the key thing here the deadline of 2026-05-01?",
        "Rename the function in src/graphmem/client/cli/plugin.py, please: `with_hooks` says more.",
        "The id is 3f2504e0-4f89-11d3-9a0c-0305e82c3301.",
        "a < b and b > c; the file is called x",
        "Ticket https://example.org/issues/4711?tab=all",
    ],
)
def test_what_people_say_stays(text: str) -> None:
    assert hook.cleaned(text) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "part",
    ["```", "<file ", "-----BEGIN PRIVATE KEY-----", "password", "aA1", "A=1\n", "eyJ", "://a:", "12→\n", "key is "],
)
def test_no_text_takes_long(part: str) -> None:
    assert len(hook.cleaned(part * 20_000)) <= hook.LONGEST_TURN + 30


# ---- what was said


def claude(text: object, role: str = "user", **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": text}
    return {"type": role, "uuid": "u-1", "sessionId": "s", "timestamp": STAMP, "message": message, **more}


def codex(text: str, role: str = "user", kind: str = "message") -> dict[str, Any]:
    content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
    return {"timestamp": STAMP, "type": "response_item", "payload": {"type": kind, "role": role, "content": content}}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (claude("Use tabs."), "Use tabs."),
        (claude([{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "Done."}], "assistant"), "Done."),
        (codex("Use tabs."), "Use tabs."),
        (codex("Done.", "assistant"), "Done."),
        (claude([{"type": "tool_use", "input": {"command": "ls"}}], "assistant"), None),
        (claude([{"type": "tool_result", "content": "x"}]), None),
        (claude("x", toolUseResult={"stdout": "x"}), None),
        (claude("x", isMeta=True), None),
        (claude("x", isSidechain=True), None),
        (claude("x", isCompactSummary=True), None),
        (claude("```\nonly code\n```"), None),
        (claude(None), None),
        ({"type": "summary", "summary": "x", "leafUuid": "u"}, None),
        (codex("x", "developer"), None),
        (codex("x", kind="function_call_output"), None),
        (codex("# AGENTS.md instructions for /p\n\nx"), None),
        (codex("<environment_context><cwd>/p</cwd></environment_context>"), None),
        ({"timestamp": STAMP, "type": "event_msg", "payload": {"type": "user_message", "message": "x"}}, None),
    ],
)
def test_a_log_has_what_was_said_and_no_tools(entry: dict[str, Any], said: str | None) -> None:
    line = hook.message_of(entry, "rollout:0")

    assert (line and line.text) == said


def test_ids_stay_while_a_log_grows_and_half_a_line_waits(tmp_path: Path) -> None:
    path = tmp_path / "rollout-1.jsonl"
    path.write_text(
        json.dumps(codex("One.")) + '\nno json\n[]\n{"type": "user"}\n' + json.dumps(codex("Two."))[:20], "utf-8"
    )
    first = list(hook.read_log(path, 0))
    path.write_text(
        json.dumps(codex("One.")) + '\nno json\n[]\n{"type": "user"}\n' + json.dumps(codex("Two.")) + "\n", "utf-8"
    )
    whole, rest = list(hook.read_log(path, 0)), list(hook.read_log(path, first[-1][0]))

    assert [line.text for _, line in whole if line] == ["One.", "Two."]
    assert whole == [*first, *rest]
    assert len({line.id for _, line in whole if line}) == 2
    assert list(hook.read_log(path, 10_000_000)) == whole


def test_an_episode_is_the_same_in_one_session_and_another_in_the_next() -> None:
    line = hook.message_of(claude("Use tabs."), "")
    assert line
    once, again, later = (hook.episode_of(line, session, "ann", "+01:00") for session in ("s", "s", "t"))

    assert once == again
    assert once["external_id"] != later["external_id"]
    assert (once["user"], once["session"], once["occurred_at"], once["role"]) == ("ann", "s", STAMP, "user")


# ---- whose memory


@pytest.mark.parametrize("name", ["app", "my app (2)", "…", ".dots.", "x" * 200, "Ünïcode-app"])
def test_a_project_has_a_legal_group_that_stays_in_its_folders(tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    (root / ".git").mkdir(parents=True)
    (root / "src" / "deep").mkdir(parents=True)
    group = hook.group_of(hook.project_of(root / "src" / "deep"))

    assert re.fullmatch(GROUP_PATTERN, group)
    assert group == hook.group_of(hook.project_of(root)) != hook.group_of(hook.project_of(tmp_path))


def test_a_worktree_shares_the_memory_of_its_repository(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    (main / ".git" / "worktrees" / "tree").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n")

    assert hook.project_of(tree) == main


# ---- the hook as agents run it


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    names = "CLAUDE_CONFIG_DIR CODEX_HOME XDG_STATE_HOME GRAPHMEM_URL GRAPHMEM_TOKEN GRAPHMEM_PLUGIN CLAUDE_PROJECT_DIR"
    for name in names.split():
        monkeypatch.delenv(name, raising=False)
    return home


def run_hook(event: object, home: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", str(plugin_root() / "hook.py"), "hook", str(home / "data")],
        input=event if isinstance(event, str) else json.dumps(event),
        env={**os.environ, "HOME": str(home), **environ},  # noqa: TID251 - with more, for a process of its own
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def prompt(home: Path, name: str = "UserPromptSubmit") -> dict[str, object]:
    return {"hook_event_name": name, "session_id": "s", "cwd": str(home), "prompt": "Which database?"}


def logged(home: Path) -> str:
    path = home / ".local" / "state" / "graphmem-plugin" / "log"
    return path.read_text("utf-8") if path.exists() else ""


@contextmanager
def listening(answer: Callable[[], tuple[int, bytes]]) -> Generator[str]:
    """The address of a server that gives one answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            status, body = answer()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002 - the name in the class above

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart"])
def test_a_service_that_is_slow_adds_nothing_and_the_log_says_so(home: Path, name: str) -> None:
    done = Event()

    def late() -> tuple[int, bytes]:
        done.wait(30)
        return 503, b"{}"

    with listening(late) as url:
        ran = run_hook(prompt(home, name), home, GRAPHMEM_URL=url)
        done.set()

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert f"{name}: No answer in time" in logged(home)


@pytest.mark.parametrize(("status", "told"), [(401, "refuses the key"), (500, "answered 500"), (404, None)])
def test_what_a_service_refuses_is_logged_and_a_project_without_memory_is_no_fault(
    home: Path, status: int, told: str | None
) -> None:
    with listening(lambda: (status, b'{"detail": "x"}')) as url:
        ran = run_hook(prompt(home, "SessionStart"), home, GRAPHMEM_URL=url)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert told in logged(home) if told else not logged(home)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("no json", "report this line"),
        ("[]", "report this line"),
        ({"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/"}, "graphmem up"),
    ],
)
def test_no_fault_stops_the_agent_and_each_is_one_line_that_says_what_to_do(
    home: Path, event: object, told: str
) -> None:
    ran = run_hook(event, home)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    (line,) = logged(home).splitlines()
    assert told in line


def test_a_log_that_cannot_be_written_stops_no_agent_either(home: Path) -> None:
    (home / "state").write_text("a file where the folder belongs")
    ran = run_hook("no json", home, XDG_STATE_HOME=str(home / "state"))

    assert (ran.returncode, ran.stdout) == (0, "")
    assert "cannot be written" in ran.stderr


def test_one_switch_turns_everything_off(home: Path) -> None:
    run_hook("no json", home, GRAPHMEM_PLUGIN="off")
    (home / ".local" / "state" / "graphmem-plugin").mkdir(parents=True)
    (home / ".local" / "state" / "graphmem-plugin" / "off").touch()
    run_hook("no json", home)

    assert logged(home) == ""


def test_the_hook_takes_what_python_has_by_itself() -> None:
    source = (plugin_root() / "hook.py").read_text("utf-8")
    imported = {match[1] for match in re.finditer(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE)}

    assert imported <= sys.stdlib_module_names | {"__future__"}


# ---- installing


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["plugin", *arguments])


def test_into_an_empty_home_and_out_again(home: Path) -> None:
    for agent in ("claude", "codex"):
        assert invoke("install", agent).exit_code == 0
    first = {path: path.read_text("utf-8") for path in home.rglob("*") if path.is_file()}
    settings = json.loads(first[home / ".claude" / "settings.json"])
    tools = json.loads(first[home / ".claude.json"])["mcpServers"]["graphmem"]
    servers = tomllib.loads(first[home / ".codex" / "config.toml"])["mcp_servers"]

    assert set(settings["hooks"]) == {"SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"}
    assert settings["hooks"] == json.loads(first[home / ".codex" / "hooks.json"])["hooks"]
    assert (tools["command"], tools["args"][3]) == (sys.executable, "mcp")
    assert servers["graphmem"]["args"] == tools["args"]
    assert home / ".claude" / "skills" / "graphmem" / "SKILL.md" in first
    assert home / ".agents" / "skills" / "graphmem" / "SKILL.md" in first
    assert "claude: installed\ncodex: installed" in invoke("status").output

    for agent in ("claude", "codex"):
        assert "Changed" not in invoke("install", agent).output
    assert first == {path: path.read_text("utf-8") for path in home.rglob("*") if path.is_file()}

    for agent in ("claude", "codex"):
        invoke("uninstall", agent)
    left = {path: path.read_text("utf-8").strip() for path in home.rglob("*") if path.is_file()}
    assert set(left.values()) == {"", "{}"}
    assert "claude: not installed" in invoke("status").output


SETTINGS = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
        "Notification": [],
    },
    "note": "ä ü",
}
CONFIG = 'model = "gpt" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\nnotifications = true'


def test_what_was_there_stays_and_comes_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "c"))
    monkeypatch.setenv("CODEX_HOME", str(home / "x"))
    (home / "c").mkdir()
    (home / "x").mkdir()
    real, link = home / "dotfiles.json", home / "c" / "settings.json"
    real.write_text("\ufeff" + json.dumps(SETTINGS, ensure_ascii=False), "utf-8")
    real.chmod(0o644)
    link.symlink_to(real)
    (home / "c" / ".claude.json").write_text('{"numStartups": 3, "mcpServers": {"other": {"command": "x"}}}')
    (home / "x" / "config.toml").write_text(CONFIG)
    (home / "x" / "hooks.json").write_text("")
    for agent in ("claude", "codex"):
        assert invoke("install", agent).exit_code == 0, agent

    said = json.loads(real.read_text("utf-8"))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o644
    assert said["hooks"]["Stop"][0] == SETTINGS["hooks"]["Stop"][0]  # pyright: ignore[reportArgumentType]
    assert (said["model"], said["permissions"], said["note"]) == ("opus", SETTINGS["permissions"], "ä ü")
    assert list(said) == list(SETTINGS)
    assert set(json.loads((home / "c" / ".claude.json").read_text())["mcpServers"]) == {"other", "graphmem"}
    assert (home / "x" / "config.toml").read_text().startswith(CONFIG)
    assert not (home / ".claude").exists()

    for agent in ("claude", "codex"):
        invoke("uninstall", agent)
    assert json.loads(real.read_text("utf-8")) == SETTINGS
    assert (home / "x" / "config.toml").read_text().strip() == CONFIG


@pytest.mark.parametrize(
    ("agent", "name", "text"),
    [
        ("claude", ".claude/settings.json", "{// a comment\n}"),
        ("claude", ".claude/settings.json", "[]"),
        ("claude", ".claude/settings.json", '{"hooks": []}'),
        ("claude", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("claude", ".claude.json", '{"mcpServers": 1}'),
        ("codex", ".codex/hooks.json", "nonsense"),
        ("codex", ".codex/config.toml", "nonsense"),
        ("codex", ".codex/config.toml", '[mcp_servers.graphmem]\ncommand = "mine"'),
        ("codex", ".codex/config.toml", 'mcp_servers = {other = {command = "x"}}'),
    ],
)
def test_a_file_that_does_not_fit_is_named_and_nothing_is_changed(home: Path, agent: str, name: str, text: str) -> None:
    (home / name).parent.mkdir(exist_ok=True)
    (home / name).write_text(text)
    told = invoke("install", agent)

    assert told.exit_code
    assert name in str(told.exception) + told.output
    assert [path for path in home.rglob("*") if path.is_file()] == [home / name]
    assert (home / name).read_text() == text


def test_hooks_of_an_earlier_installation_give_way() -> None:
    old = {
        "hooks": {"Stop": [{"hooks": [{"command": "/old/venv/_plugins/graphmem/hook.py hook"}, {"command": "mine"}]}]}
    }
    new = {"Stop": [{"hooks": [{"command": "/new/graphmem/hook.py hook"}]}]}

    assert with_hooks(old, new)["hooks"]["Stop"] == [{"hooks": [{"command": "mine"}]}, *new["Stop"]]
    assert without_hooks({"a": 1}) == {"a": 1}
    assert without_hooks({"hooks": {"Stop": ["odd", {"hooks": "odd"}]}}) == {
        "hooks": {"Stop": ["odd", {"hooks": "odd"}]}
    }


# ---- registries


def test_the_registry_of_servers_is_told_this_version_and_finds_its_name_in_the_readme() -> None:
    server = json.loads((ROOT / "server.json").read_text("utf-8"))
    (package,) = server["packages"]

    assert server["version"] == package["version"] == graphmem.__version__
    assert package["runtimeArguments"][0]["value"] == f"graphmem[mcp]=={graphmem.__version__}"
    assert len(server["description"]) <= 100
    assert f"mcp-name: {server['name']}" in (ROOT / "README.md").read_text("utf-8")
