"""The site of the documentation: links lead on, code has its pages; and what leads nowhere fails."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from graphmem.api.headings import HEADINGS
from graphmem.errors import GraphmemError
from scripts.pages import in_repository, in_site, linked, pages_from_code, problem_kinds

ROOT = Path(__file__).parents[2]


def test_links_to_the_repository_lead_into_the_site() -> None:
    text = "[a](../tests/api/rights.tsv) [b](limits.md#numbers) [c](decisions) [d](nowhere.md) [e](https://a.b/c)"
    assert [in_site(path) for _, path in linked("keys.md", text)] == [
        "repository/tests/api/rights.tsv",
        "limits.md",
        "decisions/README.md",
    ]
    for path in ("README.md", "CHANGELOG.md", "docs/keys.md", "docs/decisions/README.md"):
        assert in_repository(in_site(path)) == path


def test_pages_from_code_have_every_heading_problem_and_command() -> None:
    pages = dict(pages_from_code())
    assert {f"reference/http/{name}.md" for name in HEADINGS} <= set(pages)
    problems = {f"`urn:graphmem:problem:{kind.slug}`" for kind in problem_kinds([GraphmemError])}
    assert {problem for problem in problems if problem not in pages["reference/problems.md"]} == set()
    assert "## `graphmem ask`" in pages["reference/commands.md"]
    calls = pages["reference/http/episodes.md"]
    assert '/v1/groups/maya/files?name=talk.txt"' in calls
    assert "-H 'Content-Type: application/octet-stream' \\\n  --data-binary @talk.txt" in calls
    assert '/episodes/by-external-id/message-17"' in calls


@pytest.mark.full
def test_a_dead_link_a_missing_anchor_and_a_page_in_no_nav_fail_and_nothing_is_loaded(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for name in ("scripts", "graphmem"):
        (tmp_path / name).symlink_to(ROOT / name)
    stray = "# Stray\n\nA page with [a dead link](nowhere.md), and [a dead anchor](limits.md#nowhere).\n"
    (tmp_path / "docs" / "stray.md").write_text(stray)

    build = [ROOT / "scripts" / "docs", "--config-file", tmp_path / "mkdocs.yml", "--site-dir", tmp_path / "site"]
    done = subprocess.run(build, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "Aborted with 3 warnings" in done.stdout + done.stderr
    pages = [path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.html")]
    loaded = r"<(?:script|link|img|iframe)[^>]*(?:src|href)=.?(?:https?:)?//[^>]*>"
    assert pages
    assert [tag for page in pages for tag in re.findall(loaded, page)] == []
