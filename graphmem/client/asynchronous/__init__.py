"""One client for all calls of the service, which are in one module per noun."""

from graphmem.client.asynchronous.audit import AuditCalls
from graphmem.client.asynchronous.episodes import EpisodeCalls
from graphmem.client.asynchronous.facts import FactCalls
from graphmem.client.asynchronous.forgetting import ForgetCalls
from graphmem.client.asynchronous.graph import GraphCalls
from graphmem.client.asynchronous.groups import GroupCalls
from graphmem.client.asynchronous.keys import KeyCalls
from graphmem.client.asynchronous.merges import MergeCalls
from graphmem.client.asynchronous.tombstones import TombstoneCalls


class AsyncGraphmemClient(
    GroupCalls, EpisodeCalls, FactCalls, GraphCalls, MergeCalls, KeyCalls, TombstoneCalls, ForgetCalls, AuditCalls
):
    """A client of one service. Use it as a context manager, or close it.

    Answers are the models of ``graphmem.answers``. Problems are the errors of ``graphmem.errors``; those in passing,
    such as a connection that breaks, come up only where calling again (``Retries``) did not help or is not safe.
    """
