"""Documentation: links hold, pages say what they are for, and every setting is there, under the name that works."""

import re
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel

from graphmem.model.matching import MatchingSettings, Stage
from graphmem.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]
PAGES = {path: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
LINKING = {path: path.read_text("utf-8") for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))}
TEXT = PAGES[ROOT / "docs" / "settings.md"]
SHOWN = [
    shown for page in PAGES.values() for shown in re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
]
"""The files of settings that are shown."""


class Setting(NamedTuple):
    """A setting as documentation names it."""

    name: str
    variable: str
    kind: object
    default: object

    @property
    def row(self) -> str:
        plain = isinstance(self.default, (str, int, float)) and self.default != ""
        default = f" `{self.default}`" if plain else ""
        return f"| `{self.name}` | `{self.variable}` |{default} |"

    def of(self, settings: Settings) -> Any:
        return attrgetter(self.name)(settings)


def settings() -> Iterator[Setting]:
    for name, kind in kinds_of(Settings):
        plain: object = kind() if isinstance(kind, type) else None
        if isinstance(plain, BaseModel) or is_dataclass(plain):
            prefix = "" if name in FOREIGN else "GRAPHMEM_"
            for key, inner in kinds_of(type(plain)):
                yield Setting(f"{name}.{key}", f"{prefix}{name}_{key}".upper(), inner, getattr(plain, key))
        else:
            yield Setting(name, f"GRAPHMEM_{name}".upper(), kind, None)


def kinds_of(table: type) -> Iterator[tuple[str, object]]:
    return ((key, kind) for key, kind in get_type_hints(table).items() if key != "model_config")


NO_SETTINGS = {"neo4j.dump"}
FOREIGN = frozenset({"neo4j", "redis", "anthropic", "openai"})
"""Tables whose variables have the names that other tools use."""

CALLERS = {"GRAPHMEM_URL", "GRAPHMEM_TOKEN", "GRAPHMEM_PLUGIN"}
"""What callers set: `graphmem env` prints it, and the plugin of coding agents is turned off by it."""

OTHERS = {
    "context.least_importance": "0.7",
    "context.facts_share": "0.7",
    "context.least_score": "0.7",
    "context.least_summary_score": "0.7",
    "context.weekly_insight": "false",
    "embedding.fallback": '{"provider": "openai"}',
    "consolidation.enabled": "false",
    "consolidation.likeness": "0.7",
    "enrichment.enabled": "false",
    "facts.least_confidence": "0.7",
    "facts.least_importance": "0.7",
    "fading.enabled": "false",
    "fading.least_strength": "0.7",
    "fading.rates": '{"goal": 0.5}',
    "reflection.enabled": "false",
    "reflection.weekday": "monday",
    "reflection.days": "14",
    "summaries.enabled": "false",
    "summaries.temperature": "0.7",
    "mcp.max_tokens": "5000",
    "api.hosts": '["memory.example"]',
    "api.trusted_proxies": '["10.0.0.0/8"]',
    "mcp.hosts": '["memory.example"]',
    "predicates": '{"stage": {"cardinality": "one"}}',
    "api.require_user": "true",
    "api.plan_at_start": "false",
    "matching.enabled": "false",
    "matching.model_reviews": "true",
    "matching.refine": "true",
    "matching.keys": '["badge"]',
    "matching.review_from": "-9",
    "matching.exclusive": '["badge"]',
    "matching.stages": '{"fuzzy": {"enabled": false}}',
    "matching.types": '{"person": {"same_from": 9.0}}',
    "agents": '{"phone": {"batch": 5}}',
    "pipeline.entity_extraction": '{"strategy": "off"}',
    "pipeline.strategies": '{"mine": {"providers": ["regex"]}}',
    "pipeline.providers": '{"open": {"enabled": false}}',
    "ontology.entity_types": '{"ship": "a vessel"}',
    "ontology.relation_types": '{"sails": {"description": "commands a ship"}}',
    "ontology.open_types": "false",
    "ontology.open_predicates": '{"sailed_past": ["sail past"]}',
    "prices": '{"openai/gpt": {"input": 1, "cached": 1, "output": 1}}',
}


def another(setting: Setting) -> str:
    """A value that is not the default."""
    if setting.name in OTHERS:
        return OTHERS[setting.name]
    return get_args(setting.kind)[-1] if get_origin(setting.kind) is Literal else "7"


def test_every_setting_is_documented_with_its_default() -> None:
    assert [setting.row for setting in settings() if setting.row not in TEXT] == []


def test_the_documented_variable_sets_it(subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load_settings()
    for setting in settings():
        with subtests.test(setting.name), monkeypatch.context() as patched:
            patched.setenv(setting.variable, another(setting))
            assert setting.of(load_settings()) != setting.of(plain)


def test_nothing_else_is_documented_as_a_setting() -> None:
    known = list(settings())
    variables = {setting.variable for setting in known} | {"GRAPHMEM_CONFIG", "GRAPHMEM_PUBLISH", "NEO4J_IMAGE"}
    secrets = {
        f"{variable}_FILE" for variable in variables if variable.endswith(("_KEY", "_PASSWORD", "_SECRET", "_URL"))
    }
    tables = "|".join({setting.name.partition(".")[0] for setting in known})
    others = logged() | NO_SETTINGS
    for path, page in PAGES.items():
        found = set(re.findall(r"`((?:GRAPHMEM|NEO4J|REDIS|ANTHROPIC|OPENAI)_[A-Z_]+)`", page))
        assert found - variables - secrets - CALLERS == set(), path.name
        named = set(re.findall(rf"`((?:{tables})\.[a-z_]+)`", page))
        assert named - {setting.name for setting in known} - others == set(), path.name


def logged() -> set[str]:
    """Names of what logs say."""
    sources = (path.read_text("utf-8") for path in (ROOT / "graphmem").rglob("*.py"))
    return {name for source in sources for name in re.findall(r'log\.\w+\(\s*"([a-z_.]+)"', source)}


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and others make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_link_in_documents_leads_somewhere() -> None:
    for path, page in LINKING.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", page):
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if "://" in link or (anchor and target.suffix != ".md"):
                continue
            assert target.exists(), f"{path.name}: {link}"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
                assert anchor in map(slug, headings), f"{path.name}: {link}"


def test_each_page_begins_with_what_it_is_for() -> None:
    for path, page in PAGES.items():
        assert re.match(r"# .+\n\n[A-Z]", page), path.name


def test_the_page_of_each_door_names_tests_that_are_there() -> None:
    named = {path.name: re.findall(r"`(tests/[a-z_/]+\.py)`", page) for path, page in PAGES.items()}
    assert [test for tests in named.values() for test in tests if not (ROOT / test).exists()] == []
    assert [door for door in ("clients.md", "files.md", "integrations.md", "plugins.md") if not named[door]] == []


def test_every_file_of_settings_that_is_shown_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(tmp_path / "shown.toml"))
    for text in SHOWN:
        (tmp_path / "shown.toml").write_text(text)
        load_settings()


def test_what_is_shown_of_matching_is_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (text,) = (one for one in SHOWN if "[matching]" in one)
    (tmp_path / "shown.toml").write_text(text)
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(tmp_path / "shown.toml"))
    shown, plain = load_settings().matching.settings(), MatchingSettings()

    assert (shown.keys, shown.exclusive) == ({"employee_number"}, {"badge"})
    assert (shown.default, shown.most_holders) == (plain.default, plain.most_holders)
    person = shown.of(["person"])
    assert (person.same_from, person.review_from) == (5.0, plain.default.review_from)
    assert person.stage(Stage.EMBEDDING) == replace(plain.default.stage(Stage.EMBEDDING), enabled=False)
    assert person.stage(Stage.FUZZY) == plain.default.stage(Stage.FUZZY)
