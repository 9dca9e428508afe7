"""Neo4j, the queue, and the processes and the disk of ``graphmem up``."""

from pydantic import BaseModel, Field, SecretStr

from graphmem.settings.service import ApiSettings
from graphmem.settings.tables import AbsolutePath, Table


class Neo4jSettings(Table):
    """Where Neo4j is. Without ``uri`` the managed local server of ``graphmem up`` is used."""

    uri: str | None = None
    user: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"
    transaction_timeout: float = Field(
        default=30.0, gt=0, description="seconds a transaction may take before it is ended"
    )
    connection_timeout: float = Field(default=10.0, gt=0, description="seconds to wait for a connection")
    startup_timeout: float = Field(
        default=30.0, ge=0, description="seconds a starting process waits for Neo4j to answer at all"
    )
    heap: str = Field(default="1g", description="heap of the managed server")
    page_cache: str = Field(default="512m", description="page cache of the managed server")
    replan_interval: float = Field(
        default=10.0,
        ge=0,
        description="seconds for which the managed server keeps to how it answers a query, however the graph grows",
    )


class RedisSettings(Table):
    """Where the queue is. Without ``url`` the managed local Valkey of ``graphmem up`` is used."""

    url: SecretStr | None = None


class DiskSettings(Table):
    """The free space of the disk that Neo4j writes to. Below the limit nothing is written but what takes away."""

    path: AbsolutePath | None = Field(
        default=None, description="a folder of that disk; `graphmem up` names its own where it runs Neo4j"
    )
    least_free_mb: int = Field(default=512, ge=0, description="megabytes that stay free; 0: whatever is free is used")
    watch_seconds: float = Field(default=2.0, gt=0, description="how often free space is looked at")


class SupervisorSettings(Table):
    """How ``graphmem up`` watches what it runs."""

    check_seconds: float = Field(default=5.0, gt=0, description="pause between two checks of a process")
    check_timeout: float = Field(default=10.0, gt=0, description="seconds in which a check must be answered")
    check_failures: int = Field(
        default=4, ge=1, description="checks in a row without an answer after which a process is killed and restarted"
    )
    longest_pause: float = Field(
        default=60.0,
        gt=0,
        description="seconds before a process is started again, at most; each quick end doubles them",
    )


class ServerSettings(BaseModel):
    """What ``graphmem up`` needs to know to run the servers and to watch them."""

    neo4j: Neo4jSettings = Neo4jSettings()
    redis: RedisSettings = RedisSettings()
    api: ApiSettings = ApiSettings()
    disk: DiskSettings = DiskSettings()
    supervisor: SupervisorSettings = SupervisorSettings()
