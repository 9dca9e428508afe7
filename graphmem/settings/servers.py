"""Neo4j, the queue, the processes and the disk of ``graphmem up``; what callers reach; and logging."""

from typing import Literal

from pydantic import BaseModel, Field, IPvAnyNetwork, SecretStr

from graphmem.settings.tables import AbsolutePath, SecretOrNone, Table, TextOrNone


class ApiSettings(Table):
    """The HTTP service."""

    host: str = "127.0.0.1"
    port: int = Field(default=8464, ge=0, le=65535)
    key: SecretStr | None = None
    """The key, with every right; needed unless host is loopback."""
    require_user: bool = False
    """Whether calls that say for no user are refused; else they are about everybody's."""
    hosts: tuple[str, ...] = ()
    """Names by which it is called, beside those of this machine; without one, on another address than loopback, any."""
    trusted_proxies: tuple[IPvAnyNetwork, ...] = ()
    """Addresses, or networks, of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    browser_origin: str | None = None
    """Origin of the Neo4j Browser that may read guides, such as http://127.0.0.1:7474."""
    max_body_bytes: int = Field(default=8 * 1024 * 1024, gt=0)
    max_file_bytes: int = Field(default=256 * 1024 * 1024, gt=0)
    """Of a file that is handed in; of a ZIP, also of all that is in it."""
    max_content_chars: int = Field(default=1_000_000, gt=0)
    """Characters that one episode, and the value and the statement of one claim, may have."""
    header_seconds: float = Field(default=10.0, gt=0)
    """A connection is closed on which the headers of a request take longer."""
    unread_seconds: float = Field(default=60.0, gt=0)
    """A connection is closed whose client reads nothing of an answer for so long."""
    body_pause: float = Field(default=10.0, gt=0)
    """Seconds that the body of a request may pause."""
    body_seconds: float = Field(default=30.0, gt=0)
    """Seconds that a body may take, and one more for each body_rate bytes of it."""
    body_rate: int = Field(default=16_384, gt=0)
    """Bytes a second at which a body may take as long as it is."""
    plan_at_start: bool = True
    """Whether the service is ready only once Neo4j has planned the statements of searches and contexts."""


class KeySettings(Table):
    """Keys that are made beside ``api.key``."""

    secret: SecretOrNone = None
    """The secret under which keys are hashed; without it, one in a file of data_dir, which is made on first use."""
    flush_seconds: float = Field(default=30.0, gt=0)
    """How often it is written when keys were used."""


AuditedReads = Literal["off", "admin", "all"]
"""Which reads the audit keeps: none, those of administrators' keys that may act for all users, or all."""


class AuditSettings(Table):
    """The audit. What changes something is always in it."""

    reads: AuditedReads = "admin"
    chain_seconds: float = Field(default=2.0, gt=0)
    """How often a worker puts new rows into their chains."""


McpToolset = Literal["graphmem", "common", "memory-server"]
"""Which tools there are: graphmem's own, the names that other systems use, or the official memory server's nine."""


class McpSettings(Table):
    """``graphmem mcp``: what its tools hand out, and where it listens. No tool takes a group or a user."""

    url: TextOrNone = None
    """A service elsewhere, called with api.key; default: the one that runs here."""
    group: str = "default"
    user: TextOrNone = None
    """Whose memory it is; without one, tools read and write for the whole group."""
    agent: TextOrNone = None
    """Which of your agents this is."""
    session: TextOrNone = None
    """Of what is remembered, where a call names none."""
    speaker: TextOrNone = None
    """Who says what is remembered, where a call names nobody."""
    toolset: McpToolset = "graphmem"
    max_tokens: int = Field(default=4_000, ge=2_000, le=100_000)
    """Tokens of one answer, by an estimate."""
    wait_seconds: float = Field(default=10.0, ge=0, le=60)
    """That remembering waits until it can say what was understood."""
    host: str = "127.0.0.1"
    port: int = Field(default=8465, ge=0, le=65535)
    hosts: tuple[str, ...] = ()
    """Names by which HTTP is called, where host is not this machine alone."""
    public_url: TextOrNone = None
    """By which clients call it over HTTP, for those that look up what to show; default: the one that it listens at."""


class LogSettings(Table):
    """Logging: ``console`` for a terminal, ``json`` for services; ``auto`` looks at standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json"] = "auto"


class Neo4jSettings(Table):
    """Where Neo4j is. Without ``uri`` the managed local server of ``graphmem up`` is used."""

    uri: str | None = None
    user: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"
    transaction_timeout: float = Field(default=30.0, gt=0)
    """Seconds a transaction may take before it is ended."""
    connection_timeout: float = Field(default=10.0, gt=0)
    """Seconds to wait for a connection."""
    startup_timeout: float = Field(default=30.0, ge=0)
    """Seconds a starting process waits for Neo4j to answer at all."""
    heap: str = "1g"
    """Heap of the managed server."""
    page_cache: str = "512m"
    """Page cache of the managed server."""
    replan_interval: float = Field(default=10.0, ge=0)
    """Seconds for which the managed server keeps to how it answers a query, however the graph grows."""


class RedisSettings(Table):
    """Where the queue is. Without ``url`` the managed local Valkey of ``graphmem up`` is used."""

    url: SecretStr | None = None


class DiskSettings(Table):
    """The free space of the disk that Neo4j writes to. Below the limit nothing is written but what takes away."""

    path: AbsolutePath | None = None
    """A folder of that disk; `graphmem up` names its own where it runs Neo4j."""
    least_free_mb: int = Field(default=512, ge=0)
    """Megabytes that stay free; 0: whatever is free is used."""
    watch_seconds: float = Field(default=2.0, gt=0)
    """How often free space is looked at."""


class SupervisorSettings(Table):
    """How ``graphmem up`` watches what it runs."""

    check_seconds: float = Field(default=5.0, gt=0)
    """Pause between two checks of a process."""
    check_timeout: float = Field(default=10.0, gt=0)
    """Seconds in which a check must be answered."""
    check_failures: int = Field(default=4, ge=1)
    """Checks in a row without an answer after which a process is killed and restarted."""
    longest_pause: float = Field(default=60.0, gt=0)
    """Seconds before a process is started again, at most; each quick end doubles them."""


class ServerSettings(BaseModel):
    """What ``graphmem up`` needs to know to run the servers and to watch them."""

    neo4j: Neo4jSettings = Neo4jSettings()
    redis: RedisSettings = RedisSettings()
    api: ApiSettings = ApiSettings()
    disk: DiskSettings = DiskSettings()
    supervisor: SupervisorSettings = SupervisorSettings()
