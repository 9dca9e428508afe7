"""What is said in these benchmarks: sentences that differ, and that every format can hold."""

from collections.abc import Sequence

from tests.written_files import OTHER, START, USER, Conversation, Said, Writer

_TOPICS = ("database", "queue", "cache", "parser", "release", "tests", "login", "search", "import", "report")
_TOOLS = ("PostgreSQL", "Redis", "Kafka", "SQLite", "Lucene", "Celery", "Nginx", "Django", "Grafana", "Terraform")


def topic(number: int) -> str:
    return _TOPICS[number % 10]


def sentence(number: int) -> str:
    return f"For the {topic(number)} of service {number // 100} we use {_TOOLS[number // 10 % 10]} since step {number}."


def conversation(writer: Writer, speakers: Sequence[str], messages: int) -> Conversation:
    """A conversation with a message every minute, or as finely as the format tells time."""
    return [Said(speakers[n % len(speakers)], START + n * writer.step, sentence(n)) for n in range(messages)]


BOTH, ALONE = (USER, OTHER), (USER,)
"""Who speaks in a conversation, and in a diary."""
