"""Cypher stands in ``cypher/``, where it is declared, explained and planned by tests; never in a Python string."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import graphmem

PACKAGE = Path(graphmem.__file__).parent
CYPHER = re.compile(
    r"""\b(?:MATCH|MERGE|CREATE|CALL|EXISTS|COUNT|FOREACH)\s*[({]
      | \bUNWIND\s+[$\w\[] | \bRETURN\s+[$\w*{] | \bWITH\s+[\w*]+\s+(?:AS|MATCH|WHERE|RETURN|ORDER|UNWIND)\b
      | \bCALL\s+\w+(?:\.\w+)+ | \b(?:SET|WHERE|REMOVE|DELETE|ORDER\ BY)\s+\w+(?:\.\w+|:\w+) | \bDETACH\s+DELETE\b
      | \b(?:CREATE|DROP|SHOW)\s+(?:\w+\s+)?(?:CONSTRAINTS?|INDEX(?:ES)?|TRANSACTIONS?)\b
      | \)\s*(?:<?-\[[^\]]*\]->?|-->|<--)\s*\( | \b(?:CYPHER\s+\d+|EXPLAIN|PROFILE)\s+[A-Z]{4}""",
    re.VERBOSE,
)


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every string that is not a statement of its own, as docstrings are."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def test_no_string_contains_cypher() -> None:
    trees = {path: ast.parse(path.read_text("utf-8"), str(path)) for path in PACKAGE.rglob("*.py")}
    cypher = [
        f"{path}:{line}: {text}" for path, tree in trees.items() for line, text in strings(tree) if CYPHER.search(text)
    ]
    assert cypher == []


def test_cypher_is_recognised_and_prose_is_not() -> None:
    cypher = [
        "MATCH (n) RETURN n",
        "UNWIND $rows AS row",
        "CREATE INDEX x IF NOT EXISTS",
        "SHOW VECTOR INDEXES",
        "CALL db.awaitIndexes(1)",
        "(a)-[r:KNOWS]->(b)",
        " WHERE n.id = $id",
        "RETURN 1",
    ]
    prose = ["They do not match (yet).", "Return the key.", "(a)-(b)", "WITH a smile"]
    assert [text for text in [*cypher, *prose] if CYPHER.search(text)] == cypher
