"""Subjects that the parser loses beside “and”.

“Tom and I” before a verb: it often loses the first of the two. “I live in Lyon and Ana lives in Nantes”: it joins Ana
to Lyon.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_OBJECTS = frozenset({"dobj", "pobj", "dative", "attr", "oprd"})
_BEFORE_CLAUSES = frozenset({"that", "because", "since", "when", "while", "after", "before", "as", "but", "so", "and"})
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_NOUNS = frozenset({"NN", "NNP", "NNPS"})
_TIMES = frozenset({"DATE", "TIME"})
_INSIDE = frozenset({"compound", "poss", "amod", "det", "nmod"})


@dataclass(frozen=True, slots=True)
class Node:
    """A word in the tree: ``head`` is a position among the nodes, ``label`` is of the name it is part of, or ""."""

    text: str
    tag: str
    dep: str
    head: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """The word at ``child`` belongs below that at ``head``."""

    child: int
    head: int
    dep: str


def lost_subjects(nodes: Sequence[Node]) -> Iterator[Edge]:
    """The edges that make “NP and I”, or the NP of “and NP”, the subject of the verb that follows it.

    What they make of the tree is a tree.
    """
    tree = list(nodes)
    for i in range(2, len(tree) - 1):
        edges = list(_edges(tree, i)) if tree[i].text in ("I", "i") and _is_and(tree[i - 1]) else list(_joined(tree, i))
        if edges and _makes_a_tree(tree, edges):
            for edge in edges:
                tree[edge.child] = replace(tree[edge.child], head=edge.head, dep=edge.dep)
            yield from edges


def _is_and(node: Node) -> bool:
    return node.text.casefold() in ("and", "&")


def _joined(nodes: Sequence[Node], i: int) -> Iterator[Edge]:
    """“… in Lyon and Ana lives …”: a noun that is joined to an object, with a verb behind it that has no subject."""
    noun = nodes[i]
    if noun.dep != "conj" or noun.tag not in _NOUNS or nodes[noun.head].dep not in _OBJECTS:
        return
    first, verb = _first(nodes, i), _verb(nodes, i + 1)
    if verb is None or verb < i or first < 1 or not _is_and(nodes[first - 1]) or nodes[verb].head in (verb, i):
        return
    below = {node.dep for node in nodes if node.head == verb}
    if not below & {"nsubj", "nsubjpass", "csubj"}:
        yield Edge(i, verb, "nsubjpass" if "auxpass" in below else "nsubj")
        yield Edge(first - 1, nodes[verb].head, "cc")


def _edges(nodes: Sequence[Node], i: int) -> Iterator[Edge]:
    noun, verb = _noun(nodes, i - 2), _verb(nodes, i + 1)
    if noun is None or verb is None or nodes[noun].dep in _OBJECTS or nodes[noun].label in _TIMES:
        return
    first = _first(nodes, noun)
    if (nodes[noun].dep.startswith("nsubj") and nodes[i].head == noun) or not _opens(nodes, first):
        return
    passive = any(node.head == verb and node.dep == "auxpass" for node in nodes[i:verb])
    if over := [each for each in _above(nodes, verb) if each in (noun, i)]:
        top = over[-1]  # the verb takes its place
        yield Edge(verb, verb if nodes[top].head == top else nodes[top].head, nodes[top].dep)
    yield Edge(noun, verb, "nsubjpass" if passive else "nsubj")
    yield Edge(i - 1, noun, "cc")
    yield Edge(i, noun, "conj")
    if first and nodes[first - 1].label in _TIMES:
        yield Edge(first - 1, verb, "npadvmod")


def _above(nodes: Sequence[Node], child: int) -> Iterator[int]:
    """What a word hangs from, up to the root."""
    while nodes[child].head != child:
        child = nodes[child].head
        yield child


def _makes_a_tree(nodes: Sequence[Node], edges: Sequence[Edge]) -> bool:
    heads = [node.head for node in nodes]
    for edge in edges:
        heads[edge.child] = edge.head
    return all(_ends(heads, edge.child) for edge in edges)


def _ends(heads: Sequence[int], child: int) -> bool:
    """Whether one who climbs from a word comes to a root."""
    for _ in heads:
        if heads[child] == child:
            return True
        child = heads[child]
    return False


def _noun(nodes: Sequence[Node], last: int) -> int | None:
    """The head of the noun phrase that ends at ``last``: “brother” of “my brother Tom”."""
    above = nodes[last].head
    named = nodes[last].dep == "appos" and above == last - 1
    return (above if named else last) if nodes[last].tag in _NOUNS else None


def _verb(nodes: Sequence[Node], first: int) -> int | None:
    """The verb of which the word at ``first`` is the finite part, adverbs passed over."""
    while first < len(nodes) - 1 and nodes[first].tag == "RB":
        first += 1
    if nodes[first].tag not in _FINITE:
        return None
    return nodes[first].head if nodes[first].dep in ("aux", "auxpass") else first


def _first(nodes: Sequence[Node], noun: int) -> int:
    """Where the noun phrase begins; “last summer” before it is none of it."""
    first = noun
    while first and nodes[first - 1].dep in _INSIDE and nodes[first - 1].label not in _TIMES:
        first -= 1
    return first


def _opens(nodes: Sequence[Node], first: int) -> bool:
    """Whether a clause can begin with the word at ``first``."""
    before = nodes[first - 1] if first else None
    if before is None or before.dep == "punct" or before.label in _TIMES:
        return True
    return before.text.isspace() or before.text.casefold() in _BEFORE_CLAUSES
