"""One client for all calls of the service, which are in one module per noun."""

from graphmem.client.asynchronous.claims import Claims
from graphmem.client.asynchronous.episodes import Episodes
from graphmem.client.asynchronous.facts import Facts
from graphmem.client.asynchronous.graph import Graph
from graphmem.client.asynchronous.groups import Groups
from graphmem.client.asynchronous.jobs import Jobs
from graphmem.client.asynchronous.merges import Merges
from graphmem.client.asynchronous.search import Search
from graphmem.client.asynchronous.sessions import Sessions


class AsyncGraphmemClient(Groups, Episodes, Sessions, Claims, Facts, Graph, Merges, Search, Jobs):
    """A client of one service. Use it as a context manager, or close it.

    Answers are the models of ``graphmem.answers``. Problems are the errors of ``graphmem.errors``; those in passing,
    such as a connection that breaks, come up only where calling again (``Retries``) did not help or is not safe.
    """
