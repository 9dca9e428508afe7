"""The memory as tools of the Model Context Protocol: a client of the running service, over stdio or HTTP.

Nothing here stores anything. A server hands out one group, as one user, both of which its configuration names: no tool
takes them. It needs the client's packages, the SDK and pydantic-settings: the extra ``graphmem[mcp]``.
"""
