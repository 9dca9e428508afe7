"""Who reads: built from the settings, and loaded where it is asked."""

import os
import subprocess
import sys
from typing import Any

import pytest

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.providers import Extractors
from graphmem.model.episode import Reprocessing
from graphmem.settings import load_settings

_ASKED = """
import sys
from graphmem.extract.providers import Extractors
from graphmem.settings import load_settings
reader = Extractors(load_settings()).of()
print(type(reader).__name__, "instructor" in sys.modules)
reader.warm()
print("instructor" in sys.modules)
"""


@pytest.mark.full
def test_the_libraries_of_language_models_are_loaded_by_who_warms_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ASKED],
        env={**os.environ, "ANTHROPIC_API_KEY": "key"},  # noqa: TID251 - with more, for a process of its own
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["LanguageModelExtractor", "False", "True"]


def of(**pipeline: Any) -> Extractors:
    return Extractors(load_settings(pipeline=pipeline))


def test_a_strategy_of_the_settings_is_composed_as_they_say() -> None:
    mine = {"providers": ["regex", "names", "open"], "claims": ["open"]}
    reader = of(entity_extraction={"strategy": "mine"}, strategies={"mine": mine}).of()
    assert isinstance(reader, OfflineExtractor)
    assert [provider.name for provider in reader.providers] == ["regex", "names", "open"]
    assert reader.version.endswith("-(regex)+(names)+open")  # others that claim, and all is to be read again


@pytest.mark.parametrize(
    ("providers", "read"), [(["regex", "llm"], {"regex"}), (["llm"], {"regex", "reader", "names", "open"})]
)
def test_where_a_model_reads_what_is_accurate_the_others_read_without_it(providers: list[str], read: set[str]) -> None:
    composed = {"providers": providers, "claims": providers[-1:]}
    reader = of(entity_extraction={"strategy": "fast"}, strategies={"accurate": composed}).accurate
    assert {provider.name for provider in reader.providers} == read


@pytest.mark.parametrize(
    ("strategy", "key", "name", "is_model"),
    [
        ("auto", True, "llm anthropic/claude-haiku-4-5", True),
        ("llm", True, "llm anthropic/claude-haiku-4-5", True),
        ("llm", False, "accurate", False),
        ("auto", False, "accurate", False),
        ("fast", True, "accurate", False),
        ("accurate", True, "accurate", False),
    ],
)
def test_who_reads_again_is_the_model_that_the_settings_ask_else_a_closer_reader(
    strategy: str,
    key: bool,  # noqa: FBT001 - whether there is one
    name: str,
    is_model: bool,  # noqa: FBT001 - what is expected
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if key:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    closer = of(entity_extraction={"strategy": strategy}).closer

    assert closer is not None
    assert (closer.name.endswith(name), closer.is_model, closer.version == "") == (True, is_model, is_model)


@pytest.mark.parametrize(
    ("strategy", "key", "writer", "writes"),
    [
        ("auto", True, "auto", True),
        ("llm", True, "auto", True),
        ("auto", False, "auto", False),
        ("accurate", True, "auto", False),
        ("auto", True, "offline", False),
    ],
)
def test_summaries_and_reflections_are_written_by_the_model_that_reads_unless_they_are_to_be_made_offline(
    strategy: str,
    key: bool,  # noqa: FBT001 - whether there is one
    writer: str,
    writes: bool,  # noqa: FBT001 - what is expected
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if key:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    monkeypatch.setenv("GRAPHMEM_SUMMARIES_WRITER", writer)
    summaries = of(entity_extraction={"strategy": strategy})
    monkeypatch.delenv("GRAPHMEM_SUMMARIES_WRITER")
    monkeypatch.setenv("GRAPHMEM_REFLECTION_WRITER", writer)
    reflections = of(entity_extraction={"strategy": strategy})

    assert [one.summary_writer is not None for one in (summaries, reflections)] == [
        writes,
        writes or writer == "offline",
    ]
    assert [one.reflection_writer is not None for one in (reflections, summaries)] == [
        writes,
        writes or writer == "offline",
    ]


def test_where_nothing_is_read_nothing_is_read_again() -> None:
    assert of(entity_extraction={"strategy": "off"}).closer is None


def test_a_provider_is_switched_off_in_all_strategies() -> None:
    extractors = of(providers={"open": {"enabled": False}})
    assert "open" not in {provider.name for provider in extractors.accurate.providers}
    assert extractors.accurate.version != OfflineExtractor().version
    assert {provider.name for provider in of().accurate.providers} > {"open"}


@pytest.mark.parametrize(
    ("pipeline", "words"),
    [
        ({"entity_extraction": {"strategy": "mine"}}, "There is no strategy 'mine'. There is: accurate, auto, fast"),
        ({"strategies": {"auto": {"providers": ["regex"]}}}, "auto cannot be the name of a strategy"),
        ({"strategies": {"mine": {"providers": ["regex", "regex"]}}}, "Name each provider once"),
        ({"strategies": {"mine": {"providers": ["regex"], "claims": ["open"]}}}, "are among the providers"),
        ({"strategies": {"mine": {"providers": ["spacey"]}}}, "names"),
        ({"strategies": {"mine": {"providers": ["names"]}}}, "No provider of the strategy mine makes claims"),
        (
            {"strategies": {"mine": {"providers": ["regex"], "claims": []}}},
            "No provider of the strategy mine makes claims",
        ),
        (
            {"strategies": {"mine": {"providers": ["regex"], "claims": ["spacey"]}}},
            "pipeline.strategies.mine.claims.*llm",
        ),
        ({"providers": {"spacey": {"enabled": False}}}, "pipeline.providers.spacey.*'regex', 'names', 'reader'"),
        ({"providers": {"open": {"timeout": 0}}}, "greater than 0"),
    ],
)
def test_what_cannot_be_composed_is_refused(pipeline: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        of(**pipeline)


def test_a_strategy_of_which_all_is_switched_off_says_so() -> None:
    off = {name: {"enabled": False} for name in ("regex", "reader")}
    with pytest.raises(ConfigurationError, match="Switch one on"):
        of(entity_extraction={"strategy": "fast"}, providers=off).of()
    with pytest.raises(InvalidInput, match="There is no strategy 'other'"):
        of().check(Reprocessing(strategy="other"))


def test_a_strategy_whose_claiming_providers_are_switched_off_says_so() -> None:
    mine = {"providers": ["names", "open"], "claims": ["open"]}
    extractors = of(
        entity_extraction={"strategy": "mine"}, strategies={"mine": mine}, providers={"open": {"enabled": False}}
    )
    with pytest.raises(ConfigurationError, match="that makes claims is switched on"):
        extractors.of()


def test_models_have_no_more_time_than_a_digest_leaves_them() -> None:
    extractors = of(entity_extraction={"strategy": "llm"}, providers={"llm": {"timeout": 100.0}})
    with pytest.raises(ConfigurationError, match=r"\[pipeline.providers.llm\] is 100 seconds.*have 90 at most"):
        extractors.of()
