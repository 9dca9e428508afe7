"""Memories of other people's frameworks, kept in graphmem: each module is a client, and needs the extra of its name."""
