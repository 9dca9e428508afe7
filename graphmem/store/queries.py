"""Loads the named queries of ``cypher/queries/<noun>.cypher``; no query stands anywhere else.

A query is a header of comments, Cypher, and a semicolon:

    // name: relationships_of_entities
    // mode: read                          read | write
    // returns: many                       one | optional | many | list | nothing | drawn
    // row: RelationshipRow                a dataclass of model or store; absent when it returns nothing, or is drawn
    // params: group, ids                  exactly those it uses, or none
    // timeless because …                  why it does not compare the two times (optional)
    // all groups because …                why it does not take $group (optional)
    // allow: NodeByLabelScan because …    an operator its plan may contain (optional, repeatable)
    // audit: claims rows.id               what the audit says that it changed (optional), see ``AuditedPart``
    // Any other line is the description; three blanks after the slashes continue the line above.
    MATCH …;

``list`` is ``many`` for queries that return more than a handful: one record ``rows``, a list of maps. The driver takes
100 µs of our processor for each record, and 3 µs for each map. ``drawn`` are those of ``cypher/browser``, which Neo4j
Browser runs and shows, and nothing here.

Comments before the first ``// name:`` of a query belong to the file. ``QueryDefinitionError`` names file and line.

What several queries have in common is a part, in ``cypher/queries/parts/<noun>.cypher``, and may have parts that come
before it; a line of its own puts it in:

    // part: evidence
    // Lines of description.
    CALL (belief) { … };

    // insert: evidence
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, LiteralString, NoReturn, cast, get_args

from graphmem.errors import QueryDefinitionError

Mode = Literal["read", "write"]
Returns = Literal["one", "optional", "many", "list", "nothing", "drawn"]

_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `[^`]*` | \$(?P<param>\w+) | (?P<end>;)""",
    re.DOTALL | re.VERBOSE,
)
_INSERT = re.compile(r"^[ ]*// insert: (?P<part>\w+)$", re.MULTILINE)
_LEADING = re.compile(r"(?:\s*//[^\n]*(?:\n|$))*\s*")
_VERSION = "CYPHER 25 "
_SENTENCES = {"timeless": "timeless because", "all groups": "all groups because"}
_KEYS = frozenset({"name", "mode", "returns", "row", "params", "allow", "audit"})
_WITHOUT_ROW = frozenset({"nothing", "drawn"})


@dataclass(frozen=True, slots=True)
class AuditedPart:
    """Things of a kind that a query changes, as its header says: ``audit: claims rows.id, mentions #rows``.

    ``path`` leads to their ids in the parameters; with ``#``, to a list of which only the length counts, because its
    things have no ids, or somebody's words for ids. No path, ``answered``, is the ids of the rows that the query
    answers; of rows that say whether they are ``new``, those that are. A query that may answer no row, and does,
    changed nothing.
    """

    kind: str
    path: tuple[str, ...]
    counted: bool

    def of(self, params: Mapping[str, object]) -> Iterator[object]:
        """What is at the path."""
        yield from _at(params, self.path)


def _at(value: object, path: tuple[str, ...]) -> Iterator[object]:
    if isinstance(value, Mapping):
        yield from _at(cast("Mapping[str, object]", value)[path[0]], path[1:]) if path else (value,)
    elif isinstance(value, (list, tuple)):
        for item in cast("Iterable[object]", value):
            yield from _at(item, path)
    elif value not in (None, ""):
        yield value


@dataclass(frozen=True, slots=True)
class Query:
    """One named query; ``text`` is what the driver gets."""

    name: str
    text: LiteralString
    mode: Mode
    returns: Returns
    row: str | None
    params: tuple[str, ...]
    description: str
    timeless: str | None
    all_groups: str | None
    allowed: frozenset[str]
    source: str
    audited: tuple[AuditedPart, ...] = ()

    def typed(self, literals: Mapping[str, str]) -> str:
        """The text as a person types it, with Cypher literals in place of some parameters."""

        def put(token: re.Match[str]) -> str:
            return literals.get(token["param"] or "", token[0])

        return _TOKEN.sub(put, self.text.removeprefix(_VERSION))


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of a ``.cypher`` file up to its semicolon: comments in front, text, and the text's parameters."""

    comments: str
    text: LiteralString
    params: frozenset[str]
    line: int


def cypher_root() -> Path:
    """The folder of queries and migrations: packaged in a wheel, beside the package in an editable install."""
    package = Path(__file__).resolve().parent.parent
    packaged = package / "_cypher"
    return packaged if packaged.is_dir() else package.parent / "cypher"


def load_queries(root: Path, folder: Literal["queries", "browser", "graphiti"] = "queries") -> Mapping[str, Query]:
    """Every query under ``root/queries``, or every one that is saved for Neo4j Browser or reads Graphiti, by name.

    Raises:
        QueryDefinitionError: a file is malformed or a name is taken; or there is no query at all.
    """
    queries: dict[str, Query] = {}
    parts = load_parts(root)
    for path in sorted((root / folder).glob("*.cypher")):
        for query in read_queries(path, parts):
            if query.name in queries:
                _fail(query.source, f"{query.name} is already defined at {queries[query.name].source}")
            queries[query.name] = query
    if not queries:
        _fail(str(root / folder), "there are no queries here; reinstall graphmem")
    return MappingProxyType(queries)


def load_parts(root: Path) -> Mapping[str, str]:
    """What queries have in common, by name, each in one line.

    Raises:
        QueryDefinitionError: a part has no name, or one that is taken.
    """
    parts: dict[str, str] = {}
    for path in sorted((root / "queries" / "parts").glob("*.cypher")):
        for statement in split(path.read_text("utf-8")):
            name = re.search(r"^// part: (\w+)$", statement.comments, re.MULTILINE)
            if name is None or name[1] in parts:
                _fail(f"{path.name}:{statement.line}", "a part begins with // part: and a name of its own")
            first = "\n".join(line[0] for line in _INSERT.finditer(statement.comments))
            text = f"{first}\n{statement.text.removeprefix(_VERSION)}"
            parts[name[1]] = _in_one_line(_with_parts(text, parts, path.name))
    return parts


def _in_one_line(text: str) -> str:
    """Without comments, so that the lines of what it is put into keep their numbers."""
    kept = _TOKEN.sub(lambda token: "" if token[0].startswith(("//", "/*")) else token[0], text)
    return " ".join(kept.split())


def read_queries(path: Path, parts: Mapping[str, str] = MappingProxyType({})) -> Iterator[Query]:
    for statement in split(_with_parts(path.read_text("utf-8"), parts, path.name)):
        yield _query(statement, path.name)


def _with_parts(text: str, parts: Mapping[str, str], file: str) -> str:
    def inserted(line: re.Match[str]) -> str:
        if line["part"] not in parts:
            _fail(file, f"there is no part {line['part']}; there are {', '.join(parts) or 'none'}")
        return parts[line["part"]]

    return _INSERT.sub(inserted, text)


def split(text: str) -> Iterator[Statement]:
    """The statements of a file; semicolons in strings, names and comments do not end one."""
    start = 0
    ends = [token.end() for token in _TOKEN.finditer(text) if token["end"]]
    for end in [*ends, len(text)]:
        piece = text[start:end].removesuffix(";")
        comments = piece[: _leading(piece)]
        body = piece[_leading(piece) :].strip()
        if body or "// name:" in comments:
            line = text.count("\n", 0, start + len(piece) - len(piece.lstrip())) + 1
            params = frozenset(token["param"] for token in _TOKEN.finditer(body) if token["param"])
            yield Statement(comments, _executable(body), params, line)
        start = end


def _leading(piece: str) -> int:
    match = _LEADING.match(piece)
    return match.end() if match else 0


def _executable(body: str) -> LiteralString:
    prefix = "" if not body or body.upper().startswith("CYPHER ") else _VERSION
    return cast("LiteralString", prefix + body)  # the text of a file that ships with graphmem, never a caller's


def in_one_statement(first: Query, last: Query, parts: Mapping[str, str]) -> LiteralString:
    """The text of two queries that return nothing, one after the other, as the part ``one_after_the_other`` puts it."""
    before, _, behind = parts["one_after_the_other"].partition("FIRST")
    texts = [query.text.removeprefix(_VERSION) for query in (first, last)]
    return cast("LiteralString", f"{_VERSION}{before}{texts[0]}\n{behind.replace('LAST', texts[1])}")


def _query(statement: Statement, file: str) -> Query:
    lines = [(at, text) for at, text in enumerate(statement.comments.strip().splitlines(), statement.line) if text]
    names = [at for at, text in lines if text.startswith("// name:")]
    if not names:
        _fail(f"{file}:{statement.line}", "a query must begin with // name: …")
    source = f"{file}:{names[0]}"
    if not statement.text:
        _fail(source, "there is no Cypher before the semicolon")
    fields, description = _header([(at, text) for at, text in lines if at >= names[0]], file)
    params = _params(fields, statement.params, source)
    returns = cast("Returns", _choice(fields, "returns", get_args(Returns), source))
    row = _last(fields, "row")
    if (row is None) != (returns in _WITHOUT_ROW):
        _fail(source, "row: must be given, unless it returns nothing or is drawn")
    return Query(
        name=_identifier(_last(fields, "name"), source),
        text=statement.text,
        mode=cast("Mode", _choice(fields, "mode", get_args(Mode), source)),
        returns=returns,
        row=row,
        params=params,
        description=description,
        timeless=_last(fields, "timeless"),
        all_groups=_last(fields, "all groups"),
        allowed=frozenset(_allowed(line, source) for line in fields.get("allow", ())),
        source=source,
        audited=tuple(_audited(_last(fields, "audit"), params, row, source)),
    )


def _header(lines: list[tuple[int, str]], file: str) -> tuple[dict[str, list[str]], str]:
    """The header by key, and the description; keys that may stand once only are checked here."""
    fields: dict[str, list[str]] = {}
    description: list[str] = []
    current = description
    for at, line in lines:
        text = line.removeprefix("//")
        if text.startswith("   ") and current:
            current[-1] += f" {text.strip()}"
            continue
        key, value = _field(text.strip(), f"{file}:{at}")
        current = fields.setdefault(key, []) if key else description
        if key and key != "allow" and current:
            _fail(f"{file}:{at}", f"{key}: stands twice")
        current.append(value)
    return fields, " ".join(description)


def _field(text: str, source: str) -> tuple[str | None, str]:
    for key, opening in _SENTENCES.items():
        if text.startswith(opening):
            return key, text.removeprefix(opening).strip() or _fail(source, f"{opening} …: the reason is missing")
    match = re.match(r"([a-z_]+):(?: +|$)(.*)", text)
    if match is None:
        return None, text
    if match[1] not in _KEYS:
        _fail(source, f"{match[1]}: is not a key; there are {', '.join(sorted(_KEYS))}")
    return match[1], match[2].strip()


def _params(fields: Mapping[str, list[str]], used: frozenset[str], source: str) -> tuple[str, ...]:
    text = _last(fields, "params")
    if text is None:
        _fail(source, "params: is missing; write none if there are none")
    declared = () if text == "none" else tuple(name.strip() for name in text.split(","))
    if sorted(declared) != sorted(used):
        _fail(source, f"params: declares {', '.join(declared) or 'none'}, used are {', '.join(sorted(used)) or 'none'}")
    return declared


def _last(fields: Mapping[str, list[str]], key: str) -> str | None:
    return fields[key][-1] if key in fields else None


def _choice(fields: Mapping[str, list[str]], key: str, choices: tuple[str, ...], source: str) -> str:
    value = _last(fields, key)
    return value if value in choices else _fail(source, f"{key}: must be one of {', '.join(choices)}, not {value}")


def _identifier(value: str | None, source: str) -> str:
    return value if value and value.isidentifier() else _fail(source, f"name: must be an identifier, not {value!r}")


def _allowed(line: str, source: str) -> str:
    operator, because, reason = line.partition(" because ")
    return operator if because and reason.strip() else _fail(source, "allow: OPERATOR because REASON")


def _audited(text: str | None, params: tuple[str, ...], row: str | None, source: str) -> Iterator[AuditedPart]:
    for part in text.split(",") if text else ():
        match = re.fullmatch(r"(\w+) (?:answered|(#?)([\w.]+))", part.strip())
        path = tuple(match[3].split(".")) if match and match[3] else ()
        if match is None or (path[0] not in params if path else row is None):
            _fail(source, "audit: KIND PATH, KIND #PATH or KIND answered, of a parameter or of rows")
        yield AuditedPart(match[1], path, match[2] == "#")


def _fail(source: str, problem: str) -> NoReturn:
    raise QueryDefinitionError(f"{source}: {problem}.")
