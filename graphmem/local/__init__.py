"""Managed Neo4j and Valkey, and graphmem's own processes on top: the only room that starts and stops processes."""

from graphmem.local.layout import DataDir
from graphmem.local.servers import ManagedServers, managed_servers
from graphmem.local.state import LocalConnection, LocalState, connection

__all__ = ["DataDir", "LocalConnection", "LocalState", "ManagedServers", "connection", "managed_servers"]
