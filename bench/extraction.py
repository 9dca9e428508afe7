"""How right the offline extraction is: names, relations and aliases against texts that somebody else labelled.

    python -m bench.extraction --data FOLDER_OR_FILE … --json

Reads JSON Lines: id, text, entities (name, type, aliases) and relations (subject, predicate, object); and the talks
written by hand for graphmem, `tests/gold/talks.yaml`. A text whose every line is “name: words” is a conversation, each
line an episode by that speaker; any other text is a document.

What is judged, each thing once a text: names as written, but for case, “Dr.” and blanks beside punctuation (each
alias is a writing), with the type (`typed`; `core` are persons, organizations and places only) and without (`names`);
claims, of whatever time, as (subject, predicate, object), where a name may stand for any other that the labels give the
same entity. Aliases are the claims `named`, scored apart. `extraction.toml` maps types and predicates; what it does not
map, or what no label of the file could confirm, is counted in `not_judged`. `relations_of_labelled_names` leaves out
the claims about names that no label of their text speaks of, which its labels can neither confirm nor deny. A turn is
read with the turns before it, as in a session. Precision stands first: a wrong claim costs more than a missing one.
"""

import asyncio
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import parser, say, tell
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.extract.offline.tables.predicates import KNOWN
from graphmem.model.entity import normalise_name
from graphmem.model.episode import ContentType, Episode
from graphmem.model.fragment import Context, ContextTurn, Fragment, ProposedClaim
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from tests.talks import labelled

Triple = tuple[str, str, str]

SAID = datetime(2025, 1, 1, 12, tzinfo=UTC)
"""When everything is said, for the texts do not tell."""
CORE = frozenset({"person", "organization", "place"})
OWN_TYPES = frozenset({*DEFAULT_ONTOLOGY.entity_types, "phone", "animal"})
EVERY = 200
_NAMED = "named"
_TITLE = re.compile(r"^(?:(?:mr|mrs|ms|dr|prof)(?:\.|\s)\s*)+(?=\w)")
_BLANKS = re.compile(r"\s*([^\w\s])\s*")
_TURN = re.compile(r"([^:\n]{1,40}): (.*)")


# the table ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """``extraction.toml``. ``labels`` maps our predicate, or “predicate type”, to the labels that make it right."""

    types: Mapping[str, str]
    labels: Mapping[str, Sequence[str]]
    inverse: Mapping[str, str]
    symmetric: frozenset[str]

    @property
    def known_labels(self) -> frozenset[str]:
        return frozenset(self.inverse.get(bare, bare) for each in self.labels.values() for bare in map(_bare, each))

    def one_way(self, triple: Triple) -> Triple:
        """The triple in the one direction that stands for both."""
        subject, label, target = triple
        if label in self.inverse:
            return self.one_way((target, self.inverse[label], subject))
        return (min(subject, target), label, max(subject, target)) if label in self.symmetric else triple

    def judged_as(self, claim: ProposedClaim, used: frozenset[str]) -> Sequence[str]:
        """The labels any of which makes the claim right, of those ``used``: our own word, or what it maps to."""
        if claim.predicate in used:
            return [claim.predicate]
        kind = f"{claim.predicate} {claim.object.type}" if claim.object else ""
        mapped = self.labels.get(kind) or self.labels.get(claim.predicate, ())
        could = used | {self.inverse.get(label, label) for label in used}
        return [label for label in mapped if _bare(label) in could]


def _bare(label: str) -> str:
    return label.removeprefix("-")


def table() -> Table:
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return Table(read["types"], read["predicates"], read["inverse"], frozenset(read["symmetric"]["labels"]))


# the labelled texts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    id: str
    text: str
    entities: Sequence[Mapping[str, Any]]
    relations: Sequence[Mapping[str, Any]]

    def episodes(self) -> Iterator[Episode]:
        lines = self.text.splitlines()
        turns = [found for line in lines if (found := _TURN.fullmatch(line))]
        if not turns or len(turns) < len([line for line in lines if line.strip()]):
            yield _episode(self, self.text, None)
            return
        for turn in turns:
            yield _episode(self, turn[2], turn[1])

    def names(self) -> set[tuple[str, str]]:
        return {(written(name), entity["type"]) for entity in self.entities for name in writings(entity)}

    def triples(self) -> Iterator[Triple]:
        for relation in self.relations:
            yield written(relation["subject"]), relation["predicate"], written(relation["object"])

    def labelled_names(self) -> set[str]:
        """The names that any label of the text speaks of."""
        return {name for name, _ in self.names()} | {name for one, _, other in self.triples() for name in (one, other)}

    def stands_for(self, alias_labels: frozenset[str]) -> Mapping[str, set[str]]:
        """For each name the names that the labels give to the same entity."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        same = [{written(name) for name in writings(entity)} for entity in self.entities]
        same += [{subject, target} for subject, label, target in self.triples() if label in alias_labels]
        for names in same:
            for name in names:
                found[name] |= names
        return found


def _episode(text: Text, content: str, speaker: str | None) -> Episode:
    kind = ContentType.DOCUMENT if speaker is None else ContentType.MESSAGE
    return Episode(
        group_id="bench", session=text.id, content=content, occurred_at=SAID, speaker=speaker, content_type=kind
    )


def written(name: str) -> str:
    """The name less case and title, and less blanks beside punctuation, which some texts have around every token."""
    return _TITLE.sub("", _BLANKS.sub(r"\1", normalise_name(name)))


def writings(entity: Mapping[str, Any]) -> list[str]:
    return [entity["name"], *(entity.get("aliases") or ())]


@dataclass(frozen=True, slots=True)
class File:
    """``labels`` and ``types`` are those it uses; what none of them could confirm is not judged."""

    path: Path
    texts: Sequence[Text]
    labels: frozenset[str]
    types: frozenset[str]


@dataclass(slots=True)
class Data:
    """The labelled texts of files; what could not be read is in ``skipped``."""

    limit: int | None
    skipped: list[str] = field(default_factory=list[str])

    def files(self, paths: Iterable[Path]) -> Iterator[Path]:
        for path in paths:
            found = sorted(path.glob("*.jsonl")) if path.is_dir() else [path] if path.is_file() else []
            if not found:
                self._skip(f"{path} holds no .jsonl" if path.is_dir() else f"{path} is absent")
            yield from found

    def read(self, path: Path) -> "File":
        """The texts of a file, up to the limit; its labels are those of all."""
        if path.suffix == ".yaml":
            lines = [json.dumps(text) for text in labelled()]
        else:
            lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
        read = (self._text(path, number, line) for number, line in enumerate(lines, 1))
        texts = [text for text in read if text is not None]
        labels = frozenset(relation["predicate"] for text in texts for relation in text.relations)
        types = frozenset(entity["type"] for text in texts for entity in text.entities)
        return File(path, tuple(texts[: self.limit]), labels, types)

    def _text(self, path: Path, number: int, line: str) -> Text | None:
        try:
            told = json.loads(line)
            text = Text(str(told["id"]), told["text"], told.get("entities") or (), told.get("relations") or ())
            _check(text)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            self._skip(f"{path.name} line {number}: {problem!r}")
            return None
        return text

    def _skip(self, what: str) -> None:
        say(f"skipped: {what}")
        self.skipped.append(what)


def _check(text: Text) -> None:
    text.names()
    list(text.triples())
    for _ in text.episodes():
        pass


# scores ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Score:
    """``right`` of what was ``said``, ``found`` of what there ``is``."""

    right: int = 0
    said: int = 0
    found: int = 0
    wanted: int = 0

    def add(self, said: set[Any], wanted: set[Any]) -> None:
        both = len(said & wanted)
        self.right, self.said = self.right + both, self.said + len(said)
        self.found, self.wanted = self.found + both, self.wanted + len(wanted)

    def precision(self) -> dict[str, float | int | None]:
        precision = self.right / self.said if self.said else None
        return {"precision": _rounded(precision), "right": self.right, "said": self.said}

    def figures(self) -> dict[str, float | int | None]:
        precision = self.right / self.said if self.said else None
        recall = self.found / self.wanted if self.wanted else None
        total = (precision or 0) + (recall or 0)
        return {
            "precision": _rounded(precision),
            "recall": _rounded(recall),
            "f1": _rounded(2 * (precision or 0) * (recall or 0) / total if total else 0.0),
            "right": self.right,
            "said": self.said,
            "wanted": self.wanted,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


@dataclass(slots=True)
class Names:
    """Names of a file, whose types are ``used``, with them and without. “I” and “she” are no names."""

    table: Table
    used: frozenset[str]
    typed: Score = field(default_factory=Score)
    core: Score = field(default_factory=Score)
    names: Score = field(default_factory=Score)
    by_type: defaultdict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    not_judged: Counter[str] = field(default_factory=Counter[str])

    def add(self, text: Text, read: Sequence[tuple[Episode, Fragment]]) -> None:
        known = self.used & {*OWN_TYPES, *self.table.types.values()}
        said = {(name, self._type(kind)) for name, kind in _named(read)}
        wanted = text.names()
        self.not_judged.update(f"said: {kind}" for _, kind in said if kind not in known)
        self.not_judged.update(f"labelled: {kind}" for _, kind in wanted if kind not in known)
        said, wanted = ({pair for pair in pairs if pair[1] in known} for pairs in (said, wanted))
        self.typed.add(said, wanted)
        self.names.add({name for name, _ in said}, {name for name, _ in wanted})
        self.core.add(*({pair for pair in pairs if pair[1] in CORE} for pairs in (said, wanted)))
        for kind in known:
            self.by_type[kind].add(*({pair for pair in pairs if pair[1] == kind} for pairs in (said, wanted)))

    def _type(self, kind: str) -> str:
        return kind if kind in self.used else self.table.types.get(kind, kind)

    def figures(self) -> dict[str, object]:
        return {
            "typed": self.typed.figures(),
            "core": self.core.figures(),
            "names": self.names.figures(),
            "by_type": {kind: score.figures() for kind, score in sorted(self.by_type.items()) if score.wanted},
            "not_judged": dict(self.not_judged.most_common()),
        }


def _named(read: Iterable[tuple[Episode, Fragment]]) -> Iterator[tuple[str, str]]:
    """Names with their types, where the text writes them."""
    for episode, fragment in read:
        for mention in fragment.mentions:
            name = written(mention.entity.name)
            if name == written(episode.content[mention.start : mention.end]):
                yield name, mention.entity.type


@dataclass(slots=True)
class Claims:
    """Relations and aliases of a file, whose labels are ``used``."""

    table: Table
    used: frozenset[str]
    show: int
    relations: Score = field(default_factory=Score)
    aliases: Score = field(default_factory=Score)
    of_known_names: Score = field(default_factory=Score)
    by_predicate: defaultdict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    not_judged: Counter[str] = field(default_factory=Counter[str])

    def add(self, text: Text, fragments: Sequence[Fragment]) -> None:
        alias_labels = frozenset((*self.table.labels[_NAMED], _NAMED))
        stands = text.stands_for(alias_labels)
        wanted = {self.table.one_way(triple) for triple in text.triples()}
        found: set[Triple] = set()
        judged: set[Triple] = set()
        for claim in (claim for fragment in fragments for claim in fragment.claims if not claim.open):
            subject, target = written(claim.subject.name), written(_target(claim))
            labels = self.table.judged_as(claim, self.used)
            if not labels:
                self.not_judged[f"claimed: {claim.predicate}"] += 1
                continue
            key = self.table.one_way((subject, claim.predicate, target))
            if key in judged:
                continue
            judged.add(key)
            hits = {
                triple
                for label in labels
                for s in stands.get(subject, {subject})
                for o in stands.get(target, {target})
                if (triple := self._labelled(s, label, o)) in wanted
            }
            found |= hits
            self._count(text, claim, right=bool(hits))
        self._expect(wanted, found, alias_labels)

    def _labelled(self, subject: str, label: str, target: str) -> Triple:
        if label.startswith("-"):
            subject, target = target, subject
        return self.table.one_way((subject, _bare(label), target))

    def _count(self, text: Text, claim: ProposedClaim, *, right: bool) -> None:
        scores = [self.aliases if claim.predicate == _NAMED else self.relations, self.by_predicate[claim.predicate]]
        if claim.predicate != _NAMED and named_in(claim) <= text.labelled_names():
            scores.append(self.of_known_names)
        for score in scores:
            score.said += 1
            score.right += right
        if not right and self.show > 0:
            self.show -= 1
            say(f"  not labelled: {text.id}: {claim.statement}")

    def _expect(self, wanted: set[Triple], found: set[Triple], alias_labels: frozenset[str]) -> None:
        known = self.table.known_labels | KNOWN
        for triple in wanted:
            if triple[1] not in known:
                self.not_judged[f"labelled: {triple[1]}"] += 1
                continue
            score = self.aliases if triple[1] in alias_labels else self.relations
            score.wanted += 1
            score.found += triple in found

    def figures(self) -> dict[str, object]:
        return {
            "relations": self.relations.figures(),
            "relations_of_labelled_names": self.of_known_names.precision(),
            "aliases": self.aliases.figures() if self.aliases.wanted else None,
            "by_predicate": {
                predicate: {"right": score.right, "said": score.said}
                for predicate, score in sorted(self.by_predicate.items())
            },
            "not_judged": dict(self.not_judged.most_common()),
        }


def named_in(claim: ProposedClaim) -> set[str]:
    """The names that a claim is about; an occupation or another concept is none."""
    names = [name.name for name in (claim.subject, claim.object) if name and name.type != "concept"]
    return set(map(written, names))


def _target(claim: ProposedClaim) -> str:
    return claim.object.name if claim.object else str(claim.value)


# measuring ------------------------------------------------------------------------------------------------------------


def in_context(episodes: Sequence[Episode], turns: int) -> Iterator[tuple[Episode, Context]]:
    """Each episode with so many of those before it, as a session gives them."""
    for number, episode in enumerate(episodes):
        before = episodes[max(number - turns, 0) : number]
        yield episode, Context(turns=tuple(map(_turn, before)))


def _turn(episode: Episode) -> ContextTurn:
    return ContextTurn(
        role=episode.role, speaker=episode.speaker, content=episode.content, occurred_at=episode.occurred_at
    )


async def measure(extractor: OfflineExtractor, words: Table, file: File, show: int) -> dict[str, object]:
    """The figures of one file with one extractor; rates count the extraction only."""
    names, claims = Names(words, file.types), Claims(words, file.labels, show)
    seconds, episodes = 0.0, 0
    for number, text in enumerate(file.texts, 1):
        read, began = list(text.episodes()), perf_counter()
        fragments = [await extractor.extract(*each) for each in in_context(read, extractor.context_turns)]
        seconds, episodes = seconds + perf_counter() - began, episodes + len(read)
        names.add(text, list(zip(read, fragments, strict=True)))
        claims.add(text, fragments)
        if number % EVERY == 0:
            say(f"  {number} of {len(file.texts)} texts, {episodes / seconds:.0f} episodes/s")
    return {
        "episodes": episodes,
        "episodes_per_s": round(episodes / seconds, 1) if seconds else None,
        "ms_per_episode": round(1000 * seconds / episodes, 2) if episodes else None,
        **({"entities": names.figures()} if any(text.entities for text in file.texts) else {}),
        **({"claims": claims.figures()} if file.labels else {}),
    }


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, nargs="+", action="extend", help="folders or files")
    arguments.add_argument("--limit", type=int, help="so many texts of each file, for a quick look")
    arguments.add_argument("--strategy", type=Strategy, choices=list(Strategy), action="append", help="default: each")
    arguments.add_argument("--show", type=int, default=0, help="so many claims of each file that no label supports")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("Extraction runs in this process; it takes no --url.")
    data, words = Data(options.limit), table()
    files = [data.read(path) for path in data.files(options.data)]
    strategies: dict[str, object] = {}
    for strategy in options.strategy or list(Strategy):
        extractor = OfflineExtractor(strategy)
        extractor.warm()
        strategies[strategy.value] = {file.path.stem: _measured(extractor, words, file, options.show) for file in files}
    tell({"strategies": strategies, "limit": options.limit, "skipped": data.skipped}, as_json=options.json)
    if data.skipped or not files:
        raise SystemExit(1)


def _measured(extractor: OfflineExtractor, words: Table, file: File, show: int) -> dict[str, object]:
    say(f"{file.path.name}, {extractor.strategy}: {len(file.texts)} texts")
    return asyncio.run(measure(extractor, words, file, show))


if __name__ == "__main__":
    main()
