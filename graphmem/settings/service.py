"""What callers reach, over HTTP or as tools for agents; and logging."""

from typing import Literal

from pydantic import Field, SecretStr

from graphmem.settings.tables import Table, TextOrNone


class ApiSettings(Table):
    """The HTTP service."""

    host: str = "127.0.0.1"
    port: int = Field(default=8464, ge=0, le=65535)
    key: SecretStr | None = Field(default=None, description="the key, with every right; needed unless host is loopback")
    require_user: bool = Field(
        default=False, description="whether calls that say for no user are refused; else they are about everybody's"
    )
    browser_origin: str | None = Field(
        default=None, description="origin of the Neo4j Browser that may read guides, such as http://127.0.0.1:7474"
    )
    max_body_bytes: int = Field(default=8 * 1024 * 1024, gt=0)
    max_content_chars: int = Field(
        default=1_000_000,
        gt=0,
        description="characters that one episode, and the value and the statement of one claim, may have",
    )
    header_seconds: float = Field(
        default=10.0, gt=0, description="a connection is closed on which the headers of a request take longer"
    )
    unread_seconds: float = Field(
        default=60.0, gt=0, description="a connection is closed whose client reads nothing of an answer for so long"
    )
    body_pause: float = Field(default=10.0, gt=0, description="seconds that the body of a request may pause")
    body_seconds: float = Field(
        default=30.0, gt=0, description="seconds that a body may take, and one more for each body_rate bytes of it"
    )
    body_rate: int = Field(default=16_384, gt=0, description="bytes a second at which a body may take as long as it is")


McpToolset = Literal["graphmem", "common", "memory-server"]
"""Which tools there are: graphmem's own, the names that other systems use, or the official memory server's nine."""


class McpSettings(Table):
    """``graphmem mcp``: what its tools hand out, and where it listens. No tool takes a group or a user."""

    url: TextOrNone = Field(
        default=None, description="a service elsewhere, called with api.key; default: the one that runs here"
    )
    group: str = "default"
    user: TextOrNone = Field(
        default=None, description="whose memory it is; without one, tools read and write for the whole group"
    )
    agent: TextOrNone = Field(default=None, description="which of your agents this is")
    session: TextOrNone = Field(default=None, description="of what is remembered, where a call names none")
    speaker: TextOrNone = Field(default=None, description="who says what is remembered, where a call names nobody")
    toolset: McpToolset = "graphmem"
    max_tokens: int = Field(default=4_000, ge=2_000, le=100_000, description="tokens of one answer, by an estimate")
    wait_seconds: float = Field(
        default=10.0, ge=0, le=60, description="that remembering waits until it can say what was understood"
    )
    host: str = "127.0.0.1"
    port: int = Field(default=8465, ge=0, le=65535)
    hosts: tuple[str, ...] = Field(
        default=(), description="names by which HTTP is called, where host is not this machine alone"
    )


class LogSettings(Table):
    """Logging: ``console`` for a terminal, ``json`` for services; ``auto`` looks at standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json"] = "auto"
