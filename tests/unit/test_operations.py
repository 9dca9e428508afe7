"""docs/operations.md: every setting is there, under the name that works."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from graphmem.settings import Settings, load_settings

TEXT = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")


class Setting(NamedTuple):
    """A setting as documentation names it."""

    name: str
    variable: str
    field: FieldInfo

    @property
    def row(self) -> str:
        plain = isinstance(self.field.default, (str, int, float)) and self.field.default != ""
        default = f" `{self.field.default}`" if plain else ""
        return f"| `{self.name}` | `{self.variable}` |{default} |"

    def value(self) -> Any:
        found: Any = load_settings()
        for part in self.name.split("."):
            found = getattr(found, part)
        return found


def settings() -> Iterator[Setting]:
    for name, field in Settings.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            prefix = "" if name in FOREIGN else "GRAPHMEM_"
            for key, inner in field.annotation.model_fields.items():
                yield Setting(f"{name}.{key}", f"{prefix}{name}_{key}".upper(), inner)
        else:
            yield Setting(name, f"GRAPHMEM_{name}".upper(), field)


FOREIGN = frozenset({"neo4j", "redis", "anthropic", "openai"})
"""Tables whose variables have the names that other tools use."""

OTHERS = {
    "predicates": '{"stage": {"cardinality": "one"}}',
    "pipeline.entity_extraction": '{"strategy": "off"}',
    "ontology.entity_types": '{"ship": "a vessel"}',
    "ontology.relation_types": '{"sails": {"description": "commands a ship"}}',
    "ontology.open_types": "false",
    "prices": '{"openai/gpt": {"input": 1, "cached": 1, "output": 1}}',
}


def another(setting: Setting) -> str:
    """A value that is not the default."""
    if setting.name in OTHERS:
        return OTHERS[setting.name]
    return get_args(setting.field.annotation)[-1] if get_origin(setting.field.annotation) is Literal else "7"


EVERY = pytest.mark.parametrize("setting", list(settings()), ids=lambda setting: setting.name)


@EVERY
def test_every_setting_is_documented_with_its_default(setting: Setting) -> None:
    assert setting.row in TEXT


@EVERY
def test_the_documented_variable_sets_it(setting: Setting, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    before = setting.value()

    monkeypatch.setenv(setting.variable, another(setting))

    assert setting.value() != before


def test_no_other_variable_is_documented() -> None:
    known = {setting.variable for setting in settings()} | {"GRAPHMEM_CONFIG", "GRAPHMEM_PUBLISH"}

    assert set(re.findall(r"`((?:GRAPHMEM|NEO4J|REDIS|ANTHROPIC|OPENAI)_[A-Z_]+)`", TEXT)) - known == set()
