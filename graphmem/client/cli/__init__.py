"""The command line: what is used daily stands on top, the rest in groups by what it is about.

Commands that need no model answer at once: what is heavy is imported where it is used.
"""

from graphmem.client.cli import (
    audit,
    backup,
    facts,
    forgetting,
    groups,
    identity,
    importing,
    ingest,
    keys,
    plugin,
    read,
    service,
    sessions,
    transfer,
    up,
)
from graphmem.client.cli.app import CommandApp

app = CommandApp("A bi-temporal knowledge-graph memory for software agents, on Neo4j.", name="graphmem")

_MEMORY = (
    read.ask,
    read.context,
    read.graph,
    read.history,
    read.diff,
    ingest.ingest,
    facts.remember,
    read.extract,
    forgetting.forget,
)
_SERVICE = (
    up.up,
    service.down,
    service.status,
    service.logs,
    service.env,
    service.browser,
    backup.backup,
    backup.restore,
)
for _command in _MEMORY:
    app.command()(_command)
app.command("export")(transfer.export)
app.command("import")(transfer.restore)
app.command()(audit.audit)
for _command in _SERVICE:
    app.command(rich_help_panel="The service on this machine")(_command)
for _command in (
    forgetting.opt_out,
    forgetting.opt_in,
    forgetting.lift,
    importing.import_graphiti,
    importing.import_mem0,
    groups.rename,
    groups.archive,
    groups.unarchive,
):
    service.app.command()(_command)
_GROUPS = {
    "fact": facts.app,
    "session": sessions.app,
    "identity": identity.app,
    "key": keys.app,
    "plugin": plugin.app,
    "admin": service.app,
}
for _name, _group in _GROUPS.items():
    app.add_typer(_group, name=_name, rich_help_panel="Groups of commands")
