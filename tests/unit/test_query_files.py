import re
from pathlib import Path

import pytest

import graphmem
from graphmem.errors import QueryDefinitionError
from graphmem.store.queries import AuditedPart, cypher_root, load_queries, split

HEADER = "// name: {name}\n// mode: read\n// returns: many\n// row: NameRow\n// params: group\n"
BODY = "MATCH (n {group_id: $group}) RETURN n.name AS name;\n"
UNAUDITED = {
    "the audit itself": "record_audit record_read lock_chain chain_rows drop_chained",
    "locks": (
        "lock_episodes lock_texts lock_group lock_change lock_subjects lock_forgotten lock_sessions lock_tombstones "
        "hold_restoring leave_restoring"
    ),
    "another statement of the same transaction says it": (
        "supersede_mentions drop_facts extend_beliefs set_audiences show_types name_shared note_access keep_existence "
        "follow_names settle_import outdate_readings end_rows write_versions erase_texts erase_shared move_decisions "
        "rewrite_names rename_entities restamp note_subjects mark_overtaken"
    ),
    "an import that is begun and opened says it": (
        "wipe_restored wipe_restored_entities end_wiping restore_policies restore_sessions restore_entities "
        "restore_names restore_judgements restore_shares restore_passages restore_mentions restore_merges "
        "restore_relationships restore_facts restore_texts restore_covers wake_restored end_waking"
    ),
    "how far work is, and what work is due": (
        "take_session_to_consolidate read_again reprocess_low_yield mark_ends_of_changes end_looks_at_entities "
        "put_off_entity mark_entity_summaries_stale mark_reflections_stale mark_stale begin_writing take_back_writing "
        "end_summarising take_work lease_work announce_work renew_work return_work advance_work fail_work"
    ),
    "what is computed of the rest: vectors, look-ups of names, texts that are found to stand": (
        "keep_entity_summary keep_reflection keep_summary index_entities count_terms mark_holders mark_sharing "
        "index_views mark_views views_matched put_off_views embed_names leave_names forget_due_to_embed matched "
        "put_off_matching forget_overtaken set_matching_settings set_refined_weights mark_types mark_group_to_index "
        "mark_group write_vectors embed_beliefs end_forgetting forget_vectors_of_episodes "
        "forget_vectors_of_relationships forget_vectors_of_superseded forget_vectors_of_facts "
        "forget_vectors_of_superseded_facts forget_vectors_of_names forget_vectors_of_summaries "
        "forget_vectors_of_reflections"
    ),
    "when something was used, or asked for": "use_beliefs use_keys promise_settled keep_put_key",
    "the schema, and whether Neo4j writes": (
        "constrain_migration_locks constrain_migrations lock_migrations record_migration write_probe"
    ),
}
"""Queries that write and are in no audit, and why."""


def written(root: Path, text: str, noun: str = "things") -> Path:
    (root / "queries").mkdir(exist_ok=True)
    (root / "queries" / f"{noun}.cypher").write_text(text, "utf-8")
    return root


def good(name: str = "names", extra: str = "", body: str = BODY) -> str:
    return HEADER.format(name=name) + extra + body


def refusal(root: Path, text: str) -> str:
    with pytest.raises(QueryDefinitionError) as caught:
        load_queries(written(root, text))
    return str(caught.value)


def test_a_query_is_what_its_header_says(tmp_path: Path) -> None:
    extra = "// timeless because names stay\n// allow: Eager because of $x; fine\n// Names,\n//   all of them.\n"
    query = load_queries(written(tmp_path, good(extra=extra)))["names"]
    assert (query.mode, query.returns, query.row, query.params) == ("read", "many", "NameRow", ("group",))
    assert (query.timeless, query.all_groups, query.allowed) == ("names stay", None, frozenset({"Eager"}))
    assert query.description == "Names, all of them."
    assert query.source == "things.cypher:1"


def test_what_the_audit_says_is_at_paths_of_parameters_or_in_rows(tmp_path: Path) -> None:
    query = load_queries(written(tmp_path, good(extra="// audit: things group, names #group, rows answered\n")))[
        "names"
    ]
    assert [(part.kind, part.path, part.counted) for part in query.audited] == [
        ("things", ("group",), False),
        ("names", ("group",), True),
        ("rows", (), False),
    ]
    params: dict[str, object] = {
        "rows": [{"id": "a", "of": ["b", ""]}, {"id": "c", "of": []}, {"id": None, "of": list[str]()}],
        "ids": ("d", "e"),
    }
    for path, found in ((("rows", "id"), ["a", "c"]), (("rows", "of"), ["b"]), (("ids",), ["d", "e"])):
        assert list(AuditedPart("things", path, counted=False).of(params)) == found
    with pytest.raises(KeyError):
        list(AuditedPart("things", ("rows", "name"), counted=False).of(params))
    for wrong in ("things", "things ids", "things #ids.id", "things group and more"):
        assert "audit: KIND PATH" in refusal(tmp_path, good(extra=f"// audit: {wrong}\n"))


def test_what_writes_is_in_the_audit_or_has_a_reason() -> None:
    """Whoever adds a query that changes what somebody may know of says so in its header; else, here, why not."""
    writes = {name for name, query in load_queries(cypher_root()).items() if query.mode == "write"}
    audited = {name for name, query in load_queries(cypher_root()).items() if query.audited}
    unaudited = {name for names in UNAUDITED.values() for name in names.split()}
    assert audited <= writes
    assert writes - audited == unaudited


def test_rows_are_of_types_that_there_are() -> None:
    """A row by another name than that of the type for which a query is called is refused when it is called."""
    package = Path(graphmem.__file__).parent
    texts = [path.read_text("utf-8") for path in package.rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"^class (\w{1,80})", text, re.MULTILINE)}
    assert {query.row for query in load_queries(cypher_root()).values() if query.row} - named == set()


def test_the_driver_gets_the_text_without_header_in_cypher_25(tmp_path: Path) -> None:
    queries = load_queries(written(tmp_path, good() + good("older", body="CYPHER 5 " + BODY)))
    assert queries["names"].text == "CYPHER 25 " + BODY.strip(";\n")
    assert queries["older"].text == "CYPHER 5 " + BODY.strip(";\n")


def test_a_semicolon_or_parameter_in_a_string_name_or_comment_is_text(tmp_path: Path) -> None:
    body = "MATCH (n {group_id: $group}) // it's $not; one\nRETURN ';$a' + \"\\\";$b\" /* ;$c */ AS `;$d`;\n"
    queries = load_queries(written(tmp_path, good(body=body) + good("second")))
    assert set(queries) == {"names", "second"}
    assert queries["names"].params == ("group",)


def test_comments_before_the_first_name_belong_to_the_file(tmp_path: Path) -> None:
    query = load_queries(written(tmp_path, "// About things: all.\n\n" + good()))["names"]
    assert (query.description, query.source) == ("", "things.cypher:3")


def parts(root: Path, text: str) -> None:
    (root / "queries" / "parts").mkdir(parents=True)
    (root / "queries" / "parts" / "common.cypher").write_text(text, "utf-8")


def test_a_part_is_put_in_without_its_comments_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    parts(tmp_path, "// part: name\n// What; all want.\nn.name // here\n  + '//';\n\n// part: other\n1;\n")
    body = "MATCH (n {group_id: $group}) RETURN\n  // insert: name\n  AS name;\n"
    queries = load_queries(written(tmp_path, good(body=body) + good("second")))
    assert queries["names"].text.split() == f"CYPHER 25 {body}".replace("// insert: name", "n.name + '//'")[:-2].split()
    assert queries["second"].source == f"things.cypher:{good(body=body).count(chr(10)) + 1}"


def test_parts_have_names_of_their_own_and_are_there(tmp_path: Path) -> None:
    assert "no part other" in refusal(tmp_path, good(body="RETURN\n// insert: other\n AS name, $group;\n"))
    parts(tmp_path, "// part: name\n1;\n// part: name\n2;\n")
    assert "a name of its own" in refusal(tmp_path, good())


def test_no_parameters_are_declared_as_none(tmp_path: Path) -> None:
    text = good(body="RETURN 1 AS name;").replace("params: group", "params: none")
    assert load_queries(written(tmp_path, text))["names"].params == ()


def test_a_name_is_defined_once_over_all_files(tmp_path: Path) -> None:
    written(tmp_path, good(), noun="others")
    assert refusal(tmp_path, good("first") + good()) == "things.cypher:7: names is already defined at others.cypher:1."


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("// mode:", "// modus: x\n// mode:", ":2: modus: is not a key"),
        ("// mode:", "// mode: read\n// mode:", ":3: mode: stands twice"),
        ("// name: names\n", "", ":1: a query must begin with // name"),
        ("// name: names", "// name: two names", ":1: name: must be an identifier"),
        ("// mode: read\n", "", ":1: mode: must be one of read, write, not None"),
        ("// mode: read", "// mode: r", ":1: mode: must be one of read, write, not r"),
        ("// returns: many\n", "", ":1: returns: must be one of"),
        ("// returns: many", "// returns: nothing", ":1: row: must be given, unless it returns nothing or is drawn"),
        ("// row: NameRow\n", "", ":1: row: must be given, unless it returns nothing or is drawn"),
        ("// params: group\n", "", ":1: params: is missing"),
        ("// params: group", "// params: none", ":1: params: declares none, used are group"),
        ("// params: group", "// params: group, id", ":1: params: declares group, id, used are group"),
        ("// params: group", "// params: group, group", ":1: params: declares group, group, used are group"),
        ("// params: group", "// params: group\n// timeless because", ":6: timeless because …: the reason is missing"),
        ("// params: group", "// params: group\n// allow: Eager", ":1: allow: OPERATOR because REASON"),
        (BODY, ";", ":1: there is no Cypher before the semicolon"),
    ],
)
def test_a_malformed_query_is_refused_with_file_and_line(tmp_path: Path, before: str, after: str, problem: str) -> None:
    assert refusal(tmp_path, good().replace(before, after)).startswith(f"things.cypher{problem}")


def test_the_line_is_that_of_the_query_in_a_longer_file(tmp_path: Path) -> None:
    assert refusal(tmp_path, good() + "\n\n" + good("second").replace("mode: read", "mode: r")).startswith(
        "things.cypher:9: mode: must be"
    )


def test_a_folder_without_queries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QueryDefinitionError, match="there are no queries here"):
        load_queries(tmp_path)


def test_statements_keep_their_lines_and_comments() -> None:
    first, second = split("// one\nRETURN 1;\n\n// two\nRETURN ';';\n// the end\n")
    assert (first.line, first.text, second.line, second.text) == (1, "CYPHER 25 RETURN 1", 4, "CYPHER 25 RETURN ';'")
    assert second.comments.strip() == "// two"


def test_the_queries_that_ship_load() -> None:
    assert "await_indexes" in load_queries(cypher_root())
