"""Commands that put the memory into coding agents: their hooks, the server of tools, and a skill.

What is installed is made of ``plugins/graphmem``, which is a plugin of Claude Code and of Codex as it is.
"""

import json
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import LocalOptions
from graphmem.client.cli.printing import say, say_text
from graphmem.errors import InvalidInput

app = CommandApp("The memory in coding agents: Claude Code, Codex.")

Json = dict[str, Any]
_NAME = "graphmem"
_OURS = f"{_NAME}/hook.py"
_BEGIN, _END = "# graphmem plugin: begin", "# graphmem plugin: end"
_HANDED_ON = ["GRAPHMEM_URL", "GRAPHMEM_TOKEN", "GRAPHMEM_PLUGIN", "XDG_DATA_HOME", "XDG_STATE_HOME"]
"""Variables that Codex hands on to a server of tools."""
_LOGGED = 5


class Agent(StrEnum):
    """Whose plugin it is."""

    CLAUDE = "claude"
    CODEX = "codex"


AgentArgument = Annotated[Agent, typer.Argument(metavar="AGENT", help="claude or codex.")]


def plugin_root() -> Path:
    """The folder of the plugin: packaged in a wheel, beside the package in an editable install."""
    package = Path(__file__).resolve().parents[2]
    packaged = package / "_plugins"
    return (packaged if packaged.is_dir() else package.parent / "plugins") / _NAME


@dataclass(frozen=True, slots=True)
class Places:
    """The files of an agent that a plugin is in."""

    hooks: Path
    tools: Path
    skill: Path

    @classmethod
    def of(cls, agent: Agent, environ: Mapping[str, str], home: Path) -> "Places":
        """Where they lie: in the agent's own folder, which a variable may name."""
        if agent is Agent.CODEX:
            folder = Path(environ.get("CODEX_HOME") or home / ".codex")
            return cls(folder / "hooks.json", folder / "config.toml", home / ".agents" / "skills" / _NAME)
        named = environ.get("CLAUDE_CONFIG_DIR")
        folder = Path(named) if named else home / ".claude"
        tools = (folder if named else home) / ".claude.json"
        return cls(folder / "settings.json", tools, folder / "skills" / _NAME)


def hooks_of(root: Path, python: str, data_dir: Path) -> Json:
    """The hooks of the plugin, by event, of this installation."""
    hooks: Json = json.loads((root / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    command = shlex.join([python, "-I", "-S", str(root / "hook.py"), "hook", str(data_dir)])
    return {
        event: [group | {"hooks": [hook | {"command": command} for hook in group["hooks"]]} for group in groups]
        for event, groups in hooks.items()
    }


def with_hooks(settings: Json, hooks: Json) -> Json:
    """Settings with the hooks of the plugin, once, after all others."""
    left = without_hooks(settings)
    others = cast("Json", left.get("hooks", {}))
    return left | {"hooks": others | {event: [*others.get(event, []), *groups] for event, groups in hooks.items()}}


def without_hooks(settings: Json) -> Json:
    """Settings without the hooks of the plugin, of whatever installation; what is empty then is gone.

    Raises:
        InvalidInput: its hooks are no lists of objects by event.
    """
    if "hooks" not in settings:
        return settings
    left: Json = {}
    for event, groups in _object(settings["hooks"], "hooks").items():
        if not isinstance(groups, list):
            raise InvalidInput(f"hooks.{event} is no list")
        kept = [group for group in map(_without_ours, cast("list[Any]", groups)) if group is not None]
        if kept or not groups:
            left[event] = kept
    without = {key: value for key, value in settings.items() if key != "hooks"}
    return settings | {"hooks": left} if left else without


def _without_ours(group: Any) -> Any:
    """A group of hooks without ours; None where nothing else was in it."""
    if not isinstance(group, dict) or not isinstance(cast("Json", group).get("hooks"), list):
        return cast("Any", group)
    hooks = cast("list[Any]", group["hooks"])
    kept = [hook for hook in hooks if _OURS not in json.dumps(hook)]
    return None if hooks and not kept else cast("Json", group) | {"hooks": kept}


def with_server(settings: Json, server: Json) -> Json:
    return settings | {"mcpServers": _object(settings.get("mcpServers", {}), "mcpServers") | {_NAME: server}}


def without_server(settings: Json) -> Json:
    if "mcpServers" not in settings:
        return settings
    servers = _object(settings["mcpServers"], "mcpServers")
    left = {name: server for name, server in servers.items() if name != _NAME}
    without = {key: value for key, value in settings.items() if key != "mcpServers"}
    return settings | {"mcpServers": left} if left or not servers else without


def with_block(text: str, server: Json) -> str:
    """A file of TOML with the server of tools in a block at its end; the rest stays to the letter.

    Raises:
        InvalidInput: it is no TOML, or has another server of this name.
    """
    rest = without_block(text)
    arguments = json.dumps(server["args"])
    block = (
        f"{_BEGIN}\n[mcp_servers.{_NAME}]\ncommand = {json.dumps(server['command'])}\nargs = {arguments}\n"
        f"env_vars = {json.dumps(_HANDED_ON)}\n{_END}\n"
    )
    whole = f"{rest.rstrip()}\n\n{block}" if rest.strip() else block
    try:
        tomllib.loads(rest)
        tomllib.loads(whole)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"cannot be read as TOML, or has a server {_NAME!r} already ({error})") from error
    return whole


def without_block(text: str) -> str:
    before, begun, after = text.partition(_BEGIN)
    if not begun:
        return text
    _, ended, rest = after.partition(f"{_END}\n")
    if not ended:
        raise InvalidInput(f"has {_BEGIN!r} without {_END!r}")
    return f"{before.rstrip()}\n{rest}" if before.strip() else rest


def _object(value: Any, name: str) -> Json:
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} is no object")
    return cast("Json", value)


def _changed_json(change: Callable[[Json], Json]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        try:
            before: Any = json.loads(text) if text.strip() else {}
        except ValueError as error:
            raise InvalidInput(f"is no JSON ({error})") from error
        after = change(_object(before, "what it says"))
        return text if after == before else json.dumps(after, indent=2, ensure_ascii=False) + "\n"

    return changed


def changes(places: Places, agent: Agent, data_dir: Path, *, install: bool) -> dict[Path, str]:
    """What the files of an agent are to say, where they do not say it yet. Nothing is written.

    Raises:
        InvalidInput: one of them cannot be read as what it should be.
    """
    root, python = plugin_root(), sys.executable
    server: Json = {"command": python, "args": ["-I", "-S", str(root / "hook.py"), "mcp", str(data_dir)]}
    hooks = hooks_of(root, python, data_dir)
    of_hooks = _changed_json(partial(with_hooks, hooks=hooks) if install else without_hooks)
    if agent is Agent.CODEX:
        of_tools = partial(with_block, server=server) if install else without_block
    else:
        typed: Json = {"type": "stdio", **server}
        of_tools = _changed_json(partial(with_server, server=typed) if install else without_server)
    return _changed(places.hooks, of_hooks) | _changed(places.tools, of_tools)


def _changed(path: Path, change: Callable[[str], str]) -> dict[Path, str]:
    try:
        before = path.read_text("utf-8-sig") if path.exists() else ""
        after = change(before)
    except (OSError, UnicodeDecodeError, InvalidInput) as error:
        raise InvalidInput(f"{path}: {error}. Nothing was changed. Put the file right, and try again.") from error
    return {} if after == before else {path: after}


def write(path: Path, text: str) -> None:
    """Write a file in one step, behind whatever link leads to it, for whom could read it before."""
    from graphmem.private_files import write_private

    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    write_private(path, text)
    if mode is not None:
        path.chmod(mode)


def _places(agent: Agent) -> Places:
    return Places.of(agent, os.environ, Path.home())  # noqa: TID251 - variables of other programs


@app.command()
def install(asked: LocalOptions, agent: AgentArgument) -> None:
    """Put the memory into Claude Code or Codex: hooks, tools and a skill. Run it again after an upgrade.

    Example: graphmem plugin install claude
    """
    places = _places(agent)
    for path, text in changes(places, agent, asked.settings().data_dir, install=True).items():
        write(path, text)
        say(f"Changed: {path}")
    shutil.copytree(plugin_root() / "skills" / _NAME, places.skill, dirs_exist_ok=True)
    say(f"The memory is in {agent.value}, from the next session on: a group for each project.")
    if agent is Agent.CODEX:
        say("Codex runs hooks that you have trusted: open /hooks in it, and look at those of graphmem.")
    say(f"GRAPHMEM_PLUGIN=off turns it off, and so does a file: touch {shlex.quote(str(_own_folder() / 'off'))}")


@app.command()
def uninstall(asked: LocalOptions, agent: AgentArgument) -> None:
    """Take the memory out of Claude Code or Codex. What was remembered stays: see `graphmem forget`."""
    places = _places(agent)
    found = changes(places, agent, asked.settings().data_dir, install=False)
    for path, text in found.items():
        write(path, text)
        say(f"Changed: {path}")
    if places.skill.exists():
        shutil.rmtree(places.skill)
    say(f"The memory is no longer in {agent.value}." if found else f"The memory was not in {agent.value}.")


@app.command()
def status(asked: LocalOptions) -> None:
    """Show in which agents the memory is, whether it is turned off, and what its hooks logged last."""
    data_dir = asked.settings().data_dir
    for agent in Agent:
        places = _places(agent)
        if not changes(places, agent, data_dir, install=False):
            told = f"not installed: graphmem plugin install {agent.value}"
        elif changes(places, agent, data_dir, install=True) or not (places.skill / "SKILL.md").exists():
            told = f"of another installation: graphmem plugin install {agent.value}"
        else:
            told = "installed"
        say(f"{agent.value}: {told}")
    off, logged = _own_folder() / "off", _own_folder() / "log"
    if off.exists():
        say(f"Turned off by {off}; remove that file to turn it on.")
    if os.environ.get("GRAPHMEM_PLUGIN"):  # noqa: TID251 - of the hook, not of the settings
        say("GRAPHMEM_PLUGIN is set in this shell; off turns it off.")
    lines = logged.read_text("utf-8", "replace").splitlines()[-_LOGGED:] if logged.exists() else []
    say_text("\n".join([f"Last in {logged}:", *lines]) if lines else "Its hooks have logged no fault.")


def _own_folder() -> Path:
    """Where the hook keeps its log, and looks for the file that turns it off: as ``hook.py`` says."""
    state = os.environ.get("XDG_STATE_HOME")  # noqa: TID251 - as the hook reads it
    return Path(state or Path.home() / ".local" / "state") / "graphmem-plugin"
