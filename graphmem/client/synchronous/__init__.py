# Made by scripts/unasync.py from the module of this name in graphmem/client/asynchronous. Change that one.
"""One client for all calls of the service, which are in one module per noun."""

from graphmem.client.synchronous.claims import Claims
from graphmem.client.synchronous.episodes import Episodes
from graphmem.client.synchronous.facts import Facts
from graphmem.client.synchronous.graph import Graph
from graphmem.client.synchronous.groups import Groups
from graphmem.client.synchronous.jobs import Jobs
from graphmem.client.synchronous.merges import Merges
from graphmem.client.synchronous.search import Search
from graphmem.client.synchronous.sessions import Sessions


class GraphmemClient(Groups, Episodes, Sessions, Claims, Facts, Graph, Merges, Search, Jobs):
    """A client of one service. Use it as a context manager, or close it.

    Answers are the models of ``graphmem.answers``. Problems are the errors of ``graphmem.errors``; those in passing,
    such as a connection that breaks, come up only where calling again (``Retries``) did not help or is not safe.
    """
