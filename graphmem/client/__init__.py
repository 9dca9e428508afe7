"""What runs at the caller, beside the service: its client, the command line, notebooks, transcripts and the sample."""

from graphmem.client.client import GraphmemClient, ServiceUnavailable, When

__all__ = ["GraphmemClient", "ServiceUnavailable", "When"]
